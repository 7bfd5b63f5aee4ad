"""Finding turns of conversations: by words, and by meaning where there are vectors of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw

from quaid.embed.embedder import Embedder, stream
from quaid.formats.segments import alternatives
from quaid.model.record import record
from quaid.search.evidence import Meaning
from quaid.search.merge import reciprocal
from quaid.search.snippets import Snippets
from quaid.search.words import search_units
from quaid.store import embeddings, turns
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow
from quaid.store.scope import CONVERSATIONS, Scope
from quaid.store.turns import TurnRow

EMBEDDED = 2_000  # characters of a turn; what it is about is said at its beginning
SHORTEST = 20  # characters: less than that means nothing by itself
RRF = 60
SURPLUS = 3  # times the limit are looked at, because the same text may stand in several conversations
MOST_SURPLUS = 200  # times the limit, where a conversation was continued or copied again and again
LEAST_COSINE = 0.3  # below that, a turn is about something else


@record
class FoundTurn:
    """A turn that was found. START and END of `search.snippets` stand around the words that matched."""

    turn: TurnRow
    snippet: str
    score: float
    by: str  # words, meaning, or both


def search(
    connection: apsw.Connection,
    query: str,
    scope: Scope,
    limit: int,
    meaning: Meaning | None = None,
    *,
    every: bool = False,
) -> list[FoundTurn]:
    """Turns that fit a query, best first; a text that was said several times is there once.

    Those with every word come before those with some; `every` leaves the others out.
    """
    if not turns.are_there(connection):
        return []
    surplus = SURPLUS
    while True:
        words = search_units(connection, query, scope, limit * surplus, every=every)
        near = _near(connection, scope, limit * surplus, meaning) if meaning else {}
        arms = _Arms(connection, query, dict(words), near)
        found = arms.turns(limit)
        if len(found) == limit or arms.size < limit * surplus or surplus >= MOST_SURPLUS:
            return found
        surplus = min(MOST_SURPLUS, 8 * surplus)


class _Arms:
    """What words and meaning bring."""

    def __init__(
        self, connection: apsw.Connection, query: str, words: dict[int, float], near: dict[int, float]
    ) -> None:
        self._connection = connection
        self._query = query
        self._words = words
        self._near = near
        self._scores = reciprocal(RRF, words, near) if near else words
        self.size = len(self._scores)

    def turns(self, limit: int) -> list[FoundTurn]:
        """The best turns, each text once: where it was said last."""
        order = sorted(self._scores, key=lambda identity: (-self._scores[identity], -identity))
        loaded = turns.load(self._connection, order)
        snippets = Snippets(self._connection, alternatives(self._query))
        found: dict[str, FoundTurn] = {}
        for identity in order:
            turn = loaded.get(identity)
            if turn is None or turn.text in found:
                continue
            snippet = snippets.of_text(turn.text)
            found[turn.text] = FoundTurn(turn, snippet, self._scores[identity], self._by(identity))
            if len(found) == limit:
                break
        return list(found.values())

    def _by(self, identity: int) -> str:
        if identity in self._words and identity in self._near:
            return "both"
        return "words" if identity in self._words else "meaning"


def _near(connection: apsw.Connection, scope: Scope, most: int, meaning: Meaning) -> dict[int, float]:
    """The turns that are nearest to a question, with their cosines."""
    found = meaning.texts.near(connection, meaning.vector).nearest_units(scope, most)
    return {turn: cosine for turn, cosine in found.items() if cosine >= LEAST_COSINE}


def embed(
    store: Store, model: ModelRow, embedder: Embedder, progress: Callable[[int, int], None] | None = None
) -> int:
    """Embed the turns that a model has not embedded; what is done is kept. The answer is how many texts."""
    waiting = turns.unembedded_turns(store.connection, model.id, SHORTEST)
    done = 0
    for matrix in stream(embedder, _texts(waiting)):
        batch = [
            (waiting[done + place][0], matrix[place].astype("<f4").tobytes()) for place in range(len(matrix))
        ]
        with store.write() as connection:
            embeddings.put(connection, model.id, batch, CONVERSATIONS)
        done += len(batch)
        if progress:
            progress(done, len(waiting))
    return done


def _texts(waiting: list[tuple[bytes, str]]) -> Iterator[str]:
    for _, text in waiting:
        yield text[:EMBEDDED]
