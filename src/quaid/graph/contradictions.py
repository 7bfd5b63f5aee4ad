"""What does not fit together in a memory: the checks, and what each of them quotes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import apsw

from quaid.formats.fields import snake_case
from quaid.formats.phrase_files import sections
from quaid.formats.predicates import LASTING, SYNONYMS, kind_of
from quaid.formats.values import rivals
from quaid.graph import texts
from quaid.graph.prose.holdings import Source
from quaid.graph.prose.readings import Reader
from quaid.model.record import record
from quaid.store import contradictions, doubts
from quaid.store.checks import Checks, Clash, Holding
from quaid.store.contradictions import Found, Side, Type

_WORDS = sections(Path(__file__).with_name("contradictions.txt"))
# Of these a subject may have several objects at a time; of every other one, one.
MANY_OBJECTS = frozenset(" ".join(_WORDS["many objects"]).split())
# With the same object, only one subject can have these.
ONE_SUBJECT = frozenset(" ".join(_WORDS["one subject"]).split())


@record
class Rules:
    """Which predicates allow several values, which say the same, and when a truth is stale."""

    many_objects: frozenset[str]
    one_subject: frozenset[str]
    stale_days: int
    synonyms: Mapping[str, str] = SYNONYMS


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
    reader: Reader | None = None,
) -> list[Found]:
    """What the checks of these types find, in all pages or about one; each thing once.

    A `reader` reads sentences beside what holds; without one, phrases alone tell what they say.
    """
    checks = Checks(connection, today, page_id, rules.synonyms)
    chosen: dict[Type, Callable[[], list[Found]]] = {
        "cross_page": lambda: _cross_page(connection, checks, rules),
        "link": lambda: _links(connection, checks),
        "temporal": lambda: [
            *_texts(connection, checks, today, rules, page_id, reader),
            *_between_assertions(
                connection, "temporal", checks.overlapping_chains(), "{} replaces {}, which holds on"
            ),
        ],
        "stale": lambda: _stale(connection, checks, rules.stale_days),
    }
    try:
        found = [each for type_, check in chosen.items() if type_ in types for each in check()]
    finally:
        checks.close()
    return _without_hints({each.fingerprint: each for each in found}.values())


def _without_hints(found: Collection[Found]) -> list[Found]:
    """Findings, without a “perhaps” about an assertion or link that surely has a rival."""
    known = {
        (side.kind, side.id)
        for each in found
        if not _is_hint(each)
        for side in each.sides
        if side.id is not None
    }
    return [
        each
        for each in found
        if not _is_hint(each) or known.isdisjoint((side.kind, side.id) for side in each.sides)
    ]


def _is_hint(found: Found) -> bool:
    return any(side.perhaps for side in found.sides)


def same_as(checks: Checks, assertion_id: int) -> list[int]:
    """The assertions that hold and say what one says, itself included; nothing if it does not hold."""
    about = checks.like(assertion_id)
    one = next((each for each in about if each.id == assertion_id), None)
    return [each.id for each in about if one and not _are_rivals(one, each)]


def _cross_page(connection: apsw.Connection, checks: Checks, rules: Rules) -> list[Found]:
    clashes = [
        *_rival_values(checks.many_objects(rules.many_objects), _are_rivals),
        *_rival_values(checks.many_subjects(rules.one_subject), lambda one, other: one.key != other.key),
    ]
    return _between_assertions(connection, "cross_page", clashes, "{} or {}?")


def _rival_values(held: Sequence[Holding], apart: Callable[[Holding, Holding], bool]) -> list[Clash]:
    """Each value too many, set against the one that was there first and that it does not merely follow."""
    groups: dict[tuple[str, str], list[Holding]] = {}
    for each in held:
        groups.setdefault((each.about, each.predicate), []).append(each)
    found: list[Clash] = []
    for group in groups.values():
        if not any(each.concerned for each in group):
            continue
        values: list[Holding] = []
        for each in group:
            if all(apart(other, each) for other in values):
                first = next((other for other in values if not _follows(other, each)), None)
                found += [Clash(first.id, each.id)] if first else []
                values.append(each)
    return found


def _are_rivals(one: Holding, other: Holding) -> bool:
    return one.key != other.key and rivals(kind_of(one.predicate), one.text, other.text)


def _follows(one: Holding, other: Holding) -> bool:
    """Whether one value took the other's place, or both stand in one list: that is no contradiction."""
    if one.field and (one.field, one.page_id) == (other.field, other.page_id):
        return True
    changed = one.since is not None and other.since is not None and one.since != other.since
    return changed and one.predicate not in LASTING


def _between_assertions(
    connection: apsw.Connection, type_: Type, clashes: Sequence[Clash], wording: str
) -> list[Found]:
    ids = {identity for clash in clashes for identity in (clash.one, clash.other)}
    sides = contradictions.assertion_sides(connection, ids)
    return [_finding(type_, sides[clash.one], sides[clash.other], wording) for clash in clashes]


def _links(connection: apsw.Connection, checks: Checks) -> list[Found]:
    found: list[Found] = []
    for clashes, wording in (
        (checks.ended_links(), "{} holds, but the link has ended"),
        (checks.ended_assertions(), "{} has ended, but the link holds"),
    ):
        claims = contradictions.assertion_sides(connection, {clash.one for clash in clashes})
        links = contradictions.link_sides(connection, {clash.other for clash in clashes})
        found += [_finding("link", claims[each.one], links[each.other], wording) for each in clashes]
    return found


def _texts(
    connection: apsw.Connection,
    checks: Checks,
    today: str,
    rules: Rules,
    page_id: int | None,
    reader: Reader | None,
) -> list[Found]:
    """What texts say against facts, links, fields and each other."""
    clashes = texts.clashes(connection, checks, today, page_id, rules.synonyms, reader)
    standing = [each.standing for each in clashes if each.standing]
    links = contradictions.link_sides(connection, {each.link for each in standing})
    claims = contradictions.assertion_sides(connection, {each.claim for each in standing})
    found: list[Found] = []
    for clash in clashes:
        one = _text_side(clash.one)
        if clash.standing:
            other = links[clash.standing.link] if clash.standing.link else claims[clash.standing.claim]
            found.append(_finding("temporal", one, other, "“{}”, but {} holds"))
        elif clash.other:
            found.append(_finding("temporal", one, _text_side(clash.other), "“{}” or “{}”?"))
    return found


def _text_side(said: Source) -> tuple[int, Side, list[str]]:
    page = said.page
    side = Side(
        said.kind,
        page.slug,
        page.collection,
        said.quote,
        valid_from=said.day,
        recorded=page.written[:10] if said.kind == "text" else None,
        perhaps=said.perhaps or None,
    )
    return page.id, side, [page.collection, page.slug, said.quote.lower()]


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
            _finding(
                "stale",
                (page.id, truth, [page.collection, page.slug, page.written]),
                (page.id, entry, [date, summary]),
                f"{page.title}: the timeline goes on to {date}, the truth is of {page.written[:10]}",
            )
        )
    return found


def _finding(
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
