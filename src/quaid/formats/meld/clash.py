"""What two sides of a merge have both changed, and which of it the page holds."""

from __future__ import annotations

from datetime import UTC, datetime

from quaid.model.record import record


def instant(moment: str) -> datetime:
    """A moment that can be compared with others; one that nobody knows comes before all."""
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def chosen(base: str | None, newer: str, older: str) -> str | None:
    """What only one side has changed, or both alike; None where they differ."""
    if newer == older or older == base:
        return newer
    return older if newer == base else None


@record
class Side:
    """One of two changed texts, and when it was last changed (ISO 8601; "" if nobody knows)."""

    text: str
    moment: str = ""


@record
class Clash:
    """A part of a page of which the sides say different things. A side that deleted it says "".

    All texts are whole lines as they were written; `kept` is what stands in the merged page. `page` is one
    that a side has removed, `name` one that each side has moved elsewhere, `file` what is no page: see
    sync/union.py.
    """

    kind: str  # field, section, item, row, text; page, name, file
    name: str  # of the field, section or row; of an item its text; of a text the section in which it is
    base: str
    kept: str
    other: str
    kept_at: str = ""
    other_at: str = ""


@record
class Melded:
    """A merged text, and what of the sides is not in it."""

    text: str
    clashes: tuple[Clash, ...] = ()


class Ledger:
    """Notes clashes while a page is merged."""

    def __init__(self, newer_at: str, older_at: str) -> None:
        self.clashes: list[Clash] = []
        self._newer_at, self._older_at = newer_at, older_at

    def note(self, label: tuple[str, str], base: str, newer: str, older: str) -> None:
        """Both have changed the same: the newer is kept."""
        self._add(Clash(*label, base, newer, older, self._newer_at, self._older_at))

    def note_deleted(self, label: tuple[str, str], base: str, kept: str, *, by_newer: bool) -> None:
        """One side has deleted what the other has changed, or under which it has written: that is kept."""
        moments = (self._older_at, self._newer_at) if by_newer else (self._newer_at, self._older_at)
        self._add(Clash(*label, base, kept, "", *moments))

    def _add(self, clash: Clash) -> None:
        if clash not in self.clashes:
            self.clashes.append(clash)
