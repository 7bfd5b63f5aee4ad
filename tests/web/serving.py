"""A server in a thread of the tests, and requests as they go over the wire."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quaid.app import Surroundings
from quaid.app.shared import Opening
from quaid.mcp.server import Memory, make_server
from quaid.mcp.transport import Served
from quaid.mcp.workers import Workers
from quaid.operations.tool_sets import operations_named
from quaid.settings import Settings
from quaid.web.application import make_app
from quaid.web.gate import Address, Policy
from quaid.web.keys import Keys
from quaid.web.limits import Limit
from quaid.web.listener import answerer, listen
from tests.mcp.talking import CLIENT
from tests.support import PATIENCE

TOKEN = "a-token-of-enough-length"
NONE = Limit(100_000, 1_000)


@dataclass(frozen=True)
class Answered:
    """An answer: status, headers in lower case, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> Any:
        return self.json["error"]


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    port: int
    db: Path
    token: str = TOKEN

    def send(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Answered:
        """One request; a header that is None is left out."""
        usual = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json" if method == "POST" else None,
            "Content-Length": str(len(body)) if method == "POST" else None,
        }
        given = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        data = answer.read()
        connection.close()
        return Answered(answer.status, found, data)

    def get(self, path: str, **headers: str | None) -> Answered:
        return self.send("GET", path, **headers)

    def post(self, path: str, _headers: Mapping[str, str | None] | None = None, /, **values: Any) -> Answered:
        return self.send("POST", path, json.dumps(values).encode(), **(_headers or {}))

    def as_token(self, token: str) -> Running:
        """The same server, asked with another token."""
        return Running(self.port, self.db, token)


@contextmanager
def running(
    db: Path,
    tools: str = "full",
    certificate: tuple[str, str] | None = None,
    names: tuple[str, ...] = ("memory.example.org",),
    **policy: Any,
) -> Iterator[Running]:
    """A server over a memory, until the block ends."""
    workers = Workers(Opening(lambda: db, Settings(), Surroundings(home=db.parent)))
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    address = Address("127.0.0.1", port, names, certificate)
    served = Served(workers, make_server(Memory(workers, operations_named(tools))))
    keys = Keys(db.parent, lambda: db, TOKEN)
    server = answerer(make_app(served, Policy(address, keys, **{"limit": NONE, **policy})), address)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield Running(address.port, db)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        workers.close(5)
        listening.close()


def rpc(server: Running, method: str, **params: Any) -> Any:
    """What MCP answers to one message of a session of its own."""
    accept = {"Accept": "application/json, text/event-stream"}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}
    greeted = server.send("POST", "/mcp", json.dumps(greeting).encode(), **accept)
    session = {"Mcp-Session-Id": greeted.headers["mcp-session-id"], **accept}
    body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}).encode()
    if server.token != TOKEN:
        stranger = server.as_token(TOKEN).send("POST", "/mcp", body, **session)
        assert stranger.status == 404, "a session belongs to the token that began it"
    return server.send("POST", "/mcp", body, **session).json
