"""How near new knowledge is in meaning to what is known, by the model of the memory that has it."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.embed.embedder import Embedder, stream
from quaid.errors import QuaidError
from quaid.kb.likeness import Nearness
from quaid.operations.evidence import ready_model
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import attachment


def nearness(app: KbApp) -> Nearness | None:
    """A comparison of meanings, if the knowledge base is attached to a memory that has vectors; else None."""
    try:
        attached = attachment(app)
    except QuaidError:  # no memory, or one that is not meant for this
        return None
    if attached is None:
        return None
    ready = ready_model(attached[0])
    return _Comparison(ready[1]) if ready else None


class _Comparison:
    """Cosines of one text and others, by an embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, text: str, others: Sequence[str]) -> list[float]:
        if not others:
            return []
        import numpy as np  # heavy, and only for meaning

        rows = np.concatenate(list(stream(self._embedder, [text, *others])))
        return [float(cosine) for cosine in rows[1:] @ rows[0]]
