"""Timelines."""

from __future__ import annotations

from quaid.app import App
from quaid.model.interval import parse_day
from quaid.model.page import TimelineEntry
from quaid.model.record import record
from quaid.operations.edits import edit_page
from quaid.operations.fields import PAGE, PAGE_VERSION
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, shown
from quaid.store import timeline


@record
class Timeline:
    slug: str = PAGE
    limit: int | None = option("How many at most.", least=1)


@record
class Entry:
    """A dated line of evidence."""

    date: str
    summary: str
    source: str | None = None
    detail: str | None = None


@record
class Entries:
    """A page's timeline, newest first."""

    slug: str
    version: int
    entries: tuple[Entry, ...]


def show_timeline(app: App, args: Timeline) -> Entries:
    """The timeline of a page, newest entry first."""
    page = app.page(args.slug)
    found = timeline.of_page(app.connection, page.id, args.limit or -1)
    entries = (Entry(e.date, e.summary, e.source or None, e.detail or None) for e in found)
    return Entries(page.slug, page.version, tuple(entries))


def _text(result: Entries, style: Style) -> str:
    lines: list[str] = []
    for entry in result.entries:
        source = style.dim(f"  [{shown(entry.source)}]") if entry.source else ""
        lines.append(f"{style.bold(entry.date)}  {shown(entry.summary)}{source}")
        lines.extend(style.dim(f"            {shown(line)}") for line in (entry.detail or "").splitlines())
    return "\n".join(lines) or "No dated entries."


TIMELINE = Operation(
    "timeline",
    show_timeline,
    render=_text,
    examples=("timeline people/alice --limit 5",),
    brief="A page's dated entries, newest first.",
    told=("slug", "limit"),
)


@record
class TimelineAdd:
    slug: str = PAGE
    date: str = arg("The day, YYYY-MM-DD.")
    summary: str = arg("What happened, in one line.")
    source: str | None = option("Where it is known from, such as meeting/123.")
    detail: str | None = option("More about it, as Markdown.")
    page_version: int | None = PAGE_VERSION


@record
class Added:
    """What became of an entry."""

    slug: str
    version: int
    added: bool


def timeline_add(app: App, args: TimelineAdd) -> Added:
    """Add a dated line to a page's timeline. One of the same day and summary is not added twice."""
    page = app.page(args.slug)
    entry = TimelineEntry(
        date=parse_day(args.date),
        summary=args.summary.strip(),
        source=(args.source or "").strip(),
        detail=(args.detail or "").strip("\r\n"),
    )
    written = edit_page(app, page, lambda editor, text: editor.add_entry(text, entry), args.page_version)
    return Added(page.slug, written.version, written.changed)


TIMELINE_ADD = Operation(
    "timeline-add",
    timeline_add,
    render=lambda result, style: (
        f"{style.name(result.slug)} {'has a new entry' if result.added else 'has that entry already'}, "
        f"version {result.version}"
    ),
    effect="write",
    examples=(
        'timeline-add people/alice --date 2026-04-14 --summary "Met at a demo day" --source meeting/123',
    ),
    brief="Add a dated entry to a page's timeline.",
    told=("slug", "date: YYYY-MM-DD", "summary: one line", "source", "detail", "page_version"),
)
