"""A database file and its log, page by page, without SQLite, which gives up where much can still be read.

The layout is that of https://www.sqlite.org/fileformat2.html. Nothing is written.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quaid.files import read_own
from quaid.model.record import record

USUAL_SIZE = 4096
TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 13, 5, 10, 2
_INTERIOR = (TABLE_INTERIOR, INDEX_INTERIOR)
_TABLE = (TABLE_LEAF, TABLE_INTERIOR)
_HEADER = 100  # bytes of the file's own header, before the tree of page 1
_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of a number, by its serial type
_LOG_MAGIC = (0x377F0682, 0x377F0683)  # the second: its checksums are of big-endian words
_LOG_HEADER, _FRAME_HEADER = 32, 24
_ATTEMPTS = 5  # to read file and log of one moment


class Unreadable(Exception):
    """Bytes that cannot be what they should be."""


@record
class Row:
    """One row as it is stored; `rowid` is 0 in a tree without."""

    rowid: int
    values: tuple[Any, ...]


@record
class Damage:
    """A page of the file that cannot be read, or a row on it."""

    page: int
    reason: str


class DatabaseFile:
    """The pages of a database, with those of its log in place."""

    def __init__(self, data: bytes, log: bytes) -> None:
        self._data = data
        self.damage: list[Damage] = []  # of the log
        self.size = _page_size(self._data)
        self._usable = self.size - (self._data[20] if self._has_header else 0)
        self._logged = _log_pages(log, self.size, self.damage)
        self.count = max(-(-len(self._data) // self.size), *self._logged, 0)
        self._seen: set[int] = set()

    @classmethod
    def at(cls, path: Path) -> DatabaseFile:
        """A file that no connection of this process has open: closing it would let go of SQLite's locks."""
        log = log_of(path)
        for _ in range(_ATTEMPTS):
            before = moment(log)
            logged = read_own(log) if before else b""
            data = read_own(path)
            if moment(log) == before:
                break
        return cls(data, logged)

    @property
    def _has_header(self) -> bool:
        return self._data[:16] == b"SQLite format 3\x00"

    @property
    def version(self) -> int:
        """That of the schema."""
        return int.from_bytes(self._first()[60:64], "big")

    def page(self, number: int) -> bytes:
        """The bytes of a page, as they are now."""
        if number in self._logged:
            return self._logged[number]
        data = self._data[(number - 1) * self.size : number * self.size]
        if number < 1 or len(data) < self.size:
            raise Unreadable("it is not in the file")
        return data

    def rows(self, root: int) -> Iterator[Row | Damage]:
        """The rows of a tree, in order; where something cannot be read, that, and then the rest."""
        for found in self._tree(root):
            if isinstance(found, Damage):
                yield found
            else:
                number, kind, cells = found
                yield from self._page_rows(number, kind, cells)

    def mark(self, root: int) -> bool:
        """Look at a tree without reading its rows: its pages are no orphans. Whether all of it is there."""
        return not any(isinstance(found, Damage) for found in self._tree(root))

    def _tree(self, root: int) -> Iterator[tuple[int, int, list[int]] | Damage]:
        """The pages of a tree that have rows: number, kind and places of cells."""
        pending, seen = [root], set()
        while pending:
            number = pending.pop()
            if number in seen:
                yield Damage(number, "the page is part of itself")
                continue
            seen.add(number)
            try:
                kind, cells, right = self._page_cells(number)
            except Unreadable as error:
                yield Damage(number, str(error))
                continue
            self._seen.add(number)
            if kind in _INTERIOR:
                data = self.page(number)
                children = [int.from_bytes(data[cell : cell + 4], "big") for cell in cells]
                pending += [right, *reversed(children)]
            if kind != TABLE_INTERIOR:
                yield number, kind, cells

    def orphans(self) -> Iterator[tuple[int, int, list[Row]]]:
        """Leaves that no tree named which was read: page, kind, and the rows that can be read."""
        free = self._free_pages()
        for number in range(1, self.count + 1):
            if number in self._seen or number in free:
                continue
            try:
                kind, cells, _ = self._page_cells(number)
            except Unreadable:
                continue
            if kind in (TABLE_LEAF, INDEX_LEAF):
                found = [row for row in self._page_rows(number, kind, cells) if isinstance(row, Row)]
                if found:
                    yield number, kind, found

    def _free_pages(self) -> set[int]:
        """Pages that hold nothing any more, whatever stands on them."""
        free: set[int] = set()
        trunk = int.from_bytes(self._first()[32:36], "big")
        while trunk and trunk not in free:
            free.add(trunk)
            try:
                data = self.page(trunk)
            except Unreadable:
                break
            trunk, count = struct.unpack(">II", data[:8])
            count = min(count, self._usable // 4 - 2)
            free |= set(struct.unpack(f">{count}I", data[8 : 8 + 4 * count]))
        return free

    def _first(self) -> bytes:
        try:
            return self.page(1)
        except Unreadable:
            return bytes(self.size)

    def _page_cells(self, number: int) -> tuple[int, list[int], int]:
        """Kind of a page, places of its cells, and its last child."""
        data = self.page(number)
        start = _HEADER if number == 1 else 0
        kind = data[start]
        if kind not in (*_INTERIOR, TABLE_LEAF, INDEX_LEAF):
            raise Unreadable("it is no page of a table")
        count = int.from_bytes(data[start + 3 : start + 5], "big")
        first = start + (12 if kind in _INTERIOR else 8)
        if first + 2 * count > self._usable:
            raise Unreadable(f"it claims {count} cells")
        cells = [cell for (cell,) in struct.iter_unpack(">H", data[first : first + 2 * count])]
        right = int.from_bytes(data[start + 8 : start + 12], "big") if kind in _INTERIOR else 0
        return kind, cells, right

    def _page_rows(self, number: int, kind: int, cells: list[int]) -> Iterator[Row | Damage]:
        data = self.page(number)
        last = None
        for cell in cells:
            try:
                row, missing = self._cell(data, cell, kind)
                if kind == TABLE_LEAF and last is not None and row.rowid <= last:
                    raise Unreadable(f"row {row.rowid} comes after row {last}")
                last = row.rowid
                yield row
                if missing:
                    yield Damage(number, f"the last {missing} bytes of a row are gone")
            except (Unreadable, IndexError, struct.error, OverflowError) as error:
                yield Damage(number, str(error) or "a row cannot be read")

    def _cell(self, data: bytes, place: int, kind: int) -> tuple[Row, int]:
        """A row, and how much of it is missing."""
        if not 8 <= place < self._usable:
            raise Unreadable("a cell is outside of its page")
        place += 4 if kind in _INTERIOR else 0
        length, place = _varint(data, place)
        rowid = 0
        if kind in _TABLE:
            rowid, place = _varint(data, place)
        if length > self.count * self.size:
            raise Unreadable("a row is longer than the file")
        payload = self._payload(data, place, length, kind)
        missing = length - len(payload)
        return Row(_signed(rowid), _record(payload + bytes(missing))), missing

    def _payload(self, data: bytes, place: int, length: int, kind: int) -> bytes:
        """What a cell holds, with what of it lies on other pages, as far as they are there."""
        usable = self._usable
        most = usable - 35 if kind in _TABLE else (usable - 12) * 64 // 255 - 23
        local = length
        if length > most:
            least = (usable - 12) * 32 // 255 - 23
            local = least + (length - least) % (usable - 4)
            local = local if local <= most else least
        if place + local > usable:
            raise Unreadable("a row reaches beyond its page")
        parts, missing = [data[place : place + local]], length - local
        following = int.from_bytes(data[place + local : place + local + 4], "big") if missing else 0
        while missing:
            try:
                more = self.page(following)
            except Unreadable:
                break
            parts.append(more[4 : 4 + min(missing, usable - 4)])
            missing -= len(parts[-1])
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)


def log_of(path: Path) -> Path:
    """The log of a database, in which its newest changes stand."""
    return path.with_name(f"{path.name}-wal")


def moment(path: Path) -> tuple[int, int] | None:
    """What tells that a file was written to; None while there is none."""
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return None
    return seen.st_size, seen.st_mtime_ns


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size in _SIZES else USUAL_SIZE


def _log_pages(log: bytes, size: int, damage: list[Damage]) -> dict[int, bytes]:
    """The pages that the log holds, up to its last commit.

    A frame whose checksum is wrong is used all the same, as are those after it, each of which is checked
    against what its predecessor says. SQLite would forget them all.
    """
    if len(log) < _LOG_HEADER + _FRAME_HEADER + size:
        return {}
    magic, _, stated = struct.unpack(">III", log[:12])
    salts, sums = log[16:24], struct.unpack(">II", log[24:32])
    if magic not in _LOG_MAGIC or stated != size:
        damage.append(Damage(0, "the header of the log cannot be read"))
        salts, sums = log[_LOG_HEADER + 8 : _LOG_HEADER + 16], (0, 0)
    order = ">" if magic == _LOG_MAGIC[1] else "<"
    committed: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for start in range(_LOG_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, commits = struct.unpack(">II", log[start : start + 8])
        if log[start + 8 : start + 16] != salts:
            break  # of an older log
        body = log[start + _FRAME_HEADER : start + _FRAME_HEADER + size]
        sums = _checksum(log[start : start + 8] + body, sums, order)
        written = struct.unpack(">II", log[start + 16 : start + 24])
        if sums != written:
            damage.append(Damage(number, "the log holds it damaged"))
            sums = written
        if not 0 < number < 1 << 31:
            continue
        waiting[number] = body
        if commits:
            committed |= waiting
            waiting = {}
    return committed


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        one = (one + words[place] + two) & 0xFFFFFFFF
        two = (two + words[place + 1] + one) & 0xFFFFFFFF
    return one, two


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for step in range(8):
        byte = data[place + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + step + 1
    return value << 8 | data[place + 8], place + 9


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _record(payload: bytes) -> tuple[Any, ...]:
    """The values of a row. Their lengths must come out exactly, else it is none."""
    end, place = _varint(payload, 0)
    body, values = end, []
    if end > len(payload):
        raise Unreadable("the header of a row is longer than the row")
    while place < end:
        kind, place = _varint(payload, place)
        length = _length(kind)
        values.append(_value(kind, payload[body : body + length]))
        body += length
    if body != len(payload) or place != end:
        raise Unreadable("the values of a row are not as long as it says")
    return tuple(values)


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    if kind in (10, 11):
        raise Unreadable("a value of a kind that there is not")
    return 8 if kind == 7 else _INTEGERS.get(kind, 0)


def _value(kind: int, data: bytes) -> Any:
    if kind >= 12:
        return data.decode("utf-8", "replace") if kind % 2 else data
    if kind == 7:
        return struct.unpack(">d", data)[0] if len(data) == 8 else None
    if kind in _INTEGERS:
        return int.from_bytes(data, "big", signed=True)
    return {8: 0, 9: 1}.get(kind)
