"""Killed while it embeds, a memory goes on where it was: what was stored is never embedded again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.app import App
from tests.support import PATIENCE, call, open_memory
from tests.support_embedders import BagOfWords, install

pytestmark = pytest.mark.stress

PAGES = 400
KILLS = 8

# Embeds everything; says which texts it was asked for before it answers, and what was stored.
WORKER = """
import json, sys, time
from pathlib import Path
from quaid.app import App
from quaid.operations import run, tool, decode
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.support_embedders import BagOfWords, install

class Slow(BagOfWords):
    def embed(self, texts):
        for text in texts:
            print(json.dumps(text))
        sys.stdout.flush()
        time.sleep(0.005)
        return super().embed(texts)

app = App(Store.open(Path(sys.argv[1])), Settings())
install(app, Slow())
app.progress = lambda done, total: print(f"stored {done}", flush=True)
chosen = tool("embed")
run(app, chosen, decode(chosen.arguments, {}, tool=False))
print("finished", flush=True)
"""


def killed(db: Path, rng: random.Random) -> list[str]:
    """What a worker said before it was killed, at a random instant."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(db)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(rng.randint(1, 60))]
    # A wait that is not for anything: the kill is to fall anywhere within a batch.
    try:
        process.wait(timeout=rng.random() * 0.03)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    lines += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    return [line.strip() for line in lines if line.endswith("\n")]


def vectors(app: App) -> int:
    return int(app.connection.execute("SELECT count(*) FROM embeddings").fetchone()[0])


def test_killed_again_and_again(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    app = open_memory(db)
    with app.store.write():
        for number in range(PAGES):
            call(app, "put", slug=f"p-{number:03}", content=f"# Page {number}\n\nText {number}.\n")
    stored: set[str] = set()
    interrupted = 0
    rng = random.Random(7)
    for round_ in range(KILLS):
        said = killed(db, rng)
        texts = [line for line in said if line.startswith('"')]
        assert not stored & set(texts), f"round {round_}: embedded again what was stored"
        acknowledged = max((int(line.split()[1]) for line in said if line.startswith("stored")), default=0)
        stored |= set(texts[:acknowledged])
        rows = vectors(app)
        assert rows >= len(stored), f"round {round_}: an acknowledged vector is lost"
        interrupted += len(texts) > acknowledged
        if "finished" in said:
            break
        # The last batch may have been stored without being acknowledged.
        stored |= set(texts[: acknowledged + rows - len(stored)])
        assert rows == len(stored)
    assert interrupted > 1, "the kills fell between batches; nothing was tested"
    embedder = install(app, BagOfWords())
    done = call(app, "embed")
    assert done == {"model": embedder.name, "embedded": PAGES - len(stored), "texts": PAGES}
    assert len(embedder.forget()) == PAGES - len(stored)
    found = call(app, "query", question="Page 7 text 7")
    assert found["results"][0]["slug"] == "p-007"
    assert found["notices"] == []
    assert not call(app, "validate", all=True)["findings"]
    app.store.close()


def test_two_processes_embed_at_once(tmp_path: Path) -> None:
    """Both end well; no text has two vectors."""
    db = tmp_path / "memory.db"
    app = open_memory(db)
    with app.store.write():
        for number in range(120):
            call(app, "put", slug=f"p-{number:03}", content=f"# Page {number}\n\nText {number}.\n")
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(db)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        for _ in range(2)
    ]
    for worker in workers:
        out, _ = worker.communicate(timeout=PATIENCE)
        assert worker.returncode == 0
        assert out.endswith("finished\n")
    assert vectors(app) == 120
    assert app.connection.execute("SELECT count(DISTINCT hash) FROM embeddings").fetchone() == (120,)
    app.store.close()
