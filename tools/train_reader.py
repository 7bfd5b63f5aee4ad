"""Train the network that reads a question with a text: python tools/train_reader.py FILE.onnx --cache DIR ...

Three layers, begun as upper ones of the reranker, stand on its lower eight (`quaid.embed.rerank`). They ask
for nothing but the first token, so they cost a sixth of a layer each. They learn two things of what
`labelled_questions.py` gives: how much a text has to do with a question, from the reranker's own twelve
layers, and whether it answers it, from labels. `--public` names questions in the form of SQuAD,
`--notes` folders of notes (PROVENANCE.md says which). It needs `jax` and `onnx`, which Quaid itself does not.
What is read once is kept in the cache. Sets left out with --without are judged by what the others teach. Copy
the file to src/quaid/embed/models/, its size and SHA-256 to embed/rerank.py.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from labelled_questions import TEXTS, Group, read_groups
from networks import DENSE, HEADS, NORMS, READER, WIDTH, Graph, padded
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from train_judge import _drop, _layer, descent

from quaid.embed import rerank
from quaid.embed.lower import states_name
from quaid.embed.onnx import open_session
from quaid.embed.plugin import Context
from quaid.embed.registry import DEFAULT_MODEL, open_embedder
from quaid.embed.wordpiece import WordPiece
from quaid.settings import Settings

LENGTHS = (32, 48, 64, 80, 104, 136)  # tokens: each length is compiled once
BATCH = 6  # questions
RATE, SPREAD = 2.5e-4, 3.0  # SPREAD: what a logit is divided by where it is learnt
TAKEN_AWAY = 0.5  # what the same question counts without the texts that answer it
LABELS = 2.0  # what labels count against what the reranker says
BEGUN_AS = (8, 9, 11)  # which layers of the reranker
ELSEWHERE = ("public", "notes")

Tree = Any  # JAX's nested dictionaries of arrays
Pair = tuple[str, str]


def _also(name: str) -> bytes:
    """What makes a value within a network one of its outputs, where it follows the network's own bytes.

    Of two messages of protocol buffers, one after the other, the repeated fields are joined: those of the
    graph (7), its outputs (12), each with a name (1).
    """
    content = name.encode()
    for number in (1, 12, 7):
        content = bytes((number << 3 | 2, len(content))) + content
    return content


class States:
    """What the lower layers make of pairs, and the reranker's own logit, kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._rows, self._places = folder / "states.f16", folder / "states.pickle"
        # Ours: where the rows of a pair begin, how many there are, and its logit.
        self._held: dict[bytes, tuple[int, int, float]] = (
            pickle.loads(self._places.read_bytes()) if self._places.exists() else {}  # noqa: S301
        )
        self._tokens = WordPiece.load(READER.tokenizer)
        self._mapped: Any = None

    def read(self, pairs: Iterable[Pair]) -> None:
        """Make the states of all pairs that are not made yet."""
        new = [pair for pair in dict.fromkeys(pairs) if _key(pair) not in self._held]
        if new:
            network = open_session(
                READER.weights.read_bytes() + _also(states_name(rerank.LAYERS)), rerank.NAME
            )
            began = time.monotonic()
            with ThreadPoolExecutor(2) as pool, self._rows.open("ab") as file:
                made = pool.map(lambda pair: self._made(network, pair), new)
                for number, (logit, rows) in enumerate(made, 1):
                    self._held[_key(new[number - 1])] = (file.tell() // (2 * WIDTH), len(rows), logit)
                    file.write(rows.tobytes())
                    if number % 2_000 == 0:
                        file.flush()
                        self._places.write_bytes(pickle.dumps(self._held))
                        print(f"{number} of {len(new)} read, {time.monotonic() - began:.0f} s", flush=True)
            self._places.write_bytes(pickle.dumps(self._held))
        self._mapped = np.memmap(self._rows, np.float16, "r").reshape(-1, WIDTH)

    def _made(self, network: Any, pair: Pair) -> tuple[float, Any]:
        question, text = (
            self._tokens.encode(each, most + 2)
            for each, most in zip(pair, (rerank.LONGEST_QUESTION, rerank.LONGEST_PASSAGE), strict=True)
        )
        ids = np.array([[*question, *text[1:]]], np.int64)
        kinds = np.array([[0] * len(question) + [1] * (len(text) - 1)], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        logit, rows = network.run(None, given)
        return float(logit[0, 0]), rows[0].astype(np.float16)

    def of(self, pair: Pair) -> Any:
        """A row for each token."""
        start, count, _ = self._held[_key(pair)]
        return self._mapped[start : start + count]

    def logit(self, pair: Pair) -> float:
        """What the reranker says."""
        return self._held[_key(pair)][2]


def kept(groups: Sequence[Group], most: int) -> list[Group]:
    """All labelled groups, and of those from elsewhere so many of each source, always the same."""
    found = [each for each in groups if not each.set.startswith(ELSEWHERE)]
    for source in ELSEWHERE:
        own = [each for each in groups if each.set.startswith(source)]
        found += [own[place] for place in np.random.default_rng(1).permutation(len(own))[:most]]
    return found


def _key(pair: Pair) -> bytes:
    return hashlib.sha256("\n".join(pair).encode()).digest()


def begun() -> Tree:
    """A network that knows nothing beyond the reranker's upper layers, its pool and its last layer."""
    network = onnx.load(READER.weights)
    held = {each.name: numpy_helper.to_array(each) for each in network.graph.initializer}

    def whole(name: str) -> Any:
        """Weights from eight bits."""
        zero = held[f"{name}_zero_point"].astype(np.float32)
        return jnp.asarray((held[f"{name}_quantized"].astype(np.float32) - zero) * held[f"{name}_scale"])

    def dense(path: str) -> Any:
        start = f"/{path}/MatMul"
        given = (each.input[1] for each in network.graph.node if each.op_type == "MatMulInteger"
                 and each.name.startswith(start))  # fmt: skip
        return whole(next(given).removesuffix("_quantized"))

    layers = []
    for number in BEGUN_AS:
        above = f"bert/encoder/layer.{number}"
        found = {name: dense(f"{above}/{path}") for name, path in DENSE.items()}
        for name, path in DENSE.items():
            found[f"{name}_bias"] = jnp.asarray(held[f"{above}/{path}.bias".replace("/", ".")])
        for name, path in NORMS.items():
            for part in ("weight", "bias"):
                found[f"{name}_{part}"] = jnp.asarray(held[f"{above.replace('/', '.')}.{path}.{part}"])
        layers.append(found)
    says, bias = whole("classifier.weight"), held["classifier.bias"]
    drawn = np.random.default_rng(0).normal(0, 0.03, says.shape)
    return {
        "layers": layers,
        "pool": whole("bert.pooler.dense.weight"),
        "pool_bias": jnp.asarray(held["bert.pooler.dense.bias"]),
        "says": jnp.asarray(np.concatenate([says / SPREAD, drawn], 1), jnp.float32),
        "says_bias": jnp.asarray([*(bias / SPREAD), 0.0], jnp.float32),
    }


def logits(network: Tree, given: Any, mask: Any, key: Any = None) -> Any:
    """What the network says of pairs: how much, and whether, one has to do with the other."""
    keys = [None] * (len(BEGUN_AS) + 1) if key is None else jax.random.split(key, len(BEGUN_AS) + 1)
    first = given[:, :1]
    for layer, drawn in zip(network["layers"], keys, strict=False):
        first = _layer(layer, given, mask, drawn, first)
    pooled = jnp.tanh(_drop(keys[-1], first[:, 0]) @ network["pool"] + network["pool_bias"])
    return pooled @ network["says"] + network["says_bias"]


def _loss(
    network: Tree, given: Any, mask: Any, told: Any, answers: Any, there: Any, known: Any, key: Any
) -> Any:
    """How wrong the network is about what the reranker says, and about what answers, or that nothing does."""
    said = logits(network, given, mask, key).reshape(*there.shape, 2)
    much, whether = said[..., 0], said[..., 1]
    apart = (((much - told) ** 2) * there).sum() / there.sum()
    away = (1 - there) * -1e9
    order = jax.nn.log_softmax(SPREAD * much + away)
    wanted = jax.nn.softmax(SPREAD * told + away)
    order = -(jnp.where(there > 0, order, 0) * wanted).sum(-1).mean()
    none = jnp.zeros((len(there), 1))
    others = jnp.concatenate([none, whether + away - 1e9 * answers], 1)
    taken = jax.nn.logsumexp(others, -1)
    whole = jax.nn.logsumexp(jnp.concatenate([none, whether + away], 1), -1)
    right = jax.nn.logsumexp(whether - 1e9 * (1 - answers), -1)
    is_answered = answers.max(-1)
    labelled = is_answered * (whole - right + TAKEN_AWAY * taken) + (1 - is_answered) * whole
    return apart + 0.3 * order + LABELS * (labelled * known).sum() / jnp.maximum(known.sum(), 1)


def trained(groups: Sequence[Group], states: States, epochs: int, network: Tree, rate: float = RATE) -> Tree:
    """A network that has learnt from questions."""
    drawn, key = np.random.default_rng(0), jax.random.PRNGKey(0)
    moments = (jax.tree.map(jnp.zeros_like, network), jax.tree.map(jnp.zeros_like, network))
    lengths = np.array([max(len(states.of((each.question, one))) for one in each.texts) for each in groups])
    step, number, began = descent(_loss), 0, time.monotonic()
    steps = epochs * -(-len(groups) // BATCH)
    losses: list[float] = []
    for _ in range(epochs):
        order = np.argsort(lengths + drawn.normal(0, 5, len(groups)))
        batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        for place in drawn.permutation(len(batches)):
            number += 1
            key, own = jax.random.split(key)
            now = rate * min(1, number / (0.1 * steps)) * (1 - number / (steps + 1))
            batch = _batch([groups[each] for each in batches[place]], states)
            network, moments, loss = step(network, moments, batch, own, now, number)
            losses.append(float(loss))
            if number % 50 == 0:
                spent = time.monotonic() - began
                mean = np.mean(losses[-50:])
                print(f"step {number} of {steps}, {spent:.0f} s: loss {mean:.3f}", flush=True)
    return network


def _batch(chosen: Sequence[Group], states: States) -> tuple[Any, ...]:
    told, answers, there = (np.zeros((BATCH, TEXTS), np.float32) for _ in range(3))
    known = np.zeros(BATCH, np.float32)
    rows = [np.zeros((1, WIDTH), np.float16)] * (BATCH * TEXTS)
    for place, each in enumerate(chosen):
        known[place] = each.answers is not None
        for number, text in enumerate(each.texts):
            pair = each.question, text
            rows[place * TEXTS + number] = states.of(pair)
            told[place, number], there[place, number] = states.logit(pair) / SPREAD, 1
            answers[place, number] = number in (each.answers or ())
    return *padded(rows, LENGTHS), told, answers, there, known


def report(name: str, groups: Sequence[Group], states: States, network: Tree) -> None:
    """How far what is said is from the reranker, how often a text that answers comes first, and how well near
    misses and missing answers are told."""
    said, values = jax.jit(logits), []
    for start in range(0, len(groups), BATCH):
        some = groups[start : start + BATCH]
        given, mask, told, *_ = _batch(some, states)
        found = np.array(said(network, given, mask)).reshape(BATCH, TEXTS, 2)
        for row, group in enumerate(some):
            much, whether = found[row, : len(group.texts)].T
            values.append((told[row, : len(much)] * SPREAD, much * SPREAD, whether))
    apart = np.concatenate([np.abs(each[0] - each[1]) for each in values]).mean()
    same = sum(int(each[0].argmax() == each[1].argmax()) for each in values)
    print(f"{name}: {apart:.2f} from the reranker, the same first {same} of {len(groups)}", flush=True)
    ways = ("the reranker", "much", "whether")
    for way, own in [*((way, [each[place] for each in values]) for place, way in enumerate(ways)),
                     ("both", [much + np.clip(whether, -4, 4) for _, much, whether in values])]:  # fmt: skip
        _report(f"{name}, {way}", groups, own)


def _report(name: str, groups: Sequence[Group], said: Sequence[Any]) -> None:
    labelled = [(set(group.answers), own) for group, own in zip(groups, said, strict=True)
                if group.answers is not None]  # fmt: skip
    known = [(answers, own) for answers, own in labelled if answers]
    if not known:
        return
    first = sum(int(own.argmax()) in answers for answers, own in known)
    high = [own.max() for _, own in known]
    near = [own.max() for answers, own in labelled if not answers]
    without = [np.delete(own, list(answers)).max() for answers, own in known]
    areas = f"near misses {_area(high, near):.3f}, answers taken away {_area(high, without):.3f}"
    print(f"{name}: first {first} of {len(known)}, area of {areas}", flush=True)


def _area(high: Sequence[float], low: Sequence[float]) -> float:
    if not low:
        return 0.0
    more = np.subtract.outer(np.array(high), np.array(low))
    return float((more > 0).mean() + (more == 0).mean() / 2)


class Batched(Graph):
    """Layers for several pairs at once."""

    def attended(self, layer: Tree, given: str, away: str, own: str) -> str:
        """One layer of BERT, for its own part of the tokens that are given."""

        def heads(name: str, of: str, perm: Sequence[int]) -> str:
            flat = self.dense(of, layer[name], layer[f"{name}_bias"])
            split = self.add("Reshape", flat, self.hold(np.array([0, -1, HEADS, WIDTH // HEADS])))
            return self.add("Transpose", split, perm=perm)

        heed = self.add("MatMul", heads("query", own, [0, 2, 1, 3]), heads("key", given, [0, 2, 3, 1]))
        heed = self.add("Mul", heed, self.hold(np.float32((WIDTH / HEADS) ** -0.5)))
        heed = self.add("Softmax", self.add("Add", heed, away), axis=-1)
        mixed = self.add("MatMul", heed, heads("value", given, [0, 2, 1, 3]))
        mixed = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.add("Reshape", mixed, self.hold(np.array([0, -1, WIDTH])))
        return self.finished(layer, own, mixed)


def export(network: Tree, path: Path) -> None:
    """Write the network as ONNX with weights of eight bits."""
    graph = Batched()
    # Tokens that are not there get so little heed that it is none.
    unseen = graph.add("Sub", graph.hold(np.float32(1)), "seen")
    away = graph.add("Mul", unseen, graph.hold(np.float32(-1e4)))
    away = graph.add("Unsqueeze", away, graph.hold(np.array([1, 2])))
    given = graph.add("Gather", "states", graph.hold(np.array([0])), axis=1)
    for layer in network["layers"]:
        given = graph.attended(layer, "states", away, given)
    first = graph.add("Squeeze", given, graph.hold(np.array([1])))
    pooled = graph.add("Tanh", graph.dense(first, network["pool"], network["pool_bias"]))
    factors = np.array([SPREAD, 1.0], np.float32)
    graph.dense(pooled, network["says"] * factors, network["says_bias"] * factors)
    graph.nodes[-1].output[0] = "said"
    made = helper.make_graph(
        graph.nodes,
        path.stem,
        [
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["pairs", "tokens", WIDTH]),
            helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["pairs", "tokens"]),
        ],
        [helper.make_tensor_value_info("said", TensorProto.FLOAT, ["pairs", 2])],
        graph.held,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, whole)
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8)


def main() -> None:
    """Train on all sets but those left out, say what is learnt of these, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--cache", type=Path, required=True, help="Where to keep what is read.")
    parser.add_argument("--public", type=Path, action="append", default=[], help="Questions in SQuAD's form.")
    parser.add_argument("--notes", type=Path, action="append", default=[], help="A folder of notes.")
    parser.add_argument("--most", type=int, default=800, help="Questions of each folder.")
    parser.add_argument("--kept", type=int, default=800, help="Questions of public sets, and of notes.")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--begin", type=Path, help="What an earlier run wrote beside its file.")
    parser.add_argument("--without", action="append", default=[], help="The beginning of a set's name.")
    given = parser.parse_args()
    found = given.cache / "groups.pickle"
    if not found.exists():
        embedder = open_embedder(DEFAULT_MODEL, Context(Settings(), {}, Path()))
        found.write_bytes(pickle.dumps(read_groups(given.public, given.notes, embedder, given.most)))
    groups = kept(pickle.loads(found.read_bytes()), given.kept)  # noqa: S301  # our own
    states = States(given.cache)
    states.read((each.question, text) for each in groups for text in each.texts)
    aside = [each for each in groups if given.without and each.set.startswith(tuple(given.without))]
    network = pickle.loads(given.begin.read_bytes()) if given.begin else begun()  # noqa: S301
    rest = [each for each in groups if each not in aside]
    network = trained(rest, states, given.epochs, network, given.rate)
    given.file.with_suffix(".pickle").write_bytes(pickle.dumps(jax.tree.map(np.asarray, network)))
    for name in given.without:
        own = [each for each in aside if each.set.startswith(name)]
        report(name, own, states, network)
    export(network, given.file)


if __name__ == "__main__":
    main()
