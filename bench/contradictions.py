"""How many contradictions `check` finds, and how many of its findings are right: python
bench/contradictions.py.

Each case of bench/labelled/contradictions*.json is a memory of its own, checked by the command itself on
the day that
the sets name. A finding counts as right if the case is labelled a contradiction, and if it quotes one of
the passages
that the case quotes; what `check` calls "perhaps" is no finding. contradictions-own.json is the half
by which the rules were made. Passages of contradictions.json have been read since it was first measured, see
docs/benchmarks-notes.md: it is no longer a measure of what is unseen.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from _measures import table

from quaid import operations
from quaid.app import App
from quaid.operations.results import as_data
from quaid.settings import Settings
from quaid.store.connection import Store

LABELLED = Path(__file__).parent / "labelled"
NOW = "2026-11-16T12:00:00Z"


def main() -> None:
    """Measure the sets of the repository, or those that are given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="Other sets than those of bench/labelled.")
    parser.add_argument(
        "--misses", action="store_true", help="List what is missed and what is found wrongly."
    )
    given = parser.parse_args()
    rows = []
    for file in given.files or sorted(LABELLED.glob("contradictions*.json")):
        cases = json.loads(file.read_text())["cases"]
        rows.append([file.stem, *measured(cases, given.misses)])
    print(table(("set", "cases", "found", "missed", "false", "precision", "recall", "quoted"), rows))


def measured(cases: Sequence[Mapping[str, Any]], misses: bool) -> tuple[object, ...]:
    """Cases, those found, missed and found wrongly, precision and recall, and how many quote the passage."""
    found = missed = false = quoted = 0
    for number, case in enumerate(cases):
        findings = list(checked(case["pages"]))
        contradicts = case["label"] == "contradiction"
        found += contradicts and bool(findings)
        missed += contradicts and not findings
        false += not contradicts and bool(findings)
        quoted += contradicts and any(quotes(each, case["quote"]) for each in findings)
        if misses and contradicts is not bool(findings):
            print(f"{number:3} {case['label']}: {case['quote']} ({case['why']})")
            for each in findings:
                print("      found:", each["description"])
    precision = 100 * found / max(1, found + false)
    recall = 100 * found / max(1, found + missed)
    return len(cases), found, missed, false, precision, recall, quoted


def checked(pages: Sequence[Mapping[str, str]]) -> Iterator[Mapping[str, Any]]:
    """The open findings of a memory with these pages."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(Store.create(Path(folder) / "memory.db"), Settings(), lambda: NOW)
        for page in pages:
            app.collection().put(page["slug"], page["text"])
        for each in as_data(operations.call(app, "check", {"all": True}))["findings"]:
            if not any(side.get("perhaps") for side in each["sides"]):
                yield each
        app.store.close()


def quotes(finding: Mapping[str, Any], passages: Sequence[str]) -> bool:
    """Whether a finding shows one of the passages, or is shown by it."""
    said = [plain(str(side.get(key) or "")) for side in finding["sides"] for key in ("statement", "evidence")]
    return any(
        one and other and (one in other or other in one) for one in said for other in map(plain, passages)
    )


def plain(text: str) -> str:
    """A text without the marks that a quotation leaves out."""
    return " ".join(re.sub(r"[\[\]*_|]", " ", text).lower().split())


if __name__ == "__main__":
    main()
