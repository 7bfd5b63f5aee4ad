"""The embedder that runs an ONNX file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from quaid.embed import product
from quaid.embed.embedder import embed_query, stream
from quaid.embed.onnx import AHEAD_PER_WORKER, OnnxEmbedder, OnnxFiles, open_session
from quaid.embed.weights import ARCTIC, PACKAGED, SEARCH_PREFIX
from quaid.errors import EmbedderFailed, StorageFailed

FILES = OnnxFiles(
    PACKAGED / ARCTIC.name / ARCTIC.weights.name, PACKAGED / ARCTIC.name / ARCTIC.tokenizer.name
)


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder("test", FILES, dimensions=384, query_prefix=SEARCH_PREFIX, workers=2)


def test_it_finds_what_a_question_means(embedder: OnnxEmbedder) -> None:
    texts = [
        "The harbour master retired in 2019.",
        "Bread needs flour and water.",
        "Alice founded Acme in Berlin.",
    ]
    rows = embedder.embed(texts)
    for question, best in [("how do I bake?", 1), ("who started the company?", 2), ("port official", 0)]:
        assert (rows @ embed_query(embedder, question)).argmax() == best


def test_a_stream_reads_only_a_little_ahead(embedder: OnnxEmbedder) -> None:
    read: list[int] = []

    def texts() -> Iterator[str]:
        for number in range(10_000):
            read.append(number)
            yield f"text {number}"

    rows = embedder.stream(texts(), rows=10)
    assert 1 <= len(next(rows)) <= 10  # fewer where the machine is so busy that a second passes before
    assert len(read) <= 10 + 2 * AHEAD_PER_WORKER
    rows.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("embed")]


def test_texts_that_fail_fail_as_they_are(embedder: OnnxEmbedder) -> None:
    def texts() -> Iterator[str]:
        yield "text"
        raise StorageFailed("the disk is gone")

    with pytest.raises(StorageFailed):
        list(stream(embedder, texts()))


def test_tokens_are_the_models_own(embedder: OnnxEmbedder) -> None:
    assert embedder.count_tokens("embeddings") == 4
    assert embedder.count_tokens("word " * 1000) == 1000


@pytest.mark.parametrize("broken", ["weights", "tokenizer"])
@pytest.mark.parametrize("content", [None, b"", b"garbage", b"{}", b"[]"])
def test_files_that_cannot_be_used(broken: str, content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    files = OnnxFiles(path, FILES.tokenizer) if broken == "weights" else OnnxFiles(FILES.weights, path)
    with pytest.raises(EmbedderFailed, match="cannot be used"):
        OnnxEmbedder("broken", files, dimensions=384).embed(["text"])


@pytest.mark.parametrize("most", [127, 64])
def test_products_are_whole_on_every_processor(most: int) -> None:
    """Some add two of them in 16 bits: what needs eight bits says so, seven bits always fit."""
    rows = np.full((3, 384), 255, np.uint8)
    weights = np.random.default_rng(0).choice(np.array([-most, most], np.int8), (384, 384))
    session = open_session(product.network(weights.tobytes(), 384), "test", eight_bits=most > 64)
    (sums,) = session.run(None, {"rows": rows})
    assert (sums == rows.astype(np.int64) @ weights.astype(np.int64)).all()
