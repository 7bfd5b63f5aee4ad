"""When a person should curate: at 150 nodes, and when 50 have come or gone stale since the last look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from quaid.kb.repository import Kb
from quaid.store.nodes import NodeRow
from quaid.sync import state

FIRST_DUE = 150  # nodes
DUE_EVERY = 50
HORIZON_DAYS = 180  # after which a node counts as untouched


def is_due(nodes: Sequence[NodeRow], today: str) -> bool:
    """Whether enough nodes have come, or gone untouched for too long, since somebody last looked."""
    if len(nodes) < FIRST_DUE:
        return False
    last = max((node.curated for node in nodes), default="")
    then, now = horizon(last), horizon(today)
    if not then:
        return True
    waiting = sum(1 for node in nodes if node.created > last or then <= last_touch(node) < now)
    return waiting >= DUE_EVERY


def last_touch(node: NodeRow) -> str:
    """The day on which somebody last changed a node, or looked at it."""
    return max(node.updated, node.curated)


def horizon(today: str, days: int = HORIZON_DAYS) -> str:
    """The day before which a node must have been touched to be untouched today; "" if today is no day."""
    try:
        return (date.fromisoformat(today) - timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return ""


def note_due(kb: Kb, nodes: Sequence[NodeRow]) -> bool:
    """Whether it is due; noted for those who cannot take the time to read all nodes."""
    due = is_due(nodes, kb.today)
    if due is not bool(state.recall(kb).curation_due):
        state.note(kb, curation_due=state.now() if due else "")
    return due
