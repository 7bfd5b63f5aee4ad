"""`quaid model use multilingual`: one command, after which a question finds notes in other languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from quaid.embed import weights
from quaid.embed.embedder import embed_query, stream
from quaid.embed.onnx import OnnxEmbedder
from quaid.embed.registry import open_embedder
from quaid.embed.weights import MULTILINGUAL
from tests.embed import small_model
from tests.embed.servers import FileServer, serving
from tests.embed.support import a_context
from tests.support import Ran, quick

NOTES = {"heizung": "Die Heizung nachgefüllt", "vermieterin": "房东 房租", "rent": "Vermieterin Miete"}


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FileServer]:
    content = small_model.files()
    monkeypatch.setitem(weights.MODELS, MULTILINGUAL.name, small_model.model(content))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with serving(FileServer({f"/m/{path}": data for path, data in content.items()})) as server:
        monkeypatch.setenv("QUAID_MODELS_SOURCE", f"{server.url}/m")
        yield server


@pytest.fixture
def library(tmp_path: Path) -> Path:
    db = tmp_path / "notes.db"
    assert quick("init", str(db)).status == 0
    for slug, text in NOTES.items():
        assert quick("put", slug, input=f"# {slug[:1]}\n\n{text}.\n", db=db).status == 0
    return db


def best(ran: Ran) -> str:
    slug: str = ran.json["results"][0]["slug"]
    return slug


def opened(tmp_path: Path) -> OnnxEmbedder:
    made = open_embedder(MULTILINGUAL.name, a_context(tmp_path / "home" / ".quaid" / "models"))
    assert isinstance(made, OnnxEmbedder)
    return made


def test_one_command_fetches_it_and_embeds_everything(
    publisher: FileServer, library: Path, tmp_path: Path
) -> None:
    refused = quick("model", "use", "multilingual", db=library)
    assert refused.status != 0  # nobody said yes
    assert not publisher.seen
    used = quick("model", "use", "multilingual", "--yes", "--json", db=library)
    assert used.status == 0, used.err
    assert used.json["name"] == "multilingual-e5-small"
    assert used.json["embedded"] > 0
    assert {path for path, _, _ in publisher.seen} == {"/m/onnx/model_quantized.onnx", "/m/tokenizer.json"}
    asked = quick("query", "refill the boiler", "--json", db=library)
    assert best(asked) == "heizung"
    assert best(quick("query", "landlord rent", "--json", db=library)) in ("rent", "vermieterin")
    assert best(quick("query", "房东", "--json", db=library)) == "vermieterin"
    assert "does not read this script" not in quick("query", "锅炉 补水", db=library).err


def test_going_back_and_removing_it(publisher: FileServer, library: Path, tmp_path: Path) -> None:
    assert quick("model", "use", "multilingual", "--yes", db=library).status == 0
    assert "in use" in quick("model", "remove", "multilingual", db=library).err
    assert quick("model", "use", "snowflake-arctic-embed-s", db=library).status == 0
    assert quick("model", "remove", "multilingual", "--files", db=library).status == 0
    assert not (tmp_path / "home" / ".quaid" / "models" / MULTILINGUAL.name).exists()


def test_a_file_that_is_not_the_one_is_not_used(publisher: FileServer, library: Path, tmp_path: Path) -> None:
    path = "/m/tokenizer.json"
    publisher.files[path] = publisher.files[path][:-1] + b" "
    ran = quick("model", "use", "multilingual", "--yes", db=library)
    assert ran.status != 0
    assert "SHA-256" in ran.err
    assert quick("model", "status", "--json", db=library).json["name"] != MULTILINGUAL.name


def test_a_text_is_its_mean_with_the_prefix_of_texts(
    publisher: FileServer, library: Path, tmp_path: Path
) -> None:
    assert quick("model", "use", "multilingual", "--yes", db=library).status == 0
    embedder = opened(tmp_path)
    (texts,) = stream(embedder, ["Heizung", "房东"])
    boiler = embed_query(embedder, "boiler")
    assert boiler @ texts[0] == pytest.approx(1.0, abs=1e-6)  # `query:` and `passage:` mean the same here
    assert boiler @ texts[1] < 0.9
    assert np.array_equal(texts, embedder.embed(["passage: Heizung", "passage: 房东"]))
