"""What is around a page, and how two pages are connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import apsw

from quaid.model.record import record, replace
from quaid.store import graph
from quaid.store.graph import Edge, Node, Scope

BUDGET = 2_000  # links of one level that are read in each direction, shared by its pages
RANKED = 1_000  # pages of one level among which the best connected are sought
MOST_COUNTED = 100  # links, above which a page is no better connected
MOST_EDGES = 20  # for each page that is shown


@record
class Neighbourhood:
    """Pages around others with their distance, nearest first, and the links between them.

    `more`: there are more pages or links than these within the distance.
    """

    nodes: tuple[Node, ...]
    distances: dict[int, int]
    edges: tuple[Edge, ...]
    more: bool


def neighbourhood(
    connection: apsw.Connection, centers: Sequence[int], depth: int, scope: Scope, limit: int
) -> Neighbourhood:
    """Pages that are at most so many links away, in either direction.

    Where the limit cuts, the nearest pages stay, and of equally near ones those that are linked with the most
    pages that stay, then those with the most links.
    """
    distances = dict.fromkeys(centers, 0)
    frontier, more = list(distances), False
    for distance in range(1, depth + 1):
        # A page with thousands of links must not use up what its level may read.
        most = max(BUDGET, limit) // max(1, len(frontier)) + 1
        # Pages that are new, with the number of pages of the level before with which they are linked.
        found = Counter(
            page for _, page in graph.adjacent(connection, frontier, scope, most) if page not in distances
        )
        more = more or graph.exceed(connection, frontier, scope, most)
        room = max(0, limit - len(distances))
        more = more or len(found) > room
        frontier = _best(connection, found, room)
        distances |= dict.fromkeys(frontier, distance)
        if not frontier:
            break
    known = graph.nodes(connection, distances)
    edges = graph.edges(connection, distances, scope, MOST_EDGES * len(distances) + 1)
    more = more or len(edges) > MOST_EDGES * len(distances)
    return Neighbourhood(
        nodes=told_apart(known[page] for page in distances),
        distances=distances,
        edges=tuple(edges[: MOST_EDGES * len(distances)]),
        more=more,
    )


def _best(connection: apsw.Connection, found: Counter[int], room: int) -> list[int]:
    """As many as there is room for, the best connected first."""
    if not room:
        return []
    ranked = sorted(found, key=lambda page: (-found[page], page))
    first, rest = ranked[:RANKED], ranked[RANKED:]
    degrees = graph.degrees(connection, first, MOST_COUNTED)
    return [*sorted(first, key=lambda page: (-found[page], -degrees[page])), *rest][:room]


def told_apart(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Pages of one slug in several collections are called `collection::slug`."""
    nodes = tuple(nodes)
    seen = Counter(node.slug for node in nodes)
    return tuple(
        replace(node, slug=f"{node.collection}::{node.slug}") if seen[node.slug] > 1 else node
        for node in nodes
    )


@record
class Path:
    """A shortest way from one page to another; nothing where there is none."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()  # one between each two pages, in either direction


# For each page that was reached: the page before it, the link between them, and whether that is a mention.
_Steps = dict[int, tuple[int, int, bool]]


def path(
    connection: apsw.Connection, start: int, goal: int, depth: int, scope: Scope, *, directed: bool = False
) -> Path:
    """A shortest way of at most so many links; a typed link is preferred to a mention.

    Both ends are extended in turns, the one with fewer pages first, until they meet.
    """
    reached: tuple[_Steps, _Steps] = ({start: (0, 0, False)}, {goal: (0, 0, False)})
    frontiers = [{start}, {goal}]
    meeting = frontiers[0] & frontiers[1]
    for _ in range(depth):
        if meeting or not all(frontiers):
            break
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        frontiers[side] = _extended(connection, frontiers[side], reached[side], scope, side, directed)
        meeting = frontiers[side] & reached[1 - side].keys()
    if not meeting:
        return Path()
    middle = min(meeting, key=lambda page: (reached[0][page][2] + reached[1][page][2], page))
    before, after = _way(reached[0], middle), _way(reached[1], middle)
    pages = [page for page, _ in reversed(before)] + [page for page, _ in after[1:]]
    links = [link for _, link in reversed(before) if link] + [link for _, link in after if link]
    known, edges = graph.nodes(connection, pages), graph.edges_by_ids(connection, links)
    return Path(told_apart(known[page] for page in pages), tuple(edges[link] for link in links))


def _extended(
    connection: apsw.Connection,
    frontier: set[int],
    reached: _Steps,
    scope: Scope,
    side: int,
    directed: bool,
) -> set[int]:
    """The pages that are one link further; how they were reached is noted."""
    new: _Steps = {}
    for backward in (bool(side),) if directed else (False, True):
        for page, other, link, mention in graph.links_of_pages(
            connection, frontier, scope, backward=backward
        ):
            if other in reached:
                continue
            step = (page, link, mention)
            if other not in new or (mention, link) < (new[other][2], new[other][1]):
                new[other] = step
    reached |= new
    return set(new)


def _way(reached: _Steps, page: int) -> list[tuple[int, int]]:
    """From a page back to where its side began: pages, and the link to the next one (0 at the end)."""
    way = []
    while page:
        before, link, _ = reached[page]
        way.append((page, link))
        page = before
    return way
