"""What an embedder is, and how the rest of Quaid uses one.

An embedder turns texts into vectors of unit length, so that the product of two vectors says how near
their texts are. What it returns is checked here, once, before anything is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from quaid.errors import EmbedderFailed, QuaidError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    Matrix: TypeAlias = NDArray[np.float32]

BATCH = 32
TOLERANCE = 1e-3  # of a row's length; float16 models that were normalised stay within it


class Embedder(Protocol):
    """A model of meaning. Texts may come from several threads.

    It may also have `stream(texts)`, which yields the rows of many texts in order, a matrix at a time,
    when it knows how to use more than one core; `count_tokens(text)`; and `text_prefix`, what the model wants
    in front of a text that is to be found.
    """

    @property
    def name(self) -> str:
        """Unique: vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """How long each vector is."""

    @property
    def query_prefix(self) -> str:
        """What the model wants in front of a question; texts get its `text_prefix`, if it has one."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of float32 and unit length per text, in order. Any text is fine, the empty one too."""


def embed_query(embedder: Embedder, question: str) -> Vector:
    """The vector of a question."""
    matrix = _embed(embedder, [embedder.query_prefix + question])
    vector: Vector = matrix[0]
    return vector


def stream(embedder: Embedder, texts: Iterable[str]) -> Iterator[Matrix]:
    """The checked rows of many texts, in order, a batch at a time; reads no further ahead than needed."""
    own = getattr(embedder, "stream", None)
    prefix: str = getattr(embedder, "text_prefix", "")
    if prefix:
        texts = (prefix + text for text in texts)
    if own is None:
        remaining = iter(texts)
        while batch := list(islice(remaining, BATCH)):
            yield _embed(embedder, batch)
        return
    given = Counted(texts)
    returned = 0
    for matrix in _guarded_stream(embedder, own, given):
        returned += len(matrix)
        yield sound_matrix(embedder, matrix)
    if returned != given.count:
        raise _wrong(embedder, f"{returned} rows for {given.count} texts")


def _guarded_stream(
    embedder: Embedder, own: Callable[[Iterable[str]], Iterator[Matrix]], texts: Counted
) -> Iterator[Matrix]:
    """What an embedder's own stream yields; what goes wrong in it is told as its failure."""
    try:
        yield from own(texts)
    except QuaidError:
        raise
    except Exception as error:  # surface: a plugin is somebody else's code
        raise EmbedderFailed(f"the model {embedder.name} failed: {error!r}") from error


class Counted:
    """Texts that say how many of them were taken."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = texts
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        for text in self.texts:
            self.count += 1
            yield text


def sound_matrix(embedder: Embedder, matrix: Any, rows: int | None = None) -> Matrix:
    """The matrix, if it is one that can be stored and searched."""
    import numpy as np  # 65 ms that only those pay who embed

    dimensions = embedder.dimensions
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.shape[1] != dimensions:
        raise _wrong(embedder, f"{_shape(matrix)}, not rows of {dimensions} numbers")
    if rows is not None and len(matrix) != rows:
        raise _wrong(embedder, f"{len(matrix)} rows for {rows} texts")
    if matrix.dtype != np.float32:
        raise _wrong(embedder, f"numbers of type {matrix.dtype}, not float32")
    lengths = np.linalg.norm(matrix, axis=1)
    if not np.isfinite(lengths).all():
        raise _wrong(embedder, "numbers that are not finite")
    if (np.abs(lengths - 1) > TOLERANCE).any():
        raise _wrong(embedder, f"rows of length {lengths.min():.4g} to {lengths.max():.4g}, not 1")
    return matrix


def _embed(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    try:
        matrix = embedder.embed(texts)
    except QuaidError:
        raise
    except Exception as error:  # surface: an embedder is somebody else's code
        raise EmbedderFailed(f"the embedder {embedder.name} failed: {error!r}") from error
    return sound_matrix(embedder, matrix, len(texts))


def _shape(matrix: Any) -> str:
    shape = getattr(matrix, "shape", None)
    return f"an array of shape {shape}" if shape is not None else f"a {type(matrix).__name__}"


def _wrong(embedder: Embedder, what: str) -> EmbedderFailed:
    return EmbedderFailed(
        f"the embedder {embedder.name} returned {what}",
        hint="It breaks the contract of embedders (docs/embedders.md); nothing of it was stored.",
    )
