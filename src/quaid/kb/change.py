"""What a change makes of a knowledge base: the nodes, the index and the findings as they will be.

Changed nodes are read and checked in full; of the others, their rows say what was found when they changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from quaid.files import read_own
from quaid.kb import facts, index, lint
from quaid.kb.base import RawFile, Rules
from quaid.kb.checks import tomorrow
from quaid.kb.findings import Finding, Report, report
from quaid.kb.node import NOT_NODES, Node, is_index, is_node
from quaid.model.record import field, record
from quaid.store.nodes import NodeRow
from quaid.vault import folder
from quaid.vault.journal import current


@record
class Change:
    """A change of files: what they become (None: they go), and those that a person has changed already."""

    root: Path
    before: Sequence[NodeRow]  # as they are committed
    files: Mapping[str, bytes | None]
    adopted: Collection[str]
    rules: Rules
    seen: Collection[str] = ()  # the files that are nodes now
    parsed: Mapping[str, Node] = MappingProxyType({})  # nodes that were read out of a text before
    # What changed files that stay out are committed as.
    beside: Mapping[str, bytes | None] = MappingProxyType({})
    # What is in a file: a transaction reads each once, so what is judged is what the journal knows.
    holds: Callable[[Path], bytes | None] = field(default=current)

    @cached_property
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
    files = {path: data for path, data in change.files.items() if is_node(path)}
    known = {*change.seen, *(row.path for row in change.before)} if change.adopted else ()
    odd: dict[str, str] = {}
    for path in change.adopted:
        if path in known and path not in files:
            try:
                files[path] = present(change.root, path)
            except OSError as error:
                files[path], odd[path] = b"", f"cannot be read: {error.strerror}"
    after = facts.after(change.before, files, change.rules, odd, change.parsed)
    wanted, there = index.generate(after), index.present(change.root, change.holds)
    return Outcome(after, index.changes(there, wanted), wanted, there)


def check(change: Change, after: Outcome) -> Report:
    """What is wrong with the knowledge base as it will be; what touches the change blocks it."""
    changed = {*change.paths, *after.index}
    explaining = _explaining(change)
    found = [
        *_index(change, after),
        *_nodes(change, after.nodes),
        *_ids(change, after.nodes, explaining),
        *_other_files(change, explaining),
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
    latest, changed = tomorrow(), {*change.paths}

    def is_captured(path: str) -> bool:
        return path in change.files or (change.root / path).is_file()

    for row in after:
        if row.path in changed:
            yield from lint.node_findings(row, latest, is_captured)
        elif row.findings:
            yield from facts.fatal_findings(row)


def _ids(change: Change, after: Sequence[NodeRow], explaining: Mapping[str, str]) -> Iterator[Finding]:
    """Ids that two nodes have, and links to ids that none has."""
    paths = {*change.paths}
    lost = {each for row in change.before if row.path in paths for each in row.ids.split()}
    return lint.id_findings(after, explaining, lambda path: _text_at(change, path), lost)


def _text_at(change: Change, path: str) -> str:
    data = change.files.get(path) or change.beside.get(path) or present(change.root, path) or b""
    return data.decode("utf-8", "replace")


def present(root: Path, path: str) -> bytes | None:
    """What a file holds now; None where there is none."""
    try:
        return read_own(_place(root, path))
    except FileNotFoundError:
        return None


def _explaining(change: Change) -> dict[str, str]:
    """README and contract, as they will be."""
    known = {**change.beside, **change.files}
    for path in {*NOT_NODES} - known.keys():
        with suppress(OSError):
            known[path] = present(change.root, path)
    texts = ((path, known.get(path)) for path in NOT_NODES)
    return {path: data.decode("utf-8", "replace") for path, data in texts if data is not None}


def _other_files(change: Change, explaining: Mapping[str, str]) -> Iterator[Finding]:
    """What is committed besides nodes: is it large, does it hold secrets."""
    for path, text in explaining.items():
        yield from facts.secrets_in(path, text)
    for path in change.paths:
        if is_node(path) or is_index(path) or path in NOT_NODES:
            continue
        data = change.files.get(path)
        if data is not None:
            yield from lint.size_findings(RawFile(path, len(data)))
            yield from lint.secrets_in_pieces(path, BytesIO(data))
        elif path not in change.files:
            place = _place(change.root, path)
            if place.is_file() and not place.is_symlink():
                yield from lint.size_findings(RawFile(path, place.stat().st_size))
                yield from lint.secrets_in_file(change.root, folder.spelt(path))


def _place(root: Path, path: str) -> Path:
    return root / folder.spelt(path)
