"""Graph, facts and checks in a large memory: python bench/knowledge.py [--pages 100000].

Rows of pages, links and assertions are inserted directly, which takes a minute instead of an hour: five links
and three assertions for each page. A few pages have 10,000 links; the others have the more the lower
their number is. What is measured are whole operations, in this process.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from _memories import high, middle, peak_mb

from quaid import operations
from quaid.app import App
from quaid.operations import graph, links, related
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.store.keys import name_key

SEED = 20260414
NOW = "2026-04-14T12:00:00Z"
LINKS = 5  # for each page
ASSERTIONS = 3
HUBS = 10
HUB_SHARE = 0.2  # of all links: 10,000 for each hub among 500,000
FOLDERS = (("people", "person"), ("companies", "company"), ("projects", "project"), ("concepts", "concept"))
RELATIONSHIPS = ("mentions", "mentions", "mentions", "works_at", "knows", "invested_in", "owns", "advises")
PREDICATES = (("works_at", "knows", "invested_in"), ("status", "stage"), ("role", "lives_in"))
_WORDS = (
    "river stone light paper north garden winter letter music window silver market bridge valley harbour "
    "engine signal carbon copper meadow plan budget review report launch"
)
WORDS = tuple(_WORDS.split())


def main() -> None:
    """Build, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="Where to build, or what was built there before.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path = (given.keep or Path(temporary)) / "memory.db"
        print(f"{given.pages:,} pages; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        if not path.exists():
            took = timed(lambda: build(path, given.pages)) / 1000
            print(f"built in {took:.0f} s: {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        app = App(Store.open(path), Settings(), lambda: NOW)
        print(f"\n{'':34} {'p50':>9} {'p95':>9} {'max':>9}   (ms, in process)")
        measure(app, given.pages, given.runs)
        measure_checks(app)
        print(f"\npeak memory: {peak_mb():.0f} MB")


def build(path: Path, pages: int) -> None:
    """A memory with its rows inserted directly; what is derived from texts is derived from nothing here."""
    store = Store.create(path)
    rng = random.Random(SEED)
    with store.write() as connection:
        connection.executemany(
            """INSERT INTO pages (id, slug, type, title, rule_start, timeline_start, packed, frontmatter,
                   created_at, updated_at, truth_changed_at, timeline_changed_at)
               VALUES (?1, ?2, ?3, ?4, length(?5), length(?5), ?5, '{}', ?6, ?6, '', '')""".replace(
                "?6", f"'{NOW}'"
            ),
            ((number + 1, *page_of(number, rng)) for number in range(pages)),
        )
        connection.executemany(
            "INSERT INTO page_names (name, page_id, kind) VALUES (?, ?, ?)", names_of_pages(pages)
        )
        connection.executemany(
            """INSERT INTO links (from_page_id, to_page_id, target, target_name, type, source,
                   valid_from, valid_until, ordinal, created_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            links_of(pages, rng),
        )
        connection.executemany(
            """INSERT INTO assertions (page_id, subject, predicate, object, subject_name, object_name,
                   subject_key, object_key, valid_from, valid_until, ordinal, created_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            assertions_of(pages, rng),
        )
        connection.execute("ANALYZE; PRAGMA optimize")
    store.close()


def slug_of(number: int) -> str:
    """Where a page is."""
    return f"{FOLDERS[number % len(FOLDERS)][0]}/{title_of(number).lower().replace(' ', '-')}"


def title_of(number: int) -> str:
    """What a page is called; no other is called the same."""
    first, second = WORDS[number % len(WORDS)], WORDS[number // len(WORDS) % len(WORDS)]
    return f"{first} {second} {number}".title()


def page_of(number: int, rng: random.Random) -> tuple[str, str, str, str]:
    """Slug, type, title and text of a page of about a hundred words."""
    sentence = " ".join(rng.choices(WORDS, k=90))
    return (
        slug_of(number),
        FOLDERS[number % len(FOLDERS)][1],
        title_of(number),
        f"# {title_of(number)}\n\n{sentence}.\n",
    )


def names_of_pages(pages: int) -> Iterator[tuple[int, int, int]]:
    """The names to which pages answer, as they are stored."""
    for number in range(pages):
        called = (slug_of(number), slug_of(number).rpartition("/")[2], title_of(number).lower())
        yield from ((name_key(name), number + 1, kind) for kind, name in enumerate(called))


def links_of(pages: int, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """Links; one in five leads to a hub, so that most pages are two links away from thousands."""
    for count in range(pages * LINKS):
        start = count // LINKS
        end = rng.randrange(HUBS) if rng.random() < HUB_SHARE else int(pages * rng.random() ** 2)
        relationship = RELATIONSHIPS[rng.randrange(len(RELATIONSHIPS))]
        since, until = span(rng) if relationship != "mentions" else (None, None)
        type_, source = (None, 0) if relationship == "mentions" else (relationship, 2)
        slug = slug_of(end)
        yield start + 1, end + 1, slug, name_key(slug), type_, source, since, until, count, NOW


def assertions_of(pages: int, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """Facts, of each kind one for each page; one in a hundred is about another page, and may clash there."""
    for count in range(pages * ASSERTIONS):
        page, kind = count // ASSERTIONS, count % ASSERTIONS
        subject = page if rng.random() < 0.99 else rng.randrange(pages)
        predicate = PREDICATES[kind][rng.randrange(len(PREDICATES[kind]))]
        other = title_of(rng.randrange(pages)) if kind == 0 else WORDS[rng.randrange(len(WORDS))]
        says = slug_of(subject) if count % 2 else title_of(subject)
        names = (says.lower(), other.lower())
        yield page + 1, says, predicate, other, *names, *map(name_key, names), *span(rng), count, NOW


def span(rng: random.Random) -> tuple[str | None, str | None]:
    """From when until when something was true; a third of all is over."""
    since = f"{rng.randint(2012, 2024)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    return since, f"2025-{rng.randint(1, 12):02}-01" if rng.random() < 0.33 else None


def measure(app: App, pages: int, runs: int) -> None:
    """Time the operations of the graph."""
    rng = random.Random(SEED + 1)
    some = [slug_of(rng.randrange(HUBS, pages)) for _ in range(runs)]
    pairs = [(slug_of(rng.randrange(pages)), slug_of(rng.randrange(pages))) for _ in range(runs // 3)]
    hubs = [slug_of(number) for number in range(min(HUBS, pages))] * 5
    rows: tuple[tuple[str, list[float]], ...] = (
        ("graph, depth 2", [ran(app, graph.GRAPH, slug=slug) for slug in some]),
        ("graph, depth 2, of a hub", [ran(app, graph.GRAPH, slug=slug) for slug in hubs]),
        (
            "graph, depth 3, 500 pages",
            [ran(app, graph.GRAPH, slug=s, depth=3, limit=500) for s in some[:60]],
        ),
        ("graph, depth 2, at a day", [ran(app, graph.GRAPH, slug=s, at="2020-06-01") for s in some]),
        ("backlinks", [ran(app, links.BACKLINKS, slug=slug) for slug in some]),
        ("backlinks of a hub, 50", [ran(app, links.BACKLINKS, slug=slug, limit=50) for slug in hubs]),
        ("path", [ran(app, graph.PATH, **{"from": one, "to": other}) for one, other in pairs]),
        ("related", [ran(app, related.RELATED, slug=slug) for slug in some]),
        ("orphans", [ran(app, graph.ORPHANS) for _ in range(5)]),
    )
    for name, times in rows:
        show(name, times)


def measure_checks(app: App) -> None:
    """Time `check --all`: the first run, which finds and stores, and one that finds the same."""
    if importlib.util.find_spec("quaid.operations.check") is None:
        return
    checking = importlib.import_module("quaid.operations.check")
    for name in ("check --all", "check --all, again"):
        show(name, [ran(app, checking.CHECK, all=True)])


def ran(app: App, operation: Any, **values: Any) -> float:
    """How long an operation takes."""
    arguments = operations.decode(operation.arguments, values, tool=False)
    return timed(lambda: operations.run(app, operation, arguments))


def show(name: str, times: list[float]) -> None:
    """A line of the table."""
    print(
        f"{name:34} {middle(times):>9.2f} {high(times):>9.2f} {max(times):>9.2f}   n={len(times)}", flush=True
    )


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
