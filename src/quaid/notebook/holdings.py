"""What a notebook holds, as the rules of routing see it: files from disk, sections by the word index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import apsw

from quaid.formats.markdown.items import items
from quaid.formats.markdown.sections import Section, bounds, sections
from quaid.formats.segments import alternatives
from quaid.notebook.edits import Notebook
from quaid.routing.lists import Entry
from quaid.routing.shelf import CATEGORIES, Shelf, ShelfSection
from quaid.routing.words import words_of
from quaid.store import candidates, pages, terms
from quaid.store.filters import PageFilter
from quaid.store.terms import WordQuery
from quaid.vault import folder

POOL = 20  # pages that are looked at
MOST_FOUND = 12
MAX_ASKED = 1000  # characters of a text whose words are looked for


class _Headings(Mapping[str, tuple[str, ...]]):
    """The sections of files, which are read when somebody asks."""

    def __init__(self, notebook: Notebook, files: tuple[str, ...]) -> None:
        self._notebook = notebook
        self._files = files
        self._read: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, path: str) -> tuple[str, ...]:
        if path not in self._files:
            raise KeyError(path)
        if path not in self._read:
            text = self._notebook.peek(path)
            self._read[path] = tuple(each.title for each in sections(text) if each.title)
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def shelf_of(notebook: Notebook, connection: apsw.Connection) -> Shelf:
    """What is in a notebook; nothing of its daily logs."""
    walked = folder.glance(notebook.root, CATEGORIES, notebook.row.settings.get("ignore", ()))
    files = tuple(sorted(path for path in walked.files if path.lower().endswith(".md")))

    def find(text: str) -> list[ShelfSection]:
        return _sections_by_words(notebook.name, connection, text)

    return Shelf(files, _Headings(notebook, files), find)


def entries(notebook: Notebook, shelf: Shelf, only: str | None = None) -> list[Entry]:
    """The items of all lists, or of one."""
    found: list[Entry] = []
    for path in shelf.under("lists"):
        if only in (None, path):
            text = notebook.peek(path)
            known = sections(text)
            found += [
                Entry(path, _section_at(known, item.start), item.text, item.done)
                for item in items(text, *bounds(text))
                if item.text
            ]
    return found


def _section_at(known: tuple[Section, ...], place: int) -> str:
    return next((each.title for each in known if each.start <= place < each.end), "")


def _sections_by_words(name: str, connection: apsw.Connection, text: str) -> list[ShelfSection]:
    """Sections of lists, reference and knowledge that share words with a text, best first.

    The folder is part of the question to the word index: there may be any number of daily logs.
    """
    query = terms.any_of(connection, "page", alternatives(text[:MAX_ASKED]))
    if query is None:
        return []
    within = WordQuery(
        f"({query.match}) AND {{slug}}: ({' OR '.join(CATEGORIES)})", query.ceiling, query.rows
    )
    ranked = candidates.pages_by_words(connection, within, PageFilter(collection=name), POOL)
    words = words_of(text)
    scored: list[tuple[int, int, ShelfSection]] = []
    for page_id, _ in ranked:
        page = pages.load(connection, page_id)
        path = page.info.path or ""
        if path.split("/", 1)[0] not in CATEGORIES:
            continue
        for each in sections(page.text):
            body = page.text[each.body : each.end]
            score = 3 * len(words & words_of(each.title)) + len(words & words_of(body))
            if score:
                scored.append((-score, len(scored), ShelfSection(path, each.title, body)))
    return [found for _, _, found in sorted(scored, key=lambda each: each[:2])[:MOST_FOUND]]
