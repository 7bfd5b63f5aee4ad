"""Embedding models and vectors."""

from __future__ import annotations

from quaid.app import App
from quaid.embed import download, registry
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.operations.memory import Nothing
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, columns, counted
from quaid.store import embeddings


@record
class Embed:
    """Arguments of `embed`."""

    slug: str | None = arg("Only this page.", default=None, positional=True, completes="slug")
    all: bool = arg("Everything anew, also what is embedded already.", default=False)
    stale: bool = arg("Only what is new or changed; this is what happens anyway.", default=False)


@record
class Embedded:
    """What an embedding run did."""

    model: str
    embedded: int
    texts: int


def embed(app: App, args: Embed) -> Embedded:
    """Embed the texts that are new or changed, so that they are found by their meaning."""
    if args.all and args.stale:
        raise InvalidInput("--all and --stale exclude each other")
    model = app.models.current()
    page_id = app.page(args.slug).id if args.slug else None
    done = app.models.embed(model, page_id, anew=args.all, progress=app.progress)
    return Embedded(model.name, done, embeddings.counts(app.connection, model.id)[0])


EMBED = Operation(
    "embed",
    Embed,
    embed,
    render=lambda result, style: (
        f"{counted(result.embedded, 'text')} embedded with {result.model}; {result.texts:,} in all"
    ),
    effect="write",
    transaction="none",
    examples=("embed", "embed people/alice", "embed --all"),
)


@record
class ModelLine:
    """A model: whether it can be used, and how much of this memory it has embedded."""

    name: str
    active: bool
    embedded: int
    dimensions: int | None
    origin: str
    missing: str | None


@record
class ModelList:
    """Models that can be used here, and those that this memory has vectors of."""

    texts: int
    models: tuple[ModelLine, ...]


def model_list(app: App, args: Nothing) -> ModelList:
    """The models that can be used, and how much of the memory each has embedded."""
    known = {row.name: row for row in embeddings.models(app.connection)}
    offered = {info.name: info for info in registry.available(app.models.context)}
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
                missing=(info.missing or None) if info else "a plugin that offers it",
            )
        )
    return ModelList(texts, tuple(lines))


def _list_text(result: ModelList, style: Style) -> str:
    rows = [
        (
            "*" if line.active else " ",
            style.name(line.name),
            f"{line.dimensions} dimensions" if line.dimensions else "",
            f"{line.embedded:,} of {result.texts:,} texts" if line.dimensions else "",
            style.warning(f"needs {line.missing}") if line.missing else "ready",
        )
        for line in result.models
    ]
    return columns(rows)


MODEL_LIST = Operation("model list", Nothing, model_list, render=_list_text, examples=("model list",))


@record
class ModelUse:
    """Arguments of `model use`."""

    name: str = arg("The model, as `model list` shows it.", positional=True)
    yes: bool = arg("Download its files without asking.", default=False)


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
    offered = {info.name: info for info in registry.available(app.models.context)}
    info = offered.get(args.name)
    if info and info.missing and download.offers(args.name):
        agree = (lambda question: True) if args.yes else app.ask
        download.fetch(args.name, app.models.context, agree, app.progress)
    done = app.models.use(args.name, app.progress)
    return ModelUsed(args.name, before.name if before else None, done)


def _used_text(result: ModelUsed, style: Style) -> str:
    text = f"{style.name(result.name)} is used now; {counted(result.embedded, 'text')} embedded"
    if result.before and result.before != result.name:
        text += f"\n`quaid model use {result.before}` goes back, `quaid model remove` frees its space"
    return text


MODEL_USE = Operation(
    "model use",
    ModelUse,
    model_use,
    render=_used_text,
    effect="write",
    transaction="none",
    examples=("model use bge-small-en-v1.5",),
)


@record
class ModelStatus:
    """The active model, and how far it has come."""

    name: str
    dimensions: int
    texts: int
    embedded: int
    ready: bool
    problem: str | None


def model_status(app: App, args: Nothing) -> ModelStatus:
    """Which model is searched with, and how much of the memory it has embedded."""
    active = app.models.active
    name = active.name if active else registry.DEFAULT_MODEL
    info = next((each for each in registry.available(app.models.context) if each.name == name), None)
    texts, done = embeddings.counts(app.connection, active.id if active else 0)
    dimensions = active.dimensions if active else (info.dimensions or 0) if info else 0
    problem = (info.missing or None) if info else "a plugin that offers it"
    return ModelStatus(name, dimensions, texts, done, problem is None, problem)


def _status_text(result: ModelStatus, style: Style) -> str:
    state = "ready" if result.ready else style.warning(f"needs {result.problem}")
    return columns(
        [
            ("Model", style.name(result.name)),
            ("State", state),
            ("Dimensions", str(result.dimensions)),
            ("Embedded", f"{result.embedded:,} of {result.texts:,} texts"),
        ]
    )


MODEL_STATUS = Operation(
    "model status",
    Nothing,
    model_status,
    render=_status_text,
    examples=("model status",),
)


@record
class ModelRemove:
    """Arguments of `model remove`."""

    name: str = arg("The model, as `model list` shows it.", positional=True)
    files: bool = arg("Also its files, if they were downloaded.", default=False)


@record
class ModelRemoved:
    """A model that this memory knows no more."""

    name: str
    files_removed: bool


def model_remove(app: App, args: ModelRemove) -> ModelRemoved:
    """Remove the vectors of a model that is not in use."""
    active = app.models.active
    if active and active.name == args.name:
        raise InvalidInput(f"{args.name} is in use", hint="Choose another first: quaid model use NAME.")
    app.models.remove(args.name)
    removed = download.remove(args.name, app.models.context) if args.files else False
    return ModelRemoved(args.name, removed)


MODEL_REMOVE = Operation(
    "model remove",
    ModelRemove,
    model_remove,
    render=lambda result, style: (
        f"{style.name(result.name)} removed{' with its files' if result.files_removed else ''}"
    ),
    effect="destructive",
    transaction="none",
    examples=("model remove bge-small-en-v1.5",),
    looks="nothing",
)
