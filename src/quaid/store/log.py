"""How often the write-ahead log is folded into the memory's file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw

from quaid.store.connection import Store

USUAL = 1_000  # pages of 4 KB: SQLite's own measure
LONG = 4_000


@contextmanager
def seldom_folded(store: Store) -> Iterator[None]:
    """Hasty commits, of which many come. Each time the log is folded, whoever writes waits for the disk."""
    connection = store.connection
    with store.hasty():
        connection.wal_autocheckpoint(LONG)
        try:
            yield
        finally:
            connection.wal_autocheckpoint(USUAL)
            with suppress(apsw.Error):  # then whoever commits next does it
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
