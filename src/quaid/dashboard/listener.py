"""The process behind the dashboard: a server of this machine alone, of which each memory has one."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NoReturn

import anyio
from starlette.routing import Route

from quaid.app.shared import Opening
from quaid.dashboard.clients import Clients
from quaid.dashboard.desk import Desk
from quaid.dashboard.jobs import Jobs
from quaid.dashboard.pictures import Pictures
from quaid.dashboard.shell import extension
from quaid.errors import StorageFailed
from quaid.files import make_private_directory, read_own, replace_file
from quaid.mcp import transport
from quaid.model.record import record, replace
from quaid.web.application import Application, make_app
from quaid.web.cookies import Cookies
from quaid.web.gate import Address, Policy
from quaid.web.listener import answerer, listen

PORT = 4321
PORTS = 20  # that are tried from there on
PATIENCE = 2.0  # seconds for a server that may be gone
LARGEST = 4096  # bytes of a note


@record
class Options:
    """How the dashboard is run."""

    port: int | None = None  # None: the usual one, or the next that is free
    watching: bool = True


@record
class Note:
    """Where a dashboard of a memory runs, for other processes of the person; only they can read it."""

    file: Path

    @classmethod
    def of(cls, home: Path, database: Path) -> Note:
        """The note of a memory."""
        name = hashlib.sha256(os.fsencode(os.path.realpath(database))).hexdigest()[:16]
        return cls(home / ".quaid" / "run" / f"dashboard-{name}.json")

    def write(self, port: int, key: str, *, debug: bool = False) -> None:
        """Note that it runs."""
        make_private_directory(self.file.parent)
        known = {"port": port, "key": key, "process": os.getpid(), "debug": debug}
        replace_file(self.file, json.dumps(known).encode())
        self.file.chmod(0o600)

    def link(self, *, debug: bool = False) -> str | None:
        """The way into the dashboard that runs already; None if none does, or none with debug."""
        with suppress(OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
            known = json.loads(read_own(self.file, LARGEST))
            if debug and not known.get("debug"):
                return None
            connection = http.client.HTTPConnection("127.0.0.1", int(known["port"]), timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {known['key']}", "Content-Type": "application/json"}
            with closing(connection):
                connection.request("POST", "/login/code", "{}", headers)
                given = connection.getresponse()
                if given.status == 200:
                    return link(int(known["port"]), json.loads(given.read())["code"])
        return None


def link(port: int, code: str) -> str:
    """The address that lets a browser in, once."""
    return f"http://127.0.0.1:{port}/login?code={code}"


def application(served: transport.Served, policy: Policy, cookies: Cookies) -> Application:
    """A server with the dashboard."""
    pictures = Pictures(served.workers)
    routes = (
        Route("/api/dashboard/file", pictures.image, methods=["GET"]),
        Route("/api/dashboard/drawing", pictures.drawing, methods=["GET"]),
        *Clients(served.workers).routes,
    )
    jobs = Jobs(served.workers)
    added = extension(cookies, policy.address.port, (*routes, *Desk(served.workers, jobs).routes))
    made = make_app(served, replace(policy, cookies=cookies), added)

    def end() -> None:
        jobs.close()
        made.end()

    return replace(made, end=end)


def run(
    opening: Opening, policy: Policy, options: Options, note: Note, invite: Callable[[str], None]
) -> NoReturn:
    """Serve until the process is told to end; `invite` is given the way in."""
    cookies = Cookies()

    def serving(served: transport.Served, gone: Any) -> None:
        listening = _listening(options.port)
        port = listening.getsockname()[1]
        own = replace(policy, address=Address("127.0.0.1", port))
        server = answerer(application(served, own, cookies), own.address)
        note.write(port, cookies.key, debug=policy.debug)
        invite(link(port, cookies.code()))
        anyio.run(server.serve, [listening])

    transport.run(opening, transport.Options(watching=options.watching), serving)


def _listening(port: int | None) -> Any:
    """A socket at the port that is meant, or at the next one that is free."""
    if port is not None:
        return listen("127.0.0.1", port)
    for place in range(PORT, PORT + PORTS - 1):
        with suppress(StorageFailed):
            return listen("127.0.0.1", place)
    return listen("127.0.0.1", PORT + PORTS - 1)
