"""The phrases of the files in `phrases/`, by the words that tell of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from quaid.graph.prose.grammar import Vocabulary, element_of, regex
from quaid.graph.prose.slots import slots
from quaid.model.record import record

FOLDER = Path(__file__).with_name("phrases")
FILES = ("states", "work", "people", "firms", "deals", "traits")
_HEADING = re.compile(r"\[([\w. -]+)\]")


@record
class Phrase:
    """A way of saying something: what, how, of which kinds of pages."""

    number: int
    predicate: str
    mode: str
    kinds: frozenset[str]
    text: str
    pattern: str
    anchors: frozenset[str]
    numeric: bool = False  # it needs a number
    free: bool = False  # whoever does it, it is said of the page
    perhaps: bool = False

    @property
    def expression(self) -> re.Pattern[str]:
        """What finds it."""
        return regex(self.pattern)

    @property
    def words(self) -> frozenset[str]:
        """The words that stand in it."""
        return frozenset(re.findall(r"\w+", self.text.lower()))


@cache
def sections(file: str) -> Sequence[tuple[str, tuple[str, ...]]]:
    """The sections of a file: headings, and the lines below each."""
    found: list[tuple[str, list[str]]] = []
    for line in FOLDER.joinpath(f"{file}.txt").read_text(encoding="utf-8").splitlines():
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            found.append((heading[1], []))
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.strip())
    return [(name, tuple(lines)) for name, lines in found]


@cache
def words(name: str) -> frozenset[str]:
    """The lines of a section of `words.txt`."""
    return frozenset(dict(sections("words"))[name])


@cache
def all_phrases() -> tuple[Phrase, ...]:
    """Every phrase of every file."""
    lines = [(heading, line) for file in FILES for heading, below in sections(file) for line in below]
    return tuple(_phrases(lines))


def _phrases(lines: Sequence[tuple[str, str]]) -> Iterator[Phrase]:
    common = dict(sections("common"))
    vocabulary = Vocabulary(common, slots(common["role noun"], common["post noun"]), {})
    for number, (heading, line) in enumerate(lines):
        predicate, mode, *rest = heading.split()
        made = element_of(line, vocabulary)
        yield Phrase(
            number=number,
            predicate=predicate,
            mode=mode,
            kinds=frozenset(rest) - {"free", "perhaps"},
            text=line,
            pattern=made.pattern,
            anchors=made.anchors,
            numeric=made.numbered,
            free="free" in rest,
            perhaps="perhaps" in rest,
        )


@cache
def predicates() -> frozenset[str]:
    """All that phrases can say."""
    return frozenset(each.predicate for each in all_phrases())


@cache
def by_word() -> Mapping[str, tuple[Phrase, ...]]:
    """The phrases that a text may have which has a word."""
    found: dict[str, list[Phrase]] = {}
    for phrase in all_phrases():
        for word in phrase.anchors:
            found.setdefault(word, []).append(phrase)
    return {word: tuple(phrases) for word, phrases in found.items()}


def fitting(spoken: Collection[str], numbers: bool) -> Iterator[Phrase]:
    """The phrases that a sentence of these words may have, in their order."""
    table = by_word()
    found = {each.number: each for word in spoken for each in table.get(word, ())}
    return (found[number] for number in sorted(found) if numbers or not found[number].numeric)
