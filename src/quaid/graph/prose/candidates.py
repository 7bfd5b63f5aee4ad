"""What is worth being read twice: what holds of a subject, beside sentences that speak of the same subject.

Cheap signs choose few of all pairs: who is named, which words are shared, which fields say something.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from quaid.formats.fields import snake_case
from quaid.formats.figures import figures
from quaid.formats.predicates import SYNONYMS
from quaid.formats.slugs import fold
from quaid.graph.prose.caveats import is_open
from quaid.graph.prose.holdings import Held, Source
from quaid.graph.prose.kinds import is_subject, is_typed, kind_named
from quaid.graph.prose.phrasebook import words
from quaid.graph.prose.sentences import LINK, Sentence, blocks, is_quotation, raw_sentences, shown_text
from quaid.model.record import record, replace
from quaid.store.doubts import Truth

_FEWEST, _MOST = 3, 60  # words of a sentence that says something
_LONGEST_VALUE = 120  # characters
_PER_STATEMENT, _PER_PAGE, _PER_TEXTS = 40, 400, 24
_IN_ALL, _LEAST = 6000, 2  # pairs of sentences of all pages, and at least of each, where all are read
_PER_NAMED, _NAMED = 12, 3  # sentences of a page that a value names, and pages that it may name
_FAR = 12  # sentences of one page that stand further apart are read together only if they share words
_PATH = re.compile(r"(?<=\[\[)[\w-]+(?:/[\w-]+)+(?=\]\])|^[\w-]+(?:/[\w-]+)+$")
_SPOKEN_OF = 2  # words of a page by which a related page may mean it
_FEW = 30  # pages to which one is related: what is related to more is a list
_AT_MOST = 2  # pages on which one block stands
_LISTED = 5  # pages that one names which is about none: what names more is a list, or a newsletter
_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"%%|\^[\w-]+$|</?[a-z]|!\[|\[!|https?:|\{\{|::|\$\$")
# Fields by which pages are kept, and which say nothing of what they are about.
_TECHNICAL_WORDS = """
alias aliases assertions author banner category categories comment comments cover created cssclass cssclasses
date_created date_modified desc description doc_type draft icon id image isbn kanban_plugin lang language
lastmod layout link links modified name notes permalink publish published score slug source sources summary
tag tags template time timestamp title type updated uid url urls uuid week year
"""
_TECHNICAL = frozenset(_TECHNICAL_WORDS.split())
_DENIAL_WORDS = """
no not never none nor longer t without instead former formerly ex until till left quit was were had used from
stepped step retired resigned fired down out off ended lost dropped gone died wrong back moved closed sold
"""
_DENIALS = frozenset(_DENIAL_WORDS.split())
# Verbs by which a state begins, as far as `stems` keeps them.
_BEGUN = frozenset({"join", "joins", "joine", "hired", "start", "began", "becam", "appoi", "promo", "elect"})
_KNOWN = frozenset(SYNONYMS.values()) | {"status", "stage"}


@record
class Passage:
    """A sentence of a page's text or timeline, and of whom it speaks besides its own page."""

    page: Truth
    text: str
    day: str | None
    about: frozenset[int]
    whom: str = ""  # it speaks of, where it is read apart from its page

    @property
    def read(self) -> str:
        """As it is read: what stands in a timeline with its day."""
        return ": ".join(each for each in (self.day, self.whom, self.text) if each)

    @property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @property
    def is_sentence(self) -> bool:
        """Whether it says something by itself, as an item of a list or a heading may not."""
        return bool(self.day) or self.text.rstrip("”’\"')*_ ").endswith((".", "!", ";"))

    @property
    def source(self) -> Source:
        return Source(self.page, "text", self.text, self.day)


@record
class Claim:
    """Something that holds of a page, as it is read, and the fact, field or sentence that says so.

    Of a fact or field, also what it is called and its value.
    """

    subject: Truth
    read: str
    held: Held | None
    passage: Passage | None = None
    key: str = ""
    value: str = ""


@record
class Candidate:
    """A claim, and the passages that may stand against it."""

    claim: Claim
    passages: tuple[Passage, ...]

    @property
    def pages(self) -> set[int]:
        """Those that it concerns."""
        return {self.claim.subject.id, *(each.page.id for each in self.passages)}


class Index:
    """The names of pages, to see of whom sentences speak."""

    def __init__(self, pages: Iterable[Truth], related: Mapping[int, Collection[int]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self._parts: dict[int, frozenset[str]] = {}
        self._related = related
        self._by_path: dict[str, int] = {}
        for page in pages:
            self._by_path[fold(page.slug)] = self._by_path[fold(page.slug.rsplit("/", 1)[-1])] = page.id
            self._by_path[fold(page.title)] = page.id
            for name in {fold(page.title), *map(fold, page.names)}:
                spoken = tuple(_WORD.findall(name))
                if spoken and len("".join(spoken)) > 3:
                    self._by_first.setdefault(spoken[0], []).append((spoken, page.id))
            parts = _WORD.findall(fold(page.title))
            self._parts[page.id] = frozenset(each for each in parts if len(each) > 2) - words("filler")

    def pages_named(self, raw: str, home: int) -> frozenset[int]:
        """The pages besides its own that a text links or names, or names in part if they are related."""
        found = set()
        for match in LINK.finditer(raw) if "[" in raw else ():
            target = match["wiki"] or match["org"] or match["path"] or ""
            page = self._by_path.get(fold(target.rsplit("/", 1)[-1])) or self._by_path.get(fold(target))
            found |= {page} if page else set()
        written = _WORD.findall(raw)
        spoken = [word.lower() if word.isascii() else fold(word) for word in written]
        for place, name, page in self._names_in(spoken):
            found |= {page} if len(name) > 1 or written[place][0].isupper() else set()
        related = self._related.get(home, ())
        if 0 < len(related) <= _FEW:
            own = self._parts.get(home, frozenset())
            capitals = {word for word, form in zip(spoken, written, strict=True) if form[0].isupper()} - own
            found |= {page for page in related if capitals & self._parts.get(page, frozenset())}
        return frozenset(found - {home})

    def pages_titled(self, page: Truth) -> frozenset[int]:
        """The pages that a title names with several words, and more of its own."""
        spoken = _WORD.findall(fold(page.title))
        named = {found for _, name, found in self._names_in(spoken) if 1 < len(name) < len(spoken)}
        return frozenset(named - {page.id})

    def _names_in(self, spoken: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...], int]]:
        """Where the names of pages begin among some words."""
        for place, word in enumerate(spoken):
            for name, page in self._by_first.get(word, ()):
                if tuple(spoken[place : place + len(name)]) == name:
                    yield place, name, page


def _passages_of(
    pages: Mapping[int, Truth], index: Index, whole: Collection[int], today: str
) -> dict[int, list[Passage]]:
    """What pages say: some of them all of it, others only what names another page."""
    texts = {
        page.id: [
            (block, day)
            for text, day in (
                (page.truth, None),
                *((entry.summary, entry.date) for entry in page.entries if entry.date <= today),
            )
            for block in blocks(text)
        ]
        for page in pages.values()
    }
    # A page whose title names another one speaks of that throughout: `Villa Serrat, 8 to 22 August`.
    titled = {page.id: index.pages_titled(page) for page in pages.values()}
    # What stands on several pages is a form that was filled in, and says nothing of one of them.
    times = Counter(block for found in texts.values() for block, _ in found)
    return {
        page: [
            passage
            for block, day in found
            if times[block] <= _AT_MOST
            for near in (titled[page] | index.pages_named(block, page),)
            if near or page in whole
            for passage in _passages(pages[page], block, day, near)
        ]
        for page, found in texts.items()
    }


def _passages(page: Truth, block: str, day: str | None, near: frozenset[int]) -> Iterator[Passage]:
    """The sentences of a block that say something."""
    for raw in _whole(raw_sentences(block)):
        shown = shown_text(_PATH.sub(_title_from, raw))
        if _MARKUP.search(shown) or is_quotation(shown) or is_open(Sentence(shown, shown)):
            continue
        if _FEWEST - bool(day) <= len(_WORD.findall(shown)) <= _MOST:
            yield Passage(page, shown, day, near)


def _whole(parts: Sequence[str]) -> Iterator[str]:
    """Sentences with what follows them after a semicolon."""
    begun = ""
    for part in parts:
        begun = f"{begun} {part}".strip()
        if not part.endswith(";"):
            yield begun
            begun = ""
    if begun:
        yield begun


@lru_cache(maxsize=65_536)
def stems(text: str) -> frozenset[str]:
    """The words of a text that carry something, without their endings."""
    found = (word for word in _WORD.findall(fold(text)) if word not in words("filler"))
    return frozenset(word[:5] for word in found if len(word) > 2 or word.isdigit())


def claims(
    page: Truth, held: Sequence[Held], called: Mapping[int, tuple[str, ...]], same: Mapping[str, str]
) -> Iterator[Claim]:
    """What fields, facts and links say of a page, in the words of its fields."""
    taken: set[str] = set()
    written = {same.get(snake_case(key), snake_case(key)): key for key in page.fields}
    for each in held:
        fact, source = each.fact, each.source
        if source and source.kind == "field":
            key, _, value = source.quote.partition(": ")
        else:
            key = written.get(fact.predicate, fact.predicate)
            value = (called.get(fact.object_page or 0) or (fact.text,))[0]
        value = _PATH.sub(_title_from, value)
        if not _says_something(same.get(snake_case(key), snake_case(key)), page):
            continue
        key = key.replace("_", " ")
        read = headed(page, f"{key}: {value}")
        if 0 < len(value) <= _LONGEST_VALUE and "://" not in value and read not in taken:
            taken.add(read)
            yield Claim(page, read, each, key=key, value=value)


def _says_something(predicate: str, page: Truth) -> bool:
    """Whether it is known what a field says, or whether its page is about somebody or something."""
    if predicate in _TECHNICAL or predicate.endswith(("_id", "_url", "_link", "_count", "_date")):
        return False
    return predicate in _KNOWN or is_subject(page)


def headed(page: Truth, text: str) -> str:
    """A statement with what it is about."""
    kind = kind_named(page)
    return f"{page.title}, {kind}. {text}" if kind else f"{page.title}. {text}"


def candidates(
    pages: Mapping[int, Truth],
    held: Mapping[int, Sequence[Held]],
    called: Mapping[int, tuple[str, ...]],
    related: Mapping[int, Collection[int]],
    same: Mapping[str, str],
    today: str,
    *,
    sparing: bool = False,
) -> Iterator[Candidate]:
    """Claims of pages with the sentences that may stand against them; if sparing, fewer of many pages."""
    stated = {page.id: list(claims(page, held.get(page.id, ()), called, same)) for page in pages.values()}
    subjects = {page.id for page in pages.values() if is_subject(page)}
    # A folder alone says what a page is called, not that it is more than a text.
    records = {page for page in subjects if is_typed(pages[page]) or stated[page]}
    most = max(_LEAST, min(_PER_TEXTS, _IN_ALL // max(1, len(records)))) if sparing else _PER_TEXTS
    told_of = [page for page in pages.values() if page.id in subjects or stated[page.id]]
    index = Index(told_of, related)
    said = _passages_of(pages, index, {page.id for page in told_of}, today)
    about: dict[int, list[Passage]] = {}
    for passage in (each for found in said.values() for each in found):
        for page_id in passage.about:
            about.setdefault(page_id, []).append(passage)
    lists = {
        page
        for page, found in said.items()
        if page not in records and len(frozenset().union(*(each.about for each in found))) > _LISTED
    }
    for page in told_of:
        own = said[page.id]
        others = [*about.get(page.id, ()), *_unnamed_passages(page, related.get(page.id, ()), said)]
        left = _PER_PAGE
        for claim in stated[page.id]:
            named = _of_named(claim, index, said)
            chosen = _against_fact(claim, own, [*others, *named])[:left]
            left -= len(chosen)
            if chosen:
                yield Candidate(claim, tuple(chosen))
        if page.id in records:
            others = [each for each in others if each.page.id not in lists]
            yield from _between_texts(page, own, others, most)


def _unnamed_passages(
    page: Truth, related: Collection[int], said: Mapping[int, Sequence[Passage]]
) -> Iterator[Passage]:
    """The sentences of related pages that speak of a page in other words: `the font licence`."""
    spoken = stems(page.title) | stems(page.summary)
    for other in related if len(related) <= _FEW else ():
        for passage in said.get(other, ()):
            if page.id not in passage.about and len(passage.stems & spoken) >= _SPOKEN_OF:
                yield passage


def _of_named(claim: Claim, index: Index, said: Mapping[int, Sequence[Passage]]) -> list[Passage]:
    """What the pages that a value names say of themselves: who is said to be somebody's wife may deny it."""
    home = claim.subject.id
    value = claim.read.rsplit(": ", 1)[-1]
    pages = index.pages_named(value, home) | ({claim.held.fact.object_page or home} if claim.held else set())
    found = [
        replace(each, whom=each.page.title)
        for page in sorted(pages - {home})
        for each in said.get(page, ())
        if home not in each.about
    ]
    return found[:_PER_NAMED] if len(pages - {home}) <= _NAMED else []


def _against_fact(claim: Claim, own: Sequence[Passage], others: Sequence[Passage]) -> list[Passage]:
    """The sentences about what a fact is about; those of a day before it began are its history."""
    since = claim.held.fact.since if claim.held else None
    value = claim.read.rsplit(": ", 1)[-1]
    found = (
        each
        for each in (*own, *others)
        if not (since and each.day and each.day <= since) and not _repeats(each.text, value)
    )
    return list(islice(found, _PER_STATEMENT))


def _repeats(text: str, value: str) -> bool:
    """Whether a sentence says the same value, in whatever spelling, and does not deny it."""
    wanted, said = (_WORD.findall(fold(figures(each))) for each in (value, text))
    if len(wanted) > 1 and wanted[-1].isdigit() and len(wanted[-1]) == 4 and wanted[-1] not in said:
        wanted.pop()  # the year of a day goes without saying
    return bool(wanted) and set(wanted) <= set(said) and _DENIALS.isdisjoint(said)


def _between_texts(
    page: Truth, own: Sequence[Passage], others: Sequence[Passage], most: int
) -> Iterator[Candidate]:
    """Sentences about one subject, of one page or of two: those first that share most words beside it.

    Those of another page that share none come last: `parking is free`, `the car park charges`.
    """
    name = stems(page.title)
    # Each is laid beside each: of a whole book only the first sentences are.
    own, others = own[:_PER_PAGE], others[:_PER_PAGE]
    near = sorted(
        (-shared, number - place, place, number)
        for place, one in enumerate(own)
        for number, other in enumerate((*own, *others))
        if number > place
        and (one.is_sentence or other.is_sentence)
        and not (one.day and other.day and one.day != other.day)
        and ((shared := len(one.stems & other.stems - name)) or not place + _FAR <= number < len(own))
        and not (_is_said_by(one, other) or _is_said_by(other, one))
    )[:most]
    every = (*own, *others)
    for place, passage in enumerate(own):
        chosen = tuple(every[number] for _, _, first, number in near if first == place)
        if chosen:
            yield Candidate(Claim(page, headed(page, passage.read), None, passage), chosen)


def _is_said_by(one: Passage, other: Passage) -> bool:
    """Whether a sentence says no more than another: who is something (`CEO of Heron`) became it once."""
    return one.stems - _BEGUN <= other.stems


def _title_from(path: re.Match[str]) -> str:
    """What a page that is not there would be called."""
    return path.group().rsplit("/", 1)[-1].replace("-", " ").replace("_", " ").title()
