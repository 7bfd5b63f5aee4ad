"""What new knowledge is to what is known, by the network that reads both."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.embed.judge import open_judge
from quaid.errors import QuaidError
from quaid.kb.likeness import Judge
from quaid.kb.verdict import Judgement
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import attachment
from quaid.store import embeddings


def judge(app: KbApp) -> Judge | None:
    """A judge, if the knowledge base is attached to a memory that has vectors; else None."""
    try:
        attached = attachment(app)
        if attached is None:
            return None
        memory = attached[0]
        model = memory.models.active
        has_vectors = model is not None and embeddings.state(memory.connection, model.id)[0]
        found = open_judge(memory.models.context) if has_vectors else None
    except QuaidError:  # no memory, or one that is not meant for this; a file that is not what it should be
        return None
    if found is None:
        return None

    def judged(text: str, others: Sequence[str]) -> list[Judgement | None]:
        return [opinion and Judgement(*opinion) for opinion in found.judge(text, others)]

    return judged
