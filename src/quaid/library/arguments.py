"""What a program passes to a method, as an operation's arguments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from datetime import date
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats.encoding import decode as text_of
from quaid.operations.arguments import decode, parameters
from quaid.operations.operation import Operation


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


def plain(value: Any) -> Any:
    """A value as JSON has it: days and paths as text, whatever holds several as a list."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, Set)):
        return [plain(each) for each in value]
    return value
