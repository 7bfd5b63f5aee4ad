"""Tags."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.formats.format import Editor
from quaid.model.record import fill, record
from quaid.operations.edits import edit_page
from quaid.operations.fields import PAGE, PAGE_VERSION
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, columns, shown
from quaid.store import tags


@record
class Tag:
    slug: str = PAGE
    tag: str = arg("The tag, without #.", positional=True, completes="tag")
    remove: bool = flag("Remove it instead.")
    page_version: int | None = PAGE_VERSION


@record
class PageTags:
    """A page's tags."""

    slug: str
    version: int
    tags: tuple[str, ...]


def tag(app: App, args: Tag) -> PageTags:
    """Give a page a tag. It is written into the page's frontmatter."""
    cleaned = " ".join(args.tag.split()).lstrip("#").strip()
    if not cleaned:
        raise InvalidInput("the tag is empty")
    if "," in cleaned:
        raise InvalidInput("a tag cannot contain a comma", hint="Add one tag at a time.")
    page = app.page(args.slug)

    def change(editor: Editor, text: str) -> str:
        return (editor.remove_tag if args.remove else editor.add_tag)(text, cleaned)

    written = edit_page(app, page, change, args.page_version)
    return PageTags(page.slug, written.version, tuple(tags.of_page(app.connection, page.id)))


def _text(result: PageTags, style: Style) -> str:
    return f"{style.name(result.slug)}: {', '.join(shown(t) for t in result.tags) or 'no tags'}"


TAG = Operation(
    "tag",
    tag,
    render=_text,
    effect="write",
    examples=("tag people/alice founder",),
    brief="Add or remove a tag.",
    told=("slug", "tag", "remove", "page_version"),
)


@record
class Untag:
    slug: str = PAGE
    tag: str = arg("The tag, without #.", positional=True, completes="tag")
    page_version: int | None = PAGE_VERSION


def untag(app: App, args: Untag) -> PageTags:
    """Take a tag from a page."""
    return tag(app, fill(Tag, args, remove=True))


UNTAG = Operation("untag", untag, render=_text, effect="write", examples=("untag people/alice founder",))


@record
class Tags:
    slug: str | None = option(
        "The page; without one, all tags are counted.", positional=True, completes="slug"
    )


@record
class TagCounts:
    """Every tag and the number of pages that carry it."""

    counts: dict[str, int]


def list_tags(app: App, args: Tags) -> PageTags | TagCounts:
    """The tags of a page, or all tags with the number of pages that carry them."""
    if args.slug is None:
        return TagCounts(dict(tags.counts(app.connection)))
    page = app.page(args.slug)
    return PageTags(page.slug, page.version, tuple(tags.of_page(app.connection, page.id)))


def _tags_text(result: PageTags | TagCounts, style: Style) -> str:
    if isinstance(result, PageTags):
        return "\n".join(shown(t) for t in result.tags) or "No tags."
    return columns([(style.name(shown(t)), f"{count:,}") for t, count in result.counts.items()]) or "No tags."


TAGS = Operation(
    "tags",
    list_tags,
    render=_tags_text,
    examples=("tags people/alice", "tags"),
    brief="Tags of a page, or all tags.",
    told=("slug",),
)
