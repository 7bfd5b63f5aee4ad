"""The embedder that asks a server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.embed.embedder import embed_query
from quaid.embed.http import HttpEmbedder
from quaid.embed.registry import open_embedder
from quaid.errors import EmbedderFailed, InvalidInput
from tests.embed.servers import EmbeddingServer, serving
from tests.embed.support import a_context, toy


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serving(EmbeddingServer(toy())) as started:
        yield started


@pytest.fixture
def embedder(server: EmbeddingServer) -> HttpEmbedder:
    return HttpEmbedder(server.url, "toy", pause=0.01)


def test_what_the_server_gets(server: EmbeddingServer, tmp_path: Path) -> None:
    context = a_context(
        tmp_path,
        {"MY_KEY": "secret"},
        embed_url=f"{server.url}/v1/",
        embed_model="toy",
        embed_key_variable="MY_KEY",
        embed_query_prefix="query: ",
    )
    embedder = open_embedder("http", context)
    assert embedder.name == "http:toy"
    embed_query(embedder, "harbour")
    path, headers, body = server.seen[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer secret"
    assert body == {"model": "toy", "input": ["query: harbour"]}


def test_many_texts_go_in_batches(server: EmbeddingServer, embedder: HttpEmbedder) -> None:
    texts = [f"text {number}" for number in range(70)]
    assert (abs(embedder.embed(texts) - toy().embed(texts)) < 1e-6).all()
    assert [len(body["input"]) for _, _, body in server.seen] == [32, 32, 6]


def test_dimensions_are_asked_for_once(server: EmbeddingServer, embedder: HttpEmbedder) -> None:
    assert (embedder.dimensions, embedder.dimensions, len(server.seen)) == (256, 256, 1)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server: EmbeddingServer, embedder: HttpEmbedder, status: int) -> None:
    server.failures = [status, status, status]
    assert len(embedder.embed(["text"])) == 1
    assert len(server.seen) == 4


def test_the_server_says_when(
    server: EmbeddingServer, embedder: HttpEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    server.failures, server.headers = [429], {"Retry_After": "7"}
    embedder.embed(["text"])
    assert waits == [7]


def test_a_server_that_stays_busy(server: EmbeddingServer, embedder: HttpEmbedder) -> None:
    server.failures = [503] * 10
    with pytest.raises(EmbedderFailed, match="HTTP status 503"):
        embedder.embed(["text"])
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("status", "hint"), [(400, "embed.model"), (401, "embed.key_variable"), (404, "embed.url"), (307, "log")]
)
def test_a_refusal_is_final(server: EmbeddingServer, embedder: HttpEmbedder, status: int, hint: str) -> None:
    server.failures, server.headers = [status], {"Location": "/elsewhere"}
    with pytest.raises(EmbedderFailed, match=f"{status}.*no such thing") as raised:
        embedder.embed(["text"])
    assert hint in raised.value.hint
    assert len(server.seen) == 1


def test_another_model(server: EmbeddingServer) -> None:
    with pytest.raises(EmbedderFailed, match="model not found"):
        HttpEmbedder(server.url, "nonesuch").embed(["text"])


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b"[]",
        b"{}",
        b'{"data": 1}',
        b'{"data": [1]}',
        b'{"data": []}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": ["a"]}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1, [2]]}]}',
    ],
)
def test_an_answer_that_has_no_vectors(
    server: EmbeddingServer, embedder: HttpEmbedder, answer: bytes
) -> None:
    server.failures = [answer]
    with pytest.raises(EmbedderFailed, match="should have returned vectors"):
        embedder.embed(["text"])


def test_a_model_that_changes_its_mind(server: EmbeddingServer, embedder: HttpEmbedder) -> None:
    embedder.embed(["text"])
    server.failures = [json.dumps({"data": [{"index": 0, "embedding": [1, 2]}]}).encode()]
    with pytest.raises(EmbedderFailed, match="earlier of 256"):
        embedder.embed(["text"])


def test_nobody_there() -> None:
    with serving(EmbeddingServer(toy())) as server:
        url = server.url
    with pytest.raises(EmbedderFailed, match="does not answer"):
        HttpEmbedder(url, "toy").embed(["text"])


def test_a_server_that_does_not_answer_in_time(server: EmbeddingServer) -> None:
    asked = threading.Event()
    server.answer = lambda handler, body: asked.wait()  # type: ignore[method-assign]
    with pytest.raises(EmbedderFailed, match="timed out"):
        HttpEmbedder(server.url, "toy", timeout=0.1).embed(["text"])
    asked.set()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/v1",
        "http://10.0.0.1",
        "http://localhost.example.org",
        "ftp://localhost",
        "file:///etc/passwd",
        "localhost:1",
        "https://",
        "https://me:secret@example.org",
        "http://localhost:99999999",
    ],
)
def test_addresses_that_are_not_safe(url: str) -> None:
    with pytest.raises(InvalidInput):
        HttpEmbedder(url, "toy")


@pytest.mark.parametrize(
    "url", ["http://localhost:1", "http://127.0.0.2", "http://[::1]:8/v1", "https://example.org/v1"]
)
def test_addresses_that_are_safe(url: str) -> None:
    HttpEmbedder(url, "toy")


def test_what_the_settings_lack(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no embeddings server") as raised:
        open_embedder("http:toy", a_context(tmp_path))
    assert "embed.url" in raised.value.hint
    with pytest.raises(InvalidInput, match="NO_SUCH_KEY is not set"):
        open_embedder(
            "http:toy", a_context(tmp_path, embed_url="https://example.org", embed_key_variable="NO_SUCH_KEY")
        )
