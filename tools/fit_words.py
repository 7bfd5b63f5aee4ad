"""Learn how evidence by words is weighed (src/quaid/kb/weights.json): python tools/fit_words.py [--check].

Multinomial logistic regression on the labelled pairs, the same result in every run. First it prints how right
the pairs of each author are judged by what the others teach; --check stops there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from labelled_pairs import AUTHORS, LABELS, Pair, by_authors, for_training
from numpy.typing import NDArray

from quaid.kb.statement import statement
from quaid.kb.verdict import WEIGHTS, evidence

Matrix = NDArray[np.float64]

PENALTY = 10.0
STEPS = 3_000
SURE = (0.4, 0.5, 0.6, 0.7, 0.8)  # probabilities from which on a verdict is given, to choose from
DIGITS = 4


def features(pairs: Sequence[Pair]) -> tuple[list[str], Matrix]:
    """The evidence of each pair."""
    found = [evidence(statement(pair.first), statement(pair.second)) for pair in pairs]
    return list(found[0]), np.array([list(each.values()) for each in found])


def fitted(given: Matrix, labels: Matrix) -> tuple[Matrix, Matrix]:
    """Weights and bias; each label counts as much as any other."""
    middle, spread = given.mean(axis=0), given.std(axis=0) + 1e-9
    scaled = (given - middle) / spread
    counts = labels / labels.sum(axis=0) * len(labels) / len(LABELS)
    importance = counts.sum(axis=1, keepdims=True)
    weights, bias = np.zeros((given.shape[1], len(LABELS))), np.zeros(len(LABELS))
    for _ in range(STEPS):
        wrong = (judged(scaled, weights, bias) - labels) * importance / len(given)
        weights -= scaled.T @ wrong + PENALTY / len(given) * weights
        bias -= wrong.sum(axis=0)
    weights /= spread[:, None]
    return weights, bias - middle @ weights


def judged(given: Matrix, weights: Matrix, bias: Matrix) -> Matrix:
    """The probability of each label."""
    sums = given @ weights + bias
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    result: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return result


def report(author: str, found: Matrix, labels: Matrix) -> None:
    """How many of each label are right, for each degree of certainty that may be asked for."""
    for sure in SURE:
        chosen = np.where(found[:, :2].max(axis=1) >= sure, found[:, :2].argmax(axis=1), 2)
        right = [int((chosen[labels[:, place] == 1] == place).sum()) for place in range(len(LABELS))]
        print(f"{author}, from {sure}: " + ", ".join(
            f"{name} {count}/{int(labels[:, place].sum())}"
            for place, (name, count) in enumerate(zip(LABELS, right, strict=True))
        ))  # fmt: skip


def main() -> None:
    """Leave each author out once, then learn from all."""
    pairs = [*by_authors(), *for_training()]
    names, given = features(pairs)
    authors = np.array([pair.author for pair in pairs])
    labels = np.array([[float(pair.label == label) for label in LABELS] for pair in pairs])
    for author in AUTHORS:
        learnt = fitted(given[authors != author], labels[authors != author])
        report(author, judged(given[authors == author], *learnt), labels[authors == author])
    if "--check" in sys.argv[1:]:
        return
    weights, bias = fitted(given, labels)
    held: dict[str, Any] = json.loads(WEIGHTS.read_text("utf-8"))
    held["bias"] = [round(float(each), DIGITS) for each in bias]
    held["weights"] = {
        name: [round(float(each), DIGITS) for each in row] for name, row in zip(names, weights, strict=True)
    }
    WEIGHTS.write_text(json.dumps(held, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
