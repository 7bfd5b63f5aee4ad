"""Two stages find what one product finds, whatever happens to the file between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quaid.index import coarse
from quaid.index.coarse import CoarseScan, CoarseScores
from quaid.index.codes import code
from quaid.index.matrix import Rows, Scores, type_of

WIDTH = 48


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of few vectors is enough here."""
    monkeypatch.setattr(coarse, "LEAST", 100)


class Found:
    """Vectors, and what a memory would have of them: codes, and the vectors in full."""

    def __init__(self, count: int, seed: int = 0) -> None:
        """They lie mostly in few directions, as those of texts do. More of them begin with the same."""
        rng = np.random.default_rng(seed)
        scales = 1 / (1 + np.arange(WIDTH)) ** 0.7
        turned = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0]
        self.vectors = (rng.standard_normal((5000, WIDTH)) * scales @ turned)[:count].astype("<f4")
        self.vectors /= np.linalg.norm(self.vectors, axis=1, keepdims=True)
        self._first = 1000 * seed
        coded = np.zeros(count, type_of(WIDTH))
        code(coded, self.vectors)
        coded["id"] = np.arange(count) + self._first
        self.rows = Rows(np.ascontiguousarray(coded["id"]), coded)

    def in_full(self, ids: Any) -> Any:
        return self.vectors[ids - self._first]


def best(found: Found, query: Any, count: int, among: Any = None) -> dict[int, float]:
    """The nearest by a product over all vectors in full."""
    cosines = found.vectors @ query
    places = np.arange(len(cosines)) if among is None else among
    nearest = sorted(places.tolist(), key=lambda place: -cosines[place])[:count]
    return {place: float(cosines[place]) for place in nearest}


def asked(scan: CoarseScan, found: Found, query: Any) -> CoarseScores:
    scores = scan.scores(found.rows, query, found.in_full)
    assert scores
    return scores


def agrees(scan: CoarseScan, found: Found, seed: int = 0) -> bool:
    """Whether the ten nearest of some questions are those of the full product."""
    return all(
        dict(asked(scan, found, query).best(10)) == pytest.approx(best(found, query, 10), abs=1e-6)
        for query in questions(seed)
    )


def questions(seed: int = 0) -> Any:
    return Found(5000, seed).vectors[-8:]


def test_the_nearest_and_how_cosines_are_spread(tmp_path: Path) -> None:
    found = Found(4000)
    scan = CoarseScan(tmp_path / "vectors-1")
    assert agrees(scan, found)
    query = found.vectors[17]
    cosines = found.vectors @ query
    assert asked(scan, found, query).mean == pytest.approx(cosines.mean(), abs=1e-4)
    assert asked(scan, found, query).deviation == pytest.approx(cosines.std(), abs=1e-4)


def test_the_nearest_among_some(tmp_path: Path) -> None:
    found = Found(4000)
    among = np.arange(0, 4000, 7)
    query = questions()[0]
    nearest = dict(asked(CoarseScan(tmp_path / "vectors-1"), found, query).best(5, among))
    assert nearest == pytest.approx(best(found, query, 5, among), abs=1e-6)
    assert asked(CoarseScan(tmp_path / "vectors-1"), found, query).best(5, among[:0]) == []


def test_one_stage_is_exact_where_it_matters() -> None:
    found = Found(4000)
    for query in questions():
        scores = Scores(found.rows, query, found.in_full)
        assert dict(scores.best(10)) == pytest.approx(best(found, query, 10), abs=1e-6)
        assert np.abs(scores.cosines - found.vectors @ query).max() < 0.005
        assert scores.mean == pytest.approx((found.vectors @ query).mean(), abs=1e-4)


def test_a_vector_that_has_gone_meanwhile_counts_by_its_codes() -> None:
    found, query = Found(100), questions()[0]

    def in_full(ids: Any) -> Any:
        return np.where((ids == 7)[:, None], np.float32(np.nan), found.vectors[ids])

    assert Scores(found.rows, query, in_full).at(np.array([6, 7])) == pytest.approx(
        found.vectors[6:8] @ query, abs=0.005
    )


@pytest.mark.parametrize("before", [3000, 500, 4500])
def test_rows_that_came_or_went(tmp_path: Path, before: int) -> None:
    assert agrees(CoarseScan(tmp_path / "vectors-1"), Found(before))
    assert agrees(CoarseScan(tmp_path / "vectors-1"), Found(4000))


def test_a_file_of_other_rows_or_a_broken_one_is_made_anew(tmp_path: Path) -> None:
    assert agrees(CoarseScan(tmp_path / "vectors-1"), Found(4000, seed=1), seed=1)
    assert agrees(CoarseScan(tmp_path / "vectors-1"), Found(4000))
    file = tmp_path / "vectors-1-coarse"
    for damaged in (b"", b"nonsense" * 100, file.read_bytes()[:-4000]):
        file.write_bytes(damaged)
        assert agrees(CoarseScan(tmp_path / "vectors-1"), Found(4000))


def test_no_file_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "vectors-1-coarse").mkdir()
    found = Found(100)
    assert CoarseScan(tmp_path / "vectors-1").scores(found.rows, found.vectors[0], found.in_full) is None
