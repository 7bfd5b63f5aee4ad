"""How quick the dashboard is, in a real browser: python bench/dashboard.py [--pages 10000] [--many 100000].

First paint of each view (as the browser notes it) and until its data stand there; from a key in Search until
the results of the words do; in Browse of the larger memory, until another order, part or folder does.
`--memory DB` and `--large DB` take memories that are there instead of making some.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from _corpus import Corpus
from _measures import table
from scale import BATCH, put

from quaid.app import App
from quaid.settings import Settings
from quaid.store.connection import Store

sys.path[0] = str(Path(__file__).parent.parent)  # also because of bench/mcp.py, which is not the package
from tests.dashboard.serving import Dashboard, running  # noqa: E402
from tests.graph import browser as browsers  # noqa: E402
from tests.graph.browser import Tab  # noqa: E402

ROUNDS = 7
VIEWS = {
    "Home": ("/", "section[aria-label='Recent changes'] li"),
    "Search": ("/search?q=meeting", "main section li"),
    "Browse": ("/browse", "tbody tr"),
    "Page": ("/page/{slug}", "article.doc p"),
    "Settings": ("/settings", "section[aria-label=Collections] tbody tr"),
}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime || 0"
# Before a page's own scripts: notes when an element stands there, in milliseconds from the navigation on.
WATCH = """window.awaited = {awaited}; window.stands = 0;
const look = () => {{ if (document.querySelector(window.awaited)) window.stands = performance.now();
                      else requestAnimationFrame(look); }}; requestAnimationFrame(look);"""
# From an act to the moment at which what is awaited stands there.
TIMED = """new Promise((resolve) => {{
  const before = {state}, began = performance.now();
  const look = () => {{ if ({ready}) resolve(performance.now() - began); else requestAnimationFrame(look); }};
  {act};
  requestAnimationFrame(look);
}})"""
TYPE = (
    "const box = document.querySelector('#search'); box.value = {text}; "
    "box.dispatchEvent(new Event('input', {{bubbles: true}}))"
)
ROWS = "document.querySelector('tbody')?.textContent"
FOLDER = "nav[aria-label=Folders] li button"
STEPS = {
    "by title": "document.querySelectorAll('th button')[0].click()",
    "by change": "document.querySelectorAll('th button')[2].click()",
    "next part": "document.querySelector('[aria-label=Pages] .bar button:last-child').click()",
    "a folder": f"document.querySelector('{FOLDER}').click()",
}


def main() -> None:
    """Measure, and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--memory", type=Path)
    parser.add_argument("--large", type=Path)
    given = parser.parse_args()
    if not browsers.PROGRAM:
        sys.exit("no browser: install chromium")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    with tempfile.TemporaryDirectory() as temporary:
        small = given.memory or built(Path(temporary) / "small" / "memory.db", given.pages)
        measure(small, Path(temporary) / "one", views_and_words)
        large = given.large or built(Path(temporary) / "large" / "memory.db", given.many)
        measure(large, Path(temporary) / "two", lists)


def built(path: Path, count: int) -> Path:
    """A memory of that many pages."""
    path.parent.mkdir(parents=True)
    corpus, app = Corpus(count), App(Store.create(path), Settings())
    for first in range(0, count, BATCH):
        put(app, [corpus.draft(number) for number in range(first, min(first + BATCH, count))])
    app.store.close()
    return path


def measure(db: Path, profile: Path, work: Any) -> None:
    """Open a memory in a browser, and print what some work measures there."""
    profile.mkdir()
    with running(db) as dashboard, browsers.running(profile) as browser, browser.room() as room:
        tab = room.open(dashboard.link)
        count = dashboard.server.get("/api/stats").json["counts"]["pages"]
        print(f"{count:,} pages\n")
        rows = [(name, *summary(times)) for name, times in work(tab, dashboard)]
        print(table(["", "median ms", "p90 ms"], rows), "\n")


def summary(times: list[float]) -> tuple[str, str]:
    """The middle and the upper end."""
    return f"{median(times):.0f}", f"{quantiles(times, n=10)[-1]:.0f}"


def views_and_words(tab: Tab, dashboard: Dashboard) -> list[tuple[str, list[float]]]:
    """Each view, and keys in Search."""
    slug = dashboard.server.get("/api/list?limit=1").json["pages"][0]["slug"]
    found: list[tuple[str, list[float]]] = []
    for name, (address, awaited) in VIEWS.items():
        painted, stood = opened(tab, dashboard.address(address.format(slug=slug)), awaited)
        found += [(f"{name}: first paint", painted), (f"{name}: its data", stood)]
    return [*found, ("Search: from a key to its results", keys(tab, dashboard))]


def opened(tab: Tab, address: str, awaited: str) -> tuple[list[float], list[float]]:
    """When something was painted, and when the data stood there; the first time does not count."""
    watch = WATCH.format(awaited=json.dumps(awaited))
    script = tab.ask("Page.addScriptToEvaluateOnNewDocument", source=watch)["identifier"]
    times = []
    for _ in range(ROUNDS + 1):
        tab.go(address)
        tab.wait_for(f"window.stands > 0 && ({PAINT}) > 0")
        times.append((tab.evaluate(PAINT), tab.evaluate("window.stands")))
    tab.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    return [paint for paint, _ in times[1:]], [stands for _, stands in times[1:]]


def keys(tab: Tab, dashboard: Dashboard) -> list[float]:
    """From each key of some words to the results."""
    tab.go(dashboard.address("/search"))
    pages = dashboard.server.get("/api/list?limit=8&sort=title").json["pages"]
    words = [page["title"].split()[0].lower() for page in pages]
    typed = [word[:end] for word in words for end in range(2, len(word) + 1)]
    return [
        tab.evaluate(
            TIMED.format(
                state="0",
                ready=f"document.querySelector('#how').dataset.text === {json.dumps(text)}",
                act=TYPE.format(text=json.dumps(text)),
            )
        )
        for text in typed
    ]


def lists(tab: Tab, dashboard: Dashboard) -> list[tuple[str, list[float]]]:
    """Browse: orders, parts and filters."""
    painted, stood = opened(tab, dashboard.address("/browse"), "tbody tr")
    found: dict[str, list[float]] = {name: [] for name in STEPS}
    for _ in range(ROUNDS):
        tab.go(dashboard.address("/browse"))
        tab.wait_for(f"!!document.querySelector('tbody tr') && !!document.querySelector('{FOLDER}')")
        for name, act in STEPS.items():
            timed = TIMED.format(state=ROWS, ready=f"{ROWS} !== before", act=act)
            found[name].append(tab.evaluate(timed))
    rows = [("Browse: first paint", painted), ("Browse: its data", stood)]
    return [*rows, *((f"Browse: {name}", times) for name, times in found.items())]


if __name__ == "__main__":
    main()
