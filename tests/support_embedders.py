"""Small embedders for tests: quick, the same on every run, and they count what they are asked for."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.formats.slugs import fold

# What means the same in the little language of these tests, so that meaning can find what words cannot.
SYNONYMS = {"automobile": "car", "physician": "doctor", "purchase": "buy", "feline": "cat"}


class BagOfWords:
    """Words, hashed into few dimensions. Two texts are as near as they have words in common."""

    query_prefix = ""

    def __init__(self, name: str = DEFAULT_MODEL, dimensions: int = 64, seed: int = 0) -> None:
        self.name = name
        self.dimensions = dimensions
        self.texts: list[str] = []
        self._seed = seed

    def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        matrix = np.full((len(texts), self.dimensions), 1e-3, np.float32)
        for row, text in zip(matrix, texts, strict=True):
            for word in re.findall(r"\w+", fold(text)):
                known = SYNONYMS.get(word, word)
                row[zlib.crc32(known.encode(), self._seed) % self.dimensions] += 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)

    def forget(self) -> list[str]:
        """The texts that it was asked for since the last time."""
        seen, self.texts = self.texts, []
        return seen


class Counting(BagOfWords):
    """One that has a tokenizer: a token is a word."""

    def count_tokens(self, text: str) -> int:
        return len(text.split())


class Raising(BagOfWords):
    """One whose server is gone."""

    def embed(self, texts: Sequence[str]) -> Any:
        raise RuntimeError("out of order")


class RaisingLater(BagOfWords):
    """One that can read a question, and no longer text."""

    def embed(self, texts: Sequence[str]) -> Any:
        if len(texts) > 1 or "\n" in texts[0]:
            raise RuntimeError("out of memory")
        return super().embed(texts)


class RaisingStream(BagOfWords):
    """One that fails in the middle of a stream."""

    def stream(self, texts: Any) -> Iterator[Any]:
        for place, text in enumerate(texts):
            if place:
                raise RuntimeError("the stream broke")
            yield self.embed([text])


class WrongShape(BagOfWords):
    """One that returns too few numbers."""

    def embed(self, texts: Sequence[str]) -> Any:
        return super().embed(texts)[:, :-1]


class WrongCount(BagOfWords):
    """One that returns too many rows."""

    def embed(self, texts: Sequence[str]) -> Any:
        return super().embed([*texts, "one more"])


class NotANumber(BagOfWords):
    """One that returns what is no number."""

    def embed(self, texts: Sequence[str]) -> Any:
        return super().embed(texts) * np.float32("nan")


class NotAMatrix(BagOfWords):
    """One that returns something else altogether."""

    def embed(self, texts: Sequence[str]) -> Any:
        return super().embed(texts).tolist()


def install(app: App, embedder: BagOfWords) -> BagOfWords:
    """Open the model of this name as this embedder, as if a plugin offered it.

    The reranker is silent: it reads English, not the little language of these tests.
    """
    app.models._embedders[embedder.name] = embedder
    app.models.voice = lambda: (None, [])  # type: ignore[method-assign]
    return embedder
