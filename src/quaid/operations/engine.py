"""The shared index: words and vectors that several machines look up in one place."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import QuaidError, Untrusted
from quaid.index import chunk_rows
from quaid.index.lance.push import Push
from quaid.model.record import record
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation, flag
from quaid.operations.text import Style, columns, count_of

KEY = "search.engine"


@record
class EngineStatus:
    """Where words and vectors are looked up, and how far the shared index is."""

    engine: str
    place: str | None = None
    model: str | None = None
    texts: int | None = None
    lines: int | None = None
    coverage: float | None = None  # the share of this memory's texts that it has
    writer: str | None = None
    problem: str | None = None


def engine_status(app: App, args: Nothing) -> EngineStatus:
    """Show where words and vectors are looked up, and how far the shared index is."""
    engine = app.settings.text(KEY)
    if engine == "own":
        return EngineStatus(engine)
    model = app.models.current()
    try:
        index = app.models.shared_index(model)
        state = index.state(app.connection)
    except QuaidError as error:
        where = app.settings.text(f"{KEY}_place") or None
        return EngineStatus(engine, where, model.name, problem=error.message)
    return EngineStatus(
        engine=engine,
        place=index.place.address,
        model=model.name,
        texts=state.texts,
        lines=state.lines,
        coverage=round(state.coverage, 3),
        writer=state.writer or None,
    )


def _status_text(result: EngineStatus, style: Style) -> str:
    if result.engine == "own":
        return "Words and vectors are looked up in the memory itself"
    rows = [("Engine", result.engine), ("Place", result.place or ""), ("Model", result.model or "")]
    if result.problem:
        rows.append(("State", style.warning(result.problem)))
    else:
        rows.append(("Texts", f"{result.texts:,} and {count_of(result.lines or 0, 'line')}"))
        rows.append(("Of this memory", f"{result.coverage or 0:.0%}"))
        rows.append(("Writer", result.writer or "nobody"))
    return columns(rows)


ENGINE_STATUS = Operation(
    "engine status",
    engine_status,
    render=_status_text,
    transaction="none",
    examples=("engine status",),
)


@record
class EngineSync:
    all: bool = flag("Everything anew, in place of what all memories have written.")


@record
class EngineSynced:
    """What was written to the shared index; no place where none is set."""

    place: str | None
    added: int
    removed: int
    embedded: int


def engine_sync(app: App, args: EngineSync) -> EngineSynced:
    """Bring the shared index into step with this memory.

    What it lacks is added there, and what is gone here is removed. What neither has a vector of is embedded
    first. One machine writes at a time. Interrupted, the next one goes on where it was.
    """
    if app.settings.text(KEY) == "own":
        return EngineSynced(None, 0, 0, 0)
    if not app.territory.is_trusted:
        raise Untrusted("this memory is not yours: its texts are not brought into the shared index")
    chunk_rows.chunk_pages(app.store)
    model = app.models.current()
    index = app.models.shared_index(model)
    with app.background.at_once(app.notify):
        push = Push(app.store, index, model, app.models.embedder_of(model))
        done = push.run(app.progress, anew=args.all)
    return EngineSynced(index.place.address, done.added, done.removed, done.embedded)


def _synced_text(result: EngineSynced, style: Style) -> str:
    if result.place is None:
        return "No shared index is set: search.engine and search.engine_place say where one is"
    text = f"{count_of(result.added, 'text')} added to the shared index at {style.name(result.place)}"
    text += f", {result.removed:,} taken out" * bool(result.removed)
    return text + f"; {result.embedded:,} embedded for it" * bool(result.embedded)


ENGINE_SYNC = Operation(
    "engine sync",
    engine_sync,
    render=_synced_text,
    effect="write",
    transaction="none",
    for_owner=True,
    examples=("engine sync", "engine sync --all"),
)
