"""Addresses for tests and developers, with --debug alone: how the memory is inside, hooks without an agent.

They do what operations do, by the names that a test expects, behind the same gate; nothing is started.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from starlette.routing import Route

from quaid import operations
from quaid.agents.hooks import events
from quaid.app import App
from quaid.errors import InvalidInput, NotFound, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Right
from quaid.model.record import fill, record
from quaid.notebook.flush import MESSAGE, Simulated, simulate
from quaid.operations.arguments import decode
from quaid.operations.notebook import open_notebook
from quaid.operations.results import as_data
from quaid.store import file_state, pages
from quaid.store.collections import of_files
from quaid.web.endpoint import Asked, endpoint

ROOT = "/api/debug/"
SESSION = "debug-"  # how sessions begin that no agent has had
TURN = ("session-start", "prompt", "stop")  # what a client calls in the course of one
LARGEST_LIST = 10_000


@record
class IndexedFile:
    """A file that is a page, as it was when it was read."""

    collection: str
    path: str
    slug: str
    size: int
    hash: str
    read_ns: int


@record
class HookCall:
    """A hook that was called: what the client would be answered, and commands that would be started."""

    event: str
    answer: dict[str, Any]
    context: str
    starts: tuple[tuple[str, ...], ...]


@record
class Compaction:
    """What an agent is told around a compaction: before it, at it, and when the new window begins."""

    message: str
    when: Simulated | None
    before: HookCall
    after: HookCall


def routes(workers: Workers) -> tuple[Route, ...]:
    """Where they are."""

    def at(path: str, method: str, right: Right, work: Callable[[App, Asked], Any]) -> Route:
        return Route(ROOT + path, endpoint(workers, f"debug {path}", work, right), methods=[method])

    return (
        at("memory/status", "GET", "read", _status),
        at("memory/search", "GET", "read", _search),
        at("memory/files", "GET", "read", _files),
        at("memory/rebuild", "POST", "own", lambda app, asked: _run(app, "rebuild")),
        at("memory/simulate-compaction", "POST", "own", _compaction),
        at("brain/inject-turn", "POST", "own", _turn),
        at("notebook/pages", "GET", "read", lambda app, asked: _run(app, "notebook list")),
        at(
            "notebook/{path:path}", "GET", "read", lambda app, asked: _run(app, "notebook read", **asked.path)
        ),
        at("notebook/{path:path}", "POST", "write", _write),
        at("notebook/{path:path}", "DELETE", "write", _remove),
    )


def _run(app: App, name: str, /, **values: Any) -> Any:
    """What an operation answers."""
    chosen = operations.operation(name)
    return as_data(operations.run(app, chosen, decode(chosen.arguments, values, tool=False)))


def _status(app: App, asked: Asked) -> dict[str, Any]:
    """What the index holds, when folders were read last, and the model."""
    held, folders = _run(app, "stats"), _run(app, "collection list")["collections"]
    model = None
    with suppress(QuaidError):  # a memory without a model is asked by words
        model = _run(app, "model status")
    read = [each["synced_at"] for each in folders if each.get("synced_at")]
    files = sum(file_state.count(app.connection, row.id) for row in of_files(app.connection))
    return {
        "files": files,
        "pages": held["counts"]["pages"],
        "chunks": held["counts"]["chunks"],
        "last_sync": max(read, default=None),
        "model": model,
        "collections": folders,
        "path": held["path"],
    }


def _search(app: App, asked: Asked) -> dict[str, Any]:
    """What is found by words, and by words and meaning, each with its score."""
    question = asked.query.get("q", "")
    limit = _number(asked, "limit", 20)
    return {
        "words": _run(app, "search", query=question, limit=limit)["results"],
        "query": _run(app, "query", question=question, limit=limit),
    }


def _files(app: App, asked: Asked) -> dict[str, Any]:
    """The files of all folders that are pages, with their hashes."""
    limit, offset = _number(asked, "limit", LARGEST_LIST), _number(asked, "offset", 0)
    found = [
        (row.name, state)
        for row in of_files(app.connection)
        for _, state in sorted(file_state.known_files(app.connection, row.id).items())
    ]
    listed = [
        fill(
            IndexedFile,
            state,
            collection=collection,
            slug=pages.info(app.connection, state.page_id).slug,
            read_ns=state.seen_ns,
        )
        for collection, state in found[offset : offset + limit]
    ]
    return {"files": listed, "total": len(found)}


def _write(app: App, asked: Asked) -> Any:
    """Add to a file, or replace it; that needs the etag that was read, or "" for one that is not there."""
    return _run(app, "notebook write", **{**asked.body, "path": asked.path["path"]})


def _remove(app: App, asked: Asked) -> Any:
    """Remove a page; it can be restored."""
    notebook = open_notebook(app, None)
    path = notebook.read(asked.path["path"]).path  # a path that leads out is refused here
    row = app.collection_row(notebook.name)
    state = file_state.one(app.connection, row.id, path)
    if state is None:
        raise NotFound(f"{path} is no page yet", hint="POST memory/rebuild reads all files.")
    return _run(app, "rm", slug=f"{row.name}::{pages.info(app.connection, state.page_id).slug}")


def _turn(app: App, asked: Asked) -> dict[str, Any]:
    """A turn of a conversation, as hooks see it: what each of them would say."""
    names = asked.value("events", list, list(TURN))
    if not all(name in events.NAMES for name in names):
        raise InvalidInput("no such event", hint=f"There are: {', '.join(events.EVENTS)}.")
    said = {"session_id": _session(asked), "prompt": asked.value("prompt", str, "")}
    return {"session": said["session_id"], "calls": [_hook(app, name, said) for name in names]}


def _compaction(app: App, asked: Asked) -> Compaction:
    """A compaction: when the agent would be asked to write down, given what was said, and what follows."""
    messages = asked.value("messages", list, [])
    window = asked.value("window_tokens", int, app.settings.integer("hooks.window_tokens"))
    when = None
    if messages:
        when = simulate(map(str, messages), window, app.settings.number("hooks.flush_share"))
    said = {"session_id": _session(asked)}
    return Compaction(
        message=MESSAGE if app.settings.flag("hooks.flush") else "",
        when=when,
        before=_hook(app, "pre-compact", said),
        after=_hook(app, "session-start", {**said, "source": "compact"}),
    )


def _hook(app: App, event: str, said: Mapping[str, str]) -> HookCall:
    starts: list[Sequence[str]] = []
    answer = json.loads(events.answer(event, said, lambda: app, app.home, starts.append))
    context = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return HookCall(event, answer, context, tuple(map(tuple, starts)))


def _session(asked: Asked) -> str:
    return SESSION + asked.value("session_id", str, "turn")


def _number(asked: Asked, name: str, otherwise: int) -> int:
    given = asked.query.get(name, "")
    if given and not given.isdecimal():
        raise InvalidInput(f"{name} is a number, not {given!r}")
    return int(given or otherwise)
