"""How good a ranking is, and tables of that."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

METRICS = ("any@5", "any@10", "R@5", "R@10", "all@5", "all@10", "nDCG@10", "MRR")
JUDGED = ("nDCG@10", "R@5", "R@10")  # what the summary looks at


def measure(ranked: Sequence[str], relevant: Mapping[str, float]) -> tuple[float, ...]:
    """The metrics of one ranking: any, the share, and all of the relevant ones found; nDCG with grades."""
    hits = [place for place, document in enumerate(ranked) if document in relevant]
    at5, at10 = sum(place < 5 for place in hits), sum(place < 10 for place in hits)
    gain = sum(relevant[ranked[place]] / math.log2(place + 2) for place in hits if place < 10)
    ideal = sorted(relevant.values(), reverse=True)[:10]
    most = sum(grade / math.log2(place + 2) for place, grade in enumerate(ideal))
    total = len(relevant)
    shares = (at5 > 0, at10 > 0, at5 / total, at10 / total, at5 == total, at10 == total)
    return (*map(float, shares), gain / most, 1 / (hits[0] + 1) if hits else 0.0)


def mean(rows: Sequence[tuple[float, ...]]) -> dict[str, float]:
    """The metrics of many rankings, in points."""
    columns = zip(*rows, strict=True)
    return {name: 100 * sum(column) / len(rows) for name, column in zip(METRICS, columns, strict=True)}


def judged(row: Mapping[str, float]) -> float:
    """One figure for a ranking: the mean of nDCG@10, R@5 and R@10."""
    return sum(row[name] for name in JUDGED) / len(JUDGED)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown; numbers are shown with one digit."""
    shown = [
        list(head),
        *([f"{cell:.1f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows),
    ]
    widths = [max(len(row[place]) for row in shown) for place in range(len(head))]
    lines = [
        "| "
        + " | ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        + " |"
        for row in shown
    ]
    rule = (
        "|"
        + "|".join(
            "-" * (width + 2) if place == 0 else "-" * (width + 1) + ":" for place, width in enumerate(widths)
        )
        + "|"
    )
    return "\n".join([lines[0], rule, *lines[1:]])
