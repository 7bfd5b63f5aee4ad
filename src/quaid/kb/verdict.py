"""Whether two statements say the same, or cannot both hold.

A network that reads both (`embed/judge.py`) decides where it is at hand. By words alone, the evidence is
weighed with numbers that `tools/fit_words.py` has learnt from labelled pairs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from math import exp
from pathlib import Path
from typing import Literal, NamedTuple

from quaid.kb import evidence
from quaid.kb.statement import Statement, beyond

Kind = Literal["duplicate", "contradiction"]

WEIGHTS = Path(__file__).with_name("weights.json")
_PLAIN = ("a value", "opposites", "alternatives")
_CONCEIVABLE = 0.1


class Judgement(NamedTuple):
    """How probable it is that two texts say the same, contradict each other, or speak of two things."""

    duplicate: float
    contradiction: float
    distinct: float


class _Weights(NamedTuple):
    """What has been learnt: a bias and, for each piece of evidence, weights, for the three of a judgement."""

    # From which probability on there is a verdict: by words, by meaning, and by meaning for a contradiction;
    # and up to which probability of two things the likelier of both is said though neither is sure.
    sure: dict[str, float]
    bias: list[float]
    weights: dict[str, list[float]]


class Verdict(NamedTuple):
    """What two statements are to each other, how sure that is, and in what they differ."""

    kind: Kind
    score: float
    reason: str = ""


def verdict(one: Statement, other: Statement, judged: Judgement | None = None) -> Verdict | None:
    """What two statements are to each other; None if both can stand side by side."""
    seen = evidence.evidence(one, other)
    found = judged or by_words(seen)
    sure = _weights().sure
    same, contrary, two_things = found
    if same > contrary and (any(evidence.differing(one, other)) or evidence.turned(one, other)):
        # However alike they are, another value or a denial is not the same.
        same, contrary = 0.0, same + contrary
    if judged and contrary >= _CONCEIVABLE and any(seen[f"only {way} in between"] for way in _PLAIN):
        return Verdict("contradiction", contrary, reason(one, other))  # the same sentence with another value
    kind = "words" if judged is None else "meaning" if same > contrary else "contrary"
    related = judged is not None and two_things <= sure["two things"]
    if max(same, contrary) < sure[kind] and not related:
        return None
    if same > contrary:
        return Verdict("duplicate", same)
    return Verdict("contradiction", contrary, reason(one, other))


def by_words(found: Mapping[str, float]) -> Judgement:
    """The evidence, weighed. One word in common is enough only where the two say nothing else."""
    if found["in common"] < 1 + (not found["nothing of its own, both"]):
        return Judgement(0.0, 0.0, 1.0)
    held = _weights()
    sums = list(held.bias)
    for name, weights in held.weights.items():
        for place, weight in enumerate(weights):
            sums[place] += weight * found[name]
    powers = [exp(each - max(sums)) for each in sums]
    powers[0] *= found["in common"] > 1
    return Judgement(*(power / sum(powers) for power in powers))


def reason(one: Statement, other: Statement) -> str:
    """In what two statements differ, for people: "8443 against 9443"; "" where no single word says it."""
    for found in (evidence.differing, evidence.rivals, evidence.opposites):
        for mine, theirs in found(one, other):
            return f"{mine} against {theirs}"
    names = [
        [word.written for word in beyond(mine.topics, theirs.words) if word.kind == "name"]
        for mine, theirs in ((one, other), (other, one))
    ]
    if all(names):
        return f"{' '.join(names[0])} against {' '.join(names[1])}"
    denied = one.denials or other.denials
    return f"“{denied[0]}” in one of them" if denied and not (one.denials and other.denials) else ""


@cache
def _weights() -> _Weights:
    held = json.loads(WEIGHTS.read_text("utf-8"))
    return _Weights(held["sure"], held["bias"], held["weights"])
