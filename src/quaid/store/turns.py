"""Turns of conversations: keeping them, and finding them by words and by vectors."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

import apsw

from quaid.model.record import record
from quaid.store.conversations import ConversationFilter
from quaid.store.rows import row, rows


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


def _read(found: tuple[Any, ...]) -> TurnRow:
    return TurnRow(*(*found[:-1], bool(found[-1])))


def add(connection: apsw.Connection, conversation_id: int, turns: Iterable[NewTurn]) -> None:
    """Keep turns of a conversation."""
    connection.executemany(
        """INSERT INTO turns (conversation_id, ordinal, role, time, identity, sidechain, text, hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation_id, identity) DO NOTHING""",
        (
            (
                conversation_id,
                one.ordinal,
                one.role,
                one.time,
                one.identity,
                one.sidechain,
                one.text,
                one.hash,
            )
            for one in turns
        ),
    )


def known(connection: apsw.Connection, conversation_id: int, identities: Collection[str]) -> set[str]:
    """Those of the identities that the conversation has already."""
    found = rows(
        connection,
        """SELECT identity FROM turns
           WHERE conversation_id = ? AND identity IN (SELECT value FROM json_each(?))""",
        (conversation_id, json.dumps(list(identities))),
    )
    return {identity for (identity,) in found}


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
    found = rows(
        connection,
        f"""SELECT {_COLUMNS} FROM turns t
            WHERE t.conversation_id = ? AND t.ordinal BETWEEN ? AND ? ORDER BY t.ordinal""",
        (conversation_id, first, last),
    )
    return [_read(each) for each in found]


def load(connection: apsw.Connection, ids: Collection[int]) -> dict[int, TurnRow]:
    """Turns by their ids."""
    found = rows(
        connection,
        f"SELECT {_COLUMNS} FROM turns t WHERE t.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {each[0]: _read(each) for each in found}


def by_words(
    connection: apsw.Connection, match: str, chosen: ConversationFilter, limit: int
) -> list[tuple[int, float]]:
    """Turns that match an FTS5 expression and their BM25, best first."""
    where, values = chosen.where("t.time")
    join = "JOIN turns t ON t.id = turn_fts.rowid JOIN conversations c ON c.id = t.conversation_id"
    found = rows(
        connection,
        f"""SELECT turn_fts.rowid, -rank FROM turn_fts {join if chosen.any else ""}
            WHERE turn_fts MATCH ? {f"AND {where}" if chosen.any else ""} ORDER BY rank LIMIT ?""",
        (match, *(values if chosen.any else ()), limit),
    )
    return [(identity, score) for identity, score in found]


def unembedded(connection: apsw.Connection, model_id: int, least: int) -> list[tuple[bytes, str]]:
    """Hash and text of turns that a model has not embedded, of at least so many characters."""
    found = rows(
        connection,
        """SELECT t.hash, t.text FROM turns t WHERE length(t.text) >= ?2
           AND NOT EXISTS (SELECT 1 FROM turn_embeddings e WHERE e.model_id = ?1 AND e.hash = t.hash)
           GROUP BY t.hash ORDER BY max(t.id) DESC""",
        (model_id, least),
    )
    return [(bytes(digest), text) for digest, text in found]


def put_vectors(connection: apsw.Connection, model_id: int, vectors: Iterable[tuple[bytes, bytes]]) -> None:
    """Keep vectors by the hash of their text."""
    connection.executemany(
        "INSERT INTO turn_embeddings (model_id, hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        ((model_id, digest, vector) for digest, vector in vectors),
    )


def has_vectors(connection: apsw.Connection, model_id: int) -> bool:
    """Whether a model has embedded any turn."""
    return bool(rows(connection, "SELECT 1 FROM turn_embeddings WHERE model_id = ? LIMIT 1", (model_id,)))


def vectors(connection: apsw.Connection, model_id: int) -> tuple[list[bytes], bytes]:
    """The hashes of all texts that a model has embedded, and their vectors, one after the other."""
    # In the order of the file: the index by model and hash would jump about in it.
    sql = "SELECT hash, vector FROM turn_embeddings NOT INDEXED WHERE model_id = ?"
    found = rows(connection, sql, (model_id,))
    return [digest for digest, _ in found], b"".join([vector for _, vector in found])


def of_hashes(
    connection: apsw.Connection, hashes: Collection[bytes], chosen: ConversationFilter
) -> dict[bytes, int]:
    """The last chosen turn with each text, if there is one."""
    where, values = chosen.where("t.time")
    found = rows(
        connection,
        f"""SELECT t.hash, max(t.id) FROM turns t JOIN conversations c ON c.id = t.conversation_id
            WHERE t.hash IN (SELECT unhex(value) FROM json_each(?)) AND {where} GROUP BY t.hash""",
        (json.dumps([digest.hex() for digest in hashes]), *values),
    )
    return {bytes(digest): identity for digest, identity in found}


def collect(connection: apsw.Connection) -> None:
    """Remove the vectors and words of turns that are gone, so that nothing of them stays in the file.

    A row that comes and goes first makes sure that there is something to merge.
    """
    connection.execute(
        """DELETE FROM turn_embeddings WHERE hash NOT IN (SELECT hash FROM turns);
           INSERT INTO turn_fts (rowid, text) VALUES (0, 'nothing');
           DELETE FROM turn_fts WHERE rowid = 0;
           INSERT INTO turn_fts (turn_fts) VALUES ('optimize')"""
    )
