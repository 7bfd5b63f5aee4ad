"""A dashboard in a thread of the tests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from quaid.app import Surroundings
from quaid.app.shared import Opening
from quaid.dashboard.listener import application, link
from quaid.mcp.server import Memory, make_server
from quaid.mcp.transport import Served
from quaid.mcp.workers import Workers
from quaid.operations.tool_sets import operations_named
from quaid.settings import Settings
from quaid.web.cookies import Cookies, cookie_name
from quaid.web.gate import Address, Policy
from quaid.web.keys import Keys
from quaid.web.listener import answerer, listen
from tests.support import PATIENCE
from tests.web.serving import NONE, TOKEN, Answered, Running


@dataclass
class Dashboard:
    """A dashboard that runs."""

    server: Running
    cookies: Cookies

    @property
    def link(self) -> str:
        """A way in."""
        return link(self.server.port, self.cookies.code())

    @cached_property
    def person(self) -> dict[str, str | None]:
        """The headers of the person's browser."""
        cookie = f"{cookie_name(self.server.port)}={self.cookies.cookie_for(self.cookies.code())}"
        return {"Authorization": None, "Cookie": cookie}

    def read(self, path: str) -> Answered:
        """What the person's browser is answered."""
        return self.server.send("GET", path, **self.person)

    def ask(self, path: str, **values: Any) -> Answered:
        """What the person's browser is answered when it sends something."""
        return self.server.send("POST", path, json.dumps(values).encode(), **self.person)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.port}{path}"


@contextmanager
def running(db: Path, *, debug: bool = False) -> Iterator[Dashboard]:
    """A dashboard over a memory, until the block ends."""
    workers = Workers(Opening(lambda: db, Settings(), Surroundings(home=db.parent)))
    listening, cookies = listen("127.0.0.1", 0), Cookies()
    address = Address("127.0.0.1", listening.getsockname()[1])
    policy = Policy(address, Keys(db.parent, lambda: db, TOKEN), limit=NONE, debug=debug)
    served = Served(workers, make_server(Memory(workers, operations_named("full"))))
    server = answerer(application(served, policy, cookies), address)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield Dashboard(Running(address.port, db), cookies)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        workers.close(5)
        listening.close()
