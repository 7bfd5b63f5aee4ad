"""What set-ups have left on this machine, so that a removal can take exactly that away."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from quaid.errors import ReadOnly
from quaid.files import PRIVATE_FILE, exclusively, make_private_directory, replace_file
from quaid.model.record import record

ABSENT = "absent"
UNKNOWN = ""
Keys = tuple[str, ...]


@record
class Receipt:
    """What became of one file.

    `before` is the hash of what it held before us (or ABSENT), as long as nobody else has changed it since;
    `after` that of what we left; `made` are the objects in it that hold our entries and that we made.
    """

    before: str
    after: str
    created: bool
    made: tuple[Keys, ...]
    owners: tuple[str, ...]


class Receipts:
    """The receipts of a person, in a file of theirs."""

    def __init__(self, home: Path) -> None:
        self._folder = home / ".quaid"
        self._file = self._folder / "setup.json"
        said = self._read()
        self.files = {path: _receipt(each) for path, each in _mapping(said.get("files")).items()}
        self.skills = {path: _words(each) for path, each in _mapping(said.get("skills")).items()}
        self.folders = set(_words(said.get("folders")))

    def _read(self) -> dict[str, Any]:
        """What the file says; one that is damaged says nothing, and removals are less exact."""
        try:
            return _mapping(json.loads(self._file.read_bytes()))
        except (OSError, ValueError, RecursionError):
            return {}

    def save(self) -> None:
        """Write the receipts down, or remove the file if there are none."""
        if not (self.files or self.skills or self.folders):
            self._file.unlink(missing_ok=True)
            return
        files = {path: vars(each) for path, each in sorted(self.files.items())}
        said = {"files": files, "skills": self.skills, "folders": sorted(self.folders)}
        data = (json.dumps(said, indent=2) + "\n").encode()
        if not self._file.exists() or self._file.read_bytes() != data:
            replace_file(self._file, data)

    def make_folder(self, folder: Path) -> None:
        """Make a folder with its parents, and remember those that are new."""
        new = folder
        while not new.exists() and new != new.parent:
            self.folders.add(str(new))
            new = new.parent
        make_private_directory(folder)

    def tidy(self) -> None:
        """Remove folders that were made for what is gone, if they are empty."""
        kept = [*self.files, *self.skills]
        for folder in sorted(self.folders, key=len, reverse=True):
            with suppress(OSError):
                Path(folder).rmdir()
            if not any(Path(path).is_relative_to(folder) for path in kept):
                self.folders.discard(folder)


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Keep other set-ups of this person waiting."""
    lock = home / ".quaid" / "setup.lock"
    try:
        make_private_directory(lock.parent)
        descriptor = os.open(lock, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
    except OSError as error:
        raise ReadOnly(
            f"{lock.parent} cannot be written: {error.strerror}",
            hint="Set up where your home directory can be written, or see what would be: --dry-run.",
        ) from None
    with os.fdopen(descriptor, "r+b") as file, exclusively(file):
        yield


def digest(data: bytes | None) -> str:
    """The hash of what a file holds."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


def _receipt(said: Any) -> Receipt:
    known = _mapping(said)
    made = known.get("made")
    return Receipt(
        before=str(known.get("before", UNKNOWN)),
        after=str(known.get("after", UNKNOWN)),
        created=known.get("created") is True,
        made=tuple(tuple(_words(each)) for each in made) if isinstance(made, list) else (),
        owners=tuple(_words(known.get("owners"))),
    )


def _mapping(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}


def _words(said: Any) -> list[str]:
    return [str(each) for each in said] if isinstance(said, Sequence) and not isinstance(said, str) else []
