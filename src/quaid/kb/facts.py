"""What a knowledge base reads out of a node once and keeps beside its page: see the table nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from types import MappingProxyType

import apsw

from quaid.formats import secrets
from quaid.formats.encoding import encode
from quaid.formats.org.lines import line_of
from quaid.formats.org.outline import shown
from quaid.kb.base import Base, Rules, not_utf8, oversize, rules_in
from quaid.kb.checks import check_node
from quaid.kb.findings import Finding, finding
from quaid.kb.node import TYPES, Node, parse, places_of
from quaid.kb.place import CONTRACT
from quaid.kb.repository import text_of
from quaid.store import nodes
from quaid.store.nodes import NodeRow, Text
from quaid.vault import folder

NEW = 0  # the page of a node that has none yet
NOTHING: Mapping[str, tuple[str, NodeRow]] = MappingProxyType({})
_FOLDING = frozenset("\u017f\u212a")  # one letter each that stands for a letter of ASCII
_WEIGHTED = ("SUMMARY", "STATUS", "PROJECTS", "SOURCE")
UNTYPED = "other"  # the section of the index for nodes without a type
_BARE_ID = re.compile(r"\bid:(?=\S)", re.IGNORECASE)
_NO_FATAL = "[[], "  # how findings begin of which none keeps a node from being committed


def _folds(text: str) -> bool:
    """Whether letters of the text become others when it is folded: a search for those finds them."""
    return (not text.isascii() and len(text.casefold()) != len(text)) or not _FOLDING.isdisjoint(text)


def _oddity(page: Text) -> str:
    if page.encoding.startswith("utf-8"):
        size = len(page.text.encode(errors="replace"))
        return oversize(size)
    return not_utf8(encode(page.text, page.encoding))


def describe(node: Node, page_id: int, rules: Rules, odd: str = "") -> NodeRow:
    """A node as the table has it. `odd` says what is wrong with its file."""
    links, properties = node.links, node.properties.items()
    listed = [(each.target, each.label, each.description, each.line, each.bare) for each in links]
    return NodeRow(
        page_id=page_id,
        path=node.path,
        id=node.id,
        title=node.title,
        summary=node.summary,
        status=node.status,
        type=node.type,
        created=node.created,
        updated=node.updated,
        curated=node.properties.get("LAST_CURATED", ""),
        projects=" ".join(node.projects),
        tags=" ".join(node.tags),
        ids=" ".join(folded(each) for each, _ in places_of(node)),
        targets=" ".join(dict.fromkeys(folded(each.target) for each in links)),
        links=json.dumps(listed, ensure_ascii=False) if listed else "",
        findings=_findings(node, rules, odd),
        body_start=node.body_start,
        rest="\n".join((node.source, *(value for key, value in properties if key not in _WEIGHTED))),
        listing=index_entry(node),
        oddity=odd,
        folds=_folds(node.text),
    )


def _findings(node: Node, rules: Rules, odd: str) -> str:
    """All that is wrong with a node whatever the day: what keeps it from being committed, then the rest."""
    found: list[Finding] = []
    if node.text or not odd:
        found += [*check_node(node, rules.creators), *secrets_in(node.path, node.text)]
    if odd:
        hint = "Save it as UTF-8; keep a node small."
        found.append(finding(node.path, 1, "org", f"the file {odd}", hint))
    parts: tuple[list[object], list[object]] = ([], [])
    for each in found:
        part = parts[each.severity != "fatal"]
        part.append((each.line, each.check, each.message, each.hint))
    return json.dumps(parts, ensure_ascii=False) if found else ""


def index_entry(node: Node) -> str:
    """The lines of the index about a node, but for what others say of it."""
    kind = f"{node.type}; " if section_of(node.status, node.type) != node.type and node.type else ""
    facts = f"[{kind}{' '.join(node.projects)}] {node.updated}".rstrip()
    lines = [f"- {plain(node.title)} ({node.id}) {facts}", plain(node.summary)]
    return "\n  ".join(line for line in lines if line) + "\n"


def section_of(status: str, type: str) -> str:
    """The section of the index to which a node belongs."""
    if status in ("contested", "superseded"):
        return status
    return type if type in TYPES else UNTYPED


def plain(text: str) -> str:
    """A text on one line in which Org finds no link."""
    line = " ".join(shown(text).split())
    if "id:" in line.lower():
        line = _BARE_ID.sub("", line)
    return line.replace("[[", "[")


def read_all(
    connection: apsw.Connection, collection_id: int, unread: Iterable[Text], rules: Rules
) -> list[NodeRow]:
    """Read pages, and remember what they say."""
    read: list[NodeRow] = []
    for page in unread:
        row = describe(parse(text_of(page), page.path), page.page_id, rules, _oddity(page))
        nodes.put(connection, collection_id, rules.mark, row)
        read.append(row)
    return read


def rows_of(base: Base, held: Mapping[str, tuple[str, NodeRow]] = NOTHING) -> list[NodeRow]:
    """The nodes of files that were read. What is held of a file of the same bytes need not be read again."""
    rules = rules_in(base.others.get(CONTRACT, ""))
    found = []
    for path, text in base.nodes.items():
        odd = base.odd.get(path, "")
        digest, row = held.get(folder.stored(path), ("", None))
        if row is None or odd or digest != sha256(text.encode()).hexdigest():
            row = describe(parse(text, path), NEW, rules, odd)
        found.append(row if row.path == path else row._replace(path=path))
    return found


def after(
    rows: Iterable[NodeRow],
    files: Mapping[str, bytes | None],
    rules: Rules,
    odd: Mapping[str, str] = MappingProxyType({}),
    parsed: Mapping[str, Node] = MappingProxyType({}),
) -> list[NodeRow]:
    """The nodes as they will be with other bytes in some files; None is a file that is gone."""
    found = [row for row in rows if row.path not in files]
    for path, data in files.items():
        if data is not None:
            why = odd.get(path) or oversize(len(data)) or not_utf8(data)
            text, node = data.decode("utf-8", "replace"), parsed.get(path)
            known = node if node and node.text == text else parse(text, path)
            found.append(describe(known, NEW, rules, why))
    return sorted(found, key=lambda row: row.path)


def source_of(row: NodeRow) -> str:
    """Where a node says that it comes from."""
    return row.rest.partition("\n")[0]


def fatal_findings(row: NodeRow) -> list[Finding]:
    """What keeps a node from being committed, as it was found when it was read."""
    return [] if row.findings.startswith(_NO_FATAL) else all_findings(row, 1)


def all_findings(row: NodeRow, parts: int = 2) -> list[Finding]:
    """All that is wrong with a node by itself, as it was found when it was read; or the first part of it."""
    listed = json.loads(row.findings)[:parts] if row.findings else []
    return [finding(row.path, *each) for part in listed for each in part]


def secrets_in(path: str, text: str) -> list[Finding]:
    """What looks like a key, a token or a password."""
    return [secret_at(path, line_of(text, each.start), each.rule) for each in secrets.find(text)]


def secret_at(path: str, line: int, rule: str) -> Finding:
    """The finding of a secret, which does not show it."""
    hint = (
        "Remove it and make it void: what was committed stays in the history. Say where it is kept instead. "
        f"If it is none, the line may have the comment `{secrets.ALLOWED[0]}`."
    )
    return finding(path, line, "secret", f"looks like a secret ({rule})", hint)


def folded(id: str) -> str:
    """An id as the table has it."""
    return "_".join(id.lower().split())
