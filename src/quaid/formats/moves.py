"""What a page's new place means for texts that name it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection

from quaid.formats.fields import PAGE_EXTENSION
from quaid.formats.format import page_format
from quaid.formats.links import TextLink
from quaid.formats.slugs import fold
from quaid.model.page import Format, split_target


def moved(
    text: str,
    old_slug: str,
    new_slug: str,
    format: Format = "markdown",
    old_path: str | None = None,
    new_path: str | None = None,
) -> str:
    """A page's own text after its move: relative links lead where they led, `slug:` says the new one.

    Relative links start from the page's file, for a page that has one.
    """
    head, body = page_format(format).split(text)
    old_place, new_place = old_path or old_slug, new_path or new_slug
    if posixpath.dirname(old_place) != posixpath.dirname(new_place):

        def target(link: TextLink) -> str | None:
            if link.kind != "markdown_link":
                return None
            return _relative(page_format(format).resolve(link.target, old_place), new_place, link.target)

        text = head + _retargeted(body, target, format)
    if page_format(format).stated_slug(head) == old_slug:
        text = page_format(format).editor.set_field(text, ("slug",), new_slug)
    return text


def repointed(
    text: str,
    slug: str,
    names: Collection[str],
    new_slug: str,
    format: Format = "markdown",
    path: str | None = None,
    new_path: str | None = None,
) -> str:
    """A text in which links to any of these folded names lead to the new slug.

    `slug` and `path` are those of the page whose text it is; `new_path` is that of the moved page.
    """
    head, body = page_format(format).split(text)
    place, new_place = path or slug, PAGE_EXTENSION.sub("", new_path or new_slug)

    def target(link: TextLink) -> str | None:
        relative = link.kind == "markdown_link"
        if page_format(format).follows(body, link):
            return None
        collection, name = split_target(
            page_format(format).resolve(link.target, place) if relative else link.target
        )
        if fold(name) not in names:
            return None
        if relative:
            return _relative(new_place, place, link.target)
        return f"{collection}::{new_slug}" if collection else new_slug

    changed = head + _retargeted(body, target, format)
    return page_format(format).editor.repoint_links(changed, names, new_slug)


def _retargeted(body: str, target: Callable[[TextLink], str | None], format: Format) -> str:
    changes: dict[TextLink, str] = {}
    for link in page_format(format).links(body):
        new = target(link)
        if new is not None and new != link.target:
            changes[link] = new
    return page_format(format).retarget(body, changes) if changes else body


def _relative(slug: str, from_slug: str, written: str) -> str:
    """The path from one page to another, with the extension that was written."""
    extension = posixpath.splitext(written)[1]
    known = extension if extension.lower() in (".md", ".markdown", ".org") else ""
    return posixpath.relpath(slug, posixpath.dirname(from_slug) or ".") + known
