"""The embedders that there are: those of `weights`, and entry points of the group `quaid.embedders`.

An entry point is called NAME and leads to a factory: something that takes a `Context` and returns an
embedder, such as a class. The name `family` also opens `family:anything`; the factory finds the
whole name in its context. It may lead to a `Plugin` instead, which can describe a model unopened. None
replaces what comes with Quaid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from quaid.embed.embedder import Embedder
from quaid.embed.plugin import Context, ModelInfo, Plugin
from quaid.embed.weights import MODELS
from quaid.embed.weights import PLUGIN as OWN
from quaid.errors import EmbedderFailed, NotFound, QuaidError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "quaid.embedders"
DEFAULT_MODEL = "snowflake-arctic-embed-s"
ALIASES = {"multilingual": "multilingual-e5-small"}


def available(context: Context) -> list[ModelInfo]:
    """Every registered model, the default first; a plugin that is broken is one that is not ready."""
    own = [OWN.describe(context.naming(name)) for name in MODELS]
    return own + [_describe(name, entry, context.naming(name)) for name, entry in _entries().items()]


def full_name(name: str) -> str:
    """A model's name, where a person gave what it is for."""
    return ALIASES.get(name, name)


def open_embedder(name: str, context: Context) -> Embedder:
    """The embedder of that name. Its weights may be loaded only when it is first used."""
    if name in MODELS:
        return OWN.open(context.naming(name))
    entries = _entries()
    entry = entries.get(name) or entries.get(name.partition(":")[0])
    if entry is None:
        raise NotFound(f"no embedding model {name!r}", hint=f"There are: {', '.join([*MODELS, *entries])}.")
    try:
        embedder = _plugin(entry).open(context.naming(name))
    except QuaidError:
        raise
    except Exception as error:  # surface: a plugin is somebody else's code
        raise EmbedderFailed(
            f"the model {name} cannot be opened: {error!r}", hint=f"It comes from {_origin(entry)}."
        ) from error
    return embedder


def _entries() -> dict[str, EntryPoint]:
    """By name, but those of `weights`. What Quaid itself registers cannot be replaced from outside."""
    from importlib.metadata import entry_points  # 20 ms that only those pay who use a model

    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: _origin(entry) != "quaid"):
        if entry.name not in MODELS:
            found.setdefault(entry.name, entry)
    return found


def _describe(name: str, entry: EntryPoint, context: Context) -> ModelInfo:
    try:
        return _plugin(entry).describe(context)
    except Exception as error:  # surface: a plugin is somebody else's code
        return ModelInfo(name, None, _origin(entry), f"cannot be loaded: {error!r}")


def _plugin(entry: EntryPoint) -> Plugin:
    loaded: Any = entry.load()
    if isinstance(loaded, Plugin):
        return loaded
    if not callable(loaded):
        raise TypeError(f"{entry.value} is not a factory")
    return Plugin(loaded, _described_by(loaded, _origin(entry)))


def _described_by(factory: object, origin: str) -> Callable[[Context], ModelInfo]:
    dimensions = getattr(factory, "dimensions", None)
    known = dimensions if isinstance(dimensions, int) else None
    return lambda context: ModelInfo(context.name, known, origin)


def _origin(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else "unknown"
