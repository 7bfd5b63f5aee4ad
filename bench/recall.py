"""What a score of `recall` is worth: python bench/recall.py DATA [--sets NAME ...] [--cache DIR].

Of the passages that are found for a question, the best 15 by page: how many that answer it have a score of at
least 0.25, and how many that do not. Noise is what is found for questions of another set, or, of the
notebooks that are written here, for questions without an answer. In the public sets, passages about the same
subject that nobody marked count as irrelevant. The second notebook was written when all constants were fixed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import _notebook
import _sets
from _measures import measure, table
from _memories import Progress, digest, embedded, opened, page_of, written
from _sets import MissingData
from gaps import OTHERS

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.search import passages
from quaid.search.passages import Passage
from quaid.store.filters import PageFilter

DEPTH = 15
FOREIGN = 100  # questions of another set
SETS = ("locomo-turn", "locomo-session", "scifact", "cranfield", "med")
POOL = 60
THRESHOLDS = (0.15, 0.25, 0.5, 0.75)
NOTEBOOKS = {
    "notebook": (_notebook.FILES, _notebook.QUESTIONS, _notebook.WITHOUT_ANSWER),
    "second notebook": (_notebook.OTHER_FILES, _notebook.OTHER_QUESTIONS, _notebook.OTHER_WITHOUT_ANSWER),
}


@dataclass
class Tally:
    """Scores of what answers a question, of what does not, and of what has nothing to do with it."""

    relevant: list[float] = field(default_factory=list)
    irrelevant: list[float] = field(default_factory=list)
    noise: list[float] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    questions: int = 0
    noisy: int = 0  # questions without an answer that got one nevertheless
    unanswered: int = 0


def main() -> None:
    """Ask all questions, with the model and by words alone; show the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=[*NOTEBOOKS, *SETS], choices=(*NOTEBOOKS, *SETS))
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--models", type=Path, help="Where the files of other models are.")
    parser.add_argument("--questions", type=int, default=150, help="How many of each memory at most.")
    parser.add_argument("--cache", type=Path, help="Where to keep the memories; otherwise nowhere.")
    given = parser.parse_args()
    tallies: dict[tuple[str, str], Tally] = {}
    with tempfile.TemporaryDirectory() as temporary:
        root = given.cache or Path(temporary)
        for name in given.sets:
            try:
                for memory in memories(name, given.data, root, given.models):
                    memory.ask(given.model, given.questions, tallies)
            except MissingData as error:
                sys.exit(f"The data is missing: {error}.")
    for way in ("model", "words"):
        show(
            way if way == "words" else given.model, {name: t for (name, w), t in tallies.items() if w == way}
        )


def show(title: str, tallies: dict[str, Tally]) -> None:
    """Two tables: what lies above 0.25, and above other scores."""
    rows = [
        [
            name,
            f"{tally.questions:,}",
            share(tally.relevant, 0.25),
            share(tally.irrelevant, 0.25),
            share(tally.noise, 0.25),
            f"{tally.noisy} of {tally.unanswered}",
            100 * sum(tally.gains) / max(1, len(tally.gains)),
        ]
        for name, tally in tallies.items()
    ]
    head = ["", "questions", "relevant", "irrelevant", "noise", "answered in vain", "nDCG@10"]
    print(f"\n{title}; % of passages with a score of at least 0.25\n\n{table(head, rows)}")
    rows = [
        [
            f"≥ {least}",
            *(
                f"{share(tally.relevant, least):.0f} / {share(tally.noise, least):.1f}"
                for tally in tallies.values()
            ),
        ]
        for least in THRESHOLDS
    ]
    print(f"\n% relevant / noise above other scores\n\n{table(['', *tallies], rows)}")


def share(scores: list[float], least: float) -> float:
    """How many of the scores are at least that high, in points."""
    return 100 * sum(each >= least for each in scores) / max(1, len(scores))


@dataclass
class Memory:
    """A memory with its questions; `answers` maps each to what answers it, nothing where nothing does."""

    name: str
    app: App
    names: dict[int, str]  # of pages; of the notebook, paths
    answers: list[tuple[str, dict[str, float]]]
    foreign: list[str]

    def ask(self, model: str, most: int, tallies: dict[tuple[str, str], Tally]) -> None:
        """Ask every question in both ways."""
        embedded(self.app, model)
        progress = Progress(f"asking {self.name}")
        questions = [*self.answers[:most], *((text, {}) for text in self.foreign)]
        for place, (text, relevant) in enumerate(questions, start=1):
            meaning, _ = self.app.models.meaning(text)
            voice, _ = self.app.models.voice()
            with self.app.store.read() as connection:
                near = passages.find(connection, text, [PageFilter()], POOL, meaning, voice=voice)
                by_words = passages.find(connection, text, [PageFilter()], POOL, None)
            for way, found in (("model", near), ("words", by_words)):
                self._count(tallies.setdefault((self.name, way), Tally()), found, relevant)
            progress(place, len(questions))
        self.app.store.close()

    def _count(self, tally: Tally, found: list[Passage], relevant: dict[str, float]) -> None:
        best: dict[str, float] = {}
        for each in found:
            best.setdefault(self._key(each), each.score)
        shown = dict(list(best.items())[:DEPTH])
        tally.questions += bool(relevant)
        if not relevant:
            tally.noise += shown.values()
            tally.unanswered += 1
            tally.noisy += any(value >= 0.25 for value in shown.values())
            return
        tally.gains.append(measure(list(best), relevant)[6])
        for key, value in shown.items():
            (tally.relevant if key in relevant else tally.irrelevant).append(value)

    def _key(self, passage: Passage) -> str:
        name = self.names[passage.page.info.id]
        return f"{name}#{passage.row.heading}" if self.name in NOTEBOOKS else name


def memories(name: str, data: Path, root: Path, models: Path | None) -> Iterator[Memory]:
    """The memories of a set."""
    if name in NOTEBOOKS:
        files, questions, without = NOTEBOOKS[name]
        pages = [(path.removesuffix(".md"), text) for path, text in files.items()]
        app = opened(root / f"notebook-{digest(pages)}" / "all.db", models)
        written(app, pages)
        names = {
            page: f"{slug}.md" for page, slug in app.connection.execute("SELECT id, slug FROM live_pages")
        }
        answers = [(text, {f"{path}#{heading}": 1.0 for path, heading in where}) for text, where in questions]
        yield Memory(name, app, names, answers, list(without))
        return
    loaded = _sets.load(name, data)
    foreign = [each.text for each in _sets.load(OTHERS.get(name, "scifact"), data).questions[:FOREIGN]]
    for group in dict.fromkeys(each.group for each in loaded.documents):
        own = [each for each in loaded.documents if each.group == group]
        pages = [(f"docs/x{n}", page_of(each.title, each.text)) for n, each in enumerate(own)]
        app = opened(root / f"{name}-{digest(pages)}" / f"{group or 'all'}.db", models)
        written(app, pages)
        ids = {f"docs/x{n}": each.id for n, each in enumerate(own)}
        names = {page: ids[slug] for page, slug in app.connection.execute("SELECT id, slug FROM live_pages")}
        answers = [(each.text, each.relevant) for each in loaded.questions if each.group == group]
        yield Memory(name, app, names, answers, foreign if not group else foreign[int(group[1:]) :: 10])


if __name__ == "__main__":
    main()
