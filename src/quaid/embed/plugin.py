"""What an embedder plugin is given, and what it may say about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from quaid.embed.embedder import Embedder
from quaid.model.record import record
from quaid.settings import Settings


@record
class Context:
    """What a factory may use: the settings, the environment and where the files of models are."""

    settings: Settings
    environment: Mapping[str, str]
    models: Path
    name: str = ""

    @property
    def argument(self) -> str:
        """The part of the model's name after the colon: `http:nomic` names the model nomic of `http`."""
        return self.name.partition(":")[2]

    def naming(self, name: str) -> Context:
        """This context, for the model of that name."""
        return Context(self.settings, self.environment, self.models, name)


@record
class ModelInfo:
    """A model that could be used. `missing` says what it lacks; empty when it is ready."""

    name: str
    dimensions: int | None
    origin: str
    missing: str = ""

    @property
    def ready(self) -> bool:
        return not self.missing


Factory = Callable[[Context], Embedder]


@record
class Plugin:
    """A factory together with a description that is cheaper than opening the model."""

    open: Factory
    describe: Callable[[Context], ModelInfo]


def make_context(settings: Settings, environment: Mapping[str, str], home: Path) -> Context:
    """The context of a person: `~` in the models' directory is their home."""
    directory = settings.text("models.directory")
    if directory == "~" or directory.startswith("~/"):
        return Context(settings, environment, home / directory[2:])
    return Context(settings, environment, Path(directory))
