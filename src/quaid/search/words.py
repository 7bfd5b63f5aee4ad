"""Finding pages by their words."""

from __future__ import annotations

import apsw

from quaid.formats.segments import match_query, unsegment
from quaid.model.record import record
from quaid.store import words
from quaid.store.filters import PageFilter
from quaid.store.words import END, START, Hit


@record
class Found:
    """A page that matches. START and END stand around the words that matched in the snippet."""

    page_id: int
    score: float
    snippet: str
    every_word: bool


def search(connection: apsw.Connection, query: str, chosen: PageFilter, limit: int) -> list[Found]:
    """Pages that contain every word, best first, then, as far as there is room, those that contain some."""
    found = _search(connection, match_query(query, every=True), chosen, limit, every=True)
    if len(found) < limit:
        known = {each.page_id for each in found}
        some = _search(connection, match_query(query, every=False), chosen, limit + len(known), every=False)
        found += [each for each in some if each.page_id not in known][: limit - len(found)]
    return found


def _search(
    connection: apsw.Connection, match: str, chosen: PageFilter, limit: int, *, every: bool
) -> list[Found]:
    if not match:
        return []
    hits: list[Hit] = words.matching(connection, match, chosen, limit)
    snippets = words.snippets(connection, match, [hit.page_id for hit in hits])
    return [
        Found(hit.page_id, hit.score, unsegment(snippets.get(hit.page_id, ""), START, END), every)
        for hit in hits
    ]
