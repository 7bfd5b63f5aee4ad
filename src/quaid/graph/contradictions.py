"""What does not fit together in a memory: the checks, and what each of them quotes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from typing import Any

import apsw

from quaid.formats.fields import snake_case
from quaid.graph.endings import WORDS, Bond, endings
from quaid.model.record import record
from quaid.store import contradictions, doubts
from quaid.store.checks import Checks, Clash
from quaid.store.contradictions import Found, Side, Type

_MANY_OBJECTS = """
acquired advised_by advises affiliated_with alias also_known_as assigned_to attended attended_by authored
blocked_by blocks board_member_of child_of cites co_founded cofounded colleague_of committed_to competes_with
concerns contains contributes_to created customer_of decided decided_by depends_on dislikes email founded
founded_by friend_of funded_by has has_skill includes interested_in invested_in involves knows
knows_about leads likes maintains manages member_of mentions mentors met owned_by owns parent_of part_of
partner_of phone prefers produces promised_to references related related_to reports_to said sells
sibling_of skilled_in speaks studied_at supplies supports tagged uses visited website worked_at works_at
works_on works_with wrote
"""
_ONE_SUBJECT = """
capital_of ceo_of cfo_of coo_of cto_of is_capital_of is_ceo_of is_cfo_of is_coo_of is_cto_of
is_president_of married_to president_of
"""
# Of these a subject may have several objects at a time; of every other one, one.
MANY_OBJECTS = frozenset(_MANY_OBJECTS.split())
# With the same object, only one subject can have these.
ONE_SUBJECT = frozenset(_ONE_SUBJECT.split())


@record
class Rules:
    """Which predicates allow several values, and when a truth is stale."""

    many_objects: frozenset[str]
    one_subject: frozenset[str]
    stale_days: int


def predicates(usual: frozenset[str], listed: str) -> frozenset[str]:
    """The usual predicates with what a setting lists; one after a minus is taken away."""
    names = [each.strip() for each in listed.split(",") if each.strip()]
    gone = {snake_case(name[1:]) for name in names if name.startswith("-")}
    return (usual | {snake_case(name) for name in names if not name.startswith("-")}) - gone


def find(
    connection: apsw.Connection,
    today: str,
    rules: Rules,
    types: Collection[Type],
    page_id: int | None = None,
) -> list[Found]:
    """What the checks of these types find, in all pages or about one; each thing once."""
    checks = Checks(connection, today, page_id)
    chosen: dict[Type, Callable[[], list[Found]]] = {
        "cross_page": lambda: _cross_page(connection, checks, rules),
        "link": lambda: _links(connection, checks),
        "temporal": lambda: [*_texts(connection, checks, today), *_chains(connection, checks)],
        "stale": lambda: _stale(connection, checks, rules.stale_days),
    }
    try:
        found = [each for type_, check in chosen.items() if type_ in types for each in check()]
    finally:
        checks.close()
    return list({each.fingerprint: each for each in found}.values())


def _cross_page(connection: apsw.Connection, checks: Checks, rules: Rules) -> list[Found]:
    clashes = [*checks.many_objects(rules.many_objects), *checks.many_subjects(rules.one_subject)]
    return _between_assertions(connection, "cross_page", clashes, "{} or {}?")


def _chains(connection: apsw.Connection, checks: Checks) -> list[Found]:
    return _between_assertions(
        connection, "temporal", checks.overlapping_chains(), "{} replaces {}, which holds on"
    )


def _between_assertions(
    connection: apsw.Connection, type_: Type, clashes: Sequence[Clash], wording: str
) -> list[Found]:
    ids = {identity for clash in clashes for identity in (clash.one, clash.other)}
    sides = contradictions.assertion_sides(connection, ids)
    return [_found(type_, sides[clash.one], sides[clash.other], wording) for clash in clashes]


def _links(connection: apsw.Connection, checks: Checks) -> list[Found]:
    found: list[Found] = []
    for clashes, wording in (
        (checks.ended_links(), "{} holds, but the link has ended"),
        (checks.ended_assertions(), "{} has ended, but the link holds"),
    ):
        claims = contradictions.assertion_sides(connection, {clash.one for clash in clashes})
        links = contradictions.link_sides(connection, {clash.other for clash in clashes})
        found += [_found("link", claims[each.one], links[each.other], wording) for each in clashes]
    return found


def _texts(connection: apsw.Connection, checks: Checks, today: str) -> list[Found]:
    """Truths that say that something has ended which still holds."""
    bonds = _bonds(checks)
    names = doubts.names(connection, {row[3] for rows in bonds.values() for row in rows if row[3]})
    ended: list[tuple[tuple[int, Side, list[str]], tuple[Any, ...]]] = []
    for page in doubts.truths(connection, bonds):
        rows = bonds[page.id]
        known = [
            Bond(place, row[1], (row[2], *names.get(row[3], ())), row[4]) for place, row in enumerate(rows)
        ]
        for ending in endings(page.truth, page.names, known, today):
            side = Side("text", page.slug, page.collection, ending.sentence, recorded=page.written[:10])
            told_by = [page.collection, page.slug, ending.sentence.lower()]
            ended.append(((page.id, side, told_by), rows[ending.key]))
    links = contradictions.link_sides(connection, {row[5] for _, row in ended})
    claims = contradictions.assertion_sides(connection, {row[6] for _, row in ended})
    return [
        _found("temporal", text, links[row[5]] if row[5] else claims[row[6]], "“{}”, but {} holds")
        for text, row in ended
    ]


def _bonds(checks: Checks) -> dict[int, list[tuple[Any, ...]]]:
    """What holds between pages whose truth may speak of an end and others; each relationship once.

    Links come first: where a link and an assertion say the same, the link is the one that is quoted.
    """
    bonds: dict[int, dict[tuple[Any, ...], tuple[Any, ...]]] = {}
    for row in checks.bonds(WORDS):
        bonds.setdefault(row[0], {}).setdefault((row[1], row[3] or row[2]), row)
    return {page: list(rows.values()) for page, rows in bonds.items()}


def _stale(connection: apsw.Connection, checks: Checks, days: int) -> list[Found]:
    newest = dict(checks.stale(days))
    entries = doubts.entries(connection, newest.values())
    found: list[Found] = []
    for page in doubts.truths(connection, newest):
        if not page.says_something:
            continue
        date, summary, source = entries[newest[page.id]]
        truth = Side("text", page.slug, page.collection, page.summary, recorded=page.written[:10])
        entry = Side("timeline", page.slug, page.collection, summary, valid_from=date, source=source or None)
        found.append(
            _found(
                "stale",
                (page.id, truth, [page.collection, page.slug, page.written]),
                (page.id, entry, [date, summary]),
                f"{page.title}: the timeline goes on to {date}, the truth is of {page.written[:10]}",
            )
        )
    return found


def _found(
    type_: Type, one: tuple[int, Side, list[str]], other: tuple[int, Side, list[str]], wording: str
) -> Found:
    content = "\x1e".join([type_, *sorted("\x1f".join(side[2]) for side in (one, other))])
    return Found(
        type=type_,
        fingerprint=sha256(content.encode()).hexdigest(),
        page_id=one[0],
        other_page_id=other[0],
        description=wording.format(one[1].statement, other[1].statement),
        sides=(one[1], other[1]),
    )
