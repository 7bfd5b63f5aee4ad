"""Changes to a page's text. Every byte outside the field that is changed stays as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats import implied
from quaid.formats.encoding import newline_of
from quaid.formats.fields import claim_of, is_link, items_of, link_item, rewiki, unwiki, word
from quaid.formats.markdown import frontmatter, structure, yaml_edits
from quaid.formats.markdown.page import tags_of
from quaid.formats.markdown.timeline import TIMELINES
from quaid.model.page import Claim, Reference

_EMPTY = re.compile(r"---(\r?\n)---\1")


def add_tag(text: str, tag: str) -> str:
    """The page with one more tag."""
    values = frontmatter.values_of(text)
    tags = tags_of(values)
    if tag.casefold() in (known.casefold() for known in tags):
        return text
    if isinstance(value := values.get("tags"), list):
        return set_field(text, ("tags", len(value)), tag)
    return set_field(text, ("tags",), [*tags, tag])


def remove_tag(text: str, tag: str) -> str:
    """The page without a tag."""
    wanted, values = tag.casefold(), frontmatter.values_of(text)
    if isinstance(value := values.get("tags"), list):
        stated = [str(item).lstrip("#").strip().casefold() for item in value]
        return _without(text, "tags", [place for place, tag in enumerate(stated) if tag == wanted])
    tags = tags_of(values)
    kept = [known for known in tags if known.casefold() != wanted]
    if len(kept) == len(tags):
        return text
    return set_field(text, ("tags",), kept) if kept else delete_field(text, ("tags",))


def add_link(text: str, link: Reference) -> str:
    """The page with one more typed link in its frontmatter."""
    return append_item(text, "links", link_item(link))


def close_link(text: str, link: Reference, until: str) -> str:
    """The page with the end of a typed link set."""
    place, value = _places(text, [link])[0], _value(text, "links")
    path = _path(value, "links", place)
    if isinstance(items_of(value)[place], dict):
        return set_field(text, (*path, "valid_until"), until)
    return set_field(text, path, {"to": link.target, "valid_until": until})


def remove_links(text: str, links: Sequence[Reference]) -> str:
    """The page without some of its typed links."""
    if not isinstance(_value(text, "links"), list):
        return delete_field(text, ("links",))
    return _without(text, "links", sorted(_places(text, links)))


def remove_claims(text: str, claims: Collection[Claim]) -> str:
    """The page without some of its assertions."""
    value = _value(text, "assertions")
    doomed = [place for place, item in enumerate(items_of(value)) if claim_of(item) in claims]
    if doomed and not isinstance(value, list):
        return delete_field(text, ("assertions",))
    return _without(text, "assertions", doomed)


def change_claim(text: str, claim: Claim, fields: Mapping[str, Any]) -> str:
    """The page with some fields of one of its assertions set."""
    value = _value(text, "assertions")
    place = next((n for n, item in enumerate(items_of(value)) if claim_of(item) == claim), None)
    if place is None:
        raise InvalidInput("the fact is not in the page's text", hint="Read the page again.")
    path = _path(value, "assertions", place)
    for key, each in fields.items():
        text = set_field(text, (*path, key), each)
    return text


def repoint_links(text: str, targets: Mapping[str, str]) -> str:
    """The page with typed links to some targets leading to others."""
    value = _value(text, "links")
    for place, item in enumerate(items_of(value)):
        path = _path(value, "links", place)
        if isinstance(item, dict):
            key = next((name for name in ("to", "target", "slug") if item.get(name)), "to")
            path, item = (*path, key), item.get(key)
        new = targets.get(unwiki(word(item)))
        if new is not None:
            text = set_field(text, path, rewiki(word(item), new))
    for path, written in implied.pages_named(frontmatter.values_of(text)):
        new = targets.get(unwiki(written))
        if new is not None:
            text = set_field(text, path, rewiki(written, new))
    return text


def append_item(text: str, key: str, item: Any) -> str:
    """The page with one more item in a list of its frontmatter."""
    value = _value(text, key)
    if isinstance(value, list):
        return set_field(text, (key, len(value)), item)
    return set_field(text, (key,), [*items_of(value), item])


def set_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The page with some fields of its frontmatter set; None removes one."""
    values = frontmatter.values_of(text)
    for key, value in fields.items():
        if value is not None:
            # What says so already stays as it is written, with its quotes and comments.
            if values.get(key) != value:
                text = set_field(text, (key,), value)
        elif key in values:
            text = delete_field(text, (key,))
    return text


def set_field(text: str, path: tuple[str | int, ...], value: Any) -> str:
    """The page with one field of its frontmatter set."""
    head, body = frontmatter.split(text)
    return yaml_edits.set_value(head, path, value, newline_of(text)) + body


def delete_field(text: str, path: tuple[str | int, ...]) -> str:
    """The page without one field of its frontmatter; frontmatter of which nothing is left goes too."""
    head, body = frontmatter.split(text)
    left = yaml_edits.delete_value(head, path)
    if left != head and _EMPTY.fullmatch(left) and not frontmatter.split(body)[0]:
        return body
    return left + body


add_entry = TIMELINES.add_entry
remove_entry = TIMELINES.remove_entry
append_timeline = TIMELINES.append_timeline


def replace_truth(text: str, truth: str) -> str:
    """The page with its compiled truth rewritten; frontmatter and timeline stay."""
    document = structure.parse(text)
    # A line of text right above the rule would make a heading of it.
    if document.rule:
        truth = truth.rstrip() + newline_of(text) * 2
    changed = document.head + truth + document.rule + document.timeline
    if structure.parse(changed).timeline != document.timeline:
        raise InvalidInput(
            "the new compiled truth would swallow or cut the timeline",
            hint="Close every code fence in it, and use `***` for a horizontal rule.",
        )
    return changed


def _path(value: Any, key: str, place: int) -> tuple[str | int, ...]:
    """Where an item of a field stands that may be a list, or the one item."""
    return (key, place) if isinstance(value, list) else (key,)


def _without(text: str, key: str, places: Sequence[int]) -> str:
    """The page without some items of a list in its frontmatter."""
    for place in reversed(places):
        text = delete_field(text, (key, place))
    return text


def _places(text: str, links: Sequence[Reference]) -> list[int]:
    """Where these links stand in the frontmatter's list."""
    items = items_of(_value(text, "links"))
    places: list[int] = []
    for link in links:
        place = next((n for n, item in enumerate(items) if n not in places and is_link(item, link)), None)
        if place is None:
            raise InvalidInput(
                "the link is not in the page's frontmatter", hint="Edit the page's text instead."
            )
        places.append(place)
    return places


def _value(text: str, key: str) -> Any:
    return frontmatter.values_of(text).get(key)
