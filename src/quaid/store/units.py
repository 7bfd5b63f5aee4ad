"""Queries that find units: sections and entries of pages, turns of conversations."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.store.rows import column, row, rows
from quaid.store.rows import first as first_value
from quaid.store.scope import Filter, Scope, Units
from quaid.store.terms import MOST_ROWS, WordQuery


def by_words(
    connection: apsw.Connection, query: WordQuery, scope: Scope, limit: int, above: int = 0
) -> list[tuple[int, int, float]]:
    """Units above an id, their documents and their BM25, best first."""
    units = scope.units
    ranking = Ranking(
        f"{units.name}_fts", units.rank, f"JOIN {units.table} u ON u.id = {{table}}.rowid {scope.join}"
    )
    above = max(above, floor(connection, query, units.table))
    found = rows_by_rank(connection, ranking, query, scope.chosen, limit, above)
    owners = _owners(connection, units, [unit for unit, _ in found])
    return [(unit, owners[unit], score) for unit, score in found if unit in owners]


class Ranking:
    """A word index, how its columns weigh, and how its rows lead to documents `p`."""

    def __init__(self, table: str, rank: str, join: str) -> None:
        self.table = table
        self.rank = rank
        self.join = join.format(table=table)


def rows_by_rank(
    connection: apsw.Connection,
    ranking: Ranking,
    query: WordQuery,
    chosen: Filter,
    limit: int,
    above: int = 0,
) -> list[tuple[int, float]]:
    """Rows of a word index, above an id, and their BM25, best first.

    What has common words as well is ranked anew with them. A row that has none is at least as far ahead
    without them: so the best of both are the best of all.
    """
    found = dict(_rows_and_ranks(connection, ranking, query.match, chosen, limit, above))
    if query.further:
        found |= _rows_and_ranks(connection, ranking, query.further, chosen, limit, above)
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))[:limit]


def _rows_and_ranks(
    connection: apsw.Connection, ranking: Ranking, match: str, chosen: Filter, limit: int, above: int
) -> list[tuple[int, float]]:
    table = ranking.table
    where, parameters = chosen.where() if chosen.any else ("", [])
    sql = f"""SELECT {table}.rowid, -rank FROM {table} {ranking.join if where else ""}
        WHERE {table} MATCH ? AND rank MATCH '{ranking.rank}' AND {table}.rowid > ?
        {f"AND {where}" if where else ""} ORDER BY rank LIMIT ?"""
    return rows(connection, sql, (match, above, *parameters, limit))


def floor(connection: apsw.Connection, query: WordQuery, table: str) -> int:
    """The id above which the newest rows are few enough to be ranked."""
    if query.rows <= MOST_ROWS:
        return 0
    newest = int(row(connection, f"SELECT coalesce(max(id), 0) FROM {table}")[0])
    return newest - newest * MOST_ROWS // query.rows


def documents_of_texts(
    connection: apsw.Connection, hashes: Collection[bytes], scope: Scope
) -> dict[bytes, list[int]]:
    """The documents in which each text stands. Only live pages have chunks."""
    return _of_texts(connection, scope.units.owner, hashes, scope)


def units_of_texts(
    connection: apsw.Connection, hashes: Collection[bytes], scope: Scope
) -> dict[bytes, list[int]]:
    """The units that have each text."""
    return _of_texts(connection, "id", hashes, scope)


def _of_texts(
    connection: apsw.Connection, wanted: str, hashes: Collection[bytes], scope: Scope
) -> dict[bytes, list[int]]:
    where, parameters = scope.where() if scope.chosen.any else ("", [])
    narrowed = f"{scope.join} WHERE {where} AND" if where else "WHERE"
    sql = f"""SELECT u.hash, u.{wanted} FROM {scope.units.table} u {narrowed}
        u.hash IN (SELECT unhex(value) FROM json_each(?))"""
    owners: dict[bytes, list[int]] = {}
    for digest, owner in rows(connection, sql, (*parameters, json.dumps([each.hex() for each in hashes]))):
        owners.setdefault(digest, []).append(owner)
    return owners


def documents_there(connection: apsw.Connection, scope: Scope, documents: Collection[int]) -> set[int]:
    """Those of these documents that the scope holds."""
    where, parameters = scope.where()
    sql = f"""SELECT p.id FROM json_each(?) f CROSS JOIN {scope.units.documents} p ON p.id = f.value
        WHERE {where}"""
    return set(column(connection, sql, (json.dumps(list(documents)), *parameters)))


def places_of_texts(
    connection: apsw.Connection, hashes: Collection[bytes], scope: Scope
) -> dict[bytes, list[tuple[int, int]]]:
    """The units that have each text, with their documents."""
    found = units_of_texts(connection, hashes, scope)
    owners = _owners(connection, scope.units, [unit for each in found.values() for unit in each])
    return {digest: [(unit, owners[unit]) for unit in each] for digest, each in found.items()}


def texts_of_documents(
    connection: apsw.Connection, units: Units, documents: Collection[int]
) -> list[tuple[int, int, bytes]]:
    """Document, unit and text of every unit of these documents."""
    return _texts(connection, units, units.owner, documents)


def texts_of_units(connection: apsw.Connection, units: Units, ids: Collection[int]) -> dict[int, bytes]:
    """The text of each of these units."""
    return {unit: digest for _, unit, digest in _texts(connection, units, "id", ids)}


def _texts(
    connection: apsw.Connection, units: Units, by: str, values: Collection[int]
) -> list[tuple[int, int, bytes]]:
    sql = f"""SELECT {units.owner}, id, hash FROM {units.table}
        WHERE hash IS NOT NULL AND {by} IN (SELECT value FROM json_each(?))"""
    return rows(connection, sql, (json.dumps(list(values)),))


def hashes_of_scope(connection: apsw.Connection, scope: Scope, limit: int) -> list[bytes]:
    """Texts that the scope holds, up to so many: those whose hashes come first."""
    where, parameters = scope.where()
    sql = f"""SELECT DISTINCT u.hash FROM {scope.units.table} u {scope.join}
        WHERE {where} AND u.hash IS NOT NULL ORDER BY u.hash LIMIT ?"""
    return column(connection, sql, (*parameters, limit))


def vectors_of_documents(
    connection: apsw.Connection, model_id: int, units: Units, documents: Collection[int]
) -> list[tuple[int, int, int]]:
    """Document, unit and vector of every embedded unit of these documents."""
    return _vectors(connection, model_id, units, units.owner, documents)


def vectors_of_units(
    connection: apsw.Connection, model_id: int, units: Units, ids: Collection[int]
) -> dict[int, int]:
    """The vector of each of these units that is embedded."""
    return {unit: vector for _, unit, vector in _vectors(connection, model_id, units, "id", ids)}


def vectors_of_texts(
    connection: apsw.Connection, model_id: int, units: Units, hashes: Collection[bytes]
) -> dict[bytes, int]:
    """The vector of each of these texts that is embedded."""
    sql = f"""SELECT hash, id FROM {units.vectors}
        WHERE model_id = ? AND hash IN (SELECT unhex(value) FROM json_each(?))"""
    return dict(rows(connection, sql, (model_id, json.dumps([digest.hex() for digest in hashes]))))


def _vectors(
    connection: apsw.Connection, model_id: int, units: Units, by: str, values: Collection[int]
) -> list[tuple[int, int, int]]:
    # CROSS JOIN keeps the order: from the units that are wanted to their vectors, not from all vectors.
    sql = f"""SELECT u.{units.owner}, u.id, e.id FROM {units.table} u
        CROSS JOIN {units.vectors} e ON e.model_id = ? AND e.hash = u.hash
        WHERE u.{by} IN (SELECT value FROM json_each(?))"""
    return rows(connection, sql, (model_id, json.dumps(list(values))))


def vectors_of_scope(connection: apsw.Connection, model_id: int, scope: Scope) -> list[int]:
    """The vectors of all texts that the scope holds."""
    where, parameters = scope.where()
    units = scope.units
    return column(
        connection,
        f"""SELECT DISTINCT e.id FROM {units.documents} p CROSS JOIN {units.table} u ON u.{units.owner} = p.id
            CROSS JOIN {units.vectors} e ON e.model_id = ? AND e.hash = u.hash WHERE {where}""",
        (model_id, *parameters),
    )


def counts(connection: apsw.Connection, units: Units, documents: Collection[int]) -> dict[int, int]:
    """How many units each of these documents has."""
    sql = f"""SELECT {units.owner}, count(*) FROM {units.table}
        WHERE {units.owner} IN (SELECT value FROM json_each(?)) GROUP BY 1"""
    return dict(rows(connection, sql, (json.dumps(list(documents)),)))


def last(connection: apsw.Connection, units: Units) -> int:
    """The newest unit; 0 if there is none."""
    return int(row(connection, f"SELECT coalesce(max(id), 0) FROM {units.table}")[0])


def first(connection: apsw.Connection, units: Units, document: int) -> int:
    """The unit at the beginning of a document; 0 if it has none."""
    sql = f"SELECT id FROM {units.table} WHERE {units.owner} = ? ORDER BY ordinal LIMIT 1"
    return first_value(connection, sql, (document,)) or 0


def of_days(connection: apsw.Connection, days: tuple[str, str], scope: Scope, limit: int) -> dict[int, int]:
    """Units dated from one day to another, with their documents."""
    where, parameters = scope.where()
    day = scope.units.day
    sql = f"""SELECT u.id, u.{scope.units.owner} FROM {scope.units.table} u {scope.join}
        WHERE {day} BETWEEN ? AND ? AND {where} ORDER BY {day} DESC LIMIT ?"""
    return dict(rows(connection, sql, (*days, *parameters, limit)))


def hashes(connection: apsw.Connection, units: Units) -> set[bytes]:
    """The hashes of all texts that there are."""
    sql = f"SELECT DISTINCT hash FROM {units.table} WHERE hash IS NOT NULL"
    return set(column(connection, sql))


def _owners(connection: apsw.Connection, units: Units, ids: Collection[int]) -> dict[int, int]:
    sql = f"SELECT id, {units.owner} FROM {units.table} WHERE id IN (SELECT value FROM json_each(?))"
    return dict(rows(connection, sql, (json.dumps(list(ids)),)))
