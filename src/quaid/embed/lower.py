"""The lower layers of the reranker, on which stand all networks that read two texts together.

They are cut out of its file when it is loaded, once for all in a process.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from quaid.embed.onnx import OnnxFiles, open_session
from quaid.embed.plugin import Context
from quaid.embed.protobuf import field, fields
from quaid.embed.weights import ModelFile, sound_file

NAME = "ms-marco-minilm-l12-v2"
WEIGHTS = ModelFile(
    "model_int8.onnx", 34_001_604, "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
)
TOKENIZER = ModelFile(
    "tokenizer.json", 711_661, "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"
)

_loading = Lock()
_loaded: dict[tuple[Path, int], Any] = {}


def files_here(context: Context) -> OnnxFiles | None:
    """The reranker's files, if they are here, and are what they should be."""
    weights, tokenizer = (sound_file(NAME, file, context) for file in (WEIGHTS, TOKENIZER))
    return OnnxFiles(weights, tokenizer) if weights and tokenizer else None


def states_name(layers: int) -> str:
    """What the network calls what so many layers hand on: a row for each token."""
    return f"/bert/encoder/layer.{layers - 1}/output/LayerNorm/Add_1_output_0"


def lower_session(weights: Path, layers: int) -> Any:
    """So many of the layers in a file."""
    with _loading:
        if (weights, layers) not in _loaded:
            cut = _cut(weights.read_bytes(), states_name(layers))
            _loaded[weights, layers] = open_session(cut, weights.parent.name, eight_bits=True)
        return _loaded[weights, layers]


_GRAPH = 7  # of a model
_NODE, _OUTPUT = 1, 12  # of a graph
_NAME, _MADE = 1, 2  # of an output; of a node, what it makes


def _cut(network: bytes, name: str) -> bytes:
    """A network of an ONNX file as far as a value within it, which becomes its only output.

    The format is that of protocol buffers: fields, each with its number and length. Nodes stand in the order
    in which they are run, so that those after the one that makes the value can be left out.
    """
    return b"".join(
        field(_GRAPH, _graph(content, name.encode())) if number == _GRAPH else whole
        for number, content, whole in fields(network)
    )


def _graph(graph: bytes, name: bytes) -> bytes:
    kept, reached = [field(_OUTPUT, field(_NAME, name))], False
    for number, content, whole in fields(graph):
        if number == _OUTPUT or (number == _NODE and reached):
            continue
        kept.append(whole)
        reached = reached or (number == _NODE and field(_MADE, name) in content)
    return b"".join(kept)
