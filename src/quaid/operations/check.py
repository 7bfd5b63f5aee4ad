"""Contradictions: finding them, and saying which side is right."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from quaid.app import App
from quaid.embed.judge import STATEMENTS, open_judge
from quaid.errors import FINDINGS_STATUS, Conflict, InvalidInput, NotFound, QuaidError
from quaid.formats.implied import RULES
from quaid.formats.predicates import synonyms
from quaid.graph.contradictions import MANY_OBJECTS, ONE_SUBJECT, Rules, find, predicates, same_as
from quaid.graph.prose.readings import Reader
from quaid.graph.prose.sentences import shown_text
from quaid.model.interval import parse_day, span_text
from quaid.model.page import PageInfo
from quaid.model.record import fill, record
from quaid.operations.edits import fields_that_state
from quaid.operations.evidence import with_changed_claim
from quaid.operations.fields import read_version
from quaid.operations.operation import DAY, Operation, flag, option
from quaid.operations.text import Style, clipped, count_of, shown
from quaid.store import assertions, contradictions, pages
from quaid.store.checks import Checks
from quaid.store.contradictions import TYPES, Contradiction, Side, Type

WIDEST = 110  # characters of a quotation


@record
class Check:
    slug: str | None = option("Only what concerns this page.", positional=True, completes="slug")
    all: bool = flag("Look at every page; without it and without a page, only list what is open.")
    type: Type | None = option("Only this kind of contradiction.")
    resolved: bool = flag("Show those that are resolved instead.")
    resolve: int | None = option("The contradiction that is to be resolved.", least=1)
    keep: int | None = option(
        "With resolve: the id of the assertion that is right; the other one ends where it begins, or today.",
        least=1,
    )
    end: str | None = option(
        "With resolve: the first day on which what a text contradicts no longer holds.", placeholder=DAY
    )
    dismiss: bool = flag("With resolve: both may stand as they are.")
    note: str | None = option("With resolve: why.")
    page_version: int | None = read_version(
        "With keep: the version of the page whose assertion ends.", for_tools="keep"
    )


@record
class Finding:
    """Two statements that do not fit together. `resolution` says what became of it, if anything did."""

    id: int
    type: str
    description: str
    sides: tuple[Side, ...]
    detected_at: str
    fix: tuple[str, ...] = ()
    resolved_at: str | None = None
    resolution: str | None = None
    note: str | None = None


@record
class Findings:
    """Contradictions, and how many are open among those that were looked at."""

    findings: tuple[Finding, ...]
    open: int
    checked: str  # what was looked at anew: "all", a slug or "nothing"
    ended: tuple[str, ...] = ()  # pages whose assertions were ended
    by_phrases: bool | None = None  # no model was at hand that reads sentences: only known phrases were seen


def check(app: App, args: Check) -> Findings:
    """Find statements that contradict each other, list those that are open, or resolve one.

    The exit status is 11 while some are open. One that no longer holds is closed by the next check.
    """
    if args.resolve is not None:
        return _resolve(app, args, args.resolve)
    if args.keep is not None or args.end or args.dismiss or args.note:
        raise InvalidInput("which contradiction?", hint="Name it: quaid check --resolve ID --keep ASSERTION.")
    if args.slug and args.all:
        raise InvalidInput("one page or all?", hint="Leave out the page, or --all.")
    types: tuple[Type, ...] = (args.type,) if args.type else TYPES
    page = app.page(args.slug) if args.slug else None
    page_id = page.id if page else None
    reader = _reader(app) if page or args.all else None
    if page or args.all:
        _look(app, types, page_id, reader)
    with app.store.read() as connection:
        still_open = contradictions.findings(connection, types, page_id)
        listed = still_open
        if args.resolved:
            listed = contradictions.findings(connection, types, page_id, resolved=True)
    return Findings(
        tuple(_finding(app, each) for each in listed),
        sum(not each.perhaps for each in still_open),
        page.slug if page else "all" if args.all else "nothing",
        by_phrases=True if (page or args.all) and reader is None else None,
    )


def _reader(app: App) -> Reader | None:
    """What reads sentences beside what holds; None if its files are not here, or not what they should be."""
    try:
        network = open_judge(app.models.context, STATEMENTS)
    except QuaidError:
        return None
    if network is None:
        return None

    def read(text: str, others: Sequence[str]) -> list[float | None]:
        return [opinion[0] if opinion else None for opinion in network.judge(text, others)]

    return read


def _look(app: App, types: tuple[Type, ...], page_id: int | None, reader: Reader | None) -> None:
    """Check, and write down what is new. Others may write while the queries run."""
    settings = app.settings
    rules = Rules(
        predicates(MANY_OBJECTS, settings.text("facts.many_objects")),
        predicates(ONE_SUBJECT, settings.text("facts.one_subject")),
        settings.integer("check.stale_days"),
        synonyms(settings.text("facts.synonyms")),
    )
    with app.store.read() as connection:
        found = find(connection, app.today(), rules, types, page_id, reader)
    with app.store.write() as connection:
        contradictions.record_all(connection, found, types, page_id, app.now())


def _resolve(app: App, args: Check, finding_id: int) -> Findings:
    if [args.keep is not None, args.end is not None, args.dismiss].count(True) != 1:
        raise InvalidInput(
            "say what is right",
            hint="--keep ASSERTION ends the other one, --end DAY what a text contradicts, "
            "--dismiss lets both stand.",
        )
    if args.slug or args.all or args.type or args.resolved:
        raise InvalidInput("one contradiction is resolved at a time", hint="Give nothing but --resolve ID.")
    with app.store.write() as connection:
        finding = contradictions.by_id(connection, finding_id)
        if finding is None:
            raise NotFound(f"no contradiction {finding_id}", hint="`quaid check` shows those that are open.")
        if finding.resolved_at:
            raise Conflict(
                f"contradiction {finding_id} is resolved already: {finding.resolution}",
                hint="`quaid check --all` opens it again if it still holds.",
            )
        if args.keep is not None:
            ended = _end_other(app, finding, args.keep, args.page_version)
        else:
            ended = _end_only(app, finding, args.end, args.page_version) if args.end is not None else ()
        note = " ".join((args.note or "").split())
        contradictions.resolve(
            connection, finding_id, "dismissed" if args.dismiss else "kept", note, app.now()
        )
        after = contradictions.by_id(connection, finding_id) or finding
    return Findings((_finding(app, after),), 0, "nothing", ended)


def _end_other(app: App, finding: Contradiction, kept: int, version: int | None) -> tuple[str, ...]:
    """End what contradicts an assertion, wherever it is asserted; the answer names the pages."""
    asserted = [side.id for side in finding.sides if side.kind == "assertion" and side.id]
    if kept not in asserted:
        raise InvalidInput(
            f"assertion {kept} is no side of contradiction {finding.id}",
            hint=f"Its assertions are: {', '.join(map(str, asserted)) or 'none'}.",
        )
    if len(asserted) < 2:
        raise InvalidInput(
            f"the other side of contradiction {finding.id} is no assertion",
            hint=" Or: ".join(remedies(app, finding)),
        )
    lost = asserted[1] if kept == asserted[0] else asserted[0]
    if not same_as(_checks(app), kept):
        raise _conflict_of(finding)
    since = contradictions.assertion_sides(app.connection, [kept])[kept][1].valid_from
    return _end_everywhere(app, finding, lost, since or app.today(), version)


def _end_only(app: App, finding: Contradiction, day: str, version: int | None) -> tuple[str, ...]:
    """End the assertion that a text contradicts; the answer names the pages."""
    asserted = [side.id for side in finding.sides if side.kind == "assertion" and side.id]
    if len(asserted) != 1:
        raise InvalidInput(
            f"contradiction {finding.id} is not between a text and an assertion",
            hint=" Or: ".join(remedies(app, finding)),
        )
    return _end_everywhere(app, finding, asserted[0], parse_day(day), version)


def _checks(app: App) -> Checks:
    return Checks(app.connection, app.today(), synonyms=synonyms(app.settings.text("facts.synonyms")))


def _conflict_of(finding: Contradiction) -> Conflict:
    return Conflict(
        f"contradiction {finding.id} is no longer what it was", hint="`quaid check --all` looks again."
    )


def _end_everywhere(
    app: App, finding: Contradiction, lost: int, day: str, version: int | None
) -> tuple[str, ...]:
    """End an assertion on a day. Several pages may say the same: that must end with it."""
    doomed = same_as(_checks(app), lost)
    if not doomed:
        raise _conflict_of(finding)
    sides = contradictions.assertion_sides(app.connection, doomed)
    pages_of = {identity: page for identity, (page, _, _) in sides.items()}
    first = pages_of.get(lost)
    for page_id in dict.fromkeys(pages_of.values()):
        page = pages.info(app.connection, page_id)
        ids = {identity for identity, owner in pages_of.items() if owner == page_id}
        _end(app, page, ids, day, version if page_id == first else None)
    return tuple(pages.info(app.connection, page).slug for page in dict.fromkeys(pages_of.values()))


def _end(app: App, page: PageInfo, ids: set[int], day: str, version: int | None) -> None:
    """End some of a page's assertions on a day; one that began later never held."""
    claims = [claim for identity, claim in assertions.ids_of_page(app.connection, page.id) if identity in ids]
    fields = fields_that_state(app, page)
    for claim in claims:
        if claim in fields:
            raise InvalidInput(
                f"{page.slug} says so in its field {fields[claim]!r}", hint="Change that field of the page."
            )

    def change(text: str) -> str:
        for claim in claims:
            until = max(day, claim.valid.since or "")
            text = with_changed_claim(text, claim, {"valid_until": until}, page.format)
        return text

    app.collection(page.collection).edit(page.slug, change, version)


def _finding(app: App, each: Contradiction) -> Finding:
    return fill(
        Finding,
        each,
        fix=() if each.resolved_at else remedies(app, each),
        resolution=each.resolution or None,
        note=each.note or None,
    )


def _text(result: Findings, style: Style) -> str:
    blocks = [_block(each, style) for each in result.findings]
    if result.ended:
        blocks.append(f"Ended in {', '.join(style.name(slug) for slug in result.ended)}.")
    if not blocks:
        looked = "" if result.checked != "nothing" else " `quaid check --all` looks again."
        blocks = [f"No contradictions.{looked}"]
    elif result.open:
        blocks.append(style.dim(count_of(result.open, "contradiction") + " open"))
    if result.by_phrases:
        blocks.append(style.dim("Sentences were read for known phrases only: the model is not here."))
    return "\n\n".join(blocks)


def _block(finding: Finding, style: Style) -> str:
    doubt = "perhaps: " if any(side.perhaps for side in finding.sides) else ""
    head = f"{style.bold(str(finding.id))}  {style.warning(finding.type)}  {doubt}"
    lines = [head + shown(finding.description), *(_quotation(side, style) for side in finding.sides)]
    if finding.resolution:
        why = f": {shown(finding.note)}" if finding.note else ""
        lines.append(f"    {finding.resolution} {(finding.resolved_at or '')[:10]}{why}")
    lines += [style.dim(f"    {fix}") for fix in finding.fix]
    return "\n".join(lines)


def _quotation(side: Side, style: Style) -> str:
    name = f"{side.kind} {side.id}" if side.id else side.kind
    facts = [
        side.valid_from
        if side.kind in ("timeline", "text")
        else span_text(side.valid_from, side.valid_until),
        f"source {shown(side.source)}" if side.source else "",
        f"confidence {side.confidence:g}" if side.confidence is not None else "",
        f"“{clipped(shown(side.evidence), WIDEST)}”" if side.evidence else "",
        f"written {side.recorded}" if side.recorded else "",
    ]
    where = f"{name}, {style.name(side.slug)}:"
    statement = clipped(shown(side.statement), WIDEST)
    return f"    {where} {statement}  {style.dim('; '.join(fact for fact in facts if fact))}".rstrip()


CHECK = Operation(
    "check",
    check,
    render=_text,
    effect="write",
    transaction="none",
    status=lambda result: FINDINGS_STATUS if result.open else 0,
    examples=(
        "check --all",
        "check people/alice --type temporal",
        "check --resolve 3 --keep 12",
        'check --resolve 3 --dismiss --note "two companies of that name"',
    ),
    brief="Find contradictions, or resolve one by id.",
    told=(
        "slug",
        "all: check every page",
        "type",
        "resolve: id",
        "keep: assertion id that is right",
        "dismiss: both may stand",
    ),
)


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
