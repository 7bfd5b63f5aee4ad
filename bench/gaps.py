"""How well a weak answer is told from a good one: python bench/gaps.py DATA [--sets NAME ...] [--cache DIR].

Each set gives questions that its memory can answer and questions that it cannot:

- locomo: the adversarial questions of category 5, which ask one speaker for what the other said;
- scifact, cranfield, med: the same questions without the documents that answer them;
- every set: questions of another set, which have nothing to do with it.

Of each measure of an answer, the area under the curve is shown (50 is a coin's toss, 100 is perfect), and for
the shipped confidence, how many questions of each kind fall below its threshold.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import _sets
from _measures import table
from _memories import Progress, digest, embedded, opened, page_of, written
from _sets import DataSet, MissingData

from quaid.embed.registry import DEFAULT_MODEL
from quaid.search import hybrid
from quaid.search.confidence import WEAK, confidence, known_share
from quaid.search.hybrid import Hit
from quaid.store import scope as scopes

SETS = ("locomo-turn", "locomo-session", "scifact", "cranfield", "med")
OTHERS = {
    "locomo-turn": "scifact",
    "locomo-session": "med",
    "scifact": "cranfield",
    "cranfield": "locomo-turn",
}
FOREIGN = 100  # questions of another set
DEPTH = 30


@dataclass(frozen=True)
class Answer:
    """What was found for a question, and the share of its words that the memory knows."""

    hits: Sequence[Hit]
    known: float


def words_of(answer: Answer) -> float:
    """The share of the question's words that the best page has, by their weight."""
    shares = [
        sum(hit.arms[name][1] for name in ("words", "sections") if name in hit.arms) / 2
        for hit in answer.hits
    ]
    return answer.known * max(shares, default=0.0)


def cosine_of(answer: Answer) -> float:
    """The cosine of the nearest page."""
    return max((hit.arms["meaning"][1] for hit in answer.hits if "meaning" in hit.arms), default=0.0)


MEASURES: dict[str, Callable[[Answer], float]] = {
    "score of the first": lambda answer: answer.hits[0].score if answer.hits else 0.0,
    "words": words_of,
    "cosine": cosine_of,
    "words + cosine": lambda answer: words_of(answer) + cosine_of(answer),
    "confidence": lambda answer: confidence(answer.hits, answer.known),
}


def main() -> None:
    """Measure each set, then show the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--cache", type=Path, help="Where to keep the memories; otherwise nowhere.")
    given = parser.parse_args()
    curves: list[list[object]] = []
    rates: list[list[object]] = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in given.sets:
            try:
                answers = Answers(name, given.data, given.cache or Path(temporary), given.model)
            except MissingData as error:
                sys.exit(f"The data is missing: {error}.")
            curves += [[f"{name}: {kind}", *answers.curves(kind)] for kind in ("unanswerable", "foreign")]
            rates.append([name, *(answers.below(kind) for kind in ("answerable", "unanswerable", "foreign"))])
    print(f"\n{given.model}; area under the curve\n\n{table(['', *MEASURES], curves)}")
    head = [f"% below {WEAK}", "answerable", "unanswerable", "foreign"]
    print(f"\n{table(head, rates)}")


class Answers:
    """What the search says to the questions of a set: those that can be answered, and the others."""

    def __init__(self, name: str, data: Path, root: Path, model: str) -> None:
        self._data = _sets.load(name, data)
        self._root = root
        self._model = model
        other = _sets.load(OTHERS.get(name, "scifact"), data)
        self._foreign = [each.text for each in other.questions[:FOREIGN]]
        self._adversarial = _adversarial(data) if name.startswith("locomo") else {}
        self.answers: dict[str, list[Answer]] = {"answerable": [], "unanswerable": [], "foreign": []}
        for group in dict.fromkeys(each.group for each in self._data.documents):
            self._ask(group)

    def curves(self, kind: str) -> Iterator[float]:
        """How well each measure tells the questions of a kind from those that can be answered."""
        for measure in MEASURES.values():
            high = [measure(answer) for answer in self.answers["answerable"]]
            yield 100 * area(high, [measure(answer) for answer in self.answers[kind]])

    def below(self, kind: str) -> float:
        """The share of questions of a kind that count as gaps."""
        answers = self.answers[kind]
        return 100 * sum(MEASURES["confidence"](answer) < WEAK for answer in answers) / max(1, len(answers))

    def _ask(self, group: str) -> None:
        memory = Memory(self._data, group, self._root, self._model)
        own = [each for each in self._data.questions if each.group == group]
        adversarial = set(self._adversarial.get(group, ()))
        progress = Progress(f"asking {self._data.name} {group}")
        for place, asked in enumerate(own, start=1):
            if asked.text in adversarial:
                continue
            answer = memory.search(asked.text)
            self.answers["answerable"].append(answer)
            if not self._adversarial:
                left = [hit for hit in answer.hits if memory.documents[hit.document] not in asked.relevant]
                self.answers["unanswerable"].append(Answer(left, answer.known))
            progress(place, len(own))
        self.answers["unanswerable"] += [memory.search(text) for text in sorted(adversarial)]
        foreign = self._foreign if not group else self._foreign[int(group[1:]) :: 10]
        self.answers["foreign"] += [memory.search(text) for text in foreign]
        memory.close()


class Memory:
    """The memory of one group of documents."""

    def __init__(self, data: DataSet, group: str, root: Path, model: str) -> None:
        own = [each for each in data.documents if each.group == group]
        pages = [(f"docs/x{n}", page_of(each.title, each.text)) for n, each in enumerate(own)]
        self._app = opened(root / f"{data.name}-{digest(pages)}" / f"{group or 'all'}.db")
        written(self._app, pages)
        embedded(self._app, model)
        slugs = {f"docs/x{n}": each.id for n, each in enumerate(own)}
        found = self._app.connection.execute("SELECT id, slug FROM live_pages")
        self.documents = {page: slugs[slug] for page, slug in found}

    def search(self, text: str) -> Answer:
        """The best pages."""
        meaning, _ = self._app.models.meaning(text)
        with self._app.store.read() as connection:
            hits = hybrid.find(connection, text, scopes.pages(), DEPTH, meaning)
            return Answer(hits, known_share(connection, text))

    def close(self) -> None:
        """Let go of the file."""
        self._app.store.close()


def area(high: Sequence[float], low: Sequence[float]) -> float:
    """The chance that a question of the first kind has more than one of the second."""
    order = sorted([(value, 1) for value in high] + [(value, 0) for value in low])
    ranks: dict[float, tuple[int, int]] = {}
    for place, (value, _) in enumerate(order, start=1):
        first, count = ranks.get(value, (place, 0))
        ranks[value] = (first, count + 1)
    total = sum(ranks[value][0] + (ranks[value][1] - 1) / 2 for value in high)
    most = len(high) * len(low)
    return (total - len(high) * (len(high) + 1) / 2) / most if most else 0.0


def _adversarial(data: Path) -> dict[str, list[str]]:
    """The questions of category 5 of each conversation."""
    conversations = json.loads((data / "locomo" / "locomo10.json").read_text(encoding="utf-8"))
    return {
        f"c{number}": [asked["question"] for asked in item["qa"] if asked["category"] == 5]
        for number, item in enumerate(conversations)
    }


if __name__ == "__main__":
    main()
