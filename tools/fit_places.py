"""Fit the model that says where something new belongs: python tools/fit_places.py [--without AUTHOR ...].

It learns from the sentences of `bench/labelled/remember*.json` and of the routing table: what is new, and the
lines whose place is known. It takes a minute and writes
src/quaid/routing/places.json; with --without, it only says how often it is right for those authors, beside
the rules.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from labelled_notebooks import A_DAY, CASES, KINDS, notebooks, read, reader

from quaid.embed.onnx import reads_latin
from quaid.errors import InvalidInput
from quaid.notebook.places import FILES
from quaid.routing import lists, places
from quaid.routing.lists import SHOPPING
from quaid.routing.places import FACTS, LIST
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Route, Shelf

TABLE = Path(__file__).resolve().parent.parent / "tests" / "routing" / "routing_table.json"
STEPS, PENALTY, RATE = 600, 0.01, 0.5
MAIN = 0.7  # what the first of several places counts, beside all of them
MENDED = 0.5  # what a sentence counts on which the rules were mended

Matrix = Any


class Placed(NamedTuple):
    """A sentence, the kinds of place where a person would look for it, the best first, and what rules say."""

    author: str
    said: str
    kinds: tuple[str, ...]
    voted: Route


def placed() -> Iterator[Placed]:
    """All sentences whose place is known and for which no list is named."""
    seen = set()
    for author, said, kinds in (*_of_notebooks(), *_of_cases(), *_of_table()):
        try:
            voted = route(said, Hints(day=A_DAY), Shelf(tuple(FILES)))[0]
        except InvalidInput:
            continue
        if kinds and reads_latin(said) and (author, said) not in seen and not places.is_named(voted):
            seen.add((author, said))
            yield Placed(author, said, tuple(dict.fromkeys(kinds)), voted)


def _of_notebooks() -> Iterator[tuple[str, str, list[str]]]:
    for notebook in notebooks():
        for each in notebook["said"]:
            if each["act"] == "new":
                yield notebook["author"], each["text"], _kinds(each, each["text"])
            elif isinstance(each["target"], int):
                line = notebook["lines"][each["target"]]
                yield notebook["author"], line, _kinds(each, line)
        for place, line in zip(notebook.get("places", ()), notebook["lines"], strict=False):
            name, _, own = place.partition(":")
            yield notebook["author"], line, _kinds({"place": name, "list": own}, line)


def _of_cases() -> Iterator[tuple[str, str, list[str]]]:
    for author, file in CASES.items():
        for case in read(file)["cases"]:
            gone = [each.casefold() for each in case.get("gone", ())]
            if case["kind"] not in KINDS:
                yield author, case["said"], _kinds(case, case["said"])
            for line in case["before"] if case["kind"] in KINDS else ():
                if any(each in line.casefold() for each in gone):
                    yield author, line, _kinds(case, line)


def _of_table() -> Iterator[tuple[str, str, list[str]]]:
    for row in json.loads(TABLE.read_text(encoding="utf-8"))["sentences"]:
        files = row["file"] if isinstance(row["file"], list) else [row["file"]]
        yield "table", row["text"], [places.kind_of(file) for file in files if file]


def _kinds(labelled: dict[str, Any], said: str) -> list[str]:
    """The kinds of place that a label allows; a list of a name of its own needs that name."""
    found: list[str] = []
    for place in (labelled["place"], *(labelled.get("also") or ())):
        if place == "lists":
            name = labelled.get("list") or ""
            kind = places.kind_of(f"lists/{lists.kind_of(name) or name}.md")
            found.append(SHOPPING if kind == LIST and name.lower() not in said.lower() else kind)
        else:
            found.append(place if place in places.KINDS else FACTS)
    return found


def fitted(given: Matrix, wanted: Matrix, counts: Matrix) -> tuple[Matrix, Matrix]:
    """Weights and bias of a linear model: gradient descent with momentum."""
    middle, spread = given.mean(axis=0), given.std(axis=0) + 0.05
    scaled = (given - middle) / spread
    weights, bias = np.zeros((given.shape[1], wanted.shape[1])), np.zeros(wanted.shape[1])
    moved, moved_bias = np.zeros_like(weights), np.zeros_like(bias)
    rate = RATE / (np.linalg.eigvalsh(scaled.T @ scaled)[-1] / len(scaled))
    for _ in range(STEPS):
        wrong = (judged(scaled, weights, bias) - wanted) * counts[:, None] / len(given)
        moved = 0.9 * moved - rate * (scaled.T @ wrong + PENALTY * weights)
        moved_bias = 0.9 * moved_bias - 0.1 * wrong.sum(axis=0)
        weights, bias = weights + moved, bias + moved_bias
    weights = weights / spread[:, None]
    return weights, bias - middle @ weights


def judged(given: Matrix, weights: Matrix, bias: Matrix) -> Matrix:
    """The probability of each kind."""
    sums = given @ weights + bias
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def wanted_of(each: Placed) -> list[float]:
    """How probable each kind is to be for a sentence."""
    share = (1 - MAIN) / len(each.kinds)
    return [MAIN * (kind == each.kinds[0]) + share * (kind in each.kinds) for kind in places.KINDS]


def report(author: str, those: Sequence[Placed], found: Matrix) -> None:
    """How often rules and model are right."""
    rules = sum(places.kind_of(each.voted.path) in each.kinds for each in those)
    right = sum(places.KINDS[row.argmax()] in each.kinds for row, each in zip(found, those, strict=True))
    print(f"{author}, {len(those)} sentences: rules {rules}, model {right}", flush=True)


def main() -> None:
    """Fit, and write what was learnt or say how good it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", action="append", default=[])
    given = parser.parse_args()
    those = [*placed()]
    votes = sorted({places.vote_of(each.voted) for each in those})
    rows = np.array(
        [
            places.numbers(each.said, places.vote_of(each.voted), votes, read_as, A_DAY)
            for each in those
            if (read_as := reader().summary(each.said)) is not None
        ],
        np.float64,
    )
    wanted = np.array([wanted_of(each) for each in those])
    authors = np.array([each.author for each in those])
    mended = np.isin(authors, [*CASES, "table"])
    counts = np.where(mended, MENDED, 1.0)
    for author in given.without:
        rest = authors != author
        learnt = fitted(rows[rest], wanted[rest], counts[rest])
        report(author, [each for each in those if each.author == author], judged(rows[~rest], *learnt))
    if not given.without:
        weights, bias = fitted(rows, wanted, counts)
        held = {
            "votes": votes,
            "weights": [[float(f"{number:.3g}") for number in column] for column in weights.T],
            "bias": [float(f"{number:.4g}") for number in bias],
        }
        places.FILE.write_text(json.dumps(held, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
