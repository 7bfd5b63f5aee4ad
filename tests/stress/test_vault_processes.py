"""Several processes and an editor work on one folder at once: nothing is lost, nothing is there twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.app import App, open_app
from quaid.settings import Settings
from tests.support import call, lengths, quick

pytestmark = pytest.mark.stress

PROCESSES = 4

START = """
import json, sys, time
from pathlib import Path
from quaid.app import open_app
from quaid.errors import Conflict
from quaid.operations import call
from quaid.settings import Settings

folder, worker, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
app = open_app(folder / ".quaid" / "memory.db", Settings())
print("ready", flush=True)
sys.stdin.readline()
"""

# Everyone writes the page of a round as the version that it has when the round begins.
RIVAL = (
    START
    + """
won = []
for number in range(rounds):
    slug, expected = f"shared/s-{number % 5}", 1 + number // 5
    while True:
        version = call(app, "memory_get", {"slug": slug}).version
        if version >= expected:
            break
        time.sleep(0.001)
    content = f"# Shared\\n\\nround {number} by {worker}\\n"
    try:
        call(app, "memory_put", {"slug": slug, "content": content, "expected_version": expected})
        won.append(number)
    except Conflict as conflict:
        assert conflict.data["current_version"] > expected
    values = {"slug": f"own/w{worker}-{number}", "content": f"# {worker} {number}\\n", "expected_version": 0}
    call(app, "memory_put", values)
print(json.dumps(won))
"""
)

# A person in an editor who saves as most editors do: beside the file, then in its place.
EDITOR = (
    START
    + """
for number in range(rounds):
    place = folder / "edited" / f"e-{number % 7}.md"
    place.parent.mkdir(exist_ok=True)
    beside = place.with_suffix(".swp")
    beside.write_text(f"# Edited {number}\\n\\nby hand [[shared/s-0]]\\n")
    beside.replace(place)
    time.sleep(0.01)
print(json.dumps([]))
"""
)

READER = (
    START
    + """
seen = 0
for number in range(rounds):
    pages = call(app, "memory_list", {"limit": 1000}).pages
    slugs = [page.slug for page in pages]
    assert len(slugs) == len(set(slugs)), "a page is there twice"
    seen = max(seen, len(slugs))
    call(app, "memory_search", {"query": "shared round"})
    call(app, "memory_get", {"slug": "shared/s-0"})
print(json.dumps([seen]))
"""
)

SYNCER = (
    START
    + """
failed = 0
for number in range(rounds):
    failed += sum(each.failed for each in call(app, "memory_collection_sync", {}).collections)
print(json.dumps([failed]))
"""
)


def started(script: str, folder: Path, worker: int, rounds: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(worker), str(rounds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def ended(processes: list[subprocess.Popen[str]]) -> list[list[int]]:
    """Let all begin; what each said at its end."""
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate() for process in processes]
    assert [error for _, error in said] == [""] * len(said)
    return [json.loads(out) for out, _ in said]


def vault(folder: Path, texts: dict[str, str]) -> Path:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    assert quick("init", str(folder)).status == 0
    return folder


def settled(folder: Path) -> App:
    """The memory after a sync that has nothing left to do."""
    app = open_app(folder / ".quaid" / "memory.db", Settings())
    call(app, "collection sync")
    assert call(app, "collection sync")["collections"][0]["effects"] == {}
    stored = app.connection.execute("SELECT path, text FROM live_pages ORDER BY path")
    files = {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.md"))}
    assert list(stored) == sorted(files.items())
    assert not list(folder.rglob("*.tmp"))
    return app


@lengths("rounds", 15, 50)
def test_one_of_several_wins_each_round(tmp_path: Path, rounds: int) -> None:
    texts = {f"shared/s-{number}.md": "# Shared\n" for number in range(5)}
    folder = vault(tmp_path / "vault", texts)
    rivals = [started(RIVAL, folder, worker, rounds) for worker in range(PROCESSES)]
    others = [started(EDITOR, folder, 8, rounds), started(READER, folder, 9, rounds)]
    *won, _, (seen,) = ended([*rivals, *others])
    assert sorted(number for each in won for number in each) == list(range(rounds)), "one wins each round"
    app = settled(folder)
    winners = {number: worker for worker, each in enumerate(won) for number in each}
    for number in range(rounds - 5, rounds):
        page = call(app, "get", slug=f"shared/s-{number % 5}")
        assert page["content"] == f"# Shared\n\nround {number} by {winners[number]}\n"
        assert page["version"] == 1 + rounds // 5
    total = 5 + 7 + PROCESSES * rounds
    assert call(app, "stats")["counts"]["pages"] == total
    assert 5 < seen <= total
    for number in range(7):
        latest = max(each for each in range(rounds) if each % 7 == number)
        assert call(app, "get", slug=f"edited/e-{number}")["title"] == f"Edited {latest}"
    app.store.close()
    assert quick("validate", "--all", db=folder / ".quaid" / "memory.db").status == 0


@lengths("count", 150, 600)
def test_two_syncs_at_once(tmp_path: Path, count: int) -> None:
    """Both read the same new files for the first time, while others write, edit and read."""
    folder = vault(tmp_path / "vault", {"shared/s-0.md": "# Shared\n"})
    for number in range(count):
        place = folder / "bulk" / f"b-{number}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"# Bulk {number}\n\n[[bulk/b-{(number * 7) % count}]] [[shared/s-0]]\n")
    processes = [started(SYNCER, folder, number, 5) for number in range(2)]
    processes += [started(EDITOR, folder, 2, 30), started(READER, folder, 3, 10)]
    (first,), (second,), _, _ = ended(processes)
    assert (first, second) == (0, 0)
    app = settled(folder)
    assert call(app, "stats")["counts"]["pages"] == 1 + count + 7
    (repeated,) = app.connection.execute(
        "SELECT count(*) FROM pages WHERE quarantined_at IS NOT NULL OR version > 1 AND slug LIKE 'bulk/%'"
    ).fetchone()
    assert repeated == 0, "a page was made twice, or read twice as if it had changed"
    assert call(app, "stats")["counts"]["unresolved_links"] == 0
    app.store.close()
    assert quick("validate", "--all", db=folder / ".quaid" / "memory.db").status == 0


def test_an_edit_on_disk_is_not_overwritten_unseen(tmp_path: Path) -> None:
    """A program that writes the version it knows gets a conflict when a person has saved the file since."""
    folder = vault(tmp_path / "vault", {"shared/s-0.md": "# Shared\n"})
    app = open_app(folder / ".quaid" / "memory.db", Settings())
    place = folder / "shared" / "s-0.md"
    for number in range(30):
        version = call(app, "get", slug="shared/s-0")["version"]
        place.write_text(f"# Shared {number}\n")  # by hand, at once after it was read
        ran = quick(
            "call",
            "memory_put",
            json.dumps({"slug": "shared/s-0", "content": "# Lost\n", "expected_version": version}),
            db=folder / ".quaid" / "memory.db",
        )
        assert (ran.status, json.loads(ran.err)["error"]["code"]) == (4, "conflict"), number
        assert place.read_text() == f"# Shared {number}\n"
    app.store.close()
