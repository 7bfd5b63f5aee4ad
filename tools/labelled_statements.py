"""Labelled statements of pages with sentences beside them: those of bench/labelled/statements*.json, and what
`check` would read in the labelled cases of bench/labelled/contradictions*.json."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from labelled_pairs import FOLDER, Pair

from quaid.app import App
from quaid.formats.slugs import fold
from quaid.graph.contradictions import MANY_OBJECTS, ONE_SUBJECT, Rules, find
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.store.contradictions import Type

TODAY = "2026-11-16"
STATEMENTS = (
    "statements", "statements-third", "statements-fourth", "statements-fifth", "statements-seventh",
    "statements-ninth",
)  # fmt: skip
CASES = (
    "contradictions-own", "contradictions", "contradictions-blind", "contradictions-fourth",
    "contradictions-fifth", "contradictions-seventh", "contradictions-ninth", "contradictions-thirteenth",
    "contradictions-sixteenth",
)  # fmt: skip
OF_A_CASE = 4  # pairs that have nothing to do with what a case is about
_WORD = re.compile(r"\w+")


def statements() -> Iterator[Pair]:
    """Statements and sentences that people have set beside each other, and those of the labelled cases."""
    for file in STATEMENTS:
        for each in _read(file)["pairs"]:
            first = f"{each['subject']}, {each['type']}. {each['first']}"
            yield Pair(f"statements {each['by']}", first, each["second"], each["label"], "statements")
    for card in _read("statements-training")["cards"]:
        for said in card["says"]:
            first = f"{card['subject']}, {card['type']}. {said}"
            for label, seconds in (("contradiction", card["against"]), ("none", card["beside"])):
                yield from (Pair("training", first, second, label, "statements") for second in seconds)
    for path in sorted(FOLDER.glob("cards-*.json")):
        yield from _of_cards(_read(path.stem)["cards"])
    for name in CASES:
        for number, case in enumerate(_read(name)["cases"]):
            yield from _of_case(name, case, random.Random(number))  # noqa: S311


def _of_cards(cards: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    """Claims of a subject, each beside what stands against it, what only seems to, and the next claim."""
    drawn = random.Random(5)  # noqa: S311
    for card in cards:
        author = f"statements {card['by']}"
        firsts = [f"{card['subject']}, {card['type']}. {claim}" for claim in card["claims"]]
        for place, second in card["against"]:
            yield Pair(author, firsts[place], second, "contradiction", "statements")
        for place, second in card["beside"]:
            first = drawn.choice(firsts) if place is None else firsts[place]
            yield Pair(author, first, second, "none", "statements")
        for first, claim in zip(firsts, card["claims"][1:], strict=False):
            yield Pair(author, first, claim, "none", "statements")


def _read(name: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return held


def _of_case(author: str, case: Mapping[str, Any], drawn: random.Random) -> Iterator[Pair]:
    """Of a case, the pair that it is about, and some that are not."""
    contradicts, others = case["label"] == "contradiction", []
    for first, second in read(case["pages"]):
        said = first.split(". ", 1)[-1]
        quoted = [[_is_quoted(text, quote) for quote in case["quote"]] for text in (said, second)]
        covered = sum(map(any, zip(*quoted, strict=True)))
        meant = all(map(any, quoted)) and covered >= min(2, len(case["quote"]))
        if meant and case["label"] != "perhaps":
            yield Pair(author, first, second, case["label"], "statements")
        elif not contradicts or not any(map(any, quoted)):
            others.append(Pair(author, first, second, "none", "statements"))
    yield from drawn.sample(others, min(OF_A_CASE, len(others)))


def read(pages: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """What `check` would have read in a memory of these pages."""
    found: list[tuple[str, str]] = []
    types: tuple[Type, ...] = ("temporal",)

    def reader(text: str, others: Sequence[str]) -> list[float]:
        found.extend((text, other) for other in others)
        return [0.0] * len(others)

    with tempfile.TemporaryDirectory() as folder:
        app = App(Store.create(Path(folder) / "memory.db"), Settings(), lambda: f"{TODAY}T12:00:00Z")
        for page in pages:
            app.collection().put(page["slug"], page["text"])
        with app.store.read() as connection:
            find(connection, TODAY, Rules(MANY_OBJECTS, ONE_SUBJECT, 30), types, None, reader)
        app.store.close()
    return found


def _is_quoted(text: str, quote: str) -> bool:
    """Whether a text has nearly all words of a quotation, or is a part of it."""
    said, wanted = (set(_WORD.findall(fold(each.replace("_", " ")))) for each in (text, quote))
    return len(said & wanted) >= 0.8 * min(len(said), len(wanted))
