"""What an embedder returns is checked before it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from quaid.embed.embedder import BATCH, embed_query, stream
from quaid.errors import EmbedderFailed, StorageFailed


class Made:
    """Returns what it is told to."""

    name, dimensions, query_prefix = "made", 4, "search: "

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.asked: list[Sequence[str]] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(texts)
        if isinstance(self.answer, Exception):
            raise self.answer
        return np.tile(np.float32([1, 0, 0, 0]), (len(texts), 1)) if self.answer is None else self.answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.ones((1, 4), np.float32), "length 2 to 2, not 1"),
        (np.zeros((1, 4), np.float32), "length 0"),
        (np.float32([[np.nan, 0, 0, 0]]), "not finite"),
        (np.float32([[np.inf, 0, 0, 0]]), "not finite"),
        (np.float64([[1, 0, 0, 0]]), "float64"),
        (np.float32([1, 0, 0, 0]), "shape (4,)"),
        (np.float32([[1, 0, 0]]), "shape (1, 3)"),
        (np.float32([[1, 0, 0, 0]] * 2), "2 rows for 1 texts"),
        ([[1.0, 0.0, 0.0, 0.0]], "a list"),
        (None.__class__, "a type"),
        (RuntimeError("out of order"), "out of order"),
    ],
)
def test_a_wrong_answer_says_what_is_wrong(answer: Any, said: str) -> None:
    with pytest.raises(EmbedderFailed, match="made") as raised:
        embed_query(Made(answer), "question")
    assert said in raised.value.message
    assert raised.value.exit_status == 12


def test_an_error_with_a_meaning_stays_itself() -> None:
    with pytest.raises(StorageFailed):
        embed_query(Made(StorageFailed("full")), "question")


def test_a_question_has_the_prefix_and_texts_have_not() -> None:
    made = Made()
    assert embed_query(made, "who").shape == (4,)
    list(stream(made, ["text"]))
    assert made.asked == [["search: who"], ["text"]]


def test_a_stream_reads_no_further_than_it_must() -> None:
    read: list[int] = []

    def texts() -> Iterator[str]:
        for number in range(1000):
            read.append(number)
            yield str(number)

    first = next(stream(Made(), texts()))
    assert len(first) == len(read) == BATCH


def test_an_own_stream_must_return_all_rows() -> None:
    class Forgetful(Made):
        def stream(self, texts: Any) -> Iterator[Any]:
            yield self.embed(list(texts)[1:])

    with pytest.raises(EmbedderFailed, match="2 rows for 3 texts"):
        list(stream(Forgetful(), ["a", "b", "c"]))
