"""How good the search is while texts are being embedded: python bench/coverage.py DATA --cache DIR.

Each memory is copied, and a share of its vectors taken away at random. Every question is then asked of words
alone and of the search as it is shipped, with 2, 10, 50, 90 and 100 per cent of the vectors. A table has the
nDCG@10, how often the first answer is that of the search that knows everything, and the confidence.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import _sets
from _measures import METRICS, measure, table
from _memories import Progress, digest, embedded, opened, page_of, written
from _sets import Asked, DataSet, MissingData

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.search import hybrid
from quaid.search.confidence import confidence
from quaid.settings import Layer, Settings
from quaid.store import scope as scopes
from quaid.store.connection import Store

SHARES = (0.0, 0.02, 0.1, 0.5, 0.9, 1.0)
NDCG = METRICS.index("nDCG@10")
DEPTH = 10
Figures = dict[float, list[tuple[float, str, float]]]  # nDCG, first answer and confidence of each question


def main() -> None:
    """Measure each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(_sets.NAMES), choices=[*_sets.NAMES, *_sets.MORE])
    parser.add_argument("--cache", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--every", type=int, default=1, help="Ask every nth question only.")
    given = parser.parse_args()
    try:
        chosen = [_sets.load(name, given.data) for name in given.sets]
    except MissingData as error:
        sys.exit(f"The data is missing: {error}.")
    with tempfile.TemporaryDirectory() as temporary:
        for each in chosen:
            report(each, measured(each, given.cache or Path(temporary), given.every))


def measured(data: DataSet, root: Path, every: int) -> Figures:
    """Every question, at each share."""
    figures: Figures = {share: [] for share in SHARES}
    progress = Progress(f"asking {data.name}")
    done = 0
    for group in dict.fromkeys(each.group for each in data.documents):
        questions = [each for each in data.questions if each.group == group][::every]
        for share in SHARES:
            with tempfile.TemporaryDirectory() as scratch:
                figures[share] += _asked(data, group, questions, _memory(data, group, root), share, scratch)
            done += len(questions)
            progress(done, len(data.questions) // every * len(SHARES))
    return figures


def _memory(data: DataSet, group: str, root: Path) -> Path:
    """The memory of a group, as bench/quality.py keeps it."""
    own = [each for each in data.documents if each.group == group]
    pages = [(f"docs/x{n}", page_of(each.title, each.text)) for n, each in enumerate(own)]
    path = root / f"{data.name}-{digest(pages)}" / f"{group or 'all'}.db"
    if not path.exists():
        app = opened(path)
        written(app, pages)
        embedded(app, DEFAULT_MODEL)
        app.store.close()
    return path


def _asked(
    data: DataSet, group: str, questions: list[Asked], memory: Path, share: float, scratch: str
) -> Iterator[tuple[float, str, float]]:
    for file in memory.parent.iterdir():
        shutil.copy(file, scratch)
    unmoved = Settings(Layer("flag", "flag", {"query.catch_up": 0}))  # a question embeds nothing itself
    app = App(Store.open(Path(scratch) / memory.name), unmoved)
    _take_away(app, 1 - share)
    own = [each.id for each in data.documents if each.group == group]
    documents = {
        page: own[int(slug.removeprefix("docs/x"))]
        for page, slug in app.connection.execute("SELECT id, slug FROM live_pages")
    }
    for asked in questions:
        meaning = app.models.meaning(asked.text)[0] if share else None
        with app.store.read() as connection:
            hits = hybrid.find(connection, asked.text, scopes.pages(), DEPTH, meaning)
        found = [documents[hit.document] for hit in hits]
        sure = confidence(hits)
        yield measure(found, asked.relevant)[NDCG], found[0] if found else "", sure
    app.store.close()


def _take_away(app: App, share: float) -> None:
    """Take vectors away at random, the same ones in each run."""
    with app.store.write() as connection:
        held = [identity for (identity,) in connection.execute("SELECT id FROM embeddings ORDER BY id")]
        gone = random.Random(1).sample(held, round(share * len(held)))
        connection.executemany("DELETE FROM embeddings WHERE id = ?", ((identity,) for identity in gone))
        if gone:
            connection.execute("UPDATE embedding_models SET done_to = 0, removals = removals + 1")


def report(data: DataSet, figures: Figures) -> None:
    """The table of one set."""
    whole = [answer for _, answer, _ in figures[1.0]]
    rows: list[list[object]] = []
    for share, found in figures.items():
        count = max(1, len(found))
        same = sum(answer == best for (_, answer, _), best in zip(found, whole, strict=True))
        rows.append(
            [
                f"{share:.0%}" if share else "words alone",
                100 * sum(gain for gain, _, _ in found) / count,
                100 * same / count,
                100 * sum(sure for _, _, sure in found) / count,
            ]
        )
    print(f"\n### {data.name}\n\n{len(whole):,} questions\n")
    print(table(["embedded", "nDCG@10", "first answer as of 100%", "confidence"], rows), flush=True)


if __name__ == "__main__":
    main()
