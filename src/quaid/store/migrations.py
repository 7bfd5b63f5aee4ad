"""From an older schema to this program's, with a backup, in one transaction."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from quaid.errors import Corrupt
from quaid.files import make_private_file
from quaid.store.keys import file_key, name_key
from quaid.store.packing import register_for_steps

SCHEMA_VERSION = 12
READ_OTHERWISE = 11  # the version since which nothing else is read out of pages than before
STEPS = Path(__file__).with_name("steps")


def migrate(
    connection: apsw.Connection,
    path: Path,
    steps: dict[int, str] | None = None,
    target: int = SCHEMA_VERSION,
) -> Path | None:
    """Bring the memory to `target`; the answer is the backup's path, or None if nothing was to be done.

    The write lock is taken first, so that the backup is what the migration starts from. SQLite does not
    run VACUUM inside a transaction, hence the second connection.
    """
    connection.execute("BEGIN EXCLUSIVE")
    try:
        version = connection.pragma("user_version")
        if version >= target:
            connection.execute("ROLLBACK")
            return None
        chain = _chain(version, target, scripts() if steps is None else steps, path)
        backup = _back_up(path, version)
        register_for_steps(connection)
        _register_names(connection)
        for script in chain:
            connection.execute(script)
        connection.execute(f"PRAGMA user_version = {target}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return backup


def _register_names(connection: apsw.Connection) -> None:
    """What turns names into the keys by which they are kept."""
    from quaid.formats.addresses import checksum, meaning_of  # start-up: most memories are up to date

    for name, function, arguments in (
        ("name_key", name_key, 1),
        ("file_key", lambda target, written: file_key(meaning_of(target, written)[1]), 2),
        ("checksum", checksum, 1),
    ):
        made: Any = function  # which is given texts alone
        connection.create_scalar_function(name, made, arguments, deterministic=True)


def scripts() -> dict[int, str]:
    """The script that leads to each version from the one before it."""
    return {int(file.stem): file.read_text(encoding="utf-8") for file in STEPS.glob("*.sql")}


def _chain(version: int, target: int, steps: dict[int, str], path: Path) -> list[str]:
    missing = [step for step in range(version + 1, target + 1) if step not in steps]
    if version < 1 or missing:
        raise Corrupt(
            f"{path} has schema version {version}, which no Quaid wrote", hint="Restore it from a backup."
        )
    return [steps[step] for step in range(version + 1, target + 1)]


def _back_up(path: Path, version: int) -> Path:
    """A compacted copy beside the memory. An earlier one stays until there is another."""
    backup = path.with_name(f"{path.name}.backup-v{version}")
    ready = backup.with_name(f"{backup.name}.tmp")
    ready.unlink(missing_ok=True)
    make_private_file(ready)
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as reader:
        reader.execute("VACUUM INTO ?", (str(ready),))
    ready.replace(backup)
    return backup
