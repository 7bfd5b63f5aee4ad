"""One true file: the write-ahead log folded into the memory."""

from __future__ import annotations

from pathlib import Path

import apsw

from quaid.model.record import record
from quaid.store import embeddings, stocks, words
from quaid.store.connection import Store
from quaid.store.pager import log_of
from quaid.store.scope import CONVERSATIONS, ITEMS, PAGES

_WORTH_VACUUMING = 0.1  # of the file is free
_VECTORS_AT_ONCE = 2_000  # in one transaction, so that others can write too
_TEXTS_AT_ONCE = 1_000  # as well
_PATIENCE = 0.5  # seconds, with those who read


@record
class Compacted:
    """What a compaction did. `complete` is false while readers still need the log."""

    path: str
    complete: bool
    bytes_before: int
    bytes_after: int


def compact(store: Store) -> Compacted:
    """Fold the log into the file and give free space back. Readers go on reading what they see."""
    before = _size(store.path)
    connection = store.connection
    halved, packed = _halve(store), _pack(store)
    free, pages = connection.pragma("freelist_count"), connection.pragma("page_count")
    if halved or packed or free > pages * _WORTH_VACUUMING:
        with store.write() as writer:
            words.merge(writer, "page_fts", "chunk_fts", "turn_fts")
        connection.execute("VACUUM")
    with store.impatient(_PATIENCE):
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    return Compacted(str(store.path), log_is_empty(store.path), before, _size(store.path))


def _halve(store: Store) -> bool:
    """Bring vectors of an older Quaid to half of their size; whether there were any."""
    found = False
    for units in (PAGES, ITEMS, CONVERSATIONS):
        waiting = embeddings.in_full(store.connection, units)
        for start in range(0, len(waiting), _VECTORS_AT_ONCE):
            with store.write() as connection:
                embeddings.halve(connection, units, waiting[start : start + _VECTORS_AT_ONCE])
        found = found or bool(waiting)
    return found


def _pack(store: Store) -> bool:
    """Pack texts that an older Quaid read as those of a new folder are; whether there were any."""
    for collection_id in stocks.lacking(store.connection):
        with store.write() as connection:
            stocks.supply(connection, collection_id)
    waiting = stocks.loose(store.connection)
    for start in range(0, len(waiting), _TEXTS_AT_ONCE):
        with store.write() as connection:
            stocks.pack_anew(connection, waiting[start : start + _TEXTS_AT_ONCE])
    return bool(waiting)


def log_is_empty(path: Path) -> bool:
    """Whether all of a memory stands in its own file."""
    log = log_of(path)
    return not log.exists() or log.stat().st_size == 0


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, log_of(path)) if file.exists())
