"""Which memory a command is about.

One that is named is used. One that lies where somebody works may have come with a stranger's files: it is
used only if the person made or accepted it on this machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from quaid.errors import NotFound, Untrusted
from quaid.files import read_own
from quaid.trust import CONFIG, DIRECTORY, Trust, real, stranger_among, subject

DATABASE = "memory.db"
MOST_CONFIG = 1_000_000  # bytes


def user_memory(home: Path) -> Path:
    """The memory of the person, wherever they are."""
    return home / DIRECTORY / DATABASE


def find_memory(flag: str | None, environment: Mapping[str, str], here: Path, home: Path) -> Path:
    """The first of: --db, QUAID_DB, a .quaid upward from here, ./memory.db, the user's own."""
    if flag:
        return Path(os.path.expanduser(flag))
    if environment.get("QUAID_DB"):
        return Path(os.path.expanduser(environment["QUAID_DB"]))
    own = real(home)
    for directory in (here, *here.parents):
        path = directory / DIRECTORY / DATABASE
        if path.parent.is_dir() and real(directory) != own and is_memory(path):
            return trusted(path, home)
    if is_memory(here / DATABASE):
        return trusted(here / DATABASE, home)
    theirs = user_memory(home)
    if is_memory(theirs):
        return theirs
    raise NotFound("no memory found", hint="Make one with `quaid init`, or name one with --db.")


def trusted(path: Path, home: Path) -> Path:
    """A memory that was come across; refused unless the person made or accepted it, and it is theirs."""
    folder = subject(path)
    within = real(path.parent.parent) / DIRECTORY if path.parent.name == DIRECTORY else real(path.parent)
    if real(path) != within / path.name:
        raise Untrusted(
            f"{path} leads to {real(path)} through a link",
            hint=f"If that is the memory that you mean, name it: --db {real(path)}.",
            memory=str(path),
        )
    known = Trust(home).entry(folder)
    if known is None:
        raise Untrusted(
            f"{path} was not made by you on this machine",
            hint=f"`quaid trust {folder}` shows what it would use and accepts it; --db names another one.",
            memory=str(path),
        )
    stranger = stranger_among([folder, path.parent, path, path.with_name(CONFIG)], [known.owner])
    if stranger:
        raise Untrusted(
            f"{stranger} belongs to another user",
            hint=f"If you know why: quaid trust {folder}.",
            memory=str(path),
        )
    return path


def is_memory(path: Path) -> bool:
    """Whether there is a memory, or the description of one that can be made anew from files."""
    if path.is_file():
        return True
    if not path.parent.is_dir():
        return False
    try:
        return b"[[collection]]" in read_own(real(path.with_name(CONFIG)), MOST_CONFIG)
    except OSError:
        return False
