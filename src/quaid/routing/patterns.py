"""Patterns made of phrases: lists of ways of saying something, and grammar that joins lists.

A name in braces stands for any phrase of a section: `{STREET}` for those of `[street]` in the same file, else
in `common.txt`. A pattern is put together when it is first asked for: nothing is read before a sentence is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from quaid.formats import patterns
from quaid.routing.phrase_files import sections

COMMON = "common"
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_NAME = re.compile(r"\{([A-Z][A-Z ]*)\}")


class Pattern(patterns.Pattern):
    """A regular expression that is put together and compiled when it is first asked for."""

    def without(self, text: str) -> str:
        """A text without the first place where it is said."""
        return self.sub("", text, count=1)


def ways(file: str, section: str, *, anywhere: bool = False) -> Pattern:
    """What fits any line of a section, at the beginning of a sentence or anywhere in it.

    In these lines a space stands for any white space (` ?` for one or none).
    """

    def source() -> str:
        lines = [_GROUP.sub("(?:", _filled(file, line)) for line in sections(file)[section]]
        spaced = [re.sub(" +", r"\\s+", line.replace(" ?", r"\s?")) for line in lines]
        return f"{'' if anywhere else '^'}(?:{'|'.join(spaced)})"

    return Pattern(source, re.IGNORECASE)


def grammar(file: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> Pattern:
    """A regular expression with names of sections in it."""
    return Pattern(lambda: _filled(file, text), flags)


def _filled(file: str, text: str) -> str:
    return _NAME.sub(lambda name: _any_of(file, name[1].lower()), text)


def _any_of(file: str, section: str) -> str:
    """A group of all phrases of a section."""
    # The groups of phrases capture nothing: grammar counts its own.
    phrases = sections(file).get(section) or sections(COMMON)[section]
    return f"(?:{'|'.join(_GROUP.sub('(?:', _filled(file, phrase)) for phrase in phrases)})"


_GAP = re.compile(r"<([a-z]+)>")
ABOUT = "about"


def forms(file: str, section: str) -> Forms:
    """Sentences with gaps in them, one on each line of a section: `take <about> off the <place>`."""
    return Forms(file, section)


class Forms:
    """Sentences with gaps; each line is a pattern of its own, in their order.

    A line without a gap may stand anywhere in a text: the rest of the text is what it is about.
    """

    def __init__(self, file: str, section: str) -> None:
        self._file = file
        self._section = section

    @cached_property
    def _whole(self) -> tuple[re.Pattern[str], ...]:
        lines = [line for line in sections(self._file)[self._section] if _GAP.search(line)]
        return tuple(
            re.compile(_GAP.sub(r"(?P<\1>\\S.*?)", self._source(line)), re.IGNORECASE | re.DOTALL)
            for line in lines
        )

    @cached_property
    def _within(self) -> re.Pattern[str] | None:
        lines = [line for line in sections(self._file)[self._section] if not _GAP.search(line)]
        joined = "|".join(map(self._source, lines))
        return re.compile(rf"(?:(?<!\w)|(?=['’]))(?:{joined})(?!\w)", re.IGNORECASE) if lines else None

    def _source(self, line: str) -> str:
        plain = _GROUP.sub("(?:", _filled(self._file, line))
        return re.sub(" +", r"\\s+", plain.replace(" ?", r"\s?"))

    def fillings(self, text: str) -> Iterator[dict[str, str]]:
        """What stands in the gaps, for each line that a text is or has in it."""
        for pattern in self._whole:
            found = pattern.fullmatch(text)
            if found:
                yield {name: (words or "").strip() for name, words in found.groupdict().items()}
        found = self._within.search(text) if self._within else None
        if found:
            yield {ABOUT: f"{text[: found.start()]} {text[found.end() :]}".strip()}
