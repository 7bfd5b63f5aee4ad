"""What every command takes in a large folder: python bench/commands.py [--files 38000] [--folder DIR].

The files are made for the purpose unless a folder is named, of which a copy is used. They are read as in the
first sync; then each command runs in one process as often as fits into a few seconds, at most 30 times, after
one run that does not count. Nothing is embedded. Commands that do not depend on how many pages there are, or
that work on something else than pages, are named at the end.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from _corpus import Corpus
from _measures import table
from _memories import high, middle, peak_mb
from vault import attach, make

from quaid import operations
from quaid.app import App, open_app
from quaid.operations.arguments import decode
from quaid.settings import Settings

ENOUGH = 4.0  # seconds for one command
MOST = 30
LEAST = 3
SLOW = 20.0  # seconds: asked once
# Read, and asked with these arguments; `{page}` is a page in the middle, `{hub}` the one to which most link.
READ: dict[str, dict[str, Any]] = {
    "get": {"slug": "{page}"},
    "render": {"slug": "{page}"},
    "list": {},
    "folders": {},
    "history": {"slug": "{page}"},
    "activity": {},
    "search": {"query": "{word}"},
    "query": {"question": "what is known of {word}?"},
    "tags": {},
    "timeline": {"slug": "{page}"},
    "links": {"slug": "{page}"},
    "backlinks": {"slug": "{hub}"},
    "graph": {"slug": "{hub}"},
    "map": {},
    "path": {"from": "{page}", "to": "{hub}"},
    "related": {"slug": "{page}"},
    "orphans": {},
    "facts": {},
    "gaps": {},
    "briefing": {},
    "due": {},
    "lint": {},
    "lint --kind mentions": {"kind": "mentions"},
    "novelty": {"slug": "{page}", "content": "{word} was seen at the harbour on Tuesday."},
    "raw": {"slug": "{page}"},
    "collection list": {},
    "collection info": {"name": "vault"},
    "collection sync": {},
    "collection audit": {"name": "vault"},
    "digest": {},
    "stats": {},
    "validate": {},
    "agents": {},
    "config list": {},
}
# Written, each time to another page.
WRITTEN: dict[str, Callable[[str, int], dict[str, Any]]] = {
    "put": lambda _, n: {
        "slug": f"notes/new-{n}",
        "content": f"# New {n}\n\nSays [[x]].\n",
        "page_version": 0,
    },
    "tag": lambda page, n: {"slug": page, "tag": [f"t{n}"]},
    "timeline-add": lambda page, n: {"slug": page, "date": "2026-05-01", "summary": f"entry {n}"},
    "link": lambda page, n: {"from": page, "to": page, "relationship": f"about_{n}"},
    "assert": lambda page, n: {"subject": f"S{n}", "predicate": "based_in", "object": "Oslo", "page": page},
    "mv": lambda page, n: {"slug": page, "to": f"moved/p{n}"},
    "rm": lambda page, _: {"slug": page},
    "check": lambda page, _: {"slug": page},
}


def main() -> None:
    """Make the folder, then measure each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=38_000)
    parser.add_argument("--folder", type=Path, help="Real files instead of made ones.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "vault"
        if given.folder:
            shutil.copytree(given.folder, folder, ignore=shutil.ignore_patterns(".git", ".quaid"))
        else:
            make(folder, Corpus(given.files))
        app = open_app(attach(folder), Settings())
        began = time.perf_counter()
        app.sync(app.collection_row()).run()
        took = time.perf_counter() - began
        pages = app.connection.execute("SELECT count(*) FROM live_pages").fetchone()[0]
        print(f"{pages:,} pages; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        print(f"first sync {took:.1f} s, {pages / took:,.0f} files/s\n")
        print(table(("command", "p50 ms", "p95 ms", "n"), list(rows(app))))
        print(f"\npeak memory {peak_mb():.0f} MB")
        named = {*READ, *WRITTEN}
        print("not measured: " + ", ".join(name for name in operations.NAMES if name not in named))


def rows(app: App) -> Iterator[tuple[str, str, str, int]]:
    """A row for each command, the slowest first."""
    words = places(app)
    figures: dict[str, list[float]] = {}
    for name, values in READ.items():
        filled = {
            key: value.format(**words) if isinstance(value, str) else value for key, value in values.items()
        }
        figures[name] = times(app, name.split(" --")[0], itertools.repeat(filled))
    slugs = [
        row[0] for row in app.connection.execute("SELECT slug FROM live_pages ORDER BY id DESC LIMIT 500")
    ]
    for place, (name, values_of) in enumerate(WRITTEN.items()):
        own = slugs[place :: len(WRITTEN)]
        figures[name] = times(app, name, (values_of(slug, number) for number, slug in enumerate(own)))
    for name, series in sorted(figures.items(), key=lambda each: -middle(each[1])):
        yield name, f"{middle(series):.1f}", f"{high(series):.1f}", len(series)


def places(app: App) -> dict[str, str]:
    """A page in the middle, the one to which most link, and a word."""
    middle_one = (
        "SELECT slug, title FROM live_pages ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM live_pages)"
    )
    slug, title = next(iter(app.connection.execute(middle_one)))
    return {"page": slug, "word": title.split()[0], "hub": most_linked(app) or slug}


def most_linked(app: App) -> str | None:
    """The page to which most links lead."""
    found = app.connection.execute(
        "SELECT p.slug FROM links l JOIN live_pages p ON p.id = l.to_page_id"
        " GROUP BY p.id ORDER BY count(*) DESC LIMIT 1"
    ).fetchone()
    return found[0] if found else None


def times(app: App, name: str, asked: Iterator[dict[str, Any]]) -> list[float]:
    """Milliseconds of each run, without the first unless it is slow."""
    series: list[float] = []
    began = time.perf_counter()
    for number, values in enumerate(asked):
        before = time.perf_counter()
        call(app, name, values)
        took = time.perf_counter() - before
        if number or took > SLOW:
            series.append(1000 * took)
        spent = time.perf_counter() - began
        if len(series) >= MOST or (spent > ENOUGH and len(series) >= LEAST) or took > SLOW:
            break
    return series


def call(app: App, name: str, values: dict[str, Any]) -> Any:
    """Run an operation as the person does."""
    chosen = operations.operation(name)
    return operations.run(app, chosen, decode(chosen.arguments, values, tool=False))


if __name__ == "__main__":
    main()
