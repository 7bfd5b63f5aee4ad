"""What makes an end of a contradiction: commands, and the lines of texts that can be corrected."""

from __future__ import annotations

import re
from bisect import bisect_right

from quaid.app import App
from quaid.errors import NotFound
from quaid.formats.implied import RULES
from quaid.graph.prose.sentences import shown_text
from quaid.store import pages
from quaid.store.contradictions import Contradiction, Side

_MARKS = re.compile(r"[*_>`]+|^\s*(?:[-+]|\d+[.)])\s+", re.MULTILINE)
_ENOUGH = 40  # characters by which a sentence is found again


def remedies(app: App, finding: Contradiction) -> tuple[str, ...]:
    """What can be done about a contradiction, the likeliest first."""
    asserted = [side.id for side in finding.sides if side.kind == "assertion"]
    if finding.type == "stale":
        return (f"quaid put {finding.sides[0].slug} --compiled-truth TEXT",)
    if len(asserted) == 2:
        return tuple(f"quaid check --resolve {finding.id} --keep {identity}" for identity in asserted)
    day = next((side.valid_from for side in finding.sides if side.kind == "text"), None) or "DAY"
    texts = [side for side in finding.sides if side.kind == "text"]
    fixes = []
    for side in finding.sides:
        if side.kind == "assertion":
            end = f"quaid check --resolve {finding.id} --end {day}" if texts else f"quaid retract {side.id}"
            fixes.append(_field(side) or end)
        elif side.kind == "link" and not side.valid_until:
            fixes.append(_field(side) or f"quaid link-close {side.id} --valid-until {day}")
        elif side.kind == "field":
            fixes.append(f"edit {side.statement!r} of {side.slug}")
    fixes += [_correction(app, side) for side in texts]
    return (*fixes, f"quaid check --resolve {finding.id} --dismiss")


def _field(side: Side) -> str | None:
    """What to do about a statement that a field of a page makes, which no command takes back."""
    field, colon, _ = (side.evidence or "").partition(":")
    return f"edit the field {field} of {side.slug}" if colon and field in RULES else None


def _correction(app: App, side: Side) -> str:
    """Where a sentence stands: the file and the line, as far as they are known."""
    try:
        page = pages.load(app.connection, app.page(f"{side.collection}::{side.slug}").id)
    except NotFound:  # it has been removed since
        return f"correct the text of {side.slug}"
    line = line_of(page.text, side.statement)
    place = page.info.path or side.slug
    return f"correct line {line} of {place}" if line else f"correct the text of {place}"


def line_of(text: str, sentence: str) -> int | None:
    """The number of the line in which a sentence begins, as it was quoted; None if it is not there."""
    whole, starts = "", []
    for line in text.splitlines():
        starts.append(len(whole))
        whole += " ".join(shown_text(_MARKS.sub(" ", line)).split()) + " "
    place = whole.find(" ".join(_MARKS.sub(" ", sentence).split())[:_ENOUGH].rstrip())
    return bisect_right(starts, place) if place >= 0 else None
