"""What each actor did, session by session: what they wrote, and what they read where that is noted."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from quaid.app import App
from quaid.errors import Busy, ReadOnly, StorageFailed
from quaid.graph.gaps import hash_of
from quaid.model.actor import Kind
from quaid.model.record import fields_of, fill, record
from quaid.operations.actors import sessions_of
from quaid.operations.days import since_of
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, columns, left_out, shown
from quaid.store import deeds, readings
from quaid.store.deeds import DeedKind
from quaid.store.readings import Reading

PATIENCE = 0.5  # seconds: what was read is noted only if that is quick
QUESTIONS = ("question", "query")  # arguments that ask something
FEW = 4  # versions that are all named
HASH = 12  # characters of a hash that are shown


@record
class Activity:
    actor: str | None = option("Only of this actor: a name, or human, agent, program, edit.")
    session: str | None = option("Only of this session; the beginning is enough.")
    since: str | None = option("Only what was done since: a day, a moment, or 24h, 7d, 2w.")
    reads: bool = flag("Also what was read, where `activity.reads` is set.")
    limit: int = arg("How many sessions, and how many pages of each.", default=10, least=1)


@record
class WorkLine:
    """A page that somebody wrote."""

    slug: str
    collection: str
    what: tuple[DeedKind, ...]
    versions: tuple[int, ...]
    at: str
    removed: bool | None = None  # it is, by now
    undone: bool | None = None


@record
class Session:
    """What was done in one session, newest first; `more` pages and readings are not listed."""

    by: str
    kind: Kind
    session: str
    first: str
    last: str
    pages: tuple[WorkLine, ...]
    more: int
    reads: tuple[Reading, ...] | None = None
    more_reads: int | None = None


@record
class Activities:
    """Sessions, the last one first."""

    sessions: tuple[Session, ...]
    more: int


def activity(app: App, args: Activity) -> Activities:
    """List who wrote which pages, session by session; with --reads, what they read.

    `undo` takes back what was done in a session.
    """
    since = since_of(app, args.since).moment if args.since else ""
    known = sessions_of(app, args.actor, args.session)
    spans = deeds.spans(app.connection, known, since, reads=args.reads)
    found = []
    for session, first, last in spans[: args.limit]:
        works, count = deeds.works(app.connection, session, since, args.limit)
        lines = (
            fill(WorkLine, each, removed=each.removed or None, undone=each.undone or None) for each in works
        )
        read, reads = readings.of_session(app.connection, session, since, args.limit)
        actor = known[session]
        found.append(
            fill(
                Session,
                actor,
                by=actor.label,
                first=first,
                last=last,
                pages=tuple(lines),
                more=count - len(works),
                reads=tuple(read) if args.reads else None,
                more_reads=reads - len(read) if args.reads else None,
            )
        )
    if args.reads and not app.settings.flag("activity.reads"):
        app.notify("What is read is not noted: `activity.reads` is not set in ~/.quaid/config.toml.")
    return Activities(tuple(found), len(spans) - len(found))


def _text(result: Activities, style: Style) -> str:
    blocks = [_block(each, style) for each in result.sessions]
    if result.more:
        blocks.append(style.dim(left_out(result.more)))
    return "\n".join(blocks) or "Nobody is known to have done anything."


def _block(session: Session, style: Style) -> str:
    name = f"  session {style.name(shown(session.session))}" if session.session else ""
    span = session.first if session.first == session.last else f"{session.first} to {session.last}"
    lines = [f"{style.bold(shown(session.by))}{name}  {style.dim(span)}"]
    rows = [
        (
            style.name(each.slug),
            ", ".join(each.what),
            _spread(each.versions),
            style.dim("undone" if each.undone else "removed by now" if each.removed else ""),
        )
        for each in session.pages
    ]
    rows += [
        (style.name(each.slug or f"question {each.question[:HASH]}"), f"read by {each.operation}", "", "")
        for each in session.reads or ()
    ]
    lines += [f"  {line}" for line in columns(rows).split("\n") if line]
    more = session.more + (session.more_reads or 0)
    return "\n".join([*lines, *([style.dim(f"  {left_out(more)}")] if more else [])])


def _spread(versions: tuple[int, ...]) -> str:
    """Versions in a few words."""
    if len(versions) == 1:
        return f"version {versions[0]}"
    listed = ", ".join(map(str, versions)) if len(versions) <= FEW else f"{versions[0]} … {versions[-1]}"
    return f"versions {listed}"


ACTIVITY = Operation(
    "activity",
    activity,
    render=_text,
    looks="pages",
    examples=("activity", "activity --actor 'Claude Code' --since 24h", "activity --session 3f2a --reads"),
    brief="Who wrote which pages, by session.",
    told=("actor", "session", "since: day or 7d"),
    unneeded=("kind", "more_reads"),
)


def note_reading(app: App, chosen: Operation[Any, Any], arguments: Any) -> None:
    """Note what an operation has read; where that would have to wait, it is not noted."""
    slug = question = ""
    for each in fields_of(chosen.arguments):
        value = getattr(arguments, each.name)
        if isinstance(value, str) and each.note and each.note.completes == "slug":
            called = app.pages_called(value)
            slug = called[0].slug if called else value
        elif isinstance(value, str) and each.name in QUESTIONS:
            question = hash_of(value)
    reading = Reading(chosen.name, slug, question, app.now())
    with suppress(Busy, ReadOnly, StorageFailed), app.store.impatient(PATIENCE), app.store.write() as memory:
        readings.note(memory, reading, app.settings.integer("activity.days"))
