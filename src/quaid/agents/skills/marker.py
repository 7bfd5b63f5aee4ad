"""The marker of a folder that took copies of skills: what was written, and a lock for whoever writes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from quaid.agents.skills.skill import MAX_BYTES
from quaid.files import exclusively, open_own, replace_file
from quaid.model.record import record

MARKER = ".quaid-skills.json"


@record
class Copy:
    """What a marker says of a copy: the skill that it is of, and the hash of what was written."""

    skill: str
    hash: str


def copies_in(folder: Path) -> dict[str, Copy]:
    """What the marker says; one that cannot be read says nothing."""
    marker = folder / MARKER
    try:
        if not marker.is_file() or marker.stat().st_size > MAX_BYTES:
            return {}
        data = json.loads(marker.read_bytes())["skills"]
        return {name: Copy(str(copy["skill"]), str(copy["hash"])) for name, copy in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def mark(target: Path, copies: Mapping[str, Copy]) -> None:
    """Write what the folder's copies are; without any, there is no marker."""
    if not copies:
        (target / MARKER).unlink(missing_ok=True)
    elif copies != copies_in(target):
        said = {name: {"skill": copy.skill, "hash": copy.hash} for name, copy in sorted(copies.items())}
        replace_file(target / MARKER, (json.dumps({"skills": said}, indent=2) + "\n").encode())


@contextmanager
def folder_lock(target: Path) -> Iterator[None]:
    """Keep other processes out of a folder that takes copies."""
    if os.name == "nt":  # where an open file cannot be replaced
        yield
        return
    while True:
        with open_own(target / MARKER) as file, exclusively(file):
            # Whoever held it before may have put another file in its place, or removed it.
            if _is_still(file, target / MARKER):
                yield
                return


def _is_still(file: IO[bytes], place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(place))
    except FileNotFoundError:
        return False
