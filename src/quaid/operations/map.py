"""Pages with their places on a map, and the links between them: around a page, of a search, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.graph.layout import page_places
from quaid.graph.neighbourhood import neighbourhood
from quaid.model.record import fill, record
from quaid.operations.days import day_of
from quaid.operations.graph import MOST_DEPTH
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, columns, count_of, numbers
from quaid.search.words import search
from quaid.store import graph as stored
from quaid.store.graph import Edge, Node, Scope

FOUND = 40  # pages of a search, around which others stand
EXACT = 4  # digits of a place


@record
class Map:
    slug: str | None = option(
        "The page in the middle; without one, the whole memory.", positional=True, completes="slug"
    )
    query: str | None = option("Words: the pages that have them, and what is around those.")
    depth: int = arg("How many links away from the middle others may be.", default=2, least=1)
    limit: int = arg("How many pages at most; the best connected stay.", default=20_000, least=1)


@record
class MapPage:
    """A page and its place, between -1 and 1; `links` is how many lead to others of the map."""

    slug: str
    collection: str
    title: str
    type: str
    x: float
    y: float
    links: int
    middle: bool | None = None


@record
class MapLink:
    """A link between two pages, by their places in the list; all links count, whenever they held."""

    from_: int
    to: int
    relationship: str
    valid_from: str | None = None
    valid_until: str | None = None


@record
class MapView:
    """A map; `more`: there are other pages, `day`: today."""

    pages: tuple[MapPage, ...]
    links: tuple[MapLink, ...]
    day: str
    more: bool


def map_(app: App, args: Map) -> MapView:
    """Pages with places on a map, where those that are linked stand near each other, and links.

    Around a page, around what a search finds, or all pages. The same links give the same map.
    """
    if args.slug and args.query:
        raise InvalidInput("a map is around a page or of a search, not both")
    day = day_of(app, None)
    scope = Scope("all", day)
    middle: list[int] = []
    if args.slug or args.query:
        if args.slug:
            middle, depth = [app.page(args.slug).id], args.depth
        else:
            found = search(app.connection, args.query or "", app.page_filter(), min(FOUND, args.limit))
            middle, depth = [each.page_id for each in found], 1
        around = neighbourhood(app.connection, middle, min(depth, MOST_DEPTH), scope, args.limit)
        page_ids, edges, more = [node.id for node in around.nodes], list(around.edges), around.more
    else:
        page_ids, edges = _whole(app, scope, args.limit)
        more = len(page_ids) == args.limit < stored.count_pages(app.connection, app.page_filter())
    nodes = stored.nodes(app.connection, page_ids)
    return _view(app, [nodes[page] for page in page_ids], edges, middle, day, more)


def _whole(app: App, scope: Scope, limit: int) -> tuple[list[int], list[Edge]]:
    """All pages, or those with the most links, and the links between them."""
    page_ids = stored.pages(app.connection, app.page_filter())
    edges = stored.edges(app.connection, page_ids, scope)
    if len(page_ids) > limit:
        degree = Counter(page for edge in edges for page in (edge.from_id, edge.to_id))
        kept = set(sorted(page_ids, key=lambda page: (-degree[page], page))[:limit])
        page_ids = [page for page in page_ids if page in kept]
        edges = [edge for edge in edges if edge.from_id in kept and edge.to_id in kept]
    return page_ids, edges


def _view(
    app: App, nodes: Sequence[Node], edges: Sequence[Edge], middle: Sequence[int], day: str, more: bool
) -> MapView:
    number = {node.id: place for place, node in enumerate(nodes)}
    places = page_places(app.store.path, list(number), edges).round(EXACT).tolist()
    degree = Counter(page for edge in edges for page in (edge.from_id, edge.to_id))
    pages = tuple(
        fill(MapPage, node, x=x, y=y, links=degree[node.id], middle=node.id in middle or None)
        for node, (x, y) in zip(nodes, places, strict=True)
    )
    links = tuple(
        MapLink(
            number[edge.from_id], number[edge.to_id], edge.relationship, edge.valid.since, edge.valid.until
        )
        for edge in edges
    )
    return MapView(pages, links, day, more)


def _text(view: MapView, style: Style) -> str:
    head = f"{count_of(len(view.pages), 'page')} and {count_of(len(view.links), 'link')}"
    lines = [
        head + (" of more" if view.more else "") + "; --json has their places, the dashboard draws them."
    ]
    for title, kinds in (
        ("Pages", Counter(each.type for each in view.pages)),
        ("Links", Counter(each.relationship for each in view.links)),
    ):
        if kinds:
            lines += [style.bold(title), columns(numbers(dict(kinds.most_common(10)), "  "))]
    return "\n".join(lines)


MAP = Operation(
    "map",
    map_,
    render=_text,
    looks="pages",
    examples=("map", "map people/alice --depth 3", "map --query 'demo day' --json"),
)
