"""Forgetting the bytes from which pages were made, in all places where imports and sources keep them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import apsw

from quaid.formats.encoding import decode
from quaid.model.record import record
from quaid.store import imports
from quaid.store.imports import LISTING
from quaid.store.rows import column, records, row, rows

_PIECE = "//"  # between a file and the piece of it that became a page
_IN = "IN (SELECT value FROM json_each(?1))"


@record
class Origin:
    """Bytes from which a page was made. Its name, for a piece of a file, begins with the file's."""

    id: int
    import_id: str
    name: str
    hash: str

    @property
    def file(self) -> str:
        """The file that held them."""
        return self.name.partition(_PIECE)[0]

    @property
    def is_piece(self) -> bool:
        """Whether the file held others too."""
        return self.file != self.name


@record
class _Batch:
    """An import by the same importer into the same collection as another."""

    import_id: str
    is_same_source: bool


def of_pages(connection: apsw.Connection, page_ids: Collection[int]) -> list[Origin]:
    """The bytes from which some pages were made."""
    sql = f"SELECT id, import_id, file_path, content_hash FROM raw_imports WHERE page_id {_IN}"
    return records(Origin, connection, sql, (json.dumps(sorted(page_ids)),))


def naming(connection: apsw.Connection, page_id: int, source: str) -> list[Origin]:
    """Those of a page's bytes that hold the name of a source, and so may hold what it said."""
    spelled = {source, json.dumps(source)[1:-1], json.dumps(source, ensure_ascii=False)[1:-1]}
    sql = "SELECT id, import_id, file_path, content_hash, raw_bytes FROM raw_imports WHERE page_id = ?"
    found = rows(connection, sql, (page_id,))
    return [Origin(*each) for *each, data in found if any(name in decode(bytes(data))[0] for name in spelled)]


def forget(connection: apsw.Connection, doomed: Sequence[Origin]) -> None:
    """Forget bytes; also those of files with several pages that held them."""
    connection.executemany("DELETE FROM raw_imports WHERE id = ?", [(each.id,) for each in doomed])
    _forget_unowned(connection, {each.hash for each in doomed})
    for import_id in {each.import_id for each in doomed}:
        # A file of several pages is known again by its name: later exports hold what earlier ones did.
        own = {_last(each.file) for each in doomed if each.import_id == import_id and each.is_piece}
        for batch in _batches_like(connection, import_id) if own else ():
            for identity, path in _other_files(connection, batch.import_id):
                if _last(path) in own:
                    connection.execute("DELETE FROM raw_imports WHERE id = ?", (identity,))


def forget_beside(connection: apsw.Connection, known: Sequence[Origin], paths: Collection[str]) -> None:
    """Forget the bytes of files at these paths, in all imports of the sources from which others are known."""
    for import_id in {each.import_id for each in known}:
        for batch in _batches_like(connection, import_id):
            for identity, path in _other_files(connection, batch.import_id):
                if batch.is_same_source and path in paths:
                    connection.execute("DELETE FROM raw_imports WHERE id = ?", (identity,))


def forget_names(connection: apsw.Connection, doomed: Sequence[Origin], beside: Collection[str]) -> None:
    """Take the names of forgotten files out of the lists that imports keep."""
    names = {each.name for each in doomed} | set(beside)
    hashes = {each.hash for each in doomed}
    touched = {each.import_id for each in doomed}
    for batch in {batch for import_id in touched for batch in _batches_like(connection, import_id)}:
        files = imports.files_of(connection, batch.import_id)
        left = {
            path: digest
            for path, digest in files.items()
            if not (batch.is_same_source and path in names)
            and (digest not in hashes or imports.file_data(connection, digest) is not None)
        }
        if left != files:
            data = json.dumps(left, ensure_ascii=False).encode()
            connection.execute(
                """UPDATE raw_imports SET raw_bytes = ?, content_hash = ?
                   WHERE import_id = ? AND file_path = ?""",
                (data, imports.digest(data), batch.import_id, LISTING),
            )


def ingested_hashes(
    connection: apsw.Connection, page_ids: Collection[int], source: str | None
) -> dict[int, str]:
    """What is logged of the ingestion of pages, or of a source: the hash of each."""
    sql = f"SELECT id, content_hash FROM ingest_log WHERE page_id {_IN} OR source_ref = ?2"
    return dict(rows(connection, sql, (json.dumps(sorted(page_ids)), source)))


def forget_ingested(connection: apsw.Connection, logged: Mapping[int, str]) -> None:
    """Forget that sources were ingested; bytes that became no page of their own go too."""
    connection.executemany("DELETE FROM ingest_log WHERE id = ?", [(identity,) for identity in logged])
    _forget_unowned(connection, set(logged.values()))


def batches_of(connection: apsw.Connection, source: str) -> list[str]:
    """The imports from a folder, or the one of that id."""
    sql = "SELECT import_id FROM import_manifest WHERE import_id = ?1 OR source_dir = ?1 ORDER BY rowid"
    return column(connection, sql, (source,))


def forget_batches(connection: apsw.Connection, doomed: Collection[str]) -> None:
    """Forget imports whose pages are gone, with their other files; a file that another import lists stays."""
    wanted = {
        digest: (batch.import_id, path)
        for batch in imports.batches(connection)
        if batch.import_id not in doomed
        for path, digest in imports.files_of(connection, batch.import_id).items()
    }
    for import_id in doomed:
        for identity, _ in _other_files(connection, import_id):
            sql = "SELECT content_hash FROM raw_imports WHERE id = ?"
            heir = wanted.get(row(connection, sql, (identity,))[0])
            if heir:
                connection.execute(
                    "UPDATE raw_imports SET import_id = ?, file_path = ? WHERE id = ?", (*heir, identity)
                )
        connection.execute("DELETE FROM raw_imports WHERE import_id = ?", (import_id,))
        connection.execute("DELETE FROM import_manifest WHERE import_id = ?", (import_id,))


def _forget_unowned(connection: apsw.Connection, hashes: Collection[str]) -> None:
    """Forget bytes that no page was made of."""
    connection.execute(
        f"DELETE FROM raw_imports WHERE page_id IS NULL AND file_path <> ?2 AND content_hash {_IN}",
        (json.dumps(sorted(hashes)), LISTING),
    )


def _batches_like(connection: apsw.Connection, import_id: str) -> list[_Batch]:
    found = rows(
        connection,
        """SELECT s.import_id, s.source_dir = m.source_dir FROM import_manifest m
           JOIN import_manifest s ON s.importer = m.importer AND s.collection_id = m.collection_id
           WHERE m.import_id = ?""",
        (import_id,),
    )
    return [_Batch(name, bool(same)) for name, same in found]


def _other_files(connection: apsw.Connection, import_id: str) -> list[tuple[int, str]]:
    sql = "SELECT id, file_path FROM raw_imports WHERE import_id = ? AND page_id IS NULL AND file_path <> ?"
    return rows(connection, sql, (import_id, LISTING))


def _last(path: str) -> str:
    return path.rpartition("/")[2]
