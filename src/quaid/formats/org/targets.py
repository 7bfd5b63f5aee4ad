"""Links of an org text as links between pages: where they lead, and how they are made to lead elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quaid.errors import InvalidInput
from quaid.formats.markdown.links import ATTACHMENT, TextLink, context_of, joined, with_targets
from quaid.formats.org.links import OrgLink, org_links
from quaid.formats.slugs import PAGE_EXTENSION
from quaid.model.page import LinkSource

MENTIONS = "mentions"
# Links of these fields are read from the fields.
_STATED = frozenset(("relation", "assertion"))

_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:(?=\S)"
_COLLECTION = r"[\w-]+::(?=\S)"


def find(text: str) -> tuple[TextLink, ...]:
    """The links to other pages, in the order of the text. The target of an id link is the id."""
    return tuple(
        link for each in org_links(text) if each.field not in _STATED and (link := _text_link(text, each))
    )


def target_and_form(link: TextLink, place: str) -> tuple[str, str]:
    """The target of a link on a page at this slug or path, and what is written if that is relative to it."""
    if link.kind != "markdown_link":
        return link.target, ""
    # Org does not encode file names, so that a percent sign in them is one.
    return joined(link.target, place), relative(link.target)


def relative(path: str) -> str:
    """A path as a file link means it: from the folder of its page, and nowhere else."""
    return path if path.startswith(".") else f"./{path}"


def retarget(text: str, changes: Mapping[TextLink, str]) -> str:
    """The text with some links pointing elsewhere; all else is kept."""
    written: dict[TextLink, str] = {}
    for link, target in changes.items():
        if not target.strip() or re.search(r"[\[\]\\\n\r]|::", target.replace("::", "", 1)):
            raise InvalidInput(f"an org link cannot point to {target!r}", hint="Rename the page first.")
        bare = text[link.target_start - 2 : link.target_start] == "[["
        written[link] = relative(target) if bare and link.kind == "markdown_link" else target
    return with_targets(text, written)


def _text_link(text: str, link: OrgLink) -> TextLink | None:
    """The link as one to a page, if it is that. In a field only an id counts, as for org-roam."""
    if link.field and link.type != "id":
        return None
    address, start, kind = link.address, link.address_start, link.type
    if kind not in ("id", "roam", "file", "fuzzy") or (link.bare and kind != "id"):
        return None
    if kind == "fuzzy" and PAGE_EXTENSION.search(address.partition("::")[0].strip()):
        kind = "file" if not re.match(_SCHEME, address.strip()) else "other"
    start += len(address) - len(address.lstrip())
    address = address.strip()
    heading = ""
    if kind != "fuzzy":
        address, _, heading = address.partition("::")
    if not _is_page(kind, address):
        return None
    source: LinkSource = "markdown_link" if kind == "file" else "wiki_link"
    label = " ".join(link.description.split())
    return TextLink(
        target=address,
        label=label,
        heading=heading,
        embed=False,
        kind=source,
        start=link.start,
        end=link.end,
        target_start=start,
        target_end=start + len(address),
        context=context_of(text, link.start, link.end),
    )


def _is_page(kind: str, address: str) -> bool:
    if not address.strip() or address != address.strip() or "\n" in address:
        return False
    if kind == "file":
        return bool(PAGE_EXTENSION.search(address)) and not address.startswith(("/", "~"))
    if kind == "fuzzy":
        named = not re.match(_SCHEME, address) or bool(re.match(_COLLECTION, address))
        return named and not address.startswith(("*", "#", "/", "~", "(")) and not ATTACHMENT.search(address)
    return kind in ("id", "roam")
