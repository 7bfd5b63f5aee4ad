"""Lines such as `Phone: 555-0134`, and whether they say something besides where else to look."""

from __future__ import annotations

import re

LABEL = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}[^\W\d_][^:\n|]{0,40}:[*_]{0,2}[ \t]+\S")
LEAST_PROSE = 20  # letters that must be left of a text without its pointers

_LINK = re.compile(
    r"!?\[\[[^\]\n]*\](?:\[[^\]\n]*\])?\]|!?\[[^\]\n]*\]\([^)\n]*\)|\w+://\S+|<[^>\n]*>|[#^][\w/-]+|%%[^%]*%%"
)
_CODE = re.compile(r"`[^`\n]*`|=[^=\s]+=|~[^~\s]+~")
_WORD = re.compile(r"[^\W_]{3,}|[\u2e80-\u9fff\uac00-\ud7af]{2,}")
_LETTER = re.compile(r"[^\W\d_]")


def says_something(text: str) -> bool:
    """Whether a line has words that are neither its label nor the name of another page."""
    if "[" in text or "://" in text:
        return _WORD.search(_LINK.sub(" ", _value(text))) is not None
    if text.isascii():
        return len(_WORD.findall(text)) > 1
    return _WORD.search(text) is not None


def without_pointers(text: str) -> str:
    """A text without lines that give a label nothing but a link or a code, if there is prose beside them.

    `Developed by: [[ada]]` is found by its words. In the vector of a section, such lines of a card, alike
    on all pages of a kind, would outweigh the sentence that says what the page is about. Items of lists stay:
    each is a line of its own.
    """
    if ":" not in text:
        return text
    kept = [line for line in text.splitlines(keepends=True) if not _points(line)]
    rest = "".join(kept)
    return rest if len(_LETTER.findall(rest)) >= LEAST_PROSE else text


def _points(line: str) -> bool:
    if line[:1] in "-*+ \t" or not LABEL.match(line):
        return False
    value = _value(line)
    bare = _CODE.sub(" ", _LINK.sub(" ", value))
    return bare != value and _WORD.search(bare) is None


def _value(line: str) -> str:
    label = LABEL.match(line)
    return line[label.end() - 1 :] if label else line
