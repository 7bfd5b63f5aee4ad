"""What a Quaid memory adds to a knowledge base that is attached to it: search and likeness by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quaid import operations
from quaid.errors import NotFound
from quaid.kb import query as asking
from quaid.kb.curate import Pair
from quaid.kb.nodes import Nodes
from quaid.operations.kb.answer import Answer
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import attachment
from quaid.operations.query import Query
from quaid.operations.related import Related
from quaid.store import file_state, pages
from quaid.store.collections import CollectionRow
from quaid.store.filters import PageFilter
from quaid.store.nodes import NodeRow

if TYPE_CHECKING:
    from quaid.app import App

ALIKE = 0.92  # cosine of two texts that say the same, by the default model
_NEIGHBOURS = 5
_ALL = 1_000


def found_by_meaning(app: KbApp, question: str, filters: asking.Filters) -> Answer:
    """Nodes that the memory finds by words and meaning."""
    memory, row = _attached(app)
    wanted = Query(question=question, collection=row.name, depth="summary", limit=filters.limit or _ALL)
    found = operations.run(memory, operations.operation("query"), wanted)
    nodes = app.kb.nodes()
    known = _rows_by_slug(nodes, memory, row)
    hits = [(nodes.node(known[each.slug]), each) for each in found.results if each.slug in known]
    hits = [(n, each) for n, each in hits if asking.passes(n.projects, n.tags, n.status, filters)]
    results = [
        asking.data(asking.Hit(node, 0, ())) | {"match": list(each.why), "score": each.score}
        for node, each in hits
    ]
    notices = (*found.notices, *(() if hits else (f"nothing found for {question!r}",)))
    return Answer(
        {"query": question, "total": len(hits), "results": results, "notices": list(found.notices)},
        "\n".join(f"{node.title} ({node.id}) | {node.summary} | {node.path}" for node, _ in hits),
        notices,
        0 if hits else NotFound.exit_status,
    )


def pairs_by_meaning(app: KbApp) -> list[Pair]:
    """Nodes that say the same."""
    memory, row = _attached(app)
    memory.freshen(None)
    nodes = _rows_by_slug(app.kb.nodes(), memory, row)
    pairs: dict[frozenset[str], Pair] = {}
    related = operations.operation("related")
    for slug, node in nodes.items():
        found = operations.run(memory, related, Related(slug=f"{row.name}::{slug}", limit=_NEIGHBOURS))
        for page in found.pages:
            other = nodes.get(page.slug)
            cosine = max((each.cosine or 0.0 for each in page.reasons), default=0.0)
            if other and other.id != node.id and cosine >= ALIKE:
                pair = Pair(node.id, other.id, (node.title, other.title), "duplicate", cosine, "meaning")
                pairs.setdefault(frozenset((node.id, other.id)), pair)
    return list(pairs.values())


def _attached(app: KbApp) -> tuple[App, CollectionRow]:
    attached = attachment(app)
    if attached is None:
        raise NotFound(
            f"{app.root} is not attached to the memory",
            hint=f"Attach it: quaid collection add kb {app.root} --profile kb",
        )
    return attached


def _rows_by_slug(nodes: Nodes, memory: App, row: CollectionRow) -> dict[str, NodeRow]:
    """The nodes by the slugs that the memory has given them."""
    rows = {each.path: each for each in nodes.rows}
    known = file_state.known(memory.connection, row.id)
    paths = {state.page_id: path for path, state in known.items() if path in rows}
    listed = pages.listing(memory.connection, PageFilter(collection=row.name), "slug", len(known), 0)
    return {page.slug: rows[paths[page.id]] for page in listed if page.id in paths}
