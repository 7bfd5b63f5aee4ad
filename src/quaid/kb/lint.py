"""The check of a whole knowledge base; kb/change.py checks what a write makes of it.

Findings outside a change are reported. They keep it from being committed only if they touch what is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO

from quaid.formats import secrets
from quaid.formats.org.lines import line_of
from quaid.kb import index
from quaid.kb.base import Base, Named, RawFile, read
from quaid.kb.checks import check_node, creators_of
from quaid.kb.facts import secret_at, secrets_in
from quaid.kb.findings import EVERY_CHANGE, Finding, Report, finding, report
from quaid.kb.node import CONTRACT, RAW, UUID, Link, is_raw, parse
from quaid.kb.org_lint import second_opinion

LARGE_RAW = 256 * 1024  # bytes of a captured file that deserve a look
MAX_EXCERPT = 16 * 1024  # bytes of an excerpt; whole sources are in raw/files
SCANNED_RAW = 16 * 1024 * 1024  # bytes that are looked through for every change; `lint` looks at all
_PIECE, _OVERLAP = 4 * 1024 * 1024, 16 * 1024
_SNIFFED = 8_000


def lint(
    root: Path,
    changed: Collection[str] | None = None,
    strict: bool = False,
    *,
    only_index: bool = False,
    org_lint: bool = False,
    trusted: bool = False,
) -> Report:
    """Check a base. Without a change, every fatal finding blocks."""
    emacs = {"org_lint": org_lint, "trusted": trusted}
    return lint_base(read(root), changed, strict, only_index=only_index, **emacs)


def lint_base(
    base: Base,
    changed: Collection[str] | None = None,
    strict: bool = False,
    *,
    only_index: bool = False,
    org_lint: bool = False,
    trusted: bool = False,
) -> Report:
    """Check what was read. Captured sources are read from their files; Emacs is shown trusted ones only."""
    found = list(check_index(base))
    if not only_index:
        found += _nodes(base)
        found += _duplicates(base)
        found += _broken_links(base)
        found += _sources(base)
        found += _secrets(base, None if strict else changed)
    if org_lint:
        paths = [*(node.path for node in base.nodes), *base.indexes]
        asked = paths if changed is None else sorted({*changed} & {*paths})
        found += second_opinion(base.root, asked, trusted=trusted)
    return report(found, changed, strict)


def check_index(base: Base) -> Iterator[Finding]:
    """Whether the index says what the nodes say."""
    return index_findings(index.generate(base.nodes), base.indexes, base.nodes)


def index_findings(
    wanted: Mapping[str, str], indexes: Mapping[str, str], nodes: Iterable[Named]
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


def _stale(path: str, written: str, wanted: str, nodes: Iterable[Named]) -> Iterator[Finding]:
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


def _nodes(base: Base) -> Iterator[Finding]:
    creators = creators_of(base.others.get(CONTRACT, ""))
    # Tomorrow: a machine further east may have written it.
    latest = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    for node in base.nodes:
        why = base.odd.get(node.path)
        if why:
            yield finding(node.path, 1, "org", f"the file {why}", "Save it as UTF-8; keep a node small.")
        if not why or node.text:
            yield from check_node(node, creators, latest)


def _places(base: Base) -> Iterator[tuple[str, str, int]]:
    """Every id with its file and line: of nodes, of headlines in them, of README and contract."""
    for node in (*base.nodes, *(parse(text, path) for path, text in base.others.items())):
        if node.id:
            yield node.id, node.path, line_of(node.text, max(node.text.find(node.id), 0))
        for section in node.sections:
            yield section.id, node.path, section.line


def _duplicates(base: Base) -> Iterator[Finding]:
    known: dict[str, list[tuple[str, int]]] = {}
    for each, path, line in _places(base):
        known.setdefault(each.lower(), []).append((path, line))
    for each, places in known.items():
        for path, line in places[1:]:
            first = places[0][0]
            hint = "`uuidgen` makes another id. Which node do links to it mean?"
            yield finding(path, line, "duplicate-id", f"{each[:80]} is the id of {first} too", hint, (first,))


def _broken_links(base: Base) -> Iterator[Finding]:
    known = {each.lower() for each, _, _ in _places(base)}
    for node in base.nodes:
        for link in node.links:
            target = link.target.lower()
            if target not in known and is_meant(link):
                yield broken_link(node.path, link)


def is_meant(link: Link) -> bool:
    """Whether somebody meant a link: `id:` before a word, without brackets, seldom is one."""
    return not link.bare or UUID.fullmatch(link.target) is not None


def broken_link(path: str, link: Link, *, is_lost: bool = False) -> Finding:
    """A link that leads nowhere; where the node is being lost by a change, that one is to blame."""
    shown = f" ({secrets.masked(link.description)[:60]})" if link.description else ""
    return finding(
        path,
        link.line,
        "link",
        f"no node has the id {secrets.masked(link.target)[:80]}{shown}",
        "Correct the id (`ai-kb query` shows ids), or remove the link.",
        (EVERY_CHANGE,) if is_lost else (),
    )


def _sources(base: Base) -> Iterator[Finding]:
    """Captured sources: are they there, and how large are they."""
    files = {file.path for file in base.raw}
    for node in base.nodes:
        source = node.source.split("#")[0].strip()
        if source.startswith(f"{RAW}/") and source not in files:
            yield finding(
                node.path,
                0,
                "source",
                f"there is no {secrets.masked(source)[:120]}",
                "`ai-kb capture` makes it.",
            )
    for file in base.raw:
        yield from size_findings(file)


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
    texts: Mapping[str, str] = {node.path: node.text for node in base.nodes} | dict(base.others)
    yield from _in_texts(texts)
    budget = SCANNED_RAW if changed is not None else None
    for file in sorted(base.raw, key=lambda file: (changed is None or file.path not in changed, file.path)):
        if budget is not None and (changed is None or file.path not in changed):
            budget -= file.size
            if budget < 0:
                continue
        yield from secrets_in_file(base.root, file.path)
    known = {*texts, *base.indexes, *(file.path for file in base.raw)}
    for path in sorted(set(changed or ()) - known):  # what a person commits besides nodes and captures
        place = base.root / path
        if place.is_file() and not place.is_symlink():
            yield from secrets_in_file(base.root, path)


def _in_texts(texts: Mapping[str, str]) -> Iterator[Finding]:
    if not secrets.find("\n\0\n".join(texts.values())):  # nearly always, and faster than one by one
        return
    for path, text in texts.items():
        yield from secrets_in(path, text)


def secrets_in_file(root: Path, path: str) -> Iterator[Finding]:
    """Look through a file, piece by piece; one that is no text is left alone."""
    try:
        with open(root / path, "rb") as file:
            yield from _in_pieces(path, file)
    except OSError as error:
        yield finding(path, 0, "org", f"cannot be read: {error.strerror}", "Correct its permissions.")


def secrets_in_bytes(path: str, data: bytes) -> Iterator[Finding]:
    """The same for what a file is about to hold."""
    return _in_pieces(path, BytesIO(data))


def _in_pieces(path: str, file: IO[bytes]) -> Iterator[Finding]:
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
