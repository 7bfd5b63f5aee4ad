"""Full-text search over pages."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.model.record import record
from quaid.store.filters import PageFilter
from quaid.store.rows import row

START, END = "\x02", "\x03"

# title, slug, keywords, compiled_truth, timeline
_RANK = "bm25(10.0, 6.0, 4.0, 1.0, 1.0)"
_TRUTH, _TIMELINE = 3, 4
_SNIPPET_TOKENS = 32


@record
class Hit:
    """A page that matches, best ones having the highest score."""

    page_id: int
    score: float


def matching(connection: apsw.Connection, match: str, chosen: PageFilter, limit: int) -> list[Hit]:
    """The best pages for an FTS5 expression."""
    if chosen.any:
        where, parameters = chosen.where()
        source = f"page_fts JOIN pages p ON p.id = page_fts.rowid WHERE page_fts MATCH ? AND {where}"
    else:
        source, parameters = "page_fts WHERE page_fts MATCH ?", []
    sql = f"SELECT page_fts.rowid, -rank FROM {source} AND rank MATCH ? ORDER BY rank LIMIT ?"
    return [Hit(*row) for row in connection.execute(sql, (match, *parameters, _RANK, limit))]


def snippets(connection: apsw.Connection, match: str, page_ids: Sequence[int]) -> dict[int, str]:
    """The best passage of each page, with START and END around the words that matched.

    A passage of the text says more than a title or a tag, which is shown only when nothing else matched.
    """
    passages = ", ".join(
        f"snippet(page_fts, {column}, '{START}', '{END}', '…', {_SNIPPET_TOKENS})"
        for column in (_TRUTH, _TIMELINE, -1)
    )
    sql = f"SELECT {passages} FROM page_fts WHERE page_fts MATCH ? AND rowid = ?"
    found: dict[int, str] = {}
    for page_id in page_ids:
        candidates = row(connection, sql, (match, page_id))
        found[page_id] = next((text for text in candidates if START in text), candidates[-1])
    return found
