"""The nodes table: what knowledge bases read out of their pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import apsw

from quaid.store.rows import row

_FACTS = """identity, title, summary, status, type, created, updated, curated, projects, tags, ids, targets,
    links, findings, body_start, rest"""
_KNOWN = ", ".join(f"n.{name.strip()}" for name in _FACTS.split(","))
_TEXT = "p.head || p.compiled_truth || p.rule || p.timeline"
_JOINED = """FROM live_pages p LEFT JOIN nodes n
    ON n.page_id = p.id AND n.page_version = p.version AND n.path = p.path AND n.rules = ?
    WHERE p.collection_id = ?"""


class NodeRow(NamedTuple):
    """A node as the table has it. There are many: a tuple is quickly made."""

    page_id: int
    path: str
    id: str
    title: str
    summary: str
    status: str
    type: str
    created: str
    updated: str
    curated: str
    projects: str
    tags: str
    ids: str
    targets: str
    links: str
    findings: str
    body_start: int
    rest: str


class Text(NamedTuple):
    """A page's text, as it is in the memory."""

    page_id: int
    path: str
    version: int
    encoding: str
    text: str


def known(connection: apsw.Connection, collection_id: int, rules: str) -> tuple[list[NodeRow], list[Text]]:
    """All nodes of a collection, by path, and the pages that have yet to be read by these rules."""
    sql = f"SELECT p.id, p.path, {_KNOWN} {_JOINED} ORDER BY p.path"
    rows: list[NodeRow] = []
    unread: list[int] = []
    for found in connection.execute(sql, (rules, collection_id)):
        if found[2] is None:
            unread.append(found[0])
        else:
            rows.append(NodeRow._make(found))
    return rows, [page(connection, page_id) for page_id in unread]


class Searched(NamedTuple):
    """What a question is asked of a node. `body_start` is None where the page has yet to be read."""

    page_id: int
    path: str
    encoding: str
    text: str
    identity: str
    title: str
    summary: str
    status: str
    projects: str
    tags: str
    updated: str
    body_start: int | None
    rest: str


def searched(connection: apsw.Connection, collection_id: int, rules: str) -> Iterator[Searched]:
    """Every node of a collection with its text."""
    sql = f"""SELECT p.id, p.path, p.encoding, {_TEXT}, n.identity, n.title, n.summary, n.status, n.projects,
        n.tags, n.updated, n.body_start, n.rest {_JOINED}"""
    return map(Searched._make, connection.execute(sql, (rules, collection_id)))


def put(connection: apsw.Connection, rules: str, version: int, node: NodeRow) -> None:
    """What a page says, by these rules."""
    connection.execute(
        f"""INSERT OR REPLACE INTO nodes (page_id, path, {_FACTS}, page_version, rules)
            VALUES ({", ".join("?" * 20)})""",
        (*node, version, rules),
    )


def page(connection: apsw.Connection, page_id: int) -> Text:
    """A page with its text."""
    sql = f"SELECT p.id, p.path, p.version, p.encoding, {_TEXT} FROM live_pages p WHERE p.id = ?"
    return Text._make(row(connection, sql, (page_id,)))


def everything(connection: apsw.Connection, collection_id: int) -> list[Text]:
    """All pages of a collection with their texts, by path."""
    sql = f"""SELECT p.id, p.path, p.version, p.encoding, {_TEXT} FROM live_pages p
        WHERE p.collection_id = ? ORDER BY p.path"""
    return [Text._make(found) for found in connection.execute(sql, (collection_id,))]


def mentioning(connection: apsw.Connection, collection_id: int, words: str) -> list[int]:
    """The pages in whose text some ASCII words stand, in whatever case."""
    sql = f"SELECT id FROM live_pages p WHERE collection_id = ? AND instr(lower({_TEXT}), lower(?)) > 0"
    return [page_id for (page_id,) in connection.execute(sql, (collection_id, words))]
