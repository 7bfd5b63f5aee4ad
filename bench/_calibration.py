"""Whether a probability means what it says: areas, reliability, and the regression behind the weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def area(high: Sequence[float], low: Sequence[float]) -> float:
    """The chance that a question of the first kind has more than one of the second."""
    order = sorted([(value, 1) for value in high] + [(value, 0) for value in low])
    ranks: dict[float, tuple[int, int]] = {}
    for place, (value, _) in enumerate(order, start=1):
        first, count = ranks.get(value, (place, 0))
        ranks[value] = (first, count + 1)
    total = sum(ranks[value][0] + (ranks[value][1] - 1) / 2 for value in high)
    most = len(high) * len(low)
    return (total - len(high) * (len(high) + 1) / 2) / most if most else 0.0


def reliability(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> list[list[object]]:
    """For each bin of confidence: how many questions, the mean confidence, and how many had an answer."""
    table: list[list[object]] = []
    for place in range(bins):
        inside = [(sure, answered) for sure, answered in pairs if min(bins - 1, int(sure * bins)) == place]
        if inside:
            mean = 100 * sum(sure for sure, _ in inside) / len(inside)
            share = 100 * sum(answered for _, answered in inside) / len(inside)
            name = f"{place / bins:.1f} to {(place + 1) / bins:.1f}"
            table.append([name, str(len(inside)), mean, share])
    return table


def regression(rows: Any, answered: Any, weights: Any, steps: int = 50, penalty: float = 1e-3) -> Any:
    """Weights and constant of a logistic regression, by Newton's method."""
    import numpy as np

    inputs = np.c_[np.asarray(rows, float), np.ones(len(rows))]
    wanted, counted = np.asarray(answered, float), np.asarray(weights, float)
    counted = counted / counted.sum()
    found = np.zeros(inputs.shape[1])
    ridge = penalty * np.diag([1.0] * (inputs.shape[1] - 1) + [0.0])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ ((chance - wanted) * counted) + ridge @ found
        bend = (inputs * (counted * chance * (1 - chance))[:, None]).T @ inputs + ridge
        found = found - np.linalg.solve(bend, slope)
    return found
