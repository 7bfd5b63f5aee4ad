"""The operation table: the only place that lists what the memory can do.

An operation is looked up by its name and its module is loaded then, because a command must not pay for the
others. The module defines it under its name in capitals.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from quaid.errors import NotFound
from quaid.operations.arguments import decode
from quaid.operations.operation import Operation, tool_name

if TYPE_CHECKING:
    from quaid.app import App

R = TypeVar("R")
# Each module, and the operations that it defines; in the order in which they are listed.
_MODULES = (
    ("pages", "get"),
    ("render", "render"),
    ("put", "put, new"),
    ("pages", "list, folders"),
    ("moves", "rm, restore, mv"),
    ("history", "history, diff, revert"),
    ("activity", "activity"),
    ("undo", "undo"),
    ("charset", "recode"),
    ("forget", "forget"),
    ("search", "search"),
    ("query", "query"),
    ("models", "embed, model list, model use, model status, model remove"),
    ("engine", "engine status, engine sync"),
    ("tags", "tag, untag, tags"),
    ("timeline", "timeline, timeline-add"),
    ("links", "link, links, link-close, unlink, backlinks"),
    ("graph", "graph"),
    ("map", "map"),
    ("graph", "path"),
    ("related", "related"),
    ("graph", "orphans"),
    ("assertions", "assert"),
    ("facts", "facts"),
    ("assertions", "supersede, retract"),
    ("check", "check"),
    ("gaps", "gaps, gap, gaps approve, gaps resolve"),
    ("briefing", "briefing"),
    ("due", "due"),
    ("lint", "lint"),
    ("novelty", "novelty"),
    ("raw", "raw"),
    ("ingest", "ingest"),
    ("remember", "remember"),
    ("recall", "recall"),
    ("daily_log", "daily-log"),
    ("agents", "agents"),
    ("context", "context"),
    ("orders", "context approve, context reject"),
    ("notebook", "notebook read, notebook write, notebook list, notebook migrate"),
    ("transcripts", "conversations index"),
    ("conversations", "conversations search, conversations show, conversations list"),
    ("transcripts", "conversations embed, conversations forget"),
    ("imports", "import, imports"),
    ("export", "export"),
    ("collections", "collection add"),
    ("preview", "collection preview"),
    ("collections", "collection list, collection info"),
    ("sync", "collection sync"),
    ("collections", "collection rename"),
    ("relocation", "collection move"),
    ("collections", "collection remove, collection ignore"),
    ("audit", "collection audit"),
    ("quarantine", "collection quarantine list, collection quarantine restore"),
    ("quarantine", "collection quarantine export, collection quarantine discard"),
    ("remotes", "sync"),
    ("remote_setup", "sync init"),
    ("remote_status", "sync status"),
    ("sync_keys", "sync key, sync key import"),
    ("conflicts", "conflicts, conflicts show, conflicts resolve"),
    ("copies", "conflicts merge-copies"),
    ("sync", "rebuild, digest"),
    ("memory", "stats, validate, compact"),
    ("kb.query", "kb query"),
    ("kb.nodes", "kb show, kb backlinks"),
    ("kb.status", "kb status"),
    ("kb.nodes", "kb list, kb map"),
    ("kb.files", "kb lint"),
    ("kb.remember", "kb remember"),
    ("kb.files", "kb commit"),
    ("kb.remember", "kb capture"),
    ("kb.files", "kb index"),
    ("kb.decisions", "kb merge, kb split, kb supersede, kb delete, kb contest, kb resolve"),
    ("kb.remote", "kb resolve-divergence"),
    ("kb.curation", "kb curate"),
    ("kb.health", "kb init, kb doctor"),
    ("kb.remote", "kb sync, kb push"),
    ("kb.nodes", "kb emacs"),
    ("config", "config get, config set, config list"),
)
TABLE = tuple((name, module) for module, names in _MODULES for name in names.split(", "))

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
    for known in NAMES:
        if name in (known, tool_name(known)):
            chosen = operation(known)
            if chosen.for_people:
                raise NotFound(f"{known!r} is no tool", hint="Only the person decides this, in a terminal.")
            return chosen
    raise NotFound(f"no tool {name!r}", hint="`quaid --tools-json` lists them.")


def run(app: App, chosen: Operation[Any, Any], arguments: Any) -> Any:
    """Run an operation in one transaction; what SQLite reports comes out as one of our errors."""
    from quaid.store.failures import translation  # a knowledge base is asked without a memory

    with translation(app.store.path):
        if chosen.needs == "kb":
            from quaid.operations.kb.memory import attached_kb  # only for knowledge bases

            writes = chosen.effect != "read"
            if writes:
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
        # What notes who wrote standing orders is loaded only for writing, and only where pages are files.
        noting = import_module("quaid.operations.authorship").order_notes if writes else nullcontext
        with noting(app):
            verb = _VERBS.get(chosen.name, chosen.name.capitalize())
            kinds: dict[str, Callable[[], AbstractContextManager[Any]]]
            kinds = {"none": nullcontext, "read": app.store.read, "write": app.store.write}
            result = through_gates(app, verb, kinds[chosen.isolation], lambda: chosen.run(app, arguments))
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
            # Loaded only where a page is behind one.
            held = import_module("quaid.app.gates").passing(app, gates, verb) if gates else nullcontext()
            # Not returned from within: a gate may forgive what comes after its commit.
            with held, transaction():
                result = work()
        except GateNeeded as needed:
            if needed.collection in gates:
                raise
            gates.append(needed.collection)
        else:
            return result


def _note_reading(app: App, chosen: Operation[Any, Any], arguments: Any) -> None:
    """Note what was read, where the person wants that."""
    if chosen.effect == "read" and app.settings.flag("activity.reads"):
        import_module("quaid.operations.activity").note_reading(app, chosen, arguments)


def call(app: App, name: str, values: dict[str, Any]) -> Any:
    """Run an operation as a program does: by tool name, with a mapping of arguments."""
    chosen = tool(name)
    return run(app, chosen, decode(chosen.arguments, values, tool=True))
