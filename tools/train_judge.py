"""Train the network that judges pairs of notes: python tools/train_judge.py FILE.onnx [--without AUTHOR ...].

Three layers, begun as the reranker's own at that height, and a last one learn from what the reranker's lower
layers make of the labelled pairs (`quaid.embed.judge`). It takes about half an hour and needs `jax` and
`onnx`, which Quaid itself does not. An author left out is judged by what the others teach. Copy the file to
src/quaid/embed/models/, its size and SHA-256 to embed/judge.py.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from labelled_pairs import LABELS, Pair, by_authors, for_training
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from quaid.embed import judge, rerank
from quaid.embed.onnx import OnnxFiles
from quaid.embed.weights import PACKAGED

READER = OnnxFiles(*(PACKAGED / rerank.NAME / file.name for file in (rerank.WEIGHTS, rerank.TOKENIZER)))
FIRST, LAYERS = 6, 3  # which of the reranker's layers are trained
WIDTH, HEADS = 384, 12
DENSE = {
    "query": "attention/self/query", "key": "attention/self/key", "value": "attention/self/value",
    "mixed": "attention/output/dense", "wide": "intermediate/dense", "narrow": "output/dense",
}  # fmt: skip
NORMS = {"norm": "attention.output.LayerNorm", "last_norm": "output.LayerNorm"}
LENGTHS = (28, 40, 56, 80, 128)  # tokens: each length is compiled once
BATCH, RATE, DROPPED, SMOOTHED = 16, 2e-4, 0.1, 0.1

Tree = Any  # JAX's nested dictionaries of arrays


def reranker_layers() -> list[dict[str, Any]]:
    """The weights of the layers that are trained, from eight bits."""
    network = onnx.load(READER.weights)
    held = {each.name: numpy_helper.to_array(each) for each in network.graph.initializer}
    layers = []
    for number in range(FIRST, FIRST + LAYERS):
        found: dict[str, Any] = {}
        for name, path in DENSE.items():
            start = f"/bert/encoder/layer.{number}/{path}/MatMul"
            node = next(
                each
                for each in network.graph.node
                if each.op_type == "MatMulInteger" and each.name.startswith(start)
            )
            scale = held[node.input[1].replace("_quantized", "_scale")]
            whole = held[node.input[1]].astype(np.float32) - held[node.input[3]].astype(np.float32)
            found[name] = jnp.asarray(whole * scale)
            found[f"{name}_bias"] = jnp.asarray(
                held[f"bert.encoder.layer.{number}.{path.replace('/', '.')}.bias"]
            )
        for name, path in NORMS.items():
            for part in ("weight", "bias"):
                found[f"{name}_{part}"] = jnp.asarray(held[f"bert.encoder.layer.{number}.{path}.{part}"])
        layers.append(found)
    return layers


def _norm(layer: Tree, name: str, given: Any) -> Any:
    middle = given.mean(-1, keepdims=True)
    spread = jnp.sqrt(((given - middle) ** 2).mean(-1, keepdims=True) + 1e-12)
    return (given - middle) / spread * layer[f"{name}_weight"] + layer[f"{name}_bias"]


def _drop(key: Any, given: Any) -> Any:
    if key is None:
        return given
    return jnp.where(jax.random.bernoulli(key, 1 - DROPPED, given.shape), given / (1 - DROPPED), 0)


def _layer(layer: Tree, given: Any, mask: Any, key: Any) -> Any:
    """One layer of BERT."""
    keys = [None] * 3 if key is None else jax.random.split(key, 3)
    rows, length, _ = given.shape
    query, known, value = (
        (given @ layer[name] + layer[f"{name}_bias"]).reshape(rows, length, HEADS, -1).transpose(0, 2, 1, 3)
        for name in ("query", "key", "value")
    )
    heed = query @ known.transpose(0, 1, 3, 2) / np.sqrt(WIDTH / HEADS)
    heed = _drop(keys[0], jax.nn.softmax(heed + (1 - mask)[:, None, None, :] * -1e9, -1))
    mixed = (heed @ value).transpose(0, 2, 1, 3).reshape(rows, length, WIDTH)
    mixed = _norm(layer, "norm", given + _drop(keys[1], mixed @ layer["mixed"] + layer["mixed_bias"]))
    wide = jax.nn.gelu(mixed @ layer["wide"] + layer["wide_bias"], approximate=False)
    narrow = wide @ layer["narrow"] + layer["narrow_bias"]
    return _norm(layer, "last_norm", mixed + _drop(keys[2], narrow))


def logits(network: Tree, given: Any, mask: Any, key: Any = None) -> Any:
    """What the network says of pairs, before it becomes probabilities."""
    keys = [None] * (LAYERS + 1) if key is None else jax.random.split(key, LAYERS + 1)
    for layer, drawn in zip(network["layers"], keys, strict=False):
        given = _layer(layer, given, mask, drawn)
    pooled = jnp.tanh(_drop(keys[-1], given[:, 0]) @ network["pool"] + network["pool_bias"])
    return pooled @ network["says"] + network["says_bias"]


def _loss(network: Tree, given: Any, mask: Any, labels: Any, counts: Any, key: Any) -> Any:
    wanted = jax.nn.one_hot(labels, len(LABELS)) * (1 - SMOOTHED) + SMOOTHED / len(LABELS)
    said = jax.nn.log_softmax(logits(network, given, mask, key))
    return -((said * wanted).sum(-1) * counts).sum() / counts.sum()


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


class Trainer:
    """The states of all pairs, both ways round, and what is learnt from them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pairs = pairs
        reader = judge.Judge(READER, Path())
        self.states = [
            (reader.states(pair.first, pair.second), reader.states(pair.second, pair.first)) for pair in pairs
        ]
        self.labels = np.array([LABELS.index(pair.label) for pair in pairs])

    def trained(self, places: Any, epochs: int) -> Tree:
        """A network that has learnt from the pairs at some places. Each label counts as much as any other."""
        drawn, key = np.random.default_rng(0), jax.random.PRNGKey(0)
        network = {
            "layers": reranker_layers(),
            "pool": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, WIDTH)), jnp.float32),
            "pool_bias": jnp.zeros(WIDTH),
            "says": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, len(LABELS))), jnp.float32),
            "says_bias": jnp.zeros(len(LABELS)),
        }
        moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
        counts = (len(places) / len(LABELS) / np.bincount(self.labels[places]))[self.labels]
        step = jax.jit(_step)
        steps, number = epochs * -(-len(places) // BATCH), 0
        for epoch in range(epochs):
            losses = []
            for chosen in self._batches(places, drawn):
                number += 1
                key, own = jax.random.split(key)
                rate = RATE * min(1, number / (0.1 * steps)) * (1 - number / (steps + 1))
                batch = self._batch(chosen, drawn.integers(0, 2, len(chosen)), counts)
                network, moments, loss = step(network, moments, batch, own, rate, number)
                losses.append(float(loss))
            print(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}", flush=True)
        return network

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

    def judged(self, network: Tree, places: Any) -> Any:
        """The probabilities of each label, both ways round."""
        said, ones = jax.jit(logits), np.ones(len(self.pairs))
        found = np.zeros((len(places), len(LABELS)))
        for way in (0, 1):
            for start in range(0, len(places), BATCH):
                some = places[start : start + BATCH]
                given, mask, _, _ = self._batch(some, [way] * len(some), ones)
                probable = jax.nn.softmax(said(network, given, mask))[: len(some)]
                found[start : start + BATCH] += np.array(probable) / 2
        return found


def report(author: str, found: Any, labels: Any) -> None:
    """How many of each label are right, for each degree of certainty that may be asked for."""
    for sure in (0.4, 0.5, 0.6, 0.7, 0.8):
        chosen = np.where(found[:, :2].max(axis=1) >= sure, found[:, :2].argmax(axis=1), 2)
        right = (
            f"{name} {int((chosen[labels == place] == place).sum())}/{int((labels == place).sum())}"
            for place, name in enumerate(LABELS)
        )
        print(f"{author}, from {sure}: {', '.join(right)}", flush=True)


class Graph:
    """An ONNX network that is written node by node."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.held: list[Any] = []

    def add(self, kind: str, *given: str, **settings: Any) -> str:
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(given), [name], name=name, **settings))
        return name

    def hold(self, value: Any) -> str:
        name = f"held_{len(self.held)}"
        self.held.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def dense(self, given: str, weights: Any, bias: Any) -> str:
        return self.add("Add", self.add("MatMul", given, self.hold(weights)), self.hold(bias))

    def layer(self, layer: Tree, given: str) -> str:
        """One layer of BERT for a single pair."""

        def heads(name: str) -> str:
            flat = self.dense(given, layer[name], layer[f"{name}_bias"])
            split = self.add("Reshape", flat, self.hold(np.array([1, -1, HEADS, WIDTH // HEADS])))
            return self.add("Transpose", split, perm=[0, 2, 1, 3])

        def norm(name: str, value: str) -> str:
            parts = [self.hold(layer[f"{name}_{part}"]) for part in ("weight", "bias")]
            return self.add("LayerNormalization", value, *parts, axis=-1, epsilon=1e-12)

        known = self.add("Transpose", heads("key"), perm=[0, 1, 3, 2])
        heed = self.add("MatMul", heads("query"), known)
        heed = self.add("Mul", heed, self.hold(np.float32((WIDTH / HEADS) ** -0.5)))
        mixed = self.add("MatMul", self.add("Softmax", heed, axis=-1), heads("value"))
        mixed = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.add("Reshape", mixed, self.hold(np.array([1, -1, WIDTH])))
        mixed = norm("norm", self.add("Add", given, self.dense(mixed, layer["mixed"], layer["mixed_bias"])))
        wide = self.dense(mixed, layer["wide"], layer["wide_bias"])
        curve = self.add("Erf", self.add("Mul", wide, self.hold(np.float32(2**-0.5))))
        half = self.add("Mul", wide, self.hold(np.float32(0.5)))
        wide = self.add("Mul", half, self.add("Add", curve, self.hold(np.float32(1))))
        narrow = self.dense(wide, layer["narrow"], layer["narrow_bias"])
        return norm("last_norm", self.add("Add", mixed, narrow))


def export(network: Tree, path: Path) -> None:
    """Write the network as ONNX with weights of eight bits."""
    graph, given = Graph(), "states"
    for layer in network["layers"]:
        given = graph.layer(layer, given)
    first = graph.add("Gather", given, graph.hold(np.array(0)), axis=1)
    pooled = graph.add("Tanh", graph.dense(first, network["pool"], network["pool_bias"]))
    said = graph.dense(pooled, network["says"], network["says_bias"])
    made = helper.make_graph(
        graph.nodes,
        judge.PAIRS.name,
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "tokens", WIDTH])],
        [helper.make_tensor_value_info(said, TensorProto.FLOAT, [1, len(LABELS)])],
        graph.held,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, whole)
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8)


def main() -> None:
    """Train, judge those left out, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--epochs", type=int, default=7)
    given = parser.parse_args()
    trainer = Trainer([*by_authors(), *for_training()])
    authors = np.array([pair.author for pair in trainer.pairs])
    network = trainer.trained(np.flatnonzero(~np.isin(authors, given.without)), given.epochs)
    export(network, given.file)
    for author in given.without:
        places = np.flatnonzero(authors == author)
        report(author, trainer.judged(network, places), trainer.labels[places])


if __name__ == "__main__":
    main()
