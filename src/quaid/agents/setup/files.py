"""Configuration files: read, edited as text, and replaced all at once with a copy kept beside them."""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from quaid.agents.setup import jsonc
from quaid.agents.setup.jsonc import JsoncError
from quaid.agents.setup.receipts import ABSENT, UNKNOWN, Keys, Receipt, Receipts, digest
from quaid.agents.setup.toml_text import TomlError
from quaid.errors import InvalidInput, ReadOnly, StorageFailed
from quaid.files import replace_file, sync_directory, write_beside

BACKUP = ".quaid-backup"
SCRATCH = ".quaid-setup-"
T = TypeVar("T")


class Moved(Exception):
    """Somebody else has changed a file since it was read."""


class Draft:
    """A file as it is and as it is to be; a symbolic link is followed to what it names."""

    def __init__(self, path: Path, receipt: Callable[[str], Receipt | None]) -> None:
        self.shown = path
        with failing(path):
            self.path = Path(os.path.realpath(path))  # a loop of links is an error only when it is read
            self.before = _bytes(self.path)
        self.receipt = receipt(str(self.path))
        self.after = self.before
        self.fresh = True  # nothing of ours was in it
        self.made: tuple[Keys, ...] = ()

    @property
    def text(self) -> str:
        """What the file is to hold."""
        try:
            return (self.after or b"").decode()
        except UnicodeDecodeError:
            raise InvalidInput(
                f"{self.shown} is not text in UTF-8",
                hint="Save it as UTF-8 and try again. Nothing was changed.",
            ) from None

    @property
    def changed(self) -> bool:
        return self.after != self.before

    @property
    def is_as_left(self) -> bool:
        """Whether nobody but us has changed it since our last change."""
        return self.receipt is not None and digest(self.before) == self.receipt.after

    def look(self, reader: Callable[[str], T]) -> T:
        """What somebody reads out of the text; a text that cannot be read is an error that says where."""
        try:
            return reader(self.text)
        except (JsoncError, TomlError) as error:
            what = f"line {error.line}: {error.what}" if isinstance(error, JsoncError) else str(error)
            raise InvalidInput(
                f"{self.shown} cannot be edited: {what}",
                hint="Correct it there and try again. Nothing was changed.",
            ) from None

    def become(self, text: str) -> None:
        """Give it another text."""
        if text != self.text:
            self.after = text.encode()

    def note(self, found: bool, containers: Sequence[Keys]) -> None:
        """Remember whether a part of ours was there, and which of the objects that hold it are new."""
        self.fresh = self.fresh and not found
        if containers and self.path.suffix != ".toml":
            old, new = jsonc.read((self.before or b"").decode()), jsonc.read(self.text)
            self.made += tuple(
                each for each in containers if jsonc.at(old, each) is None and jsonc.at(new, each) is not None
            )

    def take_back(self, owner: str) -> None:
        """Undo what else was made for our entries, now that they are out of the text."""
        known = self.receipt
        if known is None or set(known.owners) - {owner}:
            if self.text == "":
                self.after = None
            return
        if self.is_as_left and known.before == ABSENT:
            self.after = None
        elif self.is_as_left and known.before == digest(_bytes(self.backup)):
            self.after = _bytes(self.backup)
        else:
            for keys in sorted(known.made, key=len, reverse=True):
                if jsonc.at(jsonc.read(self.text), keys) in ({}, []):
                    self.become(jsonc.remove(self.text, keys))
            if known.created and self._holds_nothing():
                self.after = None

    def _holds_nothing(self) -> bool:
        is_json = self.path.suffix in (".json", ".jsonc")
        return not self.text.strip() or (is_json and jsonc.read(self.text) in ({}, {"version": 1}))

    @property
    def backup(self) -> Path:
        return self.path.with_name(self.path.name + BACKUP)

    def diff(self) -> str:
        """What changes, as a unified diff."""
        sides = (self.before, self.after)
        old, new = ((data or b"").decode().splitlines(keepends=True) for data in sides)
        old_name, new_name = (str(self.shown) if data is not None else os.devnull for data in sides)
        lines = difflib.unified_diff(old, new, old_name, new_name)
        ended = (line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
        return "".join(ended).replace("\r\n", "\n")


def write(draft: Draft, receipts: Receipts, owner: str, leaving: bool) -> Path | None:
    """Replace the file, unless it has changed meanwhile; the answer is the copy of what it was."""
    with failing(draft.shown):
        _check(draft)
        known = draft.receipt
        chained = draft.is_as_left and known is not None
        kept = bool(chained and known and known.before in (ABSENT, digest(_bytes(draft.backup))))
        _note(draft, receipts, owner, leaving)
        if draft.after is None:
            receipts.save()
            _check(draft)
            draft.path.unlink()
            return None
        receipts.make_folder(draft.path.parent)
        receipts.save()
        restored = leaving and kept and draft.after == _bytes(draft.backup)
        if draft.before is not None and not kept:
            _keep(draft)
        _replace(draft, draft.after)
        if restored:
            draft.backup.unlink(missing_ok=True)
        return draft.backup if draft.backup.exists() else None


def _note(draft: Draft, receipts: Receipts, owner: str, leaving: bool) -> None:
    known, key = draft.receipt, str(draft.path)
    owners = [each for each in (known.owners if known else ()) if each != owner]
    if leaving and not owners:
        receipts.files.pop(key, None)
        return
    owners += [] if leaving else [owner]
    if known is None or (draft.fresh and owners == [owner]):
        before, created, made = digest(draft.before), draft.before is None, draft.made
        if not draft.fresh:  # ours was there, but nobody knows since when
            before, made = UNKNOWN, ()
    else:
        before = known.before if draft.is_as_left else UNKNOWN
        created, made = known.created, tuple(dict.fromkeys((*known.made, *draft.made)))
    receipts.files[key] = Receipt(before, digest(draft.after), created, made, tuple(owners))


def _replace(draft: Draft, data: bytes) -> None:
    """Put the new file in the old one's place; the last look is as late as it can be."""
    for left in draft.path.parent.glob(f"{SCRATCH}*.tmp"):  # by a run that was killed
        left.unlink(missing_ok=True)
    place = write_beside(draft.path, data, SCRATCH)
    try:
        _check(draft)
        place.replace(draft.path)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    sync_directory(draft.path.parent)


def _check(draft: Draft) -> None:
    if _bytes(draft.path) != draft.before:
        raise Moved


def _keep(draft: Draft) -> None:
    replace_file(draft.backup, draft.before or b"", SCRATCH)
    os.chmod(draft.backup, draft.path.stat().st_mode & 0o777)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


@contextmanager
def failing(path: Path) -> Iterator[None]:
    """Turn what the system reports of a file into one of our errors."""
    try:
        yield
    except PermissionError:
        raise ReadOnly(
            f"{path} cannot be written", hint="Make it yours, or choose --scope project."
        ) from None
    except OSError as error:
        if error.errno == errno.EROFS:
            raise ReadOnly(f"{path} cannot be written", hint="Its file system is read-only.") from None
        raise StorageFailed(
            f"{path} cannot be read or written: {error.strerror}",
            hint="See what stands in its way, then try again.",
        ) from None
