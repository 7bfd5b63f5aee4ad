"""While only some texts are embedded, the search is never worse than words alone, and as sure as they are."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.search.coverage import expectation, expected_standing
from quaid.store import embeddings
from quaid.store.filters import PageFilter
from quaid.store.scope import pages
from tests.support import call
from tests.support_embedders import BagOfWords, install

SUBJECTS = ("harbour", "sensor", "violin", "glacier", "bakery", "tunnel", "orchard", "satellite")
QUESTIONS = [f"where is the {subject} number{n}" for n, subject in enumerate(SUBJECTS)]


@pytest.fixture
def library(app: App) -> App:
    """Pages with words that lead to one of them, in a language whose meaning is its words."""
    install(app, BagOfWords())
    chance = random.Random(7)
    with app.store.write():
        for n in range(120):
            subject = SUBJECTS[n % 8]
            noise = " ".join(f"word{chance.randrange(60)}" for _ in range(12))
            call(app, "put", slug=f"p-{n:03}", content=f"# Page {n}\n\nThe {subject} number{n}: {noise}.\n")
    call(app, "embed")
    call(app, "config set", key="query.catch_up", value="0")
    again = app.reread()
    install(again, BagOfWords())
    return again


def keep(app: App, share: float) -> None:
    """Take vectors away at random."""
    with app.store.write() as connection:
        held = [each for (each,) in connection.execute("SELECT id FROM embeddings ORDER BY id")]
        gone = random.Random(1).sample(held, round((1 - share) * len(held)))
        connection.executemany("DELETE FROM embeddings WHERE id = ?", ((each,) for each in gone))
        connection.execute("UPDATE embedding_models SET done_to = 0, removals = removals + 1")


def firsts(app: App, **arguments: Any) -> list[str]:
    return [call(app, "query", question=each, **arguments)["results"][0]["slug"] for each in QUESTIONS]


@pytest.mark.parametrize("merge", ["balanced", "rrf"])
def test_the_first_answer_stays_the_right_one(library: App, merge: str) -> None:
    """Before, a tenth of the vectors put whatever they belonged to above what the words say."""
    call(library, "config set", key="query.merge", value=merge)
    for share in (0.5, 0.25, 0.1):
        keep(library, share)
        again = library.reread()
        install(again, BagOfWords())
        assert firsts(again) == [f"p-{n:03}" for n in range(8)]


def test_confidence_does_not_rise_while_little_is_known(library: App) -> None:
    """The nearest of a few texts makes nobody surer than words do."""
    sure = {}
    for share in (0.5, 0.2, 0.0):
        keep(library, share)
        sure[share] = [call(library, "query", question=each)["confidence"] for each in QUESTIONS]
    for share in (0.5, 0.2):
        assert all(part <= alone for part, alone in zip(sure[share], sure[0.0], strict=True))


def test_a_question_that_nothing_answers_is_no_gap_before_all_is_known(library: App) -> None:
    keep(library, 0.1)
    call(library, "query", question="which harbour does the zebra like")
    assert call(library, "gaps")["gaps"] == []


def test_coverage_is_that_of_the_scope(library: App) -> None:
    model = library.models.current()
    call(library, "put", slug="people/new", content="# New\n\nNot embedded.\n")
    assert embeddings.coverage(library.connection, model.id, pages(PageFilter(type="person"))) == 0.0
    assert embeddings.coverage(library.connection, model.id, pages(PageFilter(type="concept"))) == 1.0
    assert 0.9 < embeddings.coverage(library.connection, model.id, pages()) < 1.0
    assert embeddings.coverage(library.connection, model.id, pages(PageFilter(type="none"))) == 1.0


def test_what_is_not_known_is_expected_from_words() -> None:
    words = {1: 1.0, 2: 0.5, 3: 0.0, 4: 0.9}
    standing = {1: 4.0, 2: 2.0, 3: 0.0}
    known = dict.fromkeys(standing, 1.0)
    assert expectation(standing, words).slope == pytest.approx(4.0, rel=0.05)
    assert expected_standing(standing, words, known, 1.0) == {**standing, 4: pytest.approx(3.6, abs=0.2)}
    half = expected_standing(standing, words, known, 0.0)
    assert sorted(half, key=half.__getitem__) == [3, 2, 4, 1], (
        "of which nothing is believed: the words' order"
    )


@given(
    st.dictionaries(st.integers(0, 9), st.floats(-5, 5), max_size=10),
    st.dictionaries(st.integers(0, 9), st.floats(0, 1), max_size=10),
    st.floats(0, 1),
)
def test_any_evidence_gives_numbers(
    standing: dict[int, float], words: dict[int, float], coverage: float
) -> None:
    found = expected_standing(standing, words, dict.fromkeys(standing, 1.0), coverage)
    assert found.keys() == {*standing, *words}
    assert all(abs(value) < 1e4 for value in found.values())
