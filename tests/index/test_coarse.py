"""Two stages find what one product finds, whatever happens to the file between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quaid.index import coarse
from quaid.index.coarse import CoarseScan, CoarseScores
from quaid.index.matrix import Rows, Scores

WIDTH = 48


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of few vectors is enough here."""
    monkeypatch.setattr(coarse, "LEAST", 100)


def rows(count: int, seed: int = 0) -> Rows:
    """Vectors that lie mostly in few directions, as those of texts do. More of them begin with the same."""
    rng = np.random.default_rng(seed)
    scales = 1 / (1 + np.arange(WIDTH)) ** 0.7
    turned = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0]
    vectors = (rng.standard_normal((5000, WIDTH)) * scales @ turned)[:count].astype("<f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Rows(np.arange(count, dtype=np.int64) + 1000 * seed, vectors, np.zeros((count, 4), "<f4"))


def exact(found: Rows, query: Any) -> Scores:
    return Scores(found.ids, found.vectors @ query, found.hashes)


def asked(scan: CoarseScan, found: Rows, query: Any) -> CoarseScores:
    scores = scan.scores(found, query)
    assert scores
    return scores


def agrees(scan: CoarseScan, found: Rows, seed: int = 0) -> bool:
    """Whether the ten nearest of some questions are those of the full product."""
    return all(
        dict(asked(scan, found, query).best(10))
        == pytest.approx(dict(exact(found, query).best(10)), abs=1e-5)
        for query in questions(seed)
    )


def questions(seed: int = 0) -> Any:
    return rows(5000, seed).vectors[-8:]


def test_the_nearest_and_how_cosines_are_spread(tmp_path: Path) -> None:
    found = rows(4000)
    scan = CoarseScan(tmp_path / "vectors-1")
    assert agrees(scan, found)
    query = found.vectors[17]
    assert asked(scan, found, query).mean == pytest.approx(exact(found, query).mean, abs=1e-4)
    assert asked(scan, found, query).deviation == pytest.approx(exact(found, query).deviation, abs=1e-4)


def test_the_nearest_among_some(tmp_path: Path) -> None:
    found = rows(4000)
    among = np.arange(0, 4000, 7)
    query = questions()[0]
    nearest = dict(asked(CoarseScan(tmp_path / "vectors-1"), found, query).best(5, among))
    assert nearest == pytest.approx(dict(exact(found, query).best(5, among)), abs=1e-5)
    assert asked(CoarseScan(tmp_path / "vectors-1"), found, query).best(5, among[:0]) == []


@pytest.mark.parametrize("before", [3000, 500, 4500])
def test_rows_that_came_or_went(tmp_path: Path, before: int) -> None:
    assert agrees(CoarseScan(tmp_path / "vectors-1"), rows(before))
    assert agrees(CoarseScan(tmp_path / "vectors-1"), rows(4000))


def test_a_file_of_other_rows_or_a_broken_one_is_made_anew(tmp_path: Path) -> None:
    assert agrees(CoarseScan(tmp_path / "vectors-1"), rows(4000, seed=1), seed=1)
    assert agrees(CoarseScan(tmp_path / "vectors-1"), rows(4000))
    file = tmp_path / "vectors-1-coarse"
    for damaged in (b"", b"nonsense" * 100, file.read_bytes()[:-4000]):
        file.write_bytes(damaged)
        assert agrees(CoarseScan(tmp_path / "vectors-1"), rows(4000))


def test_no_file_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "vectors-1-coarse").mkdir()
    found = rows(100)
    assert CoarseScan(tmp_path / "vectors-1").scores(found, found.vectors[0]) is None
