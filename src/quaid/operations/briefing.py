"""A briefing: what a person should know before the day begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from quaid.app import App
from quaid.graph import attention as judgement
from quaid.graph.attention import FINISHED, DueItem
from quaid.model.record import record
from quaid.operations.days import since_of
from quaid.operations.due import item_row
from quaid.operations.operation import Operation, arg
from quaid.operations.orders import Waiting, open_matters
from quaid.operations.results import as_data
from quaid.operations.text import Style, clipped, columns, effects, shown
from quaid.store import attention, news
from quaid.store.attention import Doubt, Fact, Question, StalePage
from quaid.store.news import PageChange

Format = Literal["text", "markdown", "json"]
Row = tuple[str, ...]  # cells of a line

DAYS_AHEAD = 14


@record
class Brief:
    since: str = arg("What is new since then: a day, or 24h, 7d, 2w.", default="7d")
    format: Format = arg("How it is written.", default="text")
    limit: int = arg("How many of each kind are listed.", default=7, least=1)


@record
class Decision:
    """A decision that was made or changed."""

    slug: str
    title: str
    made: str | None
    status: str


@record
class Briefing:
    """What needs attention and what has changed; `counts` say how much there is beyond what is listed."""

    today: str
    since: str
    counts: dict[str, int]
    due: tuple[DueItem, ...]
    actions: tuple[DueItem, ...]
    shifted: tuple[Fact, ...]
    decisions: tuple[Decision, ...]
    contradictions: tuple[Doubt, ...]
    gaps: tuple[Question, ...]
    stale: tuple[StalePage, ...]
    pages: tuple[PageChange, ...]
    removed: tuple[PageChange, ...]
    orders: tuple[Waiting, ...] = ()
    format: Format = "text"


def briefing(app: App, args: Brief) -> Briefing:
    """Say what needs attention: waiting orders, due, open, shifted, doubtful, unanswered, stale, new.

    `due` looks two weeks ahead. Contradictions are those that `check` found and nobody resolved. Of gaps,
    only questions that somebody approved are shown.
    """
    start = since_of(app, args.since)
    since = start.moment
    today, limit, connection = app.today(), args.limit, app.connection
    items = [
        each for each in judgement.due_items(attention.due(connection), today) if each.state not in FINISHED
    ]
    coming = [
        each for each in items if each.unreadable or (each.days is not None and each.days <= DAYS_AHEAD)
    ]
    listed = {each.slug for each in coming}
    open_actions = [each for each in items if each.type == "action_item" and each.slug not in listed]
    decisions = [
        Decision(
            slug, title, " ".join(judgement.texts_of(made)) or None, " ".join(judgement.texts_of(status))
        )
        for slug, title, made, status in attention.decisions(connection, since)
    ]
    fact_count, facts = attention.shifts(connection, since, start.day, today, limit)
    doubt_count, doubts = attention.contradictions(connection, limit)
    gap_count, questions = attention.gaps(connection, limit)
    stale_count, stale = attention.stale(connection, today, app.settings.integer("check.stale_days"), limit)
    matters = open_matters(app)
    return Briefing(
        today=today,
        since=since,
        counts={
            "orders": len(matters),
            "due": len(coming),
            "overdue": sum(each.overdue for each in coming),
            "actions": len(open_actions),
            "shifted": fact_count,
            "decisions": len(decisions),
            "contradictions": doubt_count,
            "gaps": gap_count,
            "stale": stale_count,
            **news.counts(connection, since),
        },
        due=tuple(coming[:limit]),
        actions=tuple(open_actions[:limit]),
        shifted=tuple(facts),
        decisions=tuple(decisions[:limit]),
        contradictions=tuple(doubts),
        gaps=tuple(questions),
        stale=tuple(stale),
        pages=news.changed_pages(connection, since, limit),
        removed=news.removed_pages(connection, since, limit),
        orders=matters[:limit],
        format=args.format,
    )


@record
class Section:
    """A part of a briefing for people: a heading, rows of columns, and how much is not listed."""

    heading: str
    rows: tuple[Row, ...]
    more: int = 0
    hint: str = ""


def _sections(result: Briefing, style: Style) -> list[Section]:
    counts = result.counts

    def section(heading: str, kind: str, row: Callable[[Any, Style], Row], hint: str = "") -> Section:
        rows = tuple(row(each, style) for each in getattr(result, kind))
        return Section(f"{heading} ({counts[kind]:,})", rows, counts[kind] - len(rows), hint)

    late = f"Due, {counts['overdue']:,} overdue" if counts["overdue"] else "Due"
    waiting = "Standing orders that wait for you: `quaid context approve`"
    changes = {what: counts[what] for what in ("created", "changed", "removed")}
    news = [*result.pages, *result.removed]
    return [
        section(waiting, "orders", _order, "quaid context approve"),
        section(late, "due", item_row, "quaid due"),
        section("Open actions", "actions", item_row, "quaid due --all"),
        section("Shifted", "shifted", _fact, "quaid facts"),
        section("Decisions", "decisions", _decision),
        section("Contradictions", "contradictions", _doubt, "quaid check"),
        section(
            "Questions without an answer",
            "gaps",
            lambda each, style: (style.dim(f"{each.id}"), shown(each.question)),
            "quaid gaps",
        ),
        section("Stale", "stale", _stale),
        Section(
            f"Pages ({effects(changes)})" if any(changes.values()) else "Pages",
            tuple(_page(each, style) for each in news),
            sum(changes.values()) - len(news),
            "quaid list",
        ),
    ]


def _order(each: Waiting, style: Style) -> Row:
    by = "approved, gone from the file" if each.gone else each.by
    return style.dim(each.id), clipped(shown(by), 40), clipped(shown(each.text), 80)


def _fact(each: Fact, style: Style) -> Row:
    words = f"{each.subject} {each.predicate} {each.object}"
    return each.day, each.what, style.name(each.slug), clipped(shown(words), 80)


def _decision(each: Decision, style: Style) -> Row:
    return (
        shown(each.made or "-"),
        shown(each.status or "-"),
        style.name(each.slug),
        clipped(shown(each.title), 60),
    )


def _doubt(each: Doubt, style: Style) -> Row:
    return style.dim(f"{each.id}"), each.type, style.name(each.slug), clipped(shown(each.description), 120)


def _stale(each: StalePage, style: Style) -> Row:
    return (
        style.name(each.slug),
        clipped(shown(each.title), 60),
        style.dim(f"evidence of {each.newest}, truth of {each.truth_updated}"),
    )


def _page(each: PageChange, style: Style) -> Row:
    who = style.dim(f"by {shown(each.by)}" if each.by else "")
    return each.at[:10], each.what, style.name(each.slug), who, clipped(shown(each.title), 60)


def _text(result: Briefing, style: Style) -> str:
    if result.format == "json":
        return json.dumps(as_data(result), ensure_ascii=False, indent=2)
    if result.format == "markdown":
        return _markdown(result)
    full = [each for each in _sections(result, style) if each.rows or each.more]
    lines = [f"{style.bold(result.today)}, since {result.since[:10]}"]
    for each in full:
        lines += ["", style.bold(each.heading)]
        lines += [f"  {line}" for line in columns(each.rows).split("\n") if line]
        if each.more > 0:
            lines.append(style.dim(f"  {_rest(each)}"))
    return "\n".join(lines if full else [*lines, "Nothing needs attention, and nothing has changed."])


def _rest(section: Section) -> str:
    listed = f"and {section.more:,} more" if section.rows else f"{section.more:,} not shown"
    return f"… {listed}" + (f": {section.hint}" if section.hint else "")


def _markdown(result: Briefing) -> str:
    lines = [f"# Briefing of {result.today}", "", f"Since {result.since[:10]}."]
    for each in _sections(result, Style()):
        if each.rows or each.more > 0:
            lines += ["", f"## {each.heading}", ""]
            lines += ["- " + " · ".join(_escaped(cell) for cell in row if cell) for row in each.rows]
            lines += [f"- {_rest(each)}"] if each.more > 0 else []
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Text that Markdown does not take for markup."""
    return "".join("\\" + sign if sign in "\\`*[]<>#|" else sign for sign in text)


BRIEFING = Operation(
    "briefing",
    briefing,
    render=_text,
    examples=("briefing", "briefing --since 24h --format markdown", "briefing --since 2026-04-01 --json"),
    brief="What needs attention: due, shifted facts, contradictions, gaps, stale and changed pages.",
    told=("since: day or 7d",),
    unneeded=("format",),
)
