"""One true file, whoever reads meanwhile."""

from __future__ import annotations

import json
import select
import shutil
import subprocess
from pathlib import Path

from quaid.app import App
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.support import PATIENCE, PROGRAM, ask, call, environment, held, quick


def wal(db: Path) -> Path:
    return db.with_name(db.name + "-wal")


def test_afterwards_the_file_alone_is_the_memory(app: App, db: Path, tmp_path: Path) -> None:
    for number in range(5):
        call(app, "put", slug=f"p-{number}", content=f"# Page {number}\n")
    assert wal(db).stat().st_size > 0
    assert call(app, "compact")["complete"] is True
    assert wal(db).stat().st_size == 0
    shutil.copyfile(db, tmp_path / "copy.db")
    copy = App(Store.open(tmp_path / "copy.db"), Settings())
    assert len(call(copy, "list")["pages"]) == 5
    copy.store.close()


def test_a_reader_keeps_what_it_sees(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    with held(db, "BEGIN") as reader:
        for number in range(20):
            call(app, "put", slug=f"p-{number}", content="word " * 2000)
        ran = quick("compact", "--json", db=db)
        assert ran.status == 0
        assert ran.json["complete"] is False
        assert "-wal still belongs to it" in quick("compact", db=db).out
        assert ask(reader, "SELECT count(*) FROM pages") == "[(1,)]"
        assert ask(reader, "SELECT packed FROM pages") == str([("# A\n",)])
    ran = quick("compact", "--json", db=db)
    assert ran.json["complete"] is True
    assert not wal(db).exists() or wal(db).stat().st_size == 0
    assert len(call(app, "list")["pages"]) == 21


def test_free_space_is_given_back(app: App, db: Path) -> None:
    call(app, "put", slug="keep", content="# Keep\n")
    with app.store.write() as connection:
        for number in range(50):
            call(app, "put", slug=f"p-{number}", content=" ".join(f"{number}x{each}" for each in range(2000)))
    call(app, "compact")
    large = db.stat().st_size
    with app.store.write() as connection:
        connection.execute("DELETE FROM pages WHERE slug <> 'keep'")
    result = call(app, "compact")
    assert result["complete"] is True
    assert result["bytes_after"] == db.stat().st_size < large / 2
    assert not call(app, "validate", all=True)["findings"]


def test_it_waits_for_nobody_but_harms_nobody_who_writes(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    with held(db, "BEGIN IMMEDIATE") as writer:
        ran = quick("compact", "--json", db=db, env={"QUAID_STORE_BUSY_TIMEOUT": "0.2"})
        assert ran.status in (0, 8)
        ask(writer, "UPDATE pages SET title = 'Written'")
        ask(writer, "COMMIT")
    assert call(app, "get", slug="a")["title"] == "Written"


def test_later_writes_of_the_same_process_wait_as_long_as_before(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    pipe = subprocess.Popen(
        [PROGRAM, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(db), text=True
    )
    assert pipe.stdin
    assert pipe.stdout

    def send(tool: str, **args: object) -> None:
        pipe.stdin.write(json.dumps({"tool": tool, "args": args}) + "\n")
        pipe.stdin.flush()

    send("memory_compact")
    assert "result" in json.loads(pipe.stdout.readline())
    with held(db, "BEGIN IMMEDIATE") as writer:
        send("memory_put", slug="b", content="x", expected_version=0)
        waiting = select.poll()  # `select` knows the first 1,024 files of a process only
        waiting.register(pipe.stdout, select.POLLIN)
        answered = waiting.poll(1000)
        assert not answered, pipe.stdout.readline()
        ask(writer, "COMMIT")
        answer = json.loads(pipe.stdout.readline())
    pipe.stdin.close()
    pipe.wait(timeout=PATIENCE)
    pipe.stdout.close()
    assert answer.get("result", {}).get("version") == 1, answer
