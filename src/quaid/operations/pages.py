"""Reading pages, one or many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quaid.app import App
from quaid.errors import NotFound
from quaid.formats.encoding import UNKNOWN, odd_bytes
from quaid.model.page import Page, PageInfo
from quaid.model.record import fill, record, replace
from quaid.operations.actors import sessions_of
from quaid.operations.fields import IN_COLLECTION, OF_TYPE, WITH_TAG
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, clipped, columns, count_of, shown
from quaid.store import deeds, history, pages, seals
from quaid.store.pages import Sort


@record
class Get:
    slug: str = arg("Slug, collection::slug, file name, title or alias.", positional=True, completes="slug")
    version: int | None = option("An earlier version; `history` lists them.", least=1)


@record
class PageView:
    """A page as a reader gets it."""

    slug: str
    collection: str
    type: str
    title: str
    summary: str
    version: int
    wing: str
    room: str
    tags: tuple[str, ...]
    created_at: str
    updated_at: str
    truth_updated_at: str
    timeline_updated_at: str
    frontmatter: dict[str, Any]
    content: str
    encoding: str | None = None  # unless it is UTF-8
    odd_bytes: int | None = None  # that stand in the content as U+10F700 and the byte, if there are any


@record
class OldPage:
    """A page as it was."""

    slug: str
    collection: str
    version: int
    written_at: str
    replaced_at: str
    encoding: str
    content: str


def get(app: App, args: Get) -> PageView | OldPage:
    """Read a page.

    The text comes out exactly as it was written. With --json, so does its version, which a write expects. A
    byte that has no meaning in the page's encoding is a character of the last private area.
    """
    info = app.page(args.slug)
    if args.version is not None and args.version != info.version:
        return _as_it_was(app, info, args.version)
    page = pages.load(app.connection, info.id)
    odd = odd_bytes(page.text)
    for notice in _remarks(app, page, odd):
        app.notify(notice)
    return fill(
        PageView,
        info,
        tags=page.tags,
        frontmatter=page.frontmatter,
        content=page.text,
        encoding=page.encoding if page.encoding != "utf-8" else None,
        odd_bytes=odd or None,
    )


def _remarks(app: App, page: Page, odd: int) -> Iterator[str]:
    """What a reader should know of a page besides its text."""
    slug = page.info.slug
    if not seals.is_page_sound(app.connection, page.info.id):
        yield f"what the memory holds of {slug} was damaged; `quaid validate` says more."
    if page.encoding == UNKNOWN:
        yield (
            f"the encoding of {slug} is not known: {odd} bytes stand in the text as U+10F700 and the byte. "
            f"`quaid recode {slug} --from ENCODING` converts it."
        )
    elif odd:
        yield f"{count_of(odd, 'byte')} of {slug} have no meaning in {page.encoding}: U+10F700 and the byte."
    elif not page.encoding.startswith("utf-"):
        yield f"{slug} is read as {page.encoding}."


def _as_it_was(app: App, page: PageInfo, version: int) -> OldPage:
    old = history.one(app.connection, page.id, version)
    if old is None:
        raise not_kept(page.slug, version)
    return fill(OldPage, old, slug=page.slug, collection=page.collection, content=old.text)


def not_kept(slug: str, version: int) -> NotFound:
    """The refusal of a version that is no longer there, or never was."""
    return NotFound(
        f"version {version} of {slug} is not kept", hint=f"`quaid history {slug}` lists those that are."
    )


GET = Operation(
    "get",
    get,
    render=lambda page, style: page.content,
    verbatim=True,
    examples=("get people/alice", 'get "Alice Example" --json', "get people/alice --version 3"),
    brief="Read a page; writes expect its version.",
    told=("slug: slug, title or alias",),
    unneeded=(
        "frontmatter",
        "created_at",
        "truth_updated_at",
        "timeline_updated_at",
        "wing",
        "room",
        "summary",
        "tags",
        "title",
        "type",
    ),
)


@record
class PageLine:
    """A page in a list."""

    slug: str
    collection: str
    type: str
    title: str
    summary: str
    version: int
    updated_at: str
    by: str | None = None  # who wrote it last, where that was asked


@record
class List:
    type: str | None = OF_TYPE
    tag: str | None = WITH_TAG
    wing: str | None = option("Only pages of this wing.")
    collection: str | None = IN_COLLECTION
    since: str | None = option("Only pages that changed on or after this day.")
    by: str | None = option(
        "Only pages that were last written by: a name, or human, agent, program, edit, git, import."
    )
    under: str | None = option("Only pages of this folder and those in it, such as people.")
    sort: Sort = arg("The order.", default="updated")
    limit: int | None = option("How many at most; 50 unless set otherwise.", least=1)
    offset: int = arg("How many to skip.", default=0, least=0)
    removed: bool = flag("Pages that were removed and can be restored.")


@record
class RemovedPage:
    """A page in quarantine."""

    slug: str
    collection: str
    title: str
    removed_at: str


@record
class PageList:
    """A part of a list, and whether there is more of it."""

    pages: tuple[PageLine, ...]
    more: bool
    removed: tuple[RemovedPage, ...] | None = None


def list_pages(app: App, args: List) -> PageList:
    """List pages, newest change first."""
    limit = args.limit or app.settings.integer("list.limit")
    if args.removed:
        rows = pages.removed_pages(app.connection, limit + 1, args.offset)
        removed = tuple(
            RemovedPage(slug, collection, title, at) for collection, slug, title, at in rows[:limit]
        )
        return PageList((), len(rows) > limit, removed)
    chosen = app.page_filter(args.type, args.tag, args.wing, args.collection, args.since)
    chosen = replace(chosen, under=args.under.strip("/") if args.under else None, by=args.by or None)
    if args.by:
        sessions_of(app, args.by)  # who is not known has not just written nothing
    # One more than is listed tells whether there are more.
    found = pages.listing(app.connection, chosen, args.sort, limit + 1, args.offset)
    by = deeds.writers(app.connection, [page.id for page in found[:limit]]) if args.by else {}
    lines = (fill(PageLine, page, by=by[page.id].label if page.id in by else None) for page in found[:limit])
    return PageList(tuple(lines), len(found) > limit)


def _text(result: PageList, style: Style) -> str:
    if result.removed is not None:
        removed = [
            (style.name(page.slug), shown(page.title), style.dim(f"removed {page.removed_at}"))
            for page in result.removed
        ]
        return columns(removed) or "No removed pages."
    if not result.pages:
        return "No pages."
    rows = [
        (
            style.name(page.slug),
            page.type,
            style.dim(page.updated_at[:10]),
            *([shown(page.by)] if page.by else []),
            clipped(shown(page.title), 60),
        )
        for page in result.pages
    ]
    more = f"\n{count_of(len(rows), 'page')}; --limit and --offset show more" if result.more else ""
    return columns(rows) + style.dim(more)


LIST = Operation(
    "list",
    list_pages,
    render=_text,
    examples=("list", "list --type person --tag founder", "list --since 2026-01-01", "list --by human"),
    brief="List pages, newest change first.",
    told=("type", "tag", "wing", "limit", "sort"),
    unneeded=("version",),
)


@record
class Folders:
    under: str | None = option("The folder; otherwise the top.", positional=True)
    collection: str | None = IN_COLLECTION


@record
class Folder:
    """A folder, and how many pages are in it and below."""

    folder: str
    pages: int


@record
class FolderList:
    """The folders right below one."""

    folders: tuple[Folder, ...]


def folders(app: App, args: Folders) -> FolderList:
    """List the folders of pages below a folder, with the number of pages in each."""
    under = (args.under or "").strip("/") or None
    chosen = replace(app.page_filter(collection=args.collection), under=under)
    found = pages.folders(app.connection, chosen)
    return FolderList(tuple(Folder(f"{under}/{name}" if under else name, count) for name, count in found))


FOLDERS = Operation(
    "folders",
    folders,
    render=lambda result, style: (
        columns([(style.name(each.folder), count_of(each.pages, "page")) for each in result.folders])
        or "No folders."
    ),
    examples=("folders", "folders people --collection notes"),
)
