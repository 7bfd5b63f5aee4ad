"""How alike two texts are, and what that means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.graph.novelty import jaccard, judge, nearness, similar_pages, verdict
from tests.support import call

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "Elbe", "elbe", "sea"]), max_size=8).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_share_of_words_is_a_measure(one: str, other: str) -> None:
    share = jaccard(one, other)
    assert 0 <= share <= 1
    assert share == jaccard(other, one) == jaccard(one.upper(), other + " \n")
    assert (share == 1) == (set(one.lower().split()) == set(other.lower().split()))
    assert jaccard(one, one) == 1


def test_the_share_of_words() -> None:
    assert jaccard("The Elbe is long", "the elbe IS short") == 3 / 5
    assert jaccard("a", "b") == 0
    assert jaccard("", "b") == 0


@pytest.mark.parametrize(
    ("words", "cosine", "expected"),
    [
        (0.86, None, "duplicate"),
        (0.85, None, "new"),
        (0.85, 0.95, "new"),
        (0.2, 0.951, "near_duplicate"),
        (0.9, 0.99, "duplicate"),
        (0.0, None, "new"),
    ],
)
def test_the_verdict(words: float, cosine: float | None, expected: str) -> None:
    assert verdict(words, cosine) == expected


def test_one_part_in_common_does_not_make_texts_alike() -> None:
    east, north = np.eye(2, dtype=np.float32)
    assert nearness(np.stack([east, north]), np.stack([east])) == 0.5
    assert nearness(np.stack([east]), np.stack([north, east])) == 1


def test_the_most_similar_page_is_found(app: App) -> None:
    text = "The harbour of Hamburg lies on the Elbe and is the third largest of Europe."
    call(app, "put", slug="a/other", content="Tulips need rain, harbour seals need fish.\n")
    call(app, "put", slug="a/near", content=text.replace("third", "second") + "\n")
    call(app, "put", slug="a/same", content=text + "\n")
    found = similar_pages(app.connection, text)
    novelty = judge(app.connection, text, found)
    assert (novelty.verdict, novelty.jaccard, novelty.cosine) == ("duplicate", 1.0, None)
    slug = app.connection.execute("SELECT slug FROM pages WHERE id = ?", (novelty.page,)).fetchone()[0]
    assert slug == "a/same"


def test_any_text_can_be_looked_for(app: App) -> None:
    for text in ("", "\"'()*-^: AND OR NOT NEAR", "漢字" * 3000, "word " * 100_000, "-a -b"):
        assert similar_pages(app.connection, text) == []
        assert judge(app.connection, text, []).verdict == "new"
