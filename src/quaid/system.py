"""What differs between operating systems: locks of files, users, processes. Whoever needs them asks here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["fcntl", "hash_function", "host_name", "listable", "may_run", "missing", "user"]

# Where Python keeps hash functions of its own, in newer and in older versions.
_HASHES = {"sha256": ("_sha2", "_sha256"), "blake2b": ("_blake2",)}


def user() -> int | None:
    """The user in whose name we act; None where files have no such owners."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def host_name() -> str:
    """This machine, without loading the network for it."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def may_run(process: int) -> bool:
    """Whether a process of this machine may be there."""
    if os.name == "nt":  # where the question would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@contextmanager
def listable(directory: str) -> Iterator[int | str]:
    """What a directory is listed by: a descriptor, from which its files are a short way, or its path."""
    if os.scandir not in os.supports_fd or not hasattr(os, "O_DIRECTORY"):
        yield directory
        return
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def missing() -> tuple[str, ...]:
    """What Quaid cannot do on this system, for people."""
    lacks = (
        (fcntl is None, "locks between processes: write to a folder with one program at a time"),
        (
            not hasattr(fcntl, "F_OFD_SETLK"),
            "a queue of writers: under load, one may wait longer than others",
        ),
        (not hasattr(os, "fork"), "a process that stands by (`quaid warm`): every command loads its model"),
        (not hasattr(os, "geteuid"), "owners of files: a folder of another user is not told apart"),
        (not hasattr(os, "O_NOFOLLOW"), "opening files without following links"),
        (not hasattr(os, "killpg"), "ending all that git has started: git alone is ended"),
    )
    return tuple(what for lacking, what in lacks if lacking)


@cache
def hash_function(name: str) -> Any:
    """A hash function; without OpenSSL if that is not loaded: it takes longer than to read a page."""
    if "hashlib" not in sys.modules:
        for module in _HASHES[name]:
            with suppress(ImportError):
                return getattr(import_module(module), name)
    return getattr(import_module("hashlib"), name)
