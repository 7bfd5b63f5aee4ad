"""What a knowledge base reads out of a node once and keeps beside its page: see the table nodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import apsw

from quaid.formats import secrets
from quaid.formats.encoding import encode
from quaid.formats.org.lines import line_of
from quaid.kb.base import MAX_BYTES
from quaid.kb.checks import check_node
from quaid.kb.findings import Finding, finding
from quaid.kb.index import listing
from quaid.kb.node import Node, parse
from quaid.kb.nodes import text_of
from quaid.kb.rules import Rules
from quaid.store import nodes
from quaid.store.nodes import NodeRow, Text

NEW = 0  # the page of a node that has none yet
_FOLDING = frozenset("\u017f\u212a")  # one letter each that stands for a letter of ASCII
_WEIGHTED = ("SUMMARY", "STATUS", "PROJECTS")


def _folds(text: str) -> bool:
    """Whether letters of the text become others when it is folded: a search for those finds them."""
    return (not text.isascii() and len(text.casefold()) != len(text)) or not _FOLDING.isdisjoint(text)


def _oddity(page: Text) -> str:
    if page.encoding.startswith("utf-8"):
        size = len(page.text.encode(errors="replace"))
        return f"is larger than {MAX_BYTES // 1024 // 1024} MB" if size > MAX_BYTES else ""
    try:
        encode(page.text, page.encoding).decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start})"
    return ""


def describe(node: Node, page_id: int, rules: Rules, odd: str = "") -> NodeRow:
    """A node as the table has it. `odd` says what is wrong with its file."""
    links = node.links
    found = [*check_node(node, rules.creators), *secrets_in(node.path, node.text)]
    if odd:
        hint = "Save it as UTF-8; keep a node small."
        found.append(finding(node.path, 1, "org", f"the file {odd}", hint))
    fatal = [(each.line, each.check, each.message, each.hint) for each in found if each.severity == "fatal"]
    listed = [(each.target, each.label, each.description, each.line, each.bare) for each in links]
    ids = [node.id, *(section.id for section in node.sections)]
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
        ids=_blanked(each for each in ids if each),
        targets=_blanked(each.target for each in links),
        links=json.dumps(listed, ensure_ascii=False) if listed else "",
        findings=json.dumps(fatal, ensure_ascii=False) if fatal else "",
        body_start=node.body_start,
        rest="\n".join(value for key, value in node.properties.items() if key not in _WEIGHTED),
        listing=listing(node),
        oddity=odd,
        folds=_folds(node.text),
    )


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


def after(rows: Iterable[NodeRow], texts: Mapping[str, str | None], rules: Rules) -> list[NodeRow]:
    """The nodes as they will be with other texts in some files; None is a file that is gone."""
    kept = [row for row in rows if row.path not in texts]
    new = [describe(parse(text, path), NEW, rules) for path, text in texts.items() if text is not None]
    return sorted((*kept, *new), key=lambda row: row.path)


def findings_of(row: NodeRow) -> list[Finding]:
    """What keeps a node from being committed, as it was found when it was read."""
    listed = json.loads(row.findings) if row.findings else []
    return [finding(row.path, line, check, message, hint) for line, check, message, hint in listed]


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


def _blanked(ids: Iterable[str]) -> str:
    """Ids, separated by blanks; one that has blanks in it is none that a node can have."""
    return " ".join(dict.fromkeys(folded(each) for each in ids))


def folded(id: str) -> str:
    """An id as the table has it."""
    return "_".join(id.lower().split())
