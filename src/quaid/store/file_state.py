"""What is known of the files of collections: their state, those that are no pages, those that have gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from quaid.store.rows import column, first, row, rows


class FileState(NamedTuple):
    """A file when it was last read. A page's raw data is a file of its own."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    seen_ns: int
    hash: str
    page_id: int
    uuid: str | None


Mark = tuple[int, int, int, int]  # size, time, inode, time of reading

_STATE = """SELECT f.path, f.size, f.mtime_ns, f.inode, f.seen_ns, lower(hex(f.content_hash)),
        f.page_id, p.uuid FROM file_state f JOIN pages p ON p.id = f.page_id"""


def known_files(connection: apsw.Connection, collection_id: int) -> dict[str, FileState]:
    """All files of a collection."""
    return _states(connection, "f.collection_id = ?", (collection_id,))


def marks(connection: apsw.Connection, collection_id: int) -> dict[str, Mark]:
    """Size, time, inode and time of reading of all files of a collection."""
    sql = "SELECT path, size, mtime_ns, inode, seen_ns FROM file_state WHERE collection_id = ?"
    return {state[0]: state[1:] for state in connection.execute(sql, (collection_id,))}


def marks_of(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> dict[str, Mark]:
    """The same of some files."""
    found = connection.execute(
        """SELECT f.path, f.size, f.mtime_ns, f.inode, f.seen_ns FROM json_each(?2) CROSS JOIN file_state f
           WHERE f.collection_id = ?1 AND f.path = value""",
        (collection_id, json.dumps(list(paths), ensure_ascii=False)),
    )
    return {state[0]: state[1:] for state in found}


def known_of(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> dict[str, FileState]:
    """Some files of a collection."""
    where = "f.collection_id = ?1 AND f.path IN (SELECT value FROM json_each(?2))"
    return _states(connection, where, (collection_id, json.dumps(list(paths), ensure_ascii=False)))


def known_at(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> dict[str, FileState]:
    """The files at some paths, and those below them."""
    found: dict[str, FileState] = {}
    for path in set(paths):
        # `0` comes right after `/`: all that begins with the path and a slash lies between.
        for condition, bounds in (("= ?", (path,)), ("> ? AND f.path < ?", (path + "/", path + "0"))):
            where = f"f.collection_id = ? AND f.path {condition}"
            found |= _states(connection, where, (collection_id, *bounds))
    return found


def _states(connection: apsw.Connection, where: str, bindings: tuple[Any, ...]) -> dict[str, FileState]:
    found = connection.execute(f"{_STATE} WHERE {where}", bindings)
    return {state[0]: FileState._make(state) for state in found}


def one(connection: apsw.Connection, collection_id: int, path: str) -> FileState | None:
    """One file."""
    where = "f.collection_id = ? AND f.path = ?"
    return _states(connection, where, (collection_id, path)).get(path)


def count(connection: apsw.Connection, collection_id: int) -> int:
    """How many files a collection has."""
    sql = "SELECT count(*) FROM file_state WHERE collection_id = ?"
    return int(row(connection, sql, (collection_id,))[0])


def prints(connection: apsw.Connection, collection_id: int) -> dict[str, tuple[bytes, int]]:
    """The directories whose files are all known, with the hash of them and how many files that are."""
    sql = "SELECT directory, print, files FROM directory_prints WHERE collection_id = ?"
    return {directory: (*each,) for directory, *each in connection.execute(sql, (collection_id,))}


def put_prints(
    connection: apsw.Connection, collection_id: int, prints_: Mapping[str, tuple[bytes, int]]
) -> None:
    """These are all the directories whose files are known."""
    connection.execute("DELETE FROM directory_prints WHERE collection_id = ?", (collection_id,))
    connection.executemany(
        "INSERT INTO directory_prints (collection_id, directory, print, files) VALUES (?, ?, ?, ?)",
        [(collection_id, directory, *each) for directory, each in prints_.items()],
    )


def put(connection: apsw.Connection, collection_id: int, state: FileState) -> None:
    """What a file is now."""
    put_all(connection, collection_id, [state])


def put_all(connection: apsw.Connection, collection_id: int, states: Sequence[FileState]) -> None:
    """What some files are now."""
    connection.executemany(
        """INSERT OR REPLACE INTO file_state
               (collection_id, path, size, mtime_ns, inode, seen_ns, content_hash, page_id)
           VALUES (?, ?, ?, ?, ?, ?, unhex(?), ?)""",
        [(collection_id, *state[:7]) for state in states],
    )
    _forget_prints(connection, collection_id, [state.path for state in states])


def remove(connection: apsw.Connection, collection_id: int, path: str) -> None:
    """A file is no longer there."""
    connection.execute("DELETE FROM file_state WHERE collection_id = ? AND path = ?", (collection_id, path))
    _forget_prints(connection, collection_id, [path])


def remove_of_page(connection: apsw.Connection, page_id: int) -> None:
    """None of a page's files is there any more; for one whose path nobody knows: all files are looked at."""
    sql = "DELETE FROM file_state WHERE page_id = ? RETURNING collection_id, path"
    for collection_id, path in rows(connection, sql, (page_id,)):
        _forget_prints(connection, collection_id, [path])


def _forget_prints(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> None:
    """The directories of these files are to be compared again. No trigger does it: they are off at times."""
    directories = {path[: path.rfind("/") + 1] for path in paths}
    connection.executemany(
        "DELETE FROM directory_prints WHERE collection_id = ? AND directory = ?",
        [(collection_id, each) for each in directories],
    )


def depart(connection: apsw.Connection, collection_id: int, digest: str, page_id: int) -> None:
    """Remember what a quarantined page's file held."""
    connection.execute(
        "INSERT OR IGNORE INTO departed_files (collection_id, content_hash, page_id) VALUES (?, ?, ?)",
        (collection_id, digest, page_id),
    )


def departed_pages(connection: apsw.Connection, collection_id: int, digest: str) -> list[int]:
    """The quarantined pages whose file held that."""
    sql = """SELECT d.page_id FROM departed_files d JOIN pages p ON p.id = d.page_id
        WHERE d.collection_id = ? AND d.content_hash = ? AND p.quarantined_at IS NOT NULL"""
    return column(connection, sql, (collection_id, digest))


def known_paths(connection: apsw.Connection, collection_id: int, files: Mapping[str, str]) -> set[str]:
    """Those of some files, by path and hash, that are known already, or held by a page in quarantine."""
    sql = """SELECT key FROM json_each(?2) WHERE EXISTS (
            SELECT 1 FROM file_state WHERE collection_id = ?1 AND path = key)
        OR EXISTS (SELECT 1 FROM departed_files WHERE collection_id = ?1 AND content_hash = value)"""
    return set(column(connection, sql, (collection_id, json.dumps(dict(files), ensure_ascii=False))))


def note_return(connection: apsw.Connection, page_id: int) -> None:
    """A page has a file again."""
    connection.execute("DELETE FROM departed_files WHERE page_id = ?", (page_id,))


def problems(connection: apsw.Connection, collection_id: int) -> dict[str, str]:
    """Files that are no pages, or not wholly, and why."""
    sql = "SELECT path, reason FROM file_problems WHERE collection_id = ? ORDER BY path"
    return dict(connection.execute(sql, (collection_id,)))


def note_problem(connection: apsw.Connection, collection_id: int, path: str, reason: str, now: str) -> None:
    """Remember what is wrong with a file."""
    connection.execute(
        """INSERT INTO file_problems (collection_id, path, reason, since) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET reason = excluded.reason""",
        (collection_id, path, reason, now),
    )


def forget_problems(connection: apsw.Connection, collection_id: int, paths: Iterable[str]) -> None:
    """These files are well, or gone."""
    connection.executemany(
        "DELETE FROM file_problems WHERE collection_id = ? AND path = ?",
        [(collection_id, path) for path in paths],
    )


def last_transaction(connection: apsw.Connection) -> str:
    """The last transaction that changed files too."""
    return first(connection, "SELECT id FROM file_transactions") or ""


def note_transaction(connection: apsw.Connection, identity: str) -> None:
    """This transaction changes files too."""
    connection.execute("DELETE FROM file_transactions")
    connection.execute("INSERT INTO file_transactions (id) VALUES (?)", (identity,))
