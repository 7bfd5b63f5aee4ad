"""What a person decides about nodes; each asks first."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.kb import merge as merging
from quaid.kb.merge import Settled
from quaid.kb.node import Node
from quaid.model.record import record
from quaid.operations.kb.answer import KB, NODE, OFFLINE, POINTERS, YES, Answer, kb_command, notices_of
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg
from quaid.sync.repository import path_list, plural


def _titles(nodes: Sequence[Node]) -> str:
    return ", ".join(f"“{node.title}”" for node in nodes)


def _answer(
    done: Settled,
    files: Sequence[str] | None = None,
    old: Sequence[str] = (),
    new: Node | None = None,
) -> Answer:
    """What was done; pointers to the old nodes in those files lead to the new one now."""
    pointers = merging.repoint_pointers(files, old, new.id, new.title) if files and new else ()
    lines = [f"{done.action}: {', '.join(done.titles) or path_list(done.written.paths)}"]
    if done.repointed:
        lines.append(f"repointed the links of {done.repointed} {plural('node', done.repointed)}")
    lines += [f"repointed {path}" for path in pointers]
    data = {"action": done.action, "ids": done.ids, "titles": done.titles, "repointed": done.repointed}
    data |= {"pointers": pointers, **done.written.as_data()}
    return Answer(data, "\n".join(lines), notices_of(done.written))


@record
class Merge:
    """Arguments of `kb merge`."""

    into: str = arg(NODE, positional=True)
    others: list[str] = arg("The nodes that go.", positional=True, rest=True)
    body: str | None = arg(
        "The text of the one; - for standard input.", default=None, placeholder="TEXT", piped="dash"
    )
    pointers: list[str] | None = POINTERS
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def merge(app: KbApp, args: Merge) -> Answer:
    """Make several nodes one.

    Links to the others lead to it; their texts join it, or a body replaces it.
    """
    nodes = app.kb.nodes()
    into = nodes.find(args.into)
    others = [nodes.find(name) for name in args.others]
    app.confirm(f"Merge {_titles(others)} into “{into.title}”?", args.yes)
    gone = [node.id for node in others]
    done = merging.merge(app.kb, args.offline, into.id, gone, args.body)
    return _answer(done, args.pointers, gone, into)


KB_MERGE = kb_command(
    "kb merge",
    merge,
    "kb merge 7c9e6679 'Commit messages' --pointers ~/notes/MEMORY.md",
    effect="destructive",
)


@record
class Split:
    """Arguments of `kb split`."""

    name: str = arg(NODE, positional=True)
    at: str = arg("The headline of the section.", placeholder="HEADLINE")
    title: str | None = arg("The new node's title; otherwise the headline.", default=None)
    summary: str | None = arg("The new node's summary; otherwise its first sentence.", default=None)
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def split(app: KbApp, args: Split) -> Answer:
    """Make a section of a node a node of its own; a link stays in its place."""
    node = app.kb.nodes().find(args.name)
    app.confirm(f"Split “{args.at}” off “{node.title}”?", args.yes)
    return _answer(merging.split(app.kb, args.offline, node.id, args.at, args.title, args.summary))


KB_SPLIT = kb_command("kb split", split, "kb split 'Git habits' --at 'Signing commits'")


@record
class Supersede:
    """Arguments of `kb supersede`."""

    old: str = arg(NODE, positional=True)
    new: str = arg(NODE, positional=True)
    pointers: list[str] | None = POINTERS
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def supersede(app: KbApp, args: Supersede) -> Answer:
    """Say that a node has taken another's place.

    Links to the old one lead to the new one.
    """
    nodes = app.kb.nodes()
    old, new = nodes.find(args.old), nodes.find(args.new)
    app.confirm(f"Supersede “{old.title}” by “{new.title}”?", args.yes)
    done = merging.supersede(app.kb, args.offline, old.id, new.id)
    return _answer(done, args.pointers, [old.id], new)


KB_SUPERSEDE = kb_command("kb supersede", supersede, "kb supersede 'Old style' 'New style'")


@record
class Delete:
    """Arguments of `kb delete`."""

    name: str = arg("A node, or a path under raw/.", positional=True)
    repoint: str | None = arg("Lead links to this node instead.", default=None, placeholder="NODE")
    unlink: bool = arg("Leave only the words of links to it.", default=False)
    pointers: list[str] | None = POINTERS
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def delete(app: KbApp, args: Delete) -> Answer:
    """Remove a node, or a capture under raw/.

    Git keeps what it was.
    """
    nodes = app.kb.nodes()
    is_raw = args.name.removeprefix("./").startswith("raw/")
    gone = None if is_raw else nodes.find(args.name)
    other = nodes.find(args.repoint) if args.repoint else None
    app.confirm(f"Delete {f'“{gone.title}”' if gone else args.name}?", args.yes)
    name, new = gone.id or gone.path if gone else args.name, other.id if other else None
    done = merging.delete(app.kb, args.offline, name, new, args.unlink)
    return _answer(done, args.pointers, [gone.id] if gone else [], other)


KB_DELETE = kb_command("kb delete", delete, "kb delete 7c9e6679 --unlink", effect="destructive")


@record
class Contest:
    """Arguments of `kb contest`."""

    one: str = arg(NODE, positional=True)
    other: str = arg(NODE, positional=True)
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def contest(app: KbApp, args: Contest) -> Answer:
    """Mark two nodes that contradict each other for review."""
    nodes = app.kb.nodes()
    one, other = nodes.find(args.one), nodes.find(args.other)
    app.confirm(f"Mark “{one.title}” and “{other.title}” as contested?", args.yes)
    return _answer(merging.contest(app.kb, args.offline, one.id, other.id))


KB_CONTEST = kb_command("kb contest", contest, "kb contest 'Tabs' 'Spaces'")


@record
class Resolve:
    """Arguments of `kb resolve`."""

    name: str = arg(NODE, positional=True)
    both: bool = arg("They do not contradict each other after all.", default=False)
    pointers: list[str] | None = POINTERS
    yes: bool = YES
    offline: bool = OFFLINE
    kb: str | None = KB


def resolve(app: KbApp, args: Resolve) -> Answer:
    """End a contest: this node holds and supersedes those that contradict it.

    Or, with --both, all hold.
    """
    nodes = app.kb.nodes()
    kept = nodes.find(args.name)
    against = merging.opponents(nodes, kept)
    question = f"Let “{kept.title}” hold" + (f" and supersede {_titles(against)}" if against else "")
    if args.both:
        question = f"Keep both “{kept.title}” and {_titles(against)}"
    app.confirm(f"{question}?", args.yes)
    done = merging.resolve(app.kb, args.offline, kept.id, args.both)
    return _answer(done, args.pointers, [] if args.both else [node.id for node in against], kept)


KB_RESOLVE = kb_command("kb resolve", resolve, "kb resolve 'Spaces'")
