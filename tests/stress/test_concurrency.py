"""Several processes write to one page at once: what was acknowledged is there, once, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.app import App
from quaid.settings import Settings
from tests.support import PATIENCE, call, lengths, memory_at, quick

pytestmark = pytest.mark.stress

PROCESSES = 4

# Each reads a version now and then, and so writes with one that is often stale.
WORKER = """
import json, random, sys
from pathlib import Path
from quaid.app import App
from quaid.errors import Conflict
from quaid.operations import call
from quaid.settings import Settings
from quaid.store.connection import Store

path, worker, writes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
app = App(Store.open(path, 60), Settings())
rng = random.Random(worker)
print("ready", flush=True)
sys.stdin.readline()
acknowledged, conflicts = [], 0
version = call(app, "memory_get", {"slug": "shared"}).version
for number in range(writes):
    name = f"worker {worker} write {number}"
    values = {"slug": "shared", "date": "2026-04-14", "summary": name, "page_version": version}
    try:
        result = call(app, "memory_timeline_add", values)
    except Conflict as conflict:
        conflicts += 1
        assert conflict.data["current_version"] != version
        # Most learn from the answer; some go on with what they knew, as a careless agent does.
        if rng.random() < 0.8:
            version = conflict.data["current_version"]
    else:
        acknowledged.append([name, result.version])
        version = result.version
print(json.dumps({"acknowledged": acknowledged, "conflicts": conflicts}))
"""


@lengths("writes", 40, 250)
def test_stale_writes_to_the_same_page(tmp_path: Path, writes: int) -> None:
    db = tmp_path / "memory.db"
    app = App(memory_at(db), Settings())
    call(app, "put", slug="shared", content="# Shared\n")
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(db), str(number), str(writes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    reports = [json.loads(worker.communicate(timeout=PATIENCE)[0]) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * PROCESSES

    acknowledged = {name: version for report in reports for name, version in report["acknowledged"]}
    conflicts = sum(report["conflicts"] for report in reports)
    assert len(acknowledged) + conflicts == PROCESSES * writes
    assert conflicts > PROCESSES, "the processes did not meet; nothing was tested"

    summaries = [entry["summary"] for entry in call(app, "timeline", slug="shared")["entries"]]
    assert sorted(summaries) == sorted(acknowledged)
    page = call(app, "get", slug="shared")
    for name in acknowledged:
        assert page["content"].count(name + "\n") == 1
    versions = sorted(acknowledged.values())
    assert versions == list(range(2, len(acknowledged) + 2))
    assert page["version"] == versions[-1]
    for report in reports:
        own = [version for _, version in report["acknowledged"]]
        assert own == sorted(own)
    app.store.close()
    assert quick("validate", "--all", db=db).status == 0


def test_new_pages_and_names_from_several_processes(tmp_path: Path) -> None:
    """Every process makes pages that link to those of the others; all links resolve in the end."""
    db = tmp_path / "memory.db"
    App(memory_at(db), Settings()).store.close()
    script = """
import sys
from pathlib import Path
from quaid.app import App
from quaid.operations import call
from quaid.settings import Settings
from quaid.store.connection import Store

app, worker = App(Store.open(Path(sys.argv[1]), 60), Settings()), int(sys.argv[2])
for number in range(40):
    text = " ".join(f"[[Page {other} {number}]]" for other in range(4))
    content = f"# Page {worker} {number}\\n\\n{text}\\n"
    call(app, "memory_put", {"slug": f"w{worker}/p-{number}", "content": content, "expected_version": 0})
"""
    workers = [subprocess.Popen([sys.executable, "-c", script, str(db), str(n)]) for n in range(PROCESSES)]
    assert [worker.wait(timeout=PATIENCE) for worker in workers] == [0] * PROCESSES
    counts = quick("stats", "--json", db=db).json["counts"]
    assert (counts["pages"], counts["links"], counts["unresolved_links"]) == (160, 640, 0)
    assert quick("validate", "--all", db=db).status == 0
