"""What a page's new place means for texts that name it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection

from quaid.formats import frontmatter, links
from quaid.formats.org import head as org_head
from quaid.formats.org import targets as org_links
from quaid.formats.editing import editor
from quaid.formats.fields import PAGE_EXTENSION
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
    head, body = _split(text, format)
    old_place, new_place = old_path or old_slug, new_path or new_slug
    if posixpath.dirname(old_place) != posixpath.dirname(new_place):

        def target(link: TextLink) -> str | None:
            if link.kind != "markdown_link":
                return None
            return _relative(_resolved(link, old_place, format), new_place, link.target)

        text = head + _retargeted(body, target, format)
    if _stated_slug(head, format) == old_slug:
        text = editor(format).set_field(text, ("slug",), new_slug)
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
    head, body = _split(text, format)
    place, new_place = path or slug, PAGE_EXTENSION.sub("", new_path or new_slug)

    def target(link: TextLink) -> str | None:
        relative = link.kind == "markdown_link"
        if format == "org" and org_links.is_id(body, link):
            return None
        collection, name = split_target(_resolved(link, place, format) if relative else link.target)
        if fold(name) not in names:
            return None
        if relative:
            return _relative(new_place, place, link.target)
        return f"{collection}::{new_slug}" if collection else new_slug

    changed = head + _retargeted(body, target, format)
    return editor(format).repoint_links(changed, names, new_slug)


def _split(text: str, format: Format) -> tuple[str, str]:
    if format == "org":
        end = org_head.read_head(text).end
        return text[:end], text[end:]
    return frontmatter.split(text)


def _stated_slug(head: str, format: Format) -> object:
    return (
        org_head.read_head(head).value("slug") if format == "org" else frontmatter.read(head)[0].get("slug")
    )


def _resolved(link: TextLink, place: str, format: Format) -> str:
    resolve = org_links.resolve if format == "org" else links.resolve_relative
    return resolve(link.target, place)


def _retargeted(body: str, target: Callable[[TextLink], str | None], format: Format) -> str:
    found = org_links.find(body) if format == "org" else links.find(body)
    changes: dict[TextLink, str] = {}
    for link in found:
        new = target(link)
        if new is not None and new != link.target:
            changes[link] = new
    if not changes:
        return body
    return org_links.retarget(body, changes) if format == "org" else links.retarget(body, changes)


def _relative(slug: str, from_slug: str, written: str) -> str:
    """The path from one page to another, with the extension that was written."""
    extension = posixpath.splitext(written)[1]
    known = extension if extension.lower() in (".md", ".markdown", ".org") else ""
    return posixpath.relpath(slug, posixpath.dirname(from_slug) or ".") + known
