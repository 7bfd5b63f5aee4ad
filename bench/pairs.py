"""What two notes are to each other, as `ai-kb remember` judges: python bench/pairs.py [FILE ...] [--wrong].

Pairs of notes, the first known, the second new: those of bench/labelled, or of other files of the same form.
By words alone, and by the network that reads both. --wrong lists the pairs that are misjudged.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from quaid.embed.judge import open_judge
from quaid.embed.plugin import make_context
from quaid.kb.statement import statement
from quaid.kb.verdict import Judgement, verdict
from quaid.settings import Settings

FOLDER = Path(__file__).parent / "labelled"
SETS = ("pairs-own.json", "pairs.json", "pairs-blind.json", "pairs-nasty.json", "pairs-fifth.json")
LABELS = ("duplicate", "contradiction", "distinct")


def judgements(pairs: list[dict[str, str]]) -> list[Judgement | None]:
    """What the network says of each pair."""
    judge = open_judge(make_context(Settings(), {}, Path.home()))
    if judge is None:
        raise SystemExit("the weights are not here")
    said = (judge.judge(pair["second"], [pair["first"]])[0] for pair in pairs)
    return [each and Judgement(*each) for each in said]


def label(pair: dict[str, str], judged: Judgement | None) -> str:
    """What is found of a pair."""
    found = verdict(statement(pair["second"]), statement(pair["first"]), judged)
    return found.kind if found else "distinct"


def main() -> None:
    """Print a table: of each label, how many pairs were called what."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[FOLDER / name for name in SETS])
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    print("| set | by | label | n | right | called duplicate | contradiction | distinct |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = []
    for file in given.files:
        pairs = json.loads(file.read_text("utf-8"))["pairs"]
        ways = {"words": [None] * len(pairs), "meaning": judgements(pairs)}
        for way, judged in ways.items():
            called = [label(pair, opinion) for pair, opinion in zip(pairs, judged, strict=True)]
            for wanted in LABELS:
                got = Counter(
                    each for pair, each in zip(pairs, called, strict=True) if pair["label"] == wanted
                )
                counts = " | ".join(str(got[each]) for each in LABELS)
                print(f"| {file.stem} | {way} | {wanted} | {got.total()} | {got[wanted]} | {counts} |")
            wrong += [
                f"{way}: {pair['label']} called {each}: {pair['first']} | {pair['second']}"
                for pair, each in zip(pairs, called, strict=True)
                if each != pair["label"] and given.wrong
            ]
    print("\n".join(wrong))


if __name__ == "__main__":
    main()
