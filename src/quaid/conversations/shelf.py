"""Conversations in a folder that several machines share, beside its pages.

A conversation is a folder of parts, each with the turns that no other part had when it was written. A part
never changes, and its name follows from its bytes: git has nothing to merge, and what has not changed makes
no commit. What is forgotten has one part, which says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from quaid.conversations.archives import Batch, Head, KeptTurn, batch_bytes, batches_of, is_key
from quaid.conversations.keyring import Keyring, sealed_by
from quaid.errors import Untrusted
from quaid.files import left_behind, read_own, replace_file
from quaid.formats import secrets
from quaid.model.record import record
from quaid.trust import confine
from quaid.vault.folder import SCRATCH

FOLDER = ".conversations"
Form = Literal["plain", "encrypted"]
_SUFFIXES: dict[Form, str] = {"plain": ".jsonl", "encrypted": ".sealed"}
_NAME = re.compile(r"\d{8}-[0-9a-f]{16}\Z")
_MOST = 256_000_000  # bytes of a part that is read


@record
class Part:
    """A part of a conversation, read."""

    name: str
    head: Head
    batches: tuple[Batch, ...]

    @property
    def turns(self) -> tuple[KeptTurn, ...]:
        return tuple(turn for batch in self.batches for turn in batch.turns if turn.identity)


class Shelf:
    """The conversations in one form in a shared folder."""

    def __init__(self, root: Path, form: Form, keyring: Keyring) -> None:
        self.root = root
        self.form = form
        self.keyring = keyring
        self._suffix = _SUFFIXES[form]

    @property
    def other(self) -> Shelf:
        """What stands there in the other form."""
        return Shelf(self.root, "plain" if self.form == "encrypted" else "encrypted", self.keyring)

    def parts(self) -> dict[str, tuple[str, ...]]:
        """The names of all parts in this form, by conversation, in their order."""
        found = {
            key: tuple(name for name in sorted(os.listdir(self._path_below(key))) if self._is_part(name))
            for key in self._keys()
        }
        return {key: names for key, names in found.items() if names}

    def _keys(self) -> list[str]:
        place = self._path_below()
        names = sorted(os.listdir(place)) if place.is_dir() else []
        return [key for key in filter(is_key, names) if (place / key).is_dir()]

    def sweep(self) -> None:
        """Take away what a process was about to write when it was killed."""
        for key in self._keys():
            for left in left_behind(self._path_below(key), SCRATCH):
                left.unlink(missing_ok=True)

    def sealed_by(self, key: str, name: str) -> str:
        """The key with which a part is sealed; "" if it is not, or cannot be read."""
        with suppress(OSError):
            return sealed_by(read_own(self._path_below(key, name), 64))
        return ""

    def read(self, key: str, name: str) -> Part:
        """A part; refused if it is of something else, or not as it was written."""
        try:
            data = read_own(self._path_below(key, name), _MOST)
        except OSError as error:
            raise Untrusted(f"{FOLDER}/{key}/{name} cannot be read: {error.strerror}") from None
        plain = data if self.form == "plain" else self.keyring.opened(data, _about(key))
        head, batches = batches_of(key, plain)
        if head is None or not (head.forgotten or head.is_sound):
            raise Untrusted(f"{FOLDER}/{key}/{name} is no part of that conversation")
        return Part(name, head, tuple(batches))

    def write(self, head: Head, first: int, turns: Iterable[KeptTurn], mark: dict[str, Any]) -> str:
        """Add a part; its name. `first` is the place of its first turn in the conversation."""
        plain = batch_bytes(head, turns, None if head.forgotten else mark)
        data = plain if self.form == "plain" else self.keyring.sealing_key().sealed(plain, _about(head.key))
        name = f"{first:08d}-{sha256(data).hexdigest()[:16]}{self._suffix}"
        place = self._path_below(head.key, name)
        if not _holds(place, data):
            replace_file(place, data, SCRATCH)
        return name

    def state(self, key: str, name: str) -> tuple[int, int]:
        """What changes when somebody changes a part."""
        facts = self._path_below(key, name).lstat()
        return facts.st_size, facts.st_mtime_ns

    def drop(self, key: str, names: Iterable[str]) -> None:
        """Take parts away; the folder of the conversation goes with the last one."""
        for name in names:
            self._path_below(key, name).unlink(missing_ok=True)
        with suppress(OSError):
            self._path_below(key).rmdir()

    def publishable(self, turns: Iterable[KeptTurn]) -> tuple[KeptTurn, ...]:
        """Those that may be written: in plain text, a push would refuse all that looks like a secret."""
        if self.form == "encrypted":
            return tuple(turns)
        return tuple(turn for turn in turns if not secrets.find(batch_bytes(None, [turn]).decode()))

    def _is_part(self, name: str) -> bool:
        return name.endswith(self._suffix) and bool(_NAME.match(name.removesuffix(self._suffix)))

    def _path_below(self, *names: str) -> Path:
        """A place below the folder; what leads elsewhere is refused, be it brought by a remote."""
        place = self.root.joinpath(FOLDER, *names)
        confine(place, [self.root])
        return place


def _holds(place: Path, data: bytes) -> bool:
    try:
        return read_own(place, len(data) + 1) == data
    except OSError:
        return False


def _about(key: str) -> str:
    return f"conversation {key}"
