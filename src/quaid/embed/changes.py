"""The network that reads a sentence with a line of a notebook: is the line amended, removed or done by it?

It also marks which words of the sentence take the place of which words of the line (`Judge.marks`).
It stands on the reranker's lower layers as the judge of notes does, with six layers of its own.
`tools/train_changes.py` trains it.
"""

from __future__ import annotations

from quaid.embed.judge import Network
from quaid.embed.weights import ModelFile

CHANGES = Network(
    "notebook-changes-minilm",
    ModelFile(
        "model_int8.onnx", 11_043_110, "ed4ed46e98325dab322fe3ad8e3995a8f245b32eba850c4ea72d7a9bd2710533"
    ),
    ("unrelated", "corrected", "removed", "done"),
    "says",
    both_ways=False,
)
