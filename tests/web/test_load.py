from __future__ import annotations

import threading
from pathlib import Path

from quaid.store.connection import Store
from tests.support import lengths, open_memory
from tests.web.serving import running


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
