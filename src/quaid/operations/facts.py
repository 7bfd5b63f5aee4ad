"""What pages assert: questions about facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.formats.fields import snake_case
from quaid.model.interval import Interval, parse_day
from quaid.model.record import record
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, clipped, columns, shown
from quaid.store import assertions
from quaid.store.assertions import Fact, Since, Temporal, Wanted

_SPAN = re.compile(r"(\d{1,6})\s*([hdw])", re.IGNORECASE)
_STORED = "%Y-%m-%dT%H:%M:%SZ"


@record
class Facts:
    """Arguments of `facts`."""

    subject: str | None = arg(
        "What they are about: a slug, a title, an alias or any name.",
        default=None,
        positional=True,
        completes="slug",
    )
    predicate: str | None = arg("Only facts of this predicate.", default=None)
    object: str | None = arg("Only facts with this other end, however it is spelt.", default=None)
    page: str | None = arg("Only facts that this page asserts.", default=None, completes="slug")
    at: str | None = arg("As of this day instead of today.", default=None)
    temporal: Temporal | None = arg(
        "Which facts count; current ones, or all with --changed-since.", default=None
    )
    changed_since: str | None = arg(
        "Only what began, ended or was learned since then: 24h, 7d or a day.", default=None
    )
    limit: int | None = arg("How many at most.", default=None, least=1)


@record
class Earlier:
    """A fact whose place another took."""

    id: int
    object: str
    valid_from: str | None = None
    valid_until: str | None = None


@record
class FactView:
    """A fact as a reader gets it. `change` says what happened to it: began, ended or learned."""

    id: int
    subject: str
    predicate: str
    object: str
    page: str
    collection: str
    confidence: float
    asserted_by: str
    learned_at: str
    valid_from: str | None = None
    valid_until: str | None = None
    source: str | None = None
    evidence: str | None = None
    change: str | None = None
    superseded_by: int | None = None
    was: tuple[Earlier, ...] | None = None


@record
class FactList:
    """Facts, and whether there are more than were asked for."""

    facts: tuple[FactView, ...]
    day: str
    more: bool = False


def facts(app: App, args: Facts) -> FactList:
    """What pages assert: current facts, those of another day, or those that changed.

    A subject is matched by every name of its page. Facts that a page's fields yield, such as company, owner
    or due, are among them.
    """
    day = parse_day(args.at, "at") if args.at else app.today()
    limit = args.limit or app.settings.integer("list.limit")
    since = _since(app, args.changed_since) if args.changed_since else None
    found = assertions.find(
        app.connection,
        Wanted(
            day=day,
            temporal=args.temporal or ("all" if since else "current"),
            subject=args.subject,
            predicate=snake_case(args.predicate) if args.predicate else None,
            object=args.object,
            page_id=app.page(args.page).id if args.page else None,
            since=since,
            limit=limit + 1,
        ),
    )
    listed = found[:limit]
    ids = [fact.id for fact in listed]
    earlier = assertions.predecessors(app.connection, ids)
    later = assertions.successors(app.connection, ids)
    views = tuple(_view(fact, earlier.get(fact.id, ()), later.get(fact.id), day, since) for fact in listed)
    return FactList(views, day, more=len(found) > limit)


def _view(
    fact: Fact,
    earlier: Sequence[tuple[int, str, Interval]],
    later: int | None,
    day: str,
    since: Since | None,
) -> FactView:
    claim = fact.claim
    was = tuple(Earlier(old, object_, valid.since, valid.until) for old, object_, valid in earlier)
    return FactView(
        id=fact.id,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        page=fact.page,
        collection=fact.collection,
        confidence=claim.confidence,
        asserted_by=claim.asserted_by,
        learned_at=fact.learned_at,
        valid_from=claim.valid.since,
        valid_until=claim.valid.until,
        source=claim.source or None,
        evidence=claim.evidence or None,
        change=_change(claim.valid, day, since) if since else None,
        superseded_by=later,
        was=was or None,
    )


def _change(valid: Interval, day: str, since: Since) -> str:
    """What happened last: an end counts before a beginning."""
    if valid.until and since.day <= valid.until <= day:
        return "ended"
    return "began" if valid.since and since.day <= valid.since <= day else "learned"


def _since(app: App, text: str) -> Since:
    """The day and the moment that `24h`, `7d`, `2w` or a day mean."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        day = parse_day(text, "changed_since")
        return Since(day, app.start_of(day))
    hours = int(match.group(1)) * {"h": 1, "d": 24, "w": 168}[match.group(2).lower()]
    try:
        now = datetime.strptime(app.now(), _STORED).replace(tzinfo=UTC)
        moment = (now - timedelta(hours=hours)).strftime(_STORED)
        day = (date.fromisoformat(app.today()) - timedelta(days=-(-hours // 24))).isoformat()
    except OverflowError:
        raise InvalidInput(f"{text!r} is too long ago", hint="Such as 24h, 7d or 2026-04-14.") from None
    return Since(day, moment)


def _facts_text(result: FactList, style: Style) -> str:
    rows = [
        (
            style.dim(str(each.id)),
            *((each.change,) if each.change else ()),
            shown(each.subject),
            each.predicate,
            style.bold(shown(each.object)),
            _span(each),
            _origin(each, style),
        )
        for each in result.facts
    ]
    lines = [columns(rows) or "No such facts."]
    return "\n".join([*lines, *(["There are more; --limit shows them."] if result.more else [])])


def _span(each: FactView | Earlier) -> str:
    if each.valid_from and each.valid_until:
        return f"{each.valid_from} to {each.valid_until}"
    if each.valid_from or each.valid_until:
        return f"since {each.valid_from}" if each.valid_from else f"until {each.valid_until}"
    return ""


def _origin(each: FactView, style: Style) -> str:
    """Who says so, how sure it is, and what it was before."""
    parts = [style.name(each.page)]
    if each.source:
        parts.append(clipped(shown(each.source), 40))
    if each.confidence < 1:
        parts.append(f"{each.confidence:.0%} sure")
    if each.asserted_by == "import" and each.evidence and not each.source:
        parts.append(style.dim(f"({clipped(shown(each.evidence), 60)})"))
    if each.was:
        objects = ", ".join(f"{shown(old.object)} ({_span(old) or 'before'})" for old in each.was)
        parts.append(style.dim(f"was: {objects}"))
    return "  ".join(parts)


FACTS = Operation(
    "facts",
    Facts,
    facts,
    render=_facts_text,
    examples=("facts people/alice", "facts --predicate works_at --at 2024-06-01", "facts --changed-since 7d"),
    looks="pages",
    brief="Facts that hold today or at a day, with ids and sources.",
    told=("subject", "predicate", "object", "at: day", "changed_since: day or 7d"),
)
