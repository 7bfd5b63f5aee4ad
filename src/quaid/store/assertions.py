"""The assertions table."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

import apsw

from quaid.formats.content import successions
from quaid.formats.fields import Superseded
from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Claim, split_target
from quaid.model.record import record
from quaid.store.keys import name_key
from quaid.store.relations import Wanted, linked_facts, page_meant, pages_meant, when
from quaid.store.rows import column, first, rows

_FIELDS = """subject, predicate, object, valid_from, valid_until, confidence, asserted_by, source_ref,
    evidence_text"""
_NAMES = "subject_name, object_name, subject_key, object_key"
INSERT = f"""INSERT INTO assertions (page_id, {_FIELDS}, {_NAMES}, ordinal, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_UPDATE = f"""UPDATE assertions SET ({_FIELDS}, {_NAMES}, ordinal)
    = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?"""
_LONGEST = 100  # facts of one chain that are shown: a circle must end


@record
class Fact:
    """An assertion as the memory holds it."""

    id: int
    claim: Claim
    page_id: int
    page: str
    collection: str
    learned_at: str
    supersedes: int | None = None
    link: int | None = None  # the typed link that says so; such a fact has no id of its own


def replace(connection: apsw.Connection, page_id: int, claims: Sequence[Claim], now: str) -> None:
    """Make these the page's assertions; one that is still there keeps its id and its time.

    It is still there if only its days, its source or its confidence changed, or the page's own name. Chains
    of facts that took each other's place are joined anew, also those that lead here from other pages.
    """
    stored = _stored_claims(connection, page_id)
    if not claims and not stored:
        return
    kept = _pairs([(claim_id, claim) for claim_id, claim, _ in stored], claims)
    surviving = set(kept.values())
    gone = [(claim_id,) for claim_id, _, _ in stored if claim_id not in surviving]
    connection.executemany("DELETE FROM assertions WHERE id = ?", gone)
    before = {claim_id: (claim, ordinal) for claim_id, claim, ordinal in stored}
    for ordinal, claim in enumerate(claims):
        claim_id = kept.get(ordinal)
        if claim_id is None:
            connection.execute(INSERT, (page_id, *_values(claim), ordinal, now))
        elif before[claim_id] != (claim, ordinal):
            connection.execute(_UPDATE, (*_values(claim), ordinal, claim_id))
    chain(connection, page_id)


def rows_of(claims: Sequence[Claim], now: str) -> list[tuple[Any, ...]]:
    """What the table holds of a new page's assertions, but for the page."""
    return [(*_values(claim), ordinal, now) for ordinal, claim in enumerate(claims)]


def chain(connection: apsw.Connection, page_id: int) -> None:
    """Join the chains of facts on a page, and those that lead to it from others."""
    for successor in (page_id, *_successors(connection, page_id)):
        _chain(connection, successor)


def chain_all(connection: apsw.Connection) -> bool:
    """Join all chains of facts anew; the answer is whether that changed something."""
    changed = False
    for page_id in column(connection, "SELECT DISTINCT page_id FROM assertions"):
        changed |= _chain(connection, page_id)
    return changed


def ids_of_page(connection: apsw.Connection, page_id: int) -> list[tuple[int, Claim]]:
    """A page's assertions with their ids."""
    return [(claim_id, claim) for claim_id, claim, _ in _stored_claims(connection, page_id)]


# Questions ------------------------------------------------------------------------------------------

# A row's time begins anew when a memory is rebuilt; a page's own does not.
_CHANGED = """(a.valid_from BETWEEN :since AND :day OR a.valid_until BETWEEN :since AND :day
    OR (a.created_at >= :moment AND p.updated_at >= :moment))"""
_FACT = ", ".join(f"a.{name.strip()}" for name in _FIELDS.split(","))


def find(connection: apsw.Connection, wanted: Wanted) -> list[Fact]:
    """The facts of live pages that are asked for, by subject and predicate, or the latest change first."""
    conditions = [when(wanted.temporal, "a")]
    values: dict[str, Any] = {"day": wanted.day, "limit": wanted.limit}
    if wanted.subject is not None:
        conditions.append(_named(connection, "subject", wanted.subject, values))
    if wanted.object is not None:
        conditions.append(_named(connection, "object", wanted.object, values))
    if wanted.predicates is not None:
        conditions.append("a.predicate IN (SELECT value FROM json_each(:predicates))")
        values["predicates"] = json.dumps(sorted(wanted.predicates))
    if wanted.page_id is not None:
        conditions.append("a.page_id = :page")
        values["page"] = wanted.page_id
    order = "a.subject_name, a.predicate, a.valid_from, a.id"
    if wanted.since:
        conditions.append(_CHANGED)
        values |= {"since": wanted.since.day, "moment": wanted.since.moment}
        order = f"""max(iif(a.valid_from <= :day, a.valid_from, ''),
            iif(a.valid_until <= :day, a.valid_until, ''), '') DESC, {order}"""
    return _facts(connection, f"{' AND '.join(conditions)} ORDER BY {order} LIMIT :limit", values)


def by_links(connection: apsw.Connection, wanted: Wanted) -> list[Fact]:
    """What typed links say of what is asked for, and no assertion."""
    return [Fact(0, claim, *stated, link=link) for link, stated, claim in linked_facts(connection, wanted)]


def about(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, list[Claim]]:
    """The facts that pages state, and those that other pages state of them by a name that is theirs alone."""
    found = rows(
        connection,
        f"""SELECT a.page_id, a.id, {_FACT} FROM assertions a
            WHERE a.page_id IN (SELECT value FROM json_each(?1))
            UNION SELECT n.page_id, a.id, {_FACT} FROM page_names n
            CROSS JOIN assertions a ON a.subject_key = n.name AND a.page_id <> n.page_id
            JOIN live_pages p ON p.id = a.page_id
            WHERE n.page_id IN (SELECT value FROM json_each(?1)) AND n.kind <> 1
              AND NOT EXISTS (SELECT 1 FROM page_names o WHERE o.name = n.name AND o.page_id <> n.page_id)
            ORDER BY 2""",
        (json.dumps(list(page_ids)),),
    )
    facts: dict[int, list[Claim]] = {}
    for page_id, _, *fields in found:
        facts.setdefault(page_id, []).append(_claim(fields))
    return facts


def by_id(connection: apsw.Connection, fact_id: int) -> Fact | None:
    """One fact of a live page."""
    found = _facts(connection, "a.id = :id", {"id": fact_id})
    return found[0] if found else None


def successors(connection: apsw.Connection, ids: Sequence[int]) -> dict[int, int]:
    """Which facts took the place of these."""
    sql = """SELECT a.supersedes_id, a.id FROM assertions a JOIN live_pages p ON p.id = a.page_id
        WHERE a.supersedes_id IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC"""
    return dict(rows(connection, sql, (json.dumps(ids),)))


def predecessors(
    connection: apsw.Connection, ids: Sequence[int]
) -> dict[int, list[tuple[int, str, Interval]]]:
    """Whose place these facts took, the latest first: id, object and time of each."""
    found = rows(
        connection,
        """WITH RECURSIVE chain (start, id, depth) AS (
               SELECT id, supersedes_id, 1 FROM assertions
               WHERE id IN (SELECT value FROM json_each(:ids)) AND supersedes_id IS NOT NULL
               UNION ALL SELECT start, a.supersedes_id, depth + 1
               FROM chain JOIN assertions a ON a.id = chain.id
               WHERE a.supersedes_id IS NOT NULL AND depth < :longest)
           SELECT start, a.id, a.object, a.valid_from, a.valid_until
           FROM chain JOIN assertions a ON a.id = chain.id ORDER BY start, depth""",
        {"ids": json.dumps(ids), "longest": _LONGEST},
    )
    chains: dict[int, list[tuple[int, str, Interval]]] = {}
    for start, fact_id, object_, since, until in found:
        chains.setdefault(start, []).append((fact_id, object_, Interval(since, until)))
    return chains


def _named(
    connection: apsw.Connection, side: Literal["subject", "object"], name: str, values: dict[str, Any]
) -> str:
    """The condition that a fact's subject or object is what a name means, however the fact spells it.

    What a text means is decided as for links: the page that states the fact itself, if it answers to that
    name, then its collection, then the better kind of name.
    """
    values |= {
        side: name_key(fold(split_target(name.strip())[1])),
        f"{side}_pages": json.dumps(pages_meant(connection, name)),
    }
    return f"""a.{side}_key IN (SELECT :{side} UNION SELECT name FROM page_names
            WHERE page_id IN (SELECT value FROM json_each(:{side}_pages)))
        AND coalesce({page_meant(side)}, -1)
            IN (SELECT -1 UNION ALL SELECT value FROM json_each(:{side}_pages))"""


def _facts(connection: apsw.Connection, condition: str, values: dict[str, Any]) -> list[Fact]:
    found = rows(
        connection,
        f"""SELECT a.id, a.page_id, p.slug, c.name, a.created_at, a.supersedes_id, {_FACT}
            FROM assertions a CROSS JOIN live_pages p ON p.id = a.page_id
            JOIN collections c ON c.id = p.collection_id WHERE {condition}""",
        values,
    )
    return [Fact(each[0], _claim(each[6:]), *each[1:6]) for each in found]


# Rows -----------------------------------------------------------------------------------------------


def _stored_claims(connection: apsw.Connection, page_id: int) -> list[tuple[int, Claim, int]]:
    found = rows(
        connection,
        f"SELECT id, ordinal, {_FIELDS} FROM assertions WHERE page_id = ? ORDER BY ordinal",
        (page_id,),
    )
    return [(claim_id, _claim(fields), ordinal) for claim_id, ordinal, *fields in found]


def _claim(row: Sequence[Any]) -> Claim:
    return Claim(row[0], row[1], row[2], Interval(row[3], row[4]), *row[5:])


def _pairs(stored: Sequence[tuple[int, Claim]], claims: Sequence[Claim]) -> dict[int, int]:
    """Which stored assertion each claim still is, by position: equal ones first, then others alike."""
    kept: dict[int, int] = {}
    for likeness in _LIKENESSES:
        taken = set(kept.values())
        free: dict[Any, list[int]] = {}
        for claim_id, old in reversed(stored):
            if claim_id not in taken:
                free.setdefault(likeness(old), []).append(claim_id)
        for position, claim in enumerate(claims if free else ()):
            candidates = free.get(likeness(claim)) if position not in kept else None
            if candidates:
                kept[position] = candidates.pop()
    return kept


def _wording(claim: Claim) -> tuple[str, ...]:
    return fold(claim.subject), claim.predicate, fold(claim.object)


# The last is for a page that moved: facts that its fields yield have its slug as their subject.
_LIKENESSES: tuple[Callable[[Claim], Any], ...] = (
    lambda claim: claim,
    lambda claim: (*_wording(claim), claim.valid.since, claim.source),
    _wording,
    lambda claim: (claim.predicate, claim.object, claim.asserted_by, claim.source, claim.evidence),
)


def _values(claim: Claim) -> tuple[Any, ...]:
    return (
        claim.subject,
        claim.predicate,
        claim.object,
        claim.valid.since,
        claim.valid.until,
        claim.confidence,
        claim.asserted_by,
        claim.source,
        claim.evidence,
        *(names := (fold(claim.subject), fold(claim.object))),
        *map(name_key, names),
    )


# Chains ---------------------------------------------------------------------------------------------


def _successors(connection: apsw.Connection, page_id: int) -> list[int]:
    """Other pages that may say that their facts took the place of some of this page's."""
    sql = """SELECT DISTINCT b.page_id FROM assertions a
        JOIN assertions b ON b.subject_key = a.subject_key AND b.predicate = a.predicate
             AND b.valid_from = a.valid_until AND b.page_id <> a.page_id
        WHERE a.page_id = ? AND a.valid_until IS NOT NULL"""
    return column(connection, sql, (page_id,))


def _chain(connection: apsw.Connection, page_id: int) -> bool:
    """Let a page's assertions lead to those that its text says they replace; whether they did not."""
    found = rows(
        connection,
        "SELECT frontmatter, format FROM pages WHERE id = ? AND instr(frontmatter, 'supersedes')",
        (page_id,),
    )
    stated = [each for values, format in found for each in successions(json.loads(values), format)]
    own = _stored_claims(connection, page_id) if stated else []
    wanted: dict[int, int] = {}
    for claim, before in stated:
        new = next(
            (claim_id for claim_id, known, _ in own if known == claim and claim_id not in wanted), None
        )
        old = None if new is None else _replaced(connection, page_id, new, claim, before)
        if new is not None and old is not None:
            wanted[new] = old
    sql = "SELECT id, supersedes_id FROM assertions WHERE page_id = ? AND supersedes_id IS NOT NULL"
    known = dict(rows(connection, sql, (page_id,)))
    changed = [
        (wanted.get(new), new) for new in known.keys() | wanted.keys() if known.get(new) != wanted.get(new)
    ]
    connection.executemany("UPDATE assertions SET supersedes_id = ? WHERE id = ?", changed)
    return bool(changed)


def _replaced(
    connection: apsw.Connection, page_id: int, new: int, claim: Claim, before: Superseded
) -> int | None:
    """The assertion that another says it replaces.

    On another page, it ended on the day on which the new one began, so that the same is found in whatever
    order pages come. The page may have moved since: then any such fact is the one.
    """
    subject, predicate, _ = _wording(claim)
    found: int | None = first(
        connection,
        """SELECT a.id FROM assertions a JOIN live_pages p ON p.id = a.page_id
           WHERE a.subject_key = :subject AND a.predicate = :predicate AND a.object_key = :object
             AND a.id <> :new
             AND iif(:other = '', a.page_id = :page, a.page_id <> :page AND a.valid_until = :since)
           ORDER BY p.slug <> :other, a.valid_until IS NOT :since, p.slug, p.collection_id, a.ordinal
           LIMIT 1""",
        {
            "subject": name_key(subject),
            "predicate": predicate,
            "object": name_key(fold(before.object)),
            "new": new,
            "other": split_target(before.page)[1],
            "page": page_id,
            "since": claim.valid.since,
        },
    )
    return found
