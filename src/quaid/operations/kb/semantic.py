"""What a Quaid memory adds to a knowledge base: search and likeness by meaning.

It is the memory to which the knowledge base is attached, else its own.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from quaid import operations
from quaid.errors import NotFound, QuaidError
from quaid.kb import query as asking
from quaid.kb.curate import Pair
from quaid.kb.likeness import Judge, sentence, stated_by
from quaid.kb.nodes import Nodes
from quaid.kb.verdict import verdict
from quaid.model.record import record
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.meaning import judge_of
from quaid.operations.kb.memory import attachment
from quaid.operations.query import Query
from quaid.operations.related import Related
from quaid.store import collections, file_state, pages
from quaid.store.collections import CollectionRow
from quaid.store.filters import PageFilter
from quaid.store.nodes import NodeRow

if TYPE_CHECKING:
    from quaid.app import App

NEAR = 0.88  # cosine of two texts that are worth a look, by the default model
ALIKE = 0.92  # and of two that say the same
LEAST = 0.1  # confidence in what meaning found: below it, nodes that have words stand
_NEIGHBOURS = 5
_ALL = 1_000


@record
class Found:
    """Nodes that were found by words and meaning; whether they answer, and what is to be said besides."""

    hits: tuple[asking.Hit, ...]
    known: bool
    notices: tuple[str, ...]


def found_by_meaning(app: KbApp, question: str, filters: asking.Filters) -> Found:
    """Nodes that the memory finds by words and meaning."""
    memory, row = _memory_and_rows(app)
    wanted = Query(question=question, collection=row.name, depth="summary", limit=filters.limit or _ALL)
    found = operations.run(memory, operations.operation("query"), wanted)
    nodes = app.kb.nodes()
    known = _rows_by_slug(nodes, memory, row)
    hits: list[asking.Hit] = []
    for each in found.results:
        node = nodes.node(known[each.slug]) if each.slug in known else None
        if node and asking.passes(node.projects, node.tags, node.status, filters):
            meant = ("matched-meaning",) if "meaning" in each.why else ()
            hits.append(asking.Hit(node, each.score, (*asking.reasons(node, question), *meant)))
    return Found(tuple(hits), bool(hits) and found.confidence >= LEAST, found.notices)


def pairs_by_meaning(app: KbApp) -> list[Pair]:
    """Nodes that say the same, or the opposite."""
    memory, row = _memory_and_rows(app)
    memory.freshen(None)
    nodes = _rows_by_slug(app.kb.nodes(), memory, row)
    near: dict[frozenset[str], tuple[NodeRow, NodeRow, float]] = {}
    related = operations.operation("related")
    for slug, node in nodes.items():
        found = operations.run(memory, related, Related(slug=f"{row.name}::{slug}", limit=_NEIGHBOURS))
        for page in found.pages:
            other = nodes.get(page.slug)
            cosine = max((each.cosine or 0.0 for each in page.reasons), default=0.0)
            if other and other.id != node.id and cosine >= NEAR:
                near.setdefault(frozenset((node.id, other.id)), (node, other, cosine))
    judge = judge_of(memory)
    pairs = (_pair(one, other, cosine, judge) for one, other, cosine in near.values())
    return [pair for pair in pairs if pair]


def _pair(one: NodeRow, other: NodeRow, cosine: float, judge: Judge | None) -> Pair | None:
    """What two nodes near each other are; without a judge, what is very near is the same."""
    kind, score = "duplicate", cosine
    texts = [sentence(node.title, node.summary) for node in (one, other)]
    judged = judge(texts[0], texts[1:])[0] if judge else None
    if judged:
        found = verdict(stated_by(one.title, one.summary), stated_by(other.title, other.summary), judged)
        if found is None:
            return None
        kind, score = found.kind, found.score
    elif cosine < ALIKE:
        return None
    return Pair(one.id, other.id, (one.title, other.title), kind, round(score, 2), "meaning")


def _memory_and_rows(app: KbApp) -> tuple[App, CollectionRow]:
    """The memory to which it is attached, else its own, and the collection whose files these are."""
    with suppress(QuaidError):  # there is no other memory, or one that is not meant for this
        attached = attachment(app)
        if attached:
            return attached
    own = app.around.memories.open(app.kb.memory.store.path)
    for row in collections.of_files(own.connection):
        if own.stated_root(row) == app.root.resolve():
            return own, row
    raise NotFound(
        f"{app.root} is not attached to the memory",
        hint=f"Attach it: quaid collection add kb {app.root} --profile kb",
    )


def _rows_by_slug(nodes: Nodes, memory: App, row: CollectionRow) -> dict[str, NodeRow]:
    """The nodes by the slugs that the memory has given them."""
    rows = {each.path: each for each in nodes.rows}
    known = file_state.known_files(memory.connection, row.id)
    paths = {state.page_id: path for path, state in known.items() if path in rows}
    listed = pages.listing(memory.connection, PageFilter(collection=row.name), "slug", len(known), 0)
    return {page.slug: rows[paths[page.id]] for page in listed if page.id in paths}
