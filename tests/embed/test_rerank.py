"""The reranker that Quaid ships: it tells an answer from what merely has the words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from quaid.embed import lower, rerank, weights
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
    answer, related, foreign = opened(tmp_path).readings(QUESTION, [ANSWER, RELATED, FOREIGN], 1000)
    assert answer.logit > related.logit > foreign.logit
    assert answer.logit > 0 > foreign.logit
    assert answer.answers > max(related.answers, foreign.answers)


MISSES = (
    ("who is the plumber and what is his number", "Plumber: Dave Okonkwo 07700 900142", "Dave fixed the tap"),
    ("which year was the boiler fitted", "boiler fitted in 2017 by Gas Safe Len", "boiler: pressure 1.3 bar"),
    ("where is the spare key kept", "spare key hangs behind the oak door", "the spare key was copied in May"),
)


@pytest.mark.parametrize(("question", "answer", "miss"), MISSES)
def test_a_text_about_the_same_thing_is_no_answer(
    tmp_path: Path, question: str, answer: str, miss: str
) -> None:
    found, missed = opened(tmp_path).readings(question, [answer, miss], 1000)
    assert found.answers > missed.answers + 1


def test_each_passage_has_its_own_logit_in_any_company(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    together = reader.readings(QUESTION, [FOREIGN, ANSWER, "", RELATED, ANSWER * 30, "x"], 10_000)
    for place, passage in ((0, FOREIGN), (1, ANSWER), (3, RELATED)):
        [alone] = reader.readings(QUESTION, [passage], 1000)
        assert together[place].logit == pytest.approx(alone.logit, abs=0.7), "int8 differs with the batch"
        assert together[place].answers == pytest.approx(alone.answers, abs=0.7)


def test_what_seems_to_answer_is_judged_twice(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    passages = [FOREIGN, ANSWER, "Interest rose.", RELATED]
    found = reader.readings(QUESTION, passages, 1000)
    changed = [
        one != other
        for one, other in zip(reader.with_opinions(QUESTION, passages, found), found, strict=True)
    ]
    assert changed[1]
    assert [found[place].answers > rerank.SEEMS for place in range(4)] == changed
    assert reader.with_opinions(QUESTION, [], []) == []


@pytest.mark.parametrize("count", range(30))
def test_texts_are_read_in_batches_that_two_cores_share(count: int) -> None:
    lengths = [(7 * number) % 31 for number in range(count)]
    batches = rerank._batches(lengths)
    assert sorted(place for batch in batches for place in batch) == list(range(count))
    sizes = [len(batch) for batch in batches]
    assert all(0 < size <= rerank.BATCH for size in sizes)
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert len(batches) % 2 == 0 or count == 1
    along = [lengths[place] for batch in batches for place in batch]
    assert along == sorted(lengths, reverse=True)


def test_the_budget_bounds_how_many_are_read(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    assert len(reader.readings(QUESTION, [ANSWER] * 50, 200)) < 12
    assert reader.readings(QUESTION, [ANSWER], 3) == []
    assert reader.readings(QUESTION, [], 1000) == []


@pytest.mark.parametrize("name", [lower.NAME, rerank.READER])
def test_one_of_a_damaged_file_is_not_used(tmp_path: Path, name: str) -> None:
    directory = tmp_path / name
    directory.mkdir()
    (directory / "model_int8.onnx").write_bytes(b"not a model")
    with pytest.raises(EmbedderFailed, match="not the file that it should be"):
        rerank.open_reranker(Context(Settings(), {}, tmp_path))


def test_each_file_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layers of its own are of no use without the public ones below them, nor these alone."""
    context = Context(Settings(), {}, tmp_path)
    packaged = weights.PACKAGED
    assert rerank.missing_files(context) == ()
    monkeypatch.setattr(weights, "PACKAGED", tmp_path / "nowhere")
    assert len(rerank.missing_files(context)) == 3
    shutil.copytree(packaged / lower.NAME, tmp_path / lower.NAME)
    assert rerank.missing_files(context) == (f"{rerank.READER}/model_int8.onnx",)
    assert rerank.open_reranker(context) is None
    shutil.copytree(packaged / rerank.READER, tmp_path / rerank.READER)
    found = rerank.open_reranker(context)
    assert found
    assert found.readings(QUESTION, [ANSWER], 1000)
