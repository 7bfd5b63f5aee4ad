"""Embedding models and vectors."""

from __future__ import annotations

from typing import Literal

from quaid.app import App
from quaid.app.background import SETTING
from quaid.app.progress import Progress, time_left
from quaid.embed import download, registry, rerank
from quaid.embed.plugin import ModelInfo
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, columns, count_of
from quaid.store import config, embeddings


@record
class Embed:
    slug: str | None = option("Only this page.", positional=True, completes="slug")
    all: bool = flag("Everything anew, also what is embedded already.")
    stale: bool = flag("Only what is new or changed; this is what happens anyway.")
    pause: bool = flag("Embed nothing in the background of this memory.", for_people=True)
    resume: bool = flag("Go on in the background.", for_people=True)


@record
class Embedded:
    """What an embedding run did; `background` is how it goes on without one."""

    model: str
    embedded: int
    texts: int
    background: str | None = None


def embed(app: App, args: Embed) -> Embedded:
    """Embed the texts that are new or changed, so that they are found by their meaning.

    That happens in the background by itself; this does it now, with all cores. What is done is kept about
    every second: interrupted, it goes on where it was.
    """
    if sum((args.all, args.stale, args.pause, args.resume)) > 1:
        raise InvalidInput("--all, --stale, --pause and --resume exclude each other")
    if args.pause or args.resume:
        return _switch_background(app, on=args.resume)
    model = app.models.current()
    if args.slug:
        done = app.models.embed(model, app.page(args.slug).id, anew=args.all, progress=app.progress)
    else:
        with app.background.at_once(app.notify) as turn:
            try:
                done = app.models.embed(model, anew=args.all, progress=turn.noting(app.progress))
            except KeyboardInterrupt:
                share = app.background.progress().share
                app.notify(f"{share}; what is done is kept, `quaid embed` goes on.")
                raise
    return Embedded(model.name, done, embeddings.counts(app.connection, model.id)[0])


def _switch_background(app: App, *, on: bool) -> Embedded:
    """Turn the background on or off for this memory."""
    with app.store.write() as connection:
        if on:
            config.remove(connection, SETTING)
        else:
            config.put(connection, SETTING, "off")
    background = app.reread().background
    if on:
        background.begin()
    now = background.progress()
    active = app.models.active
    state = (background.obstacle() or "on") if on else "off"
    return Embedded(active.name if active else registry.DEFAULT_MODEL, 0, now.texts, state)


EMBED = Operation(
    "embed",
    embed,
    render=lambda result, style: (
        f"Embedding in the background: {result.background}"
        if result.background
        else f"{count_of(result.embedded, 'text')} embedded with {result.model}; {result.texts:,} in all"
    ),
    effect="write",
    transaction="none",
    examples=("embed", "embed people/alice", "embed --all", "embed --pause"),
)


ModelKind = Literal["embedder", "reranker"]


@record
class ModelLine:
    """A model: whether it can be used, and how much of this memory it has embedded."""

    name: str
    active: bool
    embedded: int
    dimensions: int | None
    origin: str
    missing: str | None
    kind: ModelKind = "embedder"


@record
class ModelList:
    """Models that can be used here, and those that this memory has vectors of."""

    texts: int
    models: tuple[ModelLine, ...]


def model_list(app: App, args: Nothing) -> ModelList:
    """The models that can be used, and how much of the memory each has embedded."""
    known = {row.name: row for row in embeddings.models(app.connection)}
    offered = _models(app)
    lines: list[ModelLine] = []
    texts = 0
    for name in dict.fromkeys([*known, *offered]):
        row, info = known.get(name), offered.get(name)
        texts, done = embeddings.counts(app.connection, row.id if row else 0)
        lines.append(
            ModelLine(
                name=name,
                active=bool(row and row.active),
                embedded=done,
                dimensions=row.dimensions if row else info.dimensions if info else None,
                origin=info.origin if info else "",
                missing=_lack(info),
            )
        )
    return ModelList(texts, (*lines, _reranker(app)))


def _models(app: App) -> dict[str, ModelInfo]:
    return {info.name: info for info in registry.available(app.models.context)}


def _lack(info: ModelInfo | None) -> str | None:
    """What a model needs before it can be used."""
    return (info.missing or None) if info else "a plugin that offers it"


def _reranker(app: App) -> ModelLine:
    """The model that reads the best passages of an answer."""
    lacking = " and ".join(rerank.missing_files(app.models.context))
    return ModelLine(
        name=rerank.READER,
        active=not lacking and app.settings.text("search.rerank") != "off",
        embedded=0,
        dimensions=None,
        origin="quaid",
        missing=f"{lacking} in {app.models.context.models}" if lacking else None,
        kind="reranker",
    )


def _list_text(result: ModelList, style: Style) -> str:
    rows = [
        (
            "*" if line.active else " ",
            style.name(line.name),
            f"{line.dimensions} dimensions" if line.dimensions else "reranker" * (line.kind == "reranker"),
            f"{line.embedded:,} of {result.texts:,} texts" if line.dimensions else "",
            style.warning(f"needs {line.missing}") if line.missing else "ready",
        )
        for line in result.models
    ]
    return columns(rows)


MODEL_LIST = Operation("model list", model_list, render=_list_text, examples=("model list",))


@record
class ModelUse:
    name: str = arg(
        "The model, as `model list` shows it; `multilingual` is the one for other languages.", positional=True
    )
    yes: bool = flag("Download its files without asking.")


@record
class ModelUsed:
    """The model that is searched with now."""

    name: str
    before: str | None
    embedded: int


def model_use(app: App, args: ModelUse) -> ModelUsed:
    """Search with another model. Everything is embedded with it first; then the change is made in one step.

    The vectors of the model before are kept, so that the way back is quick. Interrupted, it goes on where it
    was.
    """
    before = app.models.active
    name = registry.full_name(args.name)
    info = _models(app).get(name)
    if info and info.missing and download.offers(name):
        agree = (lambda question: True) if args.yes else app.ask
        download.fetch(name, app.models.context, agree, app.progress)
    with app.background.at_once(app.notify) as turn:
        done = app.models.use(name, turn.noting(app.progress))
    return ModelUsed(name, before.name if before else None, done)


def _used_text(result: ModelUsed, style: Style) -> str:
    text = f"{style.name(result.name)} is used now; {count_of(result.embedded, 'text')} embedded"
    if result.before and result.before != result.name:
        text += f"\n`quaid model use {result.before}` goes back, `quaid model remove` frees its space"
    return text


MODEL_USE = Operation(
    "model use",
    model_use,
    render=_used_text,
    effect="write",
    for_owner=True,
    transaction="none",
    examples=("model use multilingual", "model use bge-small-en-v1.5"),
)


@record
class ModelStatus:
    """The active model, how far it has come, and who goes on in the background."""

    name: str
    dimensions: int
    texts: int
    embedded: int
    ready: bool
    problem: str | None
    progress: Progress | None = None  # while something is to be embedded
    reranker: str = "ready"  # or off, or what it needs


def model_status(app: App, args: Nothing) -> ModelStatus:
    """Which model is searched with, and how much of the memory it has embedded."""
    active = app.models.active
    name = active.name if active else registry.DEFAULT_MODEL
    info = _models(app).get(name)
    now = app.background.progress()
    dimensions = active.dimensions if active else (info.dimensions or 0) if info else 0
    problem = _lack(info)
    rest = now if now.embedded < now.texts else None
    line = _reranker(app)
    heard = f"needs {line.missing}" if line.missing else "ready" if line.active else "off"
    return ModelStatus(
        name=name,
        dimensions=dimensions,
        texts=now.texts,
        embedded=now.embedded,
        ready=problem is None,
        problem=problem,
        progress=rest,
        reranker=heard,
    )


def _background_text(progress: Progress, style: Style) -> str:
    """Who embeds in the background, and how long it will take."""
    if progress.worker:
        rate = f", {progress.per_second:.1f} texts a second" if progress.per_second else ""
        return f"process {progress.worker}{rate}, {time_left(progress.seconds_left)}"
    return progress.background + (f": {style.warning(progress.problem)}" if progress.problem else "")


def _status_text(result: ModelStatus, style: Style) -> str:
    state = "ready" if result.ready else style.warning(f"needs {result.problem}")
    return columns(
        [
            ("Model", style.name(result.name)),
            ("State", state),
            ("Dimensions", str(result.dimensions)),
            ("Embedded", f"{result.embedded:,} of {result.texts:,} texts"),
            ("Reranker", f"{rerank.READER}, {result.reranker}"),
            *([("Background", _background_text(result.progress, style))] if result.progress else []),
        ]
    )


MODEL_STATUS = Operation(
    "model status",
    model_status,
    render=_status_text,
    examples=("model status",),
)


@record
class ModelRemove:
    name: str = arg("The model, as `model list` shows it.", positional=True)
    files: bool = flag("Also its files, if they were downloaded.")


@record
class ModelRemoved:
    """A model that this memory knows no more."""

    name: str
    files_removed: bool


def model_remove(app: App, args: ModelRemove) -> ModelRemoved:
    """Remove the vectors of a model that is not in use."""
    active = app.models.active
    name = registry.full_name(args.name)
    if active and active.name == name:
        raise InvalidInput(f"{name} is in use", hint="Choose another first: quaid model use NAME.")
    app.models.remove(name)
    removed = download.remove(name, app.models.context) if args.files else False
    return ModelRemoved(name, removed)


MODEL_REMOVE = Operation(
    "model remove",
    model_remove,
    render=lambda result, style: (
        f"{style.name(result.name)} removed{' with its files' if result.files_removed else ''}"
    ),
    effect="destructive",
    for_owner=True,
    transaction="own",
    examples=("model remove bge-small-en-v1.5",),
)
