"""What a notebook holds, as the rules of routing see it: files from disk, sections by the word index."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from functools import partial

import apsw

from quaid.formats.markdown.sections import sections
from quaid.formats.segments import alternatives
from quaid.model.record import replace
from quaid.notebook.amendments import items_of, lines_of
from quaid.notebook.edits import Notebook
from quaid.routing.finder import Line
from quaid.routing.shelf import CATEGORIES, DAILY, Shelf, ShelfSection
from quaid.routing.words import words_of
from quaid.store import candidates, file_state, history, pages, passages, terms
from quaid.store.filters import PageFilter
from quaid.vault import folder

LATE = 2  # days whose logs can be corrected by what is said
POOL = 20  # pages that are looked at
MOST_FOUND = 12
MAX_ASKED = 1000  # characters of a text whose words are looked for


class _Headings(Mapping[str, tuple[str, ...]]):
    """The sections of files, which are read when somebody asks."""

    def __init__(self, notebook: Notebook, files: tuple[str, ...]) -> None:
        self._notebook = notebook
        self._files = files

    def __getitem__(self, path: str) -> tuple[str, ...]:
        if path not in self._files:
            raise KeyError(path)
        return tuple(each.title for each in self._notebook.peek(path).sections if each.title)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def shelf_of(notebook: Notebook, connection: apsw.Connection, seen: Collection[str] | None = None) -> Shelf:
    """What is in a notebook; nothing of its daily logs. `seen` are files that were read just now."""
    known = seen or folder.glance(notebook.root, CATEGORIES, folder.left_out_of(notebook.row)).files
    files = tuple(
        sorted(
            path for path in known if path.lower().endswith(".md") and path.partition("/")[0] in CATEGORIES
        )
    )
    if seen:  # the rows say what the files say
        notebook.know(passages.texts_of_paths(connection, notebook.row.id, None, files))
    return Shelf(files, _Headings(notebook, files), partial(_sections_by_words, notebook.name, connection))


def entries(notebook: Notebook, shelf: Shelf, only: str | None = None) -> list[Line]:
    """The items of all lists, or of one."""
    paths = [path for path in shelf.under("lists") if only in (None, path)]
    return [line for path in paths for _, line in items_of(path, notebook.peek(path))]


def lines(
    notebook: Notebook,
    connection: apsw.Connection,
    shelf: Shelf,
    only: str | None = None,
    today: date | None = None,
) -> list[Line]:
    """All that the files of a notebook say, line by line, and how new each is; of logs, the latest."""
    found: list[Line] = []
    logs = [f"{DAILY}/{(today - timedelta(days=ago)).isoformat()}.md" for ago in range(LATE)] if today else []
    for path in (*shelf.files, *logs):
        if only is None or path == only or path.startswith(f"{only}/"):
            known = lines_of(path, notebook.peek(path))
            ages = _ages(notebook, connection, path, known) if known else {}
            found += [replace(each, age=ages.get(each.text, "")) for each in known]
    return found


def _ages(notebook: Notebook, connection: apsw.Connection, path: str, known: list[Line]) -> dict[str, str]:
    """Since when each line stands there, as far as the kept versions of the file tell."""
    state = file_state.one(connection, notebook.row.id, path)
    if state is None:
        return {}
    now = pages.info(connection, state.page_id)
    ages = dict.fromkeys((each.text for each in known), f"{now.updated_at} {now.version:09}")
    standing = set(ages)
    for version in history.of_page(connection, state.page_id):
        text = version.text
        standing = {each for each in standing if each in text}
        ages |= dict.fromkeys(standing, f"{version.written_at} {version.version:09}")
    return ages


def _sections_by_words(name: str, connection: apsw.Connection, text: str) -> list[ShelfSection]:
    """Sections of lists, reference and knowledge that share words with a text, best first.

    The folder is part of the question to the word index: there may be any number of daily logs.
    """
    query = terms.any_of(connection, "page", alternatives(text[:MAX_ASKED]))
    if query is None:
        return []
    within = query.within(f"{{slug}}: ({' OR '.join(CATEGORIES)})")
    ranked = candidates.pages_by_words(connection, within, PageFilter(collection=name), POOL)
    words = words_of(text)
    scored: list[tuple[int, int, ShelfSection]] = []
    for page_id, _ in ranked:
        page = pages.load(connection, page_id)
        path = page.info.path or ""
        if path.split("/", 1)[0] not in CATEGORIES:
            continue
        known = [(each.title, page.text[each.body : each.end]) for each in sections(page.text)]
        for title, body in known or [("", page.text)]:
            score = 3 * len(words & words_of(title)) + len(words & words_of(body))
            if score:
                scored.append((-score, len(scored), ShelfSection(path, title, body)))
    return [found for _, _, found in sorted(scored, key=lambda each: each[:2])[:MOST_FOUND]]
