"""Which embedders there are, and what a package must do to add one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quaid.embed.plugin import make_context
from quaid.embed.registry import DEFAULT_MODEL, available, open_embedder
from quaid.embed.weights import ARCTIC, BGE, PACKAGED, sha256_of
from quaid.errors import EmbedderFailed, InvalidInput, NotFound
from quaid.settings import Settings
from tests.embed.support import DOCS, a_context


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package whose entry points are partly broken."""
    site = tmp_path / "site"
    info = site / "toy_embedder-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-embedder\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[quaid.embedders]\n"
        "toy = toy_embedder:Toy\n"
        "gone = no_such_module:Embedder\n"
        "number = toy_embedder:NUMBER\n"
        "raising = toy_embedder:fail\n"
        f"{DEFAULT_MODEL} = toy_embedder:Toy\n"
    )
    block = DOCS.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    (site / "toy_embedder.py").write_text(
        f"{block}\nNUMBER = 1\ndef fail(context): raise OSError('no disk')\n"
    )
    monkeypatch.syspath_prepend(site)
    return site


def test_what_comes_with_quaid(tmp_path: Path) -> None:
    found = {info.name: info for info in available(a_context(tmp_path))}
    assert set(found) == {
        DEFAULT_MODEL,
        "bge-small-en-v1.5",
        "multilingual-e5-small",
        "http:MODEL",
        "fastembed:MODEL",
    }
    default, bge = found[DEFAULT_MODEL], found["bge-small-en-v1.5"]
    assert (default.dimensions, default.ready, default.missing) == (384, True, "")
    assert (bge.ready, bge.missing) == (
        False,
        f"model_quantized.onnx and tokenizer.json in {tmp_path / 'bge-small-en-v1.5'}",
    )
    assert "embed.url and embed.model" in found["http:MODEL"].missing


def test_a_server_that_is_set_is_listed_by_name(tmp_path: Path) -> None:
    context = a_context(tmp_path, embed_url="http://localhost:1/v1", embed_model="nomic")
    assert [info.origin for info in available(context) if info.name == "http:nomic" and info.ready] == [
        "quaid, server http://localhost:1/v1"
    ]


def test_a_package_adds_one(plugins: Path, tmp_path: Path) -> None:
    found = {info.name: info for info in available(a_context(tmp_path))}
    assert (found["toy"].dimensions, found["toy"].origin, found["toy"].ready) == (256, "toy-embedder", True)
    assert open_embedder("toy", a_context(tmp_path)).embed(["a b"]).shape == (1, 256)


def test_a_broken_package_is_listed_and_stops_nothing(plugins: Path, tmp_path: Path) -> None:
    found = {info.name: info for info in available(a_context(tmp_path))}
    assert "no_such_module" in found["gone"].missing
    assert "not a factory" in found["number"].missing
    for name in ("gone", "number", "raising"):
        with pytest.raises(EmbedderFailed, match=name):
            open_embedder(name, a_context(tmp_path))


def test_a_package_cannot_replace_what_is_quaids(plugins: Path, tmp_path: Path) -> None:
    assert open_embedder(DEFAULT_MODEL, a_context(tmp_path)).dimensions == 384


@pytest.mark.parametrize("name", ["nonesuch", "nonesuch:x", "", ":"])
def test_an_unknown_model(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as raised:
        open_embedder(name, a_context(tmp_path))
    assert DEFAULT_MODEL in raised.value.hint


def test_fastembed_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(EmbedderFailed) as raised:
        open_embedder("fastembed:BAAI/bge-small-en-v1.5", a_context(tmp_path))
    assert raised.value.hint == "pip install fastembed"
    with pytest.raises(InvalidInput):
        open_embedder("fastembed", a_context(tmp_path))


def test_the_shipped_files_are_the_publishers() -> None:
    for file in ARCTIC.files:
        path = PACKAGED / ARCTIC.name / file.name
        assert (path.stat().st_size, sha256_of(path)) == (file.size, file.sha256)
    provenance = (PACKAGED / ARCTIC.name / "PROVENANCE.md").read_text()
    assert all(file.sha256 in provenance for file in ARCTIC.files)
    assert "Apache License" in (PACKAGED / ARCTIC.name / "LICENSE").read_text()


def test_a_model_without_files(tmp_path: Path) -> None:
    with pytest.raises(EmbedderFailed, match="not here") as raised:
        open_embedder(BGE.name, a_context(tmp_path))
    assert raised.value.data["missing"] == ["model_quantized.onnx", "tokenizer.json"]


def test_own_files_come_first_and_are_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / ARCTIC.name / ARCTIC.weights.name
    own.parent.mkdir()
    own.write_bytes((PACKAGED / ARCTIC.name / ARCTIC.weights.name).read_bytes())
    assert open_embedder(ARCTIC.name, a_context(tmp_path)).embed(["text"]).shape == (1, 384)
    stamp = own.with_name(own.name + ".verified")
    written = stamp.stat().st_mtime_ns
    open_embedder(ARCTIC.name, a_context(tmp_path))
    assert stamp.stat().st_mtime_ns == written
    own.write_bytes(b"x" * ARCTIC.weights.size)
    with pytest.raises(EmbedderFailed, match="SHA-256"):
        open_embedder(ARCTIC.name, a_context(tmp_path))


def test_where_the_models_are(tmp_path: Path) -> None:
    assert make_context(Settings(), {}, tmp_path).models == tmp_path / ".quaid" / "models"
    context = a_context(tmp_path, models_directory="/opt/models")
    assert make_context(context.settings, {}, tmp_path).models == Path("/opt/models")


def test_nothing_heavy_is_loaded_before_it_is_needed(tmp_path: Path) -> None:
    script = """
import pathlib, sys, pkgutil, quaid.embed
for module in pkgutil.iter_modules(quaid.embed.__path__):
    __import__(f"quaid.embed.{module.name}")
from quaid.embed.registry import available, open_embedder
from quaid.embed.plugin import make_context
from quaid.settings import Settings
context = make_context(Settings(), {}, pathlib.Path(sys.argv[1]))
available(context)
embedder = open_embedder("snowflake-arctic-embed-s", context)
assert embedder.count_tokens("embeddings") == 4
assert not {"numpy", "onnxruntime", "fastembed", "pytest"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script, tmp_path], check=True)
