"""The labelled pairs of notes in bench/labelled, by author, and those that follow from notes for training."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

LABELS = ("duplicate", "contradiction", "distinct")
FOLDER = Path(__file__).resolve().parent.parent / "bench" / "labelled"
FILES = {
    "own": "pairs-own.json",
    "kept aside": "pairs.json",
    "blind": "pairs-blind.json",
    "": "pairs-nasty.json",
    "fifth": "pairs-fifth.json",
    "sixth": "pairs-sixth.json",
    "ninth": "pairs-ninth.json",
    "thirteenth": "pairs-thirteenth.json",
    "seventeenth": "pairs-seventeenth.json",
}
AUTHORS = (
    "own",
    "kept aside",
    "blind",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "ninth",
    "thirteenth",
    "seventeenth",
)
OF_A_FRAME = 2  # times that a frame is filled for each label


class Task(NamedTuple):
    """What is asked of two texts: the labels with how much each counts, and in how many orders."""

    labels: dict[str, float]
    ways: int


# Two things that are called a contradiction cost more than a contradiction that is missed.
TASKS = {
    "notes": Task({"duplicate": 1.0, "contradiction": 1.0, "distinct": 1.6}, 2),
    "statements": Task({"contradiction": 1.0, "none": 1.6}, 2),
    "answers": Task({"answers": 1.3, "none": 1.0}, 1),
    "inference": Task({"entailment": 1.0, "contradiction": 1.0, "neutral": 1.0}, 1),
}


class Pair(NamedTuple):
    """Two texts, and what a careful reader says of them."""

    author: str
    first: str
    second: str
    label: str
    task: str = "notes"


def by_authors() -> list[Pair]:
    """The pairs that people have written one by one."""
    return [
        Pair(author or pair["by"], pair["first"], pair["second"], pair["label"])
        for author, file in FILES.items()
        for pair in _read(file)["pairs"]
    ]


def for_training() -> list[Pair]:
    """The pairs that follow from the notes written for training."""
    held = _read("pairs-training.json")
    found = [Pair("training", pair["first"], pair["second"], pair["label"]) for pair in held["pairs"]]
    drawn = random.Random(1)  # noqa: S311
    for note in held["notes"]:
        first, same, contrary, other = (note[name] for name in ("first", "same", "contrary", "distinct"))
        found.append(Pair("training", first, same, "duplicate"))
        found.append(Pair("training", drawn.choice((first, same)), contrary, "contradiction"))
        found.append(Pair("training", drawn.choice((first, same, contrary)), other, "distinct"))
    return found + [pair for frame in held["frames"] for pair in _filled(frame, drawn)]


def _read(file: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads((FOLDER / file).read_text("utf-8"))
    return held


def _filled(frame: dict[str, Any], drawn: random.Random) -> Iterator[Pair]:
    """Sentences of one frame: who or what it is about in one place, what is said of it in the other."""
    made = set()
    for _ in range(OF_A_FRAME):
        form, another = drawn.sample(frame["forms"], 2)
        subject, stranger = drawn.sample(frame["subjects"], 2)
        value, rival = drawn.sample(frame["values"], 2)
        contrary = "distinct" if frame["several"] else "contradiction"
        for label, second in (
            ("duplicate", (another, subject, value)),
            (contrary, (drawn.choice((form, another)), subject, rival)),
            ("distinct", (drawn.choice((form, another)), stranger, drawn.choice((value, rival, rival)))),
        ):
            made.add(Pair("training", _sentence(form, subject, value), _sentence(*second), label))
    yield from sorted(made)


def _sentence(form: str, subject: str, value: str) -> str:
    text = form.replace("{s}", subject).replace("{v}", value)
    text = text.replace("he the ", "he ")
    return text[0].upper() + text[1:]
