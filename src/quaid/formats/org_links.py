"""Links in the text of an org page: `[[id:…]]`, `[[file:…]]`, `[[roam:…]]`, `[[Title]]` and bare `id:…`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from quaid.errors import InvalidInput
from quaid.formats import markdown, org_text
from quaid.formats.fields import PAGE_EXTENSION
from quaid.formats.links import ATTACHMENT, TextLink, context_of, resolve_relative
from quaid.model.page import LinkSource

RELATIONS = ("supersedes", "contradicts", "relates_to", "implements", "derived_from")

_MASK = "\0"
_BRACKET = re.compile(
    r"\[\[((?:[^\[\]\\\n\0]|\\.){1,2000})\](?:\[((?:(?!\n[ \t\r]*\n)[^\0]){1,500}?)\])?\]"
    r"|(?<![\w:\[])id:([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![\w-])"
)
_VERBATIM = re.compile(
    r"(?<![^\s\-({'\"\[])([=~])(?=\S)(?:(?!\n[ \t\r]*\n)[\s\S]){1,500}?(?<=\S)\1"
    r"(?=[\s\-.,:;!?'\")}\[\]\\]|\Z)"
)
_HIDDEN = frozenset((markdown.CODE, markdown.COMMENT, org_text.DRAWER))
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?=\S)")
_COLLECTION = re.compile(r"[\w-]+::(?=\S)")
_LABEL = re.compile(
    r"(?:^|[\s(*_/])(SUPERSEDES|CONTRADICTS|RELATES_TO|IMPLEMENTS|DERIVED_FROM)[*_/]?:?[ \t]*\Z"
)
_LISTED = re.compile(
    r"[ \t]*[-+*][ \t]+[*_/]?(supersedes|contradicts|relates[_ ]to|implements|derived[_ ]from)[*_/]?"
    r"[ \t]+::[ \t]*"
    r"(?:\[\[[^\[\]\n]+\](?:\[[^\[\]\n]*\])?\][ \t]*,?[ \t]*(?:and[ \t]+)?)*\Z",
    re.IGNORECASE,
)


def find(text: str) -> tuple[TextLink, ...]:
    """The links to other pages, in the order of the text. The target of an id link is the id."""
    if "[[" not in text and "id:" not in text:
        return ()
    return tuple(_links(text, _masked(text)))


def relation_of(text: str, link: TextLink) -> str:
    """The relationship that a label before a link states, else `mentions`."""
    line_start = text.rfind("\n", 0, link.start) + 1
    before = text[max(line_start, link.start - 500) : link.start]
    match = _LABEL.search(before[-40:]) or _LISTED.match(before)
    return match.group(1).lower().replace(" ", "_") if match else "mentions"


def is_id(text: str, link: TextLink) -> bool:
    """Whether a link leads to an id, which its page keeps wherever it goes."""
    return text[max(0, link.target_start - 3) : link.target_start] == "id:"


def resolve(target: str, place: str) -> str:
    """The path from the root, without extension, that a file link on a page at this slug or path means."""
    # Org does not encode file names, so that these have no meaning of their own.
    encoded = target.replace("%", "%25").replace("#", "%23").replace("?", "%3F")
    return resolve_relative(encoded, place)


def stated(link: TextLink, place: str) -> tuple[str, str]:
    """The target of a link on a page at this slug or path, and what is written if that is relative to it."""
    if link.kind != "markdown_link":
        return link.target, ""
    written = link.target if link.target.startswith(".") else f"./{link.target}"
    return resolve(link.target, place), written


def retarget(text: str, changes: Mapping[TextLink, str]) -> str:
    """The text with some links pointing elsewhere; all else is kept."""
    parts: list[str] = []
    position = 0
    for link in sorted(changes, key=lambda link: link.target_start):
        target = changes[link]
        if not target.strip() or re.search(r"[\[\]\\\n\r]|::", target.replace("::", "", 1)):
            raise InvalidInput(f"an org link cannot point to {target!r}", hint="Rename the page first.")
        bare = text[link.target_start - 2 : link.target_start] == "[["
        if bare and link.kind == "markdown_link" and not target.startswith("."):
            target = f"./{target}"
        parts += (text[position : link.target_start], target)
        position = link.target_end
    return "".join([*parts, text[position:]])


def _links(text: str, masked: str) -> Iterator[TextLink]:
    for match in _BRACKET.finditer(masked):
        if match.group(3):
            span, kind, heading = match.span(3), "id", ""
        else:
            kind, start, address = _address(match.group(1), match.start(1))
            address, _, heading = (address, "", "") if kind == "plain" else address.partition("::")
            span = (start, start + len(address))
            if not _is_page(kind, address):
                continue
        source: LinkSource = "markdown_link" if kind == "file" else "wiki_link"
        label = " ".join((match.group(2) or "").split())
        yield TextLink(
            text[slice(*span)],
            label,
            heading,
            False,
            source,
            *match.span(),
            *span,
            context_of(text, *match.span()),
        )


def _address(written: str, start: int) -> tuple[str, int, str]:
    """What kind of address it is, and where it begins behind its scheme."""
    stripped = written.strip()
    start += len(written) - len(written.lstrip())
    for scheme in ("id", "roam", "file"):
        if stripped.lower().startswith(f"{scheme}:"):
            return scheme, start + len(scheme) + 1, stripped[len(scheme) + 1 :]
    if stripped.startswith(("./", "../")) or PAGE_EXTENSION.search(stripped.partition("::")[0]):
        return "file" if not _SCHEME.match(stripped) else "other", start, stripped
    return "plain", start, stripped


def _is_page(kind: str, address: str) -> bool:
    if not address.strip() or address != address.strip():
        return False
    if kind == "file":
        return bool(PAGE_EXTENSION.search(address)) and not address.startswith(("/", "~"))
    if kind == "plain":
        named = not _SCHEME.match(address) or bool(_COLLECTION.match(address))
        return named and not address.startswith(("*", "#", "/", "~", "(")) and not ATTACHMENT.search(address)
    return kind in ("id", "roam")


def _masked(text: str) -> str:
    """The text with blocks, comments, drawers and verbatim text blanked out, character for character."""
    parts = [
        _MASK * (line.end - line.start) if line.kind in _HIDDEN else text[line.start : line.end]
        for line in org_text.lines(text)
    ]
    masked = "".join(parts)
    if "=" not in masked and "~" not in masked:
        return masked
    return _VERBATIM.sub(lambda match: _MASK * len(match.group()), masked)
