"""A server of the protocol that the library speaks, made from the operation table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Semaphore, Thread
from typing import Any

import quaid
from quaid.library.method import python_name
from quaid.operations import NAMES
from quaid.operations.results import as_data

TOKEN = "a-token-for-tests-that-is-long-enough"
STATUSES = {"not_found": 404, "conflict": 409, "invalid_input": 400}


class Server(ThreadingHTTPServer):
    """Answers with a memory of this machine."""

    daemon_threads = True
    memory: quaid.Memory
    connections = 0
    closes = False  # each connection after an answer, without saying so

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.memory_notices: list[tuple[str, ...]] = []
        self.closed = Semaphore(0)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.closed.release()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def do_POST(self) -> None:
        values = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        self._answer(*self._answered(self.path, values))
        if self.server.closes:
            self.close_connection = True

    def _answered(self, path: str, values: dict[str, Any]) -> tuple[int, Any]:
        if self.headers.get("authorization") != f"Bearer {TOKEN}":
            return 401, {"error": {"code": "unauthorized", "message": "the token is missing or wrong"}}
        name = path.removeprefix("/api/").replace("/", " ")
        if name not in NAMES:
            return 404, {"error": {"code": "not_found", "message": f"no operation {name!r}"}}
        memory = self.server.memory
        try:
            return 200, as_data(getattr(memory, python_name(name))(**values))
        except quaid.QuaidError as error:
            return STATUSES.get(error.code, 500), {"error": error.as_dict()}
        finally:
            self.server.memory_notices.append(memory.notices)

    def _answer(self, status: int, data: Any) -> None:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if self.server.memory_notices and self.server.memory_notices[-1]:
            self.send_header("Quaid-Notices", json.dumps(self.server.memory_notices[-1]))
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests print nothing."""


@contextmanager
def serving(db: Path, handler: type[Handler] = Handler) -> Iterator[Server]:
    """A server on a free port, with a new memory."""
    with quaid.open(db, create=True) as memory, Server(handler) as server:
        server.memory = memory
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
