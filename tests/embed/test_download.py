"""Downloads: asked for, checked, and resumed."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.embed import download, weights
from quaid.embed.plugin import Context
from quaid.embed.weights import Model, ModelFile
from quaid.errors import EmbedderFailed, InvalidInput, NotFound
from tests.embed.servers import FileServer, serving
from tests.embed.support import a_context

CONTENT = {"weights.onnx": bytes(range(256)) * 5000, "tokenizer.json": b"{}"}


def a_file(name: str) -> ModelFile:
    content = CONTENT[name]
    return ModelFile(name, len(content), hashlib.sha256(content).hexdigest(), "onnx")


SMALL = Model("small", "MIT", "https://example.invalid", a_file("weights.onnx"), a_file("tokenizer.json"))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weights.MODELS, "small", SMALL)


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving(FileServer({f"/m/onnx/{name}": content for name, content in CONTENT.items()})) as started:
        yield started


@pytest.fixture
def context(server: FileServer, tmp_path: Path) -> Context:
    return a_context(tmp_path / "models", models_source=f"{server.url}/m")


def yes(question: str) -> bool:
    return True


def arrived(context: Context) -> dict[str, bytes]:
    directory = context.models / "small"
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.suffix != ".verified"}


def test_it_asks_and_says_how_much_and_from_where(server: FileServer, context: Context) -> None:
    asked: list[str] = []
    with pytest.raises(EmbedderFailed, match="not downloaded"):
        download.fetch("small", context, lambda question: bool(asked.append(question)))
    assert asked == [
        f"Download small (1.3 MB, MIT licence) from {server.url}/m to {context.models / 'small'}?"
    ]
    assert not server.seen
    assert not context.models.exists()


def test_what_arrives(server: FileServer, context: Context) -> None:
    steps: list[tuple[int, int]] = []
    directory = download.fetch("small", context, yes, lambda done, size: steps.append((done, size)))
    assert arrived(context) == CONTENT
    assert oct(directory.stat().st_mode)[-3:] == "700"
    assert {oct(path.stat().st_mode)[-3:] for path in directory.iterdir()} == {"600"}
    assert steps[-1] == (1_280_002, 1_280_002)
    assert steps == sorted(steps)


def test_what_is_there_is_not_fetched_again(server: FileServer, context: Context) -> None:
    download.fetch("small", context, yes)
    seen = len(server.seen)
    assert download.fetch("small", context, lambda question: pytest.fail("asked")) == context.models / "small"
    assert len(server.seen) == seen


def test_downloads_can_be_turned_off(server: FileServer, tmp_path: Path) -> None:
    context = a_context(tmp_path, models_source=server.url, models_download="never")
    with pytest.raises(EmbedderFailed, match="turned off"):
        download.fetch("small", context, lambda question: pytest.fail("asked"))
    assert not server.seen


def test_a_wrong_file_leaves_nothing(server: FileServer, context: Context) -> None:
    right = server.files["/m/onnx/weights.onnx"]
    for wrong in (right[:-1] + b"?", right + b"more"):
        server.files["/m/onnx/weights.onnx"] = wrong
        with pytest.raises(EmbedderFailed, match="SHA-256 is wrong"):
            download.fetch("small", context, yes)
        assert arrived(context) == {}


@pytest.mark.parametrize("ranges", [True, False])
def test_a_transfer_that_is_cut_off_is_continued(server: FileServer, context: Context, ranges: bool) -> None:
    server.cut, server.ranges = 700_000, ranges
    with pytest.raises(EmbedderFailed, match="bytes"):
        download.fetch("small", context, yes)
    assert list(arrived(context)) == ["weights.onnx.part"]
    assert 0 < len(arrived(context)["weights.onnx.part"]) <= 700_000
    download.fetch("small", context, yes)
    assert arrived(context) == CONTENT
    assert "Range" in server.seen[1][1]


@pytest.mark.parametrize("left", [b"x" * 1000, b"x" * 1_280_000, b"x" * 2_000_000])
def test_rubbish_of_an_earlier_time_is_overcome(server: FileServer, context: Context, left: bytes) -> None:
    directory = context.models / "small"
    directory.mkdir(parents=True)
    (directory / "weights.onnx.part").write_bytes(left)
    if len(left) <= SMALL.weights.size:
        with pytest.raises(EmbedderFailed, match="SHA-256"):
            download.fetch("small", context, yes)
        assert arrived(context) == {}
    download.fetch("small", context, yes)
    assert arrived(context) == CONTENT


def test_a_file_that_the_server_does_not_have(server: FileServer, context: Context) -> None:
    del server.files["/m/onnx/weights.onnx"]
    with pytest.raises(EmbedderFailed, match="404"):
        download.fetch("small", context, yes)


def test_redirections_lead_to_safe_places_only(server: FileServer, context: Context) -> None:
    server.redirect = "http://example.org/weights.onnx"
    with pytest.raises(InvalidInput, match="not encrypted"):
        download.fetch("small", context, yes)
    with serving(FileServer(server.files)) as other:
        server.redirect = f"{other.url}/m/onnx/weights.onnx"
        with pytest.raises(EmbedderFailed):  # the tokenizer is led astray, the weights arrive
            download.fetch("small", context, yes)
    assert arrived(context)["weights.onnx"] == CONTENT["weights.onnx"]


def test_only_one_process_at_a_time(server: FileServer, context: Context) -> None:
    directory = context.models / "small"
    directory.mkdir(parents=True)
    with (directory / "weights.onnx.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(EmbedderFailed, match="another process"):
            download.fetch("small", context, yes)


def test_an_address_in_the_clear(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="not encrypted"):
        download.fetch("small", a_context(tmp_path, models_source="http://example.org"), yes)


def test_a_directory_that_cannot_be_made(server: FileServer, context: Context) -> None:
    context.models.write_text("a file")
    with pytest.raises(Exception, match=r"models|File exists"):
        download.fetch("small", context, yes)


def test_an_unknown_model(context: Context) -> None:
    with pytest.raises(NotFound):
        download.fetch("nonesuch", context, yes)


def test_removal(server: FileServer, context: Context) -> None:
    download.fetch("small", context, yes)
    assert download.remove("small", context)
    assert not (context.models / "small").exists()
    assert not download.remove("small", context)
