"""The operation table: the only place that lists what the memory can do.

An operation is looked up by its name and its module is loaded then, because a command must not pay for the
others. The module defines it under its name in capitals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from quaid.errors import NotFound
from quaid.operations.arguments import decode
from quaid.operations.operation import Operation, usual_tool_name

if TYPE_CHECKING:
    from quaid.app import App

R = TypeVar("R")
TABLE: tuple[tuple[str, str], ...] = (
    ("get", "pages"),
    ("render", "render"),
    ("put", "put"),
    ("new", "put"),
    ("list", "pages"),
    ("folders", "pages"),
    ("rm", "moves"),
    ("restore", "moves"),
    ("mv", "moves"),
    ("history", "history"),
    ("diff", "history"),
    ("revert", "history"),
    ("activity", "activity"),
    ("undo", "undo"),
    ("recode", "charset"),
    ("forget", "forget"),
    ("search", "search"),
    ("query", "query"),
    ("embed", "models"),
    ("model list", "models"),
    ("model use", "models"),
    ("model status", "models"),
    ("model remove", "models"),
    ("engine status", "engine"),
    ("engine sync", "engine"),
    ("tag", "tags"),
    ("untag", "tags"),
    ("tags", "tags"),
    ("timeline", "timeline"),
    ("timeline-add", "timeline"),
    ("link", "links"),
    ("links", "links"),
    ("link-close", "links"),
    ("unlink", "links"),
    ("backlinks", "links"),
    ("graph", "graph"),
    ("map", "map"),
    ("path", "graph"),
    ("related", "related"),
    ("orphans", "graph"),
    ("assert", "assertions"),
    ("facts", "facts"),
    ("supersede", "assertions"),
    ("retract", "assertions"),
    ("check", "check"),
    ("gaps", "gaps"),
    ("gap", "gaps"),
    ("gaps approve", "gaps"),
    ("gaps resolve", "gaps"),
    ("briefing", "briefing"),
    ("due", "due"),
    ("lint", "lint"),
    ("novelty", "novelty"),
    ("raw", "raw"),
    ("ingest", "ingest"),
    ("remember", "remember"),
    ("recall", "recall"),
    ("daily-log", "daily_log"),
    ("agents", "agents"),
    ("context", "context"),
    ("context approve", "orders"),
    ("context reject", "orders"),
    ("notebook read", "notebook"),
    ("notebook write", "notebook"),
    ("notebook list", "notebook"),
    ("notebook migrate", "notebook"),
    ("conversations index", "transcripts"),
    ("conversations search", "conversations"),
    ("conversations show", "conversations"),
    ("conversations list", "conversations"),
    ("conversations embed", "transcripts"),
    ("conversations forget", "transcripts"),
    ("import", "imports"),
    ("imports", "imports"),
    ("export", "export"),
    ("collection add", "collections"),
    ("collection preview", "preview"),
    ("collection list", "collections"),
    ("collection info", "collections"),
    ("collection sync", "sync"),
    ("collection rename", "collections"),
    ("collection move", "relocation"),
    ("collection remove", "collections"),
    ("collection ignore", "collections"),
    ("collection audit", "audit"),
    ("collection quarantine list", "quarantine"),
    ("collection quarantine restore", "quarantine"),
    ("collection quarantine export", "quarantine"),
    ("collection quarantine discard", "quarantine"),
    ("sync", "remotes"),
    ("sync init", "remote_setup"),
    ("sync status", "remote_status"),
    ("sync key", "sync_keys"),
    ("sync key import", "sync_keys"),
    ("conflicts", "conflicts"),
    ("conflicts show", "conflicts"),
    ("conflicts resolve", "conflicts"),
    ("conflicts merge-copies", "copies"),
    ("rebuild", "sync"),
    ("digest", "sync"),
    ("stats", "memory"),
    ("validate", "memory"),
    ("compact", "memory"),
    ("kb query", "kb.query"),
    ("kb show", "kb.nodes"),
    ("kb backlinks", "kb.nodes"),
    ("kb status", "kb.status"),
    ("kb list", "kb.overview"),
    ("kb map", "kb.overview"),
    ("kb lint", "kb.lint"),
    ("kb remember", "kb.remember"),
    ("kb commit", "kb.files"),
    ("kb capture", "kb.capture"),
    ("kb index", "kb.files"),
    ("kb merge", "kb.decisions"),
    ("kb split", "kb.decisions"),
    ("kb supersede", "kb.decisions"),
    ("kb delete", "kb.decisions"),
    ("kb contest", "kb.decisions"),
    ("kb resolve", "kb.decisions"),
    ("kb resolve-divergence", "kb.remote"),
    ("kb curate", "kb.curation"),
    ("kb init", "kb.init"),
    ("kb doctor", "kb.doctor"),
    ("kb sync", "kb.remote"),
    ("kb push", "kb.remote"),
    ("kb emacs", "kb.overview"),
    ("config get", "config"),
    ("config set", "config"),
    ("config list", "config"),
)

# What a commit says was done to a page, where that is not the operation's name.
_VERBS = {
    "put": "Write",
    "rm": "Delete",
    "mv": "Move",
    "timeline-add": "Add to the timeline of",
    "assert": "State a fact of",
    "retract": "Retract a fact of",
}
NAMES = tuple(name for name, _ in TABLE)
# Where an operation's name for programs is not made from its own.
TOOL_NAMES = {
    "memory_gap_approve": "gaps approve",
    "memory_gap_resolve": "gaps resolve",
    "remember": "remember",
    "recall": "recall",
    "daily_log": "daily-log",
    "notebook_read": "notebook read",
    "notebook_write": "notebook write",
    "notebook_list": "notebook list",
    "conversation_search": "conversations search",
}


def operation(name: str) -> Operation[Any, Any]:
    """The operation of that name."""
    module = dict(TABLE).get(name)
    if module is None:
        raise NotFound(f"no operation {name!r}", hint="`quaid --help` lists them.")
    found: Operation[Any, Any] = getattr(
        import_module(f"quaid.operations.{module}"), name.upper().replace("-", "_").replace(" ", "_")
    )
    return found


def operations() -> tuple[Operation[Any, Any], ...]:
    """All operations."""
    return tuple(operation(name) for name in NAMES)


def tools() -> tuple[Operation[Any, Any], ...]:
    """The operations that programs may call."""
    return tuple(each for each in operations() if not each.for_people)


def tool(name: str) -> Operation[Any, Any]:
    """The operation that a program calls by its tool name, or by its own name."""
    name = TOOL_NAMES.get(name, name)
    for known in NAMES:
        if name in (known, usual_tool_name(known)):
            chosen = operation(known)
            if chosen.for_people:
                raise NotFound(f"{known!r} is no tool", hint="Only the person decides this, in a terminal.")
            return chosen
    raise NotFound(f"no tool {name!r}", hint="`quaid --tools-json` lists them.")


def run(app: App, chosen: Operation[Any, Any], arguments: Any) -> Any:
    """Run an operation in one transaction; what SQLite reports comes out as one of our errors."""
    from quaid.store.failures import translated  # a knowledge base is asked without a memory

    with translated(app.store.path):
        if chosen.needs == "kb":
            from quaid.operations.kb.attached import attached_kb  # only for knowledge bases

            writes = chosen.effect != "read"
            if writes and app.has_files:
                app.freshen()  # what others wrote until now is theirs
            with closing(attached_kb(app, arguments.kb, writing=writes)) as given:
                result = chosen.run(given, arguments)
            _note_reading(app, chosen, arguments)
            return result
        has_files = _has_files(app, chosen)
        if has_files:
            names = chosen.looks_at(arguments)
            if names is None or names:
                app.freshen(names)
        writes = has_files and chosen.effect != "read"
        with _noted(app) if writes else nullcontext():
            verb = _VERBS.get(chosen.name, chosen.name.capitalize())
            transaction = partial(_transaction, app, chosen)
            result = through_gates(app, verb, transaction, lambda: chosen.run(app, arguments))
        _note_reading(app, chosen, arguments)
        notice = app.background.begin() if chosen.brings_texts else ""
        if notice:
            app.notify(notice)
        return result


def _has_files(app: App, chosen: Operation[Any, Any]) -> bool:
    try:
        return app.has_files
    except Exception:  # surface: what mends a memory says itself what is wrong with it
        if not chosen.mends:
            raise
        return False


def through_gates(
    app: App, verb: str, transaction: Callable[[], AbstractContextManager[Any]], work: Callable[[], R]
) -> R:
    """Do some work in a transaction; again, with gates held, where it comes to write a page behind one."""
    from quaid.store.connection import GateNeeded  # a knowledge base is asked without a memory

    gates: list[str] = []
    while True:
        try:
            # Not returned from within: a gate may forgive what comes after its commit.
            with _passing(app, gates, verb), transaction():
                result = work()
        except GateNeeded as needed:
            if needed.collection in gates:
                raise
            gates.append(needed.collection)
        else:
            return result


def _passing(app: App, gates: Sequence[str], verb: str) -> AbstractContextManager[Any]:
    if not gates:
        return nullcontext()
    from quaid.app.gates import passing  # only where a page is behind one

    return passing(app, gates, verb)


def _noted(app: App) -> AbstractContextManager[Any]:
    """What notes who wrote standing orders; loaded only for writing, and only where pages are files."""
    noted: AbstractContextManager[Any] = import_module("quaid.operations.authorship").noted(app)
    return noted


def _note_reading(app: App, chosen: Operation[Any, Any], arguments: Any) -> None:
    """Note what was read, where the person wants that."""
    if chosen.effect == "read" and app.settings.flag("activity.reads"):
        import_module("quaid.operations.activity").note_reading(app, chosen, arguments)


def _transaction(app: App, chosen: Operation[Any, Any]) -> AbstractContextManager[Any]:
    isolation = chosen.isolation
    if isolation == "none":
        return nullcontext()
    return app.store.read() if isolation == "read" else app.store.write()


def call(app: App, name: str, values: dict[str, Any]) -> Any:
    """Run an operation as a program does: by tool name, with a mapping of arguments."""
    chosen = tool(name)
    return run(app, chosen, decode(chosen.arguments, values, tool=True))
