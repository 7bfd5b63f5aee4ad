"""The network that judges pairs of notes, as it ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.embed.judge import NAME, Judge, open_judge
from quaid.errors import EmbedderFailed
from tests.embed.support import a_context

KNOWN = "The staging API listens on port 8443."


@pytest.fixture(scope="module")
def judge() -> Judge:
    found = open_judge(a_context(Path()))
    assert found
    return found


def test_it_tells_a_paraphrase_from_a_contradiction_and_from_another_thing(judge: Judge) -> None:
    others = (
        "On staging you reach the API at port 8443.",
        "The API of staging is on port 9443.",
        "The production API listens on port 443.",
    )
    found = [opinion for opinion in judge.judge(KNOWN, others) if opinion]
    assert [opinion.index(max(opinion)) for opinion in found] == [0, 1, 2]
    assert all(sum(opinion) == pytest.approx(1, abs=1e-4) for opinion in found)


def test_one_spelling_of_a_figure_is_as_good_as_another(judge: Judge) -> None:
    known = "The lesson is on Wednesdays at 16:30."
    first, second = judge.judge(
        known, ["Lesson: Wed, half past four in the afternoon.", "Lesson: Wednesday, 16:30."]
    )
    assert first == second


def test_it_says_nothing_about_what_it_cannot_read(judge: Judge) -> None:
    assert judge.judge(KNOWN, ["サーバーはポート8443で待ち受けます。"]) == [None]


def test_a_file_that_is_not_what_it_should_be_is_not_used(tmp_path: Path) -> None:
    directory = tmp_path / NAME
    directory.mkdir()
    (directory / "model_int8.onnx").write_bytes(b"another network")
    with pytest.raises(EmbedderFailed, match="is not the file that it should be"):
        open_judge(a_context(tmp_path))
