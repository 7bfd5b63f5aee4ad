"""How the arms are brought together, as it is documented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.model.record import replace
from quaid.search.merge import Arms, Merge, Strategy, ranks, scores_of

ARMS = Arms(
    wholes={1: 0.9, 2: 0.5, 3: 0.1},
    sections={2: 0.8, 4: 0.4},
    meaning={3: 0.7, 2: 0.6, 5: 0.5},
    standing={1: 0.0, 2: 2.0, 3: 3.0, 5: 1.0},
)


def order(arms: Arms, strategy: Strategy, k: int = 60) -> list[int]:
    scores = scores_of(arms, Merge(strategy, k))
    return sorted(scores, key=lambda page: (-scores[page], page))


def test_ranks() -> None:
    assert ranks({5: 0.1, 4: 0.9, 3: 0.1}) == {4: 1, 3: 2, 5: 3}


def test_balanced_shares_one_belief_among_all() -> None:
    scores = scores_of(ARMS, Merge())
    assert sum(scores.values()) == pytest.approx(1)
    assert order(ARMS, "balanced")[:2] == [2, 3]
    assert order(ARMS, "balanced")[-1] in (4, 5), "some of the words and no text, or the average and no word"


def test_an_arm_whose_head_stands_out_decides() -> None:
    """Meaning finds many alike, words one that has all of them."""
    words = {1: 0.9, **dict.fromkeys(range(2, 40), 0.2)}
    alike = dict.fromkeys(range(2, 200), 4.0)
    assert order(Arms(words, words, alike, {1: 1.0, **alike}), "balanced")[0] == 1
    one = {50: 6.0, **dict.fromkeys(range(60, 90), 1.0)}
    shared = dict.fromkeys(range(1, 40), 0.3)
    assert order(Arms(shared, shared, one, one), "balanced")[0] == 50


def test_more_texts_that_stand_out_by_chance_do_not_outgrow_words() -> None:
    """The share of the page that words found stays above every stranger, however many come near it."""
    for crowd in (10, 100, 1000):
        strangers = {100 + n: 4.5 - n / 1000 for n in range(crowd)}
        arms = Arms({1: 0.6, 2: 0.2}, {1: 0.6}, strangers, {1: 2.5, 2: 0.0, **strangers})
        assert order(arms, "balanced")[0] == 1


def test_words_decide_as_far_as_they_know_the_question() -> None:
    """Page 1 is the only one with a word of the question; the others of its words stand nowhere."""
    words, standing = {1: 0.4}, {1: 1.0, 2: 3.0, **dict.fromkeys(range(3, 40), 0.0)}
    arms = Arms(words, words, {2: 0.7, 1: 0.5}, standing)
    assert order(replace(arms, known=1.0), "balanced")[0] == 1
    assert order(replace(arms, known=0.3), "balanced")[0] == 2


def test_what_is_not_embedded_yet_loses_nothing() -> None:
    """Page 1 has the words and no vector yet; pages 2 and 3 share what words believe of them."""
    words = {1: 0.7, 2: 0.2, 3: 0.1}
    alone = scores_of(Arms(words, words, {}, {}, (), 0.0), Merge())
    part = scores_of(Arms(words, words, {3: 0.8}, {2: 0.0, 3: 5.0}, (), 0.5), Merge())
    assert part[1] == pytest.approx(alone[1])
    assert part[2] + part[3] == pytest.approx(alone[2] + alone[3])
    assert part[3] > part[2]
    assert alone[2] > alone[3]


@given(
    words=st.dictionaries(
        st.integers(1, 12), st.integers(1, 99).map(lambda n: n / 100), min_size=1, max_size=8
    )
)
def test_without_vectors_the_order_is_that_of_words(words: dict[int, float]) -> None:
    assert order(Arms(words, words, {}, {}, (), 0.0), "balanced") == list(ranks(words))


def test_set_union_is_meaning_first_then_what_only_words_found() -> None:
    assert order(ARMS, "set-union") == [3, 2, 5, 1]


def test_rrf_is_the_sum_of_reciprocal_ranks() -> None:
    scores = scores_of(ARMS, Merge("rrf"))
    assert scores[2] == pytest.approx(1 / 62 + 1 / 62)
    assert scores[3] == pytest.approx(1 / 61 + 1 / 63)
    assert scores[1] == pytest.approx(1 / 61)
    assert order(ARMS, "rrf") == [3, 2, 1, 5]


def test_a_small_k_makes_first_places_count() -> None:
    """Page 9 is fourth in both arms, page 1 first in one."""
    arms = Arms({1: 1.0, 2: 0.9, 3: 0.8, 9: 0.7}, {}, {4: 1.0, 5: 0.9, 6: 0.8, 9: 0.7}, {})
    assert order(arms, "rrf", 60)[0] == 9
    assert order(arms, "rrf", 1)[0] == 1


SCORES = st.dictionaries(st.integers(1, 12), st.floats(0, 1), max_size=8)


@given(
    pages=SCORES, sections=SCORES, meaning=SCORES, strategy=st.sampled_from(["balanced", "set-union", "rrf"])
)
def test_nothing_that_an_arm_ranks_is_lost(
    pages: dict[int, float], sections: dict[int, float], meaning: dict[int, float], strategy: Strategy
) -> None:
    scores = scores_of(Arms(pages, sections, meaning, {}), Merge(strategy))
    assert set(scores) >= {*pages, *meaning}
    assert set(scores) <= {*pages, *sections, *meaning}
