"""Networks on the reranker's lower layers: their first weights, and how they are written and read."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from quaid.embed import rerank
from quaid.embed.onnx import OnnxFiles
from quaid.embed.weights import PACKAGED

READER = OnnxFiles(*(PACKAGED / rerank.NAME / file.name for file in (rerank.WEIGHTS, rerank.TOKENIZER)))
FIRST, LAYERS = 6, 3  # the reranker's layers below those that are trained, and how many of these are usual
WIDTH, HEADS = 384, 12
DENSE = {
    "query": "attention/self/query", "key": "attention/self/key", "value": "attention/self/value",
    "mixed": "attention/output/dense", "wide": "intermediate/dense", "narrow": "output/dense",
}  # fmt: skip
NORMS = {"norm": "attention.output.LayerNorm", "last_norm": "output.LayerNorm"}

Tree = Any  # JAX's nested dictionaries of arrays


def reranker_layers(count: int = LAYERS) -> list[dict[str, Any]]:
    """The weights of the layers that are trained, from eight bits."""
    network = onnx.load(READER.weights)
    held = {each.name: numpy_helper.to_array(each) for each in network.graph.initializer}
    layers = []
    for number in range(FIRST, FIRST + count):
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

        known = self.add("Transpose", heads("key"), perm=[0, 1, 3, 2])
        heed = self.add("MatMul", heads("query"), known)
        heed = self.add("Mul", heed, self.hold(np.float32((WIDTH / HEADS) ** -0.5)))
        mixed = self.add("MatMul", self.add("Softmax", heed, axis=-1), heads("value"))
        mixed = self.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = self.add("Reshape", mixed, self.hold(np.array([1, -1, WIDTH])))
        return self.finished(layer, given, mixed)

    def finished(self, layer: Tree, given: str, mixed: str) -> str:
        """The rest of a layer, after its tokens have heeded each other."""
        mixed = self.dense(mixed, layer["mixed"], layer["mixed_bias"])
        mixed = self._norm(layer, "norm", self.add("Add", given, mixed))
        wide = self.dense(mixed, layer["wide"], layer["wide_bias"])
        curve = self.add("Erf", self.add("Mul", wide, self.hold(np.float32(2**-0.5))))
        half = self.add("Mul", wide, self.hold(np.float32(0.5)))
        wide = self.add("Mul", half, self.add("Add", curve, self.hold(np.float32(1))))
        narrow = self.dense(wide, layer["narrow"], layer["narrow_bias"])
        return self._norm(layer, "last_norm", self.add("Add", mixed, narrow))

    def _norm(self, layer: Tree, name: str, value: str) -> str:
        parts = [self.hold(layer[f"{name}_{part}"]) for part in ("weight", "bias")]
        return self.add("LayerNormalization", value, *parts, axis=-1, epsilon=1e-12)


def padded(rows: Sequence[Any], lengths: Sequence[int]) -> tuple[Any, Any]:
    """The states of some pairs in one array of the shortest length that holds them; where it has any."""
    width = next(length for length in lengths if length >= max(map(len, rows)))
    given, mask = np.zeros((len(rows), width, WIDTH), np.float32), np.zeros((len(rows), width), np.float32)
    for row, each in enumerate(rows):
        given[row, : len(each)], mask[row, : len(each)] = each, 1
    return given, mask


def export(network: Tree, path: Path, columns: Mapping[str, Sequence[int]]) -> None:
    """Write the network as ONNX with weights of eight bits. An output has some columns of its last layer."""
    graph, given = Graph(), "states"
    for layer in network["layers"]:
        given = graph.layer(layer, given)
    first = graph.add("Gather", given, graph.hold(np.array(0)), axis=1)
    pooled = graph.add("Tanh", graph.dense(first, network["pool"], network["pool_bias"]))
    outputs = []
    for task, own in ((task, np.array(each)) for task, each in columns.items()):
        graph.dense(pooled, network["says"][:, own], network["says_bias"][own])
        graph.nodes[-1].output[0] = task
        outputs.append(helper.make_tensor_value_info(task, TensorProto.FLOAT, [1, len(own)]))
    if "marks" in network:
        graph.dense(given, network["marks"], network["marks_bias"])
        graph.nodes[-1].output[0] = "marks"
        outputs.append(helper.make_tensor_value_info("marks", TensorProto.FLOAT, [1, "tokens", 1]))
    made = helper.make_graph(
        graph.nodes,
        path.stem,
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "tokens", WIDTH])],
        outputs,
        graph.held,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(model, whole)
        # With one scale for a whole matrix, odds above a half came out lower by five in a hundred.
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)


def begun(labels: int, layers: int = LAYERS) -> Tree:
    """A network that has learnt nothing beyond what the reranker knows."""
    drawn = np.random.default_rng(0)
    return {
        "layers": reranker_layers(layers),
        "pool": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, WIDTH)), jnp.float32),
        "pool_bias": jnp.zeros(WIDTH),
        "says": jnp.asarray(drawn.normal(0, 0.03, (WIDTH, labels)), jnp.float32),
        "says_bias": jnp.zeros(labels),
    }


def read_network(file: Path) -> Tree:
    """A network that `export` has written, from eight bits."""
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
            return jnp.asarray(held[name], jnp.float32)
        whole = held[f"{name}_quantized"].astype(np.float32) - held[f"{name}_zero_point"].astype(np.float32)
        return jnp.asarray(whole * held[f"{name}_scale"])

    # As `Graph.layer` writes them, with the shapes and factors between them.
    order = (("key", 1), ("query", 2), ("value", 2), ("mixed", 0), ("norm", 0), ("wide", 3), ("narrow", 0))
    count = sum(each.op_type == "LayerNormalization" for each in graph.node) // 2
    layers = []
    for _ in range(count):
        layer: dict[str, Any] = {}
        for name, skipped in (*order, ("last_norm", 0)):
            layer[f"{name}_weight" if "norm" in name else name] = values()
            layer[f"{name}_bias"] = values(skipped)
        layers.append(layer)
    place += 1  # which token is gathered
    pool, pool_bias = values(), values()
    says = [(values(), values()) for name in names if name != "marks"]
    network = {
        "layers": layers,
        "pool": pool,
        "pool_bias": pool_bias,
        "says": jnp.concatenate([each for each, _ in says], -1),
        "says_bias": jnp.concatenate([each for _, each in says]),
    }
    if "marks" in names:
        network |= {name: values() for name in ("marks", "marks_bias")}
    return network
