"""The assertions table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Claim

_FIELDS = """subject, predicate, object, valid_from, valid_until, confidence, asserted_by, source_ref,
    evidence_text"""


def replace(connection: apsw.Connection, page_id: int, claims: Sequence[Claim], now: str) -> None:
    """Make these the page's assertions; one that is still there keeps its id and its time."""
    rows = connection.execute(
        f"SELECT id, {_FIELDS} FROM assertions WHERE page_id = ? ORDER BY ordinal", (page_id,)
    )
    stored: dict[Claim, list[int]] = {}
    for row in rows:
        stored.setdefault(_claim(row[1:]), []).append(row[0])
    for ordinal, claim in enumerate(claims):
        if stored.get(claim):
            connection.execute(
                "UPDATE assertions SET ordinal = ? WHERE id = ?", (ordinal, stored[claim].pop(0))
            )
        else:
            _insert(connection, page_id, claim, ordinal, now)
    gone = [(assertion,) for ids in stored.values() for assertion in ids]
    connection.executemany("DELETE FROM assertions WHERE id = ?", gone)


def of_page(connection: apsw.Connection, page_id: int) -> list[Claim]:
    """A page's assertions in the order of its frontmatter."""
    rows = connection.execute(
        f"SELECT {_FIELDS} FROM assertions WHERE page_id = ? ORDER BY ordinal", (page_id,)
    )
    return [_claim(row) for row in rows]


def _claim(row: Sequence[Any]) -> Claim:
    return Claim(row[0], row[1], row[2], Interval(row[3], row[4]), *row[5:])


def _insert(connection: apsw.Connection, page_id: int, claim: Claim, ordinal: int, now: str) -> None:
    connection.execute(
        f"""INSERT INTO assertions (page_id, subject_name, object_name, {_FIELDS}, ordinal, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            page_id,
            fold(claim.subject),
            fold(claim.object),
            claim.subject,
            claim.predicate,
            claim.object,
            claim.valid.since,
            claim.valid.until,
            claim.confidence,
            claim.asserted_by,
            claim.source,
            claim.evidence,
            ordinal,
            now,
        ),
    )
