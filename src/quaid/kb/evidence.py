"""What two statements have in common and in what they differ, as numbers. Their order makes no odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log1p

from quaid.kb.statement import ALTERNATIVES, OPPOSITES, Statement, Word, beyond, is_same


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
        "same beginning": float(_same_place(topics, 0)),
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


def _same_place(topics: tuple[tuple[Word, ...], tuple[Word, ...]], place: int) -> bool:
    return all(topics) and is_same(topics[0][place].stem, topics[1][place].stem)


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
