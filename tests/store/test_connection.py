"""Opening a memory: what it is, who may read it, who may write at one time."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest

from quaid.app import App
from quaid.errors import Busy, Corrupt, NewerSchema, NotFound
from quaid.store import connection
from quaid.store.connection import Store
from quaid.store.migrations import SCHEMA_VERSION
from tests.support import call, dump, found, held, open_memory, quick


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_its_owner_may_read_a_memory(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        app = open_memory(tmp_path / "deep" / "er" / "m.db")
        call(app, "put", slug="a", content="# A\n")
        files = sorted(file.name for file in app.store.path.parent.iterdir())
        modes = {mode(file) for file in app.store.path.parent.iterdir()}
        call(app, "compact")
        app.store.close()
    finally:
        os.umask(before)
    assert files == ["m.db", "m.db-shm", "m.db-wal"]
    assert modes == {0o600}
    assert mode(tmp_path / "deep") == mode(tmp_path / "deep" / "er") == 0o700
    assert mode(tmp_path / "deep" / "er" / "m.db") == 0o600


def test_a_directory_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "shared").chmod(0o755)
    open_memory(tmp_path / "shared" / "m.db").store.close()
    assert mode(tmp_path / "shared") == 0o755


def test_making_a_memory_that_exists_leaves_it_alone(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    before = dump(db)
    Store.create(db).close()
    assert dump(db) == before


def test_two_threads_that_make_the_same_memory_make_one(tmp_path: Path) -> None:
    barrier = threading.Barrier(4)
    failures: list[BaseException] = []

    def make() -> None:
        barrier.wait()
        try:
            Store.create(tmp_path / "m.db").close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert quick("validate", "--all", db=tmp_path / "m.db").status == 0


def test_a_memory_that_another_makes_meanwhile_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, connect = tmp_path / "m.db", connection._connect
    asked: list[str] = []

    def make_before_the_second(_: object, statement: str, __: object) -> bool:
        asked.append(statement)
        if len(asked) == 2:
            Store.create(path).close()
        return True

    def watched(*given: Any) -> apsw.Connection:
        monkeypatch.setattr(connection, "_connect", connect)
        opened = connect(*given)
        opened.exec_trace = make_before_the_second
        return opened

    monkeypatch.setattr(connection, "_connect", watched)
    Store.create(path).close()
    assert len(asked) >= 2
    assert quick("validate", "--all", db=path).status == 0


def test_a_journal_may_go_while_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    Store.create(path).close()
    journal, stop = tmp_path / "m.db-journal", threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            journal.touch()
            journal.unlink(missing_ok=True)

    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        for _ in range(300):
            Store.open(path).close()
    finally:
        stop.set()
        other.join()


def test_a_missing_memory_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Store.open(tmp_path / "no.db")
    assert not (tmp_path / "no.db").exists()


def test_a_newer_memory_is_refused_untouched(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    app.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    app.store.close()
    before = db.read_bytes()
    with pytest.raises(NewerSchema) as caught:
        Store.open(db)
    assert caught.value.data == {"found": SCHEMA_VERSION + 1, "supported": SCHEMA_VERSION}
    ran = quick("get", "a", "--json", db=db)
    assert (ran.status, ran.error["code"]) == (7, "newer_schema")
    assert db.read_bytes() == before


def test_a_version_that_no_quaid_wrote_is_refused(app: App, db: Path) -> None:
    app.connection.execute("PRAGMA user_version = 0")
    app.store.close()
    with pytest.raises(Corrupt):
        Store.open(db)


def test_a_failed_write_leaves_nothing(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    before = dump(db)

    def fail() -> None:
        with app.store.write():
            app.collection().put("b", "[[a]] words\n")
            app.collection().edit("a", lambda text: text + "more")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert dump(db) == before
    assert found(app, "words") == []


def test_writes_wait_for_one_another_and_give_up(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    before = dump(db)
    with held(db, "BEGIN IMMEDIATE"):
        hasty = Store.open(db, busy_timeout=0.05)
        with pytest.raises(Busy), hasty.write():
            pass
        hasty.close()
        ran = quick("put", "b", "--json", input="x", db=db, env={"QUAID_STORE_BUSY_TIMEOUT": "0.2"})
        assert (ran.status, ran.error["code"], ran.out) == (8, "busy", "")
        assert quick("get", "a", db=db).out == "# A\n"
    assert dump(db) == before
    assert quick("put", "b", input="x", db=db).status == 0


def test_a_read_is_one_view_whatever_others_write(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    with app.store.read() as connection:
        assert connection.execute("SELECT count(*) FROM pages").fetchall() == [(1,)]
        assert quick("put", "b", input="x", db=db).status == 0
        assert connection.execute("SELECT count(*) FROM pages").fetchall() == [(1,)]
    assert len(call(app, "list")["pages"]) == 2


def test_every_thread_has_its_own_connection(app: App) -> None:
    seen: list[apsw.Connection] = []
    thread = threading.Thread(target=lambda: seen.append(app.store.connection))
    thread.start()
    thread.join()
    assert seen[0] is not app.store.connection
