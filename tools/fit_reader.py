"""Fit what tells a text that answers from one that seems to: python tools/fit_reader.py [--without SET ...].

Weights on the states of the reranker half way up (`quaid.embed.rerank`) learn from the sets of
`bench/labelled/questions.json` and from the labelled notebook and nodes: of each question the texts that
answer it, and the nearest of the others; of each question that only seems to be answered, the nearest texts.
It takes some minutes and writes src/quaid/embed/reader.json; with --without, it only says how well the sets
that were left out are told.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quaid.embed.embedder import embed_query
from quaid.embed.plugin import Context
from quaid.embed.registry import DEFAULT_MODEL, open_embedder
from quaid.embed.rerank import HEAD, open_reranker
from quaid.settings import Settings

Matrix = Any  # of NumPy

_SMALL = "what|when|where|which|whose|who|does|have|has|that|with|from|much|many|did|how|the|and|for"
_TELLING = re.compile(rf"\b(?!(?:{_SMALL})\b)\w[\w'’]{{2,}}", re.IGNORECASE)
LABELLED = Path(__file__).parents[1] / "bench" / "labelled"
NEAREST, UNANSWERED = 6, 4  # texts that do not answer: where others do, and where none does
PENALTY = 1_000.0  # on the square of each weight, of states of one standard deviation
ANSWERS = 2.0  # what a text that answers counts: there are fewer


class Set(NamedTuple):
    """Texts, and questions with the places of the texts that answer them: none for a near miss."""

    name: str
    texts: list[str]
    questions: list[tuple[str, list[int]]]


class Pair(NamedTuple):
    """A question, a text, and whether it answers; `seeming` if no text does."""

    set: str
    question: str
    text: str
    answers: bool
    seeming: bool


def sets() -> Iterator[Set]:
    """Everything that is labelled."""
    for number, each in enumerate(_read("questions")["sets"]):
        asked = [(one["question"], one["answers"]) for one in each["questions"]]
        near: list[tuple[str, list[int]]] = [(one, []) for one in each["unanswerable"]]
        yield Set(f"{each['kind']}-{number}", each["texts"], [*asked, *near])
    known = _read("notebook")
    yield _set("notebook", [each["said"] for each in known["sentences"]], known, lambda each: each["answers"])
    known = _read("nodes")
    titles = [each["title"] for each in known["nodes"]]
    texts = [f"{each['title']}. {' '.join(each['body'].split()[:40])}" for each in known["nodes"]]
    yield _set("nodes", texts, known, lambda each: [titles.index(each["node"])])


def _set(name: str, texts: list[str], known: Any, answers: Any) -> Set:
    asked = [(each["question"], answers(each)) for each in known["questions"]]
    near: list[tuple[str, list[int]]] = [
        (each["question"], []) for each in known["unanswerable"] if each.get("kind") != "other"
    ]
    return Set(name, texts, [*asked, *near])


def _read(name: str) -> Any:
    return json.loads((LABELLED / f"{name}.json").read_text(encoding="utf-8"))


def pairs(chosen: Sequence[Set], context: Context) -> Iterator[Pair]:
    """What is read of each set."""
    embedder = open_embedder(DEFAULT_MODEL, context)
    for each in chosen:
        vectors = embedder.embed(each.texts)
        for place, (question, answers) in enumerate(each.questions):
            near = np.argsort(-(vectors @ embed_query(embedder, question))).tolist()
            others = [number for number in near if number not in answers]
            # People ask with mere words too, and answers are no rarer then.
            asked = " ".join(_TELLING.findall(question)) if place % 3 == 2 else question
            for number in [*answers, *others[: NEAREST if answers else UNANSWERED]]:
                text = each.texts[number]
                # As a notebook has it: below a title and a heading, which mostly say little.
                if each.name.startswith("notebook") and (place + number) % 2:
                    words = each.texts[(number * 7 + place) % len(each.texts)].split()
                    text = f"Facts. {' '.join(words[:2])}. {text}"
                yield Pair(each.name, asked, text, number in answers, not answers)


def states(found: Sequence[Pair], context: Context) -> tuple[Matrix, Matrix]:
    """The reranker's logit and states of each pair."""
    reader = open_reranker(context)
    if reader is None:
        raise SystemExit("The reranker's files are missing.")
    logits, rows = [], []
    for pair in found:
        [(logit, state)] = reader.states(pair.question, [pair.text], 1_000)
        logits.append(logit)
        rows.append(state)
    return np.array(logits), np.array(rows, np.float64)


def fitted(rows: Matrix, answers: Matrix, counts: Matrix) -> tuple[Matrix, float]:
    """Weights and constant of a logistic regression, by Newton's method."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    given = np.c_[(rows - middle) / spread, np.ones(len(rows))]
    penalty = np.r_[np.full(rows.shape[1], PENALTY), 0.0]
    weights = np.zeros(given.shape[1])
    for _ in range(12):
        said = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (counts * (said - answers)) + penalty * weights
        curve = (given * (counts * said * (1 - said))[:, None]).T @ given + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    plain = weights[:-1] / spread
    return plain, float(weights[-1] - plain @ middle)


def counted(found: Sequence[Pair]) -> Matrix:
    """What each pair counts."""
    return np.array([ANSWERS if each.answers else 1.0 for each in found])


def report(name: str, said: Matrix, found: Sequence[Pair]) -> None:
    """How often a text that answers comes first, and how well near misses and missing answers are told."""
    groups: dict[str, list[int]] = {}
    for place, each in enumerate(found):
        groups.setdefault(each.question, []).append(place)
    known = [places for places in groups.values() if not found[places[0]].seeming]
    best = [max(places, key=lambda place: said[place]) for places in known]
    high = [said[place] for place in best]
    near = [max(said[place] for place in places) for places in groups.values() if found[places[0]].seeming]
    without = [max(said[place] for place in places if not found[place].answers) for places in known]
    first = sum(found[place].answers for place in best)
    areas = f"near misses {_area(high, near):.3f}, answers taken away {_area(high, without):.3f}"
    print(f"{name}: first {first} of {len(known)}, area of {areas}")


def _area(high: Sequence[float], low: Sequence[float]) -> float:
    if not low:
        return 0.0
    more = np.subtract.outer(np.array(high), np.array(low))
    return float((more > 0).mean() + (more == 0).mean() / 2)


def main() -> None:
    """Fit, and write or report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", action="append", default=[], help="The beginning of a set's name.")
    given = parser.parse_args()
    context = Context(Settings(), {}, Path())
    found = list(pairs(list(sets()), context))
    logits, rows = states(found, context)
    out = np.array([each.set.startswith(tuple(given.without)) for each in found], bool)
    answers = np.array([each.answers for each in found], float)
    weights, constant = fitted(rows[~out], answers[~out], counted(found)[~out])
    if not given.without:
        told = {"constant": round(constant, 4), "weights": [float(f"{each:.3g}") for each in weights]}
        HEAD.write_text(json.dumps(told) + "\n", encoding="utf-8")
        return
    for name in given.without:
        places = [place for place, each in enumerate(found) if each.set.startswith(name)]
        own = [found[place] for place in places]
        report(f"{name}, by the logit", logits[places], own)
        report(f"{name}, fitted", rows[places] @ weights + constant, own)


if __name__ == "__main__":
    main()
