"""The turns of conversations."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store import words
from quaid.store.rows import column, records, row, rows


@record
class TurnRow:
    """A turn of a conversation."""

    id: int
    conversation_id: int
    ordinal: int
    role: str
    time: str
    text: str
    sidechain: bool


@record
class NewTurn:
    """A turn that is to be kept."""

    ordinal: int
    role: str
    time: str
    identity: str
    sidechain: bool
    text: str
    hash: bytes


_COLUMNS = "t.id, t.conversation_id, t.ordinal, t.role, t.time, t.text, t.sidechain"


def _row(*found: Any) -> TurnRow:
    return TurnRow(*(*found[:-1], bool(found[-1])))


def add(connection: apsw.Connection, conversation_id: int, turns: Iterable[NewTurn]) -> None:
    """Keep turns of a conversation."""
    connection.executemany(
        """INSERT INTO turns (conversation_id, ordinal, role, time, identity, sidechain, text, hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation_id, identity) DO NOTHING""",
        ((conversation_id, *vars(one).values()) for one in turns),
    )


def known_turns(connection: apsw.Connection, conversation_id: int, identities: Collection[str]) -> set[str]:
    """Those of the identities that the conversation has already."""
    sql = """SELECT identity FROM turns
        WHERE conversation_id = ? AND identity IN (SELECT value FROM json_each(?))"""
    return set(column(connection, sql, (conversation_id, json.dumps(list(identities)))))


def repeated(connection: apsw.Connection, conversation_id: int, beginning: str) -> int:
    """How many turns have an identity that begins so."""
    sql = "SELECT count(*) FROM turns WHERE conversation_id = ? AND identity >= ? AND identity < ?"
    return int(row(connection, sql, (conversation_id, f"{beginning}#", f"{beginning}$"))[0])


def everything(connection: apsw.Connection, conversation_id: int) -> list[tuple[str, str, str, str, bool]]:
    """Role, text, time, identity and sidechain of all turns of a conversation, in order."""
    found = rows(
        connection,
        "SELECT role, text, time, identity, sidechain FROM turns WHERE conversation_id = ? ORDER BY ordinal",
        (conversation_id,),
    )
    return [(role, text, time, identity, bool(side)) for role, text, time, identity, side in found]


def between(connection: apsw.Connection, conversation_id: int, first: int, last: int) -> list[TurnRow]:
    """The turns of a conversation from one ordinal to another."""
    sql = f"""SELECT {_COLUMNS} FROM turns t
        WHERE t.conversation_id = ? AND t.ordinal BETWEEN ? AND ? ORDER BY t.ordinal"""
    return records(_row, connection, sql, (conversation_id, first, last))


def are_there(connection: apsw.Connection) -> bool:
    """Whether anything was said that is known."""
    return bool(row(connection, "SELECT EXISTS (SELECT 1 FROM turns)")[0])


def load(connection: apsw.Connection, ids: Collection[int]) -> dict[int, TurnRow]:
    """Turns by their ids."""
    sql = f"SELECT {_COLUMNS} FROM turns t WHERE t.id IN (SELECT value FROM json_each(?))"
    return {each.id: each for each in records(_row, connection, sql, (json.dumps(list(ids)),))}


def unembedded_turns(connection: apsw.Connection, model_id: int, least: int) -> list[tuple[bytes, str]]:
    """Hash and text of turns that a model has not embedded, of at least so many characters."""
    found = rows(
        connection,
        """SELECT t.hash, t.text FROM turns t WHERE length(t.text) >= ?2
           AND NOT EXISTS (SELECT 1 FROM turn_embeddings e WHERE e.model_id = ?1 AND e.hash = t.hash)
           GROUP BY t.hash ORDER BY max(t.id) DESC""",
        (model_id, least),
    )
    return [(bytes(digest), text) for digest, text in found]


def has_vectors(connection: apsw.Connection, model_id: int) -> bool:
    """Whether a model has embedded any turn."""
    return bool(rows(connection, "SELECT 1 FROM turn_embeddings WHERE model_id = ? LIMIT 1", (model_id,)))


def merge_words(connection: apsw.Connection) -> None:
    """Write the word index anew without the words of turns that are gone."""
    words.merge(connection, "turn_fts")
