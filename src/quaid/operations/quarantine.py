"""Pages whose files have gone, or that were removed: looking at them, bringing them back, letting them go."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.files import replace_file
from quaid.formats.encoding import encode
from quaid.model.page import split_target
from quaid.model.record import record
from quaid.operations.fields import IN_COLLECTION
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.paths import given_path
from quaid.operations.put import written_text
from quaid.operations.text import Style, columns, count_of, shown
from quaid.store import pages, quarantine, raw
from quaid.store.quarantine import QuarantinedPage
from quaid.vault import folder, rows
from quaid.vault.collection import Written
from quaid.vault.sidecars import sidecar_data


@record
class Choice:
    slug: str | None = option("Its slug, or collection::slug; otherwise all.", positional=True)
    collection: str | None = IN_COLLECTION


@record
class QuarantineList:
    """Pages in quarantine, newest first."""

    pages: tuple[QuarantinedPage, ...]


def list_quarantine(app: App, args: Choice) -> QuarantineList:
    """List pages that were removed, and those whose files have gone."""
    return QuarantineList(tuple(_pages_meant(app, args)))


def _pages_meant(app: App, args: Choice) -> list[QuarantinedPage]:
    collection, slug = split_target(args.slug) if args.slug else (None, None)
    name = collection or args.collection
    row = app.collection_row(name) if name else None
    return quarantine.listing(app.connection, row.id if row else None, slug)


def _pages_or_error(app: App, args: Choice) -> list[QuarantinedPage]:
    chosen = _pages_meant(app, args)
    if not chosen:
        raise NotFound(
            f"no page {args.slug!r} is in quarantine" if args.slug else "no page is in quarantine",
            hint="`quaid collection quarantine list` shows what is.",
        )
    return chosen


def _list_text(result: QuarantineList, style: Style) -> str:
    listed = [
        (
            style.name(f"{each.collection}::{each.slug}"),
            shown(each.title),
            style.dim(f"since {each.since}" + (f", saved to {each.exported_to}" if each.exported_to else "")),
        )
        for each in result.pages
    ]
    return columns(listed) or "No page is in quarantine."


COLLECTION_QUARANTINE_LIST = Operation(
    "collection quarantine list",
    list_quarantine,
    render=_list_text,
    examples=("collection quarantine list", "collection quarantine list --collection notes"),
)


@record
class Restore:
    slug: str = arg("Its slug, or collection::slug.", positional=True)


def restore(app: App, args: Restore) -> Written:
    """Bring a page back with all that belonged to it, and write its file again."""
    page = _pages_or_error(app, Choice(args.slug))[0]
    return app.collection(page.collection).restore(page.slug, page.id)


COLLECTION_QUARANTINE_RESTORE = Operation(
    "collection quarantine restore",
    restore,
    render=written_text,
    effect="write",
    idempotent=False,
    examples=("collection quarantine restore notes::people/alice",),
)


@record
class Export:
    folder: str = arg("Where to write them.", positional=True, completes="file")
    slug: str | None = option("Its slug, or collection::slug; otherwise all.", positional=True)
    collection: str | None = IN_COLLECTION


@record
class Exported:
    """What was written."""

    folder: str
    files: tuple[str, ...]


def export(app: App, args: Export) -> Exported:
    """Write pages in quarantine to a folder, to the byte. They stay in quarantine."""
    target = given_path(args.folder)
    written: list[str] = []
    for page in _pages_or_error(app, Choice(args.slug, args.collection)):
        text, encoding, path = pages.quarantined_text(app.connection, page.id)
        name = f"{page.collection}/{path or page.slug + '.md'}"
        # What lies there may be the only copy of something else.
        if (target / name).exists():
            raise Conflict(f"{target / name} exists", hint="Choose an empty folder.")
        replace_file(target / name, encode(text, encoding))
        sources = raw.of_page(app.connection, page.id)
        if sources:
            replace_file(target / folder.sidecar_of(name), sidecar_data(sources))
        quarantine.note_export(app.connection, page, app.now(), str(target / name))
        written.append(name)
    return Exported(str(target), tuple(written))


COLLECTION_QUARANTINE_EXPORT = Operation(
    "collection quarantine export",
    export,
    render=lambda result, style: f"{count_of(len(result.files), 'page')} written to {result.folder}",
    effect="write",
    for_owner=True,
    examples=("collection quarantine export saved", "collection quarantine export saved notes::people/alice"),
)


@record
class Discard:
    slug: str | None = option("Its slug, or collection::slug.", positional=True)
    collection: str | None = option("All of this collection.", completes="collection")
    all: bool = flag("All that is in quarantine.")


@record
class Discarded:
    """Pages that are gone for good."""

    pages: tuple[str, ...]


def discard(app: App, args: Discard) -> Discarded:
    """Remove pages in quarantine for good, with all that belonged to them."""
    if not (args.slug or args.collection or args.all):
        raise InvalidInput("nothing is named", hint="Name a page or a collection, or say --all.")
    chosen = _pages_or_error(app, Choice(args.slug, args.collection))
    for page in chosen:
        rows.erase(app.connection, page.id)
    return Discarded(tuple(f"{page.collection}::{page.slug}" for page in chosen))


COLLECTION_QUARANTINE_DISCARD = Operation(
    "collection quarantine discard",
    discard,
    render=lambda result, style: f"{count_of(len(result.pages), 'page')} removed for good",
    effect="destructive",
    for_owner=True,
    examples=("collection quarantine discard people/alice", "collection quarantine discard --all"),
)
