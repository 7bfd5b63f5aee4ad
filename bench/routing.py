"""How often `remember` finds the right place: python bench/routing.py [FILE ...] [--misses].

Without files: `tests/routing/routing_table.json`, `bench/labelled/remember*.json` and `notebook*.json`.

The table has sentences with the place where a person would look for them, and a small notebook in which they
are to be put. The first two sets were written before the rules; one of them was kept out of sight. The other
two were written later, and first tried with rules that did not know them: docs/notebook.md has those figures.

The sentences of `remember*.json` are each told to a real notebook in which something stands already: whether
file and line are right, whether what was asked for was corrected, removed or ticked, whether of two lines
that fit both were named and none was changed, and how many lines are gone that nobody meant. Those of
`notebook*.json` are told one after another: they are ordinary, and hardly one may change a line.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _remember import judged, notebooks_of, ordinary, table

from quaid.errors import InvalidInput
from quaid.formats.markdown.sections import sections
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Route, Shelf, ShelfSection
from quaid.routing.words import words_of

TABLE = Path(__file__).parent.parent / "tests" / "routing" / "routing_table.json"
LABELLED = Path(__file__).parent / "labelled"
TOLD = tuple(
    LABELLED / f"{name}.json"
    for name in ("remember", "remember-own", "remember-blind", "notebook", "notebook-blind")
)
MOST = 8  # sections that a search gives


def shelf_of(notebook: dict[str, str]) -> Shelf:
    """The notebook of the table; its search counts words in common."""
    found = [
        ShelfSection(path, each.title, text[each.body : each.end])
        for path, text in notebook.items()
        for each in sections(text)
    ]

    def find(text: str) -> list[ShelfSection]:
        words = words_of(text)
        scored = [(len(words & words_of(f"{each.section} {each.text}")), n) for n, each in enumerate(found)]
        return [found[n] for score, n in sorted(scored, reverse=True) if score][:MOST]

    headings = {path: tuple(each.title for each in sections(text)) for path, text in notebook.items()}
    return Shelf(tuple(notebook), headings, find)


def routed(text: str, shelf: Shelf) -> Route | None:
    """The first place of a sentence; None for what is not to be remembered."""
    try:
        return route(text, Hints(), shelf)[0]
    except InvalidInput:
        return None


def wrong(row: dict[str, Any], got: Route | None) -> str:
    """What is wrong about a place; nothing if it is right."""
    path = got.path.removesuffix(".md") if got else ""
    wanted = row["file"] if isinstance(row["file"], list) else [row["file"]]
    if path not in wanted:
        return f"{path or 'nothing'} instead of {' or '.join(wanted) or 'nothing'}"
    if got and "section" in row and got.section != row["section"]:
        return f"section {got.section!r} instead of {row['section']!r}"
    if got and "items" in row and not set(row["items"]) <= set(got.texts):
        return f"items {got.texts} instead of {row['items']}"
    return ""


def main() -> None:
    """Print the share of each set that is right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=(TABLE, *TOLD), help="Labelled sentences.")
    parser.add_argument("--misses", action="store_true", help="Show what is wrong, and what was answered.")
    given = parser.parse_args()
    for path in given.files:
        labelled = json.loads(path.read_text(encoding="utf-8"))
        if "cases" in labelled:
            tell(path.stem, labelled["cases"], misses=given.misses)
        elif "notebooks" in labelled or "said" in labelled["sentences"][0]:
            tell_in_order(path.stem, notebooks_of(labelled), misses=given.misses)
        else:
            place(labelled, misses=given.misses)


def place(labelled: dict[str, Any], *, misses: bool) -> None:
    """Find the place of each sentence of a table, and print how often it is where a person would look."""
    shelf = shelf_of(labelled["notebook"])
    for name in dict.fromkeys(row["set"] for row in labelled["sentences"]):
        rows = [row for row in labelled["sentences"] if row["set"] == name]
        said = {row["text"]: wrong(row, routed(row["text"], shelf)) for row in rows}
        places = sum(not text or text.startswith(("section", "items")) for text in said.values())
        right = sum(not text for text in said.values())
        print(
            f"{name:9} {len(rows):4} sentences, right file {places / len(rows):6.1%}, "
            f"also section and items {right / len(rows):6.1%}"
        )
        if misses:
            print("\n".join(f"  {text}\n    {what}" for text, what in said.items() if what))


def tell(name: str, cases: Sequence[dict[str, Any]], *, misses: bool) -> None:
    """Tell a notebook each sentence, and print how often it did as a person expects."""
    with tempfile.TemporaryDirectory() as folder:
        verdicts = [judged(case, Path(folder) / str(place)) for place, case in enumerate(cases)]
    print(f"\n{name}\n{table(verdicts)}")
    for each in verdicts:
        if misses and each.is_wrong:
            lost = f"\n    lost: {'; '.join(each.lost)}" if each.lost else ""
            print(f"  {each.kind}: {each.said}\n    {each.answer}{lost}")


def tell_in_order(name: str, notebooks: Sequence[Sequence[dict[str, Any]]], *, misses: bool) -> None:
    """Tell notebooks sentences of which nearly none is meant to change a line, and count those that do."""
    with tempfile.TemporaryDirectory() as folder:
        changed = [
            each
            for place, sentences in enumerate(notebooks)
            for each in ordinary(sentences, Path(folder) / str(place))
        ]
    told = sum(map(len, notebooks))
    print(f"\n{name}\n{len(changed)} of {told} ordinary sentences changed a line, or were refused")
    if misses:
        print("\n".join(f"  {said}\n    {answer}" for said, answer in changed))


if __name__ == "__main__":
    main()
