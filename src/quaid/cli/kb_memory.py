"""What a Quaid memory adds to a knowledge base that is attached to it: search and likeness by meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from quaid import operations
from quaid.app import App, open_app, user_memory
from quaid.app.attachments import Attachment
from quaid.app.discovery import is_memory
from quaid.cli.console import Console
from quaid.cli.kb_admin import show_curation
from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell
from quaid.cli.kb_write import kb_of
from quaid.cli.session import Session
from quaid.errors import NotFound, QuaidError, Untrusted
from quaid.kb import curate as curating
from quaid.kb import query as asking
from quaid.kb import reading
from quaid.kb.curate import Pair
from quaid.kb.doctor import Check
from quaid.kb.node import Node
from quaid.operations.collections import attach as join
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


def attach(shell: Shell, line: Line) -> tuple[str, Check]:
    """Attach it to the person's own memory, if there is one and it is not attached anywhere yet.

    A project's memory is left alone: the knowledge is general. The answer is what was done, "" for nothing,
    and what there is to say about it.
    """
    before = memory_check(shell, line)
    memories = _memories(shell, line)
    own = memories[-1:] if _stated(shell, line) or user_memory(shell.home) in memories else []
    if before.grade == "ok" or not own:
        return "", before
    try:
        app = _opened(shell, line, own[0])
        with translated(app.store.path):
            name = next(each for each in _free_names() if collections.by_name(app.connection, each) is None)
            join(app, Attachment(name, str(shell.root.resolve()), "kb"))
    except QuaidError as error:
        return "", Check("memory", "warning", f"could not be attached: {error.message}", error.hint)
    return f"attached to {own[0]} as {name}", memory_check(shell, line)


def memory_check(shell: Shell, line: Line) -> Check:
    """Whether a memory knows of it, as `doctor` says it."""
    memories = _memories(shell, line)
    if not memories:
        said = "there is no Quaid memory; only search by meaning and MCP need one (`quaid init`)"
        return Check("memory", "ok", said)
    try:
        attached = _attached(shell, line)
    except QuaidError as error:
        return Check("memory", "warning", error.message, error.hint)
    if attached is None:
        hint = f"quaid collection add kb {shell.root} --profile kb"
        return Check("memory", "warning", f"not attached to {memories[-1]}", hint)
    app, row = attached
    return Check("memory", "ok", f"attached to {app.store.path} as {row.name}")


def _free_names() -> Iterator[str]:
    yield from ("kb", "ai-kb")
    yield from (f"ai-kb-{number}" for number in count(2))


def _stated(shell: Shell, line: Line) -> str | None:
    return line.text("db") or shell.environment.get("QUAID_DB")


def _memories(shell: Shell, line: Line) -> list[Path]:
    """The memories that may know of it: the one that is named; else the one here, and the person's own."""
    stated = _stated(shell, line)
    if stated:
        path = Path(stated).expanduser()
        return [path] if is_memory(path) else []
    own = user_memory(shell.home)
    try:
        here = [_session(shell, line).place.path]
    except (NotFound, Untrusted):  # a stranger's is not asked
        here = []
    return list(dict.fromkeys([*here, *([own] if is_memory(own) else [])]))


def _session(shell: Shell, line: Line) -> Session:
    out = Console(shell.as_json, shell.environment)
    return Session(line.text("db"), out, shell.environment, Path.cwd(), shell.home)


def _opened(shell: Shell, line: Line, path: Path) -> App:
    session = _session(shell, line)
    return open_app(path, session.settings, session.surroundings)


def _attached(shell: Shell, line: Line) -> tuple[App, CollectionRow] | None:
    """The memory, and the collection in it whose files these are."""
    root = shell.root.resolve()
    for path in _memories(shell, line) or [_session(shell, line).place.path]:
        app = _opened(shell, line, path)
        for row in collections.of_files(app.connection):
            if app.stated_root(row) == root:
                return app, row
        app.store.close()
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
