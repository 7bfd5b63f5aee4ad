"""The reranker that Quaid ships: it tells an answer from what merely has the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.embed import rerank
from quaid.embed.plugin import Context
from quaid.errors import EmbedderFailed
from quaid.settings import Settings

QUESTION = "When does the practice open?"
ANSWER = "The practice opens at nine on Monday."
RELATED = "She would like to practice in the open."
FOREIGN = "Interest rates of central banks rose in March."


def opened(directory: Path) -> rerank.Reranker:
    found = rerank.open_reranker(Context(Settings(), {}, directory))
    assert found
    return found


def test_an_answer_is_told_from_other_texts(tmp_path: Path) -> None:
    answer, related, foreign = opened(tmp_path).logits(QUESTION, [ANSWER, RELATED, FOREIGN], 1000)
    assert answer > related > foreign
    assert answer > 0 > foreign


def test_each_passage_has_its_own_logit_in_any_company(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    together = reader.logits(QUESTION, [FOREIGN, ANSWER, "", RELATED, ANSWER * 30, "x"], 10_000)
    for place, passage in ((0, FOREIGN), (1, ANSWER), (3, RELATED)):
        [alone] = reader.logits(QUESTION, [passage], 1000)
        assert together[place] == pytest.approx(alone, abs=0.7), "int8 differs a little with the batch"


def test_the_budget_bounds_how_many_are_read(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    assert len(reader.logits(QUESTION, [ANSWER] * 50, 200)) < 12
    assert reader.logits(QUESTION, [ANSWER], 3) == []
    assert reader.logits(QUESTION, [], 1000) == []


def test_one_of_a_damaged_file_is_not_used(tmp_path: Path) -> None:
    directory = tmp_path / rerank.NAME
    directory.mkdir()
    (directory / "model_int8.onnx").write_bytes(b"not a model")
    with pytest.raises(EmbedderFailed, match="not the file that it should be"):
        rerank.open_reranker(Context(Settings(), {}, tmp_path))
