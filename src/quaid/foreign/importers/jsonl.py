"""JSON Lines: one page on each line.

A line is `{"slug": …, "content": …}`, or has the parts of a page by name: title, type, tags, body, timeline,
frontmatter, links, assertions. Both may have `raw`, what sources said, by source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.importers.importer import (
    Draft,
    Part,
    PieceImporter,
    Refusal,
    piece_data,
    piece_value,
    read_json,
)
from quaid.formats import encoding
from quaid.formats.markdown import edits
from quaid.formats.markdown.frontmatter import whole
from quaid.formats.slugs import is_slug, slugify
from quaid.model.page import TimelineEntry

_LINES = (".jsonl", ".ndjson")
_TEXTS = ("slug", "path", "encoding", "format", "content", "title", "type", "body", "compiled_truth")
_LISTS = ("links", "assertions")
_OBJECTS = ("frontmatter", "raw", "fetched_at")
_KNOWN = frozenset((*_TEXTS, *_LISTS, *_OBJECTS, "tags", "timeline"))


class JsonLines(PieceImporter):
    """Pages that a program wrote, among them those of `quaid export --jsonl`."""

    name = "jsonl"

    def splits(self, file: str) -> bool:
        """Files of lines are cut."""
        return is_lines(file)

    def pieces(self, file: str, data: bytes) -> Iterator[Part | Refusal]:
        """One piece for each line that is a page."""
        taken: set[str] = set()
        for number, line in enumerate(encoding.decode(data)[0].split("\n"), start=1):
            if not line.strip():
                continue
            place = f"line {number}"
            try:
                value = _sound_object(read_json(line))
                slug = _slug(value)
                if slug in taken:
                    raise InvalidInput(f"{slug} is there twice")
                taken.add(slug)
                path = value.get("path") or f"{slug}.{'org' if value.get('format') == 'org' else 'md'}"
                yield Part(file, path, slug, piece_data(value), slug, place)
            except InvalidInput as error:
                yield Refusal(f"{file}, {place}", error.message)

    def draft(self, part: Part, data: bytes) -> Draft:
        """The page of a line."""
        value = piece_value(data)
        unknown = sorted(set(value) - _KNOWN)
        problems = tuple(f"nothing is known of {name!r}" for name in unknown)
        raw, fetched = value.get("raw") or {}, value.get("fetched_at") or {}
        if isinstance(value.get("content"), str):
            text, coded = value["content"], value.get("encoding") or "utf-8"
        else:
            text, coded = page_text(value), "utf-8"
        return Draft(whole(text), _known_encoding(coded, whole(text)), raw, fetched, problems)


def is_lines(file: str) -> bool:
    """Whether a file is JSON Lines by its name."""
    return file.lower().endswith(_LINES)


def line_of(page: Mapping[str, Any]) -> bytes:
    """A page as a line that `pieces` reads.

    What stands for an odd byte is escaped: whoever reads the file would take the character itself for bytes.
    """
    data = piece_data({key: value for key, value in page.items() if value is not None})
    return re.sub(encoding.AMBIGUOUS, _escape, data) + b"\n"


def _escape(character: re.Match[bytes]) -> bytes:
    return json.dumps(character[0].decode()).strip('"').encode()


def page_text(value: Mapping[str, Any]) -> str:
    """The text of a page that is given by its parts."""
    text = whole(value.get("body") or value.get("compiled_truth") or "")
    if text and not text.endswith("\n"):
        text += "\n"
    stated: dict[str, Any] = dict(value.get("frontmatter") or {})
    for key in ("title", "type", "tags", *_LISTS):
        if value.get(key):
            stated[key] = value[key]
    text = edits.set_fields(text, {key: item for key, item in stated.items() if item is not None})
    entries = value.get("timeline") or []
    if isinstance(entries, str):
        return edits.append_timeline(text, entries)
    for entry in entries:
        text = edits.append_timeline(text, entry) if isinstance(entry, str) else _with_entry(text, entry)
    return text


def _with_entry(text: str, entry: Any) -> str:
    if not isinstance(entry, dict):
        raise InvalidInput("an entry of the timeline must be text or an object")
    fields = {name: entry.get(name) or "" for name in ("date", "summary", "source", "detail")}
    if not all(isinstance(item, str) for item in fields.values()) or not fields["summary"].strip():
        raise InvalidInput("an entry of the timeline needs a date and a summary as text")
    date, summary, source, detail = (whole(item) for item in fields.values())
    return edits.add_entry(text, TimelineEntry(date, summary, source, detail))


def _sound_object(value: Any) -> dict[str, Any]:
    """A line's value, if each part of it is of its kind."""
    if not isinstance(value, dict):
        raise InvalidInput("it is not an object")
    for kind, names, wanted in (
        (str, _TEXTS, "text"),
        (list, _LISTS, "a list"),
        (dict, _OBJECTS, "an object"),
        ((list, str), ("tags", "timeline"), "a list"),
    ):
        for name in names:
            if value.get(name) is not None and not isinstance(value[name], kind):
                raise InvalidInput(f"{name} must be {wanted}")
    if not any(value.get(name) is not None for name in ("content", "title", "body", "compiled_truth")):
        raise InvalidInput("it has no content", hint="Give content, or title and body.")
    return value


def _slug(value: Mapping[str, Any]) -> str:
    named = value.get("slug") or value.get("path") or value.get("title")
    if not named:
        raise InvalidInput("it names no slug")
    return str(named) if is_slug(named) else slugify(named)


def _known_encoding(name: str, text: str) -> str:
    """The encoding, if the text can be written in it."""
    try:
        encoding.encode(text, name)
    except (LookupError, InvalidInput):
        return "utf-8"
    return name
