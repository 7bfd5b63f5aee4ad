"""The network that reads a sentence with a line of a notebook: is the line amended, removed or done by it?

It also marks which words of the sentence take the place of which words of the line (`Judge.marks`).
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
        5_544_952,
        "74c736060da600080e9db24fff35523d3ef74c7e0d9e2476e4ed749195e67f56",
    ),
    ("unrelated", "corrected", "removed", "done"),
    "says",
    both_ways=False,
)
