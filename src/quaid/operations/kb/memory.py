"""The Quaid memory to which a knowledge base is attached, and which of those in a memory a program means."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.app import user_memory
from quaid.app.discovery import is_memory
from quaid.errors import Ambiguous, NotFound, QuaidError, ReadOnly, Untrusted
from quaid.kb import nudge
from quaid.kb.place import check, chosen_root, is_kb
from quaid.model.actor import EDIT, Actor
from quaid.model.check import Check
from quaid.operations.collections import attach as join
from quaid.operations.kb.app import Around, KbApp, Memories
from quaid.store import collections
from quaid.store.collections import CollectionRow
from quaid.store.failures import translation
from quaid.vault.attachments import Attachment

if TYPE_CHECKING:
    from quaid.app import App


def refresh(app: KbApp, authors: Mapping[str, Actor]) -> bool:
    """Bring the memory into step with the files, if they are attached to one; who wrote them, by path."""
    try:
        attached = attachment(app)
    except QuaidError:  # no memory, or one that is not meant for this
        return False
    if attached is None:
        return False
    memory, row = attached
    with translation(memory.store.path):
        sync = memory.sync(row, writer=lambda path: authors.get(path, EDIT))
        sync.run(progress=memory.progress)
    return True


def root_of_collection(app: KbApp, name: str) -> str:
    """The directory of the knowledge base that is attached under a name; "" if there is none."""
    try:
        for path in memories_of(app):
            memory = app.around.memories.open(path)
            row = collections.by_name(memory.connection, name)
            if row and row.profile == "kb":
                return str(memory.root_of(row))
    except QuaidError:  # a memory that cannot be asked names none
        return ""
    return ""


def attach(app: KbApp) -> tuple[str, Check]:
    """Attach it to the person's own memory, if there is one and it is not attached anywhere yet.

    A project's memory is left alone: the knowledge is general. The answer is what was done, "" for nothing,
    and what there is to say about it.
    """
    before = memory_check(app)
    paths = memories_of(app)
    own = paths[-1:] if _memory_address(app) or user_memory(app.home) in paths else []
    if before.grade == "ok" or not own:
        return "", before
    try:
        memory = app.around.memories.open(own[0])
        with translation(memory.store.path):
            taken = collections.names(memory.connection)
            names = chain(("kb", "ai-kb"), (f"ai-kb-{number}" for number in count(2)))
            name = next(each for each in names if each not in taken)
            join(memory, Attachment(name, str(app.root.resolve()), "kb"))
    except QuaidError as error:
        return "", Check("memory", "warning", f"could not be attached: {error.message}", error.hint)
    return f"attached to {own[0]} as {name}", memory_check(app)


def memory_check(app: KbApp) -> Check:
    """Whether a memory knows of it, as `doctor` says it."""
    paths = memories_of(app)
    if not paths:
        message = "there is no Quaid memory; only search by meaning and MCP need one (`quaid init`)"
        return Check("memory", "ok", message)
    try:
        attached = attachment(app)
    except QuaidError as error:
        return Check("memory", "warning", error.message, error.hint)
    if attached is None:
        hint = f"quaid collection add kb {app.root} --profile kb"
        return Check("memory", "warning", f"not attached to {paths[-1]}", hint)
    memory, row = attached
    return Check("memory", "ok", f"attached to {memory.store.path} as {row.name}")


def attachment(app: KbApp) -> tuple[App, CollectionRow] | None:
    """The memory, and the collection in it whose files these are."""
    root = app.root.resolve()
    for path in memories_of(app) or [app.around.memories.here()]:
        memory = app.around.memories.open(path)
        for row in collections.of_files(memory.connection):
            if memory.stated_root(row) == root:
                return memory, row
    return None


def _memory_address(app: KbApp) -> str | None:
    return app.around.memories.stated or app.environment.get("QUAID_DB")


def memories_of(app: KbApp) -> list[Path]:
    """The memories that may know of it: the one that is named; else the one here, and the person's own."""
    stated = _memory_address(app)
    if stated:
        path = Path(stated).expanduser()
        return [path] if is_memory(path) else []
    own = user_memory(app.home)
    try:
        here = [app.around.memories.here()]
    except (NotFound, Untrusted):  # a stranger's is not asked
        here = []
    return list(dict.fromkeys([*here, *([own] if is_memory(own) else [])]))


def attached_kb(app: App, name: str | None = None, *, writing: bool = False) -> KbApp:
    """The knowledge base of that collection; else the attached one, else the one at the usual place."""
    rows = [row for row in collections.of_files(app.connection) if row.profile == "kb"]
    row = _row_named(rows, name) if name is not None else _only(app, rows)
    root = app.root_of(row) if row else usual_root(app)
    if row is None and not is_kb(root):
        raise NotFound("there is no knowledge base", hint="A person makes one with `quaid kb init`.")
    if row and row.read_only and writing:
        raise ReadOnly(f"{row.name} is attached read-only", hint="It is for reading; tell the person.")
    check(root, writing=writing)
    path = app.store.path
    memories = Memories(str(path), lambda: path, lambda _: app, refresh if row else None)
    return KbApp(str(root), Around(app.environment, str(app.home), memories))


def usual_root(app: App) -> Path:
    """Where the person's knowledge base is unless another is named."""
    return Path(chosen_root(None, app.environment, str(app.home)))


def nudge_line(app: App) -> str:
    """What a session should begin with: one line, or "" if there is nothing to say or no knowledge base."""
    try:
        with closing(attached_kb(app)) as given:
            return nudge.nudge_line(given.kb)
    except QuaidError:
        return ""


def _row_named(rows: list[CollectionRow], name: str) -> CollectionRow:
    known = {row.name: row for row in rows}
    if name in known:
        return known[name]
    hint = f"There are: {', '.join(known)}." if known else "A person makes and attaches one: `quaid kb init`."
    raise NotFound(f"no knowledge base {name!r} is attached", hint=hint)


def _only(app: App, rows: list[CollectionRow]) -> CollectionRow | None:
    """The one that is attached; of several, the one at the usual place."""
    if len(rows) < 2:
        return rows[0] if rows else None
    usual = usual_root(app).resolve()
    for row in rows:
        if app.stated_root(row) == usual:
            return row
    names = [row.name for row in rows]
    raise Ambiguous(
        f"{len(rows)} knowledge bases are attached",
        hint=f"Name one as kb: {', '.join(names)}.",
        candidates=names,
    )
