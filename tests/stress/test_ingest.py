"""Sources ingested by several processes at once, and by one that is killed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.settings import Settings
from tests.support import PATIENCE, call, lengths, memory_at, quick

pytestmark = pytest.mark.stress

PROCESSES = 4

# Ingests one source, or sources without end; each says something about the same two pages.
WORKER = """
import json, sys
from pathlib import Path
from quaid.app import App
from quaid.errors import Conflict
from quaid.operations import call
from quaid.settings import Settings
from quaid.store.connection import Store

app = App(Store.open(Path(sys.argv[1]), 60), Settings())

def version(slug):
    return call(app, "memory_get", {"slug": slug}).version

def pages(word):
    return [
        {"slug": slug, "expected_version": version(slug), "tags": [word],
         "timeline_entries": [{"date": "2026-04-14", "summary": word}],
         "assertions": [{"subject": slug, "predicate": "heard", "object": word}],
         "links": [{"to": f"words/{word}", "relationship": "heard"}]}
        for slug in ("people/alice", "people/bob")
    ]

def ingest(word):
    text = " ".join(f"{word}{number}" for number in range(200)) + "\\n"
    while True:
        values = {"content": text, "source_type": "meeting", "source_ref": f"m/{word}", "pages": pages(word)}
        try:
            return call(app, "memory_ingest", values)
        except Conflict:
            continue

def say(what, *facts):
    sys.stdout.write(json.dumps([what, *facts]) + "\\n")
    sys.stdout.flush()
"""
ONCE = """
say("ready")
sys.stdin.readline()
for number in range(10):
    result = ingest(f"w{number}x")
    say("done", result.slug, result.duplicate)
"""
ENDLESS = """
say("ready")
number = 0
while True:
    number += 1
    word = f"r{sys.argv[2]}n{number}x"
    say("try", word)
    ingest(word)
    say("done", word)
"""


def filled(db: Path) -> App:
    app = App(memory_at(db), Settings())
    for slug in ("people/alice", "people/bob"):
        call(app, "put", slug=slug, content=f"# {slug}\n")
    return app


def facts(app: App, slug: str) -> list[list[str]]:
    """The words that a page has heard, by each kind of evidence."""
    page = call(app, "get", slug=slug)
    found = page["frontmatter"]
    return [
        sorted(page["tags"]),
        sorted(entry["summary"] for entry in call(app, "timeline", slug=slug)["entries"]),
        sorted(claim["object"] for claim in found.get("assertions", [])),
        sorted(link["to"].removeprefix("words/") for link in found.get("links", [])),
    ]


def rows(app: App, sql: str) -> list[tuple[Any, ...]]:
    return list(app.connection.execute(sql))


def check(app: App) -> list[str]:
    """The words of the sources that are there; each is whole, and nothing else is there."""
    sources = rows(app, "SELECT slug FROM live_pages WHERE type = 'source' ORDER BY slug")
    words = sorted(slug.removeprefix("sources/m/") for (slug,) in sources)
    for slug in ("people/alice", "people/bob"):
        assert facts(app, slug) == [words] * 4
    assert len(rows(app, "SELECT 1 FROM ingest_log")) == len(words)
    active = rows(app, "SELECT page_id, count(*) FROM raw_imports WHERE is_active GROUP BY page_id")
    assert [count for _, count in active] == [1] * len(words)
    return words


def test_several_processes_ingest_the_same_sources(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    app = filled(db)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER + ONCE, str(db)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout
        assert json.loads(worker.stdout.readline()) == ["ready"]
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    said = [
        json.loads(line)
        for worker in workers
        for line in worker.communicate(timeout=PATIENCE)[0].splitlines()
    ]
    assert [worker.returncode for worker in workers] == [0] * PROCESSES
    assert check(app) == sorted(f"w{number}x" for number in range(10))
    for number in range(10):
        answers = [duplicate for _, slug, duplicate in said if slug == f"sources/m/w{number}x"]
        assert sorted(answers) == [False, *[True] * (PROCESSES - 1)]
    app.store.close()
    assert quick("validate", "--all", db=db).status == 0


@lengths("kills", 6, 40)
def test_kill_during_ingest(tmp_path: Path, kills: int) -> None:
    db = tmp_path / "memory.db"
    app = filled(db)
    rng = random.Random(7)
    interrupted = 0
    for round_ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER + ENDLESS, str(db), str(round_)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(rng.randint(2, 6))]
        assert all(lines), "the writer failed by itself"
        # A wait that is not for anything: the kill is to fall anywhere within an ingest.
        try:
            process.wait(timeout=rng.random() * 0.03)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == -signal.SIGKILL
        said = [json.loads(line) for line in lines if line.endswith("\n")]
        words = check(app)
        assert {word for what, *rest in said if what == "done" for word in rest} <= set(words)
        interrupted += said[-1][0] == "try"
    assert interrupted > kills // 10, "the kills fell between ingests; nothing was tested"
    # What was cut off comes whole when it is tried again.
    again = subprocess.Popen(
        [sys.executable, "-c", WORKER + ONCE, str(db)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    again.communicate("go\n", timeout=PATIENCE)
    assert set(check(app)) >= {f"w{number}x" for number in range(10)}
    app.store.close()
    assert quick("validate", "--all", db=db).status == 0
