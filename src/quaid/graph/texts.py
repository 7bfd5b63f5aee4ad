"""Texts against what holds: sentences of pages, the facts and links about their subjects, and each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import apsw

from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import day_in
from quaid.graph.prose import posts
from quaid.graph.prose.candidates import candidates
from quaid.graph.prose.caveats import is_hearsay
from quaid.graph.prose.exceptions import exceptions
from quaid.graph.prose.holdings import Held, Source, Told, fields, inverses, may_clash, sayings, targets
from quaid.graph.prose.leeway import leaves_room
from quaid.graph.prose.meanings import meanings
from quaid.graph.prose.names import Names, Subject, keys
from quaid.graph.prose.phrasebook import predicates
from quaid.graph.prose.readings import DOUBT, Reader, Reading, clearest, readings
from quaid.graph.prose.relevance import interest, matter, people
from quaid.graph.prose.rivals import Scene, rival_of, same_name, tokens
from quaid.graph.prose.sentences import link_targets
from quaid.graph.prose.statements import Statement, statements
from quaid.graph.prose.states import state_of
from quaid.graph.prose.subjects import Kind, Voice, kind_of_page, own_words
from quaid.model.record import record, replace
from quaid.store import doubts
from quaid.store.checks import Checks, Standing
from quaid.store.doubts import Truth

RECENT = 180  # days for which a line of the timeline speaks of what is
_Rows = Mapping[Subject, Sequence[Held]]


@record
class TextClash:
    """A sentence, and the fact, link, field or other sentence against which it stands."""

    one: Source
    standing: Standing | None = None
    other: Source | None = None


def clashes(
    connection: apsw.Connection,
    checks: Checks,
    today: str,
    page_id: int | None,
    same: Mapping[str, str],
    reader: Reader | None = None,
) -> list[TextClash]:
    """What texts say against what holds, in all pages or where one is concerned."""
    pages = {page.id: page for page in doubts.truths(connection, checks.telling(), timelines=True)}
    held = _facts_held(connection, checks, pages, same)
    kinds = {page.id: _kind(page, held[page.id]) for page in pages.values()}
    read = _read(connection, pages, held, kinds, today, everybody=page_id is not None)
    spoken = {key for _, each in read for name in _names(each) for key in keys(name)}
    spoken |= {fold(target) for _, each in read for target in link_targets(each.text)}
    known = doubts.pages_called(connection, spoken)
    for page_, rows in checks.standing(set(known.values()) - pages.keys()).items():
        held[page_] = [Held(each) for each in rows]
    related = _relations(held)
    for page, each in read:
        for target in link_targets(each.text):
            if (other := known.get(fold(target))) and other != page.id:
                related.setdefault(page.id, set()).add(other)
    stated = {page: list(rows) for page, rows in held.items() if isinstance(page, int)}
    names = Names(known, related, _spoken(connection, pages, related))
    told = _latest(
        Told(page, subject, each)
        for page, each in read
        if (subject := _subject(names, each, page)) is not None
    )
    _add_sayings(held, told)
    objects = {row.fact.object_page for rows in held.values() for row in rows if row.fact.object_page}
    called = doubts.names(connection, objects)
    found = [*_against(told, held, names, called, kinds, today)]
    found += [clash for pair in posts.rivals(told, held, names, called) for clash in _clash(*pair)]
    found += [TextClash(one, other=other) for one, other in exceptions(pages.values())]
    if reader:
        near = candidates(pages, stated, called, related, same, today, sparing=page_id is None)
        seen = [*readings((each for each in near if page_id is None or page_id in each.pages), reader)]
        odds = _odds(seen, today)
        found = [_weighed(each, odds) for each in found]
        found += _read_besides((clash for each in clearest(seen) for clash in _clashes(each, today)), found)
    return [each for each in found if page_id is None or page_id in _pages_of(each)]


def _what(clash: TextClash) -> object:
    """The fact, field or sentence against which a sentence stands."""
    return clash.standing or (clash.other and (clash.other.page.id, clash.other.quote))


def _sentence(clash: TextClash) -> tuple[int, str]:
    return clash.one.page.id, clash.one.quote


def _odds(read: Iterable[Reading], today: str) -> dict[object, float]:
    """How probable a network holds each clash that it has read."""
    return {(_what(clash), _sentence(clash)): each.odds for each in read for clash in _clashes(each, today)}


def _weighed(clash: TextClash, odds: Mapping[object, float]) -> TextClash:
    """A clash that phrases have found. One with a field or a sentence is a hint if the network doubts it."""
    if clash.standing or odds.get((_what(clash), _sentence(clash)), 1.0) >= DOUBT:
        return clash
    return replace(clash, one=replace(clash.one, perhaps=True))


def _read_besides(read: Iterable[TextClash], known: Iterable[TextClash]) -> Iterator[TextClash]:
    """What a network reads besides what is known. A sentence is quoted once: it has one cause."""
    known = list(known)
    taken = {_what(each) for each in known if not each.one.perhaps}
    quoted = {_sentence(each) for each in known}
    for clash in read:
        if _what(clash) not in taken and _sentence(clash) not in quoted:
            quoted.add(_sentence(clash))
            yield clash


def _clashes(read: Reading, today: str) -> Iterator[TextClash]:
    """A claim and a sentence that stand against each other.

    What a line told long ago may have changed, and what somebody has heard may be wrong. What a document
    says, others have said: what is taken from it is a fact with that source.
    """
    days = [each.day for each in (read.passage, read.claim.passage) if each and each.day]
    past = any(doubts.days_between(day, today) > RECENT for day in days)
    page = read.passage.page
    told = (page.type == "source" and page != read.claim.subject) or is_hearsay(read.passage.text)
    one = replace(read.passage.source, perhaps=past or told or not read.is_clear)
    if read.claim.held:
        yield from _clash(one, read.claim.held)
    elif read.claim.passage:
        yield TextClash(one, other=read.claim.passage.source)


def _pages_of(clash: TextClash) -> set[int]:
    pages = {clash.one.page.id}
    if clash.standing:
        pages.add(clash.standing.subject)
    return pages | ({clash.other.page.id} if clash.other else set())


def _facts_held(
    connection: apsw.Connection, checks: Checks, pages: Mapping[int, Truth], same: Mapping[str, str]
) -> dict[Subject, list[Held]]:
    """The facts, links and fields that hold of pages."""
    named = doubts.pages_called(connection, {fold(each) for page in pages.values() for each in targets(page)})
    facts = checks.standing(pages.keys())
    held: dict[Subject, list[Held]] = {}
    for page in pages.values():
        rows = [Held(each) for each in facts.get(page.id, ())]
        held[page.id] = [*rows, *fields(page, rows, same, named)]
    return held


def _kind(page: Truth, held: Sequence[Held]) -> Kind:
    """What a page is about. A company with which one negotiates is a deal as well: it may be either."""
    kind = kind_of_page(page.type)
    states = {state_of(row.fact.text) for row in held if row.fact.predicate in ("status", "stage")}
    return "" if kind == "company" and states & {"talks", "planned", "won", "paused", "done"} else kind


def _read(
    connection: apsw.Connection,
    pages: Mapping[int, Truth],
    held: _Rows,
    kinds: Mapping[int, Kind],
    today: str,
    *,
    everybody: bool,
) -> list[tuple[Truth, Statement]]:
    """What pages say that may stand against something."""
    stated = {page: {row.fact.predicate for row in rows} for page, rows in held.items()}
    told = {
        page
        for page, kind in kinds.items()
        if kind in ("person", "company") or matter(stated[page], predicates())
    }
    named = doubts.names(connection, () if everybody else told).values()
    others = None if everybody else people(name for names in named for name in names)
    found: list[tuple[Truth, Statement]] = []
    for page in pages.values():
        voice = Voice(own_words(page.names), kinds[page.id])
        wanted = interest(voice, stated.get(page.id, ()), predicates(), others)
        for each in statements(page.truth, page.entries, voice, wanted, today):
            found += [(page, meant) for meant in meanings(each, today)]
    return found


def _subject(names: Names, statement: Statement, page: Truth) -> Subject | None:
    subject = names.subject(statement.subject, page.id)
    return page.id if subject is None and statement.loose else subject


def _names(statement: Statement) -> Iterator[str]:
    """The names in a statement that may be those of pages."""
    if statement.subject:
        yield statement.subject
    if statement.value and kind_of(statement.predicate) == "name":
        yield statement.value
    if statement.org:
        yield statement.org


def _relations(held: _Rows) -> dict[int, set[int]]:
    """The pages that facts, links and fields join, both ways."""
    found: dict[int, set[int]] = {}
    for rows in held.values():
        for page, other in ((row.fact.subject, row.fact.object_page) for row in rows):
            if other and other != page:
                found.setdefault(page, set()).add(other)
                found.setdefault(other, set()).add(page)
    return found


def _spoken(
    connection: apsw.Connection, pages: Mapping[int, Truth], related: Mapping[int, set[int]]
) -> Mapping[int, frozenset[str]]:
    """The words by which related pages may be called: of their names, and of how they begin."""
    found: dict[int, frozenset[str]] = {}
    for page, called in doubts.names(
        connection, {page for near in related.values() for page in near}
    ).items():
        begins = pages[page].summary if page in pages and kind_of_page(pages[page].type) == "thing" else ""
        found[page] = frozenset().union(*map(tokens, called)) | frozenset(fold(begins).split())
    return found


def _latest(told: Iterable[Told]) -> list[Told]:
    """Of what changes in time, only what is said last; what has no day is said now."""
    every = list(told)
    newest: dict[tuple[Subject, str], str] = {}
    final: dict[tuple[Subject, int], Told] = {}
    for each in every:
        key = (each.subject, each.statement.predicate)
        day = each.statement.day or ("" if each.statement.change else "9999")
        newest[key] = max(newest.get(key, ""), day)
        if each.statement.predicate == "status" and not each.statement.entry:
            # Of two states in a text, the second one came later, unless it looks back.
            before = final.get((each.subject, each.page.id))
            if before is None or not each.statement.day or each.statement.day >= (before.statement.day or ""):
                final[each.subject, each.page.id] = each
    return [each for each in every if _is_last(each, newest, final.get((each.subject, each.page.id)))]


def _is_last(told: Told, newest: Mapping[tuple[Subject, str], str], final: Told | None) -> bool:
    statement = told.statement
    if statement.predicate == "status" and not statement.entry and final:
        return statement.sentence == final.statement.sentence
    if not (statement.change or statement.entry) or statement.predicate in ("tie", "post"):
        return True
    return (statement.day or "9999") >= newest[told.subject, statement.predicate]


def _add_sayings(held: dict[Subject, list[Held]], told: Sequence[Told]) -> None:
    """Add what facts say of the other side, and what sentences say that lasts."""
    days = {
        row.fact.subject: day
        for rows in held.values()
        for row in rows
        if row.fact.predicate == "date" and (day := day_in(row.fact.text)) and len(day) == 10
    }
    for row in [row for rows in held.values() for row in rows]:
        for other, turned in inverses(row, days):
            held.setdefault(other, []).append(turned)
    for each in told:
        held.setdefault(each.subject, []).extend(sayings(each))


def _against(
    told: Sequence[Told],
    held: _Rows,
    names: Names,
    called: Mapping[int, tuple[str, ...]],
    kinds: Mapping[int, Kind],
    today: str,
) -> Iterator[TextClash]:
    returned = _returns(told)
    for each in told:
        statement = each.statement
        if _is_old(statement, today) or _has_returned(each, returned):
            continue
        kind = kinds.get(each.subject, "") if isinstance(each.subject, int) else ""
        known = [
            row
            for row in held.get(each.subject, ())
            if may_clash(row, each, known=bool(kind) or each.subject not in kinds)
        ]
        meant = names.page(statement.value, each.page.id) if statement.value else None
        scene = Scene(meant, called, kind, each.page.id)
        standing = rival_of(statement, [row.fact for row in known], scene)
        if standing:
            row = next(row for row in known if row.fact is standing)
            perhaps = (
                statement.perhaps
                or not _is_plain(statement, standing, each.page)
                or _has_room(statement, row)
            )
            one = Source(each.page, "text", statement.sentence, statement.day, perhaps)
            yield from _clash(one, row)


def _returns(told: Sequence[Told]) -> Mapping[Subject, list[Statement]]:
    """Where subjects are said to be, or to be again."""
    found: dict[Subject, list[Statement]] = {}
    for each in told:
        if (each.statement.predicate, each.statement.mode) == ("tie", "began") or (
            each.statement.predicate == "works_at"
        ):
            found.setdefault(each.subject, []).append(each.statement)
    return found


def _has_returned(told: Told, returned: Mapping[Subject, Sequence[Statement]]) -> bool:
    """Whether somebody who left is said to be there again since."""
    if (told.statement.predicate, told.statement.mode) != ("tie", "ended"):
        return False
    left = told.statement
    return any(
        same_name(each.value, left.value)
        and (each.mode == "began" or not each.day or each.day > (left.day or ""))
        for each in returned.get(told.subject, ())
        if each.sentence != left.sentence and (not each.day or not left.day or each.day >= left.day)
    )


def _clash(one: Source, held: Held) -> Iterator[TextClash]:
    if held.source is None:
        yield TextClash(one, held.fact)
    elif (held.source.page.id, held.source.quote) != (one.page.id, one.quote):
        yield TextClash(one, other=held.source)


def _is_plain(statement: Statement, standing: Standing, page: Truth) -> bool:
    """Whether a text that names an employer speaks of no other: then it means the only one."""
    if statement.predicate == "lives_in" and statement.mode == "is":
        return standing.subject == page.id  # where somebody lives changes, and others hear of it late
    if (statement.predicate, statement.mode) != ("works_at", "is"):
        return True
    spoken = tokens(page.truth.replace("/", " "))
    return not is_hearsay(statement.sentence) and not spoken & tokens(standing.text)


def _has_room(statement: Statement, held: Held) -> bool:
    """Whether words of a sentence leave room for a state that a field names."""
    stated = statement.predicate == "status" and not (held.source and held.source.kind == "text")
    if not stated or statement.mode != "open":
        return False
    return leaves_room("status", held.fact.text, held.fact.text, statement.sentence, told=statement.entry)


def _is_old(statement: Statement, today: str) -> bool:
    """Whether a line of the timeline tells of a value that may have changed since."""
    if not statement.entry or statement.change or not statement.day or kind_of(statement.predicate) == "day":
        return False
    if re.search(r"\bsince\b", statement.sentence):
        return False
    return doubts.days_between(statement.day, today) > RECENT
