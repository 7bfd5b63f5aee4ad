"""Networks on the reranker's lower layers: how they begin, learn, and are written and read."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional

from quaid.embed import lower
from quaid.embed.onnx import OnnxFiles
from quaid.embed.weights import PACKAGED

READER = OnnxFiles(*(PACKAGED / lower.NAME / file.name for file in (lower.WEIGHTS, lower.TOKENIZER)))
FIRST = 6  # the reranker's layers below those that are trained
WIDTH, HEADS, WIDE = 384, 12, 1536
DROPPED = 0.1
DENSE = {
    "query": "attention/self/query", "key": "attention/self/key", "value": "attention/self/value",
    "mixed": "attention/output/dense", "wide": "intermediate/dense", "narrow": "output/dense",
}  # fmt: skip
NORMS = {"norm": "attention.output.LayerNorm", "last_norm": "output.LayerNorm"}
OF_TOKENS = "marks"  # the output that speaks of each token; all others speak of the pair
AWAY = -1e9


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, WIDE), nn.Linear(WIDE, WIDTH)
        self.norm, self.last_norm = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))

    def forward(self, own: Tensor, given: Tensor, away: Tensor) -> Tensor:
        """What becomes of some tokens, when they have heeded all that are given."""

        def heads(dense: nn.Linear, of: Tensor) -> Tensor:
            made: Tensor = dense(of)
            return made.unflatten(-1, (HEADS, -1)).transpose(1, 2)

        heed = heads(self.query, own) @ heads(self.key, given).transpose(-1, -2) / math.sqrt(WIDTH / HEADS)
        heed = self._drop((heed + away).softmax(-1))
        mixed = (heed @ heads(self.value, given)).transpose(1, 2).flatten(-2)
        mixed = self.norm(own + self._drop(self.mixed(mixed)))
        made: Tensor = self.last_norm(mixed + self._drop(self.narrow(functional.gelu(self.wide(mixed)))))
        return made

    def _drop(self, given: Tensor) -> Tensor:
        return dropped(given, self.training)


def dropped(given: Tensor, training: bool) -> Tensor:  # as torch has it
    """Where a network is trained, without some of the numbers."""
    return functional.dropout(given, DROPPED, training)


class Upper(nn.Module):
    """Some layers, and what they say: of a pair, by its first token, or of each token."""

    def __init__(self, layers: int, outputs: Mapping[str, int]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.says = nn.ModuleDict({name: nn.Linear(WIDTH, count) for name, count in outputs.items()})
        for each in (self.pool, *self.says.values()):
            nn.init.normal_(each.weight, 0, 0.03)
            nn.init.zeros_(each.bias)

    def forward(self, states: Tensor, mask: Tensor, output: str) -> Tensor:
        """Logits of pairs, or of their tokens, from what the lower layers make of them."""
        away = (1 - mask)[:, None, None] * AWAY
        for place, layer in enumerate(self.layers, 1):
            # Of the last layer, mostly only the first token is asked for.
            first = place == len(self.layers) and output != OF_TOKENS
            states = layer(states[:, :1] if first else states, states, away)
        states = dropped(states, self.training)
        if output == OF_TOKENS:
            logits: Tensor = self.says[output](states)[..., 0]
        else:
            logits = self.says[output](torch.tanh(self.pool(states[:, 0])))
        return logits.float()


class Descent:
    """AdamW down a loss, at a rate that rises, and then falls to nothing."""

    def __init__(self, network: nn.Module, rate: float, warm: float) -> None:
        self.network, self.rate, self.warm = network, rate, warm
        self._steps = torch.optim.AdamW(network.parameters(), rate, (0.9, 0.98), 1e-6, 0.01)

    def step(self, share: float, loss: Callable[[], Tensor]) -> float:
        """One step, of which it is told what share of all is behind it; how wrong the network was."""
        for group in self._steps.param_groups:
            group["lr"] = self.rate * min(1, share / self.warm) * (1 - share)
        self.network.train()
        with torch.autocast("cpu", torch.bfloat16):
            found = loss()
        self._steps.zero_grad()
        found.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._steps.step()
        return float(found.detach())


def padded(rows: Sequence[Any]) -> tuple[Tensor, Tensor]:
    """The states of some pairs in one tensor, and where it has any."""
    width = max(map(len, rows))
    given, mask = np.zeros((len(rows), width, WIDTH), np.float32), np.zeros((len(rows), width), np.float32)
    for row, each in enumerate(rows):
        given[row, : len(each)], mask[row, : len(each)] = each, 1
    return torch.from_numpy(given), torch.from_numpy(mask)


def batches(lengths: Iterable[float], most: int, drawn: np.random.Generator) -> list[Any]:
    """Places of about the same length together, in any order."""
    known = np.array([*lengths])
    order = np.argsort(known + drawn.normal(0, 0.15 * known.mean(), len(known)))
    found = [order[start : start + most] for start in range(0, len(order), most)]
    return [found[place] for place in drawn.permutation(len(found))]


# First weights -----------------------------------------------------------------------------------


def begun(layers: int, outputs: Mapping[str, int]) -> Upper:
    """A network that has learnt nothing beyond what the reranker knows."""
    torch.manual_seed(0)
    network, reranker = Upper(layers, outputs), Reranker()
    for number, layer in enumerate(network.layers, FIRST):
        reranker.teach(layer, number)
    return network


class Reranker:
    """The weights of the whole reranker, from eight bits."""

    def __init__(self) -> None:
        self._network = onnx.load(READER.weights)
        self._held = {each.name: numpy_helper.to_array(each) for each in self._network.graph.initializer}

    def teach(self, layer: Any, number: int) -> None:
        """Give a layer the weights of that number."""
        above = f"bert/encoder/layer.{number}"
        for name, path in DENSE.items():
            start = f"/{above}/{path}/MatMul"
            given = next(
                each.input[1]
                for each in self._network.graph.node
                if each.op_type == "MatMulInteger" and each.name.startswith(start)
            )
            weight = self.whole(given.removesuffix("_quantized"))
            set_part(getattr(layer, name), weight.T, self.held(f"{above}/{path}/bias"))
        for name, path in NORMS.items():
            parts = (self.held(f"{above}/{path}/{part}") for part in ("weight", "bias"))
            set_part(getattr(layer, name), *parts)

    def held(self, path: str) -> Any:
        """What is kept under a name."""
        return self._held[path.replace("/", ".")]

    def whole(self, name: str) -> Any:
        """A matrix from eight bits."""
        whole = self._held[f"{name}_quantized"].astype(np.float32)
        return (whole - self._held[f"{name}_zero_point"].astype(np.float32)) * self._held[f"{name}_scale"]


def read_upper(file: Path, outputs: Mapping[str, int]) -> Upper:
    """A network that `export` has written, from eight bits. What it does not say yet is drawn by lot."""
    graph = onnx.load(file).graph
    names = [each.name for each in graph.output]
    held = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    place = 0

    def values(skipped: int = 0) -> Any:
        """What the graph holds next; what is no weight is passed over."""
        nonlocal place
        name = f"held_{place}"
        place += 1 + skipped
        if name in held:
            return held[name].astype(np.float32)
        whole = held[f"{name}_quantized"].astype(np.float32) - held[f"{name}_zero_point"].astype(np.float32)
        return whole * held[f"{name}_scale"]

    # As `Graph.layer` writes them, with the shapes and factors between them.
    order = (("key", 1), ("query", 2), ("value", 2), ("mixed", 0), ("norm", 0), ("wide", 3), ("narrow", 0))
    network = begun(sum(each.op_type == "LayerNormalization" for each in graph.node) // 2, outputs)
    for layer in network.layers:
        for name, skipped in (*order, ("last_norm", 0)):
            first = values()
            set_part(getattr(layer, name), first if "norm" in name else first.T, values(skipped))
    place += 1  # which token is gathered
    set_part(network.pool, values().T, values())
    for name in names:
        weight, bias = values().T, values()
        if name in network.says and network.says[name].bias.shape == bias.shape:
            set_part(network.says[name], weight, bias)
    return network


def set_part(part: Any, weight: Any, bias: Any) -> None:
    """Give a part of a network its weights."""
    with torch.no_grad():
        part.weight.copy_(torch.from_numpy(np.array(weight, np.float32)))
        part.bias.copy_(torch.from_numpy(np.array(bias, np.float32)))


# ONNX --------------------------------------------------------------------------------------------


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

    def dense(self, given: str, part: Any, factors: Any = 1.0) -> str:
        weight, bias = part.weight.detach().numpy().T * factors, part.bias.detach().numpy() * factors
        product = self.add("MatMul", given, self.hold(weight.astype(np.float32)))
        return self.add("Add", product, self.hold(bias.astype(np.float32)))

    def layer(self, layer: Any, given: str) -> str:
        """One layer of BERT for a single pair."""

        def heads(part: Any) -> str:
            split = self.add(
                "Reshape", self.dense(given, part), self.hold(np.array([1, -1, HEADS, WIDTH // HEADS]))
            )
            return self.add("Transpose", split, perm=[0, 2, 1, 3])

        known = self.add("Transpose", heads(layer.key), perm=[0, 1, 3, 2])
        heed = self.add("MatMul", heads(layer.query), known)
        heed = self.add("Mul", heed, self.hold(np.float32((WIDTH / HEADS) ** -0.5)))
        mixed = self.add("MatMul", self.add("Softmax", heed, axis=-1), heads(layer.value))
        mixed = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.add("Reshape", mixed, self.hold(np.array([1, -1, WIDTH])))
        return self.finished(layer, given, mixed)

    def finished(self, layer: Any, given: str, mixed: str) -> str:
        """The rest of a layer, after its tokens have heeded each other."""
        mixed = self._norm(layer.norm, self.add("Add", given, self.dense(mixed, layer.mixed)))
        wide = self.dense(mixed, layer.wide)
        curve = self.add("Erf", self.add("Mul", wide, self.hold(np.float32(2**-0.5))))
        half = self.add("Mul", wide, self.hold(np.float32(0.5)))
        wide = self.add("Mul", half, self.add("Add", curve, self.hold(np.float32(1))))
        return self._norm(layer.last_norm, self.add("Add", mixed, self.dense(wide, layer.narrow)))

    def _norm(self, norm: Any, value: str) -> str:
        parts = [self.hold(each.detach().numpy()) for each in (norm.weight, norm.bias)]
        return self.add("LayerNormalization", value, *parts, axis=-1, epsilon=1e-12)


def export(network: Upper, path: Path) -> None:
    """Write the network as ONNX with weights of eight bits."""
    graph, given = Graph(), "states"
    for layer in network.layers:
        given = graph.layer(layer, given)
    first = graph.add("Gather", given, graph.hold(np.array(0)), axis=1)
    pooled = graph.add("Tanh", graph.dense(first, network.pool))
    outputs = []
    for name, part in network.says.items():
        graph.dense(given if name == OF_TOKENS else pooled, part)
        graph.nodes[-1].output[0] = name
        shape = [1, "tokens", 1] if name == OF_TOKENS else [1, len(part.bias)]
        outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "tokens", WIDTH])
    # With one scale for a whole matrix, odds above a half came out lower by five in a hundred.
    write(helper.make_graph(graph.nodes, path.stem, [states], outputs, graph.held), path, per_channel=True)


def write(made: Any, path: Path, *, per_channel: bool = False) -> None:
    """Write a graph with weights of eight bits."""
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, whole)
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=per_channel)
