"""Queries that find pages and chunks for a question."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.store.filters import PageFilter
from quaid.store.rows import row, rows
from quaid.store.terms import MOST_ROWS, WordQuery

# title, slug, keywords, compiled_truth, timeline, every
_PAGE_RANK = "bm25(10.0, 6.0, 4.0, 1.0, 1.0, 0.0)"
# title, heading, text, every
_CHUNK_RANK = "bm25(3.0, 2.0, 1.0, 0.0)"


def pages_by_words(
    connection: apsw.Connection, query: WordQuery, chosen: PageFilter, limit: int
) -> list[tuple[int, float]]:
    """Pages and their BM25, best first.

    Of words that stand almost everywhere, only titles and the newest pages are ranked.
    """
    join = " JOIN pages p ON p.id = page_fts.rowid"
    found = _ranked(
        connection, "page_fts", _PAGE_RANK, query.match, join, chosen, limit, _floor(connection, query)
    )
    if query.rows > MOST_ROWS:
        titled = f"{{title slug keywords}}: ({query.match})"
        found += _ranked(connection, "page_fts", _PAGE_RANK, titled, join, chosen, limit, 0)
    best: dict[int, float] = {}
    for page, score in found:
        best[page] = max(best.get(page, 0.0), score)
    return sorted(best.items(), key=lambda item: (-item[1], item[0]))[:limit]


def chunks_by_words(
    connection: apsw.Connection, query: WordQuery, chosen: PageFilter, limit: int
) -> list[tuple[int, int, float]]:
    """Chunks, their pages and their BM25, best first."""
    join = " JOIN chunks c ON c.id = chunk_fts.rowid JOIN pages p ON p.id = c.page_id"
    floor = _floor(connection, query, "chunks")
    found = _ranked(connection, "chunk_fts", _CHUNK_RANK, query.match, join, chosen, limit, floor)
    owners = _owners(connection, [chunk for chunk, _ in found])
    return [(chunk, owners[chunk], score) for chunk, score in found if chunk in owners]


def _ranked(
    connection: apsw.Connection,
    table: str,
    rank: str,
    match: str,
    join: str,
    chosen: PageFilter,
    limit: int,
    floor: int,
) -> list[tuple[int, float]]:
    where, parameters = chosen.where()
    condition = f" AND {where}" if chosen.any else ""
    sql = f"""SELECT {table}.rowid, -rank FROM {table}{join if chosen.any else ""}
        WHERE {table} MATCH ? AND rank MATCH '{rank}' AND {table}.rowid > ?{condition}
        ORDER BY rank LIMIT ?"""
    found = rows(connection, sql, (match, floor, *(parameters if chosen.any else ()), limit))
    return [(identity, score) for identity, score in found]


def _floor(connection: apsw.Connection, query: WordQuery, table: str = "pages") -> int:
    """The id above which the newest rows are few enough to be ranked."""
    if query.rows <= MOST_ROWS:
        return 0
    newest = int(row(connection, f"SELECT coalesce(max(id), 0) FROM {table}")[0])
    return newest - newest * MOST_ROWS // query.rows


def pages_by_names(
    connection: apsw.Connection, names: Collection[str], first: str, chosen: PageFilter, limit: int
) -> list[tuple[int, str]]:
    """Pages that answer to one of these folded names, and the name; those of the first name come first."""
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT p.id, n.name FROM page_names n JOIN pages p ON p.id = n.page_id
            WHERE n.name IN (SELECT value FROM json_each(?)) AND {where}
            ORDER BY n.name <> ?, n.kind, length(p.slug), p.slug LIMIT ?""",
        (json.dumps(list(names), ensure_ascii=False), *parameters, first, limit),
    )
    return [(page, name) for page, name in found]


def pages_of_wings(
    connection: apsw.Connection, page_ids: Collection[int], words: Collection[str]
) -> set[int]:
    """Those of the pages whose wing or type is one of these words."""
    spoken_of = " OR ".join(
        f"EXISTS (SELECT 1 FROM live_pages p WHERE p.{column} = value)" for column in ("wing", "type")
    )
    known = rows(
        connection,
        f"SELECT value FROM json_each(?) WHERE {spoken_of}",
        (json.dumps(list(words), ensure_ascii=False),),
    )
    if not known:
        return set()
    found = rows(
        connection,
        """SELECT id FROM pages WHERE id IN (SELECT value FROM json_each(?1))
           AND (wing IN (SELECT value FROM json_each(?2)) OR type IN (SELECT value FROM json_each(?2)))""",
        (json.dumps(list(page_ids)), json.dumps([word for (word,) in known], ensure_ascii=False)),
    )
    return {int(each[0]) for each in found}


def neighbours(connection: apsw.Connection, page_ids: Collection[int], limit: int) -> set[int]:
    """Pages that link to one of these, or are linked from one."""
    found = rows(
        connection,
        """SELECT from_page_id FROM links WHERE to_page_id IN (SELECT value FROM json_each(?1))
           UNION SELECT to_page_id FROM links
                 WHERE from_page_id IN (SELECT value FROM json_each(?1)) AND to_page_id IS NOT NULL
           LIMIT ?2""",
        (json.dumps(list(page_ids)), limit),
    )
    return {int(each[0]) for each in found}


def pages_of_texts(
    connection: apsw.Connection, hashes: Collection[bytes], chosen: PageFilter
) -> dict[bytes, list[int]]:
    """The pages, of those that are chosen, in which each text stands. Only live pages have chunks."""
    return _of_texts(connection, "page_id", hashes, chosen)


def chunks_of_texts(
    connection: apsw.Connection, hashes: Collection[bytes], chosen: PageFilter
) -> dict[bytes, list[int]]:
    """The chunks, of the pages that are chosen, that have each text."""
    return _of_texts(connection, "id", hashes, chosen)


def _of_texts(
    connection: apsw.Connection, column: str, hashes: Collection[bytes], chosen: PageFilter
) -> dict[bytes, list[int]]:
    where, parameters = chosen.where()
    join = f"JOIN pages p ON p.id = c.page_id WHERE {where} AND" if chosen.any else "WHERE"
    found = rows(
        connection,
        f"SELECT c.hash, c.{column} FROM chunks c {join} c.hash IN (SELECT unhex(value) FROM json_each(?))",
        (*(parameters if chosen.any else ()), json.dumps([digest.hex() for digest in hashes])),
    )
    owners: dict[bytes, list[int]] = {}
    for digest, owner in found:
        owners.setdefault(bytes(digest), []).append(owner)
    return owners


def vectors_of_pages(
    connection: apsw.Connection, model_id: int, page_ids: Collection[int]
) -> list[tuple[int, int, int]]:
    """Page, chunk and vector of every embedded chunk of these pages."""
    # CROSS JOIN keeps the order: from the pages to their chunks, not from all vectors to theirs.
    found = rows(
        connection,
        """SELECT c.page_id, c.id, e.id FROM chunks c
           CROSS JOIN embeddings e ON e.model_id = ? AND e.hash = c.hash
           WHERE c.page_id IN (SELECT value FROM json_each(?))""",
        (model_id, json.dumps(list(page_ids))),
    )
    return [(page, chunk, embedding) for page, chunk, embedding in found]


def vectors_of_filter(connection: apsw.Connection, model_id: int, chosen: PageFilter) -> list[int]:
    """The vectors of all texts in the chosen pages."""
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT DISTINCT e.id FROM pages p CROSS JOIN chunks c ON c.page_id = p.id
            CROSS JOIN embeddings e ON e.model_id = ? AND e.hash = c.hash WHERE {where}""",
        (model_id, *parameters),
    )
    return [int(each[0]) for each in found]


def first_chunk(connection: apsw.Connection, page_id: int) -> int:
    """The chunk at the beginning of a page; 0 if it has none."""
    found = rows(connection, "SELECT id FROM chunks WHERE page_id = ? ORDER BY ordinal LIMIT 1", (page_id,))
    return int(found[0][0]) if found else 0


def chunks_of_days(
    connection: apsw.Connection, first: str, last: str, chosen: PageFilter, limit: int
) -> dict[int, int]:
    """Chunks dated within these days, with their pages."""
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT c.id, c.page_id FROM chunks c JOIN pages p ON p.id = c.page_id
            WHERE c.date BETWEEN ? AND ? AND {where} ORDER BY c.date DESC LIMIT ?""",
        (first, last, *parameters, limit),
    )
    return {int(chunk): int(page) for chunk, page in found}


def _owners(connection: apsw.Connection, chunk_ids: Collection[int]) -> dict[int, int]:
    found = rows(
        connection,
        "SELECT id, page_id FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(chunk_ids)),),
    )
    return dict(found)
