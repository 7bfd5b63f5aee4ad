"""How fast a question is answered: python bench/search_speed.py [--chunks 10000 50000 300000].

A synthetic memory of that many chunks, about three to a page, with words as unevenly frequent as real ones
and vectors that lie in clusters; the questions are embedded by the built-in model. Pages are read by other
processes and stored many at once, as in the first sync of a folder; a memory that was begun before (`--keep`)
is continued. Each size is measured in a process of its own. The reference is one NumPy product over the same
vectors, interleaved with the arm.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from _corpus import COMMON, SEED, Corpus
from _measures import table
from _memories import Progress, high, middle, opened, page_of, peak_mb
from _vectors import WIDTH, Clusters

from quaid import operations
from quaid.app import App
from quaid.embed import registry
from quaid.embed.embedder import embed_query
from quaid.index.chunk_rows import new_page
from quaid.model.actor import present_actor
from quaid.search import evidence, hybrid
from quaid.search.question import read_question
from quaid.store import candidates, chunks, embeddings, terms, units
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.new_pages import NewPage
from quaid.vault import rows

PARTS = 3  # chunks of a page
WORDS = 75  # of a chunk
LINKS = 3  # of a page
HUBS = 10  # to which many link
QUESTIONS = 100
COLD_RUNS = 12
READERS = 2
BATCH = 2000  # pages
VECTORS = 50_000  # that are written at once
ALL = PageFilter()
CLOCK = [time.perf_counter]
PAGES = scopes.pages(ALL)
Given, Made = TypeVar("Given"), TypeVar("Made")


def main() -> None:
    """Build and measure each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 50_000, 300_000])
    parser.add_argument("--keep", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--build", action="store_true", help="Build and measure nothing.")
    parser.add_argument("--processor", action="store_true", help="A processor's time, on a busy machine.")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.processor:
        CLOCK[0] = time.process_time
    if given.read:
        print(json.dumps(warm(given.read, Texts(given.chunks[0]))))
        return
    for size in given.chunks:
        with tempfile.TemporaryDirectory() as temporary:
            path = (given.keep or Path(temporary)) / f"speed-{size}.db"
            texts = Texts(size)
            build(path, texts)
            if given.build:
                continue
            times = {"first query, which writes the matrix": cold(path, texts, 1)}
            times["cold process"] = cold(path, texts, COLD_RUNS)
            command = [sys.executable, __file__, "--chunks", str(size), "--read", str(path)]
            command += ["--processor"] if given.processor else []
            answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
            report(size, path, times, json.loads(answer.stdout))


class Texts:
    """Pages and questions, the same for the same number of chunks."""

    def __init__(self, size: int) -> None:
        self.pages = size // PARTS
        self._words = Corpus(1).words
        self._rare_words = self._words[len(COMMON) :]
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(len(self._words))))

    def page(self, number: int) -> tuple[str, str]:
        """Slug and text of a page."""
        rng = random.Random(SEED + number)
        rare = self._rare(rng)
        parts = [self._prose(rng)]
        parts += [f"## {' '.join(self._some(rng, 3))}\n\n{self._prose(rng)}" for _ in range(PARTS - 1)]
        parts[-1] += f" See {', '.join(f'[[{slug}]]' for slug in self._linked(number))}."
        title = " ".join(rare).title()
        return self.slug(number), page_of(title, "\n\n".join(parts))

    def slug(self, number: int) -> str:
        """Where a page is."""
        return f"concepts/{'-'.join(self._rare(random.Random(SEED + number)))}-{number}"

    def _rare(self, rng: random.Random) -> list[str]:
        return rng.sample(self._rare_words, 2)

    def _linked(self, number: int) -> list[str]:
        """What a page links to: one of the first ten pages, and two others, the older the more often."""
        rng = random.Random(-number)
        others = (int(self.pages * rng.random() ** 3) for _ in range(LINKS - 1))
        return [self.slug(each) for each in (rng.randrange(HUBS), *others)]

    def questions(self) -> list[str]:
        """Questions of three to eight words from a place in some page, small words among them."""
        rng = random.Random(SEED - 7)
        found = []
        for number in range(QUESTIONS):
            words = self.page(rng.randrange(self.pages))[1].split("\n\n")[1].split()
            start = rng.randrange(len(words) - 8)
            found.append(" ".join(words[start : start + 3 + number % 6]).replace(".", "") + "?")
        return found

    def _prose(self, rng: random.Random) -> str:
        words = self._some(rng, WORDS)
        return " ".join(word + "." if place % 12 == 11 else word for place, word in enumerate(words))

    def _some(self, rng: random.Random, count: int) -> list[str]:
        return rng.choices(self._words, cum_weights=self._weights, k=count)


def build(path: Path, texts: Texts) -> None:
    """Pages as the first sync stores them, and a vector for each text. What was begun before is continued."""
    app = opened(path)
    home, held = app.collection_row().id, app.connection.execute("SELECT count(*) FROM pages").fetchone()[0]
    progress = Progress(f"writing {path.stem}")
    batches = ((texts, home, app.now(), start) for start in range(held, texts.pages, BATCH))
    with ProcessPoolExecutor(READERS, mp_context=get_context("spawn")) as readers:
        for number, made in enumerate(ahead(readers, _read, batches), start=1):
            with app.store.write() as connection:
                rows.insert_all(connection, home, made, [present_actor()] * len(made))
            progress(min(held + number * BATCH, texts.pages), texts.pages)
    embed(app)
    app.store.close()


def embed(app: App) -> None:
    """Vectors that lie in clusters for all texts that have none."""
    with app.store.write() as connection:
        model = embeddings.register(connection, registry.DEFAULT_MODEL, WIDTH, app.now())
    waiting = [digest for _, digest in embeddings.missing(app.connection, model.id)]
    make = Clusters(np.random.default_rng([SEED, len(waiting)]))
    for start in range(0, len(waiting), VECTORS):
        some = waiting[start : start + VECTORS]
        with app.store.write() as connection:
            embeddings.put(connection, model.id, zip(some, map(bytes, make.vectors(len(some))), strict=True))
    with app.store.write() as connection:
        embeddings.note_done(connection, model.id)


def _read(batch: tuple[Texts, int, str, int]) -> list[NewPage]:
    """Some pages, ready to be stored."""
    texts, home, now, start = batch
    some = map(texts.page, range(start, min(start + BATCH, texts.pages)))
    return [new_page(home, rows.draft(text, "utf-8", slug, None, now)) for slug, text in some]


def ahead(
    readers: Executor, work: Callable[[Given], Made], batches: Iterable[Given], count: int = 2 * READERS
) -> Iterator[Made]:
    """What others make of batches, in their order; only so many wait to be taken."""
    waiting: deque[Future[Made]] = deque()
    for batch in batches:
        waiting.append(readers.submit(work, batch))
        if len(waiting) > count:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def cold(path: Path, texts: Texts, runs: int) -> list[float]:
    """`quaid query` in a process of its own."""
    quaid = str(Path(sys.executable).with_name("quaid"))
    return [
        timed(
            lambda question=question: subprocess.run(
                [quaid, "--db", str(path), "query", question], stdout=subprocess.DEVNULL, check=True
            )
        )
        for question in texts.questions()[:runs]
    ]


def warm(path: Path, texts: Texts) -> dict[str, Any]:
    """Each part of a query, and the whole, in one process."""
    app = opened(path)
    questions = texts.questions()
    times: dict[str, list[float]] = {}
    for question in [*questions[:3], *questions]:
        for name, took in _parts(app, question).items():
            times.setdefault(name, []).append(took)
    times = {name: series[3:] for name, series in times.items()}  # the first ones load the model
    peak = peak_mb()
    times |= _commands(app, texts, questions)
    products, arms = _against_numpy(app, questions)
    times |= {"one NumPy product": products, "by meaning, beside it": arms}
    return {"times": times, "peak": peak, "chunks": chunks.count(app.connection)}


def _parts(app: App, question: str) -> dict[str, float]:
    """Milliseconds of each part."""
    connection = app.connection
    model = app.models.current()
    embedder = app.models.embedder(model.name)
    words = read_question(question).words
    took = {"embed the question": timed(lambda: embed_query(embedder, question))}
    meaning, _ = app.models.meaning(question)
    if meaning is None:
        sys.exit("The model cannot be used.")
    took["words by page"] = timed(lambda: _by_page(app, words))
    took["words by section"] = timed(lambda: _by_section(app, words))
    took["meaning"] = timed(lambda: evidence.by_meaning(connection, meaning, PAGES))
    voice, _ = app.models.voice()
    took["all arms, merged"] = timed(lambda: hybrid.find(connection, question, PAGES, 10, meaning))
    took["and the reranker"] = timed(
        lambda: hybrid.find(connection, question, PAGES, 10, meaning, voice=voice)
    )
    took["whole query"] = timed(lambda: operations.call(app, "memory_query", {"question": question}))
    return took


def _commands(app: App, texts: Texts, questions: list[str]) -> dict[str, list[float]]:
    """Whole commands, as a program calls them; the first pages are those to which most others link."""
    rng = random.Random(SEED - 11)
    slugs = [texts.slug(rng.randrange(texts.pages)) for _ in questions]
    hubs = [texts.slug(number) for number in range(HUBS)]
    calls: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "get": [("memory_get", {"slug": each}) for each in slugs],
        "search": [("memory_search", {"query": each}) for each in questions],
        "list": [("memory_list", each) for each in ({}, {"sort": "title"}, {"wing": "concepts"}) * 20],
        "graph": [("memory_graph", {"slug": each}) for each in slugs],
        "graph of a hub": [("memory_graph", {"slug": each}) for each in hubs * 3],
        "backlinks": [("memory_backlinks", {"slug": each}) for each in slugs],
        "backlinks of a hub": [("memory_backlinks", {"slug": each}) for each in hubs * 3],
        "briefing": [("memory_briefing", {})] * 20,
        "lint --kind mentions": [("memory_lint", {"kind": "mentions"})],
    }
    return {
        name: [timed(lambda call=call: operations.call(app, *call)) for call in [*each[:1], *each]][1:]
        for name, each in calls.items()
    }


def _by_page(app: App, words: tuple[str, ...]) -> None:
    query = terms.any_of(app.connection, "page", words)
    if query:
        candidates.pages_by_words(app.connection, query, ALL, evidence.POOL)


def _by_section(app: App, words: tuple[str, ...]) -> None:
    query = terms.any_of(app.connection, "chunk", words)
    if query:
        units.by_words(app.connection, query, PAGES, 2 * evidence.POOL)


def _against_numpy(app: App, questions: list[str]) -> tuple[list[float], list[float]]:
    """One product over the same vectors, and the arm, in turns."""
    model = app.models.current()
    sql = "SELECT vector FROM embeddings WHERE model_id = ? ORDER BY id"
    stored = b"".join(vector for (vector,) in app.connection.execute(sql, (model.id,)))
    matrix = np.frombuffer(stored, np.float16).astype(np.float32).reshape(-1, model.dimensions)
    products, arms = [], []
    for question in questions:
        meaning, _ = app.models.meaning(question)
        if meaning is None:
            sys.exit("The model cannot be used.")
        products.append(timed(lambda meaning=meaning: matrix @ meaning.vector))
        arms.append(timed(lambda meaning=meaning: evidence.by_meaning(app.connection, meaning, PAGES)))
    return products, arms


def report(size: int, path: Path, outside: dict[str, list[float]], inside: dict[str, Any]) -> None:
    """A table for people."""
    times: dict[str, list[float]] = {**inside["times"], **outside}
    ratio = middle(times["by meaning, beside it"]) / middle(times["one NumPy product"])
    print(f"\n### {inside['chunks']:,} chunks in {size // PARTS:,} pages\n")
    load, disk = os.getloadavg()[0], path.stat().st_size / 1e6
    print(f"load {load:.1f} on {os.cpu_count()} cores; database of {disk:,.0f} MB")
    print(f"peak memory of the warm process {inside['peak']:.0f} MB, mapped vectors among them\n")
    shown = [[name, middle(series), high(series), len(series)] for name, series in times.items()]
    print(table(["ms", "p50", "p95", "n"], shown))
    print(f"\narm by meaning / NumPy product: {ratio:.2f} (p50)", flush=True)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = CLOCK[0]()
    work()
    return (CLOCK[0]() - began) * 1000


if __name__ == "__main__":
    main()
