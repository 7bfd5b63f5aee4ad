"""The graph of links: what is around a page, how pages are connected, and which are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from quaid.app import App
from quaid.errors import Conflict, InvalidInput
from quaid.files import replace_file
from quaid.graph import picture
from quaid.graph.neighbourhood import neighbourhood
from quaid.graph.neighbourhood import path as shortest_path
from quaid.graph.picture import GraphEdge, GraphNode, PageName
from quaid.model.record import fill, record, replace
from quaid.operations.days import day_of
from quaid.operations.fields import AS_OF, IN_COLLECTION, OF_RELATIONSHIP, OF_TYPE
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.results import as_data
from quaid.operations.text import Style, columns, count_of, shown
from quaid.store import graph as stored
from quaid.store.graph import Edge, Scope
from quaid.store.relations import Temporal

Format = Literal["text", "json", "dot", "mermaid", "html"]
INDENT = "  "
MOST_DEPTH = 20


@record
class Graph:
    slug: str = arg("The page in the middle.", positional=True, completes="slug")
    depth: int = arg("How many links away the others may be.", default=2, least=1)
    temporal: Temporal | None = option(
        "Which links count: by default those that hold on the day; in HTML all, to move through time."
    )
    at: str | None = AS_OF
    relationship: str | None = OF_RELATIONSHIP
    limit: int = arg("How many pages at most; the nearest and best connected stay.", default=50, least=1)
    format: Format = arg("How it is shown.", default="text")
    output: str | None = option("The file to write it to.", completes="file", for_people=True)


@record
class GraphView:
    """Pages around a page, nearest first, and the links between them; `more`: there are others."""

    slug: str
    day: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    more: bool
    format: Format | None = None
    output: str | None = None


def graph(app: App, args: Graph) -> GraphView:
    """The pages around a page, with the links between them.

    Links count in both directions. `html` is one file for a browser, with a search, filters and a slider for
    the day; `dot` is for Graphviz, `mermaid` for Markdown.
    """
    page = app.page(args.slug)
    temporal = args.temporal or ("all" if args.format == "html" else "current")
    day = day_of(app, args.at)
    found = neighbourhood(
        app.connection,
        [page.id],
        min(args.depth, MOST_DEPTH),
        Scope(temporal, day, args.relationship),
        args.limit,
    )
    names = {node.id: node.slug for node in found.nodes}
    view = GraphView(
        slug=names[page.id],
        day=day,
        nodes=tuple(fill(GraphNode, each, distance=found.distances[each.id]) for each in found.nodes),
        edges=tuple(_edge(each, names) for each in found.edges),
        more=found.more,
        format=None if args.format == "text" else args.format,
    )
    return _written(view, args.output) if args.output else view


def _edge(edge: Edge, names: dict[int, str]) -> GraphEdge:
    return fill(
        GraphEdge,
        edge,
        id=edge.id if edge.id > 0 else None,
        fact=-edge.id if edge.id < 0 else None,
        from_=names[edge.from_id],
        to=names[edge.to_id],
        valid_from=edge.valid.since,
        valid_until=edge.valid.until,
    )


def _written(view: GraphView, output: str) -> GraphView:
    """Write a drawing to a file. One that is there is replaced only if it is a drawing, too."""
    path = Path(output).expanduser().absolute()
    try:
        if path.exists() and not _is_drawing(path):
            raise Conflict(f"{path} is there already, and is no drawing", hint="Choose another name.")
        replace_file(path, _drawing_text(view, Style()).encode())
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror}", hint="Choose another place."
        ) from None
    return replace(view, output=str(path))


def _is_drawing(path: Path) -> bool:
    with path.open("rb") as file:
        return picture.MARK.encode() in file.read(picture.MARKED_WITHIN)


def _graph_text(view: GraphView, style: Style) -> str:
    if view.output:
        size = f"{count_of(len(view.nodes), 'page')} and {count_of(len(view.edges), 'link')}"
        return f"{size} written to {view.output}"
    return _drawing_text(view, style)


def _drawing_text(view: GraphView, style: Style) -> str:
    if view.format == "json":
        data = {name: value for name, value in as_data(view).items() if name != "format"}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    if view.format == "dot":
        return picture.dot(view.nodes, view.edges)
    if view.format == "mermaid":
        return picture.mermaid(view.nodes, view.edges)
    if view.format == "html":
        title = view.nodes[0].title or view.slug
        return picture.page(title, view.day, view.nodes, view.edges, view.more)
    return _tree(view, style)


def _tree(view: GraphView, style: Style) -> str:
    """Each page below one that is a link nearer to the middle; then the links that are not in the tree."""
    between: dict[frozenset[str], list[GraphEdge]] = {}
    for edge in view.edges:
        between.setdefault(frozenset((edge.from_, edge.to)), []).append(edge)
    linked: dict[str, set[str]] = {}
    for one, other in (tuple(pair) for pair in between):
        linked.setdefault(one, set()).add(other)
        linked.setdefault(other, set()).add(one)
    below: dict[str, list[GraphNode]] = {}
    place: dict[str, int] = {}
    for number, node in enumerate(view.nodes):
        nearer = [slug for slug in linked.get(node.slug, ()) if place.get(slug, number) < number]
        if node.distance:
            below.setdefault(min(nearer, key=place.__getitem__, default=view.slug), []).append(node)
        place[node.slug] = number
    lines: list[str] = []
    waiting: list[tuple[GraphNode, str, int]] = [(view.nodes[0], "", 0)]
    while waiting:
        node, parent, depth = waiting.pop()
        links = between.pop(frozenset((parent, node.slug)), [])
        label = ", ".join(_link_text(each, parent, style) for each in links)
        lines.append(INDENT * depth + (label + "  " if label else "") + _name(node.slug, node.title, style))
        waiting += [(each, node.slug, depth + 1) for each in reversed(below.get(node.slug, []))]
    others = [edge for edges in between.values() for edge in edges]
    if others:
        lines.append("Also:")
        lines += [
            f"{INDENT}{style.name(each.from_)} {_link_text(each, each.from_, style)}  {style.name(each.to)}"
            for each in others
        ]
    if len(view.nodes) == 1:
        lines.append("No links." if not view.more else "")
    if view.more:
        lines.append(style.dim(f"More than these {count_of(len(view.nodes), 'page')}; --limit shows more."))
    return "\n".join(lines)


def _link_text(edge: GraphEdge, here: str, style: Style) -> str:
    """A link as it is seen from one of its pages."""
    arrow = "→" if edge.from_ == here else "←"
    return " ".join(part for part in (arrow, shown(edge.relationship), style.dim(edge.span)) if part)


def _name(slug: str, title: str, style: Style) -> str:
    return f"{style.name(slug)}  {shown(title)}".rstrip()


GRAPH = Operation(
    "graph",
    graph,
    render=_graph_text,
    examples=(
        "graph people/alice",
        "graph people/alice --at 2024-06-01 --relationship works_at",
        "graph people/alice --depth 3 --limit 300 --format html --output alice.html",
    ),
    looks="pages",
    brief="Pages and links around a page.",
    told=("slug", "depth", "temporal", "limit"),
)


@record
class FindPath:
    from_: str = arg("One page.", positional=True, completes="slug")
    to: str = arg("The other one.", positional=True, completes="slug")
    temporal: Temporal = arg("Which links count.", default="current")
    at: str | None = AS_OF
    relationship: str | None = OF_RELATIONSHIP
    depth: int = arg("How many links the way may have.", default=6, least=1)
    directed: bool = flag("Follow links only in their own direction.")


@record
class PathView:
    """A shortest way between two pages: the pages, and a link between each and the next."""

    from_: str
    to: str
    connected: bool
    depth: int
    pages: tuple[PageName, ...]
    links: tuple[GraphEdge, ...]


def path(app: App, args: FindPath) -> PathView:
    """How two pages are connected: a shortest way from one to the other, along links.

    Links count in both directions, unless told otherwise.
    """
    start, goal = app.page(args.from_), app.page(args.to)
    scope = Scope(args.temporal, day_of(app, args.at), args.relationship)
    depth = min(args.depth, MOST_DEPTH)
    found = shortest_path(app.connection, start.id, goal.id, depth, scope, directed=args.directed)
    names = {node.id: node.slug for node in found.nodes}
    return PathView(
        from_=names.get(start.id, start.slug),
        to=names.get(goal.id, goal.slug),
        connected=bool(found.nodes),
        depth=depth,
        pages=tuple(fill(PageName, each) for each in found.nodes),
        links=tuple(_edge(each, names) for each in found.edges),
    )


def _path_text(view: PathView, style: Style) -> str:
    if not view.connected:
        within = count_of(view.depth, "link")
        return f"{style.name(view.from_)} and {style.name(view.to)} are not connected within {within}."
    lines = [_name(view.pages[0].slug, view.pages[0].title, style)]
    for before, page, edge in zip(view.pages, view.pages[1:], view.links, strict=False):
        lines.append(f"{INDENT}{_link_text(edge, before.slug, style)}  {_name(page.slug, page.title, style)}")
    return "\n".join(lines)


PATH = Operation(
    "path",
    path,
    render=_path_text,
    examples=("path people/alice people/bob", "path people/alice people/bob --temporal all --depth 3"),
    looks="pages",
)


@record
class Orphans:
    inbound: bool = flag("Pages to which none links, whether they link to others or not.")
    type: str | None = OF_TYPE
    collection: str | None = IN_COLLECTION
    limit: int = arg("How many at most.", default=50, least=1)
    offset: int = arg("How many to leave out first.", default=0, least=0)


@record
class Orphan(PageName):
    """A page without links."""

    collection: str


@record
class OrphanList:
    """Pages without links, how many there are in all and of each type, and how many pages were looked at."""

    orphans: tuple[Orphan, ...]
    total: int
    types: dict[str, int]
    pages: int


def orphans(app: App, args: Orphans) -> OrphanList:
    """Pages that no link connects with another, at any time."""
    chosen = app.page_filter(type=args.type, collection=args.collection)
    every = stored.orphans(app.connection, chosen, inbound=args.inbound)
    listed = every[args.offset : args.offset + args.limit]
    known = stored.nodes(app.connection, listed)
    return OrphanList(
        orphans=tuple(fill(Orphan, known[page]) for page in listed),
        total=len(every),
        types=stored.types(app.connection, every),
        pages=stored.count_pages(app.connection, chosen),
    )


def _orphans_text(result: OrphanList, style: Style) -> str:
    if not result.total:
        return "No page is without links."
    several = len({each.collection for each in result.orphans}) > 1
    names = [f"{each.collection}::{each.slug}" if several else each.slug for each in result.orphans]
    rows = [
        (style.name(name), each.type, shown(each.title))
        for name, each in zip(names, result.orphans, strict=True)
    ]
    types = ", ".join(f"{shown(name)} {count:,}" for name, count in result.types.items())
    return "\n".join(
        [*([columns(rows)] if rows else []), f"{result.total:,} of {count_of(result.pages, 'page')}: {types}"]
    )


ORPHANS = Operation(
    "orphans",
    orphans,
    render=_orphans_text,
    examples=("orphans", "orphans --inbound --type concept"),
)
