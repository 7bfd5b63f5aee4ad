"""Two agents and a person in an editor write to the same list: every line is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.formats.markdown.items import items
from tests.notebook.notebooks import made
from tests.support import call, lengths

pytestmark = pytest.mark.stress

AGENT = """
import json, sys
from pathlib import Path
from quaid.app import open_app
from quaid.operations.arguments import decode
from quaid.operations.notebook import NOTEBOOK_WRITE
from quaid.operations.daily_log import DAILY_LOG
from quaid.operations.remember import REMEMBER
from quaid.settings import Settings

root, worker, lines = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
app = open_app(root / ".quaid" / "memory.db", Settings())
print("ready", flush=True)
sys.stdin.readline()


def run(operation, **values):
    return operation.run(app, decode(operation.arguments, values, tool=True))


said = []
for number in range(1, lines + 1):
    item = f"thing {worker}{number}"
    if number % 3:
        run(REMEMBER, content=f"add {item} to shopping")
    else:
        run(NOTEBOOK_WRITE, path="lists/shopping.md", content=f"- {item}", section="Shopping list")
    said.append(item)
    if number % 5 == 0:
        run(DAILY_LOG, entry=f"entry {worker}{number}")
print(json.dumps(said))
"""

# Saves as editors do, beside the file and then in its place, unless the file has changed since it was read.
EDITOR = """
import json, os, sys, time
from pathlib import Path
from quaid.vault.exchange import take_place

root, worker, lines = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
place = root / "lists" / "shopping.md"
beside = root / "lists" / ".shopping.md.swp"
print("ready", flush=True)
sys.stdin.readline()
said = []
for number in range(1, lines + 1):
    line = f"thing {worker}{number}"
    while True:
        before = place.read_bytes()
        time.sleep(0.002)
        beside.write_bytes(before + f"- {line}\\n".encode())
        if take_place(beside, place, before):
            break
    said.append(line)
    time.sleep(0.02)  # an agent takes about as long for a line
print(json.dumps(said))
"""


def started(script: str, root: Path, worker: str, lines: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(root), worker, str(lines)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


@lengths("lines", 20, 400)
def test_every_line_is_there(tmp_path: Path, lines: int) -> None:
    notes = made(tmp_path / "notes", {"lists/shopping.md": "# Shopping\n\n## Shopping list\n\n- Milk\n"})
    agents = [started(AGENT, notes.root, name, lines) for name in "ab"]
    processes = [*agents, started(EDITOR, notes.root, "e", lines)]
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [process.communicate() for process in processes]
    assert [error for _, error in ended] == [""] * 3
    said = [json.loads(out) for out, _ in ended]
    there = [item.text for item in items(notes["lists/shopping.md"])]
    assert sorted(there) == sorted(["Milk", *said[0], *said[1], *said[2]]), "no line is lost or there twice"
    (log,) = (notes.root / "daily").iterdir()
    entries = [line.split(" — ")[1] for line in log.read_text().splitlines() if line.startswith("## ")]
    logged = [f"entry {item.split()[1]}" for each in said[:2] for n, item in enumerate(each, 1) if n % 5 == 0]
    assert sorted(entries) == sorted(logged)
    call(notes.app, "collection sync")
    assert call(notes.app, "collection sync")["collections"][0]["effects"] == {}
    assert not list(notes.root.rglob("*.tmp"))
    notes.app.store.close()
