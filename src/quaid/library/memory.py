"""A memory as programs use it, wherever it is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

from quaid import operations
from quaid.library.arguments import bound
from quaid.library.methods import Methods
from quaid.model.record import record
from quaid.operations.operation import Operation


@record
class Caller:
    """The program that uses a memory, and the session in which it does: its process, unless it says so."""

    name: str
    session: str = ""


class Backend(Protocol):
    """What runs operations: a memory that was opened, or a server."""

    def run(self, operation: Operation[Any, Any], arguments: Any, notices: list[str]) -> Any:
        """Run it; the list takes what a person would be told besides the answer."""

    def close(self) -> None:
        """Let go of everything."""


class Memory(Methods):
    """A memory. Every operation is a method; threads may use it at the same time."""

    def __init__(
        self, backend: Backend, notify: Callable[[str], None] | None = None, notices: Sequence[str] = ()
    ) -> None:
        self._backend = backend
        self._notify = notify
        self._local = threading.local()
        self._tell(notices)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person should know besides the answer that this thread got last."""
        told: tuple[str, ...] = getattr(self._local, "notices", ())
        return told

    def close(self) -> None:
        """Close it, once what other threads do with it is done."""
        self._backend.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<quaid.Memory {self._backend}>"

    def _run(self, name: str, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Run an operation. Nobody is told anything before it has ended: they may use the memory too."""
        operation = operations.operation(name)
        arguments = bound(operation, values, named)
        notices: list[str] = []
        try:
            result = self._backend.run(operation, arguments, notices)
            notices += [each for each in operation.notices(result) if each not in notices]
            return result
        finally:
            self._tell(notices)

    def _tell(self, notices: Sequence[str]) -> None:
        self._local.notices = tuple(notices)
        for notice in notices:
            if self._notify:
                self._notify(notice)
