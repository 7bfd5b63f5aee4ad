"""Writing pages."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.formats.content import read_page
from quaid.formats.fields import read_claim
from quaid.formats.format import Editor, page_format
from quaid.formats.slugs import is_slug
from quaid.formats.templates import fill_template
from quaid.model.page import Format, PageInfo, split_target
from quaid.model.record import fill, record
from quaid.operations.caller import refuse_unread, with_facts_of_person
from quaid.operations.edits import with_problems
from quaid.operations.evidence import with_evidence_of
from quaid.operations.novelty import NoveltyView, novelty_of, novelty_text
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style
from quaid.store import pages
from quaid.vault.collection import Collection, Written
from quaid.vault.refusals import check_slug

MAX_CHARACTERS = 32 * 1024 * 1024
COMPARED = 500  # words of two texts, to tell whether one is the other with a change
FEW = 5
ALIKE = 0.6  # so much must be the same where the name can be no other page's
NEARLY_THE_SAME = 0.85  # and where it could be that of a new page


@record
class Put:
    slug: str = arg(
        "Where to write it, such as people/alice; a page that is there, by slug or file name.",
        positional=True,
        completes="slug",
    )
    content: str | None = option("The whole page as Markdown.", positional=True, from_file=True)
    expected_version: int | None = option(
        "The version that was read; 0 for a new page.", for_tools=True, least=0
    )
    compiled_truth: str | None = option(
        "Instead of content: only the part above the line.", instead_of="content"
    )
    timeline_append: str | None = option(
        "Instead of content: Markdown to add to the timeline.", instead_of="content"
    )
    frontmatter: dict[str, Any] | None = option(
        "Instead of content: fields to set; null removes one.", instead_of="content"
    )
    assertions: list[dict[str, Any]] | None = option(
        "Facts to add: subject, predicate, object, and if known valid_from, valid_until, confidence, "
        "asserted_by, source_ref, evidence_text.",
        instead_of="content",
    )
    check_novelty: bool = flag(
        "Say whether the compiled truth is new; one that is not leaves the old one, and evidence is added."
    )
    encoding: str | None = option("The encoding of the file.", hidden=True)


@record
class Checked(Written):
    """What a write did, and how new its compiled truth was."""

    novelty: NoveltyView | None = None


def put(app: App, args: Put) -> Written:
    """Write a page, or parts of one.

    A page that changed since the expected version is left as it is, and the answer is a conflict that carries
    the current version.
    """
    if len(args.content or args.compiled_truth or "") > MAX_CHARACTERS:
        raise InvalidInput("the page is larger than 32 million characters", hint="Split it.")
    collection, slug, known = _place(app, args)
    parts = (args.compiled_truth, args.timeline_append, args.frontmatter, args.assertions)
    if args.content is None and all(part is None for part in parts):
        raise InvalidInput("nothing to write", hint="Give content, or parts of a page.")
    if args.content is not None and any(part is not None for part in parts[:3]):
        raise InvalidInput("content is the whole page", hint="Give either content or its parts.")
    if args.content is not None and not args.content.strip():
        raise InvalidInput("the page is empty", hint="`quaid rm` removes a page.")
    if known and args.expected_version == 0:
        raise there_already(known)
    if known and args.expected_version is None and any(part is not None for part in _replacing(args)):
        refuse_unread(app, known)
    truth = _truth(args, known) if args.check_novelty else None
    if truth is None:
        return _write(app, args, collection, slug, known)
    novelty = novelty_of(app, truth, page_id=known.id if known else None)
    if known and novelty.verdict != "new":
        written = collection.edit(
            slug, lambda text: _with_evidence(text, args, known.format), args.expected_version
        )
    else:
        written = _write(app, args, collection, slug, known)
    return fill(Checked, written, novelty=NoveltyView.of(app, novelty))


def _replacing(args: Put) -> tuple[object, ...]:
    """The parts that take the place of others; timeline and facts are only added to."""
    return args.content, args.compiled_truth, args.frontmatter


def _place(app: App, args: Put) -> tuple[Collection, str, PageInfo | None]:
    """Where to write: by any name that `get` takes, if the text is that page with a change in it.

    Who names a version that was read means a page that is there. Other texts go to the slug that is given:
    `alice` may be a new page beside people/alice, and is one for whoever says that there is none.
    """
    with suppress(NotFound, InvalidInput):
        called = app.pages_called(args.slug)
        if not called:
            return *app.place_of_new(args.slug), None
        if len(called) > 1:
            return app.place_for(args.slug)
        (page,) = called
        if page.slug == split_target(args.slug)[1] or args.expected_version:
            return app.collection(page.collection), page.slug, page
        known = pages.load(app.connection, page.id).text
        alike = NEARLY_THE_SAME if is_slug(args.slug) else ALIKE
        if args.expected_version is None and _is_edit(known, args.content or "", alike):
            return app.collection(page.collection), page.slug, page
    return app.place_for(args.slug)


def _is_edit(before: str, after: str, alike: float) -> bool:
    """Whether so many words of two texts are the same, in the same order. Of a few words, nobody can tell."""
    from difflib import SequenceMatcher  # a page that is written by its slug does without

    words = before.split()[:COMPARED], after.split()[:COMPARED]
    return len(words[0]) >= FEW and SequenceMatcher(None, *words, autojunk=False).ratio() >= alike


def there_already(page: PageInfo) -> Conflict:
    """The refusal to make a page that there is."""
    return Conflict(
        f"{page.slug} is there already: {page.collection}::{page.slug}, version {page.version}",
        hint="Read it, merge your change, and write with its version; or choose another slug.",
        current_version=page.version,
        expected_version=0,
    )


def _truth(args: Put, known: PageInfo | None) -> str | None:
    """The compiled truth that is given."""
    if args.content is None:
        return args.compiled_truth
    return read_page(args.content, "", known.format if known else "markdown").truth


def _write(app: App, args: Put, collection: Collection, slug: str, known: PageInfo | None) -> Written:
    format: Format = known.format if known else "markdown"
    edits = page_format(format).editor

    def kept(old: str, new: str) -> str:
        return with_facts_of_person(app, old, new, format)

    if args.content is not None:
        text = _with_claims(args.content, args, edits)
        if known is None:
            return collection.put(slug, text, args.encoding, args.expected_version)
        old = pages.load(app.connection, known.id).text
        return collection.put(slug, kept(old, text), expected=args.expected_version)
    if args.expected_version == 0 and not known:
        return collection.put(slug, _changed("", args, edits), expected=0)
    return collection.edit(slug, lambda text: kept(text, _changed(text, args, edits)), args.expected_version)


def _with_evidence(text: str, args: Put, format: Format) -> str:
    """The page with what is given besides a compiled truth that says nothing new."""
    edits = page_format(format).editor
    if args.content is not None:
        return _with_claims(with_evidence_of(text, args.content, format), args, edits)
    return _with_parts(text, args, edits)


def _changed(text: str, args: Put, edits: Editor) -> str:
    if args.compiled_truth is not None:
        text = edits.replace_truth(text, args.compiled_truth)
    return _with_parts(text, args, edits)


def _with_parts(text: str, args: Put, edits: Editor) -> str:
    if args.frontmatter:
        text = edits.set_fields(text, args.frontmatter)
    if args.timeline_append and args.timeline_append.strip():
        text = edits.append_timeline(text, args.timeline_append)
    return _with_claims(text, args, edits)


def _with_claims(text: str, args: Put, edits: Editor) -> str:
    for claim in args.assertions or ():
        read_claim(claim)
        text = edits.append_item(text, "assertions", claim)
    return text


def written_text(written: Written, style: Style) -> str:
    """What a write did, in a line, and what could not be understood."""
    did = "created" if written.created else "changed" if written.changed else "unchanged"
    lines = [f"{style.name(written.slug)} {did}, version {written.version}"]
    if isinstance(written, Checked) and written.novelty:
        stays = written.novelty.verdict != "new" and not written.created
        kept = "; the compiled truth stays as it was" if stays else ""
        lines.append(novelty_text(written.novelty, style) + kept)
    return with_problems("\n".join(lines), written.problems, style)


PUT = Operation(
    "put",
    put,
    render=written_text,
    effect="write",
    examples=(
        "put people/alice alice.md",
        "put people/alice --expected-version 3 < alice.md",
        """put people/alice --frontmatter '{"summary": "Founder of RiverAI"}'""",
    ),
    brief="Write a page (content), or parts of one. On conflict: memory_get, merge, retry.",
    told=(
        "slug: such as people/alice",
        "content: whole page, Markdown",
        "expected_version: as read; 0: new page",
        "compiled_truth: replaces what stands above the timeline",
        "timeline_append: Markdown",
        "frontmatter: fields to set; null removes",
        "assertions: {subject, predicate, object, valid_from?, asserted_by?, source_ref?, evidence_text?}",
    ),
)


@record
class New:
    type: str = arg("The type of page.", positional=True, completes="type")
    slug: str = arg("Where to write it.", positional=True, completes="slug")
    title: str | None = option("Its title; otherwise made from the slug.")


def new(app: App, args: New) -> Written:
    """Make a page from the template of its type."""
    collection, slug, known = app.place_for(args.slug)
    check_slug(slug)
    if known:
        raise there_already(known)
    return collection.put(slug, fill_template(args.type, slug, args.title, app.today()), expected=0)


NEW = Operation(
    "new",
    new,
    render=written_text,
    effect="write",
    idempotent=False,
    examples=("new person people/alice", 'new decision decisions/sqlite --title "We use SQLite"'),
)
