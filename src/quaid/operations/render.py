"""A page as HTML that is safe to show."""

from __future__ import annotations

from typing import Literal

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.formats.addresses import meaning_of
from quaid.formats.display.page import Heading, Shown, display
from quaid.formats.format import page_format
from quaid.model.page import PageInfo
from quaid.model.record import record
from quaid.operations.operation import Operation, option
from quaid.store import names, pages


@record
class Render:
    slug: str | None = option("The page.", positional=True, completes="slug")
    content: str | None = option("A text to show instead, as if it stood on the page.", flag="--content")
    format: Literal["markdown", "org"] | None = option("What the text is, where no page says so.")


@record
class Rendered:
    """A page as HTML, and its headings; `version` is that of the page if its own text is shown."""

    html: str
    headings: tuple[Heading, ...]
    format: str
    slug: str | None = None
    version: int | None = None


def render(app: App, args: Render) -> Rendered:
    """Show a page, or a text, as HTML.

    Whatever it contains, only harmless elements are left, and links that lead to pages. Images from elsewhere
    are buttons: nothing is fetched.
    """
    if args.slug is None and args.content is None:
        raise InvalidInput("nothing to show", hint="Name a page, or give a text.")
    info = app.page(args.slug) if args.slug is not None else None
    own = pages.load(app.connection, info.id).text if info and args.content is None else ""
    text = own if args.content is None else args.content
    kind = page_format(info.format if info else args.format or "markdown")
    head, body = kind.split(text)
    shown = Shown(
        body=body,
        format=kind.name,
        first_line=head.count("\n") + 1,
        collection=info.collection if info else "",
        place=(info.path or info.slug) if info else "",
        links=_links(app, info, kind.name, body),
    )
    made = display(shown)
    version = info.version if info and args.content is None else None
    return Rendered(made.html, made.headings, kind.name, info.slug if info else None, version)


def _links(app: App, info: PageInfo | None, name: Literal["markdown", "org"], body: str) -> dict[str, str]:
    """What links of a text say, and the page to which each leads from there."""
    kind = page_format(name)
    place = (info.path or info.slug) if info else ""
    found: dict[str, str] = {}
    for link in kind.links(body):
        if link.target in found:
            continue
        reference = kind.reference(link, place)
        meaning = meaning_of(reference.target, reference.written)
        goal = names.lead(app.connection, info.id if info else 0, meaning)
        if goal is not None:
            found[link.target] = _address(app, pages.info(app.connection, goal))
    return found


def _address(app: App, page: PageInfo) -> str:
    """A name that leads to a page: its slug, unless another collection has the same one."""
    alone = len(pages.by_slug(app.connection, page.slug, None)) == 1
    return page.slug if alone else f"{page.collection}::{page.slug}"


RENDER = Operation(
    "render",
    render,
    render=lambda result, style: result.html,
    verbatim=True,
    examples=("render people/alice", "render people/alice --json"),
)
