"""Train the network that says what a sentence does to a line: python tools/train_changes.py FILE.onnx.

As `train_judge.py`, of which it has the layers, but for what `labelled_notebooks.py` gives: a sentence and
some lines of a notebook, of which one is amended, removed or done, or none. The lines of one sentence are
weighed against each other, in each epoch some others of them. Of two notes that contradict each other, one
amends the other: so it learns from those of `labelled_pairs.py` too. Of lines that are amended it also learns
which words of the sentence take the place of which of theirs (`quaid.routing.exchange`). `--begin` goes on
with a network that was trained before, which may say something else and have fewer layers: the reranker's
stand above them. With `--new AUTHOR` it has read all other authors, of whom a part is repeated.
With `--without AUTHOR --odds FILE` authors are left out, and what the others teach of their sentences is
written down; the network is written in either case. Copy it to src/quaid/embed/models/, its size and SHA-256
to embed/changes.py.
"""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from labelled_notebooks import LABELS, Told, all_told, variants
from labelled_pairs import Pair, by_authors, for_training
from networks import LAYERS, READER, WIDTH, begun, export, padded, read_network
from train_judge import descent, drawn_keys, logits, upper

from quaid.embed import judge
from quaid.routing import exchange, sentences
from quaid.routing.likely_lines import Likely, likely

LINES = 4  # of each sentence: those that are meant, those most like them, and some others
NEAREST, OTHERS = 2, 6  # of those that are not meant, how many are always read, and how many ever
ACTS = len(LABELS) - 1
ROWS, RATE, SMOOTHED = 32, 1.2e-4, 0.05  # lines in a batch
UNCLEAR = (0.45, 0.35, 0.2)  # what is done where one of two lines is meant
WARM = 0.08  # the share of the steps in which the rate rises
VARIED = 0.4  # of the variants of what was said, how many are learnt from
REMINDED = 0.25  # of the sentences that it has read before
REHEARSED = 0.3  # of the words that are exchanged by these
OF_PAIRS = 0.03  # of the pairs of notes
EXCHANGED = 0.6  # how much of a new wording the sentence must have
MARKED = 16  # pairs in a batch whose words are marked

LENGTHS = (28, 36, 46, 60, 84, 128)  # tokens: each length is compiled once

Tree = Any  # JAX's nested dictionaries of arrays


class Choice(NamedTuple):
    """A sentence, lines as they are shown, those that are meant first, and what is done to these."""

    said: str
    shown: tuple[str, ...]
    acts: tuple[tuple[float, ...], ...]


def choices(told: Iterable[Told]) -> Iterator[Choice]:
    """What the network learns from."""
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


class Exchange(NamedTuple):
    """Words of a sentence and of the line that it amends, and of each whether it is taken over or goes."""

    said: tuple[str, ...]
    line: tuple[str, ...]
    wanted: tuple[bool, ...]


def exchanges(told: Iterable[Told]) -> Iterator[Exchange]:
    """What the network learns to mark."""
    for each in told:
        if each.label != "amended" or not each.result or not each.targets:
            continue
        said, line = sentences.core(each.said), each.targets[0].text
        taken, gone, share = exchange.word_labels(said, line, each.result)
        if share >= EXCHANGED and any(taken + gone):
            mine, own = (tuple(word.text for word in exchange.words(text)) for text in (said, line))
            yield Exchange(mine, own, (*taken, *gone))


def _loss(network: Tree, given: Any, mask: Any, wanted: Any, own: Any, key: Any) -> Any:
    """How wrong the network is about all that some sentences may do; `own` says which lines each has."""
    said = logits(network, given, mask, key)
    acts = said[:, 1:] - said[:, :1]
    none = -jnp.log(1 + own @ jnp.exp(acts).sum(-1))
    count = own.sum(-1)
    spread = SMOOTHED / (1 + ACTS * count)
    smooth = wanted * (1 - SMOOTHED) + (spread @ own)[:, None]
    smooth_none = (1 - own @ wanted.sum(-1)) * (1 - SMOOTHED) + spread
    total = (smooth * (acts + (none @ own)[:, None])).sum() + (smooth_none * none).sum()
    return -total / (count > 0).sum()


def _marks_loss(network: Tree, given: Any, mask: Any, wanted: Any, counts: Any, key: Any) -> Any:
    """How wrong the network is about words that are exchanged."""
    read = upper(network, given, mask, drawn_keys(network, key), whole=True)
    said = (read @ network["marks"] + network["marks_bias"])[..., 0]
    wrong = -(jax.nn.log_sigmoid(said) * wanted + jax.nn.log_sigmoid(-said) * (1 - wanted))
    return (wrong * counts).sum() / counts.sum()


class States:
    """What the lower layers make of pairs, each made once, when it is asked for."""

    def __init__(self) -> None:
        self._reader = judge.Judge(READER, Path())
        self._held: dict[tuple[str, str], Any] = {}

    def of(self, said: str, shown: str) -> Any:
        """A row for each token of a sentence and a line."""
        pair = (said, shown)
        if pair not in self._held:
            self._held[pair] = self._reader.states(*pair).astype(np.float16)
        return self._held[pair]

    def marked(self, each: Exchange) -> tuple[Any, Any, Any]:
        """A row for each token of an exchange; whether it is marked, and whether it is part of a word."""
        rows, places = self._reader.word_states(each.said, each.line)
        wanted, counts = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.float32)
        for own, is_marked in zip(places, each.wanted, strict=True):
            wanted[own], counts[own] = is_marked, 1
        return rows.astype(np.float16), wanted, counts


class Trainer:
    """Goes on with a network, by batches of choices and of exchanges in any order."""

    def __init__(self, network: Tree, found: Sequence[Choice], marked: Sequence[Exchange], states: States):
        self.network, self.states = network, states
        self.found, self.marked = found, marked
        self.moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
        # By how many letters there are to read, batches are made of pairs of about the same length.
        self.letters = {
            "choices": [len(each.said) + max(map(len, each.shown)) for each in found],
            "marks": [len(" ".join((*each.said, *each.line))) for each in marked],
        }
        self.steps = {"choices": descent(_loss), "marks": descent(_marks_loss)}

    def train(self, epochs: int, minutes: float) -> Tree:
        """A network that has learnt from all, or from as much as there was time for."""
        begun_at = monotonic()
        drawn, key = np.random.default_rng(0), jax.random.PRNGKey(0)
        whole = epochs * len([*self._batches(drawn)])
        print(f"{len(self.found)} sentences, {len(self.marked)} exchanges, {whole} steps", flush=True)
        number = 0
        for epoch in range(epochs):
            losses: dict[str, list[float]] = {name: [] for name in self.steps}
            batches = [*self._batches(drawn)]
            for place in drawn.permutation(len(batches)):
                number += 1
                key, own = jax.random.split(key)
                share = max(number / (whole + 1), (monotonic() - begun_at) / (60 * minutes))
                if share >= 1:
                    return self.network
                rate = RATE * min(1, share / WARM) * (1 - share)
                name, chosen = batches[place]
                batch = self._choices(chosen, drawn) if name == "choices" else self._marks(chosen)
                self.network, self.moments, loss = self.steps[name](
                    self.network, self.moments, batch, own, rate, number
                )
                losses[name].append(float(loss))
                if number % 100 == 0:
                    print(f"step {number}: {np.mean(losses['choices'][-90:]):.3f}", flush=True)
            told = ", ".join(f"{name} {np.mean(each):.3f}" for name, each in losses.items() if each)
            print(f"epoch {epoch + 1} of {epochs}: {told}", flush=True)
        return self.network

    def _batches(self, drawn: Any) -> Iterator[tuple[str, Any]]:
        """Batches of about the same length, of which task each is."""
        for name, letters in self.letters.items():
            some: list[int] = []
            rows = 0
            for place in np.argsort(letters + drawn.normal(0, 15, len(letters))):
                is_choice = name == "choices"
                more = min(LINES, len(self.found[place].shown)) if is_choice else ROWS // MARKED
                if rows + more > ROWS:
                    yield name, some
                    some, rows = [], 0
                some, rows = [*some, int(place)], rows + more
            yield name, some

    def _choices(self, chosen: Sequence[int], drawn: Any) -> tuple[Any, Any, Any, Any]:
        wanted, own = np.zeros((ROWS, ACTS), np.float32), np.zeros((ROWS, ROWS), np.float32)
        rows: list[Any] = []
        for sentence, each in enumerate(self.found[number] for number in chosen):
            always = len(each.acts) + NEAREST
            others = drawn.permutation(len(each.shown[always:])) + always
            for number in [*range(len(each.shown[:always])), *others][:LINES]:
                own[sentence, len(rows)] = 1
                wanted[len(rows)] = each.acts[number] if number < len(each.acts) else 0
                rows.append(self.states.of(each.said, each.shown[number]))
        rows += [np.zeros((1, WIDTH), np.float16)] * (ROWS - len(rows))
        return *padded(rows, LENGTHS), wanted, own

    def _marks(self, chosen: Sequence[int]) -> tuple[Any, Any, Any, Any]:
        some = [self.states.marked(self.marked[number]) for number in chosen]
        rows = [rows for rows, _, _ in some] + [np.zeros((1, WIDTH), np.float16)] * (MARKED - len(some))
        given, mask = padded(rows, LENGTHS)
        wanted, counts = np.zeros_like(mask), np.zeros_like(mask)
        for place, (own, marked, counted) in enumerate(some):
            wanted[place, : len(own)], counts[place, : len(own)] = marked, counted
        return given, mask, wanted, counts


def odds(network: Tree, states: States, told: Sequence[Told]) -> list[tuple[Told, list[Likely], list[Any]]]:
    """What a network says of each line that some sentences may be about."""
    said = jax.jit(logits)
    found = [
        (each, sentences.core(each.said), likely(sentences.core(each.said), each.lines)) for each in told
    ]
    pairs = list(dict.fromkeys((core, one.network_text) for _, core, ones in found for one in ones))
    pairs.sort(key=lambda pair: len(states.of(*pair)))
    known: dict[tuple[str, str], Any] = {}
    for start in range(0, len(pairs), ROWS):
        some = pairs[start : start + ROWS]
        rows = [states.of(*pair) for pair in some]
        given, mask = padded([*rows, *rows[:1] * (ROWS - len(rows))], LENGTHS)
        shares = np.array(jax.nn.softmax(said(network, given, mask)))
        known |= dict(zip(some, shares.tolist(), strict=False))
    return [(each, ones, [known[core, one.network_text] for one in ones]) for each, core, ones in found]


def first(begin: Path | None, layers: int) -> Tree:
    """A network that has learnt nothing of notebooks yet."""
    drawn = np.random.default_rng(1)
    marks = jnp.asarray(drawn.normal(0, 0.03, (WIDTH, 1)), jnp.float32)
    network = {**begun(len(LABELS), layers), "marks": marks, "marks_bias": jnp.zeros(1)}
    known = read_network(begin) if begin else {}
    if known and known["says"].shape != network["says"].shape:
        del known["says"], known["says_bias"]  # it has learnt to say something else
    own = known.pop("layers", [])
    if len(own) < layers:  # what it said was said by a lower layer
        known = {}
    return {**network, **known, "layers": [*own, *network["layers"][len(own) :]]}


def _some(told: Sequence[Any], share: float) -> list[Any]:
    """A part of them, always the same."""
    drawn = np.random.default_rng(2).permutation(len(told))[: round(share * len(told))]
    return [told[place] for place in drawn]


def main() -> None:
    """Train on all authors but those left out, say what is learnt of these, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=120, help="It takes at most.")
    parser.add_argument("--begin", type=Path, help="A network whose layers it begins with.")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--new", action="append", default=[], help="An author whom that one has not read.")
    parser.add_argument("--without", action="append", default=[], help="An author.")
    parser.add_argument("--odds", type=Path, help="Where to write what is said of those left out.")
    given = parser.parse_args()
    told, states = all_told(), States()
    known = [each for each in told if each.author not in given.without]
    new = [each for each in known if not given.new or each.author in given.new]
    old = [each for each in known if given.new and each.author not in given.new]
    more = [*variants({each.author for each in new})]
    # What is new to it is read twice, with other lines beside it.
    found = [*choices([*new, *new, *_some(old, REMINDED), *_some(more, VARIED)])]
    found += _some([*of_pairs([*by_authors(), *for_training()])], OF_PAIRS)
    exchanged = [*exchanges(new), *_some([*exchanges(old)], REHEARSED)]
    trainer = Trainer(first(given.begin, given.layers), found, exchanged, states)
    network = trainer.train(given.epochs, given.minutes)
    if given.odds:
        aside = [each for each in told if each.author in given.without]
        given.odds.write_bytes(pickle.dumps(odds(network, states, aside)))
    export(network, given.file, {"says": range(len(LABELS))})


if __name__ == "__main__":
    main()
