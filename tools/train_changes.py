"""Train the network that says what a sentence does to a line: python tools/train_changes.py FILE.onnx.

As `train_judge.py`, of which it has the layers, but for what `labelled_notebooks.py` gives: a sentence and
some lines of a notebook, of which one is amended, removed or done, or none. The lines of one sentence are
weighed against each other. Of lines that are amended it also learns which words of the sentence take the
place of which of theirs (`quaid.routing.exchange`). `--begin` goes on with a network that was trained before,
which may say something else; with `--new AUTHOR` it has read all other authors, of whom a part is repeated.
With `--without AUTHOR --odds FILE` authors are left out, and what the others teach of their sentences is
written down; the network is written in either case. Copy it to src/quaid/embed/models/, its size and SHA-256
to embed/changes.py.
"""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from labelled_notebooks import LABELS, Told, all_told, variants
from networks import READER, WIDTH, begun, export, padded, read_network
from train_judge import LENGTHS, descent, drawn_keys, logits, upper

from quaid.embed import judge
from quaid.routing import exchange, sentences
from quaid.routing.likely_lines import Likely, likely

LINES = 5  # of each sentence: those that are meant, those most like them, and the newest
ACTS = len(LABELS) - 1
BATCH, RATE, SMOOTHED = 8, 2e-4, 0.05
UNCLEAR = (0.45, 0.35, 0.2)  # what is done where one of two lines is meant
VARIED = 0.4  # of the variants of what was said, how many are learnt from
REPEATED_SENTENCES = 0.25  # of those that it has read before
EXCHANGED = 0.6  # how much of a new wording the sentence must have
MARKED, REPEATED = 12, 2  # pairs in a batch whose words are marked, and how often an epoch has each

Tree = Any  # JAX's nested dictionaries of arrays


class Choice(NamedTuple):
    """A sentence, lines as they are shown, and how probable each act on each line is, none first."""

    said: str
    shown: tuple[str, ...]
    wanted: Any


def choices(told: Iterable[Told]) -> Iterator[Choice]:
    """What the network learns from."""
    for each in told:
        said = sentences.core(each.said)
        found = sorted(likely(said, each.lines), key=lambda one: (one.shared, -one.newer), reverse=True)
        meant = [one for one in found if one.line in each.targets][:2]
        others = [one for one in found if one.line not in each.targets]
        room = LINES - len(meant)
        newest = [one for one in others[room - 1 :] if one.just_said][:1]
        lines = (*meant, *others[: room - len(newest)], *newest)
        if not lines or bool(meant) == (each.label == "unrelated"):
            continue
        acts = np.zeros((LINES, ACTS), np.float32)
        if each.label == "ambiguous":
            acts[: len(meant)] = np.array(UNCLEAR) / len(meant)
        elif meant:
            acts[: len(meant), LABELS.index(each.label) - 1] = 1 / len(meant)
        wanted = np.concatenate([[1 - acts.sum()], acts.reshape(-1)])
        yield Choice(said, tuple(one.shown for one in lines), wanted)


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
        taken, gone, share = exchange.labelled(said, line, each.result)
        if share >= EXCHANGED and any(taken + gone):
            mine, own = (tuple(word.text for word in exchange.words(text)) for text in (said, line))
            yield Exchange(mine, own, (*taken, *gone))


def _loss(network: Tree, given: Any, mask: Any, wanted: Any, there: Any, key: Any) -> Any:
    """How wrong the network is about all that a sentence may do; `there` are the lines that it has."""
    said = logits(network, given, mask, key).reshape(*there.shape, len(LABELS))
    acts = (said[..., 1:] - said[..., :1]).reshape(len(there), -1)
    known = jnp.concatenate([jnp.ones((len(there), 1)), jnp.repeat(there, ACTS, axis=1)], 1)
    none = jnp.zeros((len(there), 1))
    weighed = jax.nn.log_softmax(jnp.concatenate([none, acts], 1) + (1 - known) * -1e9)
    smooth = wanted * (1 - SMOOTHED) + SMOOTHED * known / known.sum(-1, keepdims=True)
    counts = there.max(-1)
    return -((jnp.where(known > 0, weighed, 0) * smooth).sum(-1) * counts).sum() / counts.sum()


def _marks_loss(network: Tree, given: Any, mask: Any, wanted: Any, counts: Any, key: Any) -> Any:
    """How wrong the network is about words that are exchanged."""
    read = upper(network, given, mask, drawn_keys(network, key), whole=True)
    said = (read @ network["marks"] + network["marks_bias"])[..., 0]
    wrong = -(jax.nn.log_sigmoid(said) * wanted + jax.nn.log_sigmoid(-said) * (1 - wanted))
    return (wrong * counts).sum() / counts.sum()


class States:
    """What the lower layers make of pairs, each made once; they may be kept in a file for the next time."""

    def __init__(self, kept: Path | None = None) -> None:
        self._reader = judge.Judge(READER, Path())
        self._kept = kept
        self._held: dict[tuple[str, str], Any] = {}
        if kept and kept.exists():
            self._held = pickle.loads(kept.read_bytes())  # noqa: S301  # our own

    def read(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Make the states of all pairs that are not made yet."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._held]
        with ThreadPoolExecutor(2) as pool:
            made = pool.map(lambda pair: self._reader.states(*pair).astype(np.float16), new)
            self._held |= dict(zip(new, made, strict=True))
        if new and self._kept:
            self._kept.write_bytes(pickle.dumps(self._held))

    def of(self, said: str, shown: str) -> Any:
        """A row for each token of a sentence and a line."""
        return self._held[said, shown]

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
        self.network, self.found, self.states = network, found, states
        self.moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
        states.read((each.said, shown) for each in found for shown in each.shown)
        self.lengths = np.array([max(len(states.of(each.said, one)) for one in each.shown) for each in found])
        self.marked = [states.marked(each) for each in marked]
        self.steps = {"choices": descent(_loss), "marks": descent(_marks_loss)}

    def train(self, epochs: int) -> Tree:
        """A network that has learnt from all."""
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
                rate = RATE * min(1, number / (0.1 * whole)) * (1 - number / (whole + 1))
                name, chosen = batches[place]
                batch = self._choices(chosen) if name == "choices" else self._marks(chosen)
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
        for name, size, lengths in (
            ("choices", BATCH, self.lengths),
            *[("marks", MARKED, np.array([len(rows) for rows, _, _ in self.marked]))] * REPEATED,
        ):
            order = np.argsort(lengths + drawn.normal(0, 5, len(lengths)))
            yield from ((name, order[start : start + size]) for start in range(0, len(order), size))

    def _choices(self, chosen: Any) -> tuple[Any, Any, Any, Any]:
        there, wanted = (
            np.zeros((BATCH, LINES), np.float32),
            np.zeros((BATCH, 1 + LINES * ACTS), np.float32),
        )
        rows = [np.zeros((1, WIDTH), np.float16)] * (BATCH * LINES)
        for place, each in enumerate(self.found[number] for number in chosen):
            there[place, : len(each.shown)], wanted[place] = 1, each.wanted
            for line, shown in enumerate(each.shown):
                rows[place * LINES + line] = self.states.of(each.said, shown)
        given, mask = padded(rows, LENGTHS)
        return given, mask, wanted, there

    def _marks(self, chosen: Any) -> tuple[Any, Any, Any, Any]:
        some = [self.marked[number] for number in chosen]
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
    pairs = list(dict.fromkeys((core, one.shown) for _, core, ones in found for one in ones))
    states.read(pairs)
    pairs.sort(key=lambda pair: len(states.of(*pair)))
    known: dict[tuple[str, str], Any] = {}
    for start in range(0, len(pairs), BATCH * LINES):
        some = pairs[start : start + BATCH * LINES]
        rows = [states.of(*pair) for pair in some]
        given, mask = padded([*rows, *rows[:1] * (BATCH * LINES - len(rows))], LENGTHS)
        shares = np.array(jax.nn.softmax(said(network, given, mask)))
        known |= dict(zip(some, shares.tolist(), strict=False))
    return [(each, ones, [known[core, one.shown] for one in ones]) for each, core, ones in found]


def first(begin: Path | None) -> Tree:
    """A network that has learnt nothing of notebooks yet."""
    drawn = np.random.default_rng(1)
    marks = jnp.asarray(drawn.normal(0, 0.03, (WIDTH, 1)), jnp.float32)
    network = {**begun(len(LABELS)), "marks": marks, "marks_bias": jnp.zeros(1)}
    known = read_network(begin) if begin else {}
    if known and known["says"].shape != network["says"].shape:
        del known["says"], known["says_bias"]  # it has learnt to say something else
    return {**network, **known}


def _some(told: Sequence[Told], share: float) -> list[Told]:
    """A part of some sentences, always the same."""
    drawn = np.random.default_rng(2).permutation(len(told))[: round(share * len(told))]
    return [told[place] for place in drawn]


def main() -> None:
    """Train on all authors but those left out, say what is learnt of these, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--begin", type=Path, help="A network whose layers it begins with.")
    parser.add_argument("--new", action="append", default=[], help="An author whom that one has not read.")
    parser.add_argument("--without", action="append", default=[], help="An author.")
    parser.add_argument("--odds", type=Path, help="Where to write what is said of those left out.")
    parser.add_argument("--states", type=Path, help="Where what the lower layers say is kept.")
    given = parser.parse_args()
    told, states = all_told(), States(given.states)
    known = [each for each in told if each.author not in given.without]
    new = [each for each in known if not given.new or each.author in given.new]
    old = [each for each in known if given.new and each.author not in given.new]
    more = [*variants({each.author for each in new})]
    found = [*choices([*new, *_some(old, REPEATED_SENTENCES), *_some(more, VARIED)])]
    network = Trainer(first(given.begin), found, [*exchanges(known)], states).train(given.epochs)
    if given.odds:
        aside = [each for each in told if each.author in given.without]
        given.odds.write_bytes(pickle.dumps(odds(network, states, aside)))
    export(network, given.file, {"says": range(len(LABELS))})


if __name__ == "__main__":
    main()
