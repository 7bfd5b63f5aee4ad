"""The lower layers of the reranker, on which stand all networks that read two texts together.

They are cut out of its file when it is loaded, once for all in a process.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from quaid.embed.onnx import open_session

_loading = Lock()
_loaded: dict[tuple[Path, int], Any] = {}


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
        _field(_GRAPH, _graph(content, name.encode())) if number == _GRAPH else field
        for number, content, field in _fields(network)
    )


def _graph(graph: bytes, name: bytes) -> bytes:
    kept, reached = [_field(_OUTPUT, _field(_NAME, name))], False
    for number, content, field in _fields(graph):
        if number == _OUTPUT or (number == _NODE and reached):
            continue
        kept.append(field)
        reached = reached or (number == _NODE and _field(_MADE, name) in content)
    return b"".join(kept)


def _fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The fields of a message: number, content and all of it."""
    place = 0
    while place < len(message):
        begin = place
        key, place = _varint(message, place)
        if key & 7 == 2:
            size, place = _varint(message, place)
            end = place + size
        else:
            end = {1: place + 8, 5: place + 4}.get(key & 7) or _varint(message, place)[1]
        yield key >> 3, message[place:end], message[begin:end]
        place = end


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    number = shift = 0
    while True:
        number |= (message[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if message[place - 1] < 128:
            return number, place


def _field(number: int, content: bytes) -> bytes:
    head, size = bytearray([number << 3 | 2]), len(content)
    while size > 127:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes(head) + bytes([size]) + content
