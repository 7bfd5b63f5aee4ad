"""What is due."""

from __future__ import annotations

from collections import Counter

from quaid.app import App
from quaid.errors import Ambiguous, NotFound
from quaid.formats.slugs import fold
from quaid.graph import attention as judgement
from quaid.graph.attention import FINISHED, DueItem
from quaid.model.record import record
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, clipped, columns, count_of, left_out, shown
from quaid.store import attention, names


@record
class Due:
    within: int = arg("How many days ahead.", default=14, least=0)
    overdue: bool = flag("Only what is overdue.")
    owner: str | None = option("Only what this person or page owns.", completes="slug")
    all: bool = flag("Also what is later, has no day, or is done or cancelled.")
    limit: int = arg("How many at most.", default=100, least=1)


@record
class DueList:
    """What is due, by day; `counts` say how much there is of each kind, also beyond the limit."""

    today: str
    counts: dict[str, int]
    items: tuple[DueItem, ...]
    more: int


def due(app: App, args: Due) -> DueList:
    """What is due: decisions, commitments, action items, and any page with a `due` field.

    Days and states come from the frontmatter: `due`, `status`, `owner`. A decision or a commitment without a
    day is listed on its `revisit_at`. What is done or cancelled is not due.
    """
    today = app.today()
    items = judgement.due_items(attention.due(app.connection), today)
    if args.owner:
        known = _names_of(app, args.owner)
        items = [each for each in items if any(fold(name) in known for name in each.owner)]
    chosen = [each for each in items if _is_chosen(each, args)]
    counts = dict(Counter(map(group_of, chosen)))
    chosen.sort(key=lambda each: _GROUPS.index(group_of(each)))
    return DueList(today, counts, tuple(chosen[: args.limit]), max(0, len(chosen) - args.limit))


def _is_chosen(item: DueItem, args: Due) -> bool:
    if args.overdue:
        return item.overdue
    if args.all:
        return True
    if item.state in FINISHED:
        return False
    return item.unreadable is not None or (item.days is not None and item.days <= args.within)


def _names_of(app: App, owner: str) -> frozenset[str]:
    """The folded names by which a person may be written."""
    try:
        found = names.of_page(app.connection, app.page(owner).id)
    except (NotFound, Ambiguous):
        found = {}  # many owners have no page
    return frozenset((fold(owner), *found))


_GROUPS = ("overdue", "today", "soon", "unreadable", "undated", "finished")
_HEADINGS = {
    "overdue": "Overdue",
    "today": "Today",
    "soon": "Ahead",
    "unreadable": "The day cannot be read",
    "undated": "Without a day",
    "finished": "Done or cancelled",
}


def group_of(item: DueItem) -> str:
    """Under which heading an item stands."""
    if item.state in FINISHED:
        return "finished"
    if item.days is None:
        return "unreadable" if item.unreadable else "undated"
    return "overdue" if item.days < 0 else "soon" if item.days else "today"


def when(item: DueItem) -> str:
    """The distance of an item's day, in words."""
    if item.days is None or item.state in FINISHED:
        return item.status or item.state.replace("_", " ")
    again = "to revisit " if item.revisit else ""
    if item.days == 0:
        return f"{again}today"
    days = count_of(abs(item.days), "day")
    return f"{again}{days} late" if item.days < 0 else f"{again}in {days}"


def item_row(item: DueItem, style: Style) -> tuple[str, ...]:
    """An item as columns: day, distance, page, title with what else is known."""
    distance = when(item)
    notes = []
    if item.status and item.status != distance:
        notes.append(item.status)
    elif item.state in ("in_progress", "waiting"):
        notes.append(item.state.replace("_", " "))
    notes += [", ".join(item.owner)] if item.owner else []
    notes += [item.priority] if item.priority in ("high", "urgent") else []
    tail = style.dim("  [" + shown("; ".join(notes)) + "]") if notes else ""
    day = item.due or (shown(item.unreadable) if item.unreadable else "-")
    return (
        style.warning(day) if item.overdue or item.unreadable else day,
        style.warning(distance) if item.overdue else style.dim(distance),
        style.name(item.slug),
        clipped(shown(item.title), 60) + tail,
    )


def _text(result: DueList, style: Style) -> str:
    if not result.items:
        return "Nothing is due."
    lines: list[str] = []
    table = columns([item_row(each, style) for each in result.items]).split("\n")
    heading = ""
    for each, line in zip(result.items, table, strict=True):
        group = group_of(each)
        if group != heading:
            heading = group
            lines.append(style.bold(f"{_HEADINGS[group]} ({result.counts[group]:,})"))
        lines.append(f"  {line}")
    if result.more:
        lines.append(style.dim(left_out(result.more)))
    return "\n".join(lines)


DUE = Operation(
    "due",
    due,
    render=_text,
    examples=("due", "due --within 30 --owner people/alice", "due --overdue --json"),
    looks="pages",
)
