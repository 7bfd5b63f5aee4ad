"""Train the network that reads a question with a text: python tools/train_reader.py FILE.onnx --cache DIR ...

Three layers, begun as upper ones of the reranker, stand on its lower eight (`quaid.embed.rerank`). They ask
for nothing but the first token, so they cost a sixth of a layer each. They learn two things of what
`labelled_questions.py` gives: how much a text has to do with a question, from the reranker's own twelve
layers, and whether it answers it, from labels. `--public` names questions in the form of SQuAD,
`--notes` folders of notes (PROVENANCE.md says which). It needs `torch` and `onnx`, which Quaid does not.
What is read once is kept in the cache. Sets left out with --without are judged by what the others teach. Copy
the file to src/quaid/embed/models/, its size and SHA-256 to embed/rerank.py.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from labelled_questions import TEXTS, Group, read_groups
from networks import (
    AWAY,
    HEADS,
    READER,
    WIDTH,
    Descent,
    Graph,
    Layer,
    Reranker,
    batches,
    dropped,
    padded,
    set_part,
    write,
)  # fmt: skip
from onnx import TensorProto, helper
from torch import Tensor, nn

from quaid.embed import lower, rerank
from quaid.embed.lower import states_name
from quaid.embed.onnx import open_session
from quaid.embed.plugin import Context
from quaid.embed.registry import DEFAULT_MODEL, open_embedder
from quaid.embed.wordpiece import WordPiece
from quaid.settings import Settings

BATCH = 6  # questions
RATE, WARM, SPREAD = 2.5e-4, 0.1, 3.0  # SPREAD: what a logit is divided by where it is learnt
TAKEN_AWAY = 0.5  # what the same question counts without the texts that answer it
LABELS = 2.0  # what labels count against what the reranker says
BEGUN_AS = (8, 9, 11)  # which layers of the reranker
ELSEWHERE = ("public", "notes")

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
                READER.weights.read_bytes() + _also(states_name(rerank.LAYERS)), lower.NAME
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


class Reader(nn.Module):
    """Layers that ask for nothing but the first token, and what is said of it: how much, and whether."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in BEGUN_AS)
        self.pool, self.says = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        away, first = (1 - mask)[:, None, None] * AWAY, states[:, :1]
        for layer in self.layers:
            first = layer(first, states, away)
        pooled = torch.tanh(self.pool(dropped(first[:, 0], self.training)))
        said: Tensor = self.says(pooled)
        return said.float()


def begun() -> Reader:
    """A network that knows nothing beyond the reranker's upper layers, its pool and its last layer."""
    network, reranker = Reader(), Reranker()
    for layer, number in zip(network.layers, BEGUN_AS, strict=True):
        reranker.teach(layer, number)
    pool, says = (reranker.whole(f"{name}.weight") for name in ("bert.pooler.dense", "classifier"))
    set_part(network.pool, pool.T, reranker.held("bert/pooler/dense/bias"))
    drawn = np.random.default_rng(0).normal(0, 0.03, says.shape)
    bias = [*(reranker.held("classifier/bias") / SPREAD), 0.0]
    set_part(network.says, np.concatenate([says / SPREAD, drawn], 1).T, bias)
    return network


def _loss(said: Tensor, told: Tensor, answers: Tensor, there: Tensor, known: Tensor) -> Tensor:
    """How wrong the network is about what the reranker says, and about what answers, or that nothing does."""
    much, whether = said.reshape(*there.shape, 2).unbind(-1)
    apart = (((much - told) ** 2) * there).sum() / there.sum()
    away = (1 - there) * AWAY
    order = (SPREAD * much + away).log_softmax(-1)
    wanted = (SPREAD * told + away).softmax(-1)
    order = -(torch.where(there > 0, order, 0) * wanted).sum(-1).mean()
    none = torch.zeros(len(there), 1)
    taken = torch.cat([none, whether + away + AWAY * answers], 1).logsumexp(-1)
    whole = torch.cat([none, whether + away], 1).logsumexp(-1)
    right = (whether + AWAY * (1 - answers)).logsumexp(-1)
    is_answered = answers.amax(-1)
    labelled = is_answered * (whole - right + TAKEN_AWAY * taken) + (1 - is_answered) * whole
    return apart + 0.3 * order + LABELS * (labelled * known).sum() / known.sum().clamp(min=1)


def trained(
    groups: Sequence[Group], states: States, epochs: int, network: Reader, rate: float = RATE
) -> Reader:
    """A network that has learnt from questions."""
    drawn, descent, began = np.random.default_rng(0), Descent(network, rate, WARM), time.monotonic()
    lengths = [max(len(states.of((each.question, one))) for one in each.texts) for each in groups]
    steps, losses = epochs * -(-len(groups) // BATCH), list[float]()
    for _ in range(epochs):
        for chosen in batches(lengths, BATCH, drawn):
            given, mask, *wanted = _batch([groups[each] for each in chosen], states)
            share = (len(losses) + 1) / (steps + 1)
            losses.append(descent.step(share, lambda: _loss(network(given, mask), *wanted)))  # noqa: B023
            if len(losses) % 50 == 0:
                spent = time.monotonic() - began
                mean = np.mean(losses[-50:])
                print(f"step {len(losses)} of {steps}, {spent:.0f} s: loss {mean:.3f}", flush=True)
    return network.eval()


def _batch(chosen: Sequence[Group], states: States) -> tuple[Tensor, ...]:
    shape = len(chosen), TEXTS
    told, answers, there = (np.zeros(shape, np.float32) for _ in range(3))
    known = np.zeros(len(chosen), np.float32)
    rows = [np.zeros((1, WIDTH), np.float16)] * (len(chosen) * TEXTS)
    for place, each in enumerate(chosen):
        known[place] = each.answers is not None
        for number, text in enumerate(each.texts):
            pair = each.question, text
            rows[place * TEXTS + number] = states.of(pair)
            told[place, number], there[place, number] = states.logit(pair) / SPREAD, 1
            answers[place, number] = number in (each.answers or ())
    return *padded(rows), *map(torch.from_numpy, (told, answers, there, known))


@torch.no_grad()
def report(name: str, groups: Sequence[Group], states: States, network: Reader) -> None:
    """How far what is said is from the reranker, how often a text that answers comes first, and how well near
    misses and missing answers are told."""
    values = []
    for group in groups:
        given, mask, told, *_ = _batch([group], states)
        much, whether = network(given, mask)[: len(group.texts)].numpy().T
        values.append((told[0, : len(much)].numpy() * SPREAD, much * SPREAD, whether))
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
    without = [np.delete(own, list(answers)).max() for answers, own in known if len(own) > len(answers)]
    areas = f"near misses {_area(high, near):.3f}, answers taken away {_area(high, without):.3f}"
    print(f"{name}: first {first} of {len(known)}, area of {areas}", flush=True)


def _area(high: Sequence[float], low: Sequence[float]) -> float:
    if not low:
        return 0.0
    more = np.subtract.outer(np.array(high), np.array(low))
    return float((more > 0).mean() + (more == 0).mean() / 2)


class Batched(Graph):
    """Layers for several pairs at once."""

    def attended(self, layer: Any, given: str, away: str, own: str) -> str:
        """One layer of BERT, for its own part of the tokens that are given."""

        def heads(part: Any, of: str, perm: Sequence[int]) -> str:
            split = self.add(
                "Reshape", self.dense(of, part), self.hold(np.array([0, -1, HEADS, WIDTH // HEADS]))
            )
            return self.add("Transpose", split, perm=perm)

        known = heads(layer.key, given, [0, 2, 3, 1])
        heed = self.add("MatMul", heads(layer.query, own, [0, 2, 1, 3]), known)
        heed = self.add("Mul", heed, self.hold(np.float32((WIDTH / HEADS) ** -0.5)))
        heed = self.add("Softmax", self.add("Add", heed, away), axis=-1)
        mixed = self.add("MatMul", heed, heads(layer.value, given, [0, 2, 1, 3]))
        mixed = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.add("Reshape", mixed, self.hold(np.array([0, -1, WIDTH])))
        return self.finished(layer, own, mixed)


def export(network: Reader, path: Path) -> None:
    """Write the network as ONNX with weights of eight bits."""
    graph = Batched()
    # Tokens that are not there get so little heed that it is none.
    unseen = graph.add("Sub", graph.hold(np.float32(1)), "seen")
    away = graph.add("Mul", unseen, graph.hold(np.float32(-1e4)))
    away = graph.add("Unsqueeze", away, graph.hold(np.array([1, 2])))
    given = graph.add("Gather", "states", graph.hold(np.array([0])), axis=1)
    for layer in network.layers:
        given = graph.attended(layer, "states", away, given)
    first = graph.add("Squeeze", given, graph.hold(np.array([1])))
    pooled = graph.add("Tanh", graph.dense(first, network.pool))
    graph.dense(pooled, network.says, np.array([SPREAD, 1.0], np.float32))
    graph.nodes[-1].output[0] = "said"
    given_values = [
        helper.make_tensor_value_info("states", TensorProto.FLOAT, ["pairs", "tokens", WIDTH]),
        helper.make_tensor_value_info("seen", TensorProto.FLOAT, ["pairs", "tokens"]),
    ]
    said = helper.make_tensor_value_info("said", TensorProto.FLOAT, ["pairs", 2])
    write(helper.make_graph(graph.nodes, path.stem, given_values, [said], graph.held), path)


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
    network = begun()
    if given.begin:
        network.load_state_dict(torch.load(given.begin))
    rest = [each for each in groups if each not in aside]
    network = trained(rest, states, given.epochs, network, given.rate)
    torch.save(network.state_dict(), given.file.with_suffix(".pt"))
    for name in given.without:
        own = [each for each in aside if each.set.startswith(name)]
        report(name, own, states, network)
    export(network, given.file)


if __name__ == "__main__":
    main()
