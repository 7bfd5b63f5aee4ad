"""Two changes of one page, merged by what the page says.

The result does not depend on the order in which the sides are given. It never has marks of a conflict in it:
where both have changed the same, the page holds the newer, and the other is told as a clash.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from itertools import pairwise

from quaid.formats.format import PageFormat, page_format
from quaid.formats.markdown import frontmatter
from quaid.formats.meld.clash import Ledger, Melded, Side, chosen, instant
from quaid.formats.meld.lines import by_lines
from quaid.formats.meld.parts import FIELD, Cutter, Part
from quaid.formats.meld.settle import Settler
from quaid.formats.meld.weave import Weave
from quaid.model.page import Format


def meld(base: str, one: Side, other: Side, format: Format = "markdown") -> Melded:
    """The page with what both sides have made of `base`; "" if there was none."""
    if one.text == other.text or other.text == base:
        return Melded(one.text)
    if one.text == base:
        return Melded(other.text)
    newer, older = sorted((one, other), key=_age, reverse=True)
    texts = [_level(each) for each in (base, newer.text, older.text)]
    ledger = Ledger(newer.moment, older.moment)
    text = _Page(page_format(format), ledger).merged(*texts)
    return Melded(_styled(text, base, newer.text, older.text), tuple(ledger.clashes))


def _age(side: Side) -> tuple[datetime, str]:
    return instant(side.moment), sha256(side.text.encode("utf-8", "surrogatepass")).hexdigest()


def _level(text: str) -> str:
    """The text with plain line ends, where all are alike, and a last line that is ended."""
    if _has_windows_ends(text):
        text = text.replace("\r\n", "\n")
    return text if not text or text.endswith("\n") else text + "\n"


def _has_windows_ends(text: str) -> bool:
    return "\r\n" in text and text.count("\r\n") == text.count("\n")


def _styled(text: str, base: str, newer: str, older: str) -> str:
    """The text with the line ends of the sides, and with an end of its last line if they have one."""

    def with_change(was: bool, new: bool, old: bool) -> bool:
        return old if new == was else new

    if text and not with_change(*(each.endswith("\n") or not each for each in (base, newer, older))):
        text = text.removesuffix("\n")
    windows = with_change(*(_has_windows_ends(each) for each in (base or newer, newer, older)))
    return text.replace("\n", "\r\n") if windows and not _has_windows_ends(text) else text


class _Page:
    def __init__(self, format: PageFormat, ledger: Ledger) -> None:
        self._format, self._ledger = format, ledger
        self._settle = Settler(ledger)

    def merged(self, base: str, newer: str, older: str) -> str:
        texts = (base, newer, older)
        if any("\0" in each for each in texts):
            return by_lines(base, newer, older, self._ledger)
        if self._format.name == "org":
            return self._body(*texts)
        cuts = [frontmatter.split(each) for each in texts]
        if any(_has_lost_head(cuts[0][0], *cut) for cut in cuts[1:]):
            return by_lines(base, newer, older, self._ledger)
        noted = len(self._ledger.clashes)
        head = self._head(cuts[0][0], cuts[1][0], cuts[2][0])
        text = head + self._body(cuts[0][1], cuts[1][1], cuts[2][1])
        if frontmatter.split(text)[0] == head:
            return text
        # Something in the text has become a part of the head, or the other way round.
        del self._ledger.clashes[noted:]
        return by_lines(base, newer, older, self._ledger)

    def _body(self, base: str, newer: str, older: str) -> str:
        noted = len(self._ledger.clashes)
        was, new, old = (self._parts(each) for each in (base, newer, older))
        if was is not None and new is not None and old is not None:
            text = Weave(was, new, old, self._settle, self._ledger).text()
            if self._parts(text) is not None:
                return text
        del self._ledger.clashes[noted:]
        return by_lines(base, newer, older, self._ledger)

    def _parts(self, body: str) -> list[Part] | None:
        document = self._format.document(body)
        above = body.count("\n", 0, len(body) - len(document.timeline))
        days = {above + entry.line: entry.date for entry in self._format.entries(document.timeline)}
        head_end = len(document.head) if self._format.name == "org" else 0
        return Cutter(body, self._format, days, head_end, above if document.rule else 0).parts()

    def _head(self, base: str, newer: str, older: str) -> str:
        if (settled := chosen(base, newer, older)) is not None:
            return settled
        rows = [_head_fields(each) for each in (base, newer, older)]
        if rows[0] is None or rows[1] is None or rows[2] is None:
            return self._head_by_lines(base, newer, older)
        noted = len(self._ledger.clashes)
        inner = Weave(rows[0], rows[1], rows[2], self._settle, self._ledger).text()
        opening, closing = _fences(newer or older)
        if not inner and not (newer and older):
            return ""
        head = opening + inner + closing
        if frontmatter.split(head) == (head, "") and not frontmatter.read(head)[1]:
            return head
        del self._ledger.clashes[noted:]
        return self._head_by_lines(base, newer, older)

    def _head_by_lines(self, base: str, newer: str, older: str) -> str:
        """Fields that cannot be told apart; where the result is no head, the newer one stays."""
        noted = len(self._ledger.clashes)
        head = by_lines(base, newer, older, self._ledger)
        if frontmatter.split(head) == (head, "") and (
            len(frontmatter.read(head)[1]) <= len(frontmatter.read(newer)[1])
        ):
            return head
        del self._ledger.clashes[noted:]
        self._ledger.note(("field", ""), base, newer or older, older if newer else "")
        return newer or older


def _has_lost_head(base: str, head: str, body: str) -> bool:
    """Whether the fields of a page are still there, and are no longer its head: something stands above."""
    return bool(base) and not head and any(line in base for line in body.splitlines() if ": " in line)


def _fences(head: str) -> tuple[str, str]:
    lines = head.splitlines(keepends=True)
    return (lines[0], lines[-1]) if lines else ("---\n", "---\n")


def _head_fields(head: str) -> list[Part] | None:
    """The fields of a frontmatter, each with its lines, and the lines between them; None if it is unusual."""
    if not head:
        return []
    opening, closing = _fences(head)
    inner_end = len(head) - len(closing)
    try:
        root = frontmatter.tree(head)
    except frontmatter.UnreadableError:
        return None
    pairs = root.pairs() if root is not None and root.kind == "mapping" and not root.flow else []
    if root is not None and not pairs and head[len(opening) : inner_end].strip():
        return None
    starts = [key.start for key, _ in pairs]
    if any(start and head[start - 1] != "\n" for start in starts):
        return None
    names = [key.value for key, _ in pairs]
    if len(set(names)) < len(names):
        return None
    found = _between(head[len(opening) : starts[0] if starts else inner_end])
    for name, (start, end) in zip(names, pairwise([*starts, inner_end]), strict=True):
        lines = head[start:end].splitlines(keepends=True)
        count = len(lines)
        while count > 1 and _is_between(lines[count - 1]):
            count -= 1
        found.append(Part(FIELD, name, "".join(lines[:count])))
        found += _between("".join(lines[count:]))
    return found


def _is_between(line: str) -> bool:
    return line.startswith("#") or not line.strip()


def _between(text: str) -> list[Part]:
    """Comments and blank lines between fields."""
    return [Part("comment", " ".join(line.split()), line) for line in text.splitlines(keepends=True)]
