"""Fit the model that weighs what network and rules say of a line: python tools/fit_changes.py ODDS ...

The files are what `tools/train_notes.py --without AUTHOR --odds FILE` has written, of networks that have
not read those authors: of those that it has read, a network is too sure. For each it says what the others
teach: how many lines that are meant are found from each degree of certainty on, and how often something new
would change a line. Then it writes src/quaid/routing/changes.json.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from labelled_notebooks import Told

from quaid.routing import evidence, finder, sentences
from quaid.routing.amendments import readings
from quaid.routing.decision import credible_fit

PENALTY, STEPS, UNCLEAR = 3.0, 60, 0.5
DEGREES = (0.4, 0.5, 0.6, 0.65, 0.7, 0.8)

Matrix = Any


class Weighed(NamedTuple):
    """A sentence, the signs of each line that it may mean, and whether it means it."""

    told: Told
    signs: Matrix
    meant: Matrix


def weighed(file: Path) -> Iterator[Weighed]:
    """What a network and the rules say of the likely lines of each sentence."""
    for told, found, odds in pickle.loads(file.read_bytes()):  # noqa: S301  # our own
        if not found:
            continue
        said = sentences.core(told.said)
        fit = credible_fit(finder.find(list(readings(said)), told.lines, told.day, said))
        signs = evidence.all_signs(said, found, odds, fit, told.day)
        meant = [float(each.line in told.targets and told.label != "unrelated") for each in found]
        yield Weighed(told, np.array(signs), np.array(meant))


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
    parser.add_argument("odds", nargs="+", type=Path, help="What networks say of authors left out.")
    given = parser.parse_args()
    those = [each for file in given.odds for each in weighed(file)]
    for author in dict.fromkeys(each.told.author for each in those):
        others = [each for each in those if each.told.author != author]
        if others:
            report(author, [each for each in those if each.told.author == author], fitted(others))
    weights = [float(f"{number:.4g}") for number in fitted(those)]
    evidence.FILE.write_text(json.dumps({"weights": weights}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
