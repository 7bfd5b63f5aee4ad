"""How good the search is: python bench/quality.py DATA [--sets NAME ...] [--questions N] [--cache DIR].

For each set, memories are written and embedded as the program does it, then every question is asked of each
arm of the search alone, of the textbook merges, of the search with only some texts embedded, and of the
search as it is shipped, with the reranker and without. DATA holds `locomo/`, `scifact/` and `classic-ir/`.
With --cache the memories are kept, so that nothing is embedded twice. --questions takes so many of each set,
by their hash; --unseen only the half on which the merge was not fitted.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import _sets
import apsw
from _measures import JUDGED, METRICS, judged, mean, measure, table
from _memories import Progress, borrowed, digest, embedded, high, middle, opened, page_of, written
from _sets import Asked, DataSet, MissingData

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.index.matrix import Rows as VectorRows
from quaid.index.matrix import Scores, VectorMatrix
from quaid.index.own_vectors import OwnNear
from quaid.search import evidence, hybrid
from quaid.search.evidence import Meaning
from quaid.search.hybrid import Hit
from quaid.search.merge import Arms, Merge, ranks
from quaid.search.question import read_question
from quaid.store import chunks, passages
from quaid.store import scope as scopes

if TYPE_CHECKING:
    from quaid.index.arms import Vector

DEPTH = 100  # results that are looked at
MERGES = {
    "set-union": ("set-union", 60),
    "rrf k=60": ("rrf", 60),
    "rrf k=10": ("rrf", 10),
    "balanced, no reranker": ("balanced", 60),
}
COVERAGES = (0, 10, 50)  # per cent of the texts that are embedded
UNRANKED = "balanced, no reranker"
FINAL = "balanced (final)"
TUNED = "rrf k=10"  # no textbook has that constant
LETTERS = 4  # of a token, about
Rows = dict[str, dict[str, float]]  # a way of searching: its metrics


def main() -> None:
    """Measure each set, then sum up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(_sets.NAMES), choices=[*_sets.NAMES, *_sets.MORE])
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--models", type=Path, help="Where the files of models are that are not built in.")
    parser.add_argument("--cache", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--questions", type=int, help="How many of each set; otherwise all.")
    parser.add_argument(
        "--unseen", action="store_true", help="Only the half on which the merge was not fitted."
    )
    given = parser.parse_args()
    try:
        chosen = [_sets.load(name, given.data) for name in given.sets]
        for each in chosen:
            each.questions = sample(each.questions, given.questions, unseen=given.unseen)
    except MissingData as error:
        sys.exit(f"The data is missing: {error}.")
    measured: dict[str, Rows] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for each in chosen:
            root = given.cache or Path(temporary)
            measured[each.name], size = evaluated(each, root, given.model, given.models)
            report(each, size, given.model, measured[each.name])
    summary(measured)


def sample(questions: list[Asked], count: int | None, *, unseen: bool) -> list[Asked]:
    """Some of the questions, always the same; the first byte of a hash says in which half a question is."""
    hashes = {each.text: hashlib.sha256(each.text.encode()).digest() for each in questions}
    kept = [each for each in questions if not unseen or hashes[each.text][0] % 2]
    ordered = sorted(kept, key=lambda each: hashes[each.text][1:])
    chosen = {each.text for each in ordered[:count]}
    return [each for each in kept if each.text in chosen]


class Thinned:
    """The vectors of a part of the texts, as a memory has them that is being embedded."""

    def __init__(self, matrix: VectorMatrix, model_id: int, per_cent: int) -> None:
        self._matrix = matrix
        self._model = model_id
        self._per_cent = per_cent

    def near(self, connection: apsw.Connection, query: Vector) -> OwnNear:
        """The cosines of that part."""
        whole = self._matrix.rows(connection)
        kept = whole.ids * 2654435761 % 2**32 % 100 < self._per_cent
        part = Scores(VectorRows(whole.ids[kept], whole.coded[kept]), query, self._matrix.in_full(connection))
        return OwnNear(connection, self._model, scopes.PAGES, part)


class GroupMemory:
    """The memory of one group of documents, and which document each of its pages is."""

    def __init__(self, data: DataSet, group: str, root: Path, model: str, models: Path | None) -> None:
        own = [each for each in data.documents if each.group == group]
        pages = [(f"docs/x{n}", page_of(each.title, each.text)) for n, each in enumerate(own)]
        self._app = opened(root / f"{data.name}-{digest(pages)}" / f"{group or 'all'}.db", models)
        written(self._app, pages)
        borrowed(self._app, root, model)
        embedded(self._app, model)
        slugs = {f"docs/x{n}": each.id for n, each in enumerate(own)}
        found = self._app.connection.execute("SELECT id, slug FROM live_pages")
        self._documents = {page: slugs[slug] for page, slug in found}
        self.chunks = chunks.count(self._app.connection)
        self._shown: list[Hit] = []
        self._model = self._app.models.current()
        self._matrix = VectorMatrix(self._app.store.path, self._model)

    def search(self, text: str) -> dict[str, list[str]]:
        """The documents that each way of searching finds, best first."""
        meaning, _ = self._app.models.meaning(text)
        if meaning is None:
            sys.exit("The model cannot be used.")
        found = {name: list(ranks(scores)) for name, scores in _arms(self._app, text, meaning).items()}
        with self._app.store.read() as connection:
            for name, (strategy, k) in MERGES.items():
                hits = hybrid.find(connection, text, scopes.pages(), DEPTH, meaning, Merge(strategy, k))
                found[name] = [hit.document for hit in hits]
            for share in COVERAGES:
                part = Meaning(Thinned(self._matrix, self._model.id, share), meaning.vector, share / 100)
                hits = hybrid.find(connection, text, scopes.pages(), DEPTH, part)
                found[f"{share} % embedded, no reranker"] = [hit.document for hit in hits]
            voice, _ = self._app.models.voice()
            hits = hybrid.find(connection, text, scopes.pages(), DEPTH, meaning, voice=voice)
            found[FINAL] = [hit.document for hit in hits]
            self._shown = hits[:10]
        return {name: [self._documents[page] for page in pages[:DEPTH]] for name, pages in found.items()}

    def cost(self, relevant: Mapping[str, float]) -> float:
        """Tokens of the sections of the last answer, from the first to the one of a relevant page."""
        units = {hit.unit for hit in self._shown}
        with self._app.store.read() as connection:
            texts = passages.excerpts(connection, scopes.PAGES, units)
        tokens = 0.0
        for hit in self._shown:
            tokens += len(texts[hit.unit].text) / LETTERS if hit.unit in texts else 0
            if self._documents[hit.document] in relevant:
                return tokens
        return math.inf

    def close(self) -> None:
        """Let go of the file."""
        self._app.store.close()


def _arms(app: App, text: str, meaning: Meaning) -> dict[str, Mapping[int, float]]:
    """The scores of each arm of the search alone."""
    with app.store.read() as connection:
        words = evidence.by_words(connection, read_question(text), scopes.pages())
        near = evidence.by_meaning(connection, meaning, scopes.pages())
    sections = {page: score for page, (score, _) in words.best_units.items()}
    both = Arms(words.documents, sections, near.documents, {}).words
    return {
        "words by page": words.documents,
        "words by section": sections,
        "meaning": near.documents,
        "normalised sum": _summed(both, near.documents),
    }


def _summed(*arms: Mapping[int, float]) -> dict[int, float]:
    """Each arm from 0 to 1 over its own range, added."""
    total: dict[int, float] = {}
    for arm in arms:
        low, top = min(arm.values(), default=0.0), max(arm.values(), default=0.0)
        for page, score in arm.items():
            total[page] = total.get(page, 0.0) + ((score - low) / (top - low) if top > low else 1.0)
    return total


def evaluated(data: DataSet, root: Path, model: str, models: Path | None) -> tuple[Rows, int]:
    """Every question, in every way of searching; and how many chunks there are."""
    costs: list[float] = []
    progress = Progress(f"asking {data.name}")
    figures: dict[str, list[tuple[float, ...]]] = {}
    done = size = 0
    for group in dict.fromkeys(each.group for each in data.documents):
        memory = GroupMemory(data, group, root, model, models)
        size += memory.chunks
        for asked in data.questions:
            if asked.group != group:
                continue
            for name, ranked in memory.search(asked.text).items():
                figures.setdefault(name, []).append(measure(ranked, asked.relevant))
            costs.append(memory.cost(asked.relevant))
            done += 1
            progress(done, len(data.questions))
        memory.close()
    data.notes["tokens until the evidence, median"] = int(min(middle(costs), 9**9))
    data.notes["tokens, 95th percentile of those found among ten"] = int(
        high([c for c in costs if c < 9**9] or [0])
    )
    return {name: mean(rows) for name, rows in figures.items()}, size


def report(data: DataSet, size: int, model: str, rows: Rows) -> None:
    """The table of one set."""
    counted = f"{len(data.questions):,} questions, {len(data.documents):,} pages, {size:,} chunks"
    print(f"\n### {data.name}\n\n{data.split}; {counted}; {model}")
    if data.notes:
        print("(" + ", ".join(f"{count:,} {what}" for what, count in data.notes.items() if count) + ")")
    shown = [[name, *(row[metric] for metric in METRICS)] for name, row in rows.items()]
    print("\n" + table(["", *METRICS], shown), flush=True)


def summary(measured: Mapping[str, Rows]) -> None:
    """The mean over the sets, and where the final search loses most."""
    names = next(iter(measured.values())).keys()
    head = ["nDCG@10 / R@5 / R@10", *measured, "mean"]
    shown: list[list[object]] = []
    for name in names:
        cells = [" / ".join(f"{rows[name][metric]:.1f}" for metric in JUDGED) for rows in measured.values()]
        average = sum(judged(rows[name]) for rows in measured.values()) / len(measured)
        shown.append([name, *cells, f"{average:.2f}"])
    print(f"\n### Summary\n\n{table(head, shown)}\n")
    textbook = [name for name in names if name not in (FINAL, TUNED, UNRANKED) and "embedded" not in name]
    for others, what in ((textbook, "an arm or a textbook merge"), ([TUNED], TUNED)):
        for metrics in (JUDGED, METRICS):
            print(
                f"largest loss to {what} in {', '.join(metrics)}: {_largest_loss(measured, others, metrics)}"
            )


def _largest_loss(measured: Mapping[str, Rows], others: Sequence[str], metrics: Sequence[str]) -> str:
    loss, metric, other, where = max(
        (rows[name][metric] - rows[FINAL][metric], metric, name, where)
        for where, rows in measured.items()
        for name in others
        for metric in metrics
    )
    return f"{loss:.1f} points ({metric} of {other}, {where})"


if __name__ == "__main__":
    main()
