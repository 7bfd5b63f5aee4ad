"""Results as text for people: colours, aligned columns, plurals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import combining, east_asian_width

from quaid.formats.encoding import without_odd_bytes
from quaid.model.record import record

# Characters that command a terminal, but for tab and newline.
COMMANDING = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)])

MOST_NOTES = 10  # of a kind, on a terminal

_NARROW = 32  # cells: a column that is no wider fits all that is in it


@record
class Style:
    """How text may look: with colours or without, and how wide."""

    color: bool = False
    width: int = 100

    def bold(self, text: str) -> str:
        return self._with("1", text)

    def dim(self, text: str) -> str:
        return self._with("2", text)

    def name(self, text: str) -> str:
        """A slug, or whatever else a person would type."""
        return self._with("36", text)

    def match(self, text: str) -> str:
        """Words that were searched for."""
        return self._with("1;33", text) if self.color else f"**{text}**"

    def warning(self, text: str) -> str:
        return self._with("33", text)

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


def shown(text: str) -> str:
    """Text from a page on one line, without characters that command a terminal."""
    return without_odd_bytes(" ".join(text.split()).translate(COMMANDING))


def cells(text: str) -> int:
    """How many columns a text takes on a terminal."""
    while "\x1b[" in text:
        before, _, after = text.partition("\x1b[")
        text = before + after.partition("m")[2]
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def clipped(text: str, width: int) -> str:
    """Plain text cut to a width, with an ellipsis where it was cut."""
    if cells(text) <= width:
        return text
    taken, used = [], 0
    for character in text:
        used += cells(character)
        if used > width - 1:
            break
        taken.append(character)
    return "".join(taken).rstrip() + "…"


def columns(rows: Sequence[Sequence[str]], gap: int = 2) -> str:
    """Rows with their columns aligned; the last column is as long as it is.

    A cell that is much longer than the others of its column moves its own row only.
    """
    if not rows:
        return ""
    widths = [_width([cells(row[column]) for row in rows]) for column in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        line, end = "", 0
        for text, width in zip(row, widths, strict=False):
            line += text
            end += width + gap
            line += " " * max(end - cells(line), gap)
        lines.append((line + row[-1]).rstrip())
    return "\n".join(lines)


def _width(lengths: list[int]) -> int:
    """How wide a column is: as its longest cell, but for the few that are more than twice the usual."""
    usual = sorted(lengths)[(len(lengths) - 1) * 3 // 4]
    limit = max(_NARROW, 2 * usual)
    return max((length for length in lengths if length <= limit), default=limit)


def count_of(count: int, noun: str, plural: str | None = None) -> str:
    """`1 page`, `2,000 pages`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def left_out(count: int, hint: str = "--limit shows more") -> str:
    """How many a list does not show, and what shows them."""
    return f"… and {count:,} more; {hint}"


def file_notes(label: str, notes: Sequence[Any], style: Style) -> list[str]:
    """What is to be said of files, the first of them: of each its `path` and the `reason`."""
    lines = [
        f"  {style.warning(label)}: {shown(each.path)}: {shown(each.reason)}" for each in notes[:MOST_NOTES]
    ]
    more = len(notes) - MOST_NOTES
    return [*lines, f"  {left_out(more, '`--json` shows all')}"] if more > 0 else lines


def numbers(counts: Mapping[str, int], indent: str = "") -> list[tuple[str, str]]:
    """Rows of a name and how many there are of it."""
    return [(f"{indent}{shown(name)}", f"{count:,}") for name, count in counts.items()]


def effects(counts: Mapping[str, int]) -> str:
    """`3 added, 1 changed`; nothing is said of what there is none of."""
    return ", ".join(f"{count:,} {shown(name)}" for name, count in counts.items() if count)
