"""How the arms are brought together, as it is documented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.search.merge import STANDING_WEIGHT, Arms, Merge, Strategy, merged, ranks

ARMS = Arms(
    wholes={1: 0.9, 2: 0.5, 3: 0.1},
    sections={2: 0.8, 4: 0.4},
    meaning={3: 0.7, 2: 0.6, 5: 0.5},
    standing={1: 0.0, 2: 2.0, 3: 3.0, 5: 1.0},
)


def order(arms: Arms, strategy: Strategy, k: int = 60) -> list[int]:
    scores = merged(arms, Merge(strategy, k))
    return sorted(scores, key=lambda page: (-scores[page], page))


def test_ranks() -> None:
    assert ranks({5: 0.1, 4: 0.9, 3: 0.1}) == {4: 1, 3: 2, 5: 3}


def test_balanced_adds_words_and_standing() -> None:
    scores = merged(ARMS, Merge())
    assert scores[1] == pytest.approx(0.45)
    assert scores[2] == pytest.approx((0.5 + 0.8) / 2 + 2 * STANDING_WEIGHT)
    assert scores[4] == pytest.approx(0.2)
    assert scores[5] == pytest.approx(STANDING_WEIGHT)
    assert order(ARMS, "balanced") == [2, 3, 1, 4, 5]


def test_set_union_is_meaning_first_then_what_only_words_found() -> None:
    assert order(ARMS, "set-union") == [3, 2, 5, 1]


def test_rrf_is_the_sum_of_reciprocal_ranks() -> None:
    scores = merged(ARMS, Merge("rrf"))
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
    scores = merged(Arms(pages, sections, meaning, {}), Merge(strategy))
    assert set(scores) >= {*pages, *meaning}
    assert set(scores) <= {*pages, *sections, *meaning}
