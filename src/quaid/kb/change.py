"""What a change makes of a knowledge base: the nodes, the index and the findings as they will be.

Changed nodes are read and checked in full; of the others, their rows say what was found when they changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quaid.formats import secrets
from quaid.formats.org.lines import line_of
from quaid.kb import facts, index, lint
from quaid.kb.base import RawFile, oddity
from quaid.kb.checks import check_node
from quaid.kb.findings import Finding, Report, finding, report
from quaid.kb.node import NOT_NODES, RAW, Node, is_index, is_node, parse
from quaid.kb.nodes import links_of
from quaid.kb.rules import Rules
from quaid.model.record import record
from quaid.store.nodes import NodeRow
from quaid.vault import folder


@record
class Change:
    """A change of files: what they become (None: they go), and those that a person has changed already."""

    root: Path
    before: Sequence[NodeRow]
    files: Mapping[str, bytes | None]
    adopted: Collection[str]
    rules: Rules

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.files, *self.adopted}))


@record
class Outcome:
    """The nodes after a change, and the files of the index that have to change with them."""

    nodes: list[NodeRow]
    index: Mapping[str, bytes | None]  # what they have to become
    wanted: Mapping[str, str]
    present: Mapping[str, str]


def outcome(change: Change) -> Outcome:
    """What the nodes will be, and what the index has to be then."""
    texts = {
        path: None if data is None else data.decode("utf-8", "replace")
        for path, data in change.files.items()
        if is_node(path)
    }
    after = facts.after(change.before, texts, change.rules)
    wanted = index.generate(after)
    present = index.present(change.root)
    return Outcome(after, index_changes(present, wanted), wanted, present)


def index_changes(present: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, bytes | None]:
    """The index files that are not as they should be; None for one that is no longer needed."""
    found: dict[str, bytes | None] = {
        path: text.encode() for path, text in wanted.items() if present.get(path) != text
    }
    for path, text in present.items():
        if path not in wanted and index.is_generated(text):
            found[path] = None
    return found


def check(change: Change, after: Outcome) -> Report:
    """What is wrong with the knowledge base as it will be; what touches the change blocks it."""
    changed = {*change.paths, *after.index}
    found = [
        *_index(change, after),
        *_nodes(change, after.nodes),
        *_ids(change, after.nodes),
        *_other_files(change),
    ]
    return report(found, changed, strict=False)


def _index(change: Change, after: Outcome) -> Iterator[Finding]:
    present = {path: text for path, text in after.present.items() if path not in after.index}
    for path in change.paths:
        place = _place(change.root, path)
        if is_index(path) and path not in after.wanted and path not in after.index and place.is_file():
            present.setdefault(path, place.read_text("utf-8", "replace"))
    yield from lint.index_findings(after.wanted, {**after.wanted, **present}, after.nodes)


def _nodes(change: Change, after: Sequence[NodeRow]) -> Iterator[Finding]:
    # Tomorrow: a machine further east may have written it.
    latest = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    for row in after:
        node = _changed_node(change, row)
        if node is None:
            yield from facts.findings_of(row)
            continue
        odd = oddity(change.root, folder.spelt(row.path)) if row.path not in change.files else ""
        if odd:
            yield finding(row.path, 1, "org", f"the file {odd}", "Save it as UTF-8; keep a node small.")
        if not odd or node.text:
            yield from check_node(node, change.rules.creators, latest)
            yield from facts.secrets_in(row.path, node.text)
        yield from _source(change, node)


def _changed_node(change: Change, row: NodeRow) -> Node | None:
    """A node that the change is about, read anew."""
    data = change.files.get(row.path)
    if data is None and row.path in change.adopted:
        data = _place(change.root, row.path).read_bytes()
    return None if data is None else parse(data.decode("utf-8", "replace"), row.path)


def _source(change: Change, node: Node) -> Iterator[Finding]:
    """A captured source that is not there."""
    source = node.source.split("#")[0].strip()
    if source.startswith(f"{RAW}/") and source not in change.files and not (change.root / source).is_file():
        message = f"there is no {secrets.masked(source)[:120]}"
        yield finding(node.path, 0, "source", message, "`ai-kb capture` makes it.")


def _ids(change: Change, after: Sequence[NodeRow]) -> Iterator[Finding]:
    """Ids that two nodes have, and links to ids that none has."""
    others = [parse(text, path) for path, text in _explaining(change).items()]
    described = [facts.describe(node, facts.NEW, change.rules) for node in others]
    holders: dict[str, str] = {}
    for row in (*after, *described):
        for each in row.ids.split():
            first = holders.setdefault(each, row.path)
            if first != row.path:
                hint = "`uuidgen` makes another id. Which node do links to it mean?"
                message = f"{each[:80]} is the id of {first} too"
                yield finding(row.path, _line_of(change, row, each), "duplicate-id", message, hint, (first,))
    paths, known = set(change.paths), holders.keys()
    lost = {each for row in change.before if row.path in paths for each in row.ids.split()} - known
    for row in after:
        if row.targets and not known >= {*row.targets.split()}:
            yield from _broken_links(row, known, lost)


def _broken_links(row: NodeRow, known: Collection[str], lost: Collection[str]) -> Iterator[Finding]:
    for link in links_of(row):
        target = facts.folded(link.target)
        if target not in known and lint.is_meant(link):
            yield lint.broken_link(row.path, link, is_lost=target in lost)


def _line_of(change: Change, row: NodeRow, id: str) -> int:
    data = change.files.get(row.path) or _place(change.root, row.path).read_bytes()
    text = data.decode("utf-8", "replace")
    return line_of(text, max(text.lower().find(id), 0))


def _explaining(change: Change) -> dict[str, str]:
    """README and contract, as they will be."""
    found: dict[str, str] = {}
    for path in NOT_NODES:
        data = change.files.get(path)
        place = _place(change.root, path)
        if path not in change.files and place.is_file() and not place.is_symlink():
            data = place.read_bytes()
        if data is not None:
            found[path] = data.decode("utf-8", "replace")
    return found


def _other_files(change: Change) -> Iterator[Finding]:
    """What is committed besides nodes: is it large, does it hold secrets."""
    for path, text in _explaining(change).items():
        yield from facts.secrets_in(path, text)
    for path in change.paths:
        if is_node(path) or is_index(path) or path in NOT_NODES:
            continue
        data = change.files.get(path)
        if data is not None:
            yield from lint.size_findings(RawFile(path, len(data)))
            yield from lint.secrets_in_bytes(path, data)
        elif path not in change.files:
            yield from _in_place(change.root, path)


def _in_place(root: Path, path: str) -> Iterator[Finding]:
    place = _place(root, path)
    if place.is_file() and not place.is_symlink():
        yield from lint.size_findings(RawFile(path, place.stat().st_size))
        yield from lint.secrets_in_file(root, folder.spelt(path))


def _place(root: Path, path: str) -> Path:
    return root / folder.spelt(path)
