"""The labelled sentences of bench/labelled that are told to a notebook, and which of its lines is meant."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from quaid.embed import lower
from quaid.embed.judge import Judge
from quaid.embed.onnx import OnnxFiles
from quaid.embed.weights import PACKAGED
from quaid.errors import InvalidInput
from quaid.model.record import replace
from quaid.notebook.places import FILES
from quaid.routing import days
from quaid.routing.finder import Line
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Shelf

FOLDER = Path(__file__).resolve().parent.parent / "bench" / "labelled"
LABELS = ("unrelated", "amended", "removed", "done")
CASES = {"own": "remember-own.json", "kept aside": "remember.json", "blind": "remember-blind.json"}
ACTS = {"amend": "amended", "remove": "removed", "done": "done", "new": "unrelated"}
KINDS = {"correction": "amended", "change of mind": "amended", "removal": "removed", "completion": "done"}
# Sentences of notebooks that a careful reader may take for the news of something that is written there.
NEWS = {
    "notebook.json": {112, 119, 120},
    "notebook-blind.json": {36, 54, 62, 84, 91, 95, 96, 101, 102, 112, 118, 120, 124},
}
READER = OnnxFiles(*(PACKAGED / lower.NAME / file.name for file in (lower.WEIGHTS, lower.TOKENIZER)))
A_DAY = date(2026, 11, 16)


class Told(NamedTuple):
    """A sentence, the lines that stand there when it is said, and what it does to which of them."""

    author: str
    said: str
    lines: tuple[Line, ...]
    label: str
    targets: tuple[Line, ...]  # of two, either may be meant
    day: date = A_DAY
    result: str = ""  # what an amended line says then


def all_told(authors: Sequence[str] = ()) -> list[Told]:
    """The sentences of all authors, or of some who wrote for training."""
    if authors:
        return [*_of_notebooks(authors)]
    return [*_of_notebooks(), *_of_cases(), *_ordinary()]


def notebooks() -> list[dict[str, Any]]:
    """The notebooks of all authors who wrote for training."""
    return [
        notebook
        for file in sorted(FOLDER.glob("remember-training*.json"))
        for notebook in json.loads(file.read_text(encoding="utf-8"))["notebooks"]
    ]


def _of_notebooks(authors: Sequence[str] = ()) -> Iterator[Told]:
    for notebook in notebooks():
        if authors and notebook["author"] not in authors:
            continue
        lines = _written(notebook["lines"], A_DAY)
        for said in notebook["said"]:
            meant = said["target"] if isinstance(said["target"], list) else [said["target"]]
            targets = tuple(
                line
                for place in meant
                if place is not None
                for line in _said_by(lines, notebook["lines"], place)
            )
            label = ACTS.get(said["act"], "ambiguous")
            result = said.get("result") or ""
            if result and targets:
                result = _without_head(result, notebook["lines"][meant[0]], targets[0])
            yield Told(notebook["author"], said["text"], lines, label, targets, result=result)


def variants(authors: Collection[str]) -> Iterator[Told]:
    """What some authors' notebooks say besides: each with a line less, or with one as it became.

    Without the line that is meant, a sentence is news beside all others, and so is a line before it was
    written. The old wording, said of a line with the new one, changes that back.
    """
    for notebook in notebooks():
        if notebook["author"] not in authors:
            continue
        lines = _written(notebook["lines"], A_DAY)
        for place, text in enumerate(notebook["lines"]):
            others = tuple(line for line in lines if line.age != f"{place:05}")
            yield Told(notebook["author"], text, others, "unrelated", ())
        for said in notebook["said"]:
            target = said["target"]
            if said["act"] == "new" or not isinstance(target, int):
                continue
            others = tuple(line for line in lines if line.age != f"{target:05}")
            yield Told(notebook["author"], said["text"], others, "unrelated", ())
            own = _said_by(lines, notebook["lines"], target)
            if said.get("result") and own:
                became = replace(
                    own[0], text=_without_head(said["result"], notebook["lines"][target], own[0])
                )
                told = tuple(became if line == own[0] else line for line in lines)
                yield Told(notebook["author"], notebook["lines"][target], told, "amended", (became,))


def _without_head(result: str, text: str, line: Line) -> str:
    """A new wording without the name of a list that stands before the old one."""
    return result.removeprefix(text[: max(0, text.find(days.undated(line.text)))])


def _said_by(lines: Sequence[Line], texts: Sequence[str], place: int) -> tuple[Line, ...]:
    """The line that came of a text; of several, the longest."""
    found = [line for line in lines if line.age == f"{place:05}"]
    return (max(found, key=lambda each: len(each.text)),) if found else ()


def _of_cases() -> Iterator[Told]:
    for author, file in CASES.items():
        for case in read(file)["cases"]:
            day = date.fromisoformat(case["day"])
            lines = _written(case["before"], day)
            label = KINDS.get(case["kind"], "unrelated")
            gone = [each.casefold() for each in case.get("gone", ())]
            if case.get("ambiguous"):
                label, gone = "ambiguous", [each.casefold().rstrip(".") for each in case["candidates"]]
            targets = tuple(
                line
                for line in lines
                if any(each in line.text.casefold() or line.text.casefold() in each for each in gone)
            )
            if label == "unrelated" or targets:
                yield Told(author, case["said"], lines, label, () if label == "unrelated" else targets, day)


def _ordinary() -> Iterator[Told]:
    """Sentences that were told one after another, and mean no line but their own."""
    for file, news in NEWS.items():
        sentences = read(file)["sentences"]
        lines = _written([each["said"] for each in sentences], A_DAY)
        for place, each in enumerate(sentences):
            if place not in news:
                before = tuple(line for line in lines if int(line.age) < place)
                yield Told(file, each["said"], before, "unrelated", ())


def _written(texts: Sequence[str], day: date) -> tuple[Line, ...]:
    """The lines of a notebook that was told some texts, each after the other."""
    shelf = Shelf(tuple(FILES))
    lines: list[Line] = []
    for place, text in enumerate(texts):
        try:
            routes = route(text, Hints(day=day), shelf, reader().summary)
            found = [Line(each.path, each.section, 1, words) for each in routes for words in each.texts]
        except InvalidInput:
            found = [Line("knowledge/facts.md", "", 1, text)]
        lines += [replace(each, age=f"{place:05}") for each in found]
    return tuple(replace(each, number=number) for number, each in enumerate(lines, 1))


@cache
def reader() -> Judge:
    """The lower layers, by which the place of a line is found."""
    return Judge(READER, Path())


def read(name: str) -> Any:
    """One of the labelled files."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))
