"""Train the network that says what a sentence does to a line: python tools/train_changes.py FILE.onnx.

As `train_judge.py`, of which it has the layers, but for what `labelled_notebooks.py` gives: a sentence and a
line, which is unrelated to it, amended, removed or done. With `--odds FILE` some authors are left out first,
fold by fold, and what the others teach of their sentences is written down and counted. Copy the network to
src/quaid/embed/models/, its size and SHA-256 to embed/changes.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from labelled_notebooks import LABELS, Told, all_told
from train_judge import LENGTHS, READER, WIDTH, export, logits, reranker_layers

from quaid.embed import judge
from quaid.routing.likely_lines import likely

NEGATIVES = 3  # lines of each sentence from which it learns that they are not meant
BATCH, RATE, SMOOTHED = 32, 3e-4, 0.05
FOLDS = (
    ("second", "blind"),
    ("first", "notebook-blind.json"),
    ("third", "notebook.json", "kept aside", "own"),
)

Tree = Any  # JAX's nested dictionaries of arrays


class Pair(NamedTuple):
    """A sentence, a line as the network is shown it, and how probable each label is."""

    author: str
    said: str
    shown: str
    wanted: tuple[float, ...]


def pairs(told: Sequence[Told]) -> Iterator[Pair]:
    """What the network learns from: the lines that are meant, and those that are most like them."""
    for each in told:
        found = sorted(likely(each.said, each.lines), key=lambda one: (one.shared, -one.newer), reverse=True)
        others = [one for one in found if one.line not in each.targets]
        newest = [one for one in others[NEGATIVES:] if one.just_said]
        for one in (*others[:NEGATIVES], *newest):
            yield Pair(each.author, each.said, one.shown, _wanted("unrelated"))
        for one in found:
            if one.line in each.targets:
                yield Pair(each.author, each.said, one.shown, _wanted(each.label))


def _wanted(label: str) -> tuple[float, ...]:
    if label == "ambiguous":  # one of two is meant, whatever becomes of it
        return (0.1, 0.4, 0.3, 0.2)
    return tuple(float(label == each) for each in LABELS)


def _loss(network: Tree, given: Any, mask: Any, wanted: Any, counts: Any, key: Any) -> Any:
    smooth = wanted * (1 - SMOOTHED) + SMOOTHED / len(LABELS)
    said = jax.nn.log_softmax(logits(network, given, mask, key))
    return -((said * smooth).sum(-1) * counts).sum() / counts.sum()


def _step(
    network: Tree, moments: Tree, batch: Tree, key: Any, rate: Any, number: Any
) -> tuple[Any, Any, Any]:
    """One step of AdamW."""
    loss, slope = jax.value_and_grad(_loss)(network, *batch, key)
    size = jnp.sqrt(sum((each**2).sum() for each in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda each: each * jnp.minimum(1, 1 / size), slope)
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], slope)
    square = jax.tree.map(lambda old, new: 0.98 * old + 0.02 * new * new, moments[1], slope)

    def moved(weight: Any, first: Any, second: Any) -> Any:
        first, second = first / (1 - 0.9**number), second / (1 - 0.98**number)
        return weight - rate * (first / (jnp.sqrt(second) + 1e-6) + 0.01 * weight)

    return jax.tree.map(moved, network, mean, square), (mean, square), loss


class States:
    """What the lower layers make of pairs, each made once."""

    def __init__(self) -> None:
        self._reader = judge.Judge(READER, Path())
        self._held: dict[tuple[str, str], Any] = {}

    def of(self, said: str, shown: str) -> Any:
        """A row for each token of a sentence and a line."""
        key = (said, shown)
        if key not in self._held:
            self._held[key] = self._reader.states(said, shown).astype(np.float16)
        return self._held[key]


def trained(found: Sequence[Pair], states: States, epochs: int) -> Tree:
    """A network that has learnt from pairs. What is not meant counts as much as all that is."""
    drawn, key = np.random.default_rng(0), jax.random.PRNGKey(0)
    network = {
        "layers": reranker_layers(),
        "pool": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, WIDTH)), jnp.float32),
        "pool_bias": jnp.zeros(WIDTH),
        "says": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, len(LABELS))), jnp.float32),
        "says_bias": jnp.zeros(len(LABELS)),
    }
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    wanted = np.array([pair.wanted for pair in found], np.float32)
    share = np.array([0.5, 0.2, 0.15, 0.15]) * len(found) / wanted.sum(0)
    counts = (wanted * share).sum(1).astype(np.float32)
    print(f"{len(found)} pairs", flush=True)
    held = [states.of(pair.said, pair.shown) for pair in found]
    step = jax.jit(_step)
    steps, number = epochs * -(-len(found) // BATCH), 0
    for epoch in range(epochs):
        losses = []
        lengths = np.array([len(each) for each in held])
        order = np.argsort(lengths + drawn.normal(0, 6, len(found)))
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        for place in drawn.permutation(len(batches)):
            number += 1
            key, own = jax.random.split(key)
            rate = RATE * min(1, number / (0.1 * steps)) * (1 - number / (steps + 1))
            chosen = batches[place]
            given, mask = _padded([held[each] for each in chosen])
            weights = np.zeros(BATCH, np.float32)
            weights[: len(chosen)] = counts[chosen]
            labels = np.zeros((BATCH, len(LABELS)), np.float32)
            labels[: len(chosen)] = wanted[chosen]
            network, moments, loss = step(network, moments, (given, mask, labels, weights), own, rate, number)
            losses.append(float(loss))
        print(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}", flush=True)
    return network


def _padded(chosen: Sequence[Any]) -> tuple[Any, Any]:
    width = next(length for length in LENGTHS if length >= max(map(len, chosen)))
    given, mask = np.zeros((BATCH, width, WIDTH), np.float32), np.zeros((BATCH, width), np.float32)
    mask[:, 0] = 1
    for row, each in enumerate(chosen):
        given[row, : len(each)], mask[row, : len(each)] = each, 1
    return given, mask


def odds(network: Tree, states: States, told: Sequence[Told]) -> Iterator[dict[str, Any]]:
    """What a network says of each line that some sentences may be about."""
    said = jax.jit(logits)
    rows = [(each, one) for each in told for one in likely(each.said, each.lines)]
    found: dict[tuple[str, str], list[float]] = {}
    rows.sort(key=lambda row: len(row[0].said) + len(row[1].shown))
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        given, mask = _padded([states.of(each.said, one.shown) for each, one in some])
        for (each, one), out in zip(some, np.array(said(network, given, mask)), strict=False):
            found[each.said, one.shown] = [round(float(number), 3) for number in out]
    for each in told:
        ones = likely(each.said, each.lines)
        yield {
            "author": each.author,
            "said": each.said,
            "odds": [found[each.said, one.shown] for one in ones],
        }


def main() -> None:
    """Leave out the authors of each fold and say what the others teach of them; then train on all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--odds", type=Path, help="Where to write what is said of those left out.")
    given = parser.parse_args()
    told, states = all_told(), States()
    found: list[dict[str, Any]] = []
    for authors in FOLDS if given.odds else ():
        known = [each for each in told if each.author not in authors]
        network = trained([*pairs(known)], states, given.epochs)
        found += odds(network, states, [each for each in told if each.author in authors])
        given.odds.write_text(json.dumps(found), encoding="utf-8")
    export(trained([*pairs(told)], states, given.epochs), given.file, {"says": range(len(LABELS))})


if __name__ == "__main__":
    main()
