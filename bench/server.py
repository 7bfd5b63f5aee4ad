"""How a server over HTTP holds up: many clients, half of them writing, on one memory.

Each writer makes pages, one after the other; each reader reads, searches, lists (`read`) and asks by meaning
(`ask`), by turns. Then everything that was acknowledged is looked for. A second table has processes that
write to one memory without a server, each as fast as it can: how many writes each got, and how long one
waited at most.
Usage: server.py [--clients 100] [--seconds 60] [--processes 8]
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import quote

from quaid.store.connection import Store

sys.path.insert(0, str(Path(__file__).parent))
from _measures import table

TOKEN = "a-token-for-the-bench-only"  # of a memory that is thrown away
WORDS = ["harbour", "river", "lighthouse", "ferry", "market", "bridge", "tower", "garden", "orchard", "mill"]


class Server:
    """A server of its own process."""

    def __init__(self, db: Path) -> None:
        unlimited = {"QUAID_SERVER_RATE": "100000", "QUAID_SERVER_AT_ONCE": "1000"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "quaid", "--db", str(db), "serve", "--http", "--port", "0"],
            env={**os.environ, "QUAID_TOKEN": TOKEN, "QUAID_EMBED_BACKGROUND": "off", **unlimited},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr
        found = re.search(r":(\d+)/mcp", self.process.stderr.readline())
        assert found
        self.port = int(found[1])

    @property
    def most_memory(self) -> float:
        """MB that it had at most; 0 where that cannot be told."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        found = re.search(r"VmHWM:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0


class Client(threading.Thread):
    """Somebody who asks, one request after the other."""

    def __init__(self, port: int, number: int, ends: float, *, writes: bool) -> None:
        super().__init__(daemon=True)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._chance = random.Random(number)
        self._ends = ends
        self.number = number
        self.writes = writes
        self.took: dict[str, list[float]] = {"write": [], "read": [], "ask": []}
        self.acknowledged: dict[str, str] = {}
        self.failures: list[tuple[int, str]] = []

    def run(self) -> None:
        while time.monotonic() < self._ends:
            begin = time.perf_counter()
            kind = (self._write if self.writes else self._read)()
            self.took[kind].append((time.perf_counter() - begin) * 1000)

    def _write(self) -> str:
        turn = len(self.took["write"])
        text = f"# Page {self.number}-{turn}\n\nThe {self._chance.choice(WORDS)} of {self.number}, {turn}.\n"
        slug = f"c{self.number}/p{turn}"
        if self._ask("POST", "/api/put", {"slug": slug, "content": text, "expected_version": 0}) is not None:
            self.acknowledged[slug] = text
        return "write"

    def _read(self) -> str:
        word = self._chance.choice(WORDS)
        path = self._chance.choice(
            [
                "/api/list?limit=20",
                f"/api/search?query={word}",
                f"/api/query?question={quote(f'the {word}')}&limit=5",
                f"/api/get?slug=seed/{word}",
            ]
        )
        self._ask("GET", path)
        return "ask" if path.startswith("/api/query") else "read"

    def _ask(self, method: str, path: str, values: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        self._connection.request(method, path, json.dumps(values) if values else None, headers)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status == 200:
            return json.loads(body)
        self.failures.append((answer.status, body.decode()[:200]))
        return None


def spread(took: list[float]) -> list[object]:
    """Median, 95th percentile and maximum, in ms."""
    return [round(median(took)), round(quantiles(took, n=20)[-1]), round(max(took))]


def texts(db: Path) -> dict[str, str]:
    """What the memory holds."""
    store = Store.open(db)
    found = dict(store.connection.execute("SELECT slug, whole(packed) FROM pages"))
    store.close()
    return found


def served(folder: Path, clients: int, seconds: float) -> None:
    """Many clients of one server."""
    db = folder / "memory.db"
    Store.create(db).close()
    server = Server(db)
    try:
        ask_all(server, db, clients, seconds)
    finally:
        server.process.terminate()
        server.process.wait(30)


def ask_all(server: Server, db: Path, clients: int, seconds: float) -> None:
    """Let the clients ask, and say how they fared."""
    asked = Client(server.port, 0, 0, writes=True)
    for word in WORDS:
        asked._ask(
            "POST", "/api/put", {"slug": f"seed/{word}", "content": f"# {word}\n", "expected_version": 0}
        )
    asked._ask("GET", "/api/query?question=harbour")
    ends = time.monotonic() + seconds
    everybody = [Client(server.port, each, ends, writes=each % 2 == 1) for each in range(1, clients + 1)]
    for client in everybody:
        client.start()
    for client in everybody:
        client.join()
    memory = server.most_memory
    rows = []
    for name in ("write", "read", "ask"):
        chosen = [each for each in everybody if each.writes == (name == "write")]
        took = [each for client in chosen for each in client.took[name]]
        counts = [len(client.took[name]) for client in chosen]
        rate = len(took) / seconds
        rows.append([name, len(chosen), len(took), rate, *spread(took), min(counts), max(counts)])
    head = [
        "",
        "clients",
        "requests",
        "a second",
        "p50 ms",
        "p95 ms",
        "max ms",
        "fewest of one",
        "most of one",
    ]
    print(table(head, rows))
    kept = texts(db)
    lost = [
        slug for client in everybody for slug, text in client.acknowledged.items() if kept.get(slug) != text
    ]
    failures = [each for client in everybody for each in client.failures]
    written = sum(len(client.acknowledged) for client in everybody)
    print(f"\n{written:,} pages were acknowledged, {len(lost)} are lost; {len(failures)} requests failed.")
    print(f"The server had {memory:.0f} MB at most.\n")
    for failure in failures[:3]:
        print(failure)


def write_alone(db: Path, begins: float, ends: float, told: Any) -> None:
    """A process that writes as fast as it can."""
    store = Store.open(db, 120)
    waits = []
    time.sleep(max(0, begins - time.time()))
    while time.time() < ends:
        asked = time.perf_counter()
        with store.write() as connection:
            waits.append((time.perf_counter() - asked) * 1000)
            connection.execute(
                "INSERT OR REPLACE INTO config (key, value) VALUES (?, ?)",
                (f"bench.{os.getpid()}", str(len(waits))),
            )
            time.sleep(0.004)  # about what a page takes
    told.put((len(waits), max(waits)))


def apart(folder: Path, processes: int, seconds: float) -> None:
    """Processes without a server."""
    db = folder / "apart.db"
    Store.create(db).close()
    told: Any = multiprocessing.Queue()
    begins = time.time() + 2
    running = [
        multiprocessing.Process(target=write_alone, args=(db, begins, begins + seconds, told))
        for _ in range(processes)
    ]
    for process in running:
        process.start()
    found = sorted(told.get() for _ in running)
    for process in running:
        process.join()
    counts, waits = [count for count, _ in found], [wait for _, wait in found]
    row = [processes, sum(counts) / seconds, min(counts), max(counts), round(max(waits))]
    print(table(["processes", "writes a second", "fewest of one", "most of one", "longest wait ms"], [row]))


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        served(Path(folder), given.clients, given.seconds)
        if given.processes:
            apart(Path(folder), given.processes, min(given.seconds, 10))


if __name__ == "__main__":
    main()
