"""Places on a map: what a person could see of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from quaid.graph.layout import FEW, positions


def groups(count: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of pages that are linked among themselves, each with the next by one link."""
    start, end = [], []
    for group in range(count):
        first = group * size
        pairs = [(first + one, first + (one * one + 3) % size) for one in range(size)]
        pairs += [(first + one, first + (one + 1) % size) for one in range(size)]
        pairs += [(first, (first + size) % (count * size))]
        start += [one for one, _ in pairs]
        end += [other for _, other in pairs]
    return np.array(start), np.array(end)


@pytest.mark.parametrize("size", [30, FEW // 4], ids=["each by each", "by a grid"])
def test_linked_pages_stand_together_and_all_stand_apart(size: int) -> None:
    places = positions(8 * size, *groups(8, size))
    assert np.array_equal(places, positions(8 * size, *groups(8, size))), "the same links, another map"
    middles = places.reshape(8, size, 2).mean(axis=1)
    own = np.hypot(*(places - np.repeat(middles, size, axis=0)).T)
    others = np.hypot(*(middles[:, None] - middles).T)[~np.eye(8, dtype=bool)]
    assert np.median(own) < np.median(others) / 2
    assert len(np.unique(places.round(4), axis=0)) == len(places)
    assert np.abs(places).max() == pytest.approx(1.0)


def test_pages_without_links_stand_around_the_others() -> None:
    places = positions(200, *groups(4, 20))
    away = np.hypot(*places.T)
    assert away[80:].min() > away[:80].max() * 0.99
    assert len(np.unique(places.round(4), axis=0)) == 200


@settings(max_examples=20)
@given(st.integers(0, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30))
def test_every_graph_has_a_map(pages: int, pairs: list[tuple[int, int]]) -> None:
    known = [(one, other) for one, other in pairs if one < pages and other < pages]
    links = np.array(known, np.int64).reshape(-1, 2)
    places = positions(pages, *links.T)
    assert places.shape == (pages, 2)
    assert np.isfinite(places).all()
    assert np.abs(places).max(initial=0.0) <= 1.0
