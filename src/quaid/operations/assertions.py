"""Asserting facts, taking them back, and letting others take their place."""

from __future__ import annotations

from typing import Any, Literal

from quaid.app import App
from quaid.errors import Ambiguous, Conflict, InvalidInput, NotFound
from quaid.formats.fields import read_claim, snake_case
from quaid.formats.format import page_format
from quaid.formats.slugs import fold
from quaid.model.interval import Interval, parse_day
from quaid.model.page import PageInfo
from quaid.model.record import fill, record
from quaid.operations.caller import AGENT, agent, is_overruled, refuse_overruling
from quaid.operations.edits import Stated, Statement, edit_page, fields_that_state, statement_text
from quaid.operations.evidence import is_same_fact, with_changed_claim, with_claim
from quaid.operations.fields import (
    CONFIDENCE,
    KNOWN_FROM,
    SAID_BY,
    VALID_FROM,
    VALID_UNTIL,
    WORDS,
    read_version,
)
from quaid.operations.operation import DAY, Operation, arg, option
from quaid.store import assertions, names, pages
from quaid.store.assertions import Fact
from quaid.store.relations import Wanted
from quaid.vault.refusals import check_version

AssertedBy = Literal["agent", "manual", "import", "enrichment"]

_VERSION = read_version("The version of the page that asserts the fact.")


@record
class Assert:
    subject: str = arg(
        "What the fact is about: a page's slug or title, or any name.", positional=True, completes="slug"
    )
    predicate: str = arg("What is said of it, such as works_at.", positional=True)
    object: str = arg("The other end: a page, or a value.", positional=True)
    page: str | None = option(
        "The page that asserts it; otherwise the one that the subject names.", completes="slug"
    )
    valid_from: str | None = VALID_FROM
    valid_until: str | None = VALID_UNTIL
    confidence: float | None = CONFIDENCE
    source: str | None = KNOWN_FROM
    evidence: str | None = WORDS
    asserted_by: AssertedBy | None = SAID_BY
    page_version: int | None = _VERSION


def assert_fact(app: App, args: Assert) -> Stated:
    """Assert a fact. It is written into the frontmatter of a page.

    The same fact from the same source is not written twice; it gets the days that it lacked.
    """
    page = _asserting(app, args)
    item = _item(
        app,
        args,
        subject=_line("subject", args.subject),
        predicate=snake_case(_line("predicate", args.predicate)),
        object=_line("object", args.object),
        valid=Interval.parse(args.valid_from, args.valid_until),
    )
    claim = read_claim(item)
    own = names.of_page(app.connection, page.id)
    written = app.collection(page.collection).edit(
        page.slug, lambda text: with_claim(text, item, page.format, own), args.page_version
    )
    known = assertions.ids_of_page(app.connection, page.id)
    same = [fact_id for fact_id, each in known if is_same_fact(each, claim, own)]
    exact = [fact_id for fact_id, each in known if each == claim]
    return Stated((exact or same)[0], page.slug, written.version, written.changed)


ASSERT = Operation(
    "assert",
    assert_fact,
    render=lambda result, style: statement_text(
        "fact", result, "" if result.changed else "was there already", style
    ),
    effect="write",
    looks="pages",
    examples=(
        "assert people/alice works_at companies/river-ai --valid-from 2024-01-15 --source meeting/123",
        "assert RiverAI headcount 12 --page companies/river-ai --confidence 0.7",
    ),
    brief="State a fact on a page.",
    told=(
        "subject: slug or name",
        "predicate",
        "object",
        "valid_from: day",
        "source",
        "evidence",
        "page_version",
    ),
)


# Taking back ----------------------------------------------------------------------------------------


@record
class Retract:
    fact: str | None = option("The fact's id, as `facts` shows it, or else its subject.", positional=True)
    predicate: str | None = option("With a subject: its predicate.", positional=True)
    object: str | None = option("With a subject: its object.", positional=True)
    id: int | None = option("The fact's id.", least=1)
    page_version: int | None = _VERSION


@record
class Retracted(Statement):
    """A fact that its page no longer asserts."""

    subject: str
    predicate: str
    object: str


def retract(app: App, args: Retract) -> Retracted:
    """Take a fact back as if it had never been asserted; the page's history keeps it.

    `supersede` keeps it as the past. An agent does not take back what the person has asserted.
    """
    fact = _fact_of(app, args)
    claim, page = fact.claim, _stating(app, fact, args.page_version)
    refuse_overruling(app, claim)
    written = edit_page(
        app, page, lambda editor, text: editor.remove_claims(text, [claim]), args.page_version
    )
    return fill(Retracted, claim, id=fact.id, slug=page.slug, version=written.version)


RETRACT = Operation(
    "retract",
    retract,
    render=lambda result, style: statement_text("fact", result, "is taken back", style),
    effect="destructive",
    idempotent=False,
    examples=("retract 12", "retract people/alice works_at companies/river-ai"),
)


@record
class Supersede:
    id: int = arg("The fact's id, as `facts` shows it.", positional=True, least=1)
    object: str = arg("What is true instead.", positional=True)
    from_: str | None = option("The first day on which that is true; otherwise today.", placeholder=DAY)
    confidence: float | None = CONFIDENCE
    source: str | None = KNOWN_FROM
    evidence: str | None = WORDS
    asserted_by: AssertedBy | None = SAID_BY
    page: str | None = option(
        "The page that asserts the new fact; otherwise that of the old one.", completes="slug"
    )
    page_version: int | None = _VERSION
    other_version: int | None = read_version(
        "The version of the page that asserts the new fact.", for_tools="page"
    )


@record
class SupersededFact:
    """A fact, and the one that took its place."""

    id: int
    supersedes: int
    slug: str
    version: int
    old_slug: str
    old_version: int
    day: str
    contested: bool = False  # the old one is the person's: both hold until they have decided


def supersede(app: App, args: Supersede) -> SupersededFact:
    """Let another fact take the place of one, which ends on that day and stays as the past.

    Where an agent says so of a fact that the person has asserted, both are kept until the person has decided.
    """
    old = _by_id(app, args.id)
    page = _stating(app, old, args.page_version)
    other = app.page(args.page) if args.page else page
    day = parse_day(args.from_, "from") if args.from_ else app.today()
    new = _line("object", args.object)
    _check_end(app, old, new, day)
    before: Any = old.claim.object
    if other.id != page.id:
        place = page.slug if page.collection == other.collection else f"{page.collection}::{page.slug}"
        before = {"page": place, "object": before}
    claim = old.claim
    item = _item(app, args, subject=claim.subject, predicate=claim.predicate, object=new, valid=Interval(day))
    contested = is_overruled(app, claim)
    item |= {} if contested else {"supersedes": before}

    def ended(text: str) -> str:
        return text if contested else with_changed_claim(text, claim, {"valid_until": day}, page.format)

    def begun(text: str) -> str:
        return page_format(other.format).editor.append_item(text, "assertions", item)

    first = app.collection(page.collection).edit(
        page.slug, lambda text: begun(ended(text)) if other.id == page.id else ended(text), args.page_version
    )
    second = first
    if other.id != page.id:
        second = app.collection(other.collection).edit(other.slug, begun, args.other_version)
    successor = read_claim(item)
    ids = [fact_id for fact_id, each in assertions.ids_of_page(app.connection, other.id) if each == successor]
    return SupersededFact(
        id=ids[-1],
        supersedes=old.id,
        slug=other.slug,
        version=second.version,
        old_slug=page.slug,
        old_version=first.version,
        day=day,
        contested=contested,
    )


SUPERSEDE = Operation(
    "supersede",
    supersede,
    render=lambda result, style: statement_text(
        "fact",
        fill(Statement, result),
        f"contests {result.supersedes}, which the person has asserted: both are kept until they have decided"
        if result.contested
        else f"takes the place of {result.supersedes} from {result.day}",
        style,
    ),
    effect="write",
    idempotent=False,
    looks="pages",
    examples=("supersede 12 companies/acme --from 2026-03-01 --source meeting/456",),
    brief="Replace a fact by a newer one; the old one stays as history.",
    told=("id", "object: what is true instead", "from: day", "source", "evidence", "page_version"),
)


def _asserting(app: App, args: Assert) -> PageInfo:
    """The page that is to assert a fact."""
    if args.page:
        return app.page(args.page)
    try:
        return app.page(args.subject)
    except NotFound as error:
        raise NotFound(
            f"no page is called {args.subject!r}, so that nothing says which one asserts the fact",
            hint=f"Name it with --page. {error.hint}",
        ) from None


def _item(
    app: App, args: Assert | Supersede, *, subject: str, predicate: str, object: str, valid: Interval
) -> dict[str, Any]:
    """An assertion as it is written: only what was given."""
    values = {
        "subject": subject,
        "predicate": predicate,
        "object": object,
        "valid_from": valid.since,
        "valid_until": valid.until,
        "confidence": args.confidence,
        "asserted_by": args.asserted_by or (AGENT if agent(app) else None),
        "source": args.source,
        "evidence": args.evidence,
    }
    texts = {
        name: " ".join(value.split()) if isinstance(value, str) else value for name, value in values.items()
    }
    return {name: value for name, value in texts.items() if value not in (None, "")}


def _line(name: str, text: str) -> str:
    line = " ".join(text.split())
    if not fold(line):
        raise InvalidInput(f"the {name} is empty", hint="Such as: Alice works_at RiverAI.")
    return line


def _by_id(app: App, fact_id: int) -> Fact:
    fact = assertions.by_id(app.connection, fact_id)
    if fact is None:
        raise NotFound(f"no fact {fact_id}", hint="`quaid facts` shows the ids.")
    return fact


def _fact_of(app: App, args: Retract) -> Fact:
    """The fact that an id or its three parts name."""
    given = args.fact or ""
    if args.id is not None or (given.isascii() and given.isdigit() and args.predicate is None):
        return _by_id(app, int(given) if args.id is None else args.id)
    if not (given and args.predicate and args.object):
        raise InvalidInput("no fact is named", hint="Give its id, or its subject, predicate and object.")
    wanted = Wanted(
        app.today(), "all", given, frozenset((snake_case(args.predicate),)), args.object, limit=20
    )
    found = assertions.find(app.connection, wanted)
    if not found:
        raise NotFound(
            f"no fact {given} {args.predicate} {args.object}", hint="`quaid facts --temporal all` shows them."
        )
    if len(found) > 1:
        ids = [fact.id for fact in found]
        raise Ambiguous(
            f"{len(found)} facts say so",
            hint=f"Name one by its id: {', '.join(map(str, ids))}.",
            candidates=ids,
        )
    return found[0]


def _stating(app: App, fact: Fact, expected: int | None) -> PageInfo:
    """The page whose text states a fact; a fact that a field yields is refused."""
    page = pages.info(app.connection, fact.page_id)
    check_version(page.slug, page.version, expected)
    field = fields_that_state(app, page).get(fact.claim)
    if field:
        raise InvalidInput(
            f"fact {fact.id} comes from the field {field!r} of {page.slug}", hint=f"Edit the field {field}."
        )
    return page


def _check_end(app: App, old: Fact, new: str, day: str) -> None:
    """Refuse to end a fact that has ended otherwise, or that the new one only repeats."""
    until = old.claim.valid.until
    later = assertions.successors(app.connection, [old.id]).get(old.id)
    if later is not None:
        raise Conflict(
            f"fact {later} took its place already", hint=f"Supersede that: quaid supersede {later}."
        )
    if until and until != day:
        raise Conflict(
            f"fact {old.id} ended on {until}", hint=f"Say --from {until} if that is when it changed."
        )
    if fold(new) == fold(old.claim.object):
        raise InvalidInput("the new fact says the same", hint="Name what is true instead.")
    Interval(old.claim.valid.since, day)
