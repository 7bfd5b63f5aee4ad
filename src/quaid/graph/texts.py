"""Texts against what holds: sentences of pages, the facts and links about their subjects, and each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import apsw

from quaid.formats.fields import snake_case, unwiki, word
from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import quantity, role_of
from quaid.graph.endings import Bond, endings
from quaid.graph.prose import RECENT, Statement, statements
from quaid.graph.sentences import is_hearsay, own_words, raw_sentences, without_code
from quaid.graph.verdicts import contradicted, spellings, tokens
from quaid.model.page import TimelineEntry
from quaid.model.record import record
from quaid.store import doubts
from quaid.store.checks import Checks, Standing
from quaid.store.doubts import Truth

_LEAVER = re.compile(
    r"^(?:In\s+\w+(?:\s+\d{4})?,?\s+)?(?P<who>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+){0,3})\s+"
    r"(?P<verb>(?:has\s+)?(?:left|quit|resigned|departed|retired|stepped\s+down)|is\s+no\s+longer|was\s+(?:fired|laid\s+off))"
    r"(?P<bare>(?=\s*(?:[.,;]|$|\s(?:in|on|to|for\s+[A-Z]|after|last|this)\b)))?"
)
# What sentences of a truth and plain fields may say that holds until something else is said.
_LASTING = frozenset(
    [
        "based_in",
        "founded_in",
        "headcount",
        "value",
        "due",
        "lives_in",
        "works_at",
        "born_on",
        "reports_to",
        "owner",
        "date",
        "role",
        "joined_on",
    ]
)
_ONE_HOLDER = frozenset(("ceo", "cto", "cfo", "coo", "cmo"))  # posts that one person has at a time
_FIELDS = _LASTING | frozenset(("status", "stage", "price"))


@record
class Source:
    """Where something is said: a sentence of a page, or one of its fields."""

    page: Truth
    kind: Literal["text", "field"]
    quote: str
    day: str | None = None
    perhaps: bool = False


@record
class TextClash:
    """A sentence, and the fact, link, field or other sentence against which it stands."""

    one: Source
    standing: Standing | None = None
    other: Source | None = None


@record
class _Held:
    """Something that holds of a subject, and where it is said if no link and no assertion says so."""

    fact: Standing
    source: Source | None = None


@record
class _Told:
    page: Truth
    subject: Subject
    statement: Statement


# A page, or the folded name of what has none.
Subject = int | str


def clashes(
    connection: apsw.Connection, checks: Checks, today: str, page_id: int | None, same: Mapping[str, str]
) -> list[TextClash]:
    """What texts say against what holds, in all pages or where one is concerned."""
    pages = {page.id: page for page in doubts.truths(connection, checks.telling(), timelines=True)}
    told, leavers = _told(connection, pages.values(), today)
    subjects = {each.subject for each in told if isinstance(each.subject, int)} | pages.keys()
    subjects |= {subject for _, subject, _ in leavers}
    facts = checks.standing(subjects)
    held: dict[Subject, list[_Held]] = {page: [_Held(each) for each in rows] for page, rows in facts.items()}
    for page in pages.values():
        held.setdefault(page.id, []).extend(_fields(page, held.get(page.id, ()), same))
    for page in pages.values():
        for company, post in _posts(page, held.get(page.id, ())):
            held.setdefault(company, []).append(post)
    for each in told:
        held.setdefault(each.subject, []).extend(_sayings(each))
    places = {each.fact.object_page for rows in held.values() for each in rows if each.fact.object_page}
    called = doubts.names(connection, {*places, *(subject for _, subject, _ in leavers)})
    found = [
        *_ended(pages.values(), leavers, held, called, today),
        *_against_facts(connection, told, held, called, today),
    ]
    return [each for each in found if page_id is None or page_id in _concerned(each)]


def _concerned(clash: TextClash) -> set[int]:
    pages = {clash.one.page.id}
    if clash.standing:
        pages.add(clash.standing.subject)
    return pages | ({clash.other.page.id} if clash.other else set())


def _fields(page: Truth, held: Sequence[_Held], same: Mapping[str, str]) -> Iterator[_Held]:
    """What plain fields of a page say that yield no fact on a page of its type."""
    stated = {each.fact.predicate for each in held}
    for key, value in page.fields.items():
        predicate = same.get(snake_case(key), snake_case(key))
        if predicate == "owned_by":
            predicate = "owner"
        text = unwiki(word(value))
        if text and predicate in _FIELDS and predicate not in stated:
            fact = Standing(page.id, predicate, fold(text), text, None, None)
            yield _Held(fact, Source(page, "field", f"{key}: {text}"))


def _posts(page: Truth, held: Sequence[_Held]) -> list[tuple[int, _Held]]:
    """The posts of which a company has one, that somebody has by the fields of their own page."""
    roles = [
        each for each in held if each.fact.predicate == "role" and role_of(each.fact.text) in _ONE_HOLDER
    ]
    firms = {
        each.fact.object_page for each in held if each.fact.predicate == "works_at" and each.fact.object_page
    }
    if len(roles) != 1 or len(firms) != 1:
        return []
    role = role_of(roles[0].fact.text)
    firm = next(iter(firms))
    fact = Standing(firm, role, fold(page.title), page.title, page.id, roles[0].fact.since)
    return [(firm, _Held(fact, Source(page, "field", f"role: {roles[0].fact.text}")))]


def _sayings(told: _Told) -> Iterator[_Held]:
    """A sentence of a truth as something that holds; what tells of a change or of a day does not."""
    statement = told.statement
    plain = not (statement.change or statement.entry or statement.perhaps or statement.day)
    text = statement.value
    if statement.predicate == "value":
        found = quantity(text)  # a number without a currency may count anything
        plain = plain and found is not None and bool(found.unit)
    if plain and statement.predicate in _LASTING:
        page = told.subject if isinstance(told.subject, int) else 0
        fact = Standing(page, statement.predicate, fold(text), text, None, None)
        yield _Held(fact, Source(told.page, "text", statement.sentence))


def _told(
    connection: apsw.Connection, pages: Iterable[Truth], today: str
) -> tuple[list[_Told], list[tuple[Truth, int, str]]]:
    """Statements with what they are about, and sentences that tell of others who left."""
    found: list[tuple[Truth, Statement]] = []
    leavers: list[tuple[Truth, str, str]] = []
    for page in pages:
        own = own_words(page.names)
        found += [(page, each) for each in statements(page.truth, page.entries, own, today)]
        leavers += [(page, who, sentence) for who, sentence in _leavers(page)]
    names = {fold(each.subject) for _, each in found if each.subject} | {fold(who) for _, who, _ in leavers}
    known = doubts.pages_called(connection, names)
    told = [
        _Told(page, known.get(fold(each.subject), fold(each.subject)) if each.subject else page.id, each)
        for page, each in found
    ]
    return told, [(page, known[fold(who)], said) for page, who, said in leavers if fold(who) in known]


def _leavers(page: Truth) -> Iterator[tuple[str, str]]:
    """Who is said to have left, and the sentence; one that leaves out whom they left means the page."""
    dated = [page.truth, *(entry.summary for entry in page.entries)]
    for line in without_code("\n".join(dated)).splitlines():
        for sentence in raw_sentences(line):
            match = _LEAVER.match(sentence)
            if match:
                bare = match["bare"] is not None and "down" not in match["verb"]
                whom = f"{match.group()} {page.title}" if bare else match.group()
                yield match["who"], whom + sentence[match.end() :]


def _ended(
    pages: Iterable[Truth],
    leavers: Sequence[tuple[Truth, int, str]],
    held: Mapping[Subject, Sequence[_Held]],
    called: Mapping[int, tuple[str, ...]],
    today: str,
) -> Iterator[TextClash]:
    """Sentences that say that something has ended which still holds."""
    for page in pages:
        yield from _endings(
            page, _Words(page.names, page.truth, page.entries), held.get(page.id, ()), called, today
        )
    for page, subject, sentence in leavers:
        if subject != page.id and subject in held:
            yield from _endings(page, _Words(called.get(subject, ()), sentence), held[subject], called, today)


@record
class _Words:
    """What is said of a subject, and how it is called."""

    names: Sequence[str]
    truth: str
    entries: Sequence[TimelineEntry] = ()


def _endings(
    page: Truth,
    words: _Words,
    held: Sequence[_Held],
    called: Mapping[int, tuple[str, ...]],
    today: str,
) -> Iterator[TextClash]:
    # Links come first: where a link and an assertion say the same, the link is the one that is quoted.
    once = {(each.fact.predicate, each.fact.object_page or each.fact.key): each for each in reversed(held)}
    rows = list(once.values())
    bonds = [
        Bond(place, row.fact.predicate, spellings(_names(row, called)), row.fact.since)
        for place, row in enumerate(rows)
    ]
    for ending in endings(words.truth, words.names, bonds, today, words.entries):
        one = Source(page, "text", ending.sentence, ending.day, ending.perhaps)
        yield from _clash(one, rows[ending.key])


def _clash(one: Source, held: _Held) -> Iterator[TextClash]:
    if held.source is None:
        yield TextClash(one, held.fact)
    elif (held.source.page.id, held.source.quote) != (one.page.id, one.quote):
        yield TextClash(one, other=held.source)


def _names(held: _Held, called: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    return held.fact.key, held.fact.text, *called.get(held.fact.object_page or 0, ())


def _against_facts(
    connection: apsw.Connection,
    told: Sequence[_Told],
    held: Mapping[Subject, Sequence[_Held]],
    called: Mapping[int, tuple[str, ...]],
    today: str,
) -> Iterator[TextClash]:
    names = {
        fold(each.statement.value) for each in told if each.statement.predicate in ("works_at", "owned_by")
    }
    titles = doubts.pages_called(connection, names)
    for each in told:
        statement = each.statement
        if _is_old(statement, today):
            continue
        known = [
            row
            for row in held.get(each.subject, ())
            if not row.source or row.source.quote != statement.sentence
        ]
        meant = titles.get(fold(statement.value))
        standing = contradicted(statement, [row.fact for row in known], meant, called)
        if standing:
            perhaps = statement.perhaps and not _is_plain(statement, standing, each.page)
            one = Source(each.page, "text", statement.sentence, statement.day, perhaps)
            yield from _clash(one, next(row for row in known if row.fact is standing))


def _is_plain(statement: Statement, standing: Standing, page: Truth) -> bool:
    """Whether a text that names an employer speaks of no other: then it means the only one."""
    named = tokens(standing.text)
    spoken = set(tokens(page.truth.replace("/", " ")))
    return (
        statement.predicate == "works_at" and not is_hearsay(statement.sentence) and not spoken & set(named)
    )


def _is_old(statement: Statement, today: str) -> bool:
    """Whether a line of the timeline tells of a value that may have changed since."""
    if not statement.entry or statement.change or not statement.day or kind_of(statement.predicate) == "day":
        return False
    return doubts.days_between(statement.day, today) > RECENT
