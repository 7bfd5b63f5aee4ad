"""Several clients on one memory. With -s it shows the times."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.mcp.talking import Talk
from tests.support import lengths, quick

SHARED = 20

pytestmark = pytest.mark.stress


class Client:
    """One agent: it reads, asks and writes at random, and notes what was acknowledged."""

    def __init__(self, db: Path, number: int) -> None:
        self.number = number
        self.chance = random.Random(number)
        self.server = Talk(db, "--tools", "full")
        self.server._guard.cancel()
        self.acknowledged: list[tuple[str, str]] = []
        self.conflicts = 0
        self.errors: list[object] = []
        self.took: dict[str, list[float]] = {"read": [], "write": []}

    def run(self, turns: int) -> None:
        for turn in range(turns):
            kind = self.chance.choice(
                ["get", "search", "query", "list", "append", "append", "create", "link"]
            )
            begin = time.perf_counter()
            wrote = getattr(self, f"_{kind}")(turn)
            self.took["write" if wrote else "read"].append((time.perf_counter() - begin) * 1000)

    def _call(self, name: str, **arguments: object) -> dict[str, object]:
        answer = self.server.call(name, **arguments)
        error = answer.get("error")
        if isinstance(error, dict) and error["code"] != "conflict":
            self.errors.append((name, error))
        return answer

    def _page(self) -> str:
        return f"people/shared-{self.chance.randrange(SHARED)}"

    def _get(self, turn: int) -> bool:
        self._call("memory_get", slug=self._page())
        return False

    def _search(self, turn: int) -> bool:
        self._call("memory_search", query=f"client {self.chance.randrange(8)}")
        return False

    def _query(self, turn: int) -> bool:
        self._call("memory_query", question="who met client 3?")
        return False

    def _list(self, turn: int) -> bool:
        self._call("memory_list", limit=5)
        return False

    def _append(self, turn: int) -> bool:
        """As an agent does: read, write with that version, and again on a conflict."""
        slug, summary = self._page(), f"Client {self.number} in turn {turn}"
        for _ in range(200):
            version = self._call("memory_get", slug=slug)["version"]
            answer = self._call(
                "memory_timeline_add", slug=slug, date="2026-04-03", summary=summary, page_version=version
            )
            if "error" not in answer:
                self.acknowledged.append((slug, summary))
                return True
            self.conflicts += 1
        raise AssertionError("no end of conflicts")

    def _create(self, turn: int) -> bool:
        slug = f"notes/client-{self.number}-{turn}"
        text = f"# Note {turn}\n\nOf client {self.number}.\n"
        if "error" not in self._call("memory_put", slug=slug, content=text, expected_version=0):
            self.acknowledged.append((slug, f"Of client {self.number}."))
        return True

    def _link(self, turn: int) -> bool:
        slug = self._page()
        version = self._call("memory_get", slug=slug)["version"]
        self._call("memory_link", **{"from": slug}, to=f"companies/c{turn}", page_version=version)
        return True


@lengths("load", (3, 12), (8, 500))
def test_clients_at_once_lose_nothing(tmp_path: Path, load: tuple[int, int]) -> None:
    count, turns = load
    db = tmp_path / "memory.db"
    quick("init", db)
    for number in range(SHARED):
        quick("put", f"people/shared-{number}", input=f"# Shared {number}\n", db=db)
    clients = [Client(db, number) for number in range(count)]
    for client in clients:
        client.server.greet()
    threads = [threading.Thread(target=client.run, args=(turns,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        assert client.errors == []
        assert client.server.end() == 0
    acknowledged = [each for client in clients for each in client.acknowledged]
    texts: dict[str, str] = {}
    with_pages = Talk(db)
    with_pages.greet()
    try:
        for slug, words in acknowledged:
            texts.setdefault(slug, whole(with_pages, slug))
            assert texts[slug].count(words + "\n") == 1, (slug, words)
    finally:
        with_pages.stop()
    assert quick("validate", "--all", db=db).status == 0
    conflicts = sum(client.conflicts for client in clients)
    print(
        f"\n{count} clients, {turns} turns each: {len(acknowledged):,} writes kept, {conflicts:,} conflicts"
    )
    for kind in ("read", "write"):
        took = [each for client in clients for each in client.took[kind]]
        p95 = quantiles(took, n=20)[-1]
        print(f"  {kind:5} {len(took):6,} times   p50 {median(took):6.1f} ms   p95 {p95:6.1f} ms")
    assert Counter(client.number for client in clients if client.acknowledged).total() == count


def whole(server: Talk, slug: str) -> str:
    """A page's text, however long."""
    text, offset = "", 0
    while True:
        page = server.call("memory_get", slug=slug, offset=offset)
        text += str(page["content"])
        if "next" not in page:
            return text
        offset = page["next"]["offset"]
