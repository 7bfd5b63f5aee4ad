"""Property drawers as Org sees them. A whole base is read with this, so that it imports next to nothing."""

from __future__ import annotations

import re

from quaid.formats.patterns import Pattern

PROPERTY_LINE = Pattern(r"^[ \t]*:(\S+?)(\+?):(?: ([^\n]*)|[ \t]*)$", re.MULTILINE)
# A drawer of properties as Org sees it, in a text with plain line ends. A value begins after a space: not
# every version of Org accepts a tab.
DRAWER_LINES = Pattern(
    r"[ \t]*:PROPERTIES:[ \t]*\n((?:[ \t]*:\S+:(?: [^\n]*|[ \t]*)\n)*?)[ \t]*:END:[ \t]*(?:\n|\Z)",
    re.IGNORECASE,
)

_COMMENTS = Pattern(r"(?:[ \t]*#(?: [^\n]*)?\n)*")
_WORD = Pattern(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')
_ESCAPED = Pattern(r"\\(.)")


def own_drawer(text: str) -> tuple[int, dict[str, str]]:
    """Where the drawer on top of a text ends, and its properties; nothing where Org does not see one."""
    usual = _usual_drawer(text)
    if usual:
        return usual
    comments = _COMMENTS.match(text)
    drawer = DRAWER_LINES.match(text, comments.end() if comments else 0)
    if drawer is None:
        return 0, {}
    return drawer.end(), properties_of(drawer.group(1))


def properties_of(inner: str) -> dict[str, str]:
    """The properties on the lines of a drawer, by their names in capitals; the first of a name counts.

    `:KEY+:` goes on with the value above.
    """
    found: dict[str, str] = {}
    for match in PROPERTY_LINE.finditer(inner):
        key, more, value = match.group(1).upper(), match.group(2), (match.group(3) or "").strip()
        if more and key in found:
            found[key] = f"{found[key]} {value}".strip()
        else:
            found.setdefault(key, value)
    return found


def value_of(key: str, written: str) -> str:
    """The value of a node's property, without the comment behind it.

    A summary is prose and has none; nor has an id, of which Org takes the whole line.
    """
    if key in ("SUMMARY", "ID") or ";" not in written:
        return written
    place = written.find(";")
    while place > 0 and written[place - 1] not in " \t":
        place = written.find(";", place + 1)
    return written if place < 0 else written[:place].rstrip()


def quoted_words(value: str) -> list[str]:
    """The words of a value: several within quotation marks are one."""
    found = []
    for match in _WORD.finditer(value):
        quoted, bare = match.groups()
        found.append(bare if quoted is None else _ESCAPED.sub(r"\1", quoted))
    return found


def _usual_drawer(text: str) -> tuple[int, dict[str, str]] | None:
    """The drawer on top if it is written as usual: that takes a third of the time that patterns take."""
    end = text.find("\n:END:\n", 0, 10_000) if text.startswith(":PROPERTIES:\n") else -1
    if end < 0:
        return None
    found: dict[str, str] = {}
    for line in text[13:end].split("\n"):
        edge, _, rest = line.partition(":")
        key, _, value = rest.partition(": ")
        if edge or not key.isidentifier():
            return None
        found.setdefault(key.upper(), value.strip())
    return end + 7, found
