"""Whether a memory can be trusted: all sets in one table: python bench/trust.py [--kept-aside FOLDER].

What `remember` does with sentences, what two notes are to each other, contradictions that `check` finds, and
secrets that are masked; of each set how many were asked, how many are right, and what is aimed at. The sets
of bench/labelled have been learnt from or read since, so that they flatter. Those that nobody has read, in a
folder, have the same form: remember*.json, notebook*.json, pairs*.json, contradictions*.json, secrets*.json.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _measures import table
from _remember import judged, notebooks_of, ordinary
from contradictions import measured
from masks import counts
from pairs import LABELS, judgements, label

LABELLED = Path(__file__).parent / "labelled"
AIMS = {"duplicate": "80 %", "contradiction": "80 %", "distinct": "100 %"}
Row = tuple[object, ...]


def remembered(cases: list[dict[str, Any]]) -> Iterator[Row]:
    """File, amendments and lines that are gone by mistake, of sentences told to notebooks."""
    with tempfile.TemporaryDirectory() as folder:
        verdicts = [judged(case, Path(folder) / str(place)) for place, case in enumerate(cases)]
    files = [each.file for each in verdicts if each.file is not None]
    both = [each.amended for each in verdicts if each.kind in ("correction", "removal")]
    amended = [each for each in both if each is not None]
    named = [each.ambiguous for each in verdicts if each.ambiguous is not None]
    yield "remember: the right file", len(files), sum(files), "92 %"
    yield "remember: corrections and removals", len(amended), sum(amended), "85 %"
    yield "remember: of two lines that fit, both named", len(named), sum(named), ""
    yield "remember: a line gone that was not meant", len(verdicts), sum(bool(x.lost) for x in verdicts), "0"


def told(notebooks: list[list[dict[str, Any]]]) -> Iterator[Row]:
    """Ordinary sentences, told to each notebook one after another."""
    with tempfile.TemporaryDirectory() as folder:
        changed = sum(len(ordinary(each, Path(folder) / str(place))) for place, each in enumerate(notebooks))
    yield "remember: ordinary, and yet a line changed", sum(map(len, notebooks)), changed, "at most 1 %"


def paired(pairs: list[dict[str, str]]) -> Iterator[Row]:
    """What two notes are to each other, by meaning."""
    called = [label(pair, opinion) for pair, opinion in zip(pairs, judgements(pairs), strict=True)]
    for wanted in LABELS:
        right = [each == wanted for pair, each in zip(pairs, called, strict=True) if pair["label"] == wanted]
        yield f"two notes: {wanted}", len(right), sum(right), AIMS[wanted]


def checked(cases: list[dict[str, Any]]) -> Iterator[Row]:
    """Contradictions on pages."""
    _, found, missed, false, *_ = measured(cases, misses=False)
    yield "check: contradictions", found + missed, found, "60 %"
    yield "check: findings that are right", found + false, found, "90 %"


def hidden(rows: dict[str, Any]) -> Iterator[Row]:
    """Secrets, and harmless lines."""
    planted, missed, harmless, touched = counts(rows)
    yield "secrets masked", planted, planted - len(missed), "95 %"
    yield "harmless lines that are touched", harmless, len(touched), ""


def rows_of(file: Path) -> Iterator[Row]:
    """The measures of a set, by its form."""
    held = json.loads(file.read_text(encoding="utf-8"))
    if "pairs" in held:
        yield from paired(held["pairs"])
    elif "secrets" in held:
        yield from hidden(held)
    elif "cases" in held:
        yield from checked(held["cases"]) if "pages" in held["cases"][0] else remembered(held["cases"])
    elif "notebooks" in held or "said" in held["sentences"][0]:
        yield from told(notebooks_of(held))


def main() -> None:
    """Print one table of all sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept-aside", type=Path, help="A folder with sets that nobody has read.")
    given = parser.parse_args()
    kinds = ("remember", "notebook", "pairs", "contradictions", "secrets")
    rows: list[Row] = []
    for folder, seen in ((LABELLED, "seen"), (given.kept_aside, "unseen")):
        for file in sorted(folder.glob("*.json")) if folder else ():
            if file.stem.partition("-")[0] in kinds and not file.stem.endswith("training"):
                rows += [(file.stem, seen, *row) for row in rows_of(file)]
    print(table(("set", "", "what", "n", "how many", "aim"), rows))


if __name__ == "__main__":
    main()
