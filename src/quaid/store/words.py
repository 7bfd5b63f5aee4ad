"""What the word indexes have yet to learn of pages and their sections.

They write out what they have gathered whenever another table changes. So whoever changes many pages lets this
gather it, and settles it at the end, with no trigger in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import apsw

INSERT_PAGE = """INSERT INTO page_fts (rowid, slug, title, keywords, compiled_truth, timeline, fields, every)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'qxevery')"""
INSERT_CHUNK = "INSERT INTO chunk_fts (rowid, title, heading, text, every) VALUES (?, ?, ?, ?, 'qxevery')"

ChunkWords = tuple[str, str, str]  # title, heading, text


class Words:
    """Rows that leave the word indexes, and rows that come."""

    def __init__(self) -> None:
        self._gone: dict[str, list[tuple[int]]] = {"page_fts": [], "chunk_fts": []}
        self._pages: list[tuple[int | str, ...]] = []
        self._chunks: list[tuple[int | str, ...]] = []

    def page(self, page_id: int, slug: str, words: Sequence[str]) -> None:
        """A page has changed; its words are those of title, keywords, truth, timeline and fields."""
        self._gone["page_fts"].append((page_id,))
        self._pages.append((page_id, slug, *words))

    def chunk(self, chunk_id: int, words: ChunkWords, *, is_new: bool = True) -> None:
        """A section has come, or is written otherwise."""
        if not is_new:
            self._gone["chunk_fts"].append((chunk_id,))
        self._chunks.append((chunk_id, *words))

    def without_chunk(self, chunk_id: int) -> None:
        """A section has gone."""
        self._gone["chunk_fts"].append((chunk_id,))

    def settle(self, connection: apsw.Connection) -> None:
        """Let the indexes know."""
        for index, gone in self._gone.items():
            connection.executemany(f"DELETE FROM {index} WHERE rowid = ?", gone)
            gone.clear()
        connection.executemany(INSERT_PAGE, self._pages)
        connection.executemany(INSERT_CHUNK, self._chunks)
        self._pages.clear()
        self._chunks.clear()


def merge(connection: apsw.Connection, *indexes: str) -> None:
    """Write word indexes anew without the words of rows that are gone.

    A row that comes and goes first makes sure that there is something to merge.
    """
    for index in indexes:
        connection.execute(
            f"""INSERT INTO {index} (rowid, every) VALUES (0, 'qxevery');
                DELETE FROM {index} WHERE rowid = 0;
                INSERT INTO {index} ({index}) VALUES ('optimize')"""
        )


@contextmanager
def without_triggers(connection: apsw.Connection) -> Iterator[None]:
    """A block in which no trigger runs."""
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    try:
        yield
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)


@contextmanager
def word_batch(connection: apsw.Connection) -> Iterator[Words]:
    """Words of a block in which no trigger runs; they are settled at its end."""
    words = Words()
    with without_triggers(connection):
        yield words
        words.settle(connection)
