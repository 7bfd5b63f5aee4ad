"""Two changes of a text of which nothing is known: by lines, and within lines by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quaid.formats.meld.clash import Ledger
from quaid.formats.merge import hunks, merged, with_both_hunks

LIKE = 0.5  # of the words of two texts, for one to be what the other became


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """How much of the words of two texts is the same, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def blended(base: str, newer: str, older: str) -> str | None:
    """A text with the changes of both sides; None where they clash, or little of it is what it was."""
    words = Counter(base.split())
    if any(likeness(words, Counter(side.split())) < LIKE for side in (newer, older)):
        return None
    both = merged(base, newer, older)
    return both if both is not None and likeness(words, Counter(both.split())) >= LIKE else None


def by_lines(base: str, newer: str, older: str, ledger: Ledger) -> str:
    """The text with both changes; of lines that both have changed the newer, and the others are noted."""

    def settle(was: Sequence[str], new: Sequence[str], old: Sequence[str]) -> list[str]:
        start, mine, other = ("".join(each) for each in (was, new, old))
        both = blended(start, mine, other)
        if both is None:
            if not mine.strip() and other.strip():
                ledger.note_deleted(("text", ""), start, other, by_newer=True)
                return list(old)
            if not other.strip():
                ledger.note_deleted(("text", ""), start, mine, by_newer=False)
            else:
                ledger.note(("text", ""), start, mine, other)
            return list(new)
        return [both]

    lines, mine, other = (each.splitlines(keepends=True) for each in (base, newer, older))
    return "".join(with_both_hunks(lines, hunks(lines, mine), hunks(lines, other), settle))
