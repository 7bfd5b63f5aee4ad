"""The few lines of a notebook that a sentence may be about, and how a network is shown them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from quaid.formats.figures import figures
from quaid.model.record import record
from quaid.routing import days
from quaid.routing.finder import Line, names_of
from quaid.routing.stems import stems

MOST = 16  # lines that are read together with what is said
NEWEST = 3  # that are always among them
JUST_NOW = 3  # more lines of one age than that were not just said
NAMED = 0.3  # what a word of a heading or a file's name counts, beside one of the line itself


@record
class Likely:
    """A line that may be meant: its share of the words that are said, and how many lines are newer."""

    line: Line
    shared: float
    newer: int
    just_said: bool

    @property
    def network_text(self) -> str:
        """What the network reads: the line, the name of its file, and whether it was the last."""
        said = f"{self.line.stem.replace('-', ' ')}: {days.undated(self.line.text)}"
        return f"just now, {said}" if self.just_said else said


def likely(said: str, lines: Sequence[Line], near: Callable[[], Collection[Line]] = tuple) -> list[Likely]:
    """The lines that share the most with what is said, and the newest; all of a small notebook.

    `near` are lines that others have found, for which nobody is asked where few lines are there.
    """
    asked = stems(figures(said))  # `Fri` and `Friday` are one word
    held = [(stems(figures(each.text)), names_of(each)) for each in lines]
    counts = {word: sum(word in own for own, _ in held) for word in asked}
    weights = {word: math.log(1 + len(lines) / max(count, 1)) for word, count in counts.items()}
    whole = sum(weights.values()) or 1.0
    ages = sorted({each.age for each in lines}, reverse=True)
    newest = [each.age for each in lines].count(ages[0]) if ages else 0
    found: list[Likely] = []
    for line, (own, names) in zip(lines, held, strict=True):
        shared = sum(weights[word] * (1.0 if word in own else NAMED) for word in asked & (own | names))
        newer = ages.index(line.age)
        found.append(Likely(line, shared / whole, newer, newer == 0 and newest <= JUST_NOW))
    if len(found) <= MOST:
        return found
    also = set(near())
    found.sort(
        key=lambda each: (each.newer < NEWEST, each.line in also, each.shared, -each.newer), reverse=True
    )
    return found[:MOST]
