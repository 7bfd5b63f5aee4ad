"""Finding pages, and units of anything, by words alone: those with every word first, then those with some."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from quaid.formats.segments import alternatives, match_query
from quaid.model.record import record
from quaid.search.snippets import END, START, Snippets
from quaid.store import candidates, terms, units
from quaid.store.filters import PageFilter
from quaid.store.scope import Scope
from quaid.store.terms import Index, WordQuery

SHORTEST_PART = 4  # characters of a field that are looked for within words

Ranked = list[tuple[int, float]]
Rank = Callable[[WordQuery, int], Ranked]


@record
class Found:
    """A page that matches. START and END stand around the words that matched in the snippet."""

    page_id: int
    score: float
    snippet: str
    every_word: bool


def search(connection: apsw.Connection, query: str, chosen: PageFilter, limit: int) -> list[Found]:
    """Pages that contain every word, best first, then, as far as there is room, those that contain some."""
    rank: Rank = lambda words, most: candidates.pages_by_words(connection, words, chosen, most)  # noqa: E731
    every, some = _rows_by_rank(connection, query, "page", rank, limit)
    parts = _in_fields(connection, query, chosen, limit) if not every else []
    known = {found.page_id for found in parts}
    snippets = Snippets(connection, alternatives(query))
    whole = [
        Found(page, score, snippets.of_page(page), place < len(every))
        for place, (page, score) in enumerate([*every, *some][:limit])
        if page not in known
    ]
    return [*parts, *whole][:limit]


def _in_fields(connection: apsw.Connection, query: str, chosen: PageFilter, limit: int) -> list[Found]:
    """Pages of whose fields a part was typed: the middle of an address, the end of a number."""
    typed = query.strip().strip('"*').casefold()
    if len(typed) < SHORTEST_PART or len(typed.split()) != 1:
        return []
    found = []
    for page, fields in candidates.pages_by_field(connection, typed, chosen, limit):
        line = next((line for line in fields.splitlines() if typed in line.casefold()), "")
        start = line.casefold().find(typed)
        if line and len(line) == len(line.casefold()):
            line = f"{line[:start]}{START}{line[start : start + len(typed)]}{END}{line[start + len(typed) :]}"
        found.append(Found(page, 0.0, line, every_word=True))
    return found


def search_units(
    connection: apsw.Connection, query: str, scope: Scope, limit: int, *, every: bool = False
) -> Ranked:
    """Units of a scope in the same order; their scores fall from the first to the last.

    With `every`, only those that contain every word.
    """

    def rank(words: WordQuery, most: int) -> Ranked:
        return [(unit, score) for unit, _, score in units.by_words(connection, words, scope, most)]

    best, some = _rows_by_rank(connection, query, scope.units.index, rank, limit)
    if every:
        return best
    least = min((score for _, score in best), default=1.0)
    # What has some of the words stands below all that have every word, and keeps its order.
    return [*best, *((unit, least * score / (score + 10)) for unit, score in some)][:limit]


def _rows_by_rank(
    connection: apsw.Connection, query: str, index: Index, rank: Rank, limit: int
) -> tuple[Ranked, Ranked]:
    """Rows with every word, and others with some."""
    words = alternatives(query)
    match = match_query(query, every=True)
    every = rank(terms.all_of(connection, index, words, match), limit) if match else []
    if len(every) >= limit or words == (match,):  # what has some of one word has every one
        return every, []
    loose = terms.any_of(connection, index, words)
    excluding = match_query(query, every=False) if " NOT (" in match else ""
    if loose and excluding:
        loose = WordQuery(excluding, loose.ceiling, loose.rows)
    known = {row for row, _ in every}
    some = rank(loose, limit + len(known)) if loose else []
    return every, [hit for hit in some if hit[0] not in known]
