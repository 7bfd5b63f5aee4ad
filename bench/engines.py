"""The memory's own index and the shared one side by side: python bench/engines.py [DATA] [--chunks N ...].

With DATA (see bench/quality.py), the questions of some sets are asked of both, without the reranker, which
would hide differences. Then the synthetic memories of bench/search_speed.py, each engine in a process of its
own: how long a question takes, how much memory the process has, how large the index is and how long it takes
to make. Their vectors lie in clusters, as real ones do. `--place s3://bucket/name` measures object storage
instead of a folder. `--scan N ...` compares how codes are searched, in one stage and in two, with the full
product over so many vectors; `--real MEMORY ...` does so with those of memories that are embedded, of which
500 are asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import search_speed
from _measures import METRICS, mean, measure, table
from _memories import borrowed, digest, embedded, high, middle, page_of, peak_mb, written
from _sets import load
from _vectors import Clusters, unit

from quaid import operations
from quaid.app import App, Surroundings
from quaid.index import coarse
from quaid.index.codes import code, decoded
from quaid.index.matrix import Rows, Scores, VectorMatrix, highest, type_of
from quaid.search import evidence, hybrid
from quaid.settings import Layer, Settings
from quaid.store import embeddings
from quaid.store import scope as scopes
from quaid.store.connection import Store
from quaid.trust import Territory, Trust

DEPTH = 10
ASKED = 500
QUESTIONS = 60
ENGINES = ("own", "lance")


def main() -> None:
    """Quality, then speed of each size, then the coarse scan."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--sets", nargs="+", default=["med", "cranfield", "scifact"])
    parser.add_argument("--chunks", type=int, nargs="*", default=[50_000, 300_000])
    parser.add_argument("--keep", type=Path, help="Where to keep memories and indexes; otherwise nowhere.")
    parser.add_argument("--place", help="Where the shared index is; otherwise a folder beside the memory.")
    parser.add_argument("--scan", type=int, nargs="*", default=[300_000, 1_000_000])
    parser.add_argument("--real", type=Path, nargs="*", default=[])
    parser.add_argument("--read", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        print(json.dumps(timed(given.keep, given.chunks[0], given.read, given.place)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        root = given.keep or Path(temporary)
        for name in given.sets if given.data else ():
            quality(name, given.data, root, given.place)
        for size in given.chunks:
            speed(size, root, given.place)
        if given.real:
            real(given.real, root)
        for size in given.scan:
            with tempfile.TemporaryDirectory(dir=root) as folder:
                scan(size, Path(folder))


def opened(path: Path, engine: str, place: str | None) -> App:
    """A memory whose questions are asked of one engine."""
    index = place or f"{path.absolute()}.lance"
    stated = {"search.engine": engine, "search.engine_place": index, "search.engine_timeout": "60"}
    store = Store.create(path)
    Territory(Trust(path.parent), path).claim()
    around = Surroundings(home=path.parent)
    return App(store, Settings(Layer("flag", "flag", stated)), surroundings=around)


def quality(name: str, data: Path, root: Path, place: str | None) -> None:
    """The metrics of a set by each engine."""
    chosen = load(name, data)
    pages = [(f"docs/x{n}", page_of(each.title, each.text)) for n, each in enumerate(chosen.documents)]
    path = root / f"{name}-{digest(pages)}" / "all.db"
    own, shared = opened(path, "own", place), opened(path, "lance", place)
    written(own, pages)
    borrowed(own, root, own.models.current().name)
    embedded(own)
    operations.call(shared, "memory_engine_sync", {})
    ids = {f"docs/x{n}": each.id for n, each in enumerate(chosen.documents)}
    documents = {page: ids[slug] for page, slug in own.connection.execute("SELECT id, slug FROM live_pages")}
    rows = []
    for engine, app in zip(ENGINES, (own, shared), strict=True):
        figures = []
        for asked in chosen.questions:
            meaning, _ = app.models.meaning(asked.text)
            with app.store.read() as connection:
                hits = hybrid.find(connection, asked.text, scopes.pages(), DEPTH, meaning)
            figures.append(measure([documents[hit.document] for hit in hits], asked.relevant))
        row = mean(figures)
        rows.append([engine, *(row[metric] for metric in METRICS)])
    print(f"\n### {name}: {len(chosen.questions)} questions, {len(pages):,} documents\n")
    print(table(["engine", *METRICS], rows), flush=True)


class Held:
    """Vectors in full, and as a memory's copy has them."""

    def __init__(self, vectors: Any, coded: Any) -> None:
        self.vectors = vectors
        coded["id"] = np.arange(len(coded))
        self.rows = Rows(np.arange(len(coded)), coded)

    @classmethod
    def of(cls, vectors: Any) -> Held:
        """Vectors that fit into memory."""
        coded = np.zeros(len(vectors), type_of(vectors.shape[1]))
        code(coded, vectors)
        return cls(vectors, coded)


class Compared:
    """Two stages, and one over all codes, beside the full product of float32, question by question."""

    def __init__(self, held: Held, copy: Path, questions: Sequence[Any], count: int) -> None:
        scan = coarse.CoarseScan(copy)
        in_full = held.vectors.__getitem__
        if scan.scores(held.rows, questions[0], in_full) is None:
            sys.exit("The coarse file cannot be written.")
        ways: dict[str, Callable[[Any], list[int]]] = {
            "full product of float32": lambda asked: list(highest(held.vectors @ asked, count)),
            "all codes": lambda asked: nearest(Scores(held.rows, asked, in_full), count),
            "coarse, then codes": lambda asked: nearest(scan.scores(held.rows, asked, in_full), count),
        }
        self.times: dict[str, list[float]] = {name: [] for name in ways}
        self.recall = dict.fromkeys(ways, 0.0)
        for asked in questions:
            exact: set[int] = set()
            for name, way in ways.items():
                began = time.process_time()
                found = way(asked)
                self.times[name].append(1000 * (time.process_time() - began))
                best = set(sorted(found, key=lambda place: -(held.vectors[place] @ asked))[:DEPTH])
                exact = exact or best
                self.recall[name] += len(exact & best) / DEPTH / len(questions)

    def table(self) -> str:
        """A table for people."""
        rows = [
            [name, middle(each), high(each), f"{self.recall[name]:.2%}"] for name, each in self.times.items()
        ]
        return table(["ms of a processor", "p50", "p95", "recall@10"], rows)


def nearest(scores: Scores | None, count: int) -> list[int]:
    """The places of the nearest."""
    return [place for place, _ in scores.best(count)] if scores else []


def real(memories: Sequence[Path], root: Path) -> None:
    """How often codes find what the full product does, among vectors of real texts."""
    stored = set()
    for path in memories:
        other = apsw.Connection(
            str(path.absolute().as_uri()) + "?immutable=1", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        for vectors in ("embeddings", "item_embeddings"):
            rows = other.execute(f"SELECT {embeddings.STORED} FROM {vectors} e")
            stored |= {embeddings.whole(*each) for each in rows}
    found = np.frombuffer(b"".join(sorted(stored)), np.float32).reshape(len(stored), -1)
    found = np.random.default_rng(0).permutation(found)
    asked, held = found[:ASKED], found[ASKED:]
    coarse.LEAST = 1  # so that the share counts, as it does in a large memory
    with tempfile.TemporaryDirectory(dir=root) as folder:
        compared = Compared(Held.of(held), Path(folder) / "vectors", list(asked), DEPTH)
    looked_at = int(coarse.CANDIDATES * len(held))
    print(f"\n### {len(held):,} vectors of real texts ({looked_at} candidates of two stages)\n")
    print(compared.table(), flush=True)


def scan(size: int, folder: Path) -> None:
    """The same over files of synthetic vectors, as they are mapped from beside a memory."""
    make = Clusters(np.random.default_rng(2))
    whole = np.memmap(folder / "whole", np.float32, "w+", 0, (size, 384))
    coded = np.memmap(folder / "codes", type_of(384), "w+", 0, (size,))
    for start in range(0, size, 50_000):
        some = slice(start, min(size, start + 50_000))
        whole[some] = make.vectors(some.stop - start)
        code(coded[some], whole[some])
    compared = Compared(
        Held(whole, coded), folder / "vectors", list(make.vectors(QUESTIONS)), 2 * evidence.POOL
    )
    print(f"\n### {size:,} vectors scanned, load {os.getloadavg()[0]:.1f}\n\n{compared.table()}", flush=True)


def speed(size: int, root: Path, place: str | None) -> None:
    """Time, memory and disk of each engine."""
    path = root / f"speed-{size}.db"
    search_speed.build(path, search_speed.Texts(size))
    shared = opened(path, "lance", place)
    began = time.perf_counter()
    operations.call(shared, "memory_engine_sync", {})
    built = time.perf_counter() - began
    share = found_again(shared, path)
    shared.store.close()
    rows = []
    for engine in ENGINES:
        command = [sys.executable, __file__, "--chunks", str(size), "--keep", str(root), "--read", engine]
        answer = subprocess.run(
            [*command, *(["--place", place] if place else [])], stdout=subprocess.PIPE, check=True, text=True
        )
        found = json.loads(answer.stdout)
        rows += [[engine, name, middle(each), high(each)] for name, each in found["times"].items()]
        rows.append([engine, "peak memory, MB", found["peak"], found["peak"]])
    print(f"\n### {size:,} chunks, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    copies = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}.vectors-*"))
    print(
        f"memory {path.stat().st_size / 1e6:,.0f} MB, its copy of the vectors {copies / 1e6:,.0f} MB; ",
        end="",
    )
    print(f"shared index {_size(Path(f'{path}.lance')) / 1e6:,.0f} MB, written in {built:,.0f} s\n")
    print(table(["engine", "ms", "p50", "p95"], rows))
    print(f"\nof the ten nearest texts the shared index finds {share:.1%}", flush=True)


def found_again(app: App, path: Path) -> float:
    """How many of the ten texts that are nearest to some others the shared index finds."""
    model = app.models.current()
    index = app.models.shared_index(model)
    matrix = VectorMatrix(path, model)
    rows = matrix.rows(app.connection)
    rng = np.random.default_rng(3)
    some = decoded(rows.coded[rng.integers(0, len(rows.ids), ASKED // 5)])
    shares = []
    for query in unit(some + 0.5 * unit(rng.standard_normal(some.shape, dtype=np.float32))):
        best = matrix.scores(app.connection, query).best(DEPTH)
        exact = set(rows.hashes_at([place for place, _ in best]))
        near = index.place.ask(index.texts.nearest(query, 2 * evidence.POOL))
        shares.append(len(exact & {digest for digest, _ in near[:DEPTH]}) / DEPTH)
    return sum(shares) / len(shares)


def timed(root: Path, size: int, engine: str, place: str | None) -> dict[str, Any]:
    """Milliseconds of the parts of a question, in one warm process."""
    app = opened(root / f"speed-{size}.db", engine, place)
    times: dict[str, list[float]] = {}
    questions = search_speed.Texts(size).questions()
    for question in [*questions[:3], *questions]:
        began = time.perf_counter()
        meaning, notices = app.models.meaning(question)
        if meaning is None:
            sys.exit(f"The model cannot be used: {notices}")
        asked = time.perf_counter()
        with app.store.read() as connection:
            evidence.by_meaning(connection, meaning, scopes.pages())
            near = time.perf_counter()
            hybrid.find(connection, question, scopes.pages(), DEPTH, meaning)
        done = time.perf_counter()
        parts = {
            "embedding, and asking a shared index": asked - began,
            "arm of meaning": near - asked,
            "all arms, merged": done - near,
            "altogether": done - began,
        }
        for name, took in parts.items():
            times.setdefault(name, []).append(1000 * took)
    return {"times": {name: each[3:] for name, each in times.items()}, "peak": peak_mb()}


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


if __name__ == "__main__":
    main()
