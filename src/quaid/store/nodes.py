"""The nodes table: what knowledge bases read out of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import apsw

from quaid.store.rows import column, row, rows

_FACTS = """identity, title, summary, status, type, created, updated, curated, projects, tags, ids, targets,
    links, findings, body_start, rest, listing, oddity, folds"""


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
    listing: str
    oddity: str
    folds: bool


class Text(NamedTuple):
    """A page's text, as it is in the memory."""

    page_id: int
    path: str
    encoding: str
    text: str


def known_nodes(
    connection: apsw.Connection, collection_id: int, rules: str
) -> tuple[list[NodeRow], list[Text]]:
    """All nodes of a collection, by path, and the pages that have yet to be read by these rules."""
    sql = f"SELECT page_id, path, {_FACTS} FROM nodes WHERE collection_id = ? AND rules = ?"
    found = list(map(NodeRow._make, connection.execute(sql, (collection_id, rules))))
    found.sort(key=_path)  # they nearly are: faster than SQLite, which would move whole rows
    read = {node.page_id for node in found}
    live = column(connection, "SELECT id FROM live_pages WHERE collection_id = ?", (collection_id,))
    return found, [page(connection, page_id) for page_id in live if page_id not in read]


def by_hash(connection: apsw.Connection, collection_id: int, rules: str) -> dict[str, tuple[str, NodeRow]]:
    """All nodes of a collection that were read by these rules, by path, with the hashes of their files."""
    facts = ", ".join(f"n.{each.strip()}" for each in f"page_id, path, {_FACTS}".split(","))
    sql = f"""SELECT lower(hex(f.content_hash)), {facts} FROM nodes n
        JOIN file_state f ON f.collection_id = n.collection_id AND f.path = n.path AND f.page_id = n.page_id
        WHERE n.collection_id = ? AND n.rules = ?"""
    return {
        each[2]: (each[0], NodeRow._make(each[1:]))
        for each in connection.execute(sql, (collection_id, rules))
    }


def _path(node: NodeRow) -> str:
    return node.path


class Searched(NamedTuple):
    """What a question is asked of a node. `body_start` is None where the page has yet to be read."""

    page_id: int
    path: str
    encoding: str
    text: str
    title: str
    summary: str
    status: str
    projects: str
    tags: str
    updated: str
    body_start: int | None
    rest: str


def candidates(
    connection: apsw.Connection, collection_id: int, rules: str, words: Sequence[str]
) -> Iterator[Searched]:
    """The nodes in whose texts one of these words may stand, in whatever case; with none, all nodes."""
    some = " OR ".join(["n.page_id IS NULL", "n.folds", *(["p.text LIKE ? ESCAPE '\\'"] * len(words))])
    sql = f"""SELECT p.id, p.path, p.encoding, p.text, n.title, n.summary, n.status, n.projects, n.tags,
        n.updated, n.body_start, n.rest
        FROM live_pages p LEFT JOIN nodes n ON n.page_id = p.id AND n.rules = ?
        WHERE p.collection_id = ? AND ({some if words else "1"})"""
    return map(Searched._make, connection.execute(sql, (rules, collection_id, *map(_containing, words))))


def _containing(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def identities(
    connection: apsw.Connection, collection_id: int, rules: str
) -> list[tuple[int, str, str, str]]:
    """Page, path, id and oddity of all nodes."""
    sql = "SELECT page_id, path, identity, oddity FROM nodes WHERE collection_id = ? AND rules = ?"
    return rows(connection, sql, (collection_id, rules))


def put(connection: apsw.Connection, collection_id: int, rules: str, node: NodeRow) -> None:
    """What a page says, by these rules."""
    connection.execute(
        f"""INSERT OR REPLACE INTO nodes (page_id, path, {_FACTS}, collection_id, rules)
            VALUES ({", ".join("?" * 23)})""",
        (*node, collection_id, rules),
    )


def forget(connection: apsw.Connection, page_ids: Iterable[int]) -> None:
    """These pages have changed, and have yet to be read again."""
    sql = "DELETE FROM nodes WHERE page_id = ?"
    connection.executemany(sql, [(page_id,) for page_id in page_ids])


def page(connection: apsw.Connection, page_id: int) -> Text:
    """A page with its text."""
    sql = "SELECT p.id, p.path, p.encoding, p.text FROM live_pages p WHERE p.id = ?"
    return Text._make(row(connection, sql, (page_id,)))


def mentioning(connection: apsw.Connection, collection_id: int, words: str) -> list[int]:
    """The pages in whose text some ASCII words stand, in whatever case."""
    sql = "SELECT id FROM live_pages p WHERE collection_id = ? AND instr(lower(p.text), lower(?)) > 0"
    return column(connection, sql, (collection_id, words))
