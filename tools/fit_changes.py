"""Fit the model that weighs what network and rules say of a line: python tools/fit_changes.py AUTHOR ...

The authors are some whom the network (`tools/train_changes.py`) has not read: of the others it is too sure.
For each of them it says what the others teach: how many lines that are meant are found from each degree of
certainty on, and how often something new would change a line. Then it writes src/quaid/routing/changes.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from labelled_notebooks import READER, Told, all_told

from quaid.embed.changes import CHANGES
from quaid.embed.judge import Judge
from quaid.embed.weights import PACKAGED
from quaid.routing import evidence, finder, sentences
from quaid.routing.amendments import readings
from quaid.routing.decision import believed
from quaid.routing.likely_lines import likely

PENALTY, STEPS, UNCLEAR = 3.0, 60, 0.5
DEGREES = (0.5, 0.6, 0.65, 0.7, 0.8)

Matrix = Any


class Weighed(NamedTuple):
    """A sentence, the signs of each line that it may mean, and whether it means it."""

    told: Told
    signs: Matrix
    meant: Matrix


def weighed(told: Told, judge: Judge) -> Weighed:
    """What the network and the rules say of the likely lines."""
    said = sentences.core(told.said)
    fit = believed(finder.find(list(readings(said)), told.lines, told.day, said))
    found = likely(said, told.lines)
    odds = judge.judge(said, [each.shown for each in found])
    read = [(each, one) for each, one in zip(found, odds, strict=True) if one]
    shares = evidence.shares([one for _, one in read])
    signs = [
        evidence.signs(said, each, one, share, fit, told.day)
        for (each, one), share in zip(read, shares, strict=True)
    ]
    meant = [float(each.line in told.targets and told.label != "unrelated") for each, _ in read]
    return Weighed(told, np.array(signs), np.array(meant))


def fitted(those: Sequence[Weighed]) -> Matrix:
    """The weights of a logistic model, by Newton's method."""
    given = np.concatenate([each.signs for each in those])
    wanted = np.concatenate([each.meant for each in those])
    counts = np.concatenate(
        [np.full(len(each.meant), UNCLEAR if each.told.label == "ambiguous" else 1.0) for each in those]
    )
    weights, penalty = np.zeros(given.shape[1]), PENALTY * np.eye(given.shape[1])
    penalty[0, 0] = 1e-6
    for _ in range(STEPS):
        found = 1 / (1 + np.exp(-np.clip(given @ weights, -30, 30)))
        slope = given.T @ ((found - wanted) * counts) + penalty @ weights
        bend = (given * (counts * found * (1 - found))[:, None]).T @ given + penalty
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def report(author: str, those: Sequence[Weighed], weights: Matrix) -> None:
    """How many lines are found, and how often something new changes one, from each degree of certainty on."""
    best = [(each, int((each.signs @ weights).argmax())) for each in those]
    sure = [1 / (1 + np.exp(-(each.signs @ weights)[place])) for each, place in best]
    changes = [each.told.label not in ("unrelated", "ambiguous") for each, _ in best]
    new = [each.told.label == "unrelated" for each, _ in best]
    right = [each.meant[place] > 0 for each, place in best]
    for degree in DEGREES:
        found = sum(
            is_one and ok and one >= degree for is_one, ok, one in zip(changes, right, sure, strict=True)
        )
        wrong = sum(is_new and one >= degree for is_new, one in zip(new, sure, strict=True))
        print(
            f"{author}, from {degree}: {found} of {sum(changes)} lines found, "
            f"{wrong} of {sum(new)} new sentences change one"
        )


def main() -> None:
    """Fit, say how good it is for each author, and write what was learnt from all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("authors", nargs="+", help="Authors whom the network has not read.")
    given = parser.parse_args()
    judge = Judge(READER, PACKAGED / CHANGES.name / CHANGES.weights.name, CHANGES, workers=1)
    those = [weighed(each, judge) for each in all_told(given.authors) if each.lines]
    for author in given.authors:
        others = [each for each in those if each.told.author != author]
        if others:
            report(author, [each for each in those if each.told.author == author], fitted(others))
    weights = [float(f"{number:.4g}") for number in fitted(those)]
    evidence.FILE.write_text(json.dumps({"weights": weights}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
