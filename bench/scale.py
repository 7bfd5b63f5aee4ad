"""How a memory behaves as it grows: python bench/scale.py [--pages 100000] [--together].

Pages are built through the write path that every command uses, a thousand to a transaction, or `--together`
as the first sync of a folder stores them, which a million pages want; in each tenth of the build, puts that
are durable one by one are timed as well. Reading and searching happen in a process of their own, so that its
memory can be told.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apsw
from _corpus import Corpus, Draft
from _memories import stored

from quaid import operations
from quaid.app import App
from quaid.formats.segments import match_query
from quaid.settings import Settings
from quaid.store.connection import Store

BATCH = 1000
SINGLE_PUTS = 60
READS = 1000


def main() -> None:
    """Build, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--together", action="store_true", help="Store many pages at once.")
    parser.add_argument("--keep", type=Path, help="Where to build; otherwise a temporary directory.")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        print(json.dumps(read(given.read, Corpus(given.pages))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        path = (given.keep or Path(temporary)) / "memory.db"
        print(f"{given.pages:,} pages; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
        build(path, Corpus(given.pages), store_all if given.together else put)
        command = [sys.executable, __file__, "--pages", str(given.pages), "--read", str(path)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        report(json.loads(answer.stdout), path)


def build(path: Path, corpus: Corpus, write: Callable[[App, list[Draft]], None]) -> None:
    """Write the pages, and say how each tenth of them went."""
    app = App(Store.create(path), Settings())
    print(f"{'pages':>9} {'put/s':>8} {'put p50':>9} {'put p95':>9}   (single durable puts, ms)")
    tenth = max(1, corpus.pages // 10)
    for start in range(0, corpus.pages, tenth):
        numbers = range(start, min(start + tenth, corpus.pages))
        singles, batched = numbers[:SINGLE_PUTS], numbers[SINGLE_PUTS:]
        drafts = [corpus.draft(number) for number in singles]
        times = [timed(lambda draft=draft: put(app, [draft])) for draft in drafts]
        took = 0.0
        for first in range(0, len(batched), BATCH):
            drafts = [corpus.draft(number) for number in batched[first : first + BATCH]]
            took += timed(lambda drafts=drafts: write(app, drafts)) / 1000
        rate = len(batched) / took if batched else 0
        print(f"{numbers[-1] + 1:>9,} {rate:>8,.0f} {middle(times):>9.2f} {high(times):>9.2f}", flush=True)
    app.store.close()
    print(f"\nbare durable INSERT of such a page, no index: p50 {bare_insert(path, corpus):.2f} ms")
    print(f"peak memory of the building process: {peak_mb():.0f} MB")


def put(app: App, drafts: list[Draft]) -> None:
    """Pages as a program writes them, in one transaction."""
    with app.store.write():
        for draft in drafts:
            values = {"slug": draft.slug, "content": draft.text, "expected_version": 0}
            operations.call(app, "memory_put", values)


def store_all(app: App, drafts: list[Draft]) -> None:
    """New pages as the first sync of a folder stores them."""
    stored(app, [(draft.slug, draft.text) for draft in drafts])


def bare_insert(path: Path, corpus: Corpus) -> float:
    """What SQLite alone needs for a durable row of that size."""
    beside = path.with_name("bare.db")
    connection = apsw.Connection(str(beside))
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA synchronous = FULL; CREATE TABLE t (text)")
    texts = [corpus.draft(number).text for number in range(SINGLE_PUTS)]
    times = [timed(lambda t=t: connection.execute("INSERT INTO t VALUES (?)", (t,))) for t in texts]
    connection.close()
    beside.unlink()
    return middle(times)


def read(path: Path, corpus: Corpus) -> dict[str, Any]:
    """Read and search; the times are in milliseconds."""
    app = App(Store.open(path), Settings())
    rng = random.Random(7)
    slugs = [corpus.slug(rng.randrange(corpus.pages)) for _ in range(READS)]
    queries = corpus.queries(READS)
    plain = [{"query": query} for query in queries]
    filters = ({"type": "person"}, {"tag": "tag-0"}, {"wing": "companies"}, {"since": "2020-01-01"})
    filtered = [{"query": query, **filters[n % 4]} for n, query in enumerate(queries[:400])]
    linked = [{"slug": corpus.slug(number)} for number in range(200)]
    lists: list[dict[str, Any]] = [{}, {"type": "person"}, {"tag": "tag-0"}, {"sort": "title"}] * 25
    result: dict[str, Any] = {
        "get": series(app, "memory_get", ({"slug": slug} for slug in slugs)),
        "list": series(app, "memory_list", lists),
        "backlinks": series(app, "memory_backlinks", linked),
        "search": series(app, "memory_search", plain),
        "search, filtered": series(app, "memory_search", filtered),
        "bare FTS5 query": [timed(lambda q=q: bare_query(app, q)) for q in queries],
        "bare row by slug": [timed(lambda s=s: bare_row(app, s)) for s in slugs],
    }
    by_kind: dict[str, list[float]] = {}
    for number, took in enumerate(result["search"]):
        kind = {7: "search: 2 very common words", 8: "search: phrase", 9: "search: CJK"}.get(number % 10)
        by_kind.setdefault(kind or f"search: words, {1 + number % 4}", []).append(took)
    slowest = max(range(READS), key=lambda number: result["search"][number])
    return {"times": result | by_kind, "slowest": queries[slowest], "peak": peak_mb()}


def series(app: App, tool: str, calls: Iterable[dict[str, Any]]) -> list[float]:
    """How long each call takes."""
    return [timed(lambda values=values: operations.call(app, tool, values)) for values in calls]


def bare_query(app: App, query: str) -> None:
    """The same words asked of the index alone, without snippets and pages."""
    match = match_query(query, every=True)
    if match:
        sql = "SELECT rowid FROM page_fts WHERE page_fts MATCH ? ORDER BY rank LIMIT 20"
        app.connection.execute(sql, (match,)).fetchall()


def bare_row(app: App, slug: str) -> None:
    """The page's row and nothing else."""
    app.connection.execute("SELECT * FROM live_pages WHERE slug = ?", (slug,)).fetchall()


def report(measured: dict[str, Any], path: Path) -> None:
    """A table for people."""
    print(f"\n{'':28} {'p50':>9} {'p95':>9} {'max':>9}   (ms, in process)")
    for name, times in measured["times"].items():
        print(f"{name:28} {middle(times):>9.2f} {high(times):>9.2f} {max(times):>9.2f}   n={len(times)}")
    print(f"\nslowest search: {measured['slowest']}")
    print(f"peak memory of the reading process: {measured['peak']:.0f} MB")
    print(f"database: {path.stat().st_size / 1e6:,.0f} MB")


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def middle(times: list[float]) -> float:
    """The median."""
    return sorted(times)[len(times) // 2]


def high(times: list[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def peak_mb() -> float:
    """The most memory that this process ever had."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    main()
