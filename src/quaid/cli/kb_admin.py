"""Commands by which a person decides about nodes; each asks first."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell, read_input
from quaid.cli.kb_write import kb_of, tell
from quaid.errors import InvalidInput
from quaid.kb import curate as curating
from quaid.kb import divergence, merging, reading
from quaid.kb.curate import Curation, Item
from quaid.kb.merging import Settled
from quaid.kb.node import Node
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import listed, plural


def merge(shell: Shell, line: Line) -> int:
    """Make several nodes one."""
    nodes, into = _found(shell, line.text("into"))
    others = [nodes.find(name) for name in line.many("others")]
    body = line.text("body")
    body = read_input() if body == "-" else body
    shell.confirm(f"Merge {_titles(others)} into “{into.title}”?", line)
    done = merging.merge(kb_of(shell), into.id, [node.id for node in others], body, line.has("offline"))
    return _report(shell, line, done, [node.id for node in others], into)


def split(shell: Shell, line: Line) -> int:
    """Make a section a node of its own."""
    heading = line.text("at")
    if not heading:
        raise InvalidInput("`split` needs --at HEADLINE", hint="`ai-kb show` prints the node.")
    _, node = _found(shell, line.text("name"))
    shell.confirm(f"Split “{heading}” off “{node.title}”?", line)
    done = merging.split(
        kb_of(shell), node.id, heading, line.text("title"), line.text("summary"), line.has("offline")
    )
    return _report(shell, line, done)


def supersede(shell: Shell, line: Line) -> int:
    """Say that a node has taken another's place."""
    nodes, old = _found(shell, line.text("old"))
    new = nodes.find(line.text("new") or "")
    shell.confirm(f"Supersede “{old.title}” by “{new.title}”?", line)
    done = merging.supersede(kb_of(shell), old.id, new.id, line.has("offline"))
    return _report(shell, line, done, [old.id], new)


def delete(shell: Shell, line: Line) -> int:
    """Remove a node or a capture."""
    name = line.text("name") or ""
    nodes = kb_of(shell).nodes()
    is_raw = name.removeprefix("./").startswith("raw/")
    gone = None if is_raw else nodes.find(name)
    other = nodes.find(line.text("repoint") or "") if line.text("repoint") else None
    shell.confirm(f"Delete {f'“{gone.title}”' if gone else name}?", line)
    done = merging.delete(
        kb_of(shell),
        gone.id or gone.path if gone else name,
        repoint_to=other.id if other else None,
        unlink=line.has("unlink"),
        offline=line.has("offline"),
    )
    return _report(shell, line, done, [gone.id] if gone else [], other)


def contest(shell: Shell, line: Line) -> int:
    """Mark two nodes for review."""
    nodes, one = _found(shell, line.text("one"))
    other = nodes.find(line.text("other") or "")
    shell.confirm(f"Mark “{one.title}” and “{other.title}” as contested?", line)
    return _report(shell, line, merging.contest(kb_of(shell), one.id, other.id, line.has("offline")))


def resolve(shell: Shell, line: Line) -> int:
    """End a contest."""
    nodes, kept = _found(shell, line.text("name"))
    against = merging.opponents(nodes, kept)
    both = line.has("both")
    question = f"Keep both “{kept.title}” and {_titles(against)}" if both else f"Let “{kept.title}” hold"
    if not both and against:
        question += f" and supersede {_titles(against)}"
    shell.confirm(f"{question}?", line)
    done = merging.resolve(kb_of(shell), kept.id, both=both, offline=line.has("offline"))
    return _report(shell, line, done, [] if both else [node.id for node in against], kept)


def _found(shell: Shell, name: str | None) -> tuple[Nodes, Node]:
    nodes = kb_of(shell).nodes()
    return nodes, nodes.find(name or "")


def _titles(nodes: Sequence[Node]) -> str:
    return ", ".join(f"“{node.title}”" for node in nodes)


def _report(shell: Shell, line: Line, done: Settled, old: Sequence[str] = (), new: Node | None = None) -> int:
    pointers: tuple[str, ...] = ()
    if line.many("pointers") and new is not None:
        pointers = merging.repoint_pointers(line.many("pointers"), old, new.id, new.title)
    settled = Settled(**{**done.__dict__, "pointers": pointers})
    tell(shell, done.written)
    said = [f"{done.action}: {', '.join(done.titles) or listed(done.written.paths)}"]
    if done.repointed:
        said.append(f"repointed the links of {done.repointed} {plural('node', done.repointed)}")
    said += [f"repointed {path}" for path in pointers]
    shell.answer("\n".join(said), settled.as_data())
    return 0


def resolve_divergence(shell: Shell, line: Line) -> int:
    """Bring branch and remote together, after showing both sides."""
    kb = kb_of(shell)
    sides = divergence.divergence(kb)
    if sides.there and sides.here:
        if not shell.as_json:
            shell.show(_sides(sides))
        shell.confirm("Bring both together?", line)
    done = divergence.resolve(kb)
    for notice in done.notices:
        shell.notify(notice)
    said = {
        "nothing": "nothing to resolve",
        "followed": f"followed the remote by {len(sides.there)} {plural('commit', len(sides.there))}",
        "rebased": "your commits now come after the remote's",
        "merged": "both sides are joined",
    }[done.outcome]
    if done.contested:
        said += f"; contested, decide with `ai-kb resolve`: {', '.join(done.contested)}"
    if done.outcome in ("rebased", "merged"):
        said += "; `ai-kb push` pushes"
    shell.answer(said, {"outcome": done.outcome, "commit": done.commit, "contested": list(done.contested)})
    return 0


def _sides(sides: divergence.Divergence) -> str:
    lines = [
        f"here, not on the remote ({len(sides.here)}):",
        *(f"  {subject}" for subject in sides.here[:10]),
    ]
    lines += [f"on the remote, not here ({len(sides.there)}):", *(f"  {each}" for each in sides.there[:10])]
    if sides.both:
        lines += ["changed on both sides:", *(f"  {path}" for path in sides.both[:20])]
    return "\n".join(lines)


def curate(shell: Shell, line: Line) -> int:
    """Report what to look at, or stamp what was looked at."""
    kb = kb_of(shell)
    if line.many("done"):
        done = curating.mark(kb, line.many("done"), line.has("offline"))
        tell(shell, done)
        shell.answer(f"stamped {listed(done.paths)}" if done.commit else "stamped already", done.as_data())
        return 0
    if line.has("semantic"):
        return shell.delegate("kb_memory:curate", line)
    days = line.number("days", curating.HORIZON_DAYS)
    return show_curation(shell, curating.curation(reading.read(kb.root), kb.today, horizon_days=days))


def show_curation(shell: Shell, found: Curation) -> int:
    """A report as text, bucket by bucket."""
    lines = [
        f"{found.nodes:,} {plural('node', found.nodes)}; curation is {'due' if found.due else 'not due'}"
    ]
    if found.duplicates:
        lines.append(
            f"\nduplicates and contradictions ({len(found.duplicates)}), `ai-kb merge` or `contest`:"
        )
        lines += [
            f"  {pair.kind} {pair.score:.2f} by {pair.by}: {pair.titles[0]} ({pair.one}) | "
            f"{pair.titles[1]} ({pair.other})"
            for pair in found.duplicates[:30]
        ]
    buckets: tuple[tuple[str, Sequence[Item]], ...] = (
        ("contested, `ai-kb resolve`", found.contested),
        ("superseded", found.superseded),
        ("orphans, link them", found.orphans),
        ("untouched", found.stale),
        ("too broad, `ai-kb split`", found.broad),
        ("captures without a node", found.raw_without_node),
        ("large files under raw/", found.large_raw),
        ("next in turn, then `ai-kb curate --done ID`", found.next),
    )
    for name, items in buckets:
        if items:
            lines.append(f"\n{name} ({len(items)}):")
            lines += [f"  {_item(item)}" for item in items[:30]]
            lines += [f"  … and {len(items) - 30} more; --json has all"] if len(items) > 30 else []
    shell.answer("\n".join(lines), found.as_data())
    return 0


def _item(item: Item) -> str:
    name = f"{item.title} ({item.id})" if item.id else item.path
    return f"{name}: {item.why}"
