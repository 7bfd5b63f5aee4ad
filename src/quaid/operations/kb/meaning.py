"""What new knowledge is to what is known, by the network that reads both."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.app import App
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
    except QuaidError:  # no memory, or one that is not meant for this
        return None
    if attached is None:
        return None
    memory, _ = attached
    model = memory.models.active
    return judge_of(memory) if model and embeddings.state(memory.connection, model.id)[0] else None


def judge_of(memory: App) -> Judge | None:
    """The judge that comes with the program or lies among a memory's models, if it can be used."""
    try:
        network = open_judge(memory.models.context)
    except QuaidError:  # a file that is not what it should be
        return None
    if network is None:
        return None

    def judgements(text: str, others: Sequence[str]) -> list[Judgement | None]:
        return [Judgement(*opinion) if opinion else None for opinion in network.judge(text, others)]

    return judgements
