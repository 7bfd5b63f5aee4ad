"""Train the network that says what a sentence does to a line: python tools/train_changes.py FILE.onnx.

As `train_judge.py`, of which it has the layers, but for what `labelled_notebooks.py` gives: a sentence and
some lines of a notebook, of which one is amended, removed or done, or none. The lines of one sentence are
weighed against each other. `--begin` goes on with a network that was trained before. With `--without AUTHOR
--odds FILE` authors are left out, and what the others teach of their sentences is written down; the network
is written in either case. Copy it to src/quaid/embed/models/, its size and SHA-256 to embed/changes.py.
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
import onnx
from labelled_notebooks import LABELS, Told, all_told
from onnx import numpy_helper
from train_judge import LAYERS, LENGTHS, READER, WIDTH, begun, descent, export, logits

from quaid.embed import judge
from quaid.routing import sentences
from quaid.routing.likely_lines import Likely, likely

LINES = 5  # of each sentence: those that are meant, those most like them, and the newest
ACTS = len(LABELS) - 1
BATCH, RATE, SMOOTHED = 8, 2e-4, 0.05
UNCLEAR = (0.45, 0.35, 0.2)  # what is done where one of two lines is meant

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


class States:
    """What the lower layers make of pairs, each made once."""

    def __init__(self) -> None:
        self._reader = judge.Judge(READER, Path())
        self._held: dict[tuple[str, str], Any] = {}

    def read(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Make the states of all pairs that are not made yet."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._held]
        with ThreadPoolExecutor(2) as pool:
            made = pool.map(lambda pair: self._reader.states(*pair).astype(np.float16), new)
            self._held |= dict(zip(new, made, strict=True))

    def of(self, said: str, shown: str) -> Any:
        """A row for each token of a sentence and a line."""
        return self._held[said, shown]


def trained(found: Sequence[Choice], states: States, epochs: int, network: Tree) -> Tree:
    """A network that has learnt from choices."""
    drawn, key = np.random.default_rng(0), jax.random.PRNGKey(0)
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    states.read((each.said, shown) for each in found for shown in each.shown)
    lengths = np.array([max(len(states.of(each.said, one)) for one in each.shown) for each in found])
    step, number = descent(_loss), 0
    steps = epochs * -(-len(found) // BATCH)
    print(f"{len(found)} sentences, {steps} steps", flush=True)
    for epoch in range(epochs):
        losses = []
        order = np.argsort(lengths + drawn.normal(0, 5, len(found)))
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        for place in drawn.permutation(len(batches)):
            number += 1
            key, own = jax.random.split(key)
            rate = RATE * min(1, number / (0.1 * steps)) * (1 - number / (steps + 1))
            batch = _batch([found[each] for each in batches[place]], states)
            network, moments, loss = step(network, moments, batch, own, rate, number)
            losses.append(float(loss))
        print(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}", flush=True)
    return network


def _batch(chosen: Sequence[Choice], states: States) -> tuple[Any, Any, Any, Any]:
    empty = np.zeros((1, WIDTH), np.float16)
    there, wanted = np.zeros((BATCH, LINES), np.float32), np.zeros((BATCH, 1 + LINES * ACTS), np.float32)
    rows = [empty] * (BATCH * LINES)
    for place, each in enumerate(chosen):
        there[place, : len(each.shown)], wanted[place] = 1, each.wanted
        for line, shown in enumerate(each.shown):
            rows[place * LINES + line] = states.of(each.said, shown)
    given, mask = _padded(rows)
    return given, mask, wanted, there


def _padded(rows: Sequence[Any]) -> tuple[Any, Any]:
    width = next(length for length in LENGTHS if length >= max(map(len, rows)))
    given, mask = np.zeros((len(rows), width, WIDTH), np.float32), np.zeros((len(rows), width), np.float32)
    for row, each in enumerate(rows):
        given[row, : len(each)], mask[row, : len(each)] = each, 1
    return given, mask


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
        given, mask = _padded([*rows, *rows[:1] * (BATCH * LINES - len(rows))])
        shares = np.array(jax.nn.softmax(said(network, given, mask)))
        known |= dict(zip(some, shares.tolist(), strict=False))
    return [(each, ones, [known[core, one.shown] for one in ones]) for each, core, ones in found]


def read_network(file: Path) -> Tree:
    """A network that `export` has written, from eight bits."""
    held = {each.name: numpy_helper.to_array(each) for each in onnx.load(file).graph.initializer}
    place = 0

    def values(skipped: int = 0) -> Any:
        """What the graph holds next; what is no weight is passed over."""
        nonlocal place
        name = f"held_{place}"
        place += 1 + skipped
        if name in held:
            return jnp.asarray(held[name], jnp.float32)
        whole = held[f"{name}_quantized"].astype(np.float32) - held[f"{name}_zero_point"].astype(np.float32)
        return jnp.asarray(whole * held[f"{name}_scale"])

    # As `Graph.layer` writes them, with the shapes and factors between them.
    order = (("key", 1), ("query", 2), ("value", 2), ("mixed", 0), ("norm", 0), ("wide", 3), ("narrow", 0))
    layers = []
    for _ in range(LAYERS):
        layer: dict[str, Any] = {}
        for name, skipped in (*order, ("last_norm", 0)):
            layer[f"{name}_weight" if "norm" in name else name] = values()
            layer[f"{name}_bias"] = values(skipped)
        layers.append(layer)
    place += 1  # which token is gathered
    last = {name: values() for name in ("pool", "pool_bias", "says", "says_bias")}
    return {"layers": layers, **last}


def main() -> None:
    """Train on all authors but those left out, say what is learnt of these, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--begin", type=Path, help="A network that was written before.")
    parser.add_argument("--without", action="append", default=[], help="An author.")
    parser.add_argument("--odds", type=Path, help="Where to write what is said of those left out.")
    given = parser.parse_args()
    told, states = all_told(), States()
    network = read_network(given.begin) if given.begin else begun(len(LABELS))
    known = [each for each in told if each.author not in given.without]
    network = trained([*choices(known)], states, given.epochs, network)
    if given.odds:
        aside = [each for each in told if each.author in given.without]
        given.odds.write_bytes(pickle.dumps(odds(network, states, aside)))
    export(network, given.file, {"says": range(len(LABELS))})


if __name__ == "__main__":
    main()
