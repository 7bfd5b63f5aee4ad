"""Train the network that reads pairs of texts: python tools/train_judge.py FILE.onnx --inferences TABLE.tsv.

Three layers (or --layers), begun as the reranker's own at that height, learn from what its lower layers make
of pairs (`quaid.embed.judge`): first of public sets of textual inference, of which a table is given (source,
first, second, label; PROVENANCE.md names the sets), then of the labelled notes and statements. With --begin a
network goes on that was written before. It takes a quarter of an hour and needs `jax` and `onnx`, which Quaid
itself does not. Authors left out with --without are judged by what the others teach, and that network is
written, too; then one more epoch takes them in. What was made is kept beside the files: a run that was
interrupted goes on from there. Copy the file to src/quaid/embed/models/, its size and SHA-256 to
embed/judge.py.
"""

from __future__ import annotations

import argparse
import csv
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from labelled_pairs import TASKS, Pair, by_authors, for_training
from labelled_statements import statements
from networks import HEADS, LAYERS, READER, WIDTH, Tree, begun, export, read_network

from quaid.embed import judge

LENGTHS = (24, 32, 40, 48, 64, 88, 128)  # tokens: each length is compiled once
BATCH, RATE, DROPPED, SMOOTHED = 32, 2.5e-4, 0.1, 0.1
DAMPED = 0.5  # how much layers count at first that are put upon known ones
ASIDE = 800  # inferences by which it is seen what was learnt
COLUMNS = [(task, label) for task, about in TASKS.items() for label in about.labels]
SAID = {
    task: [column for column, (name, _) in enumerate(COLUMNS) if name == task]
    for task in ("notes", "statements")
}  # what the last layer says, by output
KIN = [[task == other for other, _ in COLUMNS] for task, _ in COLUMNS]  # which labels are of one task


def _norm(layer: Tree, name: str, given: Any) -> Any:
    middle = given.mean(-1, keepdims=True)
    spread = jnp.sqrt(((given - middle) ** 2).mean(-1, keepdims=True) + 1e-12)
    return (given - middle) / spread * layer[f"{name}_weight"] + layer[f"{name}_bias"]


def _drop(key: Any, given: Any) -> Any:
    if key is None:
        return given
    return jnp.where(jax.random.bernoulli(key, 1 - DROPPED, given.shape), given / (1 - DROPPED), 0)


def _layer(layer: Tree, given: Any, mask: Any, key: Any, own: Any) -> Any:
    """One layer of BERT, for its own part of the tokens that are given."""
    keys = [None] * 3 if key is None else jax.random.split(key, 3)
    query, known, value = (
        (each @ layer[name] + layer[f"{name}_bias"])
        .reshape(each.shape[0], each.shape[1], HEADS, -1)
        .transpose(0, 2, 1, 3)
        for name, each in (("query", own), ("key", given), ("value", given))
    )
    heed = query @ known.transpose(0, 1, 3, 2) / np.sqrt(WIDTH / HEADS)
    heed = _drop(keys[0], jax.nn.softmax(heed + (1 - mask)[:, None, None, :] * -1e9, -1))
    mixed = (heed @ value).transpose(0, 2, 1, 3).reshape(own.shape)
    mixed = _norm(layer, "norm", own + _drop(keys[1], mixed @ layer["mixed"] + layer["mixed_bias"]))
    wide = jax.nn.gelu(mixed @ layer["wide"] + layer["wide_bias"], approximate=False)
    narrow = wide @ layer["narrow"] + layer["narrow_bias"]
    return _norm(layer, "last_norm", mixed + _drop(keys[2], narrow))


def upper(network: Tree, given: Any, mask: Any, keys: Any, *, whole: bool = False) -> Any:
    """What the trained layers make of pairs: of their first tokens, or of all."""
    for number, (layer, drawn) in enumerate(zip(network["layers"], keys, strict=False), 1):
        # Of the last layer, mostly only the first token is asked for.
        first = number == len(network["layers"]) and not whole
        given = _layer(layer, given, mask, drawn, given[:, :1] if first else given)
    return _drop(keys[-1], given)


def logits(network: Tree, given: Any, mask: Any, key: Any = None) -> Any:
    """What the network says of pairs, for all tasks, before it becomes probabilities."""
    first = upper(network, given, mask, drawn_keys(network, key))[:, 0]
    return jnp.tanh(first @ network["pool"] + network["pool_bias"]) @ network["says"] + network["says_bias"]


def drawn_keys(network: Tree, key: Any) -> Any:
    """By which each layer, and what it hands on, leaves numbers out."""
    count = len(network["layers"]) + 1
    return [None] * count if key is None else jax.random.split(key, count)


def _loss(network: Tree, given: Any, mask: Any, labels: Any, counts: Any, key: Any) -> Any:
    """How wrong the network is; of each pair, only the labels of its task count."""
    own = jnp.asarray(KIN, jnp.float32)[labels]
    spread = own * SMOOTHED / own.sum(-1, keepdims=True)
    wanted = jax.nn.one_hot(labels, len(COLUMNS)) * (1 - SMOOTHED) + spread
    said = jax.nn.log_softmax(logits(network, given, mask, key) + (1 - own) * -1e9)
    return -((said * wanted).sum(-1) * counts).sum() / counts.sum()


def descent(loss: Callable[..., Any]) -> Callable[..., tuple[Tree, Tree, Any]]:
    """One step of AdamW down a loss."""

    def step(
        network: Tree, moments: Tree, batch: Tree, key: Any, rate: Any, number: Any
    ) -> tuple[Any, Any, Any]:
        found, slope = jax.value_and_grad(loss)(network, *batch, key)
        size = jnp.sqrt(sum((each**2).sum() for each in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda each: each * jnp.minimum(1, 1 / size), slope)
        mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], slope)
        square = jax.tree.map(lambda old, new: 0.98 * old + 0.02 * new * new, moments[1], slope)

        def moved(weight: Any, first: Any, second: Any) -> Any:
            first, second = first / (1 - 0.9**number), second / (1 - 0.98**number)
            return weight - rate * (first / (jnp.sqrt(second) + 1e-6) + 0.01 * weight)

        return jax.tree.map(moved, network, mean, square), (mean, square), found

    made: Callable[..., tuple[Tree, Tree, Any]] = jax.jit(step)
    return made


_STEP, _LOGITS = descent(_loss), jax.jit(logits)


def _ways(pair: Pair) -> list[tuple[str, str]]:
    """A pair in both orders, unless what follows from a text need not be what it follows from."""
    return [(pair.first, pair.second), (pair.second, pair.first)][: TASKS[pair.task].ways]


def read_states(ways: Sequence[tuple[str, str]], kept: Path) -> dict[tuple[str, str], Any]:
    """What the lower layers make of texts in this order. It is kept, for it takes longer than a lesson."""
    held: dict[tuple[str, str], Any] = pickle.loads(kept.read_bytes()) if kept.exists() else {}  # noqa: S301
    new = [way for way in dict.fromkeys(ways) if way not in held]
    reader = judge.Judge(READER, Path())
    with ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda way: reader.states(*way).astype(np.float16), new)
        held |= dict(zip(new, made, strict=True))
    if new:
        kept.write_bytes(pickle.dumps(held))
    return held


class Trainer:
    """What the lower layers make of all pairs, and what is learnt from that."""

    def __init__(self, pairs: Sequence[Pair], kept: Path) -> None:
        self.pairs = pairs
        self.labels = np.array([COLUMNS.index((pair.task, pair.label)) for pair in pairs])
        ways = [_ways(pair) for pair in pairs]
        held = read_states([way for some in ways for way in some], kept)
        self.states = [tuple(held[way] for way in some) for some in ways]

    def trained(self, network: Tree, places: Any, epochs: int, rate: float, seed: int = 0) -> Tree:
        """A network that has learnt from the pairs at some places. Labels count as TASKS says."""
        drawn, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
        moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
        counts = self._counts(places)
        steps, number = epochs * -(-len(places) // BATCH), 0
        for epoch in range(epochs):
            losses = []
            for chosen in self._batches(places, drawn):
                number += 1
                key, own = jax.random.split(key)
                now = rate * min(1, number / (0.1 * steps)) * (1 - number / (steps + 1))
                ways = [drawn.integers(len(self.states[place])) for place in chosen]
                batch = self._batch(chosen, ways, counts)
                network, moments, loss = _STEP(network, moments, batch, own, now, number)
                losses.append(float(loss))
                if number % 100 == 0:
                    print(f"step {number} of {steps}: loss {np.mean(losses[-100:]):.3f}", flush=True)
            print(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}", flush=True)
        return network

    def _counts(self, places: Any) -> Any:
        """How much each pair counts: each task alike, and its labels as it weighs them."""
        present = np.bincount(self.labels[places], minlength=len(COLUMNS))
        weights = np.array([TASKS[task].labels[label] for task, label in COLUMNS])
        return (weights / np.maximum(present, 1))[self.labels] * len(places)

    def _batches(self, places: Any, drawn: Any) -> Iterator[Any]:
        """All places in batches of about the same length, in any order."""
        lengths = np.array([len(self.states[place][0]) for place in places])
        order = places[np.argsort(lengths + drawn.normal(0, 6, len(places)))]
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        return (batches[place] for place in drawn.permutation(len(batches)))

    def _batch(self, places: Any, ways: Any, counts: Any) -> tuple[Any, Any, Any, Any]:
        chosen = [self.states[place][way] for place, way in zip(places, ways, strict=True)]
        width = next(length for length in LENGTHS if length >= max(map(len, chosen)))
        given, mask = np.zeros((BATCH, width, WIDTH), np.float32), np.zeros((BATCH, width), np.float32)
        labels, weights = np.zeros(BATCH, np.int64), np.zeros(BATCH, np.float32)
        mask[:, 0] = 1
        for row, states in enumerate(chosen):
            given[row, : len(states)], mask[row, : len(states)] = states, 1
        labels[: len(places)], weights[: len(places)] = self.labels[places], counts[places]
        return given, mask, labels, weights

    def judged(self, network: Tree, places: Any, task: str) -> Any:
        """The probabilities of each label of a task, both ways round."""
        ones = np.ones(len(self.pairs))
        own = [column for column, (name, _) in enumerate(COLUMNS) if name == task]
        found = np.zeros((len(places), len(own)))
        for way in range(TASKS[task].ways):
            for start in range(0, len(places), BATCH):
                some = places[start : start + BATCH]
                given, mask, _, _ = self._batch(some, [way] * len(some), ones)
                said = np.array(jax.nn.softmax(_LOGITS(network, given, mask)[: len(some), jnp.array(own)]))
                found[start : start + BATCH] += said / TASKS[task].ways
        return found


def report(author: str, task: str, found: Any, labels: Sequence[str]) -> None:
    """How many of each label are right, for each degree of certainty that may be asked for."""
    names = list(TASKS[task].labels)
    wanted = np.array([names.index(label) for label in labels])
    last = len(names) - 1
    for sure in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        chosen = np.where(found[:, :last].max(axis=1) >= sure, found[:, :last].argmax(axis=1), last)
        right = (
            f"{name} {int((chosen[wanted == place] == place).sum())}/{int((wanted == place).sum())}"
            for place, name in enumerate(names)
        )
        print(f"{author}, from {sure}: {', '.join(right)}", flush=True)


def gone_on(file: Path, layers: int) -> Tree:
    """A network that was written before, which has yet to say what follows from what."""
    known, new = read_network(file), begun(len(COLUMNS), layers)
    count, height = known["says"].shape[-1], len(known["layers"])
    says = jnp.concatenate([known["says"], new["says"][:, count:]], -1)
    bias = jnp.concatenate([known["says_bias"], new["says_bias"][count:]])
    upon = [_damped(each, known["layers"][-1]) for each in new["layers"][height:]]
    return {**known, "layers": known["layers"] + upon, "says": says, "says_bias": bias}


def _damped(layer: Tree, below: Tree) -> Tree:
    """A layer that at first hands on nearly what it is given by one below: what is known is not lost."""
    weight, bias = below["last_norm_weight"], below["last_norm_bias"]
    spread = jnp.sqrt((weight**2).mean() + bias.var())
    norms = {
        f"{name}_{part}": jnp.full(WIDTH, value)
        for name in ("norm", "last_norm")
        for part, value in (("weight", spread), ("bias", bias.mean()))
    }
    sums = ("mixed", "mixed_bias", "narrow", "narrow_bias")
    return {**layer, **norms, **{name: layer[name] * DAMPED for name in sums}}


def read_inferences(file: Path) -> list[Pair]:
    """Sentences and what follows from them, of public sets: a table with source, first, second and label."""
    with file.open(encoding="utf-8", newline="") as table:
        return [
            Pair(row["source"], row["first"], row["second"], row["label"], "inference")
            for row in csv.DictReader(table, delimiter="\t")
        ]


def learnt_inference(network: Tree, file: Path, kept: Path) -> Tree:
    """What public sets of inferences teach, which is kept: it takes longest."""
    if kept.exists():
        known: Tree = pickle.loads(kept.read_bytes())  # noqa: S301  # our own
        return known
    trainer = Trainer(read_inferences(file), file.with_suffix(".states"))
    places = np.random.default_rng(1).permutation(len(trainer.pairs))
    aside, rest = places[:ASIDE], places[ASIDE:]
    network = trainer.trained(network, rest, 1, RATE)
    report("inferences", "inference", trainer.judged(network, aside, "inference"),
           [trainer.pairs[place].label for place in aside])  # fmt: skip
    network = jax.tree.map(np.asarray, network)
    kept.write_bytes(pickle.dumps(network))
    return network


def main() -> None:
    """Train, judge those left out, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--inferences", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="A network that was written before.")
    parser.add_argument("--layers", type=int, default=LAYERS, help="More than it has are put upon it.")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--epochs", type=int, default=4)
    given = parser.parse_args()
    network = gone_on(given.begin, given.layers) if given.begin else begun(len(COLUMNS), given.layers)
    network = learnt_inference(network, given.inferences, given.inferences.with_suffix(".pickle"))
    trainer = Trainer([*by_authors(), *statements(), *for_training()], given.file.with_suffix(".states"))
    authors = np.array([pair.author for pair in trainer.pairs])
    without = given.file.with_suffix(".without.pickle")
    if without.exists():
        network = pickle.loads(without.read_bytes())  # noqa: S301  # our own
    else:
        aside = np.isin(authors, given.without)
        if given.begin:  # it knows these, and is reminded of them at the end
            aside |= np.array([(pair.author, pair.task) == ("training", "notes") for pair in trainer.pairs])
        network = trainer.trained(network, np.flatnonzero(~aside), given.epochs, RATE)
        for author in given.without:
            places = np.flatnonzero(authors == author)
            some = [trainer.pairs[int(place)] for place in places]
            found = trainer.judged(network, places, some[0].task)
            report(author, some[0].task, found, [pair.label for pair in some])
    if given.without or given.begin:
        without.write_bytes(pickle.dumps(jax.tree.map(np.asarray, network)))
        export(network, given.file.with_suffix(".without.onnx"), SAID)
        network = trainer.trained(network, np.arange(len(trainer.pairs)), 1, RATE / 2)
    export(network, given.file, SAID)


if __name__ == "__main__":
    main()
