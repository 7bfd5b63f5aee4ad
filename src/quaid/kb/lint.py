"""The check of a whole knowledge base; kb/change.py checks what a write makes of it.

Findings outside a change are reported. They keep it from being committed only if they touch what is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from quaid.formats import secrets
from quaid.kb import index
from quaid.kb.base import Base, RawFile, read
from quaid.kb.body import Link
from quaid.kb.checks import check_days, tomorrow
from quaid.kb.emacs import second_opinion
from quaid.kb.facts import (
    NOTHING,
    all_findings,
    folded,
    rows_of,
    secret_at,
    secrets_in,
    source_of,
)
from quaid.kb.findings import EVERY_CHANGE, Finding, Report, finding, report
from quaid.kb.node import RAW, UUID, is_raw, parse, places_of
from quaid.kb.nodes import links_of
from quaid.model.record import record
from quaid.store.nodes import NodeRow

LARGE_RAW = 256 * 1024  # bytes of a captured file that deserve a look
MAX_EXCERPT = 16 * 1024  # bytes of an excerpt; whole sources are in raw/files
SCANNED_RAW = 16 * 1024 * 1024  # bytes that are looked through for every change; `lint` looks at all
_PIECE, _OVERLAP = 4 * 1024 * 1024, 16 * 1024
_SNIFFED = 8_000
_STATED_ID = re.compile(r"^[ \t]*:ID\+?:[ \t]*(.*?)[ \t\r]*$", re.IGNORECASE | re.MULTILINE)


@record
class Scope:
    """What a check is to look at. Emacs is shown trusted files only."""

    changed: Collection[str] | None = None  # the files whose findings block; None: all
    strict: bool = False  # what is outside them blocks too
    only_index: bool = False
    org_lint: bool = False
    trusted: bool = False


EVERYTHING = Scope()


def lint(root: Path, scope: Scope = EVERYTHING, held: Mapping[str, tuple[str, NodeRow]] = NOTHING) -> Report:
    """Check a base, read from its files. What is held of files of the same bytes is not found out again."""
    base = read(root)
    return lint_base(base, rows_of(base, held), scope)


def lint_base(base: Base, rows: Sequence[NodeRow], scope: Scope = EVERYTHING) -> Report:
    """Check what was read. Captured sources are read from their files."""
    found = list(index_findings(index.generate(rows), base.indexes, rows))
    if not scope.only_index:
        found += _nodes(base, rows)
        found += id_findings(rows, base.others, lambda path: base.nodes.get(path, ""))
        found += (each for file in base.raw for each in size_findings(file))
        found += _secrets(base, None if scope.strict else scope.changed)
    if scope.org_lint:
        paths = [*base.nodes, *base.indexes]
        asked = paths if scope.changed is None else sorted({*scope.changed} & {*paths})
        found += second_opinion(base.root, asked, trusted=scope.trusted)
    return report(found, scope.changed, scope.strict)


def index_findings(
    wanted: Mapping[str, str], indexes: Mapping[str, str], nodes: Iterable[NodeRow]
) -> Iterator[Finding]:
    """What is wrong with the files of the index, if they are to say this."""
    again = "`ai-kb index` makes it anew."
    for path in index.differing(wanted, indexes):
        written = indexes.get(path)
        if written is None:
            yield finding(path, 0, "index", "this part of the index is missing", again, (EVERY_CHANGE,))
        elif path not in wanted and not index.is_generated(written):
            hint = "Rename it: names that begin with index are for generated files."
            yield finding(path, 1, "index", "it looks like a part of the index, but was not generated", hint)
        elif path not in wanted:
            yield finding(path, 1, "index", "a part of the index that is left over", again, (EVERY_CHANGE,))
        else:
            yield from _stale(path, written, wanted[path], nodes)
    for path, text in wanted.items():
        if len(text.encode()) > index.BUDGET:
            message = f"{len(text.encode()):,} bytes, more than {index.BUDGET:,}"
            yield Finding(path, 0, "size", "warning", message, "Merge nodes or projects: `ai-kb curate`.")


def _stale(path: str, written: str, wanted: str, nodes: Iterable[NodeRow]) -> Iterator[Finding]:
    """What is wrong with a part of the index: single entries if that can be said."""
    again = "`ai-kb index` makes it anew."
    known = {node.id.lower(): node for node in nodes}
    listed = dict(reversed(index.listed_ids(written)))
    expected = dict(index.listed_ids(wanted))
    said = False
    for each, line in listed.items():
        if each not in expected:
            said = True
            what = "is listed in the wrong place" if each in known else "is listed, but there is no such node"
            yield finding(path, line, "index", f"{each} {what}", again, (EVERY_CHANGE,))
    for each in expected:
        if each not in listed:
            said = True
            yield finding(path, 0, "index", f"{known[each].path} is not listed", again, (EVERY_CHANGE,))
    if not said:
        pairs = zip(written.split("\n"), wanted.split("\n"), strict=False)
        line = next((number for number, (a, b) in enumerate(pairs, start=1) if a != b), 1)
        yield finding(path, line, "index", "it does not say what the nodes say", again, (EVERY_CHANGE,))


def _nodes(base: Base, rows: Iterable[NodeRow]) -> Iterator[Finding]:
    latest = tomorrow()
    captured = {file.path for file in base.raw}
    for row in rows:
        yield from node_findings(row, latest, captured.__contains__)


def node_findings(row: NodeRow, latest: str, is_captured: Callable[[str], bool]) -> Iterator[Finding]:
    """What is wrong with one node, by itself and with the source that it names."""
    yield from all_findings(row)
    yield from check_days(row, latest)
    source = source_of(row).split("#")[0].strip()
    if source.startswith(f"{RAW}/") and not is_captured(source):
        message = f"there is no {secrets.masked(source)[:120]}"
        yield finding(row.path, 0, "source", message, "`ai-kb capture` makes it.")


def id_findings(
    rows: Sequence[NodeRow],
    others: Mapping[str, str],
    text_at: Callable[[str], str],
    lost: Collection[str] = (),
) -> Iterator[Finding]:
    """Ids that two nodes have, and links to ids that none has; some of those are being `lost`.

    `others` are the texts of README and contract, which may have ids too.
    """
    holders: dict[str, str] = {}
    repeated: dict[str, list[str]] = {}
    for row in rows:
        for each in row.ids.split():
            if each in holders:
                repeated.setdefault(row.path, []).append(each)
            else:
                holders[each] = row.path
    known = holders.keys()
    lacking = [row for row in rows if row.targets and not known >= {*row.targets.split()}]
    for path, text in others.items() if lacking or _may_repeat(others.values(), known) else ():
        for written, _ in places_of(parse(text, path)):
            if folded(written) in holders:
                repeated.setdefault(path, []).append(folded(written))
            else:
                holders[folded(written)] = path
    for path, doubtful in repeated.items():
        yield from _duplicates(path, others.get(path) or text_at(path), doubtful, holders)
    for row in lacking:
        for link in links_of(row):
            target = folded(link.target)
            # `id:` before a word, without brackets, is seldom meant as a link.
            if target not in known and (not link.bare or UUID.fullmatch(link.target)):
                yield _broken_link(row.path, link, is_lost=target in lost)


def _may_repeat(texts: Iterable[str], known: Collection[str]) -> bool:
    """Whether texts may have an id that is known, or one of them twice: found out without reading them."""
    stated = [folded(each) for text in texts for each in _STATED_ID.findall(text)]
    return len({*stated}) < len(stated) or any(
        each in known or each.partition("_")[0] in known for each in stated
    )


def _duplicates(path: str, text: str, ids: Collection[str], holders: Mapping[str, str]) -> Iterator[Finding]:
    """The ids of a file that others have too, or that stand in it twice."""
    met: set[str] = set()
    for written, line in places_of(parse(text, path)):
        each = folded(written)
        first = holders.get(each, path)
        if each in ids and (first != path or each in met):
            hint = "`uuidgen` makes another id. Which node do links to it mean?"
            message = f"{written.lower()[:80]} is the id of {first} too"
            yield finding(path, line, "duplicate-id", message, hint, (first,))
        met.add(each)


def _broken_link(path: str, link: Link, *, is_lost: bool) -> Finding:
    """A link that leads nowhere; where the node is being lost by a change, that one is to blame."""
    shown = f" ({secrets.masked(link.description)[:60]})" if link.description else ""
    said = f"no node has the id {secrets.masked(link.target)[:80]}{shown}"
    hint = "Correct the id (`ai-kb query` shows ids), or remove the link."
    return finding(path, link.line, "link", said, hint, (EVERY_CHANGE,) if is_lost else ())


def size_findings(file: RawFile) -> Iterator[Finding]:
    """Whether a captured file is larger than it should be."""
    if not is_raw(file.path):
        return
    if file.size > LARGE_RAW:
        hint = "Keep an excerpt instead, unless the whole is needed."
        yield finding(file.path, 0, "size", f"{file.size:,} bytes", hint)
    elif file.size > MAX_EXCERPT and not file.path.startswith(f"{RAW}/files/"):
        hint = f"An excerpt has up to {MAX_EXCERPT:,} bytes; whole sources are in raw/files."
        yield finding(file.path, 0, "size", f"an excerpt of {file.size:,} bytes", hint)


def _secrets(base: Base, changed: Collection[str] | None) -> Iterator[Finding]:
    for path, text in base.others.items():  # of nodes, their rows say it
        yield from secrets_in(path, text)
    budget = SCANNED_RAW if changed is not None else None
    for file in sorted(base.raw, key=lambda file: (changed is None or file.path not in changed, file.path)):
        if budget is not None and (changed is None or file.path not in changed):
            budget -= file.size
            if budget < 0:
                continue
        yield from secrets_in_file(base.root, file.path)
    known = {*base.nodes, *base.others, *base.indexes, *(file.path for file in base.raw)}
    for path in sorted(set(changed or ()) - known):  # what a person commits besides nodes and captures
        place = base.root / path
        if place.is_file() and not place.is_symlink():
            yield from secrets_in_file(base.root, path)


def secrets_in_file(root: Path, path: str) -> Iterator[Finding]:
    """Look through a file, piece by piece; one that is no text is left alone."""
    try:
        with open(root / path, "rb") as file:
            yield from secrets_in_pieces(path, file)
    except OSError as error:
        yield finding(path, 0, "org", f"cannot be read: {error.strerror}", "Correct its permissions.")


def secrets_in_pieces(path: str, file: IO[bytes]) -> Iterator[Finding]:
    """The same for an open file, or what one is about to hold."""
    lines, before = 1, b""
    while data := file.read(_PIECE):
        if not before and b"\0" in data[:_SNIFFED]:
            return
        text = (before + data).decode(errors="replace")
        seen = len(before.decode(errors="replace"))
        for secret in secrets.find(text):
            if secret.end > seen or not before:
                yield secret_at(path, lines + text.count("\n", 0, secret.start), secret.rule)
        before = data[-_OVERLAP:]
        lines += text.count("\n") - before.decode(errors="replace").count("\n")
