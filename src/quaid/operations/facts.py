"""What pages assert: questions about facts."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.app import App
from quaid.formats.fields import snake_case
from quaid.formats.predicates import synonyms
from quaid.model.interval import Interval, span_text
from quaid.model.record import fill, record
from quaid.operations.days import day_of, since_of
from quaid.operations.operation import DAY, Operation, option
from quaid.operations.text import Style, clipped, columns, shown
from quaid.store import assertions
from quaid.store.assertions import Fact
from quaid.store.relations import Since, Temporal, Wanted


@record
class Facts:
    subject: str | None = option(
        "What they are about: a slug, a title, an alias or any name.", positional=True, completes="slug"
    )
    predicate: str | None = option("Only facts of this predicate.")
    object: str | None = option("Only facts with this other end, however it is spelt.")
    page: str | None = option("Only facts that this page asserts.", completes="slug")
    at: str | None = option("As of this day instead of today.", placeholder=DAY)
    temporal: Temporal | None = option("Which facts count; current ones, or all with --changed-since.")
    changed_since: str | None = option(
        "Only what began, ended or was learned since then: 24h, 7d or a day.", placeholder=DAY
    )
    limit: int | None = option("How many at most.", least=1)


@record
class Earlier:
    """A fact whose place another took."""

    id: int
    object: str
    valid_from: str | None = None
    valid_until: str | None = None


@record
class FactView:
    """A fact as a reader gets it. `change` says what happened to it: began, ended or learned.

    One that a typed link states has no id; `link` is that of the link.
    """

    id: int | None
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
    link: int | None = None


@record
class FactList:
    """Facts, and whether there are more than were asked for."""

    facts: tuple[FactView, ...]
    day: str
    more: bool = False


def facts(app: App, args: Facts) -> FactList:
    """What pages assert: current facts, those of another day, or those that changed.

    A subject is matched by every name of its page, a predicate by those that say the same. Facts that a
    page's
    fields and typed links yield, such as company, owner or due, are among them.
    """
    day = day_of(app, args.at)
    limit = args.limit or app.settings.integer("list.limit")
    since = since_of(app, args.changed_since) if args.changed_since else None
    wanted = Wanted(
        day=day,
        temporal=args.temporal or ("all" if since else "current"),
        subject=args.subject,
        predicates=_predicates(app, args.predicate) if args.predicate else None,
        object=args.object,
        page_id=app.page(args.page).id if args.page else None,
        since=since,
        # One more than is listed tells whether there are more.
        limit=limit + 1,
    )
    found = assertions.find(app.connection, wanted)
    if len(found) <= limit:
        found += assertions.by_links(app.connection, wanted)
    listed = found[:limit]
    ids = [fact.id for fact in listed if fact.link is None]
    earlier = assertions.predecessors(app.connection, ids)
    later = assertions.successors(app.connection, ids)
    views = tuple(_view(fact, earlier.get(fact.id, ()), later.get(fact.id), day, since) for fact in listed)
    return FactList(views, day, more=len(found) > limit)


def _predicates(app: App, given: str) -> frozenset[str]:
    """A predicate with all that say the same."""
    same = synonyms(app.settings.text("facts.synonyms"))
    name = snake_case(given)
    first = same.get(name, name)
    return frozenset((name, first, *(each for each, other in same.items() if other == first)))


def _view(
    fact: Fact,
    earlier: Sequence[tuple[int, str, Interval]],
    later: int | None,
    day: str,
    since: Since | None,
) -> FactView:
    claim = fact.claim
    was = tuple(Earlier(old, object_, valid.since, valid.until) for old, object_, valid in earlier)
    return fill(
        FactView,
        claim,
        id=None if fact.link else fact.id,
        link=fact.link,
        page=fact.page,
        collection=fact.collection,
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


def _facts_text(result: FactList, style: Style) -> str:
    rows = [
        (
            style.dim(f"link {each.link}" if each.link else str(each.id)),
            *((each.change,) if each.change else ()),
            shown(each.subject),
            each.predicate,
            style.bold(shown(each.object)),
            span_text(each.valid_from, each.valid_until),
            _origin(each, style),
        )
        for each in result.facts
    ]
    lines = [columns(rows) or "No such facts."]
    return "\n".join([*lines, *(["There are more; --limit shows them."] if result.more else [])])


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
        objects = ", ".join(
            f"{shown(old.object)} ({span_text(old.valid_from, old.valid_until) or 'before'})"
            for old in each.was
        )
        parts.append(style.dim(f"was: {objects}"))
    return "  ".join(parts)


FACTS = Operation(
    "facts",
    facts,
    render=_facts_text,
    examples=("facts people/alice", "facts --predicate works_at --at 2024-06-01", "facts --changed-since 7d"),
    looks="pages",
    brief="Facts that hold today or at a day, with ids and sources.",
    told=("subject", "predicate", "object", "at: day", "changed_since: day or 7d"),
)
