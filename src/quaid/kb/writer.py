"""Who writes, and whose word may be replaced by whom.

What a person has stated, or written, is replaced, shortened or downgraded by the person alone. Anybody else
may add to it, and contests it where they know otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quaid.errors import InvalidInput
from quaid.kb import edits
from quaid.kb.node import Node
from quaid.model.record import record
from quaid.trust import agent_of

HUMAN = "human"
STATED = "user-stated"
# How the programs that say so in the environment are called in :CREATED_BY:.
_AUTHORS = {"Claude Code": "claude-code", "Codex": "codex"}
_LONGEST_QUOTATION = 200  # characters of a body
_QUESTION = "Do you write this yourself, as the person whose knowledge this is?"


@record
class Writer:
    """Who writes: a name for :CREATED_BY:, "" if nobody knows it; and whether it is the person."""

    name: str = ""
    is_person: bool = False

    @property
    def certain_name(self) -> str:
        """The name, where one is needed."""
        if not self.name:
            raise InvalidInput(
                "it is not known who writes this",
                hint="Say so: --created-by claude-code, or AI_KB_CREATED_BY. A person says human.",
            )
        return self.name


def writer_of(
    stated: str | None, environment: Mapping[str, str], ask: Callable[[str], bool] | None = None
) -> Writer:
    """Who writes, by what is stated, what the environment says, or what somebody answers.

    A terminal is no sign of a person: agents have one too. What an agent has inherited from the person's
    shell is not its own word.
    """
    agent = agent_of(environment)
    known = _AUTHORS.get(agent, "")
    inherited = environment.get("AI_KB_CREATED_BY") or ""
    if stated:
        return Writer(stated, stated == HUMAN and not agent)
    if agent:
        return Writer(inherited if inherited not in ("", HUMAN) else known)
    if inherited:
        return Writer(inherited, inherited == HUMAN)
    if ask is not None and ask(_QUESTION):
        return Writer(HUMAN, True)
    return Writer()


def is_persons(node: Node) -> bool:
    """Whether a node is a person's word."""
    return node.properties.get("CONFIDENCE") == STATED or node.properties.get("CREATED_BY") == HUMAN


def adds_only(old: Node, new: Node) -> bool:
    """Whether a changed node says all that it said, as surely and as visibly as before."""
    kept = ("SUMMARY", "CONFIDENCE", "CREATED_BY", "CREATED", "VISIBILITY", "SOURCE", "STATUS")
    same = all(old.properties.get(name) == new.properties.get(name) for name in kept)
    more = {*old.tags} <= {*new.tags} and {*old.projects} <= {*new.projects} and old.type == new.type
    return same and more and old.title == new.title and _holds(new.body, old.body)


def restates(old: Node, new: Node) -> bool:
    """Whether a changed node says something else, and not only something about itself."""
    before, after = ((node.title, node.summary, node.body.strip()) for node in (old, new))
    return before != after


def quotation(node: Node) -> str:
    """What a node says and who says so, on a line."""
    properties = node.properties
    who = f"{properties.get('CREATED_BY', '?')}, {properties.get('CONFIDENCE', '?')}"
    text = edits.one_line(node.body.strip()).partition(" CONTRADICTS [[")[0]
    more = f" {text}" if text and text != node.summary else ""
    return f"“{node.summary}{more[:_LONGEST_QUOTATION]}” ({who})"


def _holds(text: str, part: str) -> bool:
    """Whether a text has all lines of another, in their order."""
    lines = iter(text.splitlines())
    return all(any(line == each for each in lines) for line in part.strip().splitlines())
