from __future__ import annotations

import re
import subprocess
import threading
from http.client import HTTPException
from pathlib import Path

from quaid.store.connection import Store
from tests.forked import programs
from tests.support import PATIENCE, environment, lengths, open_memory, quick
from tests.web.serving import TOKEN, Running, running


@lengths("writes", 8, 100)
def test_many_clients_write_and_nothing_is_lost(tmp_path: Path, writes: int) -> None:
    """Twenty clients of a server, while others write to the memory beside it."""
    db = tmp_path / "memory.db"
    open_memory(db).store.close()
    acknowledged: list[str] = []
    failed: list[bytes] = []
    with running(db) as served:

        def write(number: int) -> None:
            for turn in range(writes):
                answer = served.post("/api/put", slug=f"c{number}/p{turn}", content=f"# {number} {turn}\n")
                (acknowledged if answer.status == 200 else failed).append(
                    answer.json.get("slug", answer.body)
                )

        def disturb() -> None:
            store = Store.open(db)
            for turn in range(writes):
                with store.write() as connection:
                    connection.execute("INSERT OR REPLACE INTO config (key, value) VALUES ('x', ?)", (turn,))
            store.close()

        threads = [threading.Thread(target=write, args=(number,)) for number in range(20)]
        threads += [threading.Thread(target=disturb) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed
        listed = {each["slug"] for each in served.get(f"/api/list?limit={30 * writes}").json["pages"]}
    assert len(acknowledged) == 20 * writes
    assert listed == set(acknowledged)


def started(db: Path, port: int = 0) -> tuple[subprocess.Popen[bytes], Running]:
    """A server of a process of its own."""
    process = subprocess.Popen(
        [programs() / "quaid", "serve", "--http", "--port", str(port)],
        stderr=subprocess.PIPE,
        env=environment(db, {"QUAID_TOKEN": TOKEN}),
    )
    assert process.stderr
    line = process.stderr.readline().decode()
    found = re.search(r"127\.0\.0\.1:(\d+)/mcp", line)
    assert found, line
    return process, Running(int(found[1]), db)


def test_a_restart_under_load_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", db)
    process, served = started(db)
    acknowledged: list[str] = []
    enough = threading.Event()

    def write(number: int) -> None:
        for turn in range(1_000):
            try:
                answer = served.post("/api/put", slug=f"c{number}/p{turn}", content=f"# {number} {turn}\n")
            except (OSError, HTTPException):
                return  # the server is gone, and has said nothing
            if answer.status != 200:
                return
            acknowledged.append(answer.json["slug"])
            if len(acknowledged) > 30:
                enough.set()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    assert enough.wait(PATIENCE)
    process.terminate()
    assert process.wait(PATIENCE) == 0
    for thread in threads:
        thread.join()
    again, _ = started(db, served.port)
    try:
        listed = {each["slug"] for each in served.get("/api/list?limit=10000").json["pages"]}
        assert set(acknowledged) <= listed
    finally:
        again.terminate()
        again.wait(PATIENCE)
        for each in (process, again):
            assert each.stderr
            each.stderr.close()
