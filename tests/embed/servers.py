"""Real servers on this machine: one that embeds, one that has files."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

import numpy as np

from quaid.embed.embedder import Embedder

S = TypeVar("S", bound="Server")


class Handler(BaseHTTPRequestHandler):
    """Leaves the answer to the server's `answer`."""

    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), json.loads(body)))
        self.server.answer(self, json.loads(body))

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers), None))
        self.server.answer(self, None)

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """Remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, dict[str, str], Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, handler: Handler, body: Any) -> None:
        raise NotImplementedError


class EmbeddingServer(Server):
    """An OpenAI-compatible endpoint. It answers with its `failures` first: a status, or bytes."""

    def __init__(self, model: Embedder) -> None:
        super().__init__()
        self.model = model
        self.failures: list[int | bytes] = []
        self.headers: dict[str, str] = {}

    def answer(self, handler: Handler, body: Any) -> None:
        if self.failures:
            failure = self.failures.pop(0)
            if isinstance(failure, bytes):
                return handler.reply(200, failure)
            return handler.reply(failure, b'{"error": "no such thing"}', **self.headers)
        if body["model"] != "toy":
            return handler.reply(404, b'{"error": "model not found"}')
        # Not of unit length, and out of order: the client has to see to both.
        rows = self.model.embed(body["input"]) * np.float32(3)
        data = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
        return handler.reply(200, json.dumps({"object": "list", "data": data[::-1]}).encode())


class FileServer(Server):
    """Serves `files` by path. `cut` breaks the connection after so many bytes, once."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__()
        self.files = files
        self.cut = 0
        self.ranges = True
        self.redirect = ""

    def answer(self, handler: Handler, body: Any) -> None:
        if self.redirect:
            return handler.reply(302, b"", Location=self.redirect)
        content = self.files.get(handler.path)
        if content is None:
            return handler.reply(404, b"")
        start = int(handler.headers.get("Range", "bytes=0-")[6:-1]) if self.ranges else 0
        content = content[start:]
        if self.cut:
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content[: self.cut])
            self.cut = 0
            handler.close_connection = True
            return None
        return handler.reply(206 if start else 200, content)


@contextmanager
def serving(server: S) -> Iterator[S]:
    """The server, in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
