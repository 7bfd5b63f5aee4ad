"""Names of pages that stand in texts without a link.

The words of every text, and each two that follow one another, are looked up in a table of how names begin, so
that the price is that of the texts, however many names there are. Texts are gone through twice: first for
what might be named without a link, then, closely, for those in which that stands. Pure: texts and names come
from the store.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise, zip_longest
from typing import TypeAlias
from unicodedata import normalize

from quaid.formats.format import page_format
from quaid.formats.slugs import fold
from quaid.model.page import Format
from quaid.model.record import record

MIN_LETTERS = 4  # of a name of one word
MIN_SIGNS = 3  # of a name in a script without spaces
COMMON_SHARE = 0.1  # a word that is written small in more than this share of all places is a common word
# A name that stands unlinked in more pages than both is left out.
EVERYWHERE_PAGES, EVERYWHERE_SHARE = 25, 0.02

_SIGN = "\u0e01-\u0eff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
_SIGNS = re.compile(f"[{_SIGN}]")
_WORD = re.compile(rf"[{_SIGN}]|[^\W_{_SIGN}]+\+*")
_LETTERS = re.compile(r"[^\W\d_]+")
_IDENTIFIER = re.compile(r"[0-9a-f]{8} [0-9a-f]{4} ")
_ADDRESS = r"(?:https?|file|obsidian|mailto):[^\s\0]+|\bwww\.[^\s\0]+|[\w.+-]{1,64}@[\w.-]{1,64}"
_WEB = re.compile(_ADDRESS)
_BLANKS = {sign: " " for sign in range(128) if not chr(sign).isalnum()}  # what no ASCII word has
_JOINTS = frozenset("-_'’ \t\n\r")
# Titles that pages of any kind have, and that nobody means when they write the word.
_GENERIC_LIST = """
about agenda archive area areas author authors books changelog concept concepts contents daily decisions
description documentation draft drafts example examples goals history home ideas inbox index introduction
journal links list meeting meetings monthly notes overview people personal plan project projects questions
readme reading reference references resources review start summary tags tasks template templates thoughts
timeline title todo topics untitled weekly welcome work
"""
_GENERIC = frozenset(_GENERIC_LIST.split())


Beginning: TypeAlias = str | tuple[str, str]


@record
class Text:
    """A page's text, and the pages to which it links already."""

    page: int
    text: str
    format: Format
    linked: frozenset[int]


@record
class Mention:
    """A page whose name stands in another page's text: how it is written, how often, and its first line."""

    page: int
    target: int
    name: str
    times: int
    line: int


class _Name:
    """One name: whose it is, and how it must be written to be meant."""

    __slots__ = ("capital", "marks", "pages")

    def __init__(self) -> None:
        self.pages: set[int] = set()
        self.marks: set[str] = set()
        self.capital = True


class _Seen:
    """Where a name stands in one text."""

    __slots__ = ("line", "small", "times", "written")

    def __init__(self, written: str, line: int) -> None:
        self.written = written
        self.line = line
        self.times = 0
        self.small = 0


class Names:
    """All names that are looked for. A name that is a common word, a number or very short is none."""

    def __init__(self, named: Iterable[tuple[int, str]]) -> None:
        self._names: dict[str, _Name] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}  # by first word
        # By the name of one word, or the first two words of a longer one: the pages.
        self._single: defaultdict[str, set[int]] = defaultdict(set)
        self._pairs: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        self._folded: dict[str, str] = {}
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for page, name in named:
            words = _WORD.findall(_composed(name))
            if not _is_distinct(name, words):
                continue
            folded = [self._fold(word) for word in words]
            known = self._names.setdefault(" ".join(folded), _Name())
            known.pages.add(page)
            known.marks.update(sign for sign in name if not sign.isalnum() and not sign.isspace())
            known.capital = known.capital and _is_capitalised(words)
            lengths[folded[0]].add(len(words))
            if len(folded) > 1:
                self._pairs[folded[0], folded[1]].add(page)
            else:
                self._single[folded[0]].add(page)
        self._singles, self._firsts = frozenset(self._single), frozenset(self._pairs)
        for word, known_lengths in lengths.items():
            self._lengths[word] = tuple(sorted(known_lengths, reverse=True))

    def of(self, key: str) -> _Name:
        """What is known of a name."""
        return self._names[key]

    def seen_in(self, text: str, format: Format) -> dict[str, _Seen]:
        """The names in a text outside code, links and headings; where two begin, the longer one."""
        text = _composed(text)
        found: dict[str, _Seen] = {}
        masked = _masked(text, format)
        folded = self._words(masked)
        single, pairs = self._singles, self._firsts
        starts = [
            place
            for place, (word, pair) in enumerate(zip(folded, zip_longest(folded, folded[1:]), strict=True))
            if word in single or pair in pairs
        ]
        spans: list[tuple[int, int]] = []
        after = 0
        for place in starts:
            if place < after:
                continue
            for length in self._lengths[folded[place]]:
                key = " ".join(folded[place : place + length])
                known = self._names.get(key) if place + length <= len(folded) else None
                if known is None:
                    continue
                spans = spans or [match.span() for match in _WORD.finditer(masked)]
                if _is_joined(masked, spans[place : place + length], known.marks):
                    after = place + length
                    _note(found, key, known, text, (spans[place][0], spans[after - 1][1]))
                    break
        return found

    def _words(self, text: str) -> list[str]:
        """The words of a text, folded."""
        if text.isascii():
            small = text.lower()
            return _WORD.findall(small) if "+" in small else small.translate(_BLANKS).split()
        known = self._folded
        return [known.get(word) or self._fold(word) for word in _WORD.findall(text)]

    def begun_in(self, text: str) -> set[Beginning]:
        """How the names begin that may stand in a text, in links and code too.

        What is blanked out there takes names away, and brings none together: signs of it stand in no name.
        """
        words = self._words(_composed(text))
        return {*self._singles.intersection(words), *self._firsts.intersection(pairwise(words))}

    def begun_by(self, beginning: Beginning) -> set[int]:
        """The pages that have names with that beginning."""
        return self._single[beginning] if isinstance(beginning, str) else self._pairs[beginning]

    def _fold(self, word: str) -> str:
        folded = self._folded[word] = word.lower() if word.isascii() else fold(word)
        return folded


def missing(names: Names, texts: Iterable[Text], most: int | None = None) -> list[Mention]:
    """Pages that texts name and do not link to, those that are named most often first.

    A name that several pages have is left out, because nobody knows which is meant. So is a word that the
    texts write small as well, and a name that stands unlinked on very many pages. The texts are gone through
    twice.
    """
    found: defaultdict[str, list[tuple[Text, _Seen]]] = defaultdict(list)
    named: Counter[str] = Counter()
    small: Counter[str] = Counter()
    begun, wanted = _begun(names, texts)
    for text in texts:
        if wanted.isdisjoint(begun.get(text.page, ())):
            continue
        for key, seen in names.seen_in(text.text, text.format).items():
            named[key] += seen.times
            small[key] += seen.small
            owners = names.of(key).pages
            if seen.times and len(owners) == 1 and text.page not in owners and not owners & text.linked:
                # The text itself need not be kept until the end.
                found[key].append((Text(text.page, "", text.format, frozenset()), seen))
    common = {
        key
        for key in found
        if names.of(key).capital and small[key] > COMMON_SHARE * (named[key] + small[key])
    }
    limit = max(EVERYWHERE_PAGES, EVERYWHERE_SHARE * len(begun))
    mentions = [
        Mention(text.page, next(iter(names.of(key).pages)), seen.written, seen.times, seen.line)
        for key, places in found.items()
        if len(places) <= limit and key not in common
        for text, seen in places
    ]
    return sorted(_once(mentions), key=lambda each: (-each.times, each.page, each.line))[:most]


def _begun(names: Names, texts: Iterable[Text]) -> tuple[dict[int, tuple[Beginning, ...]], set[Beginning]]:
    """How the names begin that may stand in each text, and in any text without a link."""
    begun: dict[int, tuple[Beginning, ...]] = {}
    wanted: set[Beginning] = set()
    for text in texts:
        found = begun[text.page] = tuple(names.begun_in(text.text))
        for each in found:
            if each not in wanted and names.begun_by(each) - text.linked - {text.page}:
                wanted.add(each)
    return begun, wanted


def _once(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """One mention for each two pages: by title and by alias is the same."""
    best: dict[tuple[int, int], Mention] = {}
    for each in mentions:
        known = best.get((each.page, each.target))
        if known is None or (each.times, -each.line) > (known.times, -known.line):
            best[each.page, each.target] = each
    yield from best.values()


def _note(found: dict[str, _Seen], key: str, known: _Name, text: str, span: tuple[int, int]) -> None:
    seen = found.get(key)
    written = text[slice(*span)]
    is_small = known.capital and written == written.lower() != written.upper()
    if seen is None or (not is_small and not seen.times):
        fresh = _Seen(" ".join(written.split()), 1 + text.count("\n", 0, span[0]))
        fresh.small = seen.small if seen else 0
        seen = found[key] = fresh
    if is_small:
        seen.small += 1
    else:
        seen.times += 1


def _is_distinct(name: str, words: list[str]) -> bool:
    """Whether a name is worth looking for."""
    if not words or _IDENTIFIER.match(name):
        return False
    letters = max((len(part) for part in _LETTERS.findall(name)), default=0)
    if _SIGNS.search(name):
        return len(words) >= MIN_SIGNS
    if len(words) > 1:
        return letters >= MIN_LETTERS or (letters > 1 and _is_capitalised(words))
    word = words[0]
    return letters >= MIN_LETTERS and not name.islower() and word.lower() not in _GENERIC


def _is_capitalised(words: list[str]) -> bool:
    """Whether a name is written as names are: one word, or a capital after the first word."""
    return len(words) == 1 or any(word != word.lower() for word in words[1:])


def _is_joined(text: str, spans: list[tuple[int, int]], marks: set[str]) -> bool:
    """Whether words stand together as a name's do: nothing between them that ends a sentence."""
    for (_, end), (start, _) in pairwise(spans):
        between = text[end:start]
        if between != " " and (
            len(between) > 6
            or between.count("\n") > 1
            or any(sign not in _JOINTS and sign not in marks for sign in between)
        ):
            return False
    return True


def _masked(text: str, format: Format) -> str:
    """The text with code, links, headings and addresses blanked out, character for character."""
    blanked = re.sub(page_format(format).syntax.not_prose, _blank, text)
    return _WEB.sub(_blank, blanked) if "://" in blanked or "@" in blanked or "www." in blanked else blanked


def _blank(match: re.Match[str]) -> str:
    return "\0" * (match.end() - match.start())


def _composed(text: str) -> str:
    return text if text.isascii() else normalize("NFC", text)
