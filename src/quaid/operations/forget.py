"""Forgetting: removing pages, and what a source said, for good and without a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly
from quaid.formats.content import read_page
from quaid.formats.format import page_format
from quaid.formats.slugs import PAGE_EXTENSION, slugify
from quaid.index.salvage import copies
from quaid.model.page import Format, split_target
from quaid.model.record import fill, record, replace
from quaid.operations.fields import read_version
from quaid.operations.operation import Operation, flag, option
from quaid.operations.results import as_data
from quaid.operations.text import Style, count_of
from quaid.store import erasure, file_state, history, origins, pages, raw, stocks
from quaid.store.erasure import ChosenPage, Evidence, Scope
from quaid.store.origins import Origin
from quaid.vault import folder
from quaid.vault.refusals import check_version

_NAMED = 3  # pages that a question names
_NOUNS = {
    "pages": ("page", None),
    "files": ("file", None),
    "tags": ("tag", None),
    "links": ("link", None),
    "timeline_entries": ("timeline entry", "timeline entries"),
    "assertions": ("assertion", None),
    "raw_data": ("source of raw data", "sources of raw data"),
    "earlier_versions": ("earlier version", None),
    "originals": ("original", None),
    "contradictions": ("contradiction", None),
    "chunks": ("chunk", None),
    "vectors": ("vector", None),
    "sources": ("ingested source", None),
    "imports": ("import", None),
}


@record
class Forget:
    slugs: list[str] | None = option("The pages.", positional=True, rest=True, completes="slug")
    source: str | None = option(
        "What came from it: a source_ref, an import or its folder; and what other pages know from it."
    )
    tag: str | None = option("Pages with this tag.", completes="tag")
    collection: str | None = option("Pages of this collection.", completes="collection")
    since: str | None = option("Pages that changed on or after this day.")
    until: str | None = option("Pages that changed on or before this day.")
    removed: bool = flag("Only pages that were removed already.")
    yes: bool = flag("Do it, and do not ask.")
    dry_run: bool = flag("Only say what would go.")
    page_version: int | None = read_version("The version that was read, of a single page.", for_tools="slugs")


@record
class GonePage:
    """A page that is forgotten."""

    slug: str
    collection: str
    removed: bool


@record
class TrimmedPage:
    """A page that stays, and what it loses."""

    slug: str
    collection: str
    timeline_entries: int
    assertions: int
    raw_data: int
    earlier_versions: int


@record
class Forgotten:
    """What is gone for good, or would be; whether no trace is left; files that may hold copies."""

    pages: tuple[GonePage, ...]
    trimmed: tuple[TrimmedPage, ...]
    counts: dict[str, int]
    dry_run: bool
    complete: bool | None = None
    copies: tuple[str, ...] = ()


@record
class _Plan:
    """What is to go: whole pages, and what others know from a source."""

    doomed: tuple[ChosenPage, ...]
    trimmed: tuple[tuple[ChosenPage, Evidence, int], ...]  # and how many earlier versions
    source: str | None
    logged: tuple[tuple[int, str], ...]  # sources that were ingested
    imports: tuple[str, ...]  # that go whole

    @property
    def is_empty(self) -> bool:
        """Whether nothing meets the conditions."""
        return not (self.doomed or self.trimmed or self.logged or self.imports)


def forget(app: App, args: Forget) -> Forgotten:
    """Remove pages for good, with everything that belongs to them: no trace is left in the memory.

    What meets all conditions is listed. It goes when `yes` is given, or when a person says so.
    """
    with app.store.read():
        plan = _plan(app, args)
        counts = _counts(app, plan)
        copies = _copies(app, plan)
    result = Forgotten(
        tuple(fill(GonePage, page) for page in plan.doomed),
        tuple(
            TrimmedPage(page.slug, page.collection, evidence.entries, evidence.claims, evidence.raw, versions)
            for page, evidence, versions in plan.trimmed
        ),
        counts,
        dry_run=True,
        copies=copies,
    )
    if plan.is_empty or args.dry_run or not (args.yes or app.ask(_question(plan))):
        return result
    with erasure.erasing(app.store) as connection:
        # The person agreed to what was listed, and to nothing that came to meet the conditions since.
        if _plan(app, args) != plan:
            raise Conflict("some of these pages were changed meanwhile", hint="Look again, then repeat it.")
        for page, evidence, _ in plan.trimmed:
            _trim(app, connection, page, evidence, plan.source or "")
        _erase(app, connection, plan)
        stocks.retire(connection)
    complete = erasure.scrub(app.store)
    return replace(result, dry_run=False, complete=_without_vector_files(app) and complete)


# What is meant --------------------------------------------------------------------------------------


def _plan(app: App, args: Forget) -> _Plan:
    """What meets all conditions now."""
    source = " ".join((args.source or "").split()) or None
    others = (args.slugs, args.tag, args.collection, args.since, args.until, args.removed)
    if not source and not any(others):
        raise InvalidInput(
            "nothing says what is to be forgotten", hint="Name pages, or give a condition such as --source."
        )
    cited = erasure.citing(app.connection, source) if source else {}
    made = erasure.came_from(app.connection, source) if source else set()
    named = _named_pages(app, args)
    ids = made | cited.keys() if source else None
    if named is not None:
        ids = named if ids is None else ids & named
    filtered = app.page_filter(tag=args.tag, collection=args.collection, since=args.since, until=args.until)
    within = None if ids is None else frozenset(ids)
    found = erasure.chosen_pages(app.connection, fill(Scope, filtered, ids=within, removed=args.removed))
    _check_version(args, found)
    for name in {page.collection for page in found}:
        if app.collection_row(name).read_only:
            raise ReadOnly(f"the collection {name!r} is read-only", hint="Forget it where it is written.")
    doomed = tuple(page for page in found if not source or page.id in made)
    whole = None if any(others) else source
    return _Plan(
        doomed,
        tuple(
            (page, cited[page.id], len(history.of_page(app.connection, page.id)))
            for page in found
            if source and page.id not in made
        ),
        source,
        tuple(origins.ingested_hashes(app.connection, [page.id for page in doomed], whole).items()),
        tuple(origins.batches_of(app.connection, whole)) if whole else (),
    )


def _named_pages(app: App, args: Forget) -> set[int] | None:
    """The pages that are named: the live ones, and removed ones that had their slug."""
    if not args.slugs:
        return None
    found: set[int] = set()
    for reference in args.slugs:
        collection, name = split_target(reference.strip())
        gone = erasure.removed_under(app.connection, slugify(name), collection)
        try:
            page = app.page(reference)
            found |= {page.id, *erasure.removed_under(app.connection, page.slug, page.collection)}
        except NotFound:
            if not gone:
                raise
        found.update(gone)
    return found


def _check_version(args: Forget, found: Sequence[ChosenPage]) -> None:
    if args.page_version is None:
        return
    if len(args.slugs or ()) != 1:
        raise InvalidInput("a version is that of one page", hint="Name one page, or leave the version out.")
    if found:
        check_version(found[0].slug, found[0].version, args.page_version)


def _question(plan: _Plan) -> str:
    names = [f"{page.collection}::{page.slug}" for page in plan.doomed[:_NAMED]]
    more = f" and {len(plan.doomed) - _NAMED:,} more" if len(plan.doomed) > _NAMED else ""
    parts = [", ".join(names) + more] if names else []
    if plan.trimmed:
        parts.append(f"what {count_of(len(plan.trimmed), 'other page')} know from {plan.source}")
    return f"Forget {' and '.join(parts) or plan.source} for good?"


def _counts(app: App, plan: _Plan) -> dict[str, int]:
    counts = {
        "pages": len(plan.doomed),
        **erasure.counts(app.connection, [page.id for page in plan.doomed]),
    }
    counts |= {"sources": len(plan.logged), "imports": len(plan.imports)}
    for _, evidence, versions in plan.trimmed:
        counts["timeline_entries"] += evidence.entries
        counts["assertions"] += evidence.claims
        counts["raw_data"] += evidence.raw
        counts["earlier_versions"] += versions
        counts["originals"] += evidence.originals
    return counts


def _copies(app: App, plan: _Plan) -> tuple[str, ...]:
    """Files that Quaid made and that may hold what is forgotten; they are the person's."""
    exported = erasure.copies(app.connection, [page.id for page in plan.doomed])
    database = app.store.path
    backups = sorted(str(path) for path in database.parent.glob(f"{database.name}.backup-*"))
    return () if plan.is_empty else (*exported, *backups)


# Letting it go --------------------------------------------------------------------------------------


def _trim(app: App, connection: apsw.Connection, page: ChosenPage, evidence: Evidence, source: str) -> None:
    """Take what is known from a source out of a page that stays; its past holds the same words, and goes."""
    if page.removed:
        text, _, path = pages.quarantined_text(connection, page.id)
        content = read_page(_without_evidence(text, page.format, source), page.slug, page.format, path)
        erasure.rewrite_removed(connection, page.id, content, app.now())
        raw.remove(connection, page.id, source)
    else:
        collection = app.collection(page.collection)
        if evidence.entries or evidence.claims:
            collection.edit(
                page.slug, lambda text: _without_evidence(text, page.format, source), page.version
            )
        if evidence.raw:
            collection.drop_raw(page.slug, source)
    # Earlier versions, and contradictions that quote a page, have the same words in them.
    history.forget(connection, page.id)
    erasure.forget_doubts(connection, page.id)
    known = origins.of_pages(connection, [page.id])
    doomed = origins.naming(connection, page.id, source)
    if evidence.raw:
        doomed += [each for each in known if each.is_piece and each not in doomed]
        origins.forget_beside(connection, known, _sidecars(known))
    origins.forget(connection, doomed)


def _without_evidence(text: str, format: Format, source: str) -> str:
    content, edits = read_page(text, "", format), page_format(format).editor
    for entry in content.entries:
        if entry.source == source:
            text = edits.remove_entry(text, entry)
    return edits.remove_claims(text, [claim for claim in content.claims if claim.source == source])


def _erase(app: App, connection: apsw.Connection, plan: _Plan) -> None:
    """Remove pages, and all that was kept of where they came from."""
    ids = [page.id for page in plan.doomed]
    made_of = origins.of_pages(connection, ids)
    beside = _sidecars(made_of)
    origins.forget_ingested(connection, dict(plan.logged))
    for page in plan.doomed:
        slugs = erasure.slugs_of(connection, page.id)
        erasure.forget_doubts(connection, page.id)
        collection = app.collection(page.collection)
        if page.removed:
            collection.erase_removed(page.id)
        else:
            collection.erase(page.slug, page.version)
        if page.path and folder.is_page(page.path):
            row = app.collection_row(page.collection)
            file_state.forget_problems(connection, row.id, [page.path, folder.sidecar_of(page.path)])
        erasure.forget_names(connection, page.collection, slugs)
    origins.forget(connection, made_of)
    origins.forget_beside(connection, made_of, beside)
    origins.forget_names(connection, made_of, beside)
    origins.forget_batches(connection, plan.imports)


def _sidecars(known: Sequence[Origin]) -> set[str]:
    """Where an import has the raw data of pages that were files of their own."""
    files = [each.file for each in known if folder.is_page(each.file)]
    return {folder.sidecar_of(name) for file in files for name in (file, PAGE_EXTENSION.sub(".md", file))}


def _without_vector_files(app: App) -> bool:
    """Remove the copies of vectors; the next query makes them anew. Whether none is left."""
    try:
        for path in copies(app.store.path):
            path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


# For people -----------------------------------------------------------------------------------------


def _text(result: Forgotten, style: Style) -> str:
    if not any(result.counts.values()):
        return "Nothing to forget."
    lines = [
        style.name(f"{page.collection}::{page.slug}") + (" (removed)" if page.removed else "")
        for page in result.pages
    ]
    lines += [
        f"{style.name(f'{page.collection}::{page.slug}')} stays, without {_parts_text(as_data(page))}"
        for page in result.trimmed
    ]
    total = _parts_text(result.counts)
    if result.dry_run:
        lines += [f"This would go for good: {total}.", "--yes does it."]
    else:
        lines.append(f"Gone for good: {total}.")
    if result.complete is False:
        lines.append(
            style.warning(
                "Somebody uses the memory, or the disk is full: traces are left in its files. "
                "`quaid compact` removes them."
            )
        )
    if result.copies:
        lines.append(style.warning(f"Copies that may hold some of it: {', '.join(result.copies)}"))
    return "\n".join(lines)


def _parts_text(counts: Mapping[str, int]) -> str:
    parts = [count_of(counts[name], *noun) for name, noun in _NOUNS.items() if counts.get(name)]
    return ", ".join(parts) or "files that cite the source"


FORGET = Operation(
    "forget",
    forget,
    render=_text,
    effect="destructive",
    for_owner=True,
    transaction="none",
    looks="pages",
    examples=(
        "forget people/alice",
        "forget --source meeting/123 --yes",
        "forget --tag private --until 2024-12-31 --dry-run",
    ),
)
