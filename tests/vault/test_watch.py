"""`quaid watch`: what other programs do to a folder is found a moment later, whatever happens to it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quaid.app import App, open_app
from quaid.settings import Layer, Settings
from quaid.store import leases
from quaid.vault import sync, watch
from quaid.vault.watch import Watcher
from tests.support import PATIENCE, Clock, call, environment, eventually, found, quick

# The program, whose heart beats faster: otherwise tests would wait for it for seconds.
HURRIED = """
import sys
from quaid.cli.main import main
from quaid.vault import watch
watch.HEARTBEAT = 0.2
sys.exit(main())
"""


class Watching:
    """A process of `quaid watch`, and all that it says."""

    def __init__(self, db: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HURRIED, "watch", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(db, {"QUAID_SYNC_DEBOUNCE": "0.05"}),
        )
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        self.said.extend(self.process.stdout)

    def hears(self, text: str) -> None:
        eventually(lambda: any(text in line for line in self.said))

    def end(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()
        return status


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of old files, which is a memory."""
    place = tmp_path / "vault"
    for name, text in (
        ("alice.md", "# Alice\n\nShe met a walrus.\n"),
        ("deep/bob.md", "# Bob\n\nHe knows [[alice]].\n"),
        ("deep/below/carol.md", "# Carol\n\nThe heron.\n"),
    ):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
        os.utime(place / name, (1_700_000_000, 1_700_000_000.5))
    assert quick("init", str(place)).status == 0
    return place


@pytest.fixture
def db(folder: Path) -> Path:
    return folder / ".quaid" / "memory.db"


@pytest.fixture
def start(db: Path) -> Iterator[Callable[..., Watching]]:
    """Start watching; whatever is left is ended."""
    started: list[Watching] = []

    def begin(*words: str) -> Watching:
        started.append(Watching(db, *words))
        return started[-1]

    yield begin
    for each in started:
        each.end(signal.SIGKILL)


@pytest.fixture
def watching(start: Callable[..., Watching]) -> Watching:
    process = start()
    process.hears("vault: in step")
    return process


def looked_at(db: Path) -> App:
    """A memory whose files nobody but the watching process reads."""
    return open_app(db, Settings(Layer("flag", "flag", {"sync.on_read": "never"})))


@pytest.fixture
def memory(db: Path) -> Iterator[App]:
    opened = looked_at(db)
    yield opened
    opened.store.close()


def identity(app: App, slug: str) -> int:
    (page,) = app.connection.execute("SELECT id FROM live_pages WHERE slug = ?", (slug,)).fetchall()
    return int(page[0])


def slugs(app: App) -> set[str]:
    return {slug for (slug,) in app.connection.execute("SELECT slug FROM live_pages")}


def test_an_edit_is_found(watching: Watching, folder: Path, db: Path) -> None:
    (folder / "alice.md").write_text("# Alice\n\nShe met a narwhal.\n")
    (folder / "new.md").write_text("# New\n\nA beluga.\n")
    watching.hears("1 added")
    watching.hears("1 changed")
    for word, slug in (("narwhal", "alice"), ("beluga", "new")):
        assert [match["slug"] for match in quick("search", word, "--json", db=db).json["results"]] == [slug]
    assert quick("search", "walrus", "--json", db=db).json["results"] == []


def test_only_what_has_changed_is_read(watching: Watching, folder: Path, memory: App) -> None:
    """A file that looks as it did is not read: its page keeps the text that it had."""
    for path, text in (("deep/bob.md", "He hates [[alice]]."), ("deep/below/carol.md", "The egret.")):
        place = folder / path
        before = place.stat()
        old = place.read_text()
        place.write_text(old.splitlines()[0] + "\n\n" + text + "\n")
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        after = place.stat()
        assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
            before.st_size,
            before.st_mtime_ns,
            before.st_ino,
        )
    (folder / "alice.md").write_text("# Alice\n\nShe met a narwhal.\n")
    eventually(lambda: found(memory, "narwhal"))
    assert found(memory, "knows") == ["deep/bob"]
    assert found(memory, "heron") == ["deep/below/carol"]
    assert found(memory, "egret") == []
    assert quick("collection", "sync", "--thorough", db=memory.store.path).status == 0
    assert found(memory, "egret") == ["deep/below/carol"]


def test_a_renamed_folder_keeps_its_pages(watching: Watching, folder: Path, memory: App) -> None:
    before = identity(memory, "deep/bob"), identity(memory, "deep/below/carol")
    (folder / "deep").rename(folder / "shallow")
    eventually(lambda: {"shallow/bob", "shallow/below/carol"} <= slugs(memory))
    assert (identity(memory, "shallow/bob"), identity(memory, "shallow/below/carol")) == before
    assert slugs(memory) == {"alice", "shallow/bob", "shallow/below/carol"}
    (folder / "shallow" / "below" / "carol.md").write_text("# Carol\n\nAn egret.\n")
    eventually(lambda: found(memory, "egret") == ["shallow/below/carol"])


def test_a_folder_that_goes_and_comes_back(
    watching: Watching, folder: Path, memory: App, tmp_path: Path
) -> None:
    before = identity(memory, "deep/bob")
    (folder / "deep").rename(tmp_path / "elsewhere")
    eventually(lambda: slugs(memory) == {"alice"})
    assert len(call(memory, "list", removed=True)["removed"]) == 2
    shutil.copytree(tmp_path / "elsewhere", folder / "deep")
    eventually(lambda: len(slugs(memory)) == 3)
    assert identity(memory, "deep/bob") == before
    assert call(memory, "list", removed=True)["removed"] == []


def test_noise_is_ignored(watching: Watching, folder: Path, memory: App) -> None:
    (folder / ".git").mkdir()
    for number in range(50):
        (folder / ".git" / f"object-{number}.md").write_text("# Noise\n")
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "workspace.md").write_text("# Noise\n")
    (folder / "alice.md").write_text("# Alice\n\nA narwhal.\n")
    eventually(lambda: found(memory, "narwhal"))
    assert [line for line in watching.said if "alice" not in line] == ["vault: in step\n"]
    assert found(memory, "noise") == []


def test_patterns_that_change(watching: Watching, folder: Path, db: Path, memory: App) -> None:
    """Those in the folder, and those of the memory."""
    (folder / ".quaidignore").write_text("deep/below/\n")
    eventually(lambda: slugs(memory) == {"alice", "deep/bob"})
    (folder / ".quaidignore").unlink()
    eventually(lambda: "deep/below/carol" in slugs(memory))
    assert quick("collection", "ignore", "vault", "drafts/", db=db).status == 0
    (folder / "drafts").mkdir()
    (folder / "drafts" / "dora.md").write_text("# Dora\n")
    (folder / "emil.md").write_text("# Emil\n")
    eventually(lambda: "emil" in slugs(memory))
    assert "drafts/dora" not in slugs(memory)


def test_another_waits_and_takes_over(
    watching: Watching, start: Callable[..., Watching], folder: Path, memory: App
) -> None:
    second = start()
    second.hears(f"vault is watched by process {watching.process.pid}")
    (line,) = call(memory, "collection list")["collections"]
    assert line["watched_by"] == watching.process.pid
    (folder / "alice.md").write_text("# Alice\n\nA narwhal.\n")
    eventually(lambda: found(memory, "narwhal"))
    assert watching.end(signal.SIGKILL) == -signal.SIGKILL
    (folder / "alice.md").write_text("# Alice\n\nA beluga.\n")  # while nobody watches
    second.hears("vault:")
    eventually(lambda: found(memory, "beluga"))
    (folder / "alice.md").write_text("# Alice\n\nAn orca.\n")
    eventually(lambda: found(memory, "orca"))
    assert second.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_to_end_is_heeded(watching: Watching, memory: App, number: int) -> None:
    assert call(memory, "collection list")["collections"][0]["watched_by"] == watching.process.pid
    assert watching.end(number) == 0
    assert call(memory, "collection list")["collections"][0].get("watched_by") is None
    assert memory.connection.execute("SELECT count(*) FROM collection_owners").fetchone() == (0,)
    assert watching.said == ["vault: in step\n"]


def test_a_folder_that_is_lost_alarms_and_recovers(tmp_path: Path) -> None:
    folder, db = tmp_path / "notes", tmp_path / "memory.db"
    folder.mkdir()
    (folder / "alice.md").write_text("# Alice\n\nA walrus.\n")
    assert quick("init", db).status == 0
    assert quick("collection", "add", "notes", folder, db=db).status == 0
    memory = looked_at(db)
    watching = Watching(db)
    try:
        watching.hears("notes: in step")
        before = identity(memory, "alice")
        folder.rename(tmp_path / "unmounted")
        watching.hears("cannot be read")
        line = call(memory, "collection list")["collections"][-1]
        assert (line["state"], line["pages"]) == ("halted", 1)
        folder.mkdir()  # an empty mount point
        watching.hears("has no pages any more")
        assert slugs(memory) == {"alice"}
        folder.rmdir()
        (tmp_path / "unmounted" / "alice.md").write_text("# Alice\n\nA narwhal.\n")
        (tmp_path / "unmounted").rename(folder)
        eventually(lambda: found(memory, "narwhal"))
        assert call(memory, "collection list")["collections"][-1]["state"] == "active"
        (folder / "alice.md").write_text("# Alice\n\nA beluga.\n")
        eventually(lambda: found(memory, "beluga"))
        assert identity(memory, "alice") == before
        assert len([line for line in watching.said if "cannot be read" in line]) <= 2, "it says it once"
    finally:
        memory.store.close()
        assert watching.end() == 0


def test_a_detached_collection_is_not_watched_any_more(tmp_path: Path) -> None:
    folder, db = tmp_path / "notes", tmp_path / "memory.db"
    folder.mkdir()
    assert quick("init", db).status == 0
    assert quick("collection", "add", "notes", folder, db=db).status == 0
    watching = Watching(db)
    watching.hears("notes: in step")
    assert quick("collection", "remove", "notes", db=db).status == 0
    assert watching.process.wait(timeout=PATIENCE) == 0
    assert watching.end() == 0


def test_a_memory_that_is_replaced_ends_the_watch(watching: Watching, folder: Path, db: Path) -> None:
    """It would keep a memory in step that nobody sees any more."""
    for path in db.parent.glob("memory.db*"):
        path.unlink()
    assert quick("list", db=db).status == 0
    assert watching.process.wait(timeout=PATIENCE) == 10
    watching.end()
    assert "was deleted or replaced" in "".join(watching.said)


def test_a_folder_below_an_ignored_name(tmp_path: Path) -> None:
    """What is ignored within a folder says nothing about where the folder itself is."""
    folder, db = tmp_path / ".trash" / "node_modules" / "notes", tmp_path / "memory.db"
    folder.mkdir(parents=True)
    assert quick("init", db).status == 0
    assert quick("collection", "add", "notes", folder, db=db).status == 0
    watching = Watching(db)
    try:
        watching.hears("notes: in step")
        (folder / "alice.md").write_text("# Alice\n")
        watching.hears("1 added")
    finally:
        assert watching.end() == 0


class Leased:
    """A watcher within this process, and a clock that the test moves on as long as the lease is renewed."""

    def __init__(self, folder: Path, db: Path) -> None:
        self.app = open_app(db, Settings())
        self.clock = Clock()
        self.row = self.app.collection_row("vault")
        said: list[object] = []
        watched = {self.row.id: folder}
        self.watcher = Watcher(
            self.app.store, watched, self.app.sync, self.clock, 0.01, said.append, said.append
        )

    def renewed(self) -> bool:
        """Whether the watcher has said that it lives since the clock was moved."""
        holder = leases.holder(self.app.connection, self.row.id, self.clock())
        return holder is not None and holder.heartbeat == self.clock()

    def move_on(self) -> None:
        """Half of the time after which the lease is lost; but for a heartbeat, twice is too much."""
        self.clock.tick(leases.EXPIRY / 2)
        eventually(self.renewed)


@pytest.fixture
def leased(folder: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Leased]:
    monkeypatch.setattr(watch, "HEARTBEAT", 0.05)
    made = Leased(folder, db)
    stop = threading.Event()
    running = threading.Thread(target=made.watcher.run, args=(stop,))
    running.start()
    yield made
    stop.set()
    running.join(PATIENCE)
    made.app.store.close()
    assert not running.is_alive()


def test_noise_does_not_cost_the_lease(leased: Leased, folder: Path) -> None:
    """A process that watches lives, also when another program changes ignored files all the time."""
    (folder / ".git").mkdir()
    quiet = threading.Event()

    def make_noise() -> None:
        while not quiet.wait(0.005):
            (folder / ".git" / "index.lock").write_text("noise")

    noise = threading.Thread(target=make_noise)
    noise.start()
    try:
        for _ in range(4):
            leased.move_on()
    finally:
        quiet.set()
        noise.join()


def test_a_long_first_look_does_not_cost_the_lease(
    folder: Path, memory: App, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(sync, "COMMIT_EVERY", 0.01)
    for number in range(300):
        (folder / f"n-{number}.md").write_text(f"# N {number}\n\n{'word ' * 200}[[n-{number + 1}]]\n")
    leased = request.getfixturevalue("leased")
    meanwhile = 0
    while len(slugs(memory)) < 303:
        leased.move_on()
        meanwhile += len(slugs(memory)) < 303
    assert meanwhile, "it was renewed only after all had been read"


def test_a_command_does_not_wait_for_the_watcher_to_see_an_edit(folder: Path, db: Path) -> None:
    app = open_app(db, Settings())
    row = app.collection_row()
    assert leases.take(app.connection, row.id, "another", os.getpid(), leases.host_name(), app.now())
    (folder / "alice.md").write_text("# Alice\n\nShe met a puffin.\n")
    assert found(app, "puffin") == ["alice"]
    app.store.close()
