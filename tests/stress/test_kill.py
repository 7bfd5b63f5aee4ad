"""Killed at any instant, a memory has every write that was acknowledged, and no half one."""

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
from tests.support import PATIENCE, call, found, lengths, memory_at, quick

pytestmark = pytest.mark.stress

# Writes of all kinds without end; each is announced before and acknowledged after.
WRITER = """
import json, random, sys
from pathlib import Path
from quaid.app import App
from quaid.errors import QuaidError
from quaid.operations import call
from quaid.settings import Settings
from quaid.store.connection import Store

path, round_ = Path(sys.argv[1]), int(sys.argv[2])
app = App(Store.open(path), Settings())
rng = random.Random(round_)

def say(what, *facts):
    sys.stdout.write(json.dumps([what, *facts]) + "\\n")
    sys.stdout.flush()

def version(slug):
    return call(app, "memory_get", {"slug": slug}).version

say("ready")
number = 0
while True:
    number += 1
    word = f"r{round_}n{number}"
    home = f"home/h-{rng.randrange(4)}"
    kind = rng.choice(["put", "tag", "link", "timeline", "mv", "rm"])
    say("try", kind, home, word)
    if kind == "put":
        content = f"# {word}\\n\\n[[{home}]] {'filler ' * 50}\\n"
        call(app, "memory_put", {"slug": f"new/{word}", "content": content, "expected_version": 0})
    elif kind == "tag":
        call(app, "memory_tag", {"slug": home, "tag": word, "page_version": version(home)})
    elif kind == "link":
        call(app, "memory_link", {"from": home, "to": word, "page_version": version(home)})
    elif kind == "timeline":
        call(app, "memory_timeline_add", {"slug": home, "date": "2026-04-14", "summary": word,
                                          "page_version": version(home)})
    elif kind == "mv":
        call(app, "memory_put", {"slug": f"old/{word}", "content": f"# {word}\\n", "expected_version": 0})
        values = {"slug": f"old/{word}", "to": f"moved/{word}", "page_version": version(f"old/{word}")}
        call(app, "memory_mv", values)
    else:
        call(app, "memory_put", {"slug": f"gone/{word}", "content": f"# {word}\\n", "expected_version": 0})
        call(app, "memory_rm", {"slug": f"gone/{word}", "page_version": version(f"gone/{word}")})
        if rng.random() < 0.5:
            say("removed", kind, home, word)
            call(app, "memory_restore", {"slug": f"gone/{word}"})
            kind = "restore"
    say("done", kind, home, word)
"""


def killed(db: Path, round_: int, rng: random.Random) -> list[list[str]]:
    """What a writer said before it was killed, at a random instant of some write."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(db), str(round_)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(rng.randint(2, 24))]
    assert all(lines), "the writer failed by itself"
    # A wait that is not for anything: the kill is to fall anywhere within a write.
    try:
        process.wait(timeout=rng.random() * 0.02)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    lines += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == -signal.SIGKILL
    return [json.loads(line) for line in lines if line.endswith("\n")]


def missing(app: App, said: list[list[Any]]) -> list[list[Any]]:
    """The acknowledged writes that the memory does not show."""
    lost = []
    for what, *facts in said:
        if what not in ("done", "removed"):
            continue
        kind, home, word = facts
        if not shown(app, "rm" if what == "removed" else kind, home, word, said):
            lost.append([what, *facts])
    return lost


def shown(app: App, kind: str, home: str, word: str, said: list[list[Any]]) -> bool:
    if kind == "tag":
        return word in call(app, "tags", slug=home)["tags"]
    if kind == "link":
        return word in [link["target"] for link in call(app, "links", slug=home)["links"]]
    if kind == "timeline":
        return [e["summary"] for e in call(app, "timeline", slug=home)["entries"]].count(word) == 1
    place = {"put": "new", "mv": "moved", "restore": "gone", "rm": "gone"}[kind]
    rows = app.connection.execute(
        "SELECT quarantined_at IS NULL FROM pages WHERE slug = ?", (f"{place}/{word}",)
    ).fetchall()
    if kind == "rm":
        # The restoring that follows may have come through before it could be acknowledged.
        restoring = ["removed", "rm", home, word] in said
        return rows == [(0,)] or (restoring and rows == [(1,)])
    return rows == [(1,)] and found(app, word)[:1] == [f"{place}/{word}"]


@lengths("kills", 8, 100)
def test_kill_at_any_instant(tmp_path: Path, kills: int) -> None:
    db = tmp_path / "memory.db"
    app = App(memory_at(db), Settings())
    for number in range(4):
        call(app, "put", slug=f"home/h-{number}", content=f"# Home {number}\n")
    rng = random.Random(4)
    acknowledged = 0
    interrupted = 0
    for round_ in range(kills):
        said = killed(db, round_, rng)
        acknowledged += sum(what == "done" for what, *_ in said)
        interrupted += said[-1][0] in ("try", "removed")
        assert missing(app, said) == [], f"round {round_}"
    assert acknowledged > kills
    assert interrupted > kills // 10, "the kills fell between writes; nothing was tested"
    assert not call(app, "validate", all=True)["findings"]
    app.store.close()
    ran = quick("validate", "--all", "--json", db=db)
    assert (ran.status, ran.json["findings"]) == (0, [])
