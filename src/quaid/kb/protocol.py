"""The one way in which the commands of a knowledge base write: a plan, made through the gate.

Whatever goes wrong before the commit, every file is as it was. Nothing is pushed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from quaid.kb.gate import Proposal, Written, passed, recovered, refuse_findings
from quaid.kb.nodes import Nodes
from quaid.kb.place import is_index, is_litter
from quaid.kb.repository import Kb
from quaid.sync.repository import listed, plural

Plan = Callable[[Nodes], Proposal]

__all__ = [
    "Plan",
    "Proposal",
    "Written",
    "is_index",
    "is_litter",
    "listed",
    "plural",
    "recover",
    "refuse_findings",
    "write",
]


def write(kb: Kb, plan: Plan, *, adopting: Collection[str] | None = (), offline: bool = False) -> Written:
    """Run the protocol. `plan` sees the nodes as they are after catching up and says what to write.

    `adopting` names files that a person has changed already and that become part of the commit (None: all
    that are changed); where the write fails they stay as the person left them.
    """
    memory = kb.memory
    with passed(kb, memory, adopting=adopting, offline=offline) as gate, memory.store.write():
        gate.propose(plan(Nodes(memory, gate.rows)))
    return gate.written


recover = recovered
