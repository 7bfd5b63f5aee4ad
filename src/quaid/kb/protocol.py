"""The one way in which the commands of a knowledge base write: a plan, made through the gate.

Whatever goes wrong before the commit, every file is as it was. Nothing is pushed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import nullcontext

from quaid.kb import index
from quaid.kb.gate import Proposal, Written, gate_of, recovery_notes
from quaid.kb.nodes import Nodes
from quaid.kb.repository import Kb
from quaid.sync import lock

Plan = Callable[[Nodes], Proposal]


def write(kb: Kb, plan: Plan, *, adopting: Collection[str] | None = (), offline: bool = False) -> Written:
    """Run the protocol. `plan` sees the nodes as they are after catching up and says what to write.

    `adopting` names files that a person has changed already and that become part of the commit (None: all
    that are changed); where the write fails they stay as the person left them.
    """
    memory = kb.memory
    with gate_of(kb, memory, adopting=adopting, offline=offline) as gate, memory.store.write():
        gate.propose(plan(Nodes(memory, gate.rows)))
    return gate.result


def reindex(kb: Kb) -> list[str]:
    """Write the index anew; the files that have changed. Nothing is committed."""
    in_git = (kb.root / ".git").exists()
    with lock.write_lock(kb.git) if in_git else nullcontext():
        if in_git:
            recovery_notes(kb)
        return sorted(index.write(kb.root, kb.nodes().rows))
