"""Typed links between pages, and when they were true."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.formats.addresses import meaning_of, split_extension
from quaid.model import page as model
from quaid.model.interval import Interval, parse_day, span_text
from quaid.model.page import PageInfo
from quaid.model.record import fill, record
from quaid.operations.days import day_of
from quaid.operations.edits import Stated, edit_page, fields_that_state, statement_text
from quaid.operations.fields import AS_OF, OF_RELATIONSHIP, VALID_FROM, VALID_UNTIL, read_version
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, clipped, columns, count_of, shown
from quaid.store import links, names, pages
from quaid.store.relations import Temporal
from quaid.vault.refusals import check_version

MOST_BACKLINKS = 200  # unless more are asked for: of a page to which thousands link, nobody reads all
_VERSION = read_version("The version of the page that the link starts from.")


@record
class LinkView:
    """A link as a reader gets it. `to` is empty while no page answers to `target`.

    `source` is `assertion`, and `id` that of the fact, where no link says so but an assertion does.
    """

    id: int
    from_: str
    to: str
    target: str
    relationship: str
    source: str
    context: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    title: str | None = None

    @classmethod
    def of(cls, link: model.Link, title: str) -> LinkView:
        """What is shown of a link, with the title of the page at its other end."""
        return fill(
            cls,
            link,
            from_=link.from_slug,
            to=link.to_slug,
            context=link.context or None,
            valid_from=link.valid.since,
            valid_until=link.valid.until,
            title=title or None,
        )


@record
class LinkList:
    """Links of a page."""

    slug: str
    version: int
    links: tuple[LinkView, ...]
    more: bool | None = None  # whether there are others than these


@record
class MakeLink:
    from_: str = arg("The page that the link starts from.", positional=True, completes="slug")
    to: str = arg("The page that it leads to; it need not exist yet.", positional=True, completes="slug")
    relationship: str = arg("What the one is to the other, such as works_at.", default="related")
    context: str | None = option("The sentence that says so.")
    valid_from: str | None = VALID_FROM
    valid_until: str | None = VALID_UNTIL
    page_version: int | None = _VERSION


def link(app: App, args: MakeLink) -> Stated:
    """Link a page to another. The link is written into the page's frontmatter.

    Links of one relationship between the same pages may not overlap in time; one that is there already is
    not made twice.
    """
    page = app.page(args.from_)
    wanted = model.Reference(
        target=target_of(app, args.to, page),
        relationship=_relationship(args.relationship),
        context=" ".join((args.context or "").split()),
        source="frontmatter",
        valid=Interval.parse(args.valid_from, args.valid_until),
    )
    for old in _stated_links(app, page):
        if not _same_ends(old, wanted):
            continue
        if old.valid == wanted.valid:
            # Nothing is written, but who has read an older page should learn it here as everywhere.
            check_version(page.slug, page.version, args.page_version)
            return Stated(old.id, page.slug, page.version, changed=False)
        if old.valid.overlaps(wanted.valid):
            raise _overlap(old)
    written = edit_page(app, page, lambda editor, text: editor.add_link(text, wanted), args.page_version)
    made = next(
        new for new in _stated_links(app, page) if _same_ends(new, wanted) and new.valid == wanted.valid
    )
    return Stated(made.id, page.slug, written.version, changed=True)


LINK = Operation(
    "link",
    link,
    render=lambda result, style: statement_text(
        "link", result, "" if result.changed else "was there already", style
    ),
    effect="write",
    examples=("link people/alice companies/river-ai --relationship works_at --valid-from 2024-01-15",),
    brief="Link two pages.",
    told=("from", "to", "relationship: such as works_at", "context", "valid_from: day", "page_version"),
)


@record
class Links:
    slug: str = arg("The page that they start from.", positional=True, completes="slug")
    temporal: Temporal | None = option(
        "Which links count: by default all, or with a day those that hold on it."
    )
    at: str | None = AS_OF


def list_links(app: App, args: Links) -> LinkList:
    """The links of a page, with their ids."""
    page = app.page(args.slug)
    temporal = args.temporal or ("current" if args.at else "all")
    day = day_of(app, args.at)
    found = links.outgoing(app.connection, page.id, temporal, day)
    found += links.asserted_links(app.connection, page.id, temporal, day, None, incoming=False)
    return LinkList(page.slug, page.version, tuple(LinkView.of(each, each.to_title) for each in found))


def _outgoing_text(result: LinkList, style: Style) -> str:
    rows = [
        (
            style.dim(_number(each)),
            each.relationship,
            style.name(each.to) if each.to else style.warning(f"{shown(each.target)} (no such page)"),
            _when(each, style),
        )
        for each in result.links
    ]
    return columns(rows) or "No links."


LINKS = Operation(
    "links",
    list_links,
    render=_outgoing_text,
    examples=("links people/alice --temporal current", "links people/alice --at 2024-06-01"),
    looks="pages",
    brief="A page's outgoing links, with ids.",
    told=("slug", "temporal"),
)


@record
class LinkClose:
    link_id: int = arg("The link's id, as `links` and `backlinks` show it.", positional=True)
    valid_until: str = arg("The first day on which it is no longer true.")
    page_version: int | None = _VERSION


def link_close(app: App, args: LinkClose) -> Stated:
    """Say when a link ceased to be true."""
    old = links.by_id(app.connection, args.link_id)
    if old is None:
        raise NotFound(f"no link {args.link_id}", hint="`quaid links SLUG` shows the ids.")
    if old.source != "frontmatter":
        raise InvalidInput(
            f"link {old.id} is a mention in the text of {old.from_slug}, which has no end",
            hint="Edit the text, or make a typed link with `quaid link`.",
        )
    until = parse_day(args.valid_until, "valid_until")
    closed = Interval(old.valid.since, until)
    page = pages.info(app.connection, links.origin(app.connection, old.id))
    field = fields_that_state(app, page).get(_reference(old))
    if field:
        raise _of_a_field(page, [field])
    for other in _stated_links(app, page):
        if other.id != old.id and _same_ends(other, old) and other.valid.overlaps(closed):
            raise _overlap(other)
    written = edit_page(
        app, page, lambda editor, text: editor.close_link(text, _reference(old), until), args.page_version
    )
    return Stated(old.id, page.slug, written.version, written.changed)


LINK_CLOSE = Operation(
    "link-close",
    link_close,
    render=lambda result, style: statement_text(
        "link", result, "is closed" if result.changed else "was closed already", style
    ),
    effect="write",
    examples=("link-close 12 --valid-until 2026-03-01",),
    brief="End a link: no longer true from valid_until on.",
    told=("link_id", "valid_until: day", "page_version"),
)


@record
class Unlink:
    from_: str = arg("The page that the link starts from.", positional=True, completes="slug")
    to: str = arg("The page that it leads to.", positional=True, completes="slug")
    relationship: str | None = OF_RELATIONSHIP
    page_version: int | None = _VERSION


@record
class Unlinked:
    """How many links went."""

    slug: str
    version: int
    removed: int


def unlink(app: App, args: Unlink) -> Unlinked:
    """Remove typed links between two pages entirely; `link-close` keeps them as history."""
    page = app.page(args.from_)
    target = target_of(app, args.to, page)
    between = [
        each
        for each in links.outgoing(app.connection, page.id, "all", app.today())
        if target in (each.target, each.to_slug) and args.relationship in (None, each.relationship)
    ]
    fields = fields_that_state(app, page)
    stated = [_reference(each) for each in between if each.source == "frontmatter"]
    typed = [each for each in stated if each not in fields]
    if stated and not typed:
        raise _of_a_field(page, [fields[each] for each in stated])
    if not typed:
        mentioned = "It is only mentioned in the text; edit that."
        hint = mentioned if between else "`quaid links` shows those that there are."
        raise NotFound(f"no typed link from {page.slug} to {args.to}", hint=hint)
    written = edit_page(app, page, lambda editor, text: editor.remove_links(text, typed), args.page_version)
    return Unlinked(page.slug, written.version, len(typed))


UNLINK = Operation(
    "unlink",
    unlink,
    render=lambda result, style: (
        f"{count_of(result.removed, 'link')} removed; "
        f"{style.name(result.slug)} is at version {result.version}"
    ),
    effect="destructive",
    examples=("unlink people/alice companies/river-ai --relationship works_at",),
    brief="Delete links; memory_link_close keeps history.",
    told=("from", "to", "relationship", "page_version"),
)


@record
class Backlinks:
    slug: str = arg("The page that is linked to.", positional=True, completes="slug")
    temporal: Temporal = arg("Which links count.", default="current")
    at: str | None = AS_OF
    relationship: str | None = OF_RELATIONSHIP
    limit: int = arg("How many at most.", default=MOST_BACKLINKS, least=1)


def backlinks(app: App, args: Backlinks) -> LinkList:
    """Pages that link to a page."""
    page = app.page(args.slug)
    day = day_of(app, args.at)
    found = links.incoming(app.connection, page.id, args.temporal, day, args.relationship, args.limit + 1)
    found += links.asserted_links(
        app.connection, page.id, args.temporal, day, args.relationship, incoming=True
    )
    shown = tuple(LinkView.of(each, each.from_title) for each in found[: args.limit])
    return LinkList(page.slug, page.version, shown, more=True if len(found) > args.limit else None)


def _incoming_text(result: LinkList, style: Style) -> str:
    rows = [
        (style.dim(_number(each)), style.name(each.from_), each.relationship, _when(each, style))
        for each in result.links
    ]
    more = style.dim("\nThere are more; --limit shows them.") if result.more else ""
    return columns(rows) + more if rows else "No links to this page."


BACKLINKS = Operation(
    "backlinks",
    backlinks,
    render=_incoming_text,
    examples=("backlinks companies/river-ai --temporal all --relationship works_at",),
    looks="pages",
    brief="Pages that link to a page.",
    told=("slug", "temporal"),
)


def _number(each: LinkView) -> str:
    return f"fact {each.id}" if each.source == "assertion" else f"{each.id}"


def _stated_links(app: App, page: model.PageInfo) -> list[model.Link]:
    """The typed links that a page states as such. Those that its other fields yield make way for them."""
    fields = fields_that_state(app, page)
    outgoing = links.outgoing(app.connection, page.id, "all", app.today())
    return [each for each in outgoing if each.source == "frontmatter" and _reference(each) not in fields]


def _of_a_field(page: model.PageInfo, fields: list[str]) -> InvalidInput:
    names = ", ".join(dict.fromkeys(fields))
    return InvalidInput(f"that link is what the field {names} of {page.slug} says", hint=f"Edit {names}.")


def _same_ends(one: model.Link, other: model.Link | model.Reference) -> bool:
    to = other.to_slug if isinstance(other, model.Link) else other.target
    return one.relationship == other.relationship and (
        one.target == other.target or (to != "" and one.to_slug == to)
    )


def _reference(link: model.Link) -> model.Reference:
    return fill(model.Reference, link)


def _relationship(text: str) -> str:
    cleaned = " ".join(text.split())
    if not cleaned or cleaned == "mentions":
        raise InvalidInput(
            f"{text!r} cannot be a relationship",
            hint="Such as works_at; `mentions` is kept for links in the text.",
        )
    return cleaned


def _overlap(link: model.Link) -> Conflict:
    close = f"Close it first: quaid link-close {link.id} --valid-until DAY."
    hint = "Choose days outside it." if link.valid.until else close
    return Conflict(
        f"link {link.id} says the same ({link.valid.words or 'for no known time'}), which overlaps",
        hint=hint,
        link_id=link.id,
    )


def _when(each: LinkView, style: Style) -> str:
    """When a link is true, and the sentence that says so."""
    context = style.dim(clipped(shown(each.context), 80)) if each.context else ""
    return "  ".join(part for part in (span_text(each.valid_from, each.valid_until), context) if part)


def target_of(app: App, name: str, origin: PageInfo) -> str:
    """How a link to a page is written: its slug, unless another page's file is called so; else its path."""
    try:
        page = app.page(name)
    except NotFound:
        if not name.strip() or "\n" in name:
            raise InvalidInput("the link leads nowhere", hint="Name a page.") from None
        return name.strip()
    known = [page.slug, split_extension(page.path or page.slug)[0]]
    abroad = [f"{page.collection}::{each}" for each in known]
    forms = [*known, *abroad] if page.collection == origin.collection else abroad
    leading = (each for each in forms if _leads(app, origin, each) == page.id)
    return next(leading, forms[0])


def _leads(app: App, origin: PageInfo, target: str) -> int | None:
    return names.lead(app.connection, origin.id, meaning_of(target, ""))
