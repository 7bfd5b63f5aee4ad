"""A memory as programs use it, wherever it is."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol

from quaid import operations
from quaid.errors import InvalidInput
from quaid.formats.encoding import decode as text_of
from quaid.library.methods import Methods
from quaid.model.record import record
from quaid.operations.arguments import decode, parameters
from quaid.operations.operation import Operation
from quaid.operations.results import plain


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


def bound(operation: Operation[Any, Any], values: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The arguments: by position, as on a command line, or by name, which may end in _ as Python needs it."""
    known = parameters(operation.arguments)
    positional = [parameter.name for parameter in known if parameter.facts.positional]
    if len(values) > len(positional):
        raise InvalidInput(
            f"{operation.name!r} takes {len(positional)} arguments by position, not {len(values)}",
            hint=f"By position: {', '.join(positional) or 'none'}. Name the others.",
        )
    given = dict(zip(positional, values, strict=False))
    for name, value in named.items():
        own = name.rstrip("_")
        if own in given:
            raise InvalidInput(f"{own!r} is given twice")
        given[own] = value
    for parameter in known:
        content = given.get(parameter.name)
        if parameter.facts.from_file and isinstance(content, os.PathLike):
            given |= _from_file(parameter.name, os.fspath(content), {each.name for each in known})
    return decode(
        operation.arguments, {name: plain(value) for name, value in given.items()}, tool=False, typed=False
    )


def _from_file(name: str, path: str, known: set[str]) -> dict[str, Any]:
    """The content of a file, and what an operation wants to know of the file."""
    try:
        with open(path, "rb") as file:
            text, encoding = text_of(file.read())
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
    facts = {name: text, "encoding": encoding, "file_name": os.path.abspath(path)}
    return {fact: value for fact, value in facts.items() if fact in known}
