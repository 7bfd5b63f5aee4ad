"""A model of a few words, as the real ones are: an ONNX file and a `tokenizer.json`.

Its network looks up one vector per piece. Words of one line of `MEANINGS` have the same vector.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from quaid.embed.weights import MULTILINGUAL, Model, ModelFile

DIMENSIONS = 32
MEANINGS = (
    ("boiler", "Heizung", "锅炉"),
    ("refill", "nachgefüllt", "补水"),
    ("landlord", "Vermieterin", "房东"),
    ("rent", "Miete", "房租"),
    ("query:", "passage:"),
)
TOKENIZER = json.loads((Path(__file__).parent / "tokenizers" / "unigram.json").read_text("utf-8"))[
    "tokenizer"
]
FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7


def files() -> dict[str, bytes]:
    """The files of the model, by their path at the publisher's."""
    pieces = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁", -3.0]]
    rng = np.random.default_rng(7)
    rows = [np.zeros(DIMENSIONS)] * 3 + list(rng.standard_normal((2, DIMENSIONS)) / 20)
    for words in MEANINGS:
        vector = rng.standard_normal(DIMENSIONS)
        for word in words:
            pieces += [[f"▁{word}", -1.0], [word, -1.0]]
            rows += [vector, vector]
    tokenizer = {**TOKENIZER, "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces}}
    return {
        MULTILINGUAL.weights.remote: network(np.array(rows, np.float32)),
        MULTILINGUAL.tokenizer.remote: json.dumps(tokenizer).encode(),
    }


def model(content: dict[str, bytes]) -> Model:
    """The entry of such files: all that `multilingual-e5-small` says, with their sizes and hashes."""

    def described(file: ModelFile) -> ModelFile:
        data = content[file.remote]
        return ModelFile(file.name, file.remote, len(data), hashlib.sha256(data).hexdigest())

    known = MULTILINGUAL
    return Model(
        known.name,
        known.licence,
        known.source,
        described(known.weights),
        described(known.tokenizer),
        dimensions=DIMENSIONS,
        query_prefix=known.query_prefix,
        text_prefix=known.text_prefix,
        pooling=known.pooling,
        scripts=known.scripts,
    )


def network(table: np.ndarray[Any, Any]) -> bytes:
    """An ONNX file that looks up a row of a table for each token."""
    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"states") + _field(4, b"Gather")
    shape = b"".join(_field(1, size) for size in table.shape)
    weights = shape + _field(2, FLOAT) + _field(8, b"table") + _field(9, table.tobytes())
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    graph = _field(1, node) + _field(2, b"lookup") + _field(5, weights)
    graph += b"".join(_field(11, _value(name, INT64, 2)) for name in inputs)
    graph += _field(12, _value("states", FLOAT, 3))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))


def _value(name: str, kind: int, axes: int) -> bytes:
    shape = b"".join(_field(1, _field(2, f"axis{axis}".encode())) for axis in range(axes))
    return _field(1, name.encode()) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _field(number: int, value: int | bytes) -> bytes:
    """A field as protocol buffers write it."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    octets = bytearray()
    while value > 127:
        octets.append(value & 127 | 128)
        value >>= 7
    return bytes([*octets, value])


def product(weights: np.ndarray[Any, Any]) -> bytes:
    """An ONNX file that multiplies rows of bytes with weights of int8."""
    node = _field(1, b"rows") + _field(1, b"weights") + _field(2, b"sums") + _field(4, b"MatMulInteger")
    shape = b"".join(_field(1, size) for size in weights.shape)
    table = shape + _field(2, INT8) + _field(8, b"weights") + _field(9, weights.tobytes())
    graph = _field(1, node) + _field(2, b"product") + _field(5, table)
    graph += _field(11, _value("rows", UINT8, 2)) + _field(12, _value("sums", INT32, 2))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))
