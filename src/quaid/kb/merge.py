"""What a person decides about nodes that exist: merge, split, supersede, delete, contest, resolve.

Each is one write by the protocol. Where a node's ID goes away or is replaced, every link to it is repointed
in the same commit; pointers in files outside are repointed in the files that the person names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.files import replace_file
from quaid.kb import edits
from quaid.kb.gate import Proposal, Written, message
from quaid.kb.node import TYPES, UUID, Node
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import write
from quaid.kb.remember import refuse_odd
from quaid.kb.render import Draft, file_name, render
from quaid.kb.repository import Kb
from quaid.model.record import record
from quaid.sync.repository import path_list

Files = dict[str, str | bytes | None]
_HEADLINE = re.compile(r"(?m)^\*+[ \t]+([^\n]*?)(?:[ \t]+:[\w@#%:]+:)?[ \t]*$")
_OWN_ID = re.compile(rf"(?i)\s*:PROPERTIES:\s+:ID:[ \t]+({UUID.pattern})\s+:END:[ \t]*(?=\r?\n|\Z)")
_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|\Z)", re.DOTALL)
_LONGEST_SUMMARY = 200


@record
class Settled:
    """What was done to which nodes."""

    action: str
    titles: Sequence[str]
    ids: Sequence[str]
    repointed: int  # nodes whose links were changed
    written: Written


class Decision:
    """The nodes, and their texts while a decision changes them."""

    def __init__(self, kb: Kb, nodes: Nodes) -> None:
        self.kb = kb
        self.nodes = nodes
        self.texts: Files = {}
        self.repointed = 0

    def text(self, node: Node) -> str:
        changed = self.texts.get(node.path, node.text)
        return changed if isinstance(changed, str) else node.text

    def change(self, node: Node, text: str) -> None:
        if text != node.text:
            self.texts[node.path] = edits.set_property(text, "UPDATED", self.kb.today)

    def set_status(self, node: Node, status: str) -> None:
        self.change(node, edits.set_property(self.text(node), "STATUS", status))

    def link(self, node: Node, label: str, target: Node) -> None:
        self.change(node, edits.add_link(self.text(node), label, target.id, target.title))

    def reconcile(self, one: Node, other: Node) -> None:
        """Two nodes contradict each other no longer."""
        for node, target in ((one, other), (other, one)):
            self.change(node, edits.remove_link(self.text(node), "CONTRADICTS", target.id))

    def repoint(self, old: Node, new: Node, besides: Sequence[Node]) -> None:
        """Links to one node as links to another, in all nodes but some; their dates stay."""
        excepted = {node.path for node in besides}
        for node in self.nodes.mentioning(old.id):
            if node.path in excepted:
                continue
            text = edits.repoint(self.text(node), old.id, new.id, (old.title, new.title))
            if text != self.text(node):
                self.texts[node.path] = text
                self.repointed += 1

    def supersede(self, before: Node, after: Node) -> None:
        """Let a node take another's place; links to the old one lead to it."""
        self.repoint(before, after, [before, after])
        self.set_status(before, "superseded")
        self.reconcile(before, after)
        self.link(after, "SUPERSEDES", before)


Outcome = tuple[str, Sequence[str], Sequence[str]]  # what the commit is about; titles and ids of nodes


def _decision(action: str, verb: str) -> Callable[[Callable[..., Outcome]], Callable[..., Settled]]:
    """What changes texts, as a write by the protocol: it takes a knowledge base and `offline` instead."""

    def decorator(decide: Callable[..., Outcome]) -> Callable[..., Settled]:
        def write_decision(kb: Kb, offline: bool, *args: Any) -> Settled:
            found: list[tuple[Sequence[str], Sequence[str], int]] = []

            def plan(nodes: Nodes) -> Proposal:
                decision = Decision(kb, nodes)
                about, titles, ids = decide(decision, *args)
                found.append((titles, ids, decision.repointed))
                return Proposal(decision.texts, message(verb, about))

            written = write(kb, plan, offline=offline)
            titles, ids, repointed = found[0]
            return Settled(action, titles, ids, repointed, written)

        return write_decision

    return decorator


def _outcome(nodes: Sequence[Node]) -> Outcome:
    return nodes[0].title, [node.title for node in nodes], [node.id for node in nodes]


@_decision("merged", "Merge into")
def merge(decision: Decision, into: str, others: Sequence[str], body: str | None = None) -> Outcome:
    """Make several nodes one. The others' texts join it, or `body` takes the place of all; they go."""
    target = decision.nodes.find(into)
    merged = _distinct([decision.nodes.find(name) for name in others], target)
    text = target.text
    for each in merged:
        if body is None:
            # Below its title; its headlines go one deeper.
            section = re.sub(r"(?m)^(\*+[ \t])", r"*\1", each.body.strip("\n"))
            text = edits.append(text, f"* {each.title}\n{section}")
        decision.repoint(each, target, [target, *merged])
    text = edits.set_body(text, body) if body is not None else text
    text = _joined_head(text, target, merged)
    for each in merged:
        text = edits.without_links_to(edits.repoint(text, each.id, target.id), target.id)
        decision.texts[each.path] = None
    decision.change(target, edits.set_property(text, "LAST_CURATED", decision.kb.today))
    return _outcome([target, *merged])


@_decision("superseded", "Supersede")
def supersede(decision: Decision, old: str, new: str) -> Outcome:
    """Say that one node has taken another's place."""
    before, after = decision.nodes.find(old), decision.nodes.find(new)
    _distinct([before], after)
    decision.supersede(before, after)
    return _outcome([before, after])


@_decision("deleted", "Delete")
def delete(decision: Decision, name: str, repoint_to: str | None = None, unlink: bool = False) -> Outcome:
    """Remove a node, or a capture under raw/. Links to it must be repointed, or become plain words."""
    nodes, texts = decision.nodes, decision.texts
    raw = name.removeprefix("./")
    if raw.startswith("raw/") and ".." not in raw.split("/") and decision.kb.file(raw).is_file():
        using = [node.path for node in nodes.mentioning(raw) if raw in node.text]
        if using:
            hint = "Give those nodes another :SOURCE: first."
            raise Conflict(f"{raw} is the source of {path_list(using)}", hint=hint)
        texts[raw] = None
        return raw, (), ()
    gone = nodes.find(name)
    linking = {row.path: nodes.node(row) for row, _ in nodes.backlinks(gone.id)}
    if repoint_to:
        other = nodes.find(repoint_to)
        _distinct([gone], other)
        decision.repoint(gone, other, [gone])
    elif linking and not unlink:
        raise Conflict(
            f"“{gone.title}” is linked to from {path_list(list(linking))}",
            hint="--repoint ID leads them elsewhere, --unlink leaves only their words.",
        )
    for node in linking.values() if unlink else ():
        texts[node.path] = edits.without_links_to(node.text, gone.id)
        decision.repointed += 1
    texts[gone.path] = None
    return _outcome([gone])


@_decision("contested", "Contest")
def contest(decision: Decision, one: str, other: str) -> Outcome:
    """Put two nodes that contradict each other up for review."""
    first, second = decision.nodes.find(one), decision.nodes.find(other)
    _distinct([first], second)
    for node, against in ((first, second), (second, first)):
        decision.set_status(node, "contested")
        decision.link(node, "CONTRADICTS", against)
    return _outcome([first, second])


@_decision("resolved", "Resolve")
def resolve(decision: Decision, keep: str, both: bool = False) -> Outcome:
    """End a contest: the node that is kept is current and supersedes the others; or both hold."""
    nodes = decision.nodes
    kept = nodes.find(keep)
    if kept.status != "contested":
        raise Conflict(f"“{kept.title}” is not contested: it is {kept.status}", hint="See `ai-kb curate`.")
    others = opponents(nodes, kept)
    for other in others:
        if not both:
            decision.supersede(other, kept)
            continue
        decision.reconcile(kept, other)
        decision.link(kept, "RELATES_TO", other)
        if len(opponents(nodes, other)) == 1:
            decision.set_status(other, "current")
    decision.set_status(kept, "current")
    return _outcome([kept, *others])


def opponents(nodes: Nodes, node: Node) -> list[Node]:
    """The contested nodes that contradict one, whichever of the two says so."""
    stated = {link.target.lower() for link in node.links if link.label == "CONTRADICTS"}
    stated |= {row.id.lower() for row, link in nodes.backlinks(node.id) if link.label == "CONTRADICTS"}
    found = [row for row in nodes.rows if row.id.lower() in stated and row.status == "contested"]
    return [nodes.node(row) for row in found]


@_decision("split", "Split")
def split(decision: Decision, name: str, heading: str, title: str | None, summary: str | None) -> Outcome:
    """Make a section of a node a node of its own; a link stays in its place.

    The relations of the whole, at its end, stay with it. An id that the section has stays its own.
    """
    refuse_odd(title, summary)
    node = decision.nodes.find(name)
    start, end, found, text = _section(node, heading)
    own = _OWN_ID.match(text)
    new_id = own.group(1) if own else str(uuid4())
    text = text[own.end() :].strip("\n") if own else text
    new_title = edits.one_line(title or found)
    words = " ".join(line for line in text.splitlines() if not line.startswith(("#", "*", ":", "|"))).strip()
    first = _SENTENCE.match(words)
    sentence = (first.group(1) if first else words)[:_LONGEST_SUMMARY]
    draft = Draft(
        id=new_id,
        title=new_title,
        summary=edits.one_line(summary or sentence or new_title),
        body=text,
        type=node.type or "observation",
        projects=node.projects or ("general",),
        tags=tuple(tag for tag in node.tags if tag not in TYPES),
        created=decision.kb.today,
        confidence=node.properties.get("CONFIDENCE", "inferred"),
        visibility=node.properties.get("VISIBILITY", "personal"),
        source=node.source or f"split from {node.id}",
        relations=(("DERIVED_FROM", node.id, edits.plain(node.title)),),
    )
    left = node.text[:start].rstrip() + "\n\n" + node.text[end:].lstrip("\r\n")
    left = edits.add_link(left, "RELATES_TO", new_id, new_title)
    decision.texts[file_name(new_title, decision.kb.moment)] = render(draft)
    decision.texts[node.path] = edits.set_property(left, "UPDATED", decision.kb.today)
    return node.title, (node.title,), (node.id, new_id)


def _section(node: Node, heading: str) -> tuple[int, int, str, str]:
    """Where a section begins and ends in a node's text, its heading and what stands below."""
    wanted = " ".join(heading.casefold().split())
    heads = list(_HEADLINE.finditer(node.text))
    for number, match in enumerate(heads):
        if " ".join(match.group(1).casefold().split()) != wanted:
            continue
        depth = len(match.group().split(" ", 1)[0].rstrip())
        after = (each for each in heads[number + 1 :] if len(each.group().split(" ", 1)[0]) <= depth)
        end = next((each.start() for each in after), edits.relations_start(node.text))
        return match.start(), end, match.group(1), node.text[match.end() : end].strip("\n")
    names = [match.group(1) for match in heads]
    raise NotFound(
        f"“{node.title}” has no section “{heading}”", hint=f"Its sections: {', '.join(names) or 'none'}."
    )


def _joined_head(text: str, target: Node, merged: Sequence[Node]) -> str:
    projects = dict.fromkeys(slug for node in (target, *merged) for slug in node.projects)
    tags = dict.fromkeys([*target.tags, *(tag for node in merged for tag in node.tags if tag not in TYPES)])
    if tuple(projects) != target.projects:
        text = edits.set_property(text, "PROJECTS", " ".join(f":{slug}:" for slug in projects))
    if tuple(tags) != target.tags:
        text = edits.set_keyword(text, "filetags", f":{':'.join(tags)}:")
    return text


def _distinct(nodes: list[Node], other: Node) -> list[Node]:
    if not nodes or any(node.path == other.path for node in nodes):
        raise InvalidInput("two different nodes are needed", hint="Name them by ID: `ai-kb query` shows it.")
    return list({node.path: node for node in nodes}.values())


def repoint_pointers(files: Sequence[str], old: Sequence[str], new: str, title: str) -> tuple[str, ...]:
    """Change `ai-kb: Title (OLD)` into the new title and ID in files that a person names; which changed."""
    changed = []
    for name in files:
        path = Path(name).expanduser()
        try:
            data = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(
                f"{name} cannot be read as text: {error}", hint="The nodes are changed."
            ) from None
        text = data
        for each in old:
            pointer = rf"(?i)ai-kb:[ \t]*[^\n()]*(?:\([^\n()]*\)[^\n()]*)*\({re.escape(each)}\)"
            text = re.sub(pointer, lambda _: f"ai-kb: {title} ({new})", text)
        if text != data:
            replace_file(path, text.encode())
            changed.append(name)
    return tuple(changed)
