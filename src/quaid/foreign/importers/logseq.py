"""A graph of Logseq: pages/ and journals/, with properties at the top of a page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import unquote

from quaid.foreign.importers.importer import Draft, Importer, Part, distinct, is_page
from quaid.formats import encoding
from quaid.formats.markdown import edits
from quaid.formats.markdown.frontmatter import plain_scalar, split

_SETTINGS = re.compile(r"(?:logseq|\.logseq)/")
_JOURNAL = re.compile(r"(\d{4})[_-](\d\d)[_-](\d\d)(?=\.[A-Za-z]+\Z)")
_PROPERTY = re.compile(r"(?:-[ \t]+)?([^\s:#\[\](){}\"'`][^\s:\[\](){}\"'`]*)::(?:[ \t]+(.*))?\r?\n?\Z")
_ITEM = re.compile(r"\s*,\s*(?![^\[]*\]\])")
_LISTS = {"tags": "tags", "tag": "tags", "alias": "aliases", "aliases": "aliases"}
# Keys to which frontmatter gives a meaning that a property of Logseq does not have.
_RESERVED = frozenset(("links", "assertions", "slug", "id", "uuid"))


class Logseq(Importer):
    """Pages under their names, namespaces as folders, journals by day."""

    name = "logseq"

    def __init__(self, files: Collection[str]) -> None:
        super().__init__(files)
        pages = [(file, renamed(file)) for file in files if is_page(file) and not self.ignores(file)]
        self._renamed = distinct(pages, lambda file: posixpath.dirname(file).replace("/", " ") or "again")

    def ignores(self, file: str) -> bool:
        """Settings, copies and deleted pages of Logseq itself."""
        return _SETTINGS.match(file) is not None

    def part(self, file: str) -> Part | None:
        """A page under the name that Logseq shows."""
        return Part(file, self._renamed[file]) if file in self._renamed else None

    def draft(self, part: Part, data: bytes) -> Draft:
        """A page, with its properties as frontmatter."""
        text, coded = encoding.decode(data)
        if part.file.lower().endswith(".org"):
            return Draft(text, coded)
        text, fields = split_properties(text)
        return Draft(edits.set_fields(text, fields) if fields else text, coded)


def looks_like(files: Collection[str]) -> bool:
    """Whether there are Logseq's settings, or journals named as only Logseq does."""
    return "logseq/config.edn" in files or (
        any(file.startswith("pages/") for file in files)
        and any(re.match(r"journals/\d{4}_\d\d_\d\d\.", file) for file in files)
    )


def renamed(file: str) -> str:
    """The path of a page: without `pages/`, namespaces as folders, journals by day."""
    folder, _, rest = file.partition("/")
    if folder == "journals" and rest:
        return "journals/" + _JOURNAL.sub(r"\1-\2-\3", rest)
    if folder != "pages" or not rest:
        return file
    parts = unquote(rest.replace("___", "/")).split("/")
    return "/".join(part.strip() for part in parts if part.strip(" .")) or rest


def split_properties(text: str) -> tuple[str, dict[str, Any]]:
    """The page without the properties at its top, and those as frontmatter."""
    head, body = split(text)
    fields: dict[str, Any] = {}
    lines = body.splitlines(keepends=True)
    place = 0
    while place < len(lines):
        found = _PROPERTY.match(lines[place] if not fields else lines[place].lstrip(" \t"))
        if not found:
            break
        name, value = found.group(1), (found.group(2) or "").strip()
        key = _LISTS.get(name.lower(), name.capitalize() if name in _RESERVED else name)
        if key in fields:
            break
        fields[key] = _items(value) if key in ("tags", "aliases") else _value(value)
        place += 1
    if place and place < len(lines) and lines[place].strip() and not lines[place].startswith(("-", "#")):
        # Text goes on right below: these lines belong to a block of their own.
        return text, {}
    return head + "".join(lines[place:]).lstrip("\r\n"), fields


def _value(text: str) -> Any:
    value = plain_scalar(text)
    return "" if value is None else value


def _items(text: str) -> list[str]:
    items = (item.strip().lstrip("#").removeprefix("[[").removesuffix("]]") for item in _ITEM.split(text))
    return [item for item in items if item]
