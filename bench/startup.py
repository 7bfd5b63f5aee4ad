"""What starting costs: python bench/startup.py [--pages 10000] [--runs 30].

`quaid get` and `quaid list` on a memory of that size, and `ai-kb query` on a small knowledge base, against an
interpreter that does nothing, interleaved.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _corpus import Corpus

from quaid.app import App
from quaid.settings import Settings
from quaid.store.connection import Store


def main() -> None:
    """Build a memory, time the commands, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=30)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "memory.db"
        corpus = Corpus(given.pages)
        build(path, corpus)
        quaid = str(Path(sys.executable).with_name("quaid"))
        ai_kb = [str(Path(sys.executable).with_name("ai-kb")), "--kb", str(Path(temporary) / "kb")]
        subprocess.run(
            [*ai_kb, "init", "--offline", "--no-attach", "--no-adapter"], stdout=subprocess.DEVNULL
        )
        node = [
            "--title",
            "Commit style",
            "--summary",
            "Short subjects.",
            "--created-by",
            "human",
            "--body",
            "x",
        ]
        subprocess.run([*ai_kb, "remember", *node], stdout=subprocess.DEVNULL, check=True)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "quaid get": [quaid, "--db", str(path), "get", corpus.slug(given.pages // 2)],
            "quaid list": [quaid, "--db", str(path), "list"],
            "ai-kb query": [*ai_kb, "query", "commit"],
            "quaid --version": [quaid, "--version"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for run in range(given.runs + 2):
            for name, command in commands.items():
                took = timed(command)
                if run >= 2:  # the first ones fill the caches of the file system
                    times[name].append(took)
    base = middle(times["python -c pass"])
    print(
        f"{given.pages:,} pages, {given.runs} runs; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    print(f"{'':16} {'median':>9} {'p90':>9} {'more than python':>18}   (ms)")
    for name, series in times.items():
        p90 = sorted(series)[int(len(series) * 0.9)]
        print(f"{name:16} {middle(series):>9.1f} {p90:>9.1f} {middle(series) - base:>18.1f}")


def build(path: Path, corpus: Corpus) -> None:
    """A memory of synthetic pages."""
    app = App(Store.create(path), Settings())
    with app.store.write():
        for number in range(corpus.pages):
            draft = corpus.draft(number)
            app.collection().put(draft.slug, draft.text)
    app.store.close()


def timed(command: list[str]) -> float:
    """Milliseconds from start to end."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def middle(times: list[float]) -> float:
    """The median."""
    return sorted(times)[len(times) // 2]


if __name__ == "__main__":
    main()
