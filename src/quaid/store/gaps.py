"""The knowledge_gaps table: questions that could not be answered, by their hash."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.model.record import record
from quaid.store.rows import first, records, row, rows

_COLUMNS = """id, query_hash, detected_at, asked_at, times, context, confidence_score, sensitivity,
    query_text, redacted_query, approved_by, approved_at, resolved_at, resolved_by_slug"""


@record
class Gap:
    """A question that could not be answered. Its words are there only if somebody approved that."""

    id: int
    query_hash: str
    detected_at: str
    asked_at: str
    times: int
    context: str = ""
    confidence: float | None = None
    sensitivity: str = "internal"
    query: str | None = None
    redacted_query: str | None = None
    approved_by: str | None = None
    approved_at: str | None = None
    resolved_at: str | None = None
    resolved_by: str | None = None
    asked: str | None = None  # its words, for the person who asked; never in the memory


def note(
    connection: apsw.Connection, query_hash: str, confidence: float | None, now: str, context: str = ""
) -> int:
    """Keep a question that was not answered; one that is open already is counted. The answer is its id."""
    known = first(
        connection,
        """UPDATE knowledge_gaps SET times = times + 1, asked_at = ?2,
               confidence_score = coalesce(?3, confidence_score), context = iif(?4 = '', context, ?4)
           WHERE query_hash = ?1 AND resolved_at IS NULL RETURNING id""",
        (query_hash, now, confidence, context),
    )
    sql = """INSERT INTO knowledge_gaps (query_hash, confidence_score, context, detected_at, asked_at)
        VALUES (?, ?, ?, ?4, ?4) RETURNING id"""
    return int(known or row(connection, sql, (query_hash, confidence, context, now))[0])


def by_id(connection: apsw.Connection, gap_id: int) -> Gap | None:
    """One gap."""
    found = rows(connection, f"SELECT {_COLUMNS} FROM knowledge_gaps WHERE id = ?", (gap_id,))
    return Gap(*found[0]) if found else None


def gap_list(connection: apsw.Connection, limit: int = -1, *, resolved: bool = False) -> list[Gap]:
    """Open gaps, those that were asked most often first; or those that are resolved, the last one first."""
    order = "resolved_at DESC, id DESC" if resolved else "times DESC, detected_at, id"
    sql = f"""SELECT {_COLUMNS} FROM knowledge_gaps WHERE resolved_at IS {"NOT " if resolved else ""}NULL
        ORDER BY {order} LIMIT ?"""
    return records(Gap, connection, sql, (limit,))


def count(connection: apsw.Connection) -> int:
    """How many gaps are open."""
    return int(row(connection, "SELECT count(*) FROM knowledge_gaps WHERE resolved_at IS NULL")[0])


def approve(
    connection: apsw.Connection,
    gap_id: int,
    sensitivity: str,
    approver: str,
    now: str,
    query: str | None,
    redacted: str | None,
) -> None:
    """Say who may know of a question, and who has decided that."""
    connection.execute(
        """UPDATE knowledge_gaps SET sensitivity = ?, approved_by = ?, approved_at = ?,
               query_text = coalesce(?, query_text), redacted_query = coalesce(?, redacted_query)
           WHERE id = ?""",
        (sensitivity, approver, now, query, redacted, gap_id),
    )


def resolve(connection: apsw.Connection, gap_id: int, slug: str, now: str) -> None:
    """Say which page answers a question now."""
    connection.execute(
        "UPDATE knowledge_gaps SET resolved_at = ?, resolved_by_slug = ? WHERE id = ?", (now, slug, gap_id)
    )


def approved_gaps(connection: apsw.Connection) -> list[tuple[int, str]]:
    """Open gaps whose words are known, with their words."""
    sql = """SELECT id, query_text FROM knowledge_gaps
        WHERE resolved_at IS NULL AND query_text IS NOT NULL ORDER BY id"""
    return rows(connection, sql)


def words_in_page(connection: apsw.Connection, page_id: int, words: Sequence[str]) -> set[str]:
    """Those of the FTS5 expressions that a page has."""
    sql = "SELECT 1 FROM page_fts WHERE page_fts MATCH ? AND rowid = ?"
    return {word for word in words if first(connection, sql, (word, page_id))}
