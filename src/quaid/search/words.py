"""Finding pages by their words."""

from __future__ import annotations

import apsw

from quaid.formats.segments import alternatives, match_query
from quaid.model.record import record
from quaid.search.snippets import Snippets
from quaid.store import candidates, terms
from quaid.store.filters import PageFilter
from quaid.store.terms import WordQuery


@record
class Found:
    """A page that matches. START and END stand around the words that matched in the snippet."""

    page_id: int
    score: float
    snippet: str
    every_word: bool


def search(connection: apsw.Connection, query: str, chosen: PageFilter, limit: int) -> list[Found]:
    """Pages that contain every word, best first, then, as far as there is room, those that contain some."""
    words = alternatives(query)
    every = match_query(query, every=True)
    found = _ranked(connection, terms.all_of(connection, words, every) if every else None, chosen, limit)
    some: list[tuple[int, float]] = []
    if len(found) < limit:
        known = {page for page, _ in found}
        excluding = match_query(query, every=False) if " NOT (" in every else ""
        loose = terms.any_of(connection, "page", words)
        if loose and excluding:
            loose = WordQuery(excluding, loose.ceiling, loose.rows)
        some = [hit for hit in _ranked(connection, loose, chosen, limit + len(known)) if hit[0] not in known]
    snippets = Snippets(connection, words)
    return [
        Found(page, score, snippets.of_page(page), place < len(found))
        for place, (page, score) in enumerate([*found, *some][:limit])
    ]


def _ranked(
    connection: apsw.Connection, query: WordQuery | None, chosen: PageFilter, limit: int
) -> list[tuple[int, float]]:
    return candidates.pages_by_words(connection, query, chosen, limit) if query else []
