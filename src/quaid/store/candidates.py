"""Queries that find pages for a question: by words of the whole page, by name, by wing, by links."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.store.filters import PageFilter
from quaid.store.keys import name_key
from quaid.store.rows import column, rows
from quaid.store.terms import MOST_ROWS, WordQuery
from quaid.store.units import Ranking, floor, rows_by_rank

# Columns: compiled_truth, timeline, fields, title, slug, keywords, every.
_WHOLE_PAGES = Ranking(
    "page_fts", "bm25(1.0, 1.0, 1.0, 10.0, 6.0, 4.0, 0.0)", "JOIN pages p ON p.id = {table}.rowid"
)


def pages_by_words(
    connection: apsw.Connection, query: WordQuery, chosen: PageFilter, limit: int
) -> list[tuple[int, float]]:
    """Pages and their BM25, best first.

    Of words that stand almost everywhere, only titles and the newest pages are ranked.
    """
    above = floor(connection, query, "pages")
    found = rows_by_rank(connection, _WHOLE_PAGES, query, chosen, limit, above)
    if query.rows > MOST_ROWS:
        titled = WordQuery(f"{{title slug keywords}}: ({query.match})", query.ceiling, query.rows)
        found += rows_by_rank(connection, _WHOLE_PAGES, titled, chosen, limit)
    best: dict[int, float] = {}
    for page, score in found:
        best[page] = max(best.get(page, 0.0), score)
    return sorted(best.items(), key=lambda item: (-item[1], item[0]))[:limit]


def pages_by_field(
    connection: apsw.Connection, text: str, chosen: PageFilter, limit: int
) -> list[tuple[int, str]]:
    """Pages in whose fields a text stands, be it a part of a word, with their fields; the newest first."""
    where, parameters = chosen.where()
    sql = f"""SELECT p.id, p.fields FROM pages p WHERE instr(lower(p.fields), ?) AND {where}
        ORDER BY p.updated_at DESC, p.id LIMIT ?"""
    return rows(connection, sql, (text, *parameters, limit))


def pages_by_names(
    connection: apsw.Connection, names: Collection[str], first: str, chosen: PageFilter, limit: int
) -> list[tuple[int, str]]:
    """Pages that answer to one of these folded names, and the name; those of the first name come first."""
    keys = {name_key(name): name for name in names}
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT p.id, n.name FROM page_names n JOIN pages p ON p.id = n.page_id
            WHERE n.name IN (SELECT value FROM json_each(?)) AND {where}
            ORDER BY n.name <> ?, n.kind, length(p.slug), p.slug LIMIT ?""",
        (json.dumps(list(keys)), *parameters, next(key for key in keys if keys[key] == first), limit),
    )
    return [(page, keys[key]) for page, key in found]


def pages_of_wings(
    connection: apsw.Connection, page_ids: Collection[int], words: Collection[str]
) -> set[int]:
    """Those of the pages whose wing or type is one of these words."""
    spoken_of = " OR ".join(
        f"EXISTS (SELECT 1 FROM live_pages p WHERE p.{field} = value)" for field in ("wing", "type")
    )
    sql = f"SELECT value FROM json_each(?) WHERE {spoken_of}"
    known = column(connection, sql, (json.dumps(list(words), ensure_ascii=False),))
    if not known:
        return set()
    sql = """SELECT id FROM pages WHERE id IN (SELECT value FROM json_each(?1))
        AND (wing IN (SELECT value FROM json_each(?2)) OR type IN (SELECT value FROM json_each(?2)))"""
    bindings = (json.dumps(list(page_ids)), json.dumps(known, ensure_ascii=False))
    return set(column(connection, sql, bindings))


def neighbours(connection: apsw.Connection, page_ids: Collection[int], limit: int) -> set[int]:
    """Pages that link to one of these, or are linked from one."""
    sql = """SELECT from_page_id FROM links WHERE to_page_id IN (SELECT value FROM json_each(?1))
        UNION SELECT to_page_id FROM links
              WHERE from_page_id IN (SELECT value FROM json_each(?1)) AND to_page_id IS NOT NULL
        LIMIT ?2"""
    return set(column(connection, sql, (json.dumps(list(page_ids)), limit)))
