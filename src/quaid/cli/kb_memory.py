"""What a Quaid memory adds to a knowledge base that is attached to it: search and likeness by meaning."""

from __future__ import annotations

from pathlib import Path

from quaid import operations
from quaid.app import App, open_app
from quaid.cli.console import Console
from quaid.cli.kb_admin import show_curation
from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell
from quaid.cli.kb_write import kb_of
from quaid.cli.session import Session
from quaid.errors import NotFound, QuaidError
from quaid.kb import curate as curating
from quaid.kb import query as asking
from quaid.kb import reading
from quaid.kb.curate import Pair
from quaid.kb.node import Node
from quaid.operations.query import Query
from quaid.operations.relating import Related
from quaid.operations.syncing import sync_collection
from quaid.store import collections, file_state, pages
from quaid.store.collections import CollectionRow
from quaid.store.failures import translated
from quaid.store.filters import PageFilter

ALIKE = 0.92  # cosine of two texts that say the same, by the default model
_NEIGHBOURS = 5


def query(shell: Shell, line: Line) -> int:
    """Find nodes by words and meaning, in the memory to which they are attached."""
    app, row = _needed(shell, line)
    limit = line.number("limit", asking.LIMIT) or 1_000
    question = " ".join(line.many("words"))
    arguments = Query(question=question, collection=row.name, depth="summary", limit=limit)
    found = operations.run(app, operations.operation("query"), arguments)
    nodes = _nodes_by_slug(shell, app, row)
    hits = []
    for result in found.results:
        node = nodes.get(result.slug)
        if node and _passes(node, line):
            told = {**asking.data(asking.Hit(node, 0, ())), "match": list(result.why)}
            hits.append((node, {**told, "score": result.score}))
    text = "\n".join(f"{node.title} ({node.id}) | {node.summary} | {node.path}" for node, _ in hits)
    data = {"query": question, "total": len(hits), "results": [each for _, each in hits]}
    shell.answer(text, {**data, "notices": list(found.notices)})
    for notice in found.notices:
        shell.notify(notice)
    if not hits:
        shell.notify(f"nothing found for {question!r}")
    return 0 if hits else NotFound.exit_status


def _passes(node: Node, line: Line) -> bool:
    wanted = {"status": (node.status,), "type": node.tags, "tag": node.tags, "project": node.projects}
    return all(line.text(name) is None or line.text(name) in has for name, has in wanted.items())


def curate(shell: Shell, line: Line) -> int:
    """Report what to look at, with duplicates by meaning."""
    app, row = _needed(shell, line)
    app.freshen(None)
    nodes = _nodes_by_slug(shell, app, row)
    pairs: dict[frozenset[str], Pair] = {}
    related = operations.operation("related")
    for slug, node in nodes.items():
        found = operations.run(app, related, Related(slug=f"{row.name}::{slug}", limit=_NEIGHBOURS))
        for page in found.pages:
            other = nodes.get(page.slug)
            cosine = max((each.cosine or 0.0 for each in page.reasons), default=0.0)
            if other and other.id != node.id and cosine >= ALIKE:
                pair = Pair(node.id, other.id, (node.title, other.title), "duplicate", cosine, "meaning")
                pairs.setdefault(frozenset((node.id, other.id)), pair)
    kb = kb_of(shell)
    days = line.number("days", curating.HORIZON_DAYS)
    base = reading.read(kb.root)
    return show_curation(
        shell, curating.curation(base, kb.today, horizon_days=days, by_meaning=list(pairs.values()))
    )


def refresh(shell: Shell, line: Line) -> int:
    """Bring the memory into step with the files: 1 if there is one to which they are attached."""
    try:
        attached = _attached(shell, line)
    except QuaidError:  # no memory, or one that is not meant for this
        return 0
    if attached is None:
        return 0
    app, row = attached
    with translated(app.store.path):
        sync_collection(app, row)
    return 1


def _attached(shell: Shell, line: Line) -> tuple[App, CollectionRow] | None:
    """The memory, and the collection in it whose files these are."""
    session = Session(
        line.text("db"),
        Console(shell.as_json, shell.environment),
        shell.environment,
        Path.cwd(),
        shell.home,
    )
    app = open_app(session.place.path, session.settings, session.surroundings)
    root = shell.root.resolve()
    for row in collections.of_files(app.connection):
        if app.root_of(row).resolve() == root:
            return app, row
    return None


def _needed(shell: Shell, line: Line) -> tuple[App, CollectionRow]:
    attached = _attached(shell, line)
    if attached is None:
        raise NotFound(
            f"{shell.root} is not attached to the memory",
            hint=f"Attach it: quaid collection add kb {shell.root} --profile kb",
        )
    return attached


def _nodes_by_slug(shell: Shell, app: App, row: CollectionRow) -> dict[str, Node]:
    """The nodes by the slugs that the memory has given them."""
    nodes = {node.path: node for node in reading.nodes(shell.root)}
    known = file_state.known(app.connection, row.id)
    paths = {state.page_id: path for path, state in known.items() if path in nodes}
    listed = pages.listing(app.connection, PageFilter(collection=row.name), "slug", len(known), 0)
    return {page.slug: nodes[paths[page.id]] for page in listed if page.id in paths}
