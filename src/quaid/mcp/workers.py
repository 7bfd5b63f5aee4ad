"""Operations on threads of their own, so that the protocol never waits for the memory."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Literal, TypeVar

from quaid.app import App, Surroundings
from quaid.app.shared import Opening, SharedMemory
from quaid.embed.onnx import usable_cores
from quaid.errors import QuaidError
from quaid.mcp import answers
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

# Threads of each kind of work, so that none holds up another: a write may wait for another process, and a
# question takes as long as a hundred other readings. More questions at a time would not be answered sooner.
THREADS = {"read": 4, "ask": max(2, min(4, usable_cores())), "write": 2}
Kind = Literal["read", "ask", "write"]
R = TypeVar("R")

_as_json: ContextVar[bool] = ContextVar("as_json", default=False)


@contextmanager
def as_json() -> Iterator[None]:
    """While a result is given out as the command line prints it, and not as a model reads it."""
    token = _as_json.set(True)
    try:
        yield
    finally:
        _as_json.reset(token)


def kind_of(operation: Operation[Any, Any]) -> Kind:
    """What sort of work an operation is; one that reads outside of a transaction may take a while."""
    if operation.effect != "read":
        return "write"
    return "ask" if operation.isolation == "none" else "read"


class Workers:
    """Threads that run operations."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        around = opening.surroundings
        own = Surroundings(
            environment=around.environment, home=around.home, spelled=self._client_text, worker=around.worker
        )
        self._memory = SharedMemory(Opening(opening.path, opening.settings, own))
        self._pools = {kind: ThreadPoolExecutor(most, f"quaid-{kind}") for kind, most in THREADS.items()}
        self.do = self._memory.do  # on the thread that asks
        self.open = self._memory.open

    async def run(self, work: Callable[[App, list[str]], R], kind: Kind = "read") -> R:
        """Do some work with the memory; the list takes what a person would be told besides the answer."""
        return await asyncio.get_running_loop().run_in_executor(self._pools[kind], self.do, work)

    def warm_up(self) -> None:
        """Load the embedding model, if it can be had; a question says what is wrong with one that cannot."""
        with suppress(QuaidError):
            self.do(lambda app, _: app.models.warm_up())

    def close(self, grace: float) -> None:
        """Let what is being done be finished, within a time, and close the memory."""
        closing = threading.Thread(target=self._finish, name="quaid-end", daemon=True)
        closing.start()
        closing.join(grace)

    def _finish(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown(wait=True)
        self._memory.close()

    def _client_text(self, operation: Operation[Any, Any], result: Any) -> str:
        """A result as the client is given it."""
        if _as_json.get():
            return answers.compact_json(as_data(result))
        return answers.compact_json(answers.data_of(operation, result, self._memory.notices))
