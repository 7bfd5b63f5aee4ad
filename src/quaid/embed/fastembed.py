"""Models of the package fastembed: `fastembed:BAAI/bge-small-en-v1.5` and the like.

It is used only where it is installed, and only with files that are there: it would download them
without asking. Files are looked for in MODELS/fastembed/NAME, then in its own cache, MODELS/fastembed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quaid.embed.onnx import Once, silence_runtime
from quaid.embed.plugin import Context, ModelInfo, Plugin
from quaid.embed.weights import SEARCH_PREFIX
from quaid.errors import EmbedderFailed, InvalidInput
from quaid.files import make_private_directory

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix

FAMILY = "fastembed"
# Models that were trained with a prefix for questions and none for texts.
PREFIXES = {
    "baai/bge-": SEARCH_PREFIX,
    "snowflake/snowflake-arctic-embed-": SEARCH_PREFIX,
    "mixedbread-ai/": SEARCH_PREFIX,
}


class FastembedEmbedder:
    """A model that fastembed runs. One text at a time: a vector must not depend on its neighbours."""

    def __init__(self, model: str, directory: Path, query_prefix: str = "") -> None:
        self.name = f"{FAMILY}:{model}"
        self.query_prefix = query_prefix or default_prefix(model)
        self._session = Once(lambda: load(model, directory, local_files_only=True))
        self.dimensions = dimensions_of(model)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order."""
        import numpy as np  # 65 ms that only those pay who embed

        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        matrix = np.stack(list(self._session().embed(list(texts), batch_size=1))).astype(np.float32)
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        unit: Matrix = matrix / lengths
        return unit


def default_prefix(model: str) -> str:
    """What the model's family wants in front of a question."""
    return next((prefix for start, prefix in PREFIXES.items() if model.lower().startswith(start)), "")


def dimensions_of(model: str) -> int:
    """The length of the model's vectors; known without its files."""
    try:
        size: int = text_embedding().get_embedding_size(model)
    except ValueError:
        raise InvalidInput(
            f"fastembed has no model {model!r}",
            hint="TextEmbedding.list_supported_models() of fastembed lists them.",
        ) from None
    return size


def load(model: str, directory: Path, *, local_files_only: bool) -> Any:
    """The model, from a folder of its own or from fastembed's cache."""
    own = directory / model
    options = {"specific_model_path": str(own)} if own.is_dir() else {}
    try:
        return text_embedding()(
            model, cache_dir=str(directory), local_files_only=local_files_only, cuda=False, **options
        )
    except Exception as error:  # surface: whatever fastembed and the hub's client raise
        raise EmbedderFailed(
            f"fastembed cannot load {model}: {error}",
            hint=f"Download it, or put its files into {own}.",
        ) from error


def text_embedding() -> Any:
    """fastembed's class of text models."""
    try:
        silence_runtime()
        from fastembed import TextEmbedding  # a second, and not everyone has it
    except ImportError as error:
        raise EmbedderFailed(
            "the package fastembed is not installed", hint="pip install fastembed"
        ) from error
    return TextEmbedding


def fetch(context: Context, ask: Callable[[str], bool]) -> Path:
    """Let fastembed download a model, if the person agrees."""
    model, directory = context.argument, context.models / FAMILY
    size = next(
        (
            known["size_in_GB"]
            for known in text_embedding().list_supported_models()
            if known["model"] == model
        ),
        None,
    )
    if size is None:
        dimensions_of(model)
    if not ask(f"Let fastembed download {model} ({size or 0:.2f} GB) to {directory}?"):
        raise EmbedderFailed(f"{model} was not downloaded", hint="`quaid model use NAME --yes` agrees to it.")
    make_private_directory(directory)
    load(model, directory, local_files_only=False)
    return directory


def open_fastembed(context: Context) -> FastembedEmbedder:
    """The model that the name asks for."""
    if not context.argument:
        raise InvalidInput("which model of fastembed?", hint="Such as fastembed:BAAI/bge-small-en-v1.5.")
    prefix = context.settings.text("embed.query_prefix")
    return FastembedEmbedder(context.argument, context.models / FAMILY, prefix)


def describe_fastembed(context: Context) -> ModelInfo:
    """The family; it is not loaded, which takes a second."""
    missing = "" if find_spec("fastembed") else "the package: pip install fastembed"
    return ModelInfo(context.name if context.argument else f"{FAMILY}:MODEL", None, "quaid", missing)


PLUGIN = Plugin(open_fastembed, describe_fastembed)
