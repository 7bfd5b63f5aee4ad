"""How well confidence tells what is known: python bench/gaps.py DATA [--sets NAME ...] [--fit].

Each set gives questions that its memory can answer and questions that it cannot:

- *removed*: the same questions without the documents that answer them;
- *foreign*: questions of another set, which have nothing to do with it;
- *adversarial*: those of LoCoMo's category 5, which ask one speaker for what the other said;
- *near miss*, *other*: those of the labelled sets in `bench/labelled`.

Three ways of searching are measured: by words alone, with a model, and with a model and the reranker. Of
each, the area under the curve is shown (50 is a coin's toss, 100 is perfect), the share of each kind below
the threshold, and how often there was an answer at each confidence. All figures are of the half of the
questions on which the weights were not fitted; --fit prints the weights that the other half gives.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import _sets
from _calibration import area, regression, reliability
from _measures import table
from _memories import Progress, borrowed, digest, embedded, opened, page_of, written
from _sets import MissingData

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.search import hybrid
from quaid.search.confidence import WEAK, confidence
from quaid.search.hybrid import Hit
from quaid.store import scope as scopes

LABELLED = Path(__file__).with_name("labelled")
SETS = ("locomo-turn", "locomo-session", "scifact", "cranfield", "med", "notebook", "investor", "nodes")
OTHERS = {
    "locomo-turn": "scifact",
    "locomo-session": "med",
    "scifact": "cranfield",
    "cranfield": "locomo-turn",
}
KINDS = ("foreign", "other", "near miss", "removed", "adversarial")
FAR = ("foreign", "other")
UNREAD = -4.0  # the log odds that a passage answers with which it has nothing to do
GROUPS = 4  # of LoCoMo's conversations
DEPTH = 30

Way = Literal["words", "meaning", "heard"]
WAYS: dict[Way, str] = {"words": "by words alone", "meaning": "with a model", "heard": "and the reranker"}


@dataclass(frozen=True)
class Case:
    """A question, what was found for it in one way of searching, and whether the answer is there."""

    set: str
    kind: str
    question: str
    hits: Sequence[Hit]

    @property
    def answered(self) -> bool:
        return self.kind == "answerable"

    @property
    def unseen(self) -> bool:
        """Whether it is of the half on which the weights were not fitted."""
        return bool(hashlib.sha256(self.question.encode()).digest()[0] % 2)

    @property
    def evidence(self) -> list[float]:
        """What the regression looks at."""
        measures = (
            lambda hit: hit.words,
            lambda hit: hit.known,
            lambda hit: hit.lead,
            lambda hit: hit.nearness or 0.0,
            lambda hit: max((each.answers for each in (hit.read or {}).values()), default=UNREAD),
        )
        return [max(map(measure, self.hits), default=0.0) for measure in measures]


@dataclass(frozen=True)
class Question:
    """A question of a kind, and the slugs of what answers it."""

    text: str
    kind: str
    answers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Memory:
    """Pages, and questions about them."""

    set: str
    pages: list[tuple[str, str]]
    questions: list[Question]


def main() -> None:
    """Measure each set, then all together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--cache", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--questions", type=int, default=60, help="How many of each kind and set.")
    parser.add_argument("--fit", action="store_true", help="Print the weights that the seen half gives.")
    given = parser.parse_args()
    cases: dict[Way, list[Case]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as temporary:
        for name in given.sets:
            try:
                memories = list(_memories(name, given.data, given.questions))
            except MissingData as error:
                sys.exit(f"The data is missing: {error}.")
            for memory in memories:
                for way, found in _asked(memory, given.cache or Path(temporary), given.model):
                    cases[way].append(found)
            print(f"{name}: {len(cases['words'])} questions so far", file=sys.stderr)
    report(cases)
    if given.fit:
        fitted(cases)


def _memories(name: str, data: Path, count: int) -> Iterator[Memory]:
    if (LABELLED / f"{name}.json").is_file():
        yield _labelled(name, data, count)
        return
    whole = _sets.load(name, data)
    foreign = [each.text for each in _sets.load(OTHERS.get(name, "scifact"), data).questions]
    adversarial = _adversarial(data) if name.startswith("locomo") else {}
    groups = list(dict.fromkeys(each.group for each in whole.documents))[:GROUPS]
    share = max(1, count // len(groups))
    for group in groups:
        own = [each for each in whole.documents if each.group == group]
        slugs = {each.id: f"docs/x{n}" for n, each in enumerate(own)}
        odd = set(adversarial.get(group, ()))
        asked = {each.text: each for each in whole.questions if each.group == group and each.text not in odd}
        questions = [
            Question(text, "answerable", frozenset(slugs[each] for each in asked[text].relevant))
            for text in _some(asked, share, "answerable")
        ]
        questions += [Question(text, "adversarial") for text in _some(odd, share // 2, "adversarial")]
        questions += [Question(text, "foreign") for text in _some(foreign, share // 2, group)]
        yield Memory(name, [(slugs[each.id], page_of(each.title, each.text)) for each in own], questions)


def _labelled(name: str, data: Path, count: int) -> Memory:
    """A set of `bench/labelled`: each sentence, page or node is a page."""
    known = json.loads((LABELLED / f"{name}.json").read_text(encoding="utf-8"))
    if name == "notebook":
        pages = [(f"notes/x{n}", f"{each['said']}\n") for n, each in enumerate(known["sentences"])]
        answers = [[f"notes/x{n}" for n in each["answers"]] for each in known["questions"]]
    elif name == "investor":
        pages = [(each["slug"], each["text"]) for each in known["pages"]]
        answers = [[each["page"]] for each in known["questions"]]
    else:
        slugs = {each["title"]: f"nodes/x{n}" for n, each in enumerate(known["nodes"])}
        pages = [(slugs[each["title"]], page_of(each["title"], each["body"])) for each in known["nodes"]]
        answers = [[slugs[each["node"]]] for each in known["questions"]]
    questions = [
        Question(each["question"], "answerable", frozenset(right))
        for each, right in zip(known["questions"], answers, strict=True)
    ]
    questions += [Question(each["question"], each.get("kind", "near miss")) for each in known["unanswerable"]]
    foreign = [each.text for each in _sets.load("med", data).questions]
    questions += [Question(text, "foreign") for text in _some(foreign, count // 2, name)]
    return Memory(name, pages, questions)


def _some(texts: Sequence[str] | set[str] | dict[str, object], count: int, salt: str) -> list[str]:
    """So many of them, always the same."""
    return sorted(texts, key=lambda text: hashlib.sha256(f"{salt} {text}".encode()).digest())[:count]


def _asked(memory: Memory, root: Path, model: str) -> Iterator[tuple[Way, Case]]:
    """Every question in every way of searching; those of the public sets also without their answers."""
    app = opened(root / f"{memory.set}-{digest(memory.pages)}" / "all.db")
    written(app, memory.pages)
    borrowed(app, root, model)
    embedded(app, model)
    slugs = dict(app.connection.execute("SELECT id, slug FROM live_pages"))
    progress = Progress(f"asking {memory.set}")
    for place, question in enumerate(memory.questions, start=1):
        for way in WAYS:
            hits = _found(app, question.text, way)
            yield way, Case(memory.set, question.kind, question.text, hits)
            if question.answers and memory.set in _sets.NAMES:
                left = [hit for hit in hits if slugs[hit.document] not in question.answers]
                yield way, Case(memory.set, "removed", question.text, left)
        progress(place, len(memory.questions))
    app.store.close()


def _found(app: App, text: str, way: Way) -> list[Hit]:
    meaning = app.models.meaning(text)[0] if way != "words" else None
    voice = app.models.voice()[0] if way == "heard" else None
    with app.store.read() as connection:
        return hybrid.find(connection, text, scopes.pages(), DEPTH, meaning, voice=voice)


def report(cases: dict[Way, list[Case]]) -> None:
    """Areas, shares below the threshold, and reliability, of the unseen half."""
    unseen = {
        way: [(each, confidence(each.hits)) for each in found if each.unseen] for way, found in cases.items()
    }
    sets = dict.fromkeys(each.set for each in cases["words"])
    rows: list[list[object]] = []
    for name in (*sets, "all"):
        for kind in (*KINDS, "another subject", "the same subject") if name == "all" else KINDS:
            row = [_area(unseen[way], name, kind) for way in WAYS]
            if row[0] is not None:
                rows.append([f"{name}: {kind}", *(100 * value for value in row if value is not None)])
    print(f"\n{table(['area under the curve', *WAYS.values()], rows)}\n")
    below: list[list[object]] = []
    for kind in ("answerable", *KINDS):
        counted = [[sure < WEAK for each, sure in unseen[way] if each.kind == kind] for way in WAYS]
        if counted[0]:
            below.append([f"{kind} ({len(counted[0])})", *(100 * sum(each) / len(each) for each in counted)])
    print(f"{table([f'% below {WEAK}', *WAYS.values()], below)}\n")
    for way, name in WAYS.items():
        pairs = [(sure, each.answered) for each, sure in unseen[way] if each.kind != "adversarial"]
        print(f"{table([f'{name}: confidence', 'questions', 'mean', '% answered'], reliability(pairs))}\n")


def _area(found: Sequence[tuple[Case, float]], name: str, kind: str) -> float | None:
    own = [(each, sure) for each, sure in found if name in (each.set, "all")]
    high = [sure for each, sure in own if each.answered]
    groups: dict[str, Sequence[str]] = {"another subject": FAR, "the same subject": ("near miss", "removed")}
    kinds = groups.get(kind, (kind,))
    low = [sure for each, sure in own if each.kind in kinds]
    return area(high, low) if low else None


def fitted(cases: dict[Way, list[Case]]) -> None:
    """The weights of each way.

    Sets count alike, and in each what has an answer twice as much as what is of another subject, and as what
    is of the same one.
    """
    columns: dict[Way, list[int]] = {"words": [0, 1, 2], "meaning": [0, 1, 2, 3], "heard": [0, 1, 2, 3, 4]}
    for way, found in cases.items():
        seen = [each for each in found if not each.unseen and each.kind != "adversarial"]
        sizes: dict[tuple[str, str], int] = {}
        for each in seen:
            sizes[each.set, _sort(each)] = sizes.get((each.set, _sort(each)), 0) + 1
        weights = [(2 if each.answered else 1) / sizes[each.set, _sort(each)] for each in seen]
        rows = [[each.evidence[column] for column in columns[way]] for each in seen]
        result = regression(rows, [each.answered for each in seen], weights)
        names = ("words", "known", "lead", "nearness", "answers")
        shown = ", ".join(
            f"{names[column]} {value:.2f}" for column, value in zip(columns[way], result, strict=False)
        )
        print(f"{WAYS[way]}: {shown}, constant {result[-1]:.2f}")


def _sort(case: Case) -> str:
    return "answered" if case.answered else "far" if case.kind in FAR else "near"


def _adversarial(data: Path) -> dict[str, list[str]]:
    """The questions of category 5 of each conversation."""
    conversations = json.loads((data / "locomo" / "locomo10.json").read_text(encoding="utf-8"))
    return {
        f"c{number}": [asked["question"] for asked in item["qa"] if asked["category"] == 5]
        for number, item in enumerate(conversations)
    }


if __name__ == "__main__":
    main()
