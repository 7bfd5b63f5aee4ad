"""The library: a memory here, or that of a server, with a method for each operation."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module

from quaid.errors import InvalidInput
from quaid.library.memory import Caller, Memory

__all__ = ["Memory", "open"]

TIMEOUT = 60.0  # seconds


def open(
    place: str | os.PathLike[str] | None = None,
    *,
    create: bool = False,
    background: bool = False,
    token: str | None = None,
    timeout: float | None = None,
    insecure: bool = False,
    actor: str | None = None,
    session: str = "",
    notify: Callable[[str], None] | None = None,
) -> Memory:
    """Open a memory: a file, a folder, the address of a server; or the one that the command line would find.

    `create` makes one that is not there. `background` lets a process of its own embed many new texts.
    `token`, `timeout` (seconds) and `insecure` (plain HTTP beyond this machine) are for servers. `actor` is
    who writes: the program's name, unless another is given; `session` joins what belongs together.
    `notify` is told what a person should know besides an answer; otherwise `Memory.notices` says it.
    """
    caller = Caller(actor or _program(), session)
    if isinstance(place, str) and place.lower().startswith(("http://", "https://")):
        if create or background:
            raise InvalidInput("a server has its memory already", hint="Leave create and background out.")
        remote = import_module("quaid.library.remote")  # who opens a file needs no HTTP
        wait = TIMEOUT if timeout is None else timeout
        address = remote.read_address(place, token or "", insecure=insecure)
        return Memory(remote.RemoteMemory(address, caller, wait), notify)
    if token is not None or timeout is not None or insecure:
        raise InvalidInput(
            "token, timeout and insecure are for servers", hint="The address of one begins with https://."
        )
    local = import_module("quaid.library.local")  # who asks a server needs no SQLite
    notices: list[str] = []
    backend = local.LocalMemory(place, caller=caller, create=create, background=background, notices=notices)
    return Memory(backend, notify, notices)


def _program() -> str:
    """What this program is called, as far as Python knows."""
    started = sys.argv[0] if sys.argv else ""
    folder, file = os.path.split(started)
    stem = os.path.splitext(os.path.basename(folder) if file == "__main__.py" else file)[0]
    return "python" if stem in ("", "-", "-c") else stem
