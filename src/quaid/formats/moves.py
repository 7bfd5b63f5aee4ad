"""What a page's new place means for texts that name it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection

from quaid.formats import edits, frontmatter, links
from quaid.formats.content import items_of, unwiki
from quaid.formats.links import TextLink
from quaid.formats.slugs import fold
from quaid.model.page import split_target


def moved(text: str, old_slug: str, new_slug: str) -> str:
    """A page's own text after its move: relative links lead where they led, `slug:` says the new one."""
    head, body = frontmatter.split(text)
    if posixpath.dirname(old_slug) != posixpath.dirname(new_slug):

        def target(link: TextLink) -> str | None:
            if link.kind != "markdown_link":
                return None
            return _relative(links.resolve_relative(link.target, old_slug), new_slug, link.target)

        text = head + _retargeted(body, target)
    if frontmatter.read(head)[0].get("slug") == old_slug:
        text = edits.set_field(text, ("slug",), new_slug)
    return text


def repointed(text: str, slug: str, names: Collection[str], new_slug: str) -> str:
    """A text in which links to any of these folded names lead to the new slug."""
    head, body = frontmatter.split(text)

    def target(link: TextLink) -> str | None:
        relative = link.kind == "markdown_link"
        whole = links.resolve_relative(link.target, slug) if relative else link.target
        collection, name = split_target(whole)
        if fold(name) not in names:
            return None
        if relative:
            return _relative(new_slug, slug, link.target)
        return f"{collection}::{new_slug}" if collection else new_slug

    return _repointed_items(head + _retargeted(body, target), names, new_slug)


def _repointed_items(text: str, names: Collection[str], new_slug: str) -> str:
    value = frontmatter.read(frontmatter.split(text)[0])[0].get("links")
    for place, item in enumerate(items_of(value)):
        path: tuple[str | int, ...] = ("links", place) if isinstance(value, list) else ("links",)
        if isinstance(item, dict):
            key = next((name for name in ("to", "target", "slug") if item.get(name)), "to")
            path, item = (*path, key), item.get(key)
        collection, name = split_target(unwiki(str(item)))
        if fold(name) in names:
            text = edits.set_field(text, path, f"{collection}::{new_slug}" if collection else new_slug)
    return text


def _retargeted(body: str, target: Callable[[TextLink], str | None]) -> str:
    changes: dict[TextLink, str] = {}
    for link in links.find(body):
        new = target(link)
        if new is not None and new != link.target:
            changes[link] = new
    return links.retarget(body, changes) if changes else body


def _relative(slug: str, from_slug: str, written: str) -> str:
    """The path from one page to another, with the extension that was written."""
    extension = posixpath.splitext(written)[1]
    known = extension if extension.lower() in (".md", ".markdown", ".org") else ""
    return posixpath.relpath(slug, posixpath.dirname(from_slug) or ".") + known
