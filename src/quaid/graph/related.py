"""Pages that have to do with a page: by links, by neighbours that both have, and by meaning.

Each reason weighs from 0 to 1, and a page's score is their sum:

    link     1 for a typed link, a half for a mention
    shared   a / (1 + a), where a is the measure of Adamic and Adar: each neighbour that both have adds
             1 / log(1 + its neighbours), because few share a neighbour that has few
    meaning  how far the nearest text stands out from all texts, in standard deviations, of which 4 weigh 1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Literal

import apsw

from quaid.graph.neighbourhood import told_apart
from quaid.index.matrix import VectorMatrix, places_among
from quaid.model.record import record
from quaid.store import embeddings, graph, units
from quaid.store import scope as scopes
from quaid.store.embeddings import ModelRow
from quaid.store.graph import Edge, Node, Scope
from quaid.store.scope import PAGES

TYPED, MENTIONED = 1.0, 0.5
MOST_NEIGHBOURS = 400  # through which shared neighbours are sought
BUDGET = 8_000  # links that are read for that
CROWD = 200  # neighbours, with which a page says nothing about any of them
NEAREST = 200  # texts
TELLING = 1.0  # standard deviations above all texts
OUTSTANDING = 4.0
SHOWN = 3  # shared neighbours


@record
class Reason:
    """Why a page is related, and how much that weighs."""

    why: Literal["link", "shared", "meaning"]
    weight: float
    links: tuple[Edge, ...] = ()
    shared: tuple[Node, ...] = ()  # those with the fewest neighbours
    count: int = 0  # of all shared neighbours
    cosine: float = 0.0


@record
class Relative:
    """A page that has to do with another, and why."""

    node: Node
    score: float
    reasons: tuple[Reason, ...]


@record
class _Shared:
    """Neighbours that a page has in common with another, and what they add up to."""

    measure: float
    pages: tuple[int, ...]


def related(
    connection: apsw.Connection,
    page_id: int,
    scope: Scope,
    limit: int,
    model: ModelRow | None,
    file: VectorMatrix | None,
) -> list[Relative]:
    """The pages that have most to do with a page. Without vectors, meaning does not count."""
    linked = _linked_neighbours(connection, page_id, scope)
    shared = _common_neighbours(connection, page_id, list(linked)[:MOST_NEIGHBOURS], scope)
    near = _near(connection, page_id, model, file) if model and file else {}
    weights = {
        page: (
            max((MENTIONED if mention else TYPED for _, mention in linked.get(page, ())), default=0.0),
            shared[page].measure / (1 + shared[page].measure) if page in shared else 0.0,
            near.get(page, (0.0, 0.0))[0],
        )
        for page in {*linked, *shared, *near}
    }
    best = sorted(weights, key=lambda page: (-sum(weights[page]), page))[:limit]
    links = graph.edges_by_ids(connection, [link for page in best for link, _ in linked.get(page, ())])
    between = {each for page in best if page in shared for each in shared[page].pages[:SHOWN]}
    known = {node.id: node for node in told_apart(graph.nodes(connection, {*best, *between}).values())}
    found = []
    for page in best:
        by_link, by_shared, by_meaning = weights[page]
        common = shared[page].pages if page in shared else ()
        reasons = (
            Reason("link", by_link, links=tuple(links[link] for link, _ in linked.get(page, ()))),
            Reason(
                "shared", by_shared, shared=tuple(known[each] for each in common[:SHOWN]), count=len(common)
            ),
            Reason("meaning", by_meaning, cosine=near.get(page, (0.0, 0.0))[1]),
        )
        found.append(
            Relative(known[page], sum(weights[page]), tuple(each for each in reasons if each.weight))
        )
    return found


def _linked_neighbours(
    connection: apsw.Connection, page_id: int, scope: Scope
) -> dict[int, list[tuple[int, bool]]]:
    """Neighbours and the links with them, those of typed links first."""
    links = [
        (mention, link, other)
        for backward in (False, True)
        for _, other, link, mention in graph.links_of_pages(connection, [page_id], scope, backward=backward)
        if other != page_id
    ]
    found: dict[int, list[tuple[int, bool]]] = {}
    for mention, link, other in sorted(links):
        found.setdefault(other, []).append((link, mention))
    return found


def _common_neighbours(
    connection: apsw.Connection, page_id: int, neighbours: Sequence[int], scope: Scope
) -> dict[int, _Shared]:
    """Pages that have neighbours in common with a page."""
    if not neighbours:
        return {}
    most = min(CROWD, BUDGET // len(neighbours)) + 1
    around: dict[int, list[int]] = {}
    for neighbour, other in graph.adjacent(connection, neighbours, scope, most):
        around.setdefault(neighbour, []).append(other)
    common: dict[int, list[tuple[int, int]]] = {}
    for neighbour, others in around.items():
        if len(others) < most:
            for other in others:
                if other != page_id:
                    common.setdefault(other, []).append((len(others), neighbour))
    return {other: _weight(pages) for other, pages in common.items()}


def _weight(pages: Iterable[tuple[int, int]]) -> _Shared:
    ordered = sorted(pages)
    return _Shared(sum(1 / log(1 + size) for size, _ in ordered), tuple(page for _, page in ordered))


def _near(
    connection: apsw.Connection, page_id: int, model: ModelRow, file: VectorMatrix
) -> dict[int, tuple[float, float]]:
    """Pages with texts near to what a page means: weight and cosine."""
    import numpy as np  # heavy, and only for meaning

    stored = embeddings.of_truth(connection, model.id, page_id)
    if not stored:
        return {}
    middle = np.frombuffer(b"".join(stored), np.dtype("<f4")).reshape(len(stored), -1).mean(axis=0)
    scores = file.scores(connection, (middle / (np.linalg.norm(middle) or 1.0)).astype(np.float32))
    own = places_among(
        scores.ids, [each for *_, each in units.vectors_of_documents(connection, model.id, PAGES, [page_id])]
    )
    others = np.delete(np.arange(len(scores.ids)), own[own >= 0])
    if not len(others):
        return {}
    mean, deviation = float(scores.cosines[others].mean()), float(scores.cosines[others].std()) or 1.0
    best = [each for each in scores.best(NEAREST, others) if each[1] > mean + TELLING * deviation]
    hashes = scores.hashes_at([place for place, _ in best])
    owners = units.documents_of_texts(connection, hashes, scopes.pages())
    found: dict[int, tuple[float, float]] = {}
    for (_, cosine), digest in zip(best, hashes, strict=True):
        for page in owners.get(digest, ()):
            if page != page_id:
                weight = min(1.0, (cosine - mean) / deviation / OUTSTANDING)
                found.setdefault(page, (weight, cosine))
    return found
