"""What a source says about pages: texts that novelty decides about, and evidence that is always kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from quaid.app import App
from quaid.embed.embedder import Embedder
from quaid.errors import Conflict, EmbedderFailed, InvalidInput, NotFound, QuaidError
from quaid.formats.content import read_page
from quaid.formats.fields import items_of, read_claim
from quaid.formats.format import page_format
from quaid.formats.slugs import fold
from quaid.graph.novelty import Meaning, Novelty, judge, neighbours
from quaid.index.matrix import VectorMatrix
from quaid.model.interval import Interval, parse_day
from quaid.model.page import Claim, Format, Page, Reference, TimelineEntry, split_target
from quaid.model.record import fill, record
from quaid.operations.arguments import decode
from quaid.operations.fields import KNOWN_FROM, VALID_FROM, VALID_UNTIL
from quaid.operations.operation import arg, option
from quaid.store import embeddings, pages
from quaid.store.embeddings import ModelRow
from quaid.vault.refusals import check_slug, check_version

_WORD = re.compile(r"[^\s|]{1,200}")


@record
class PageGiven:
    """What a caller says about one page."""

    slug: str = arg("The page.")
    expected_version: int = arg("The version that was read; 0 for a new page.", least=0)
    content: str | None = option("The whole page as Markdown.")
    compiled_truth: str | None = option("Instead of content: only the part above the line.")
    frontmatter: dict[str, Any] | None = option("Fields to set; null removes one.")
    assertions: list[dict[str, Any]] | None = option("Facts to add.")
    links: list[dict[str, Any]] | None = option("Links to add.")
    timeline_entries: list[dict[str, Any]] | None = option("Dated lines to add.")
    tags: list[str] | None = option("Tags to add.")


@record
class EntryGiven:
    """A dated line."""

    date: str = arg("The day, YYYY-MM-DD.")
    summary: str = arg("What happened, in one line.")
    source: str | None = KNOWN_FROM
    detail: str | None = option("More about it, as Markdown.")


@record
class LinkGiven:
    """A typed link."""

    to: str = arg("The page that it leads to.")
    relationship: str = arg("What the one is to the other.", default="related")
    context: str | None = option("The sentence that says so.")
    valid_from: str | None = VALID_FROM
    valid_until: str | None = VALID_UNTIL


@record
class PageOutcome:
    """What became of one page. `rewritten` is left out where no new text was given."""

    slug: str
    version: int
    created: bool = False
    changed: bool = True
    rewritten: bool | None = None
    similarity: float | None = None
    note: str | None = None


@record
class Plan:
    """A page's new text, checked against its version and not written yet."""

    place: str
    slug: str
    expected: int
    text: str
    rewritten: bool | None
    novelty: Novelty | None
    changed: bool


def given_pages(values: Iterable[Any]) -> tuple[PageGiven, ...]:
    """The pages that a caller speaks of, checked as arguments are."""
    found: list[PageGiven] = []
    for number, value in enumerate(values):
        name = value.get("slug", "") if isinstance(value, dict) else ""
        called = str(name) if isinstance(name, str) and name else f"pages[{number}]"
        try:
            page = decode(PageGiven, value if isinstance(value, dict) else {}, tool=True)
            if page.content is not None and page.compiled_truth is not None:
                raise InvalidInput("content is the whole page", hint="Give either content or compiled_truth.")
        except QuaidError as error:
            raise named(called, error) from None
        if page.slug in (other.slug for other in found):
            raise InvalidInput(f"{page.slug} is given twice", hint="Say all about a page in one item.")
        found.append(page)
    return tuple(found)


def named(slug: str, error: QuaidError) -> QuaidError:
    """The error with the page that it is about."""
    message = error.message if slug in error.message else f"{slug}: {error.message}"
    return type(error)(message, hint=error.hint, **{**error.data, "page": slug})


def present(app: App, reference: str) -> Page | None:
    """The page at this place, if there is one."""
    _, _, known = app.place_for(reference)
    return pages.load(app.connection, known.id) if known else None


def proposal(text: str, given: PageGiven, format: Format = "markdown") -> str | None:
    """The page with the new text that is given for it; None if none is."""
    if given.content is not None:
        if not given.content.strip():
            raise InvalidInput("the page is empty", hint="`quaid rm` removes a page.")
        return _with_old_evidence(given.content, text, format)
    if given.compiled_truth is None:
        return None
    return page_format(format).editor.replace_truth(text, given.compiled_truth)


def plan(
    app: App, given: PageGiven, source_ref: str, meaning: Meaning | None, *, force: bool, hold: bool
) -> Plan:
    """The new text of a page. Its compiled truth changes only if that is new; evidence is added in any case.

    With `hold`, nothing derived replaces what is there, because the source itself says nothing new.
    """
    collection, slug, known = app.place_for(given.slug)
    check_slug(slug)
    page = pages.load(app.connection, known.id) if known else None
    check_version(slug, page.info.version if page else 0, given.expected_version)
    old, format = (page.text, page.info.format) if page else ("", "markdown")
    text, novelty, rewritten = old, None, None
    new = proposal(old, given, format)
    if new is not None:
        truth = read_page(new, slug, format).truth
        rewritten = True
        if page and not force:
            novelty = judge(app.connection, truth, [page.info.id], meaning)
            rewritten = novelty.verdict == "new" and not hold
        if rewritten:
            text = new
        elif given.content is not None:
            text = with_evidence_of(text, given.content, format)
    text = _with_evidence(app, text, given, source_ref, collection.name, format)
    if not text.strip():
        raise InvalidInput("nothing to write", hint="Give content, compiled_truth or evidence.")
    return Plan(
        place=collection.name,
        slug=slug,
        expected=given.expected_version,
        text=text,
        rewritten=rewritten,
        novelty=novelty,
        changed=text != old,
    )


def write(app: App, planned: Plan) -> PageOutcome:
    """Write what was planned, in the transaction in which it was planned."""
    collection = app.collection(planned.place)
    if planned.expected:
        written = collection.edit(planned.slug, lambda text: planned.text, planned.expected)
    else:
        written = collection.put(planned.slug, planned.text, expected=0)
    return outcome(planned, written.version, created=written.created)


def outcome(planned: Plan, version: int, *, created: bool) -> PageOutcome:
    """What a plan does, for the caller."""
    held = planned.rewritten is False
    novelty = planned.novelty
    return fill(
        PageOutcome,
        planned,
        version=version,
        created=created,
        similarity=round(novelty.similarity, 3) if held and novelty and novelty.verdict != "new" else None,
        note=_held_back(planned) if held else None,
    )


def _held_back(planned: Plan) -> str:
    verdict = planned.novelty.verdict if planned.novelty else "new"
    reason = {
        "duplicate": "unchanged: nothing new in its words",
        "near_duplicate": "unchanged: nothing new in its meaning",
        "new": "unchanged: the source repeats another",
    }[verdict]
    return f"{reason}; evidence is kept, `force` rewrites the text"


def _with_old_evidence(content: str, old: str, format: Format) -> str:
    """A new page with the timeline that the old one had: evidence is added to, not replaced."""
    before, after = read_page(old, "", format), read_page(content, "", format)
    if before.head and not after.head:
        content = before.head + content
    if before.rule and not after.rule:
        kept = content.rstrip() + "\n\n" + before.rule + before.timeline
        if read_page(kept, "", format).timeline == before.timeline:
            return kept
    return _with_entries(content, before.entries, format)


def with_evidence_of(text: str, content: str, format: Format) -> str:
    """The page with the evidence that stands in a text which is not written itself."""
    found = read_page(content, "", format)
    text = _with_entries(text, found.entries, format)
    for tag in found.tags:
        text = page_format(format).editor.add_tag(text, tag)
    for link in found.references:
        if link.source == "frontmatter":
            text = _with_link(text, link, format)
    for item in items_of(found.frontmatter.get("assertions")):
        if isinstance(item, dict):
            text = with_claim(text, item, format)
    return text


def _with_entries(text: str, entries: Sequence[TimelineEntry], format: Format) -> str:
    for entry in entries:
        text = page_format(format).editor.add_entry(text, entry)
    return text


def _with_evidence(
    app: App, text: str, given: PageGiven, source_ref: str, collection: str, format: Format
) -> str:
    """The page with all evidence that is given; what it says already is not said twice."""
    edits = page_format(format).editor
    if given.frontmatter:
        text = edits.set_fields(text, given.frontmatter)
    for tag in given.tags or ():
        text = edits.add_tag(text, _tag(tag))
    for value in given.links or ():
        text = _with_link(text, _link(app, decode(LinkGiven, value, tool=True), collection), format)
    for value in given.assertions or ():
        sourced = value.get("source_ref") or value.get("source")
        text = with_claim(text, value if sourced else value | {"source_ref": source_ref}, format)
    for value in given.timeline_entries or ():
        text = edits.add_entry(text, _entry(decode(EntryGiven, value, tool=True), source_ref))
    return text


def _tag(given: str) -> str:
    tag = given.strip().lstrip("#").strip()
    if not tag or re.search(r"[\s,]", tag):
        raise InvalidInput(f"{given!r} cannot be a tag", hint="A tag is one word.")
    return tag


def _entry(given: EntryGiven, source_ref: str) -> TimelineEntry:
    known = source_ref if _WORD.fullmatch(source_ref) else ""
    source = known if given.source is None else given.source.strip()
    detail = (given.detail or "").strip("\r\n")
    return TimelineEntry(parse_day(given.date), given.summary.strip(), source, detail)


def _link(app: App, given: LinkGiven, collection: str) -> Reference:
    relationship = " ".join(given.relationship.split())
    if not relationship or relationship == "mentions":
        raise InvalidInput(f"{given.relationship!r} cannot be a relationship", hint="Such as works_at.")
    target = given.to.strip()
    try:
        page = app.page(target)
        target = page.slug if page.collection == collection else f"{page.collection}::{page.slug}"
    except NotFound:
        if not fold(split_target(target)[1]) or "\n" in target:
            raise InvalidInput("a link leads nowhere", hint="Name a page with `to`.") from None
    return Reference(
        target=target,
        relationship=relationship,
        context=" ".join((given.context or "").split()),
        source="frontmatter",
        valid=Interval.parse(given.valid_from, given.valid_until),
    )


def _with_link(text: str, link: Reference, format: Format) -> str:
    for known in read_page(text, "", format).references:
        if known.source != "frontmatter" or _ends(known) != _ends(link):
            continue
        # Without days, a link says no more than one of the same kind that has some.
        if known.valid == link.valid or (link.valid == Interval() and known.valid.until is None):
            return text
        if known.valid.overlaps(link.valid):
            raise Conflict(
                f"a link {link.relationship} to {link.target} is there for an overlapping time",
                hint="Close it first, or choose days outside it.",
            )
    return page_format(format).editor.add_link(text, link)


def _ends(link: Reference) -> tuple[str, str]:
    return link.relationship, fold(link.target)


def with_claim(text: str, value: Mapping[str, Any], format: Format, names: Collection[str] = ()) -> str:
    """The page with one more assertion; what it says already is not said twice.

    The same fact by the same source gets the days that it lacked. `names` are folded names of one page.
    """
    claim = read_claim(value)
    for known in read_page(text, "", format).claims:  # a text without a place yields no others
        if not is_same_fact(known, claim, names):
            continue
        valid = _joined(known.valid, claim.valid) or known.valid
        days = {"valid_from": valid.since, "valid_until": valid.until}
        old = {"valid_from": known.valid.since, "valid_until": known.valid.until}
        changes = {name: day for name, day in days.items() if day != old[name]}
        return with_changed_claim(text, known, changes, format) if changes else text
    return page_format(format).editor.append_item(text, "assertions", value)


def is_same_fact(known: Claim, claim: Claim, names: Collection[str] = ()) -> bool:
    """Whether two assertions are one: the same words of one source, and times that are or may be one."""

    def wording(each: Claim) -> tuple[str, ...]:
        ends = (fold(each.subject), fold(each.object))
        subject, object_ = ("" if end in names else end for end in ends)
        return subject, each.predicate, object_, each.source

    return wording(known) == wording(claim) and _joined(known.valid, claim.valid) is not None


def _joined(known: Interval, new: Interval) -> Interval | None:
    """When a fact holds that is stated twice, if both statements are of one time."""
    if known.until and new.until != known.until:
        return None
    if known.since and new.since and known.since != new.since:
        return None if new.until else known
    since = known.since or new.since
    return None if since and new.until and new.until < since else Interval(since, new.until)


def with_changed_claim(text: str, claim: Claim, fields: Mapping[str, Any], format: Format) -> str:
    """The page with some fields of one of its assertions set."""
    return page_format(format).editor.change_claim(text, claim, fields)


def ready_model(app: App) -> tuple[ModelRow, Embedder] | None:
    """The active model, if it can be had and the memory has vectors of it; nothing is downloaded."""
    model = app.models.active
    if model is None or not embeddings.state(app.connection, model.id)[0]:
        return None
    try:
        embedder = app.models.embedder(model.name)
    except (EmbedderFailed, NotFound, InvalidInput):
        return None
    return (model, embedder) if embedder.dimensions == model.dimensions else None


def near(app: App, meaning: Meaning | None) -> list[int]:
    """The pages that mean nearly the same."""
    model = app.models.active if meaning else None
    return (
        neighbours(app.connection, VectorMatrix(app.store.path, model), meaning) if meaning and model else []
    )
