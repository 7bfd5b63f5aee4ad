"""Queries that find pages and chunks for a question."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

import apsw

from quaid.store.filters import PageFilter
from quaid.store.rows import row, rows

# title, slug, keywords, compiled_truth, timeline
_PAGE_RANK = "bm25(10.0, 6.0, 4.0, 1.0, 1.0)"
# title, heading, text
_CHUNK_RANK = "bm25(3.0, 2.0, 1.0)"
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])


def pages_by_words(
    connection: apsw.Connection, match: str, chosen: PageFilter, limit: int
) -> list[tuple[int, float]]:
    """Pages and their BM25, best first."""
    where, parameters = chosen.where()
    source = "page_fts" + (" JOIN pages p ON p.id = page_fts.rowid" if chosen.any else "")
    condition = f" AND {where}" if chosen.any else ""
    sql = f"""SELECT page_fts.rowid, -rank FROM {source}
        WHERE page_fts MATCH ? AND rank MATCH '{_PAGE_RANK}'{condition} ORDER BY rank LIMIT ?"""
    return _scored(rows(connection, sql, (match, *(parameters if chosen.any else ()), limit)))


def chunks_by_words(
    connection: apsw.Connection, match: str, chosen: PageFilter, limit: int
) -> list[tuple[int, int, float]]:
    """Chunks, their pages and their BM25, best first."""
    where, parameters = chosen.where()
    source = "chunk_fts" + (
        " JOIN chunks c ON c.id = chunk_fts.rowid JOIN pages p ON p.id = c.page_id" if chosen.any else ""
    )
    condition = f" AND {where}" if chosen.any else ""
    found = _scored(
        rows(
            connection,
            f"""SELECT chunk_fts.rowid, -rank FROM {source}
                WHERE chunk_fts MATCH ? AND rank MATCH '{_CHUNK_RANK}'{condition} ORDER BY rank LIMIT ?""",
            (match, *(parameters if chosen.any else ()), limit),
        )
    )
    owners = _owners(connection, [chunk for chunk, _ in found])
    return [(chunk, owners[chunk], score) for chunk, score in found if chunk in owners]


def frequencies(connection: apsw.Connection, table: str, words: Iterable[str]) -> dict[str, int]:
    """In how many rows of a word index each expression occurs; of a phrase, its rarest word."""
    tokenizer = connection.fts5_tokenizer(*_TOKENIZER)
    found: dict[str, int] = {}
    for word in words:
        text = word.rstrip("*").strip('"')
        tokens = tokenizer(
            text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
        counts = [_frequency(connection, table, str(token), prefix=word.endswith("*")) for token in tokens]
        found[word] = min(counts, default=0)
    return found


def _frequency(connection: apsw.Connection, table: str, token: str, *, prefix: bool) -> int:
    if prefix:
        sql = f"SELECT coalesce(max(doc), 0) FROM {table} WHERE term >= ? AND term < ? || char(1114111)"
        return int(row(connection, sql, (token, token))[0])
    found = rows(connection, f"SELECT doc FROM {table} WHERE term = ?", (token,))
    return int(found[0][0]) if found else 0


def sizes(connection: apsw.Connection) -> tuple[int, int]:
    """How many pages and how many chunks the word indexes hold."""
    pages = row(connection, "SELECT count(*) FROM page_fts_docsize")[0]
    chunks = row(connection, "SELECT count(*) FROM chunk_fts_docsize")[0]
    return int(pages), int(chunks)


def pages_by_names(
    connection: apsw.Connection, names: Collection[str], chosen: PageFilter, limit: int
) -> list[tuple[int, str, int]]:
    """Pages that answer to one of these folded names: id, name, kind of the name."""
    where, parameters = chosen.where()
    return [
        (page, name, kind)
        for page, name, kind in rows(
            connection,
            f"""SELECT p.id, n.name, n.kind FROM page_names n JOIN pages p ON p.id = n.page_id
                WHERE n.name IN (SELECT value FROM json_each(?)) AND {where}
                ORDER BY n.kind, length(p.slug), p.slug LIMIT ?""",
            (json.dumps(list(names), ensure_ascii=False), *parameters, limit),
        )
    ]


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


def pages_of_vectors(
    connection: apsw.Connection, embedding_ids: Collection[int], chosen: PageFilter
) -> dict[int, list[int]]:
    """The pages, of those that are chosen, in which each vector's text stands."""
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT e.id, c.page_id FROM embeddings e JOIN chunks c ON c.hash = e.hash
            JOIN pages p ON p.id = c.page_id
            WHERE e.id IN (SELECT value FROM json_each(?)) AND {where}""",
        (json.dumps(list(embedding_ids)), *parameters),
    )
    pages: dict[int, list[int]] = {}
    for embedding, page in found:
        pages.setdefault(embedding, []).append(page)
    return pages


def vectors_of_pages(
    connection: apsw.Connection, model_id: int, page_ids: Collection[int]
) -> list[tuple[int, int, int, str | None]]:
    """Page, chunk, vector and date of every embedded chunk of these pages."""
    return [
        (page, chunk, embedding, date)
        for page, chunk, embedding, date in rows(
            connection,
            """SELECT c.page_id, c.id, e.id, c.date FROM chunks c
               JOIN embeddings e ON e.hash = c.hash AND e.model_id = ?
               WHERE c.page_id IN (SELECT value FROM json_each(?))""",
            (model_id, json.dumps(list(page_ids))),
        )
    ]


def vectors_of_filter(connection: apsw.Connection, model_id: int, chosen: PageFilter) -> list[int]:
    """The vectors of all texts in the chosen pages."""
    where, parameters = chosen.where()
    found = rows(
        connection,
        f"""SELECT DISTINCT e.id FROM pages p JOIN chunks c ON c.page_id = p.id
            JOIN embeddings e ON e.hash = c.hash AND e.model_id = ? WHERE {where}""",
        (model_id, *parameters),
    )
    return [int(each[0]) for each in found]


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
    return {chunk: page for chunk, page in found}


def _scored(found: Iterable[tuple[Any, ...]]) -> list[tuple[int, float]]:
    return [(identity, score) for identity, score in found]
