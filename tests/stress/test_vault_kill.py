"""Killed at any instant, a folder and its memory agree again at the next command, and no half write is left.

Most kills are not left to chance: a process ends itself just before its n-th step, for many n. The others
fall at random instants of a process that writes.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from quaid.app import App, open_app
from quaid.model.actor import Actor, acting
from quaid.settings import Settings
from tests.stress.mortal import Killer, Step, spread
from tests.support import PATIENCE, call, lengths, quick

pytestmark = pytest.mark.stress

REFERRERS = 12


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A folder with a page that many link to, and one with raw data."""
    folder = tmp_path / "template"
    (folder / "refs").mkdir(parents=True)
    (folder / "Target.md").write_text("# The place\n\nWhere [[refs/r-0]] leads.\n")
    (folder / "other.md").write_text("# Other\n\n[[Target]]\n")
    for number in range(REFERRERS):
        (folder / "refs" / f"r-{number}.md").write_text(f"# R {number}\n\nSee [[Target]], {'filler ' * 99}\n")
    assert quick("init", str(folder)).status == 0
    db = folder / ".quaid" / "memory.db"
    assert quick("raw", "other", "api", "--data", '{"k": 1}', db=db).status == 0
    return folder


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def renewed(template: Path, vault: Path, prepare: Callable[[Path], None] | None = None) -> None:
    shutil.rmtree(vault, ignore_errors=True)
    shutil.copytree(template, vault)
    if prepare:
        prepare(vault)


several = lengths("kills", 6, 30)
many = lengths("kills", 10, 60)


def files(vault: Path) -> dict[str, str]:
    return {path.relative_to(vault).as_posix(): path.read_text() for path in vault.rglob("*.md")}


def pages(app: App) -> dict[str, str]:
    sql = "SELECT path, text FROM live_pages"
    return dict(app.connection.execute(sql))


@contextmanager
def recovered(vault: Path, where: str) -> Iterator[App]:
    """The memory after the next commands: a question first, then a write; all that must hold is checked."""
    app = open_app(vault / ".quaid" / "memory.db", Settings())
    try:
        call(app, "list")
        assert files(vault) == pages(app), where
        call(app, "put", slug="probe", content=f"# Probe {where}\n")
        left = [path.name for path in vault.rglob("*") if ".tmp" in path.name or path.suffix == ".files"]
        assert left == [], where
        report = call(app, "collection sync")["collections"][0]
        assert (report["effects"], report["failed"]) == ({}, 0), where
        assert files(vault) == pages(app), where
        assert call(app, "validate", all=True)["findings"] == [], where
        yield app
    finally:
        app.store.close()


def content(word: str) -> str:
    return f"# {word}\n\n[[Target]] {word}\n"


def alike(texts: list[str | None], word: str) -> bool:
    """All are new, or none is."""
    return len({text is not None and word in text for text in texts}) == 1


@several
def test_kill_during_puts(killer: Killer, template: Path, vault: Path, kills: int) -> None:
    """A page is rewritten, one is made in a new directory, one gets raw data."""
    steps: list[Step] = [
        ("put", {"slug": "other", "content": content("walrus")}),
        ("put", {"slug": "new/deep/page", "content": content("narwhal")}),
        ("raw", {"slug": "other", "source": "api", "data": {"k": "beluga"}}),
    ]
    renewed(template, vault)
    done, count = killer.write(vault, steps)
    assert done == 3
    for point in spread(count, kills):
        renewed(template, vault)
        done, _ = killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}") as app:
            shown = files(vault)
            said = (
                "walrus" in shown["other.md"],
                "new/deep/page.md" in shown,
                call(app, "raw", slug="other")["sources"][0]["data"] == {"k": "beluga"},
            )
            assert all(said[:done]), point
            assert not any(said[done + 1 :]), point
            sidecar = json.loads((vault / ".raw" / "other.json").read_text())["sources"]
            assert sidecar == {"api": call(app, "raw", slug="other")["sources"][0]["data"]}


@many
def test_kill_while_links_are_rewritten(killer: Killer, template: Path, vault: Path, kills: int) -> None:
    steps: list[Step] = [("mv", {"slug": "target", "to": "places/goal"})]
    renewed(template, vault)
    _, count = killer.write(vault, steps)
    assert "places/goal.md" in files(vault)
    for point in spread(count, kills):
        renewed(template, vault)
        done, _ = killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}"):
            shown = files(vault)
            referring = [shown[f"refs/r-{number}.md"] for number in range(REFERRERS)] + [shown["other.md"]]
            assert ("places/goal.md" in shown) != ("Target.md" in shown)
            moved = "places/goal.md" in shown
            assert alike(referring, "[[goal]]"), point
            assert alike(referring, "[[Target]]"), point
            assert moved == ("[[goal]]" in referring[0])
            assert moved or not done


@many
def test_kill_during_a_transaction_of_many_pages(
    killer: Killer, template: Path, vault: Path, kills: int
) -> None:
    together = [*(f"refs/r-{number}" for number in range(6)), *(f"made/m-{number}" for number in range(3))]
    steps: list[Step] = [("together", {**dict.fromkeys(together, content("walrus")), "other": None})]
    renewed(template, vault)
    _, count = killer.write(vault, steps)
    for point in spread(count, kills):
        renewed(template, vault)
        done, _ = killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}"):
            shown = files(vault)
            texts = [shown.get(f"{slug}.md") for slug in together]
            assert alike(texts, "walrus"), point
            written = texts[0] is not None and "walrus" in texts[0]
            assert ("other.md" in shown) != written, point
            assert written or not done


@several
def test_kill_while_a_page_goes_and_comes_back(
    killer: Killer, template: Path, vault: Path, kills: int
) -> None:
    steps: list[Step] = [("rm", {"slug": "other"}), ("restore", {"slug": "other"})]
    renewed(template, vault)
    _, count = killer.write(vault, steps)
    before = files(vault)["other.md"]
    for point in spread(count, kills):
        renewed(template, vault)
        done, _ = killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}") as app:
            assert (vault / "other.md").exists() == (vault / ".raw" / "other.json").exists(), point
            if not (vault / "other.md").exists():
                assert done < 2
                call(app, "restore", slug="other")
            assert files(vault)["other.md"] == before
            assert call(app, "raw", slug="other")["sources"][0]["data"] == {"k": 1}


@several
def test_kill_while_a_session_is_taken_back(killer: Killer, template: Path, vault: Path, kills: int) -> None:
    """Texts that go back, a page that is removed again and one that comes back: all of it, or nothing."""
    before = files(template)
    app = open_app(template / ".quaid" / "memory.db", Settings())
    with acting(Actor("agent", "Robot", session="r-1")):
        for slug, version in (("refs/r-1", 1), ("refs/r-2", 1), ("made", 0)):
            call(app, "put", slug=slug, content=content("walrus"), expected_version=version)
        call(app, "rm", slug="other")
    app.store.close()
    after = files(template)
    steps: list[Step] = [("undo", {"session": "r-1", "yes": True})]
    renewed(template, vault)
    _, count = killer.write(vault, steps)
    for point in spread(count, kills):
        renewed(template, vault)
        killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}") as app:
            shown = {path: text for path, text in files(vault).items() if path != "probe.md"}
            assert shown in (before, after), point
            again = call(app, "undo", session="r-1", yes=True)
            assert bool(again["pages"]) == (shown == after), point
            assert {**before, "probe.md": files(vault)["probe.md"]} == files(vault)


def outside(vault: Path) -> None:
    """Changes by other programs: new, changed, moved, removed and swapped files."""
    (vault / "added.md").write_text(content("walrus"))
    (vault / "other.md").write_text(content("narwhal"))
    (vault / "refs" / "r-0.md").rename(vault / "r-zero.md")
    (vault / "refs" / "r-1.md").unlink()
    for old, new in (("r-2", "swap"), ("r-3", "r-2"), ("swap", "r-3")):
        (vault / "refs" / f"{old}.md").rename(vault / "refs" / f"{new}.md")
    (vault / ".raw" / "other.json").write_text('{"sources": {"api": {"k": 2}}}')


@pytest.mark.parametrize("step", ["collection sync", "list"])
@several
def test_kill_during_a_sync(killer: Killer, template: Path, vault: Path, step: str, kills: int) -> None:
    steps: list[Step] = [(step, {})]
    renewed(template, vault, outside)
    _, count = killer.write(vault, steps)
    expected = files(vault)
    for point in spread(count, kills):
        renewed(template, vault, outside)
        killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}") as app:
            assert expected.items() <= files(vault).items()
            assert call(app, "raw", slug="other")["sources"][0]["data"] == {"k": 2}
            (started,) = app.connection.execute("SELECT min(id) FROM pages WHERE slug = 'r-zero'").fetchone()
            assert started <= REFERRERS + 2, "a moved page is the same page"


@many
def test_kill_while_a_lost_memory_is_made_anew(
    killer: Killer, template: Path, vault: Path, kills: int
) -> None:
    def lose(folder: Path) -> None:
        (folder / ".quaid" / "memory.db").unlink()

    steps: list[Step] = [("list", {})]
    renewed(template, vault, lose)
    _, count = killer.write(vault, steps)
    expected = files(vault)
    for point in spread(count, kills):
        renewed(template, vault, lose)
        killer.write(vault, steps, point)
        with recovered(vault, f"point {point} of {count}") as app:
            assert expected.items() <= files(vault).items()
            assert call(app, "raw", slug="other")["sources"][0]["data"] == {"k": 1}


# Writes without end, each announced and acknowledged.
WRITER = """
import random, sys
from pathlib import Path
from quaid.app import open_app
from quaid.operations import decode, run, tool
from quaid.settings import Settings

folder, round_ = Path(sys.argv[1]), int(sys.argv[2])
app = open_app(folder / ".quaid" / "memory.db", Settings())
rng = random.Random(round_)


def do(name, **values):
    chosen = tool(name)
    run(app, chosen, decode(chosen.arguments, values, tool=False))


print("ready", flush=True)
place = next(iter(app.connection.execute("SELECT slug FROM live_pages WHERE title = 'The place'")))[0]
for number in range(10**9):
    word = f"r{round_}n{number}"
    kind = rng.choice(["put", "edit", "sync", "together", "mv"])
    if kind == "put":
        do("put", slug=f"new/{word}", content=f"# {word}\\n\\n[[{place}]]\\n")
    elif kind == "edit":
        do("timeline-add", slug=f"refs/r-{rng.randrange(4)}", date="2026-04-14", summary=word)
    elif kind == "sync":
        (folder / f"outside-{word}.md").write_text(f"# {word}\\n")
        do("collection sync")
    elif kind == "together":
        with app.store.write():
            for each in range(5):
                app.collection().put(f"together/t-{each}", f"# {word}\\n")
    else:
        new = f"places/{word}"
        do("mv", slug=place, to=new)
        place = new
    print(kind, word, flush=True)
"""


@lengths("kills", 5, 40)
def test_kill_at_random_instants(template: Path, kills: int) -> None:
    vault, rng = template, random.Random(4)
    acknowledged = 0
    for round_ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(vault), str(round_)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(rng.randint(1, 8))]
        assert all(lines), "the writer failed by itself"
        # A wait that is not for anything: the kill is to fall anywhere within a write.
        try:
            process.wait(timeout=rng.random() * 0.03)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == -signal.SIGKILL
        said = [line.split() for line in lines[1:] if line.endswith("\n")]
        acknowledged += len(said)
        with recovered(vault, f"round {round_}"):
            shown = files(vault)
            whole = "\n".join(shown.values())
            for kind, word in said:
                place = {"put": f"new/{word}.md", "sync": f"outside-{word}.md"}.get(kind)
                assert place in shown if place else kind in ("mv", "together") or whole.count(word) == 1
            assert len({text for path, text in shown.items() if path.startswith("together/")}) <= 1
            targets = [path for path, text in shown.items() if text.startswith("# The place\n")]
            assert len(targets) == 1
            name = targets[0].rpartition("/")[2].removesuffix(".md")  # the shortest form that leads there
            assert shown["refs/r-9.md"].count(f"[[{name}]]") == 1
    assert acknowledged > kills
    ran = quick("validate", "--all", "--json", db=vault / ".quaid" / "memory.db")
    assert (ran.status, ran.json["findings"]) == (0, [])
