"""Train the network that reads pairs of texts: python tools/train_judge.py FILE.onnx --inferences TABLE.tsv.

Layers that begin as the reranker's own learn from pairs (`quaid.embed.judge`), upon those of it that stay as
they are (--frozen): first of public sets of textual inference, of which a table is given (source, first,
second, label, task; PROVENANCE.md names the sets), together with the labelled notes and statements, then of
these alone. Of notes that say the same with a value, others are made that contradict (`contrasts.py`). With
--begin a network goes on that was written before; of the authors but those named with --new a part is
repeated. It needs `torch` and `onnx`, which Quaid itself does not, and reads about forty pairs in a second of
a processor; where others use it too, OMP_WAIT_POLICY=passive is several times faster. Authors left out with
--without are judged by what the others teach, and that network is written, too (FILE.without.onnx); then one
more epoch takes them in. Steps are kept beside the file: a run that was interrupted goes on from there. Copy
the file to src/quaid/embed/models/, its size and SHA-256 to embed/judge.py.
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from contrasts import contrasts
from labelled_pairs import TASKS, Pair, by_authors, for_training
from labelled_statements import statements
from networks import DENSE, HEADS, NORMS, READER, WIDTH, begun, export, read_network
from torch import nn
from torch.nn import functional

from quaid.embed.judge import LONGEST
from quaid.embed.lower import lower_session
from quaid.embed.wordpiece import WordPiece
from quaid.formats.figures import figures

TOKENS = 1_400  # in a batch
ALL = 12  # layers of the reranker
RATE, DROPPED, SMOOTHED = 8e-5, 0.1, 0.1
WARM = 0.08  # the share of the steps in which the rate rises
LAST_RATE = 4.0  # how much faster the last layer learns
ASIDE = 300  # inferences by which it is seen what was learnt
REMINDED = 0.45  # of the labelled pairs that it has read before, those that are repeated
EVERY = 100  # steps after which something is said
COLUMNS = [(task, label) for task, about in TASKS.items() for label in about.labels]
SAID = {
    task: [column for column, (name, _) in enumerate(COLUMNS) if name == task]
    for task in ("notes", "statements")
}  # what the last layer says, by output
KIN = torch.tensor([[float(task == other) for other, _ in COLUMNS] for task, _ in COLUMNS])


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, weights: dict[str, Any]) -> None:
        super().__init__()
        for name in DENSE:
            dense = nn.Linear(*weights[name].shape)
            dense.weight.data = torch.tensor(np.array(weights[name]).T.copy())
            dense.bias.data = torch.tensor(np.array(weights[f"{name}_bias"]))
            self.add_module(name, dense)
        for name in NORMS:
            norm = nn.LayerNorm(WIDTH, eps=1e-12)
            norm.weight.data = torch.tensor(np.array(weights[f"{name}_weight"]))
            norm.bias.data = torch.tensor(np.array(weights[f"{name}_bias"]))
            self.add_module(name, norm)

    def forward(self, given: Any, mask: Any, rows: int | None = None) -> Any:
        """What becomes of tokens, or of the first few."""
        own, part = given[:, :rows], self.get_submodule
        query, known, value = (
            part(name)(each).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for name, each in (("query", own), ("key", given), ("value", given))
        )
        dropped = DROPPED if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, known, value, mask, dropped)
        mixed = self._drop(part("mixed")(mixed.transpose(1, 2).flatten(2)))
        mixed = part("norm")(own + mixed)
        wide = functional.gelu(part("wide")(mixed))
        return part("last_norm")(mixed + self._drop(part("narrow")(wide)))

    def _drop(self, given: Any) -> Any:
        return functional.dropout(given, DROPPED, self.training)


class Network(nn.Module):
    """The layers that are trained, and the last one, which says something for each task."""

    def __init__(self, known: dict[str, Any]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(map(Layer, known["layers"]))
        self.pool, self.says = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, len(COLUMNS))
        for name, dense in (("pool", self.pool), ("says", self.says)):
            dense.weight.data = torch.tensor(known[name].T.copy())
            dense.bias.data = torch.tensor(known[f"{name}_bias"])

    def forward(self, given: Any, mask: Any) -> Any:
        """What it says of pairs for all tasks, before it becomes probabilities."""
        held = mask[:, None, None, :]
        for number, layer in enumerate(self.layers, 1):
            given = layer(given, held, 1 if number == len(self.layers) else None)
        first = functional.dropout(given[:, 0], DROPPED, self.training)
        return self.says(torch.tanh(self.pool(first)))

    def tree(self) -> dict[str, Any]:
        """The weights as `networks.export` takes them."""

        def plain(value: Any) -> Any:
            return value.detach().numpy().copy()

        layers = []
        for layer in self.layers:
            found: dict[str, Any] = {}
            for name in DENSE:
                found[name] = plain(layer.get_submodule(name).weight.T)
                found[f"{name}_bias"] = plain(layer.get_submodule(name).bias)
            for name in NORMS:
                for part in ("weight", "bias"):
                    found[f"{name}_{part}"] = plain(getattr(layer.get_submodule(name), part))
            layers.append(found)
        return {
            "layers": layers,
            "pool": plain(self.pool.weight.T),
            "pool_bias": plain(self.pool.bias),
            "says": plain(self.says.weight.T),
            "says_bias": plain(self.says.bias),
        }


class Trainer:
    """Pairs as tokens, and what is learnt from them."""

    def __init__(self, pairs: Sequence[Pair], frozen: int) -> None:
        self.pairs, self.frozen = pairs, frozen
        self.labels = np.array([COLUMNS.index((pair.task, pair.label)) for pair in pairs])
        tokenizer = WordPiece.load(READER.tokenizer)
        texts = dict.fromkeys(text for pair in pairs for text in pair[1:3])
        ids = {text: tokenizer.encode(figures(text), LONGEST) for text in texts}
        self.ids = [(ids[pair.first], ids[pair.second]) for pair in pairs]
        self.lengths = np.array([len(one) + len(other) - 1 for one, other in self.ids])

    def trained(self, network: Network, places: Any, epochs: int, rate: float, kept: Path) -> Network:
        """A network that has learnt from the pairs at some places. Labels count as TASKS says."""
        drawn = np.random.default_rng(len(places))
        batches = [batch for _ in range(epochs) for batch in self._batches(places, drawn)]
        counts, steps = torch.tensor(self._counts(places), dtype=torch.float32), len(batches)
        last = [*network.pool.parameters(), *network.says.parameters()]
        groups = [{"params": network.layers.parameters(), "share": 1.0}, {"params": last, "share": LAST_RATE}]
        descent = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
        done = 0
        if kept.exists():
            held = torch.load(kept)
            network.load_state_dict(held["network"])
            descent.load_state_dict(held["descent"])
            done = held["done"]
        losses, begin = [], time.monotonic()
        network.train()
        for number in range(done + 1, steps + 1):
            now = rate * min(1, number / (WARM * steps)) * (1 - number / (steps + 1))
            for group in descent.param_groups:
                group["lr"] = now * group["share"]
            chosen = batches[number - 1]
            ways = [int(drawn.integers(TASKS[self.pairs[place].task].ways)) for place in chosen]
            loss = self._loss(network, chosen, ways, counts)
            descent.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            descent.step()
            losses.append(float(loss))
            if number % EVERY == 0 or number == steps:
                pace = (time.monotonic() - begin) / (number - done)
                print(f"step {number} of {steps}: {np.mean(losses[-EVERY:]):.3f}, {pace:.2f} s", flush=True)
                held = {"network": network.state_dict(), "descent": descent.state_dict(), "done": number}
                torch.save(held, kept.with_suffix(".part"))
                kept.with_suffix(".part").rename(kept)
        return network

    def _loss(self, network: Network, places: Sequence[int], ways: Sequence[int], counts: Any) -> Any:
        """How wrong the network is; of each pair, only the labels of its task count."""
        labels = torch.tensor(self.labels[places])
        said = self._said(network, places, ways)
        own = KIN[labels]
        wanted = functional.one_hot(labels, len(COLUMNS)) * (1 - SMOOTHED)
        wanted = wanted + own * SMOOTHED / own.sum(-1, keepdim=True)
        found = functional.log_softmax(said + (1 - own) * -1e9, -1)
        return -((found * wanted).sum(-1) * counts[places]).sum() / counts[places].sum()

    def _said(self, network: Network, places: Sequence[int], ways: Sequence[int]) -> Any:
        given, mask = self._states(places, ways)
        with torch.autocast("cpu", torch.bfloat16):
            return network(given, mask).float()

    def _states(self, places: Sequence[int], ways: Sequence[int]) -> tuple[Any, Any]:
        """What the layers that stay as they are make of pairs, and where a row has tokens."""
        size = (len(places), int(self.lengths[places].max()))
        ids, kinds, mask = (np.zeros(size, np.int64) for _ in range(3))
        for row, (place, way) in enumerate(zip(places, ways, strict=True)):
            first, second = self.ids[place][:: -1 if way else 1]
            whole = [*first, *second[1:]]
            ids[row, : len(whole)], mask[row, : len(whole)] = whole, 1
            kinds[row, len(first) : len(whole)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}
        states = lower_session(READER.weights, self.frozen).run(None, inputs)[0]
        return torch.tensor(states), torch.tensor(mask, dtype=torch.bool)

    def _counts(self, places: Any) -> Any:
        """How much each pair counts: each task alike, and its labels as it weighs them."""
        present = np.bincount(self.labels[places], minlength=len(COLUMNS))
        weights = np.array([TASKS[task].labels[label] for task, label in COLUMNS])
        return (weights / np.maximum(present, 1))[self.labels] * len(places)

    def _batches(self, places: Any, drawn: Any) -> Iterator[Any]:
        """All places in batches of about the same length, in any order."""
        order = places[np.argsort(self.lengths[places] + drawn.normal(0, 4, len(places)))]
        batches: list[list[int]] = []
        own: list[int] = []
        for place in map(int, order):
            if own and (len(own) + 1) * max(int(self.lengths[[*own, place]].max()), 1) > TOKENS:
                batches.append(own)
                own = []
            own.append(place)
        batches.append(own)
        return (batches[place] for place in drawn.permutation(len(batches)))

    def judged(self, network: Network, places: Any, task: str) -> Any:
        """The probabilities of each label of a task, both ways round."""
        own = [column for column, (name, _) in enumerate(COLUMNS) if name == task]
        found = np.zeros((len(places), len(own)))
        network.eval()
        order = np.argsort(self.lengths[places])
        with torch.no_grad():
            for way in range(TASKS[task].ways):
                for start in range(0, len(places), 32):
                    some = order[start : start + 32]
                    said = self._said(network, places[some], [way] * len(some))[:, own]
                    found[some] += functional.softmax(said, -1).numpy() / TASKS[task].ways
        return found

    def report(self, network: Network, author: str, places: Any) -> None:
        """How many of each label are right, for each degree of certainty that may be asked for."""
        for task in sorted({self.pairs[place].task for place in places}):
            some = np.array([place for place in places if self.pairs[place].task == task])
            found, names = self.judged(network, some, task), list(TASKS[task].labels)
            wanted = np.array([names.index(self.pairs[place].label) for place in some])
            last = len(names) - 1
            for sure in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
                chosen = np.where(found[:, :last].max(1) >= sure, found[:, :last].argmax(1), last)
                right = (
                    f"{name} {int((chosen[wanted == place] == place).sum())}/{int((wanted == place).sum())}"
                    for place, name in enumerate(names)
                )
                print(f"{author}, {task}, from {sure}: {', '.join(right)}", flush=True)


def read_inferences(file: Path) -> list[Pair]:
    """Sentences and what follows from them, of public sets, as a table with the names of a pair."""
    with file.open(encoding="utf-8", newline="") as table:
        return [
            Pair(row["source"], row["first"], row["second"], row["label"], row["task"])
            for row in csv.DictReader(table, delimiter="\t")
        ]


def begun_with(frozen: int, file: Path | None, upon: int) -> Network:
    """A network that knows what the reranker knows, or what one does that stands upon some layers of it.

    Of a file, what follows from what is to be learnt anew: only what is asked for is written.
    """
    torch.manual_seed(0)
    if not file:
        return Network(begun(len(COLUMNS), ALL - frozen, frozen))
    known, new = read_network(file), begun(len(COLUMNS), upon - frozen, frozen)
    count = known["says"].shape[-1]
    says = np.concatenate([known["says"], new["says"][:, count:]], -1)
    bias = np.concatenate([known["says_bias"], new["says_bias"][count:]])
    layers = [*new["layers"], *known["layers"]]
    return Network({**known, "layers": layers, "says": says, "says_bias": bias})


def main() -> None:
    """Train, judge those left out, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--inferences", type=Path, required=True)
    parser.add_argument("--frozen", type=int, default=3, help="Layers of the reranker that stay as they are.")
    parser.add_argument("--begin", type=Path, help="A network that was written before.")
    parser.add_argument("--upon", type=int, default=6, help="Layers of the reranker upon which that stands.")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--new", action="append", default=[], help="Authors whom that has not read.")
    given = parser.parse_args()
    torch.set_num_threads(2)
    labelled = [*by_authors(), *statements(), *for_training()]
    labelled += contrasts([pair for pair in labelled if pair.task == "notes"], random.Random(1))  # noqa: S311
    public = read_inferences(given.inferences)
    trainer = Trainer([*labelled, *public], given.frozen)
    authors = np.array([pair.author for pair in trainer.pairs])
    drawn, places = np.random.default_rng(1), np.arange(len(authors))
    own, others = np.split(places, [len(labelled)])
    apart, inferences = np.split(drawn.permutation(others), [ASIDE])

    def some(aside: Sequence[str]) -> Any:
        """The labelled pairs but those of some authors; of what it has read before, a part."""
        new = np.isin(authors[own], given.new) if given.new else np.full(len(own), True)
        chosen = new | (drawn.random(len(own)) < REMINDED)
        return own[chosen & ~np.isin(authors[own], aside)]

    network = begun_with(given.frozen, given.begin, given.upon)
    taught = np.concatenate([some(given.without), inferences])
    print(f"{len(taught)} pairs, {len(inferences)} of them inferences", flush=True)
    network = trainer.trained(network, taught, 1, RATE, given.file.with_suffix(".first"))
    export(network.tree(), given.file.with_suffix(".without.onnx"), SAID)
    trainer.report(network, "inferences", apart)
    for author in given.without:
        trainer.report(network, author, np.flatnonzero(authors == author))
    network = trainer.trained(network, some(()), 1, RATE / 3, given.file.with_suffix(".last"))
    export(network.tree(), given.file, SAID)


if __name__ == "__main__":
    main()
