"""Links in the text of a page: `[[wiki]]` and `[markdown](links.md)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from quaid.errors import InvalidInput
from quaid.formats.addresses import is_only_there
from quaid.formats.document import CODE, COMMENT, FENCE, ITEM, QUOTE, TEXT
from quaid.formats.markdown import structure
from quaid.formats.slugs import PAGE_EXTENSION
from quaid.model.page import LinkSource
from quaid.model.record import record

MAX_CONTEXT = 200

_MASK = "\0"
_WIKI = re.compile(r"\[\[([^\[\]\n\0]+)\]\]")
_BRACKET = re.compile(r"\\.|\[|\](\([ \t]*\n?[ \t]*)?|\n[ \t\r]*\n", re.DOTALL)
_DESTINATION = re.compile(
    r"(?:<([^<>\n\0]*)>|([^\s()<>\0]*(?:\([^\s()\0]*\)[^\s()<>\0]*)*))"
    r"(?:[ \t\r\n]+(?:\"[^\"\0]*\"|'[^'\0]*'|\([^()\0]*\)))?[ \t\r\n]*\)"
)
_TICKS = re.compile(r"\\?`+")
_COMMENT = re.compile(r"<!--(?:(?!-->|<!--).)*-->", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_EXTENSION = re.compile(r"\.(?=[0-9]*[A-Za-z])[A-Za-z0-9]{1,9}\Z")
ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|heic|tiff?|ico|pdf|mp[34]|m4[av]|mov|wav|ogg|flac|webm|mkv|avi|3gp|zip|gz"
    r"|7z|csv|tsv|xlsx?|docx?|pptx?|epub|canvas|base|excalidraw)\Z",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)*(?:\[[ xX]\][ \t]+)?")
_SENTENCE_END = re.compile(r"[.!?][)\"'*_]*[ \t]|[\u3002\uff01\uff1f]")
_HIDDEN = frozenset((FENCE, CODE, COMMENT))
_CODE_MARKS = ("`", "~~~", "<!--")  # a text without them, and without lines that are indented, hides nothing
_INDENTED = re.compile(r"^(?: {4}| {0,3}\t)", re.MULTILINE)
_NOTHING: frozenset[str] = frozenset()
_Span = tuple[int, int]
_CONTINUATIONS = {
    TEXT: frozenset((TEXT,)),
    ITEM: frozenset((TEXT,)),
    QUOTE: frozenset((TEXT, QUOTE)),
}


@record
class TextLink:
    """A link as it stands in a text; `target` is the slice from `target_start` to `target_end`."""

    target: str
    label: str
    heading: str
    embed: bool
    kind: LinkSource
    start: int
    end: int
    target_start: int
    target_end: int
    context: str


def find(text: str) -> tuple[TextLink, ...]:
    """The links to other pages, in the order of the text."""
    wiki, inline = "[[" in text, "](" in text
    if not wiki and not inline:
        return ()
    masked = _masked(text)
    found = _wiki_links(text, masked) if wiki else []
    if inline:
        found = _apart([*found, *_markdown_links(text, masked)])
    return tuple(found)


def _apart(found: list[TextLink]) -> list[TextLink]:
    """In order, without links inside the destination of another: one place has one target."""
    kept: list[TextLink] = []
    for link in sorted(found, key=lambda link: link.target_start):
        if not kept or link.target_start >= kept[-1].target_end:
            kept.append(link)
    return sorted(kept, key=lambda link: link.start)


def target_and_form(link: TextLink, place: str) -> tuple[str, str]:
    """The target of a link on a page at this slug or path, and what is written if that is relative to it."""
    if link.kind == "markdown_link":
        return resolve_relative(link.target, place), _decoded(link.target)
    if is_only_there(link.target):
        return joined(link.target, place), link.target
    return link.target, ""


def resolve_relative(target: str, from_slug: str) -> str:
    """The path from the root that a Markdown link on a page means, without its extension."""
    return joined(_decoded(_path_of(target)), from_slug)


def _path_of(address: str) -> str:
    """An address without its fragment and query. A question mark may also be a part of a file's name."""
    path = address.partition("#")[0]
    return path if PAGE_EXTENSION.search(path) else path.partition("?")[0]


def joined(path: str, from_slug: str) -> str:
    """The path from the root that a relative path on a page means, without its extension."""
    parts = [] if path.startswith("/") else from_slug.split("/")[:-1]
    for part in PAGE_EXTENSION.sub("", path).split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def retarget(text: str, changes: Mapping[TextLink, str]) -> str:
    """The text with some links pointing elsewhere; all else is kept."""
    return with_targets(text, {link: _written(text, link, target) for link, target in changes.items()})


def with_targets(text: str, written: Mapping[TextLink, str]) -> str:
    """The text with other characters in the places of some targets."""
    parts: list[str] = []
    position = 0
    for link in sorted(written, key=lambda link: link.target_start):
        parts += (text[position : link.target_start], written[link])
        position = link.target_end
    return "".join([*parts, text[position:]])


def _written(text: str, link: TextLink, target: str) -> str:
    if link.kind == "wiki_link":
        if not target.strip() or re.search(r"[\[\]|#\n\r]", target):
            raise InvalidInput(f"a wiki link cannot point to {target!r}", hint="Rename the page first.")
        return target
    bracketed = text[link.target_start - 1 : link.target_start] == "<"
    return encoded(target, " ()" if bracketed else "")


def encoded(path: str, safe: str = "") -> str:
    """A path as the destination of a link: letters of every script stay readable."""
    # Lazy for start-up time: only a moved page needs it.
    from urllib.parse import quote

    safe = f"/!$&'*+,;=:@~{safe}"  # only what ends or changes a destination is encoded
    return "".join(char if char > "\x7f" and not char.isspace() else quote(char, safe=safe) for char in path)


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    # Lazy for start-up time: few targets are encoded.
    from urllib.parse import unquote

    return unquote(text)


def _masked(text: str) -> str:
    """The text with code and comments blanked out, character for character."""
    if not any(mark in text for mark in _CODE_MARKS) and not _INDENTED.search(text):
        return text
    parts: list[str] = []
    for start, end, hidden in _containers(text):
        parts.append(_MASK * (end - start) if hidden else _without_code_spans(text[start:end]))
    return _COMMENT.sub(lambda match: _MASK * len(match.group()), "".join(parts))


def _containers(text: str) -> Iterator[tuple[int, int, bool]]:
    """Stretches that are hidden as a whole, or whose inline markup belongs together."""
    start, hidden, open_kinds = 0, False, _NOTHING
    for line in structure.lines(text):
        is_hidden = line.kind in _HIDDEN
        goes_on = hidden if is_hidden else line.kind in open_kinds
        if not goes_on and line.start > start:
            yield start, line.start, hidden
            start = line.start
        hidden = is_hidden
        open_kinds = _CONTINUATIONS.get(line.kind, _NOTHING)
    if start < len(text):
        yield start, len(text), hidden


def _without_code_spans(text: str) -> str:
    if "`" not in text:
        return text
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    closers = _closers(text, runs)
    parts: list[str] = []
    position = index = 0
    while index < len(runs):
        start, _ = runs[index]
        closer = closers[index]
        if closer is None:
            index += 1
            continue
        end = runs[closer][1]
        parts += (text[position:start], _MASK * (end - start))
        position, index = end, closer + 1
    return "".join([*parts, text[position:]])


def _closers(text: str, runs: list[tuple[int, int]]) -> list[int | None]:
    """For each run of backticks the next one of its length; a backslash disables an opener, not a closer."""
    following: dict[int, int] = {}
    closers: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        escaped = text[start] == "\\"
        length = end - start - escaped
        closers[index] = following.get(length - escaped)
        following[length] = index
    return closers


def _wiki_links(text: str, masked: str) -> list[TextLink]:
    found: list[TextLink] = []
    for match in _WIKI.finditer(masked):
        start = match.start()
        marked = masked[start - 1 : start] == "!"
        embed = marked and not _is_escaped(masked, start - 1)
        if not marked and _is_escaped(masked, start):
            continue
        address, bar, label = match.group(1).partition("|")
        if bar and address.endswith("\\"):
            address = address[:-1]
        target, _, heading = address.partition("#")
        offset = start + 2 + len(target) - len(target.lstrip())
        target = target.strip()
        if target and not ATTACHMENT.search(target):
            whole, span = (start - embed, match.end()), (offset, offset + len(target))
            label, heading = label.strip(), heading.strip()
            found.append(_link(text, "wiki_link", whole, span, label=label, heading=heading, embed=embed))
    return found


def _is_escaped(text: str, position: int) -> bool:
    count = 0
    while position > count and text[position - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _markdown_links(text: str, masked: str) -> Iterator[TextLink]:
    opened: list[int] = []
    for match in _BRACKET.finditer(masked):
        token = match.group()
        if token[0] == "[":
            opened.append(match.start())
        elif token[0] == "\n":
            opened.clear()
        elif token[0] == "]" and opened:
            start = opened.pop()
            destination = _DESTINATION.match(masked, match.end()) if match.group(1) else None
            if destination:
                link = _markdown_link(text, start, match.start(), destination)
                if link:
                    yield link


def _markdown_link(text: str, start: int, label_end: int, destination: re.Match[str]) -> TextLink | None:
    group = 1 if destination.group(1) is not None else 2
    address = destination.group(group)
    target = _path_of(address)
    if not _is_page(target, address):
        return None
    embed = start > 0 and text[start - 1] == "!" and not _is_escaped(text, start - 1)
    heading = _decoded(address.partition("#")[2])
    span = (destination.start(group), destination.start(group) + len(target))
    whole = (start - embed, destination.end())
    label = text[start + 1 : label_end]
    return _link(text, "markdown_link", whole, span, label=label, heading=heading, embed=embed)


def _is_page(target: str, address: str) -> bool:
    if not target or _SCHEME.match(address) or "://" in address:
        return False
    name = _decoded(target).rstrip("/").rpartition("/")[2]
    return bool(PAGE_EXTENSION.search(name)) or (name not in ("", ".", "..") and not _EXTENSION.search(name))


def _link(
    text: str, kind: LinkSource, whole: _Span, span: _Span, *, label: str, heading: str, embed: bool
) -> TextLink:
    return TextLink(
        target=text[slice(*span)],
        label=label,
        heading=heading,
        embed=embed,
        kind=kind,
        start=whole[0],
        end=whole[1],
        target_start=span[0],
        target_end=span[1],
        context=context_of(text, *whole),
    )


def context_of(text: str, start: int, end: int) -> str:
    """The sentence around a link, or as much of its line as fits."""
    low, high = max(0, start - MAX_CONTEXT), min(len(text), end + MAX_CONTEXT)
    low = max(low, text.rfind("\n", low, start) + 1)
    line_end = text.find("\n", end, high)
    before, link, after = text[low:start], text[start:end], text[end : line_end if line_end >= 0 else high]
    for sentence_end in _SENTENCE_END.finditer(before):
        low = max(low, start - len(before) + sentence_end.end())
    stop = _SENTENCE_END.search(after)
    after = after[: stop.end()] if stop else after
    before = _LEAD.sub("", text[low:start], count=1)
    spare = max(0, MAX_CONTEXT - len(link))
    left = before[-min(len(before), max(spare // 2, spare - len(after))) :] if spare and before else ""
    return " ".join((left + link + after[: spare - len(left)]).split())[:MAX_CONTEXT]
