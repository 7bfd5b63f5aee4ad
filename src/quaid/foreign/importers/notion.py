"""Notion's export as Markdown and CSV.

Names end in the id of their page. Pages get names without it, links between them follow, what a database says
about a page goes to its frontmatter, and a database is a page with a table.
"""

from __future__ import annotations

import csv
import io
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from quaid.foreign.importers.chats import fenced
from quaid.foreign.importers.importer import Draft, Importer, Part, Refusal, distinct, is_page
from quaid.formats import encoding
from quaid.formats.markdown import edits
from quaid.formats.markdown.frontmatter import plain_scalar
from quaid.formats.markdown.links import encoded

_ID = re.compile(r"[ _-]?([0-9a-f]{32})(?=(?:_all)?(?:\.[A-Za-z0-9]+)?\Z)")
_DATABASE = re.compile(r"(?:_all)?\.csv\Z", re.IGNORECASE)
_DESTINATION = re.compile(r"(?<=\]\()(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*))(?=\))")
_RELATION = re.compile(r"(?<= \()([^\s()]+\.(?:md|csv))(?=\))")
_ADDRESS = re.compile(r"https://(?:www\.)?notion\.so/[^\s()<>]*?([0-9a-f]{32})(?:\?[^\s()<>]*)?\Z")
# Keys to which frontmatter gives a meaning that a database's column does not have.
_RESERVED = frozenset(("links", "assertions", "slug", "title", "id", "uuid", "wing", "room", "type", "alias"))


class Notion(Importer):
    """Pages and databases of an export."""

    name = "notion"

    def __init__(self, files: Collection[str]) -> None:
        super().__init__(files)
        databases = {_DATABASE.sub("", file): file for file in sorted(files) if _is_database(file)}
        self._databases = frozenset(databases.values())  # of a database and all of it, the latter
        pages = [file for file in files if is_page(file)] + list(self._databases)
        self._renamed = distinct(
            ((file, _renamed(file)) for file in pages), lambda file: (id_of(file) or "again")[:8]
        )
        self._by_id = {found: file for file in pages if (found := id_of(file))}
        self._columns: dict[str, tuple[str, ...]] = {}

    def splits(self, file: str) -> bool:
        """Databases are looked at before their pages."""
        return file in self._databases

    def pieces(self, file: str, data: bytes) -> Iterator[Part | Refusal]:
        """The database itself; its columns tell which lines of its pages are properties."""
        header = tuple(column.strip() for column in next(iter(_table(data) or [[]])))
        stem = _DATABASE.sub("", file)
        for folder in (stem, _renamed(stem)):
            self._columns[folder] = header
        yield Part(file, self._renamed[file], data=data)

    def part(self, file: str) -> Part | None:
        """A page under its name without the id."""
        return Part(file, self._renamed[file]) if is_page(file) else None

    def identity(self, kept_as: str) -> str | None:
        """The page's id."""
        return id_of(kept_as)

    def draft(self, part: Part, data: bytes) -> Draft:
        """A page, with its properties as frontmatter."""
        columns = self._columns.get(posixpath.dirname(part.file), ())
        text = self._database(part, data) if _is_database(part.file) else encoding.decode(data)[0]
        text, stated = split_properties(text, () if _is_database(part.file) else columns)
        stated = {key: self._related(value, part.file) for key, value in stated.items()}
        identity = id_of(part.file)
        fields = {**({"notion_id": identity} if identity else {}), **frontmatter_of(stated)}
        return Draft(edits.set_fields(self._relinked(text, part.file), fields))

    def _database(self, part: Part, data: bytes) -> str:
        name = posixpath.basename(part.path).removesuffix(".md")
        table = _table(data)
        if table is None:
            return f"# {name}\n\n{fenced(encoding.decode(data)[0], 'csv')}\n"
        rows = self._row_pages(part.file)
        here = posixpath.dirname(part.path)
        lines = []
        for number, row in enumerate(table):
            cells = [_cell(cell) for cell in row]
            if number and row and row[0] in rows:
                cells[0] = f"[{cells[0]}]({encoded(posixpath.relpath(rows[row[0]], here or '.'))})"
            lines.append(f"| {' | '.join(cells)} |")
            if not number:
                lines.append("|" + " --- |" * len(cells))
        return f"# {name}\n" + "".join(f"{line}\n" for line in ["", *lines])

    def _row_pages(self, file: str) -> dict[str, str]:
        """Paths of a database's pages by their name, where only one has it."""
        stem = _DATABASE.sub("", file)
        found: dict[str, list[str]] = {}
        for old, new in self._renamed.items():
            if is_page(old) and posixpath.dirname(old) in (stem, _renamed(stem)):
                found.setdefault(posixpath.basename(_renamed(old)).removesuffix(".md"), []).append(new)
        return {name: paths[0] for name, paths in found.items() if len(paths) == 1}

    def _relinked(self, text: str, file: str) -> str:
        def follow(match: re.Match[str]) -> str:
            written = match.group(1) if match.group(1) is not None else match.group(2)
            return self._followed(written, file) or match.group()

        return _DESTINATION.sub(follow, text) if "](" in text else text

    def _related(self, value: str, file: str) -> str:
        return _RELATION.sub(lambda match: self._followed(match.group(), file) or match.group(), value)

    def _followed(self, written: str, file: str) -> str | None:
        """Where a link to a page of the export leads now."""
        address = _ADDRESS.match(written)
        target, mark, heading = written.partition("#")
        old = self._by_id.get(address.group(1)) if address else None
        if old is None and not address:
            old = posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(target)))
            if old not in self._renamed and _is_database(old):
                old = _DATABASE.sub("_all.csv", old)  # of which the link names a part
        if old not in self._renamed:
            return None
        path = posixpath.relpath(self._renamed[old], posixpath.dirname(self._renamed[file]) or ".")
        return encoded(path) + (mark + heading if not address else "")


def id_of(file: str) -> str | None:
    """The id at the end of a name."""
    found = _ID.search(file)
    return found.group(1) if found else None


def looks_like(files: Collection[str]) -> bool:
    """Whether at least half of the pages have an id in their names."""
    pages = [file for file in files if is_page(file) or _is_database(file)]
    return sum(id_of(file) is not None for file in pages) * 2 >= len(pages) > 0


def split_properties(text: str, columns: Collection[str]) -> tuple[str, dict[str, str]]:
    """The page without the lines below its title that state columns of its database, and what they state."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 3 or not lines[0].startswith("# ") or lines[1].strip() or not columns:
        return text, {}
    stated: dict[str, str] = {}
    key = ""
    place = 2
    while place < len(lines) and lines[place].strip():
        name, colon, value = lines[place].rstrip("\r\n").partition(":")
        if colon and name in columns and name not in stated:
            key = name
            stated[key] = value.strip()
        elif not key:
            return text, {}
        else:
            stated[key] += "\n" + lines[place].strip()
        place += 1
    rest = "".join(lines[place:]).lstrip("\r\n")
    return lines[0] + (lines[1] if rest else "") + rest, stated


def frontmatter_of(stated: Mapping[str, str]) -> dict[str, Any]:
    """Properties as frontmatter; a name that means something else there begins with a capital."""
    fields: dict[str, Any] = {}
    for name, value in stated.items():
        if name.lower() == "tags":
            fields["tags"] = [tag.strip() for tag in value.split(",") if tag.strip()]
        else:
            key = name.capitalize() if name in _RESERVED else name
            fields[key] = plain_scalar(value) if value else ""
    return {name: value for name, value in fields.items() if value is not None}


def _is_database(file: str) -> bool:
    return _DATABASE.search(file) is not None


def _renamed(file: str) -> str:
    """A path without ids; a database's is that of its page."""
    parts = [_ID.sub("", part).strip() or part for part in file.split("/")]
    return _DATABASE.sub(".md", "/".join(parts))


def _table(data: bytes) -> list[list[str]] | None:
    try:
        return list(csv.reader(io.StringIO(encoding.decode(data)[0], newline=""), strict=False))
    except csv.Error:  # a cell that is too long
        return None


def _cell(text: str) -> str:
    return "<br>".join(line.strip() for line in text.splitlines()).replace("|", "\\|")
