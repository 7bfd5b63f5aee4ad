"""A model of a few words, as the real ones are: an ONNX file and a `tokenizer.json`.

Its network looks up one vector per piece. Words of one line of `MEANINGS` have the same vector.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from quaid.embed.product import model as model_of
from quaid.embed.product import value
from quaid.embed.protobuf import field
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
FLOAT, INT64 = 1, 7


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
        return ModelFile(file.name, len(data), hashlib.sha256(data).hexdigest(), file.folder)

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
    node = field(1, b"table") + field(1, b"input_ids") + field(2, b"states") + field(4, b"Gather")
    shape = b"".join(field(1, size) for size in table.shape)
    weights = shape + field(2, FLOAT) + field(8, b"table") + field(9, table.tobytes())
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    graph = field(1, node) + field(2, b"lookup") + field(5, weights)
    graph += b"".join(field(11, value(name, INT64, 2)) for name in inputs)
    graph += field(12, value("states", FLOAT, 3))
    return model_of(graph)
