"""From older memories to this one, and never half-way."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from quaid.app import App, open_app
from quaid.errors import Corrupt
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.store.migrations import SCHEMA_VERSION, migrate, scripts
from tests.support import PATIENCE, call, dump, found, open_memory, quick, version_of

DATABASES = Path(__file__).parent / "databases"
FIXTURES = sorted(DATABASES.glob("v*.db"), key=lambda file: int(file.stem[1:]))
NEXT = SCHEMA_VERSION + 1
STEPS = {
    NEXT: "CREATE TABLE moods (page_id INTEGER, mood TEXT); INSERT INTO moods SELECT id, 'good' FROM pages;",
    NEXT + 1: "ALTER TABLE moods ADD COLUMN reason TEXT; UPDATE moods SET reason = 'spring';",
}


@pytest.fixture
def old(app: App) -> App:
    """A memory that is older than the program that opens it."""
    call(app, "put", slug="a", content="# A\n\nwalrus [[b]]\n")
    call(app, "put", slug="b", content="# B\n")
    return app


def user_version(path: Path) -> int:
    connection = apsw.Connection(str(path))
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def schema_of(path: Path) -> list[tuple[str, ...]]:
    connection = apsw.Connection(str(path))
    try:
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
        return [(*row[:3], " ".join((row[3] or "").split())) for row in rows]
    finally:
        connection.close()


def columns_of(path: Path) -> set[tuple[str, ...]]:
    """Everything that there is, and the columns of tables, whatever text made them."""
    connection = apsw.Connection(str(path))
    try:
        made = set(connection.execute("SELECT type, name, tbl_name FROM sqlite_schema"))
        columns = connection.execute(
            """SELECT m.name, x.name, x.type, x."notnull", x.dflt_value, x.pk
               FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) x WHERE m.type = 'table'"""
        )
        return made | set(columns)
    finally:
        connection.close()


def test_a_chain_runs_after_a_backup(old: App, db: Path) -> None:
    before = dump(db)
    backup = migrate(old.connection, db, STEPS, NEXT + 1)
    assert backup == db.with_name(f"memory.db.backup-v{SCHEMA_VERSION}")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert dump(backup)["pages"] == before["pages"]
    assert "moods" not in dump(backup)
    assert user_version(backup) == SCHEMA_VERSION
    assert list(old.connection.execute("SELECT * FROM moods")) == [
        (1, "good", "spring"),
        (2, "good", "spring"),
    ]
    assert user_version(db) == NEXT + 1


def test_the_backup_is_a_memory_that_works(old: App, db: Path) -> None:
    backup = migrate(old.connection, db, STEPS, NEXT + 1)
    assert backup
    restored = App(Store.open(backup), Settings())
    assert found(restored, "walrus") == ["a"]
    assert not call(restored, "validate", all=True)["findings"]
    restored.store.close()


@pytest.mark.parametrize(
    "failing", ["INSERT INTO nowhere VALUES (1)", "DELETE FROM pages; SELECT no_such_thing()"]
)
def test_a_step_that_fails_undoes_all_of_them(old: App, db: Path, failing: str) -> None:
    before = dump(db)
    steps = {**STEPS, NEXT + 2: failing}
    with pytest.raises(apsw.SQLError):
        migrate(old.connection, db, steps, NEXT + 2)
    assert dump(db) == before
    assert user_version(db) == SCHEMA_VERSION
    assert not old.connection.in_transaction
    assert migrate(old.connection, db, STEPS, NEXT + 1)


def test_a_chain_with_a_missing_link_does_nothing(old: App, db: Path) -> None:
    before = dump(db)
    with pytest.raises(Corrupt):
        migrate(old.connection, db, {NEXT + 1: STEPS[NEXT + 1]}, NEXT + 1)
    assert dump(db) == before
    assert not list(db.parent.glob("*backup*"))


def test_a_backup_of_an_interrupted_attempt_is_replaced(old: App, db: Path) -> None:
    stale = db.with_name(f"memory.db.backup-v{SCHEMA_VERSION}")
    stale.write_bytes(b"half a backup")
    assert migrate(old.connection, db, STEPS, NEXT + 1) == stale
    assert user_version(stale) == SCHEMA_VERSION


def test_nothing_is_done_when_there_is_nothing_to_do(old: App, db: Path) -> None:
    assert migrate(old.connection, db, STEPS, SCHEMA_VERSION) is None
    assert not list(db.parent.glob("*backup*"))


def test_of_two_processes_one_migrates(old: App, db: Path) -> None:
    old.store.close()
    script = f"""
import sys, apsw
from pathlib import Path
from quaid.store.migrations import migrate
connection = apsw.Connection({str(db)!r})
connection.set_busy_timeout({PATIENCE * 1000})
print("ready", flush=True)
sys.stdin.readline()
print(migrate(connection, Path({str(db)!r}), {STEPS!r}, {NEXT + 1}))
"""
    pipe = subprocess.PIPE
    workers = [
        subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, text=True) for _ in "123"
    ]
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    answers = [worker.communicate(timeout=PATIENCE)[0].strip() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    assert sorted(answers)[1:] == ["None", "None"]
    assert sorted(answers)[0].endswith(f".backup-v{SCHEMA_VERSION}")
    assert dump(db)["moods"] == [(1, "good", "spring"), (2, "good", "spring")]


def test_a_migration_leads_to_every_version_after_the_first() -> None:
    assert sorted(scripts()) == list(range(2, SCHEMA_VERSION + 1))


def test_there_is_a_fixture_of_every_version() -> None:
    assert [file.name for file in FIXTURES] == [f"v{number}.db" for number in range(1, SCHEMA_VERSION + 1)]


def test_the_schema_has_not_changed_without_a_new_version(tmp_path: Path) -> None:
    open_memory(tmp_path / "new.db").store.close()
    shutil.copyfile(DATABASES / f"v{SCHEMA_VERSION}.db", tmp_path / "fixture.db")
    assert schema_of(tmp_path / "new.db") == schema_of(tmp_path / "fixture.db"), (
        "schema.sql changed: raise SCHEMA_VERSION, add a migration, run tests/store/make_fixture.py "
        "(--again while the version is unreleased)"
    )


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.name)
def test_migrations_lead_to_the_schema_of_a_new_memory(fixture: Path, tmp_path: Path) -> None:
    open_memory(tmp_path / "new.db").store.close()
    shutil.copyfile(fixture, tmp_path / "old.db")
    Store.open(tmp_path / "old.db").close()
    assert columns_of(tmp_path / "old.db") == columns_of(tmp_path / "new.db")


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.name)
def test_memories_of_every_past_version_open(fixture: Path, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(fixture, path)
    Store.open(path).close()  # a program that is killed before it derives anything
    app = open_app(path, Settings())
    assert app.connection.pragma("user_version") == SCHEMA_VERSION
    page = call(app, "get", slug="Al")
    assert (page["slug"], page["tags"]) == ("people/alice", ["founder", "創業者"])
    assert found(app, "学习") == ["people/alice"]
    assert found(app, "walrus") == []
    assert [entry["date"] for entry in call(app, "timeline", slug="people/alice")["entries"]] == [
        "2026-04-14",
        "2024-01-15",
    ]
    assert call(app, "links", slug="people/alice")["links"][0]["to"] == "companies/river"
    assert call(app, "raw", slug="companies/river")["sources"][0]["data"] == {"headcount": 12}
    assert call(app, "config get", key="list.limit")["value"] == 7
    assert version_of(app, "people/bob") == 4
    assert call(app, "restore", slug="people/removed")["version"] > 2
    app.store.close()
    ran = quick("validate", "--all", db=path)
    assert ran.status == 0, ran.out


def test_a_backup_that_was_restored_is_migrated_again(tmp_path: Path) -> None:
    memory = tmp_path / "memory.db"
    memory.write_bytes(FIXTURES[0].read_bytes())
    Store.open(memory).close()
    backup = next(tmp_path.glob("memory.db.backup-v*"))
    for path in tmp_path.glob("memory.db-*"):
        path.unlink()
    memory.write_bytes(backup.read_bytes())
    store = Store.open(memory)
    assert store.connection.pragma("user_version") == SCHEMA_VERSION
    assert store.connection.pragma("journal_mode") == "wal"
    store.close()
    assert backup.stat().st_size > 0
