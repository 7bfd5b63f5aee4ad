"""A memory made anew in its place, of its own rows, where only what is derived from them is damaged."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from quaid.errors import Busy, Corrupt
from quaid.files import make_private_file, read_own
from quaid.store.connection import Store
from quaid.store.failures import RESCUE, translation
from quaid.store.pager import DatabaseFile, log_of, moment
from quaid.store.recovery import recover

SUFFIX = ".damaged"
_MOST_SHOWN = 3


def is_whole(connection: apsw.Connection) -> bool:
    """Whether SQLite can read all of the file."""
    try:
        return connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
    except (apsw.Error, UnicodeDecodeError):
        return False


def remake(store: Store) -> Path:
    """Let the memory hold its rows in a sound file; the answer is where the damaged one is kept.

    It happens in one transaction: whoever has the memory open sees the new one. What is derived may be
    missing afterwards, and the word indexes are empty.
    """
    with translation(store.path), TemporaryDirectory(dir=store.path.parent, prefix=".quaid-") as place:
        sound = Path(place) / store.path.name
        connection = store.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            data, log = _file_and_log(connection, store.path)
            lost = recover(DatabaseFile(data, log), sound).losses
            if lost:
                shown = "; ".join(f"{each.what}: {each.detail}" for each in lost[:_MOST_SHOWN])
                more = f" and {len(lost) - _MOST_SHOWN} more" if len(lost) > _MOST_SHOWN else ""
                raise Corrupt(f"{store.path} holds damage that is not derived: {shown}{more}", hint=RESCUE)
            kept = _keep(store.path, data, log)
            before = _moments(store.path)
        finally:
            connection.execute("ROLLBACK")
        if _moments(store.path) != before:
            raise Busy(f"{store.path} was written to meanwhile", hint="Try again; nothing was changed.")
        with (
            closing(apsw.Connection(str(sound), flags=apsw.SQLITE_OPEN_READONLY)) as other,
            connection.backup("main", other, "main") as copying,
        ):
            copying.step()
        return kept


def _file_and_log(connection: apsw.Connection, path: Path) -> tuple[bytes, bytes]:
    """The file, read through SQLite's own hand, and its log."""
    size = os.stat(path).st_size
    _, data = connection.read("main", 0, 0, size)
    log = b""
    with suppress(FileNotFoundError):
        log = read_own(log_of(path))
    return data, log


def _keep(path: Path, data: bytes, log: bytes) -> Path:
    """Keep the damaged memory beside the new one, with its log."""
    kept = path.with_name(path.name + SUFFIX)
    number = 1
    while os.path.lexists(kept):
        number += 1
        kept = path.with_name(f"{path.name}{SUFFIX}-{number}")
    for place, content in ((kept, data), (log_of(kept), log)):
        if content:
            make_private_file(place)
            place.write_bytes(content)
    return kept


def _moments(path: Path) -> tuple[tuple[int, int] | None, ...]:
    return moment(path), moment(log_of(path))
