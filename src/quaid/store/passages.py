"""Where single chunks stand."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.model.record import record
from quaid.store.rows import rows


@record
class PassageRow:
    """A chunk and the page in which it stands."""

    chunk_id: int
    page_id: int
    kind: str
    heading: str
    start: int
    length: int
    line_start: int
    line_end: int


def of_chunks(connection: apsw.Connection, chunk_ids: Collection[int]) -> list[PassageRow]:
    """Where these chunks stand."""
    found = rows(
        connection,
        """SELECT id, page_id, kind, heading, start, length, line_start, line_end FROM chunks
           WHERE id IN (SELECT value FROM json_each(?))""",
        (json.dumps(list(chunk_ids)),),
    )
    return [PassageRow(*each) for each in found]


def texts_of_paths(
    connection: apsw.Connection, collection_id: int, folder: str, paths: Collection[str]
) -> list[tuple[str, str]]:
    """Paths and texts of a collection's pages: of all files in a folder, and of some others."""
    found = rows(
        connection,
        """SELECT path, head || compiled_truth || rule || timeline FROM live_pages
           WHERE collection_id = ?1 AND (path >= ?2 AND path < ?2 || char(1114111)
               OR path IN (SELECT value FROM json_each(?3))) ORDER BY path""",
        (collection_id, folder, json.dumps(list(paths), ensure_ascii=False)),
    )
    return [(path, text) for path, text in found]
