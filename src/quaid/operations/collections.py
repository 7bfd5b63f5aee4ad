"""Collections: which there are, and folders that are attached."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.files import make_private_directory
from quaid.formats.slugs import is_slug, slugify
from quaid.model.record import fill, record
from quaid.notebook.places import PROFILE, furnish
from quaid.operations.fields import ONE_COLLECTION, Nothing
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.paths import given_path
from quaid.operations.sync import Synced, next_step, sync_collection, synced_text
from quaid.operations.text import Style, columns, count_of, numbers, shown
from quaid.store import collections, file_state, leases
from quaid.store.collections import CollectionRow, Profile
from quaid.vault.attachments import Attachment, insert, record_all
from quaid.vault.folder import is_pattern


@record
class Add:
    name: str = arg("Its name, as in name::slug.", positional=True)
    folder: str | None = option(
        "The folder of its pages; without one, they live in the memory.", positional=True
    )
    profile: Profile = arg("What kind of folder it is; vault is any folder of notes.", default="vault")
    read_only: bool = flag("Never write to it.")


def add(app: App, args: Add) -> Synced:
    """Attach a folder of files as it is, or make a collection in the memory.

    Files that are there stay as they are. Every Markdown and org file becomes a page; edits by other
    programs are seen. A notebook in an empty folder begins with a few small files. Interrupted, the same
    command goes on where it stopped.
    """
    begun = collections.by_name(app.connection, args.name)
    if begun and args.folder is not None and _is_same(app, begun, args):
        return sync_collection(app, begun, accept_empty=True)
    check_name(app, args.name)
    if args.folder is None:
        with app.store.write() as connection:
            collections.insert(connection, args.name, read_only=args.read_only)
        return Synced(args.name)
    root = given_path(args.folder)
    return attach(app, Attachment(args.name, str(root), args.profile, args.read_only))


def _is_same(app: App, row: CollectionRow, args: Add) -> bool:
    """Whether a collection is what is to be added."""
    stated = (row.state, row.profile, row.read_only) == ("active", args.profile, args.read_only)
    return stated and row.kind == "files" and app.stated_root(row) == given_path(args.folder or "").resolve()


def attach(app: App, attachment: Attachment) -> Synced:
    """Attach a folder and read it for the first time."""
    root = (app.store.path.parent / attachment.root).resolve()
    # A notebook may begin with nothing; a vault is somebody's notes, and a wrong path is a mistake.
    if attachment.profile == PROFILE and not root.exists():
        make_private_directory(root)
    if not root.is_dir():
        raise NotFound(f"there is no folder {root}", hint="Make it first, or check the spelling.")
    refuse_overlap(app, root)
    # To name a folder here is to accept it; a folder that a memory merely states is not accepted.
    app.territory.annex(root)
    if attachment.profile == PROFILE and not attachment.read_only:
        furnish(root)
    with app.store.write() as connection:
        row = insert(connection, attachment)
        record_all(connection, app.store.path)
    return sync_collection(app, row, accept_empty=True)


def refuse_overlap(app: App, root: Path) -> None:
    """Refuse a folder that has a part in that of another collection."""
    for row in collections.of_files(app.connection):
        other = app.stated_root(row)
        if root == other or other in root.parents or root in other.parents:
            raise Conflict(
                f"{root} and the folder of {row.name!r}, {other}, overlap",
                hint=f"`quaid collection info {row.name}` says more; a page belongs to one collection.",
            )


def check_name(app: App, name: str) -> None:
    """Refuse a name that is taken, or that could not stand before `::`."""
    if not is_slug(name) or "/" in name:
        raise InvalidInput(
            f"{name!r} is not a name: lower-case letters, digits, - and _",
            hint=f"Use {slugify(name).replace('/', '-')}.",
        )
    if collections.by_name(app.connection, name):
        raise Conflict(f"there is a collection {name!r} already", hint="Choose another name.")


COLLECTION_ADD = Operation(
    "collection add",
    add,
    render=lambda result, style: f"{synced_text(result, style)}\n{next_step(result)}",
    effect="write",
    for_owner=True,
    idempotent=False,
    transaction="own",
    brings_texts=True,
    examples=(
        "collection add notes ~/notes",
        "collection add diary ~/diary --profile notebook",
        "collection add wiki /srv/wiki --read-only",
    ),
)


@record
class CollectionLine:
    """A collection in a list."""

    name: str
    profile: str
    folder: str
    read_only: bool
    default: bool
    state: str
    alarm: str
    pages: int
    synced_at: str | None
    watched_by: int | None


@record
class CollectionList:
    """All collections."""

    collections: tuple[CollectionLine, ...]


def list_collections(app: App, args: Nothing) -> CollectionList:
    """List the collections, the default one first."""
    return CollectionList(tuple(line_of(app, row) for row in collections.everything(app.connection)))


def line_of(app: App, row: CollectionRow) -> CollectionLine:
    """What a list shows of a collection."""
    holder = leases.holder(app.connection, row.id, app.now())
    folder = app.stated_root(row) if row.root else None
    strange = folder is not None and not app.territory.admits(folder)
    return fill(
        CollectionLine,
        row,
        folder=str(folder or ""),
        default=row.id == collections.default(app.connection).id,
        state="untrusted" if strange else row.state,
        alarm=f"`quaid trust {app.territory.subject}` accepts its folder" if strange else row.alarm,
        pages=collections.page_count(app.connection, row.id),
        watched_by=holder.pid if holder else None,
    )


def _list_text(result: CollectionList, style: Style) -> str:
    rows = []
    for each in result.collections:
        place = shown(each.folder) + _remarks(each, style)
        rows.append((style.name(each.name), each.profile, count_of(each.pages, "page"), place))
    return columns(rows)


def _remarks(each: CollectionLine, style: Style) -> str:
    remarks = [
        *(["default"] if each.default else []),
        *(["read-only"] if each.read_only else []),
        *([f"watched by process {each.watched_by}"] if each.watched_by else []),
    ]
    text = style.dim(f"  [{', '.join(remarks)}]") if remarks else ""
    return text + (style.warning(f"  {each.state}: {shown(each.alarm)}") if each.alarm else "")


COLLECTION_LIST = Operation(
    "collection list", list_collections, render=_list_text, examples=("collection list",)
)


@record
class Named:
    name: str = ONE_COLLECTION


@record
class CollectionInfo:
    """One collection."""

    collection: CollectionLine
    types: dict[str, int]
    files: int
    ignore: tuple[str, ...]
    problems: dict[str, str]


def info(app: App, args: Named) -> CollectionInfo:
    """Show one collection: where it is, what it holds, what could not be read."""
    row = app.collection_row(args.name)
    return CollectionInfo(
        line_of(app, row),
        collections.page_counts(app.connection, row.id),
        file_state.count(app.connection, row.id),
        tuple(row.settings.get("ignore", ())),
        file_state.problems(app.connection, row.id),
    )


def _info_text(result: CollectionInfo, style: Style) -> str:
    each = result.collection
    facts = [
        ("Name", style.name(each.name) + _remarks(each, style)),
        ("Profile", each.profile),
        ("Folder", each.folder or "none: its pages live in the memory"),
        ("Pages", f"{each.pages:,}"),
        *numbers(result.types, "  "),
        *([("Last change", each.synced_at)] if each.synced_at else []),
        *([("Ignored", ", ".join(result.ignore))] if result.ignore else []),
    ]
    problems = [f"{shown(path)}: {shown(reason)}" for path, reason in result.problems.items()]
    return "\n".join([columns(facts), *([style.warning("Not read:")] if problems else []), *problems])


COLLECTION_INFO = Operation("collection info", info, render=_info_text, examples=("collection info notes",))


@record
class Rename:
    name: str = ONE_COLLECTION
    to: str = arg("Its new name.", positional=True)


def rename(app: App, args: Rename) -> CollectionLine:
    """Give a collection another name. Links of the form name::slug are not rewritten."""
    row = app.collection_row(args.name)
    check_name(app, args.to)
    with app.store.write() as connection:
        collections.rename(connection, row.id, args.to)
        record_all(connection, app.store.path)
    return line_of(app, app.collection_row(args.to))


COLLECTION_RENAME = Operation(
    "collection rename",
    rename,
    render=lambda line, style: f"now called {style.name(line.name)}",
    effect="write",
    for_owner=True,
    idempotent=False,
    looks="nothing",
    examples=("collection rename notes work",),
)


@record
class Detached:
    """A collection that is no longer attached."""

    name: str
    pages: int
    folder: str


def detach(app: App, args: Named) -> Detached:
    """Detach a folder: its pages leave the memory, its files stay.

    History and quarantine of its pages are lost. The pages of a collection that lives in the memory are not
    removed this way: see `forget`.
    """
    row = app.collection_row(args.name)
    line = line_of(app, row)
    if row.kind == "native" and line.pages:
        raise Conflict(
            f"{row.name!r} holds {count_of(line.pages, 'page')} that live in the memory alone",
            hint=f"Export them, then: quaid forget --collection {row.name}.",
        )
    if len(collections.everything(app.connection)) == 1:
        raise Conflict("a memory needs a collection", hint="Add another one first.")
    with app.store.write() as connection:
        collections.delete(connection, row.id)
        record_all(connection, app.store.path)
    return Detached(row.name, line.pages, line.folder)


COLLECTION_REMOVE = Operation(
    "collection remove",
    detach,
    render=lambda gone, style: (
        f"{style.name(gone.name)} is detached with {count_of(gone.pages, 'page')}"
        + (f"; the files in {gone.folder} are untouched" if gone.folder else "")
    ),
    effect="destructive",
    for_owner=True,
    looks="nothing",
    examples=("collection remove notes",),
)


@record
class Ignore:
    name: str = ONE_COLLECTION
    pattern: str | None = option(
        "A pattern as in .gitignore; `!` takes back. None: show those that there are.", positional=True
    )
    remove: bool = flag("Drop this pattern instead of adding it.")


def ignore(app: App, args: Ignore) -> Synced:
    """Leave files out by patterns, besides those of .quaidignore files in the folder.

    The pages of files that are left out go into quarantine; they come back when the pattern goes.
    """
    row = app.collection_row(args.name)
    if row.kind == "native":
        raise InvalidInput(f"{row.name!r} has no folder", hint="Patterns are for collections of files.")
    if args.pattern and not args.remove and not is_pattern(args.pattern):
        raise InvalidInput(f"{args.pattern!r} is not a pattern", hint="Patterns are those of .gitignore.")
    before: Sequence[str] = row.settings.get("ignore", ())
    kept = [each for each in before if each != args.pattern]
    after = kept if args.remove or not args.pattern else [*kept, args.pattern]
    if after == list(before):
        return Synced(row.name, ignore=tuple(after))
    with app.store.write() as connection:
        collections.set_settings(connection, row.id, {**row.settings, "ignore": after})
        record_all(connection, app.store.path)
    return sync_collection(app, app.collection_row(row.name))


COLLECTION_IGNORE = Operation(
    "collection ignore",
    ignore,
    render=synced_text,
    effect="write",
    for_owner=True,
    transaction="own",
    examples=("collection ignore notes drafts/", "collection ignore notes"),
)
