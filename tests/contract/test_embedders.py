"""The embedders that there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quaid.embed.contract import EmbedderContract
from quaid.embed.embedder import Embedder
from quaid.embed.http import HttpEmbedder
from quaid.embed.registry import DEFAULT_MODEL, open_embedder
from tests.embed.servers import EmbeddingServer, serving
from tests.embed.support import a_context, toy


@pytest.fixture(scope="module")
def default_model(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """Loaded once: its weights take time."""
    return open_embedder(DEFAULT_MODEL, a_context(tmp_path_factory.mktemp("models")))


class TestDefault(EmbedderContract):
    """The model that comes with Quaid."""

    @pytest.fixture
    def embedder(self, default_model: Embedder) -> Embedder:
        return default_model

    def test_a_vector_is_reproducible_to_the_bit(self, embedder: Embedder) -> None:
        texts = ["short", "a much longer text about many things " * 10, "学习"]
        together = embedder.embed(texts)
        for text, row in zip(texts, together, strict=True):
            assert (embedder.embed([text])[0] == row).all()


class TestHttp(EmbedderContract):
    """A server on this machine."""

    @pytest.fixture
    def embedder(self) -> Iterator[HttpEmbedder]:
        with serving(EmbeddingServer(toy())) as server:
            yield HttpEmbedder(f"{server.url}/v1", "toy", query_prefix="query: ")


class TestToy(EmbedderContract):
    """The ten lines of the documentation."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        made: Embedder = toy()
        return made
