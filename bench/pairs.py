"""What two notes are to each other, as `ai-kb remember` judges it: python bench/pairs.py.

Pairs of notes, the first known, the second new. `own` are those by which the rules were made; on `kept aside`
nothing was tuned. By words alone, and with the default model.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from quaid.embed.embedder import stream
from quaid.embed.plugin import make_context
from quaid.embed.registry import DEFAULT_MODEL, open_embedder
from quaid.kb.likeness import stated_by
from quaid.kb.verdict import verdict
from quaid.settings import Settings

SETS = {"own": "pairs-own.json", "kept aside": "pairs.json"}
LABELS = ("duplicate", "contradiction", "distinct")
FOLDER = Path(__file__).parent / "labelled"


def cosines(pairs: list[dict[str, str]]) -> list[float]:
    """How near the two notes of each pair are, by the default model."""
    embedder = open_embedder(DEFAULT_MODEL, make_context(Settings(), {}, Path.home()))
    texts = [pair[side] for pair in pairs for side in ("first", "second")]
    rows = [row for matrix in stream(embedder, texts) for row in matrix]
    return [float(one @ other) for one, other in zip(rows[::2], rows[1::2], strict=True)]


def label(pair: dict[str, str], cosine: float | None) -> str:
    """What is found of a pair."""
    found = verdict(stated_by("", pair["second"]), stated_by("", pair["first"]), cosine)
    return found.kind if found else "distinct"


def main() -> None:
    """Print a table: of each label, how many pairs were called what."""
    print("| set | by | label | n | right | called duplicate | contradiction | distinct |")
    print("|---|---|---|---|---|---|---|---|")
    for name, file in SETS.items():
        pairs = json.loads((FOLDER / file).read_text("utf-8"))["pairs"]
        measured = cosines(pairs)
        for way, known in (("words", [None] * len(pairs)), ("words and meaning", measured)):
            for wanted in LABELS:
                got = Counter(
                    label(pair, cosine)
                    for pair, cosine in zip(pairs, known, strict=True)
                    if pair["label"] == wanted
                )
                counts = " | ".join(str(got[each]) for each in LABELS)
                print(f"| {name} | {way} | {wanted} | {got.total()} | {got[wanted]} | {counts} |")


if __name__ == "__main__":
    main()
