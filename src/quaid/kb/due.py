"""When a person should curate: at 150 nodes, and when 50 have come since somebody last looked."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.kb.repository import Kb
from quaid.store.nodes import NodeRow
from quaid.sync import state

FIRST_DUE = 150  # nodes
DUE_EVERY = 50


def is_due(nodes: Sequence[NodeRow]) -> bool:
    """Whether enough nodes have come since somebody last looked."""
    if len(nodes) < FIRST_DUE:
        return False
    last = max((node.curated for node in nodes), default="")
    if not last:
        return True
    return sum(1 for node in nodes if node.created > last) >= DUE_EVERY


def note_due(kb: Kb, nodes: Sequence[NodeRow]) -> bool:
    """Whether it is due; noted for those who cannot take the time to read all nodes."""
    due = is_due(nodes)
    if due is not bool(state.recall(kb).curation_due):
        state.note(kb, curation_due=state.now() if due else "")
    return due
