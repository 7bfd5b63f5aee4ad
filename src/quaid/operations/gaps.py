"""Gaps: what was asked and could not be answered, and who may know of it."""

from __future__ import annotations

from typing import Literal

from quaid.app import App
from quaid.app.questions import Questions
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.graph.gaps import hash_of
from quaid.model.record import record, replace
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, clipped, columns, count_of, shown
from quaid.store import gaps
from quaid.store.gaps import Gap

_ID = "The gap, as `gaps` shows it."
DEFAULT_LIMIT = 20


@record
class NoteGap:
    query_text: str = arg("What was asked. Only its hash is kept.", positional=True)
    context: str | None = option("What it was asked for, without the question's own words: this is kept.")
    confidence_score: float | None = option("How good the best answer was, from 0 to 1.", flag="--confidence")


@record
class GapList:
    """Gaps, and how many are open in all."""

    gaps: tuple[Gap, ...]
    open: int


def gap(app: App, args: NoteGap) -> Gap:
    """Note a question that the memory could not answer. Its words are not kept, only their hash."""
    if not args.query_text.strip():
        raise InvalidInput("nothing is asked", hint="Give the question.")
    if args.confidence_score is not None and not 0 <= args.confidence_score <= 1:
        raise InvalidInput(f"confidence {args.confidence_score} is not from 0 to 1")
    context = " ".join((args.context or "").split())
    noted = gaps.note(app.connection, hash_of(args.query_text), args.confidence_score, app.now(), context)
    return _demand(app, noted)


GAP = Operation(
    "gap",
    gap,
    render=lambda result, style: f"gap {style.bold(str(result.id))}, asked {count_of(result.times, 'time')}",
    effect="write",
    idempotent=False,
    looks="nothing",
    examples=('gap "who runs the Lisbon office?" --context "preparing the Friday meeting"',),
    brief="Note a question that the memory could not answer; only its hash is kept.",
    told=("query_text", "context", "confidence_score"),
)


@record
class ListGaps:
    limit: int | None = option("How many at most; 20 unless told otherwise.", least=1)
    resolved: bool = flag("Show those that are resolved instead.")
    include_resolved: bool = flag("Show those that are resolved too.")


def list_gaps(app: App, args: ListGaps) -> GapList:
    """What was asked and could not be answered, the most often asked first."""
    limit = args.limit or DEFAULT_LIMIT
    found = gaps.gap_list(app.connection, limit, resolved=args.resolved)
    if args.include_resolved and not args.resolved and len(found) < limit:
        found = [*found, *gaps.gap_list(app.connection, limit - len(found), resolved=True)]
    own = Questions(app.home).read() if app.is_at_hand else {}
    shown_gaps = tuple(replace(each, asked=own.get(each.query_hash)) for each in found)
    return GapList(shown_gaps, gaps.count(app.connection))


def _list_text(result: GapList, style: Style) -> str:
    rows = [
        (
            style.bold(str(each.id)),
            count_of(each.times, "time"),
            each.asked_at[:10],
            each.sensitivity,
            _question_text(each, style),
        )
        for each in result.gaps
    ]
    if not rows:
        return "No gaps."
    more = result.open - len(rows)
    is_cut = more > 0 and not result.gaps[0].resolved_at
    hidden = [style.dim(f"{more:,} more; --limit shows them")] if is_cut else []
    return "\n".join([columns(rows), *hidden])


def _question_text(each: Gap, style: Style) -> str:
    """The question, if its words may be shown, else a part of its hash; and what became of it."""
    words = each.query or each.redacted_query or each.asked
    said = clipped(shown(words), 80) if words else style.dim(f"hash {each.query_hash[:12]}")
    context = f" ({clipped(shown(each.context), 60)})" if each.context else ""
    by = f" → {style.name(each.resolved_by)}" if each.resolved_by else ""
    return f"{said}{context}{by}"


GAPS = Operation(
    "gaps",
    list_gaps,
    render=_list_text,
    looks="nothing",
    examples=("gaps", "gaps --resolved --limit 5"),
    brief="Open questions.",
    told=("limit", "include_resolved"),
    unneeded=("query_hash",),
)


@record
class Approve:
    gap_id: int = arg(_ID, positional=True, least=1)
    sensitivity: Literal["redacted", "external"] = arg(
        "What may leave the machine: the redacted question only, or (external) the question itself."
    )
    approver: str = arg("Who approves it.")
    query: str | None = option("The question itself, which is kept from now on.")
    redacted_query: str | None = option("The question without names, sums and other secrets.")


def approve(app: App, args: Approve) -> Gap:
    """Let a question be researched outside of the memory, and record who allowed it."""
    known = _demand(app, args.gap_id)
    if known.resolved_at:
        raise Conflict(f"gap {known.id} is resolved", hint="`quaid gaps` shows those that are open.")
    approver = " ".join(args.approver.split())
    if not approver:
        raise InvalidInput("nobody approves it", hint="Name the approver.")
    query, redacted = (text.strip() or None if text else None for text in (args.query, args.redacted_query))
    if query and hash_of(query) != known.query_hash:
        raise InvalidInput(
            f"that is not the question of gap {known.id}", hint="Give the question as it was asked."
        )
    if args.sensitivity == "external" and not (query or known.query):
        raise InvalidInput("only a question that is known can be researched", hint="Give it with --query.")
    if args.sensitivity == "redacted":
        redacted = redacted or known.redacted_query
        if not redacted:
            raise InvalidInput(
                "what may leave the machine is missing", hint="Give the question with --redacted-query."
            )
        if hash_of(redacted) == known.query_hash:
            raise InvalidInput(
                "the redacted question is the question itself",
                hint="Leave out names, sums and other secrets.",
            )
    gaps.approve(
        app.connection, known.id, args.sensitivity, approver, app.now(), query=query, redacted=redacted
    )
    return _demand(app, known.id)


GAPS_APPROVE = Operation(
    "gaps approve",
    approve,
    render=lambda result, style: (
        f"gap {style.bold(str(result.id))} is {result.sensitivity}, "
        f"approved by {shown(result.approved_by or '')}"
    ),
    effect="write",
    looks="nothing",
    examples=(
        'gaps approve 3 --sensitivity redacted --approver "Ada" --redacted-query "who leads an office?"',
        'gaps approve 3 --sensitivity external --approver "Ada" --query "who runs the Lisbon office?"',
    ),
    brief="Let a gap be researched outside; only with the person's consent.",
    told=(
        "gap_id",
        "sensitivity",
        "approver",
        "query: needed for external",
        "redacted_query: without names and sums",
    ),
)


@record
class Resolve:
    gap_id: int = arg(_ID, positional=True, least=1)
    slug: str = arg("The page that answers it.", positional=True, completes="slug")


def resolve(app: App, args: Resolve) -> Gap:
    """Say which page answers a question now."""
    known = _demand(app, args.gap_id)
    page = app.page(args.slug)
    if known.resolved_at and known.resolved_by != page.slug:
        raise Conflict(
            f"gap {known.id} is resolved already", hint=f"By {known.resolved_by or 'a page that is gone'}."
        )
    if not known.resolved_at:
        gaps.resolve(app.connection, known.id, page.slug, app.now())
    return _demand(app, known.id)


GAPS_RESOLVE = Operation(
    "gaps resolve",
    resolve,
    render=lambda result, style: (
        f"gap {style.bold(str(result.id))} is resolved by {style.name(result.resolved_by or '')}"
    ),
    effect="write",
    examples=("gaps resolve 3 people/maria",),
)


def _demand(app: App, gap_id: int) -> Gap:
    found = gaps.by_id(app.connection, gap_id)
    if found is None:
        raise NotFound(f"no gap {gap_id}", hint="`quaid gaps` shows those that are open.")
    return found
