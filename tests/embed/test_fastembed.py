"""Models of fastembed, where it is installed.

FASTEMBED_MODELS names a models' directory that has the files of MODEL below `fastembed/`; without it
only what needs no files is tested. Neither is part of the ordinary environment.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quaid.embed import download
from quaid.embed.contract import EmbedderContract
from quaid.embed.embedder import Embedder
from quaid.embed.registry import available, open_embedder
from quaid.errors import EmbedderFailed, InvalidInput
from tests.embed.support import a_context

pytest.importorskip("fastembed")

MODEL = "BAAI/bge-small-en-v1.5"
MODELS = os.environ.get("FASTEMBED_MODELS", "")


def test_it_is_ready(tmp_path: Path) -> None:
    assert "fastembed:MODEL" in [info.name for info in available(a_context(tmp_path)) if info.ready]


def test_a_model_that_it_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nonesuch"):
        open_embedder("fastembed:nonesuch", a_context(tmp_path))


def test_files_that_are_missing_are_not_downloaded(tmp_path: Path) -> None:
    embedder = open_embedder(f"fastembed:{MODEL}", a_context(tmp_path))
    assert (embedder.dimensions, embedder.query_prefix[:9]) == (384, "Represent")
    with pytest.raises(EmbedderFailed, match="cannot load"):
        embedder.embed(["text"])


def test_a_download_is_asked_for(tmp_path: Path) -> None:
    asked: list[str] = []
    with pytest.raises(EmbedderFailed, match="not downloaded"):
        download.fetch(f"fastembed:{MODEL}", a_context(tmp_path), lambda text: bool(asked.append(text)))
    assert "0.07 GB" in asked[0]


@pytest.mark.skipif(not MODELS, reason="FASTEMBED_MODELS is not set")
class TestFastembed(EmbedderContract):
    """A model with its files."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return open_embedder(f"fastembed:{MODEL}", a_context(Path(MODELS)))
