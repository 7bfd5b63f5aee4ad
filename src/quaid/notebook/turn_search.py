"""Finding turns of conversations: by words, and by meaning where there are vectors of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import apsw

from quaid.embed.embedder import Embedder, stream
from quaid.formats.segments import alternatives, match_query
from quaid.model.record import record
from quaid.search.snippets import Snippets
from quaid.store import turns
from quaid.store.connection import Store
from quaid.store.conversations import ConversationFilter
from quaid.store.embeddings import ModelRow
from quaid.store.turns import TurnRow

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

EMBEDDED = 2_000  # characters of a turn; what it is about is said at its beginning
SHORTEST = 20  # characters: less than that means nothing by itself
RRF = 60
SURPLUS = 3  # times the limit are looked at, because the same text may stand in several conversations
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
    chosen: ConversationFilter,
    limit: int,
    meaning: tuple[int, NDArray[np.float32]] | None = None,
) -> list[FoundTurn]:
    """Turns that fit a query, best first; a text that was said several times is there once."""
    most = limit * SURPLUS
    words = _by_words(connection, query, chosen, most)
    near = _by_meaning(connection, *meaning, chosen, most) if meaning else {}
    scores: dict[int, float] = {}
    if meaning:
        for ranked in (words, near):
            for place, identity in enumerate(ranked):
                scores[identity] = scores.get(identity, 0.0) + 1 / (RRF + place + 1)
    else:
        scores = words
    order = sorted(scores, key=lambda identity: (-scores[identity], -identity))
    found = turns.load(connection, order[: 2 * most])
    snippets = Snippets(connection, alternatives(query))
    results: list[FoundTurn] = []
    said: set[str] = set()
    for identity in order:
        turn = found.get(identity)
        if turn is None or turn.text in said:
            continue
        said.add(turn.text)
        by = "both" if identity in words and identity in near else "words" if identity in words else "meaning"
        results.append(FoundTurn(turn, snippets.of_text(turn.text), scores[identity], by))
        if len(results) == limit:
            break
    return results


def _by_words(
    connection: apsw.Connection, query: str, chosen: ConversationFilter, limit: int
) -> dict[int, float]:
    """Turns with every word, best first, then those with some."""
    found: dict[int, float] = {}
    for every in (True, False):
        match = match_query(query, every=every)
        if not match or len(found) >= limit:
            continue
        best = min(found.values(), default=0.0)
        for identity, score in turns.by_words(connection, match, chosen, limit):
            # A turn with some of the words stands below all that have every word.
            found.setdefault(identity, score if every or not best else best * score / (score + 10))
    return found


def _by_meaning(
    connection: apsw.Connection,
    model_id: int,
    question: NDArray[np.float32],
    chosen: ConversationFilter,
    limit: int,
) -> dict[int, float]:
    """The turns that are nearest to a question, and their cosines, best first."""
    import numpy as np  # heavy, and only for meaning

    hashes, data = turns.vectors(connection, model_id)
    if not hashes:
        return {}
    cosines = np.frombuffer(data, np.dtype("<f4")).reshape(len(hashes), -1) @ question
    order = [place for place in np.argsort(cosines)[::-1].tolist() if cosines[place] >= LEAST_COSINE]
    found: dict[int, float] = {}
    # A filter may leave little of the nearest: then further ones are looked at, more each time.
    start, step = 0, limit
    while start < len(order) and len(found) < limit:
        places = order[start : start + step]
        known = turns.of_hashes(connection, [hashes[place] for place in places], chosen)
        for place in places:
            if hashes[place] in known:
                found[known[hashes[place]]] = float(cosines[place])
        start, step = start + step, step * 4
    return found


def embed(
    store: Store, model: ModelRow, embedder: Embedder, progress: Callable[[int, int], None] | None = None
) -> int:
    """Embed the turns that a model has not embedded; what is done is kept. The answer is how many texts."""
    waiting = turns.unembedded(store.connection, model.id, SHORTEST)
    done = 0
    for matrix in stream(embedder, _texts(waiting)):
        batch = [
            (waiting[done + place][0], matrix[place].astype("<f4").tobytes()) for place in range(len(matrix))
        ]
        with store.write() as connection:
            turns.put_vectors(connection, model.id, batch)
        done += len(batch)
        if progress:
            progress(done, len(waiting))
    return done


def _texts(waiting: list[tuple[bytes, str]]) -> Iterator[str]:
    for _, text in waiting:
        yield text[:EMBEDDED]
