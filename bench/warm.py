"""What a question costs as a whole process, cold and warm: python bench/warm.py [--pages 1000] [--runs 20].

`quaid query` and a prompt hook by meaning, with a process that stands by and without, against an interpreter
that does nothing, interleaved.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _corpus import Corpus
from _measures import table

from quaid import standby
from quaid.app import App
from quaid.settings import Settings
from quaid.store.connection import Store

PAUSE = 0.5  # seconds: nobody asks twice at once, and the process that stands by readies itself anew
PROMPT = json.dumps({"session_id": "s", "prompt": "What do we know about the first subject of the notes?"})


def main() -> None:
    """Build a memory, leave a process standing by, time the commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder:
        path = Path(folder) / "memory.db"
        corpus = Corpus(given.pages)
        build(path, corpus)
        quaid = str(Path(sys.executable).with_name("quaid"))
        base = {**os.environ, "HOME": folder, "QUAID_DB": str(path), "QUAID_EMBED_BACKGROUND": "off"}
        cold, warm = {**base, standby.SETTING: "0"}, {**base, standby.SETTING: "5"}
        subprocess.run([quaid, "embed"], env=cold, stdout=subprocess.DEVNULL, check=True)
        process = subprocess.Popen([quaid, "warm"], env=warm)
        while not list(Path(folder).glob(".quaid/run/*.sock")):
            time.sleep(0.05)
        question = [quaid, "query", "what is known about the first subject?"]
        commands = {
            "python -c pass": ([sys.executable, "-c", "pass"], cold),
            "quaid query, cold": (question, cold),
            "quaid query, warm": (question, warm),
            "hook prompt by words, cold": ([quaid, "hook", "prompt"], cold),
            "hook prompt by meaning, warm": ([quaid, "hook", "prompt"], warm),
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for run in range(given.runs + 2):
            for name, (command, environment) in commands.items():
                time.sleep(PAUSE)
                took = timed(command, environment)
                if run >= 2:  # the first ones fill the caches of the file system
                    times[name].append(took)
        process.kill()
        process.wait()
    bare = middle(times["python -c pass"])
    print(
        f"{given.pages:,} pages, {given.runs} runs; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    rows = [
        [name, middle(series), sorted(series)[int(len(series) * 0.9)], middle(series) - bare]
        for name, series in times.items()
    ]
    print(table(("ms", "median", "p90", "more than python"), rows))


def build(path: Path, corpus: Corpus) -> None:
    """A memory of synthetic pages."""
    app = App(Store.create(path), Settings())
    with app.store.write():
        for number in range(corpus.pages):
            draft = corpus.draft(number)
            app.collection().put(draft.slug, draft.text)
    app.store.close()


def timed(command: list[str], environment: dict[str, str]) -> float:
    """Milliseconds from start to end."""
    began = time.perf_counter()
    subprocess.run(command, env=environment, input=PROMPT.encode(), stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def middle(times: list[float]) -> float:
    """The median."""
    return sorted(times)[len(times) // 2]


if __name__ == "__main__":
    main()
