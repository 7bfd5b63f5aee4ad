"""Edits of a node's text that leave every other byte as it is."""

from __future__ import annotations

import re

from quaid.formats.org.head import Field, read_head
from quaid.formats.org.links import OrgLink, label_of, org_links

_RELATIONS = re.compile(r"\n[ \t\r]*\n((?:[A-Z_]+ \[\[id:[^\n]*\]\][ \t]*\r?\n?)+)\s*\Z")


def set_property(text: str, name: str, value: str) -> str:
    """A property of the drawer on top with that value; a missing one becomes its last line."""
    head = read_head(text)
    line_end = _line_end(text)
    found = head.all(name.lower(), kind="property")
    if found:
        return _with_value(text, found[0], value)
    new = f":{name.upper()}: {value}{line_end}"
    if head.drawer_end is None:
        return f":PROPERTIES:{line_end}{new}:END:{line_end}{text}"
    return text[: head.drawer_end] + new + text[head.drawer_end :]


def set_first_property(text: str, name: str, value: str) -> str:
    """A property that was missing, as the first line of the drawer on top, where an ID belongs."""
    head = read_head(text)
    first = next((field.start for field in head.fields if field.kind == "property"), head.drawer_end)
    if first is None or head.drawer_end is None:
        return set_property(text, name, value)
    return f"{text[:first]}:{name.upper()}: {value}{_line_end(text)}{text[first:]}"


def set_keyword(text: str, name: str, value: str) -> str:
    """A `#+name:` line with that value; a missing one comes after the drawer and the other keywords."""
    head = read_head(text)
    found = head.all(name.lower(), kind="keyword")
    if found:
        return _with_value(text, found[0], value)
    return f"{text[: head.last]}#+{name}: {value}{_line_end(text)}{text[head.last :]}"


def set_body(text: str, body: str) -> str:
    """The same head with other text below."""
    head = read_head(text)
    gap = "" if text[: head.end].endswith(("\n\n", "\r\n\r\n")) else _line_end(text)
    return text[: head.end] + gap + as_lines(body, _line_end(text))


def append(text: str, addition: str) -> str:
    """The same text with a paragraph at its end."""
    line_end = _line_end(text)
    return text.rstrip() + 2 * line_end + as_lines(addition, line_end)


def add_link(text: str, label: str, target: str, title: str) -> str:
    """A labelled link as the last line of the text, unless it is there."""
    if has_link(text, label, target):
        return text
    line_end = _line_end(text)
    lines = text.rstrip().splitlines()
    after_links = bool(lines) and bool(re.match(r"[A-Z_]+ \[\[id:", lines[-1]))
    gap = line_end if after_links else 2 * line_end
    return f"{text.rstrip()}{gap}{label} [[id:{target}][{plain(title)}]]{line_end}"


def relations_start(text: str) -> int:
    """Where the lines begin with which a text ends that are labelled links and nothing else; else its end.

    They are about the whole, and no part of the section after which they stand.
    """
    found = _RELATIONS.search(text)
    return found.start(1) if found else len(text)


def has_link(text: str, label: str, target: str) -> bool:
    """Whether a link with that label leads there."""
    return any(label_of(text, link.start) == label for link in _links_to(text, target))


def remove_link(text: str, label: str, target: str) -> str:
    """Without the lines that hold nothing but that labelled link."""
    for link in reversed(_links_to(text, target)):
        start = text.rfind("\n", 0, link.start) + 1
        end = text.find("\n", link.end) + 1 or len(text)
        alone = re.fullmatch(
            rf"(?i)[ \t]*(?:[-+][ \t]+)?{label}[ \t]*:{{0,2}}[ \t]*", text[start : link.start]
        )
        if alone and not text[link.end : end].strip():
            text = text[:start] + text[end:]
    return text


def repoint(text: str, old: str, new: str, titles: tuple[str, str] | None = None) -> str:
    """Links to one node as links to another; a description that is the old title becomes the new one."""
    if titles:
        before, after = (plain(title) for title in titles)
        titled = rf"(?i)(\[\[id:{re.escape(old)}\]\[){re.escape(before)}(?=\]\])"
        text = re.sub(titled, lambda match: match.group(1) + after, text)
    return re.sub(rf"(?i)(?<![\w-])id:{re.escape(old)}(?![\w-])", f"id:{new}", text)


def without_links_to(text: str, target: str) -> str:
    """Links to a node as the words that they show: what a node says of itself needs no link."""
    for link in reversed(_links_to(text, target)):
        text = text[: link.start] + link.description + text[link.end :]
    return text


def plain(title: str) -> str:
    """A title as the description of a link: brackets would end it."""
    return " ".join(title.replace("[", "(").replace("]", ")").split())


def one_line(value: str) -> str:
    """A value that fits a property: on one line, without characters that command a terminal."""
    return " ".join("".join(" " if ord(char) < 32 or ord(char) == 127 else char for char in value).split())


def as_lines(text: str, line_end: str = "\n") -> str:
    """A text with that line end, and one at its end unless it is empty."""
    lines = text.replace("\r\n", "\n").strip("\n")
    return (lines + "\n").replace("\n", line_end) if lines else ""


def _links_to(text: str, target: str) -> list[OrgLink]:
    return [
        link
        for link in org_links(text)
        if link.type == "id" and link.address.partition("::")[0].strip().lower() == target.lower()
    ]


def _with_value(text: str, field: Field, value: str) -> str:
    gap = "" if text[field.value_start - 1 : field.value_start].isspace() else " "
    return text[: field.value_start] + gap + value + text[field.value_end :]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text[:4096] else "\n"
