"""The markup within a paragraph, as far as it decides whether a link is one.

Org reads from left to right, and what begins first hides what it holds: a link in verbatim text, in a formula
or in a macro is none, and one that is cut by the end of a bold text is none either. Where there is no such
markup, every link counts, and nothing of this is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from quaid.formats.org.areas import CELL, Area

# The types that Org and org-roam know. Others, such as those of org-ref, depend on the user's Emacs.
TYPES = (
    "attachment|bbdb|bibtex|docview|doi|elisp|eww|file\\+emacs|file\\+sys|file|ftp|gnus|help|https|http|id|info|irc"
    "|mailto|mhe|news|rmail|roam|shell|w3m"
)
_OPEN = r"[^\]\[ \t\n()<>]"
_PAREN = rf"\((?:{_OPEN}|\({_OPEN}*\))*\)"
# The beginning of a word: Emacs parts words where the script changes, and counts these signs as letters.
WORD = r"(?<![0-9A-Za-z$%'\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff])"
PLAIN = rf"{WORD}({TYPES}):((?:{_OPEN}|{_PAREN})+(?:[^\W_]|/|{_PAREN}))"
ANGLE = rf"<({TYPES}):([^>\n]*(?:\n[ \t]*[^> \t\n][^>\n]*)*)>"
ADDRESS = r"\[\[((?:[^\[\]\\]|\\[\s\S])+)\]"  # of a link in brackets, as far as its first bracket

_SPECIAL = r"[=~$\\{@*/+_^<]|\[(?:fn:|cite[:/]|[0-9])|src_|call_"
_BEGINNING = (
    rf"[_^][-{{(*+.,\w]|[*~=+_/](?=\S)|{WORD}(?:{TYPES}):|\[(?:cite[:/]|fn:|[0-9]|\[)|@@|\{{\{{\{{"
    rf"|<(?:%%|<|[0-9]|(?:{TYPES}):)|\$|\\(?:[a-zA-Z\[(])|{WORD}(?:call|src)_"
)
_BEFORE = frozenset(" \t\n\r\f\v-('\"{")
_AFTER = r"(?=[\s\-.,:!?;'\")}\\\[]|\Z)"
_BRACES = r"\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}"
_PARENS = r"\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)"
_SCRIPT = rf"[_^](?:({_BRACES}|{_PARENS})|\*|[+-]?[^\W_]*(?:[.,\\]*[^\W_]+)+)"
_STAMP = r"[\[<](?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?: .*?)?|%%\([^>\n]+\))[\]>](?:--[<\[].*?[\]>])?"
_FOOTNOTE = r"\[fn:(?:[-\w]*(:)|[-\w]+\])"
_CITATION = r"\[cite(?:/[-/\w]+)?:"
_MACRO = r"\{\{\{[a-zA-Z][-a-zA-Z0-9_]*(?:\([\s\S]*?\))?\}\}\}"
_TARGET = r"<<<?(?:[^<>\n\r \t]|[^<>\n\r \t][^<>\n\r]*[^<>\n\r \t])>>>?"
_COMMAND = r"\\[a-zA-Z]+\*?(?:\[[^\]\[\n{}]*\]|\{[^{}\n]*\})*"


class LinkSpan(NamedTuple):
    """A link in the text: where it begins, and where its brackets end."""

    start: int
    end: int


def may_hide(text: str, area: Area) -> bool:
    """Whether there is markup in an area that could hide a link."""
    return _regex(_SPECIAL).search(text, area.start, area.end) is not None


def links_in(text: str, area: Area) -> list[LinkSpan]:
    """The links of an area, in order."""
    found: list[LinkSpan] = []
    stack = [(area.start, area.end)]
    while stack:
        start, end = stack.pop()
        for each in _objects(text, start, end, area.kind == CELL):
            if isinstance(each, LinkSpan):
                found.append(each)
            elif each.inner:
                stack.append(each.inner)
    return sorted(found)


class _Object(NamedTuple):
    """Something that is no link. `inner` is the part in which links count."""

    end: int
    inner: tuple[int, int] | None = None


def _objects(text: str, start: int, end: int, in_cell: bool) -> Iterator[_Object | LinkSpan]:
    lexer = Lexer(text, start, end, in_cell)
    place = start
    while place < end:
        match = _regex(_BEGINNING).search(text, place, end)
        if match is None:
            return
        found = lexer.object_at(match.start())
        if found is None or found.end <= match.start():
            place = match.start() + 1
            continue
        yield found
        place = found.end


class Lexer:
    """Reads objects between two places, beyond which it sees nothing."""

    def __init__(self, text: str, start: int, end: int, in_cell: bool = False) -> None:
        self._text, self._start, self._end = text, start, end
        self._in_cell = in_cell
        self._absent: set[str] = set()
        self._unclosed: dict[str, int] = {}  # marks, and up to where none of them closes

    def object_at(self, place: int) -> _Object | LinkSpan | None:
        char = self._text[place]
        if char in "_^":
            return self._script(place) or (self._emphasis(place) if char == "_" else None)
        if char == "{":
            return self._whole(_MACRO, place)
        reader = _READERS.get(char)
        return reader(self, place) if reader else self._code(place) or self._link(PLAIN, place)

    def link_at(self, place: int) -> LinkSpan | None:
        """The link in brackets that begins at a place, whatever stands around it."""
        found = self._bracket(place)
        return found if isinstance(found, LinkSpan) else None

    def plain_at(self, place: int) -> LinkSpan | None:
        """The link whose type begins at a place, with or without angles around it."""
        angled = place > self._start and self._text[place - 1] == "<"
        return (self._link(ANGLE, place - 1) if angled else None) or self._link(PLAIN, place)

    def _match(self, pattern: str, place: int) -> re.Match[str] | None:
        return _regex(pattern).match(self._text, place, self._end)

    def _whole(self, pattern: str, place: int) -> _Object | None:
        match = self._match(pattern, place)
        return _Object(match.end()) if match else None

    def _link(self, pattern: str, place: int) -> LinkSpan | None:
        match = self._match(pattern, place)
        return LinkSpan(place, match.end()) if match else None

    def _find(self, wanted: str, place: int) -> int:
        """The place behind the next occurrence; what is not there is not looked for again."""
        if wanted in self._absent:
            return -1
        found = self._text.find(wanted, place, self._end)
        if found < 0:
            self._absent.add(wanted)
            return -1
        return found + len(wanted)

    def _emphasis(self, place: int) -> _Object | None:
        """Marked text: it begins and ends with no blank, and goes over one line end at most."""
        text, mark = self._text, self._text[place]
        if place > self._start and text[place - 1] not in _BEFORE:
            return None
        if place + 2 >= self._end or text[place + 1].isspace():
            return None
        limit = text.find("\n", place, self._end)
        limit = text.find("\n", limit + 1, self._end) if limit >= 0 else -1
        limit = self._end if limit < 0 else limit
        if self._unclosed.get(mark) == limit:
            return None
        end = min(limit + 1, self._end)
        close = _regex(rf"(?<=\S){re.escape(mark)}{_AFTER}").search(text, place + 2, end)
        if close is None:
            self._unclosed[mark] = limit
            return None
        return _Object(close.end(), None if mark in "=~" else (place + 1, close.start()))

    def _script(self, place: int) -> _Object | None:
        if place == self._start or self._text[place - 1].isspace():
            return None
        match = self._match(_SCRIPT, place)
        if match is None:
            return None
        return _Object(match.end(), (match.start(1) + 1, match.end(1) - 1) if match.group(1) else None)

    def _bracket(self, place: int) -> _Object | LinkSpan | None:
        if self._text.startswith("[[", place):
            address = self._match(ADDRESS, place)
            end = self._bracket_end(address.end()) if address else -1
            return LinkSpan(place, end) if end > 0 else None
        footnote = self._match(_FOOTNOTE, place)
        if footnote:
            end = self._balanced(place, "[]")
            inner = (footnote.end(), end - 1) if footnote.group(1) else None
            return _Object(end, inner) if end > 0 else None
        if self._match(_CITATION, place):
            end = self._balanced(place, "[]")
            return _Object(end) if end > 0 and "@" in self._text[place:end] else None
        return self._whole(_STAMP, place)

    def _bracket_end(self, place: int) -> int:
        """Where a link ends whose address ends at a place, or -1: it may have a description."""
        if self._text.startswith("]", place) and place < self._end:
            return place + 1
        return self._find("]]", place + 2) if self._text.startswith("[", place) else -1

    def _angle(self, place: int) -> _Object | LinkSpan | None:
        if self._text.startswith("<<", place):
            return self._whole(_TARGET, place)
        return self._whole(_STAMP, place) or self._link(ANGLE, place)

    def _formula(self, place: int) -> _Object | None:
        text = self._text
        if text.startswith("$$", place):
            end = self._find("$$", place + 2)
            return _Object(end) if end > 0 else None
        after = text[place + 1 : place + 2]
        if (place > self._start and text[place - 1] == "$") or after in " \t\n,.;":
            return None
        end = self._find("$", place + 1)
        if end < 0 or text[end - 2] in " \t\n,.":
            return None
        behind = text[end] if end < self._end else "\n"
        return _Object(end) if not behind.isalnum() and behind not in "$%&*+-/=\\_|~" else None

    def _backslash(self, place: int) -> _Object | None:
        for opening, closing in (("\\(", "\\)"), ("\\[", "\\]")):
            if self._text.startswith(opening, place):
                end = self._find(closing, place + 2)
                return _Object(end) if end > 0 else None
        return self._whole(_COMMAND, place)

    def _snippet(self, place: int) -> _Object | None:
        match = self._match(r"@@[-A-Za-z0-9]+:", place)
        if match is None:
            return None
        end = self._find("@@", match.end())
        return _Object(end if end > 0 else match.end())

    def _code(self, place: int) -> _Object | None:
        """Code or a call within a line."""
        if self._in_cell:
            return None
        for pattern, pair in ((r"src_[^ \t\n\[{]+(?=[{\[])", "{}"), (r"call_[^ \t\n\[(]+(?=[(\[])", "()")):
            match = self._match(pattern, place)
            if match:
                end = match.end()
                if self._text.startswith("[", end):
                    end = self._balanced(end, "[]")
                if end > 0 and self._text.startswith(pair[0], end):
                    end = self._balanced(end, pair)
                    if end > 0 and pair == "()" and self._text.startswith("[", end):
                        end = max(end, self._balanced(end, "[]"))
                    return _Object(end) if end > 0 else None
        return None

    def _balanced(self, place: int, pair: str) -> int:
        """The place behind the bracket that closes the one at a place, or -1."""
        depth = 0
        for match in _regex(f"[{re.escape(pair)}]").finditer(self._text, place, self._end):
            depth += 1 if match.group() == pair[0] else -1
            if depth == 0:
                return match.end()
        return -1


_READERS: Mapping[str, Callable[[Lexer, int], _Object | LinkSpan | None]] = {
    **dict.fromkeys("*/+=~", Lexer._emphasis),
    "[": Lexer._bracket,
    "<": Lexer._angle,
    "$": Lexer._formula,
    "\\": Lexer._backslash,
    "@": Lexer._snippet,
}
_PATTERNS: dict[str, re.Pattern[str]] = {}


def _regex(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first used: most texts need few of them."""
    known = _PATTERNS.get(pattern)
    if known is None:
        flags = re.IGNORECASE if pattern in (PLAIN, ANGLE, _BEGINNING) else 0
        known = _PATTERNS[pattern] = re.compile(pattern, flags)
    return known
