"""What a page's new place means for texts that name it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping

from quaid.formats.addresses import Address, address_of, compared, is_only_there, split_extension
from quaid.formats.format import page_format
from quaid.formats.markdown import links
from quaid.formats.markdown.links import TextLink
from quaid.model.page import Format, LinkSource, Reference, split_target
from quaid.model.record import record

_UNWRITABLE = re.compile(r"[\[\]|#\n\r]")


@record
class Destination:
    """A page to which a link is to lead."""

    collection: str
    path: str  # of its file, or its slug
    was: str = ""  # where it was when the link was written, if it has moved


def restated(text: str, old_slug: str, new_slug: str, format: Format = "markdown") -> str:
    """A page's own text after its move: a field `slug:` says the new one."""
    kind = page_format(format)
    stated = kind.stated_slug(text)
    return kind.editor.set_field(text, ("slug",), new_slug) if stated == old_slug else text


def repointed(
    text: str,
    place: str,
    format: Format,
    form: Callable[[Reference], str | None],
    fields: Mapping[str, str],
) -> str:
    """A text in which some links are written otherwise; `place` is where its page was when they were read.

    `fields` are the new targets of those in the frontmatter.
    """
    kind = page_format(format)
    head, body = kind.split(text)
    changes: dict[TextLink, str] = {}
    for link in kind.links(body):
        new = None if kind.follows(body, link) else form(kind.reference(link, place))
        if new is not None and new != link.target:
            changes[link] = new
    if changes:
        body = kind.retarget(body, changes)
    return kind.editor.repoint_links(head + body, fields) if fields else head + body


def forms(written: Reference, place: str, destination: Destination) -> Iterator[str]:
    """How a link on a page at this place can be written to lead to a page, in the writer's manner first."""
    collection, target = split_target(written.target)
    known = written.written or target
    whole = _spelled(known, destination)
    relative = posixpath.relpath(whole, posixpath.dirname(place) or ".")
    dotted = relative if relative.startswith("../") else f"./{relative}"
    if known.startswith("/"):
        yield f"/{whole}"
    elif is_only_there(known):
        yield relative if known.startswith("..") and written.source == "markdown_link" else dotted
    elif collection:
        yield from (f"{destination.collection}::{each}" for each in _ends(known, whole, destination))
    elif written.source != "markdown_link":
        yield from _ends(known, whole, destination)
    elif not _is_path(target, destination):  # found as Obsidian finds it, not at that path
        yield whole if "/" in known else posixpath.basename(whole)
    if written.source == "markdown_link":
        yield relative
        yield dotted
    else:
        yield f"{destination.collection}::{whole}"


def reread(form: str, written: Reference, place: str, format: Format) -> Reference:
    """The link that stands on a page at this place when it is written like this."""
    if written.source == "markdown_link":
        form = page_format(format).relative(form)
    if written.source == "markdown_link" or is_only_there(form):
        return Reference(links.joined(form, place), source=written.source, written=form)
    return Reference(form, source=written.source)


def is_writable(form: str, source: LinkSource) -> bool:
    """Whether a link can be written like this."""
    return source == "markdown_link" or not _UNWRITABLE.search(form)


def is_inside(written: Reference, place: str) -> bool:
    """Whether a link on a page at this place stays within the root, above which there is nothing."""
    path = posixpath.join(posixpath.dirname(place), written.written.lstrip("/"))
    return not posixpath.normpath(path).startswith("..")


def address_from(written: Reference, place: str) -> Address:
    """Where a link that stands on a page looks when the page is at this place."""
    if not written.written:
        return address_of(written)
    return address_of(
        Reference(links.joined(written.written, place), source=written.source, written=written.written)
    )


def _spelled(known: str, destination: Destination) -> str:
    """The path of a page, with its extension if one was written; mailbox.org is a name, not an extension."""
    stem = split_extension(destination.path)[0]
    extension = split_extension(known)[1]
    was = split_extension(destination.was or destination.path)[0]
    if not extension or compared(posixpath.basename(known)) == compared(posixpath.basename(was)):
        return stem
    return stem + (destination.path[len(stem) :] or f".{extension}")


def _ends(known: str, whole: str, destination: Destination) -> Iterator[str]:
    """The ends of a path, none shorter than what was written; the whole path if that was written whole."""
    parts = whole.split("/")
    depth = len(parts) if _is_path(known, destination) and "/" in known else known.count("/") + 1
    for count in range(min(depth, len(parts)), len(parts) + 1):
        yield "/".join(parts[-count:])


def _is_path(known: str, destination: Destination) -> bool:
    was = split_extension(destination.was or destination.path)[0]
    return compared(split_extension(known)[0]) == compared(was)
