"""An MCP server that a benchmark starts and talks to, line by line."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping
from typing import Any

CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class ServerFailed(Exception):
    """A server that ends, or answers with an error."""


class Client:
    """A server, and what is said to it."""

    def __init__(self, command: list[str], environment: Mapping[str, str] | None = None) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.last = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; what the server says meanwhile is left out."""
        self.last += 1
        self._send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        assert self.process.stdout
        for line in self.process.stdout:
            try:
                answer = json.loads(line)
            except ValueError:
                continue  # some greet the person on standard output
            if isinstance(answer, dict) and answer.get("id") == self.last:
                if "result" not in answer:
                    raise ServerFailed(str(answer.get("error"))[:160])
                return dict(answer["result"])
        raise ServerFailed("the server has ended")

    def greet(self) -> None:
        """Begin the session."""
        self.ask("initialize", CLIENT)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """What a tool answers."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise ServerFailed(json.dumps(answer.get("content"))[:160])
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def end(self) -> float:
        """Let it end; the answer is the most memory that it had, in megabytes."""
        assert self.process.stdin
        self.process.stdin.close()
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_maxrss / 1000
