"""What networks learn from: lines of notebooks, words that are exchanged, and pairs of texts, in batches."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from labelled_notebooks import LABELS, Told
from labelled_pairs import TASKS, Pair
from networks import OF_TOKENS, READER, Descent, Upper, batches, padded
from torch import Tensor
from torch.nn import functional

from quaid.embed import judge
from quaid.routing import exchange, sentences
from quaid.routing.likely_lines import likely

ROWS = 32  # pairs in a batch
LINES = 4  # of each sentence: those that are meant, those most like them, and some others
NEAREST, OTHERS = 2, 6  # of those that are not meant, how many are always read, and how many ever
ACTS = len(LABELS) - 1
UNCLEAR = (0.45, 0.35, 0.2)  # what is done where one of two lines is meant
SMOOTHED, SMOOTHED_PAIRS = 0.05, 0.1
EXCHANGED = 0.6  # how much of a new wording the sentence must have
MARKED = 16  # pairs in a batch whose words are marked
RATE, WARM = 1.2e-4, 0.08

Numbers = np.random.Generator


class States:
    """What the lower layers make of pairs, each made once."""

    def __init__(self, kept: Path | None = None) -> None:
        self.reader = judge.Judge(READER, Path())
        self._kept, self._made = kept, 0
        # Ours: it takes longer to make than a lesson.
        self._held: dict[tuple[str, str], Any] = (
            pickle.loads(kept.read_bytes()) if kept and kept.exists() else {}  # noqa: S301
        )

    def of(self, first: str, second: str) -> Any:
        """A row for each token."""
        pair = (first, second)
        if pair not in self._held:
            self._held[pair] = self.reader.states(*pair).astype(np.float16)
            self._made += 1
        return self._held[pair]

    def keep(self) -> None:
        """Write down what is new."""
        if self._kept and self._made:
            self._kept.write_bytes(pickle.dumps(self._held))
            self._made = 0


class Lesson(Protocol):
    """Some texts of one kind, and how wrong a network is about a batch of them."""

    name: str

    def batches(self, drawn: Numbers) -> Sequence[Any]:
        """All of them, in any order."""

    def loss(self, network: Upper, chosen: Any, drawn: Numbers) -> Tensor:
        """How wrong a network is."""


def learnt(
    network: Upper, lessons: Sequence[Lesson], epochs: int, rate: float = RATE, seed: int = 0
) -> Upper:
    """A network that has learnt all lessons, the batches of all in any order."""
    torch.manual_seed(seed)
    drawn, descent, begun_at = np.random.default_rng(seed), Descent(network, rate, WARM), monotonic()
    whole = epochs * sum(len(each.batches(drawn)) for each in lessons)
    number = 0
    for epoch in range(epochs):
        losses: dict[str, list[float]] = {each.name: [] for each in lessons}
        course = [(lesson, batch) for lesson in lessons for batch in lesson.batches(drawn)]
        for place in drawn.permutation(len(course)):
            lesson, batch = course[place]
            number += 1
            wrong = descent.step(number / (whole + 1), lambda: lesson.loss(network, batch, drawn))  # noqa: B023
            losses[lesson.name].append(wrong)
            if number % 200 == 0:
                print(f"step {number} of {whole}, {monotonic() - begun_at:.0f} s", flush=True)
        told = ", ".join(f"{name} {np.mean(each):.3f}" for name, each in losses.items() if each)
        print(f"epoch {epoch + 1} of {epochs}: {told}", flush=True)
    return network.eval()


# Lines of a notebook -----------------------------------------------------------------------------


class Choice(NamedTuple):
    """A sentence, lines as they are shown, those that are meant first, and what is done to these."""

    said: str
    shown: tuple[str, ...]
    acts: tuple[tuple[float, ...], ...]


def choices(told: Iterable[Told]) -> Iterator[Choice]:
    """What is said to notebooks, and which lines it is about."""
    for each in told:
        said = sentences.core(each.said)
        found = sorted(likely(said, each.lines), key=lambda one: (one.shared, -one.newer), reverse=True)
        meant = [one for one in found if one.line in each.targets][:2]
        others = [one for one in found if one.line not in each.targets][:OTHERS]
        if not found or bool(meant) == (each.label == "unrelated"):
            continue
        own = [*UNCLEAR] if each.label == "ambiguous" else [float(each.label == act) for act in LABELS[1:]]
        acts = tuple(tuple(one / len(meant) for one in own) for _ in meant)
        yield Choice(said, tuple(one.network_text for one in (*meant, *others)), acts)


def of_pairs(pairs: Sequence[Pair]) -> Iterator[Choice]:
    """Two notes as a sentence and a line: one that contradicts the other amends it."""
    drawn = np.random.default_rng(3)
    for each in pairs:
        if each.label == "duplicate":
            continue
        other = pairs[int(drawn.integers(len(pairs)))].first
        said, line = (each.second, each.first) if drawn.random() < 0.7 else (each.first, each.second)
        acts = ((1.0, 0.0, 0.0),) if each.label == "contradiction" else ()
        yield Choice(sentences.core(said), (f"facts: {line}", f"facts: {other}"), acts)


class Choices:
    """Which of some lines are meant, weighed against each other, in each epoch some others of them."""

    name = "says"

    def __init__(self, found: Sequence[Choice], states: States) -> None:
        self._found, self._states = found, states

    def batches(self, drawn: Numbers) -> Sequence[Any]:
        letters = (len(each.said) + max(map(len, each.shown)) for each in self._found)
        return batches(letters, ROWS // LINES, drawn)

    def loss(self, network: Upper, chosen: Any, drawn: Numbers) -> Tensor:
        rows: list[Any] = []
        wanted: list[Sequence[float]] = []
        own = np.zeros((len(chosen), len(chosen) * LINES), np.float32)
        for sentence, each in enumerate(self._found[place] for place in chosen):
            always = len(each.acts) + NEAREST
            others = drawn.permutation(len(each.shown[always:])) + always
            for number in [*range(len(each.shown[:always])), *others][:LINES]:
                own[sentence, len(rows)] = 1
                wanted.append(each.acts[number] if number < len(each.acts) else (0.0,) * ACTS)
                rows.append(self._states.of(each.said, each.shown[number]))
        said = network(*padded(rows), self.name)
        return self._wrong(said, torch.tensor(wanted), torch.from_numpy(own[:, : len(rows)]))

    @staticmethod
    def _wrong(said: Tensor, wanted: Tensor, own: Tensor) -> Tensor:
        """How wrong all is that some sentences may do; `own` says which lines each has."""
        acts = said[:, 1:] - said[:, :1]
        none = -torch.log(1 + own @ acts.exp().sum(-1))
        spread = SMOOTHED / (1 + ACTS * own.sum(-1))
        smooth = wanted * (1 - SMOOTHED) + (spread @ own)[:, None]
        smooth_none = (1 - own @ wanted.sum(-1)) * (1 - SMOOTHED) + spread
        total = (smooth * (acts + (none @ own)[:, None])).sum() + (smooth_none * none).sum()
        return -total / len(own)


# Words of a sentence and a line ------------------------------------------------------------------


class Exchange(NamedTuple):
    """Words of a sentence and of the line that it amends, and of each whether it is taken over or goes."""

    said: tuple[str, ...]
    line: tuple[str, ...]
    wanted: tuple[bool, ...]


def exchanges(told: Iterable[Told]) -> Iterator[Exchange]:
    """The words of lines that are amended."""
    for each in told:
        if each.label != "amended" or not each.result or not each.targets:
            continue
        said, line = sentences.core(each.said), each.targets[0].text
        taken, gone, share = exchange.word_labels(said, line, each.result)
        if share >= EXCHANGED and any(taken + gone):
            mine, own = (tuple(word.text for word in exchange.words(text)) for text in (said, line))
            yield Exchange(mine, own, (*taken, *gone))


class Exchanges:
    """Which words of a sentence take the place of which of a line."""

    name = OF_TOKENS

    def __init__(self, found: Sequence[Exchange], states: States) -> None:
        self._found, self._reader = found, states.reader

    def batches(self, drawn: Numbers) -> Sequence[Any]:
        return batches((len(" ".join((*each.said, *each.line))) for each in self._found), MARKED, drawn)

    def loss(self, network: Upper, chosen: Any, drawn: Numbers) -> Tensor:
        some = [
            self._reader.word_states(self._found[place].said, self._found[place].line) for place in chosen
        ]
        given, mask = padded([rows for rows, _ in some])
        wanted, counts = torch.zeros_like(mask), torch.zeros_like(mask)
        for row, (number, (_, places)) in enumerate(zip(chosen, some, strict=True)):
            for own, is_marked in zip(places, self._found[number].wanted, strict=True):
                wanted[row, own], counts[row, own] = float(is_marked), 1
        said = network(given, mask, self.name)
        wrong = functional.binary_cross_entropy_with_logits(said, wanted, reduction="none")
        return (wrong * counts).sum() / counts.sum()


# Pairs of texts ----------------------------------------------------------------------------------


class Pairs:
    """What two texts are to each other, each label counting as TASKS says."""

    def __init__(self, name: str, found: Sequence[Pair], states: States) -> None:
        self.name, self._found, self._states = name, found, states
        self._task, self._labels = TASKS[name], [*TASKS[name].labels]
        counts = np.bincount([self._labels.index(each.label) for each in found], minlength=len(self._labels))
        weights = np.array([*self._task.labels.values()]) / np.maximum(counts, 1)
        self._weights = torch.tensor(weights / (weights * counts).sum() * len(found), dtype=torch.float32)

    def batches(self, drawn: Numbers) -> Sequence[Any]:
        return batches((len(each.first) + len(each.second) for each in self._found), ROWS, drawn)

    def loss(self, network: Upper, chosen: Any, drawn: Numbers) -> Tensor:
        some = [self._found[place] for place in chosen]
        rows = [
            self._states.of(each.second, each.first)
            if self._task.ways > 1 and drawn.random() < 0.5
            else self._states.of(each.first, each.second)
            for each in some
        ]
        labels = torch.tensor([self._labels.index(each.label) for each in some])
        said = network(*padded(rows), self.name)
        wrong = functional.cross_entropy(said, labels, reduction="none", label_smoothing=SMOOTHED_PAIRS)
        return (wrong * self._weights[labels]).mean()

    def judged(self, network: Upper) -> Any:
        """The probabilities of each label, both ways round."""
        found = np.zeros((len(self._found), len(self._labels)))
        for way in range(self._task.ways):
            texts = [
                (each.first, each.second) if not way else (each.second, each.first) for each in self._found
            ]
            found += said_of(network, self._states, texts, self.name) / self._task.ways
        return found


@torch.no_grad()
def said_of(network: Upper, states: States, pairs: Sequence[tuple[str, str]], output: str) -> Any:
    """What a network says of pairs, as probabilities."""
    network.eval()
    order = np.argsort([len(first) + len(second) for first, second in pairs])
    found = np.zeros((len(pairs), network.says[output].bias.shape[0]))
    for start in range(0, len(order), ROWS):
        some = order[start : start + ROWS]
        said = network(*padded([states.of(*pairs[place]) for place in some]), output)
        found[some] = said.softmax(-1).numpy()
    return found
