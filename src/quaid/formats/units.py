"""Numbers with their units, as `units.txt` knows them: 130 psi are 9 bar, 667 square feet are 62 m².

What a unit is called may mean several (a pound weighs or buys), and some are of several sizes (a gallon): two
measures agree if they do in any sense, and are apart only if they are so in all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from quaid.formats.phrase_files import sections
from quaid.model.record import record

_DEGREE = 1.0  # temperatures that differ by no more are one: a share of what is near zero says nothing
_SIZE = re.compile(r"(?P<factor>[\d.]+)(?:\s*(?P<sign>[+-])\s*(?P<offset>[\d.]+))?")
_NUMBER = r"(?<![\w.,:/#+-])(?P<number>\d+(?:\.\d+)?)"
_BETWEEN = re.compile(r"\s*(?:and\s+|,\s*)?")


@record
class Unit:
    """A unit of one dimension: what one of it may be in the first unit of that, and what is added."""

    name: str
    dimension: str
    sizes: tuple[tuple[float, float], ...]


@record
class Measure:
    """A number of a unit, in the first unit of each dimension of which it may be."""

    unit: str
    numbers: tuple[tuple[str, float], ...]  # with their dimensions
    start: int = 0
    end: int = 0

    @property
    def dimensions(self) -> frozenset[str]:
        """What it may measure."""
        return frozenset(dimension for dimension, _ in self.numbers)

    def agrees(self, other: Measure, share: float) -> bool:
        """Whether both may be one, if they differ by no more than a share of the larger one."""
        return any(
            abs(one - two) <= (_DEGREE if dimension == "temperature" else share * max(abs(one), abs(two)))
            for dimension, one in self.numbers
            for another, two in other.numbers
            if dimension == another
        )


@cache
def units() -> Mapping[str, tuple[Unit, ...]]:
    """What each spelling may mean."""
    found: dict[str, tuple[Unit, ...]] = {}
    for dimension, lines in sections(Path(__file__).with_name("units.txt")).items():
        for line in lines:
            spelled, _, said = line.partition(" = ")
            spellings = spelled.split(", ")
            sizes = tuple(map(_size, said.split(" | ")))
            for spelling in {form for each in spellings for form in (each, f"{each}s")}:
                found[spelling] = (*found.get(spelling, ()), Unit(spellings[0], dimension, sizes))
    return found


def _size(text: str) -> tuple[float, float]:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"no size of a unit: {text!r}")
    offset = float(match["offset"] or 0)
    return float(match["factor"]), -offset if match["sign"] == "-" else offset


@cache
def _expression() -> re.Pattern[str]:
    longest_first = sorted(units(), key=len, reverse=True)
    spelled = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in longest_first)
    return re.compile(rf"{_NUMBER}[\s-]?(?P<unit>{spelled})(?![\w²³])", re.IGNORECASE)


def measures(text: str) -> tuple[Measure, ...]:
    """The measures of a text whose numbers are in plain figures; `1 h 30 min` is one."""
    found: list[Measure] = []
    for match in _expression().finditer(text):
        spelling = " ".join(match["unit"].lower().split())
        number = float(match["number"])
        meant = units()[spelling]
        numbers = tuple(
            (unit.dimension, number * factor + offset) for unit in meant for factor, offset in unit.sizes
        )
        measure = Measure(meant[0].name, numbers, match.start(), match.end())
        if found and _goes_on(found[-1], measure, text):
            found[-1] = _sum(found[-1], measure)
        else:
            found.append(measure)
    return tuple(found)


def measure_of(text: str) -> Measure | None:
    """The measure that a text is, if it is one and nothing else."""
    found: Sequence[Measure] = measures(text)
    whole = len(found) == 1 and not text[: found[0].start].strip() and not text[found[0].end :].strip(" .")
    return found[0] if whole else None


def _goes_on(one: Measure, other: Measure, text: str) -> bool:
    """Whether one adds a smaller unit to another: 6 feet 2 inches."""
    near = _BETWEEN.fullmatch(text[one.end : other.start]) is not None
    shared = [(a, b) for kind, a in one.numbers for like, b in other.numbers if kind == like]
    return near and one.unit != other.unit and bool(shared) and all(b < a for a, b in shared)


def _sum(one: Measure, other: Measure) -> Measure:
    numbers = tuple((kind, a + b) for kind, a in one.numbers for like, b in other.numbers if kind == like)
    return Measure(f"{one.unit} {other.unit}", numbers, one.start, other.end)
