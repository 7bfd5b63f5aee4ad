"""Whether two statements say the same, or cannot both hold.

A network that reads both (`embed/judge.py`) decides where it is at hand. By words alone, the evidence is
weighed with numbers that `tools/fit_words.py` has learnt from labelled pairs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import exp, log1p
from pathlib import Path
from typing import Literal, NamedTuple

from quaid.kb.statement import ALTERNATIVES, OPPOSITES, Statement, Word, beyond, is_same

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
    seen = evidence(one, other)
    found = judged or by_words(seen)
    sure = _weights().sure
    same, contrary, two_things = found
    if same > contrary and (any(differing(one, other)) or turned(one, other)):
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
    for found in (differing, rivals, opposites):
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


def evidence(one: Statement, other: Statement) -> dict[str, float]:
    """Numbers by which two statements can be told to agree, to clash, or to be of two things."""
    topics = (one.topics, other.topics)
    against = {each for pair in (*rivals(one, other), *opposites(one, other)) for each in pair}
    own = tuple(
        [word for word in beyond(mine.topics, theirs.words) if not {word.stem, word.written} & against]
        for mine, theirs in ((one, other), (other, one))
    )
    rest = (beyond(one.words, other.words), beyond(other.words, one.words))
    kinds = tuple(Counter(word.kind for word in words) for words in own)
    same, clashing, partly, alone = _value_counts(one, other)
    denied = bool(one.denials), bool(other.denials)
    found = {
        **_both("topics shared", *(_share(a, b) for a, b in zip(topics, own, strict=True))),
        **_both("words shared", *(_share(a, b) for a, b in zip((one.words, other.words), rest, strict=True))),
        **_both("length", *(log1p(len(words)) for words in topics)),
        **_both("names of its own", *(min(count["name"], 3) for count in kinds)),
        **_both("things of its own", *(min(count["thing"], 3) for count in kinds)),
        **_both("deeds of its own", *(min(count["deed"], 3) for count in kinds)),
        "in common": min(_topics_shared(one, other), _topics_shared(other, one), 4) + same,
        "nothing of its own, one": float(not own[0] or not own[1]),
        "nothing of its own, both": float(not own[0] and not own[1]),
        "values equal": min(same, 3),
        "values other": min(clashing, 2),
        "values partly other": min(partly, 1),
        "values in one": min(alone, 2),
        "values equal only": float(same > 0 and not clashing and not partly),
        "one denies": float(denied[0] != denied[1]),
        "both deny": float(all(denied)),
        "opposites": float(any(opposites(one, other))),
        "alternatives": float(any(rivals(one, other))),
        "same beginning": float(all(topics) and is_same(topics[0][0].stem, topics[1][0].stem)),
        "beginning known": sum(bool(a) and a[0] not in b for a, b in zip(topics, own, strict=True)),
        "end known": sum(bool(a) and a[-1] not in b for a, b in zip(topics, own, strict=True)),
        "another order": float(_words_besides(topics[0], own[0]) != _words_besides(topics[1], own[1])),
    }
    values = [mine for mine, _ in differing(one, other)]
    ways = {
        "a value": len(values) == 1 and ", " not in values[0],
        "opposites": found["opposites"] > 0,
        "alternatives": found["alternatives"] > 0,
        "a denial": denied[0] != denied[1],
    }
    alone = sum(ways.values()) == 1 and len(values) < 2
    more = [bool(words) for words in own]
    for name, way in ways.items():
        found[f"only {name} in between"] = float(alone and way and not any(more))
        found[f"{name} in between, one says more"] = float(alone and way and more[0] != more[1])
    found["one denies what is shared"] = found["one denies"] * found["topics shared, most"]
    return found


def differing(one: Statement, other: Statement) -> Iterator[tuple[str, str]]:
    """The values of one dimension that each has alone, where the two have none in common."""
    for dimension in sorted(one.values.keys() & other.values.keys()):
        mine, theirs = _values_apart(one, other, dimension)
        if len(mine) == len(one.values[dimension]) and theirs:
            yield ", ".join(mine), ", ".join(theirs)


def turned(one: Statement, other: Statement) -> bool:
    """Whether the two say the same in the same order, and one of them denies it. Two denials are none."""
    return len(one.denials) % 2 != len(other.denials) % 2 and (
        [word.stem for word in one.topics] == [word.stem for word in other.topics]
    )


def rivals(one: Statement, other: Statement) -> Iterator[tuple[str, str]]:
    """The words of which people mostly use one for one purpose, where the two use others."""
    mine, theirs = _by_dimension(one), _by_dimension(other)
    for group in sorted(mine.keys() & theirs.keys()):
        if not {word.stem for word in mine[group]} & {word.stem for word in theirs[group]}:
            yield mine[group][0].written, theirs[group][0].written


def opposites(one: Statement, other: Statement) -> Iterator[tuple[str, str]]:
    """The words that exclude each other, of which each statement has one."""
    for pair in OPPOSITES:
        mine, theirs = one.stems & pair, other.stems & pair
        if len(mine) == 1 and len(theirs) == 1 and mine != theirs:
            yield min(mine), min(theirs)


def _topics_shared(one: Statement, other: Statement) -> int:
    """How many topics of a statement the other one has."""
    own = {word.stem for word in beyond(one.topics, other.words)}
    return len({word.stem for word in one.topics} - own)


def _both(name: str, one: float, other: float) -> dict[str, float]:
    return {f"{name}, least": min(one, other), f"{name}, most": max(one, other)}


def _share(words: tuple[Word, ...], missing: list[Word]) -> float:
    return 1 - len(missing) / len(words) if words else 0.0


def _words_besides(words: tuple[Word, ...], missing: list[Word]) -> list[str]:
    return [word.stem for word in words if word not in missing]


def _by_dimension(stated: Statement) -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    for word in stated.words:
        if word.stem in ALTERNATIVES:
            found.setdefault(ALTERNATIVES[word.stem], []).append(word)
    return found


def _value_counts(one: Statement, other: Statement) -> tuple[int, int, int, int]:
    """Of how many dimensions the two have values that are equal, all others, some others, or in one alone."""
    same = clashing = partly = alone = 0
    for dimension in one.values.keys() | other.values.keys():
        mine, theirs = _values_apart(one, other, dimension)
        some = len(mine) < len(one.values.get(dimension, ()))
        same += some
        if mine and theirs:
            partly, clashing = partly + some, clashing + (not some)
        else:
            alone += bool(mine or theirs)
    return same, clashing, partly, alone


def _values_apart(one: Statement, other: Statement, dimension: str) -> tuple[list[str], list[str]]:
    mine, theirs = (stated.values.get(dimension, frozenset()) for stated in (one, other))
    return (
        sorted(value for value in mine if not any(_equal(dimension, value, each) for each in theirs)),
        sorted(value for value in theirs if not any(_equal(dimension, value, each) for each in mine)),
    )


def _equal(dimension: str, one: str, other: str) -> bool:
    """Whether two values can be one: of a day the year may be missing, of a clock the half of the day."""
    if one == other:
        return True
    if dimension == "day":
        first, second = one.split(), other.split()
        return first[:2] == second[:2] and len(first) != len(second)
    if dimension == "clock":
        (hour, minute), (late, after) = one.split(":"), other.split(":")
        return minute == after and int(hour) % 12 == int(late) % 12
    return dimension == "number" and (one.startswith(f"{other}.") or other.startswith(f"{one}."))
