"""A client that speaks the protocol by hand: bytes in, bytes out."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.forked import programs
from tests.support import PATIENCE, environment

CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Talk:
    """A running server, and what is said to it."""

    def __init__(
        self, db: Path, *words: str, env: Mapping[str, str] | None = None, program: str = ""
    ) -> None:
        self.process = subprocess.Popen(
            [program or programs() / "quaid", "--db", str(db), "serve", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(None, env),
        )
        self._last = 0
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()

    def send(self, message: Any) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode() if self.process.stderr else ""
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self._last, answer
        return answer

    def greet(self) -> dict[str, Any]:
        answer = self.ask("initialize", **CLIENT)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool answers: its data."""
        result = self.ask("tools/call", name=name, arguments=arguments)["result"]
        data: dict[str, Any] = result["structuredContent"]
        assert json.loads(result["content"][0]["text"]) == data
        assert result.get("isError", False) == ("error" in data)
        return data

    def end(self) -> int:
        """Close the input; the answer is the exit status."""
        assert self.process.stdin
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.stop()
        return status

    def stop(self) -> None:
        self._guard.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


@contextmanager
def talk(db: Path, *words: str, env: Mapping[str, str] | None = None, program: str = "") -> Iterator[Talk]:
    """A server that is greeted already; of the installed program if a new interpreter is what matters."""
    talking = Talk(db, *words, env=env, program=program)
    try:
        talking.greet()
        yield talking
    finally:
        talking.stop()
