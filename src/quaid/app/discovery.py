"""Which memory a command is about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quaid.errors import NotFound
from quaid.model.record import record

DATABASE = "memory.db"
DIRECTORY = ".quaid"


@record
class Place:
    """A memory's file, and how it was found."""

    path: Path
    found_by: str


def user_memory(home: Path) -> Path:
    """The memory of the person, wherever they are."""
    return home / DIRECTORY / DATABASE


def find_memory(flag: str | None, environment: Mapping[str, str], here: Path, home: Path) -> Place:
    """The first of: --db, QUAID_DB, a .quaid upward from here, ./memory.db, the user's own."""
    if flag:
        return Place(Path(flag).expanduser(), "--db")
    if environment.get("QUAID_DB"):
        return Place(Path(environment["QUAID_DB"]).expanduser(), "QUAID_DB")
    for directory in (here, *here.parents):
        path = directory / DIRECTORY / DATABASE
        if directory != home and is_memory(path):
            return Place(path, f"{DIRECTORY} in {directory}")
    if is_memory(here / DATABASE):
        return Place(here / DATABASE, "the current directory")
    if is_memory(user_memory(home)):
        return Place(user_memory(home), "the user's memory")
    raise NotFound("no memory found", hint="Make one with `quaid init`, or name one with --db.")


def is_memory(path: Path) -> bool:
    """Whether there is a memory, or the description of one that can be made anew from files."""
    if path.is_file():
        return True
    try:
        return b"[[collection]]" in path.with_name("config.toml").read_bytes()
    except OSError:
        return False
