"""Ingesting a source: its text becomes a page, its bytes are kept, and what it says goes to other pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from uuid import uuid4

from quaid.app import App
from quaid.errors import Conflict, EmbedderFailed, InvalidInput, NotFound, QuaidError
from quaid.foreign.documents.documents import Extracted, SourceType, extract
from quaid.foreign.documents.readers import Origin
from quaid.foreign.documents.readers import day_of as day_in_name
from quaid.foreign.documents.sources import RULES, body_of, source_page
from quaid.formats.encoding import encode
from quaid.formats.format import page_format
from quaid.formats.markdown import frontmatter, structure
from quaid.formats.slugs import slugify
from quaid.graph.novelty import Meaning, Novelty, judge, meaning_of, similar_pages
from quaid.model.page import TimelineEntry
from quaid.model.record import record
from quaid.operations import evidence
from quaid.operations.evidence import PageGiven, PageOutcome, named
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, shown
from quaid.store import imports, pages
from quaid.vault.collection import Collection, Written
from quaid.vault.refusals import check_slug

_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*://")
_ONE_LINE = re.compile(r"\s+")
_DAY_IN_NAME = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


@record
class Ingest:
    content: str | None = option(
        "The text of the source, as it is.", positional=True, from_file=True, for_tools=True
    )
    source_type: SourceType | None = option("What it is; of a file, guessed.", for_tools=True, flag="--type")
    source_ref: str | None = option(
        "Where it comes from, such as meeting/123 or an address; of a file, its name.", for_tools=True
    )
    pages: list[dict[str, Any]] | None = option(
        "What it says about pages, each: slug, expected_version (0 for a new page), and any of content or "
        "compiled_truth, frontmatter, assertions [{subject, predicate, object, …}], links [{to, "
        "relationship, valid_from, valid_until, context}], timeline_entries [{date, summary, source, "
        "detail}], tags."
    )
    force: bool = flag("Write it even if it is known already, or says nothing new.")
    slug: str | None = option("Where to write the source; otherwise in sources/.")
    collection: str | None = option("The collection of the source.", completes="collection")
    dry_run: bool = flag("Say what would happen, and write nothing.")
    encoding: str = arg("The encoding of the file.", default="utf-8", hidden=True)
    file_name: str = arg("The path of the file.", default="", hidden=True)


@record
class Ingested:
    """What became of a source. `slug` is the page that stands for it."""

    slug: str
    version: int
    source_type: str
    sha256: str
    created: bool = False
    changed: bool = False
    duplicate: bool = False
    near_duplicate_of: str | None = None
    similarity: float | None = None
    pages: tuple[PageOutcome, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False


@record
class _Source:
    """A source that is read, and not written yet."""

    data: bytes
    digest: str
    type: str
    ref: str
    path: str
    slug: str
    fields: dict[str, Any]
    page: str
    entry: TimelineEntry | None
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The page with the line of its timeline."""
        return page_format("markdown").editor.add_entry(self.page, self.entry) if self.entry else self.page


def ingest(app: App, args: Ingest) -> Ingested:
    """Take in a source: a meeting, an article, a document or a conversation.

    Its text becomes a page, its bytes are kept, and what it says about other pages is written with it: all of
    that, or nothing. The same bytes are never ingested twice. If the source says nothing new, its text is not
    stored again; its evidence is.
    """
    data = encode(args.content or "", args.encoding)
    digest = sha256(data).hexdigest()
    given = evidence.given_pages(args.pages or ())
    if not args.force and (known := _earlier_answer(app, args, data, digest)):
        return known
    source = _read(app, args, data, digest)
    meanings = {} if args.force else _meanings(app, source, given)
    near = evidence.near(app, meanings.get(""))
    with app.store.write():
        # Asked again: another process may have ingested it while this one read and embedded it.
        if not args.force and (known := _earlier_answer(app, args, data, digest)):
            return known
        novelty = Novelty("new")
        if not args.force:
            found = [*similar_pages(app.connection, body_of(source.page)), *near]
            novelty = judge(app.connection, body_of(source.page), found, meanings.get(""))
        plans = [_plan(app, args, each, source, novelty, meanings.get(each.slug)) for each in given]
        if args.dry_run:
            would = [evidence.outcome(each, each.expected, created=not each.expected) for each in plans]
            return _answer(app, args, source, novelty, None, would)
        written, made = _write(app, args, source) if novelty.verdict == "new" else (None, None)
        _remember(app, source, made, novelty)
        return _answer(app, args, source, novelty, written, [evidence.write(app, each) for each in plans])


def _earlier_answer(app: App, args: Ingest, data: bytes, digest: str) -> Ingested | None:
    """The answer for bytes that were ingested before: nothing is written."""
    found = imports.page_of_bytes(app.connection, data, digest)
    if found is None:
        return None
    page = pages.load(app.connection, found)
    held = " The pages that came with it were not written either." if args.pages else ""
    note = f"Nothing is written: these bytes are known.{held} `force` writes them."
    kind = str(page.frontmatter.get("source_type") or args.source_type or "doc")
    return Ingested(
        _place(app, page.info.collection, page.info.slug),
        page.info.version,
        kind,
        digest,
        duplicate=True,
        notes=(note,),
        dry_run=args.dry_run,
    )


def _read(app: App, args: Ingest, data: bytes, digest: str) -> _Source:
    read = extract(data, args.file_name)
    name = PurePath(args.file_name).name
    ref = _ONE_LINE.sub(" ", args.source_ref or "").strip() or name or "standard input"
    title = _title(read, PurePath(name).stem or (args.source_ref or "").strip())
    kind = args.source_type or read.type
    notes = list(read.notes)
    named = _DAY_IN_NAME.search(name)
    day = read.origin.date or (day_in_name(named.group()) if named else "")
    if args.source_type is None:
        notes.append(f"Taken for a source of type {kind} ({read.kind}); --type says otherwise.")
    fields: dict[str, Any] = {
        "title": title,
        "type": "source",
        "source_type": kind,
        "source_ref": ref,
        "ingested": app.today(),
        "sha256": digest,
        **_origin_fields(read.origin, day),
    }
    wanted = (
        PurePath(name).stem if name and not args.source_ref else _SCHEME.sub("", args.source_ref or title)
    )
    slug = args.slug or slugify(f"sources/{wanted.strip('/') or digest[:8]}")
    place = f"{app.collection_row(args.collection).name}::{slug}" if args.collection else slug
    page = source_page(read.text, fields)
    path = args.file_name or (args.source_ref or "").strip()
    return _Source(
        data=data,
        digest=digest,
        type=kind,
        ref=ref,
        path=path,
        slug=place,
        fields=fields,
        page=page,
        entry=TimelineEntry(day, _event(read, title)) if day else None,
        notes=tuple(notes),
    )


def _origin_fields(origin: Origin, day: str) -> dict[str, Any]:
    """What a source says of its day and of the people concerned, as fields."""
    known: dict[str, Any] = {
        "date": day,
        "author": origin.author,
        "sender": origin.sender,
        "recipients": list(origin.recipients),
        "attendees": list(origin.attendees),
    }
    return {name: value for name, value in known.items() if value}


def _event(read: Extracted, title: str) -> str:
    """What happened on the day of a source, in one line."""
    by = read.origin.sender or read.origin.author
    kind = {"mail": "Mail", "transcript": "Meeting", "web page": "Published"}.get(read.kind, "Source")
    said = f"{kind} by {by}" if read.origin.author else f"{kind} from {by}" if by else kind
    return f"{said}: {title}"


def _title(read: Extracted, name: str) -> str:
    own = frontmatter.read(frontmatter.split(read.text)[0])[0].get("title")
    stated = own if isinstance(own, str) else read.title or structure.title_of(read.text)
    return _ONE_LINE.sub(" ", stated or name or read.text.strip().split("\n")[0][:80]).strip()


def _meanings(app: App, source: _Source, given: tuple[PageGiven, ...]) -> dict[str, Meaning]:
    """What the source ("") and the new texts of pages mean; nothing where no model is ready."""
    ready = evidence.ready_model(app)
    if ready is None:
        return {}
    try:
        texts = {"": (source.page, source.slug)}
        for each in given:
            page = evidence.present(app, each.slug)
            new = evidence.proposal(page.text, each, page.info.format) if page else None
            if new is not None:
                texts[each.slug] = (new, each.slug)
        found = {name: meaning_of(*ready, text, slug) for name, (text, slug) in texts.items()}
    except (EmbedderFailed, NotFound, InvalidInput):
        # Words decide then; what is wrong with a page is found and told where it is planned.
        return {}
    return {name: meaning for name, meaning in found.items() if meaning is not None}


def _plan(
    app: App, args: Ingest, given: PageGiven, source: _Source, novelty: Novelty, meaning: Meaning | None
) -> evidence.Plan:
    hold = novelty.verdict == "near_duplicate"
    try:
        return evidence.plan(app, given, source.ref, meaning, force=args.force, hold=hold)
    except QuaidError as error:
        raise named(given.slug, error) from error


def _write(app: App, args: Ingest, source: _Source) -> tuple[Written, int]:
    """Write the page of the source: a new one, or by force a new version of the one that it has.

    The answer is also the page's id.
    """
    own = imports.own_page(app.connection, source.data, source.digest, source.path) if args.force else None
    if own is not None and not args.slug:
        page = pages.load(app.connection, own)
        collection = app.collection(page.info.collection)
        return collection.edit(page.info.slug, lambda text: _renewed(text, source)), own
    collection, slug, known = app.place_for(source.slug)
    check_slug(slug)
    if args.slug and known:
        page = pages.load(app.connection, known.id)
        if args.force and page.info.type == "source":
            return collection.edit(slug, lambda text: _renewed(text, source)), page.info.id
        raise Conflict(
            f"another page is at {slug}", hint="Choose another slug.", current_version=page.info.version
        )
    written = collection.put(_free(collection, slug), source.text, expected=0)
    return written, app.page(f"{collection.name}::{written.slug}").id


def _free(collection: Collection, slug: str) -> str:
    """The slug, with a number if another source has it."""
    wanted, number = slug, 1
    while collection.page(wanted):
        number += 1
        wanted = f"{slug[:240]}-{number}"
    return wanted


def _renewed(text: str, source: _Source) -> str:
    """A source's page with its text made anew; what was added to the page stays."""
    new = frontmatter.read(frontmatter.split(source.page)[0])[0]
    edits = page_format("markdown").editor  # what a source says is kept as Markdown
    text = edits.set_fields(text, {RULES: new.get(RULES), **source.fields})
    text = edits.replace_truth(text, "\n" + body_of(source.page))
    return edits.add_entry(text, source.entry) if source.entry else text


def _remember(app: App, source: _Source, made: int | None, novelty: Novelty) -> None:
    """Keep the bytes and log the source. Bytes that became no page of their own belong to none."""
    imports.keep(app.connection, made, f"ingest-{uuid4().hex}", source.data, source.path, app.now())
    page = made if made is not None else novelty.page
    imports.note_ingested(app.connection, source.digest, source.type, source.ref, page, app.now())


def _answer(
    app: App,
    args: Ingest,
    source: _Source,
    novelty: Novelty,
    written: Written | None,
    outcomes: Sequence[PageOutcome],
) -> Ingested:
    if novelty.verdict != "new" and novelty.page is not None:
        page = pages.info(app.connection, novelty.page)
        slug, version = _place(app, page.collection, page.slug), page.version
    elif written is not None:
        slug, version = written.slug, written.version
    else:
        slug, version = _free(*app.place_for(source.slug)[:2]), 0
    near = novelty.verdict == "near_duplicate"
    return Ingested(
        slug=slug,
        version=version,
        source_type=source.type,
        sha256=source.digest,
        created=written is not None and written.created,
        changed=written is not None and written.changed,
        duplicate=novelty.verdict == "duplicate",
        near_duplicate_of=slug if near else None,
        similarity=round(novelty.similarity, 3) if novelty.verdict != "new" else None,
        pages=tuple(outcomes),
        notes=source.notes,
        dry_run=args.dry_run,
    )


def _place(app: App, collection: str, slug: str) -> str:
    return slug if collection == app.collection_row().name else f"{collection}::{slug}"


def _text(result: Ingested, style: Style) -> str:
    name = style.name(result.slug)
    would = "would be " if result.dry_run else ""
    if result.near_duplicate_of or result.similarity is not None:
        measure = "meaning" if result.near_duplicate_of else "words"
        lines = [
            f"nothing new: {name} says the same ({measure} {result.similarity:.0%} alike)",
            "Its text is not stored again; its bytes and evidence are. `--force` stores it.",
        ]
    elif result.duplicate:
        lines = [f"known already: {name}, version {result.version}"]
    else:
        did = "created" if result.created or result.dry_run else "renewed" if result.changed else "unchanged"
        lines = [f"{name} {would}{did}" + ("" if result.dry_run else f", version {result.version}")]
    for page in result.pages:
        did = "created" if page.created else "changed" if page.changed else "unchanged"
        noted = f" ({page.note})" if page.note else ""
        lines.append(f"{style.name(page.slug)} {would}{did}, version {page.version}{noted}")
    return "\n".join([*lines, *(style.dim(shown(note)) for note in result.notes)])


INGEST = Operation(
    "ingest",
    ingest,
    render=_text,
    effect="write",
    transaction="none",  # documents are read and embedded before the memory is held against others
    brings_texts=True,
    examples=(
        "ingest board.vtt",
        "ingest report.pdf --type article --dry-run",
        "ingest notes.md --slug sources/2026-04-14-notes --force",
    ),
    brief="Store a source and what it says about pages, all or nothing. Known sources are not stored twice.",
    told=(
        "content: the source's text",
        "source_type",
        "source_ref: such as meeting/123 or a URL",
        "force: even if known",
        "pages: {slug, expected_version, content? or compiled_truth?, assertions?, tags?, "
        "links?: [{to, relationship, valid_from?}], timeline_entries?: [{date, summary, source?}]}",
    ),
    unneeded=("sha256",),
)
