"""The archive of conversations: one file of JSON lines for each, beside the memory, with secrets masked.

Clients delete their transcripts, so what was read is kept here, and the rows of memory.db are derived from
it. A file begins with a line that says whose it is. Each reading adds its turns and then a mark, which says
how far the transcript was read; turns without a mark after them were cut off and do not count. Rows and file
can be made from each other: what one of them lost, the other one still has.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from quaid.errors import ReadOnly
from quaid.files import (
    PRIVATE_FILE,
    exclusively,
    make_private_directory,
    make_private_file,
    open_own,
    replace_file,
)
from quaid.model.record import record
from quaid.trust import confine

SUFFIX = ".jsonl"
_LOCK = ".lock"
_KEY = re.compile(r"[0-9a-f]{12}\Z")
_LONGEST_MARK = 65_536  # bytes


@record
class KeptTurn:
    """A turn as it is kept: its secrets are masked."""

    role: str
    text: str
    time: str
    identity: str
    sidechain: bool = False


@record
class Batch:
    """What one reading added: turns, and the mark after them. `end` is where it ends in the archive."""

    turns: tuple[KeptTurn, ...]
    mark: dict[str, Any]
    end: int


@record
class Head:
    """Whose archive it is."""

    key: str
    client: str = ""
    session: str = ""
    parent: str = ""
    forgotten: bool = False
    whole: str = ""  # of a part that is shared: since when it stands for all of the conversation

    @property
    def is_sound(self) -> bool:
        """Whether the key is the one that such a conversation has."""
        return self.key == key_of(self.client, self.session, self.parent)


def is_key(name: str) -> bool:
    """Whether a name may be that of a conversation."""
    return bool(_KEY.match(name))


def key_of(client: str, session: str, parent: str = "") -> str:
    """The key of a conversation: the same whenever and wherever it is read."""
    return sha256("\0".join((client, session, parent)).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class Archive:
    """The archive of one memory."""

    def __init__(self, database: Path) -> None:
        self.directory = database.with_name(f"{database.name}.conversations")
        self._home = database.parent

    def path(self, key: str) -> Path:
        """The file of a conversation; one that leads elsewhere is refused."""
        return self._path_of(f"{key}{SUFFIX}")

    def _path_of(self, name: str) -> Path:
        confine(self.directory, [self._home])
        confine(self.directory / name, [self.directory])
        return self.directory / name

    def conversation_keys(self) -> list[str]:
        """The keys of all conversations that it has."""
        if not self.directory.is_dir():
            return []
        names = (each.removesuffix(SUFFIX) for each in os.listdir(self.directory) if each.endswith(SUFFIX))
        return sorted(filter(is_key, names))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the archive against other processes."""
        lock = self._path_of(_LOCK)
        try:
            make_private_directory(self.directory)
            file = open_own(lock)
        except OSError as error:
            raise ReadOnly(
                f"the archive of conversations cannot be written: {error}",
                hint="Allow writing there, or use another memory with --db.",
            ) from None
        with file, exclusively(file):
            yield

    def size(self, key: str) -> int:
        """How many bytes a conversation's file has; 0 if there is none."""
        return self.state(key)[0]

    def state(self, key: str) -> tuple[int, int]:
        """The size of a conversation's file, and when it was written, in nanoseconds; 0 if there is none."""
        try:
            facts = self.path(key).stat()
        except FileNotFoundError:
            return 0, 0
        return facts.st_size, facts.st_mtime_ns

    def date(self, key: str, moment: float) -> None:
        """Let a conversation's file be as old as what it holds, in seconds since 1970."""
        os.utime(self.path(key), (moment, moment))

    def append(self, head: Head, turns: Iterable[KeptTurn], mark: dict[str, Any], at: int) -> int:
        """Add a batch at a place, and drop what stood there unfinished; the answer is where it ends."""
        make_private_file(self.path(head.key))
        data = batch_bytes(None if at else head, turns, mark)
        with self.path(head.key).open("r+b") as file:
            file.seek(at)
            file.truncate()
            file.write(data)
        return at + len(data)

    def rewrite(self, head: Head, turns: Iterable[KeptTurn], mark: dict[str, Any]) -> int:
        """Write a conversation's file anew; the answer is its size."""
        data = batch_bytes(head, turns, mark)
        replace_file(self.path(head.key), data)
        self.path(head.key).chmod(PRIVATE_FILE)
        return len(data)

    def forget(self, key: str) -> int:
        """Overwrite a conversation's file with the mere fact that it is forgotten; the answer is its size."""
        make_private_directory(self.directory)
        data = batch_bytes(Head(key, forgotten=True))
        path = self.path(key)
        if path.exists():
            with path.open("r+b") as file:
                file.write(b"\0" * path.stat().st_size)
        replace_file(path, data)
        path.chmod(PRIVATE_FILE)
        return len(data)

    def ends_at(self, key: str, place: int, source: dict[str, Any]) -> bool:
        """Whether a batch that left its source in that state ends at a place; if not, it is another file."""
        if not place:
            return True
        with self.path(key).open("rb") as file:
            start = max(0, place - _LONGEST_MARK)
            file.seek(start)
            data = file.read(place - start)
        found = _line_object(data[data.rfind(b"\n", 0, -1) + 1 :]) or {}
        mark = found.get("mark")
        return bool(found.get("forgotten")) or (isinstance(mark, dict) and mark.get("source") == source)

    def read(self, key: str, start: int = 0) -> tuple[Head | None, list[Batch]]:
        """The head, if it stands after a place, and the finished batches after it, whatever the bytes are."""
        try:
            data = self.path(key).read_bytes()[start:]
        except FileNotFoundError:
            return None, []
        return batches_of(key, data, start)


def batch_bytes(
    head: Head | None, turns: Iterable[KeptTurn] = (), mark: dict[str, Any] | None = None
) -> bytes:
    """The lines of a batch, after the one that says whose it is; without a mark, they are not finished."""
    heads = [] if head is None else [_head_line(head)]
    lines = [*heads, *map(_turn_line, turns), *([] if mark is None else [{"mark": mark}])]
    coded = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{line}\n" for line in coded).encode()


def batches_of(key: str, data: bytes, start: int = 0) -> tuple[Head | None, list[Batch]]:
    """The head that stands in some lines, and the finished batches, whatever the bytes are."""
    head: Head | None = None
    batches, turns, place = list[Batch](), list[KeptTurn](), start
    for line in data.splitlines(keepends=True):
        place += len(line)
        found = _line_object(line) if line.endswith(b"\n") else None
        if found is None:
            continue
        if "conversation" in found:
            head = _head(found, key)
        elif isinstance(found.get("mark"), dict):
            batches.append(Batch(tuple(turns), found["mark"], place))
            turns = []
        elif isinstance(found.get("text"), str):
            turns.append(_turn(found))
    return head, batches


def _line_object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _head_line(head: Head) -> dict[str, Any]:
    if head.forgotten:
        return {"conversation": head.key, "forgotten": True}
    parent = {"parent": head.parent} if head.parent else {}
    whole = {"whole": head.whole} if head.whole else {}
    return {"conversation": head.key, "client": head.client, "session": head.session, **parent, **whole}


def _head(found: dict[str, Any], key: str) -> Head:
    names = {name: str(found.get(name, "")) for name in ("client", "session", "parent", "whole")}
    return Head(key, forgotten=bool(found.get("forgotten")), **names)


def _turn_line(turn: KeptTurn) -> dict[str, Any]:
    side = {"sidechain": True} if turn.sidechain else {}
    return {"role": turn.role, "time": turn.time, "id": turn.identity, **side, "text": turn.text}


def _turn(found: dict[str, Any]) -> KeptTurn:
    role = "assistant" if found.get("role") == "assistant" else "user"
    time, identity = str(found.get("time", "")), str(found.get("id", ""))
    return KeptTurn(role, found["text"], time, identity, bool(found.get("sidechain")))
