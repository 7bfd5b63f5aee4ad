"""The network that reads a sentence with a line of a notebook: is the line amended, removed or done by it?

It stands on the reranker's lower layers as the judge of notes does.
`tools/train_changes.py` trains it.
"""

from __future__ import annotations

from quaid.embed.judge import Network
from quaid.embed.weights import ModelFile

CHANGES = Network(
    "notebook-changes-minilm",
    ModelFile(
        "model_int8.onnx",
        "model_int8.onnx",
        5_543_641,
        "5a688d3f7b7b44666f5bca32fc2597b51530d1947824ff2e5479d02536522a5a",
    ),
    ("unrelated", "corrected", "removed", "done"),
    both_ways=False,
)
