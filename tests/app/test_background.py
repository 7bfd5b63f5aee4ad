"""Texts are embedded in the background: by one process, that ends, and that may be killed or stopped."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App, Surroundings, background
from quaid.app.entrance import WORKER
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import ReadOnly
from quaid.index.lease import WANTED, Lease
from quaid.settings import Layer, Settings
from quaid.store import embeddings
from quaid.store.connection import Store
from quaid.store.scope import PAGES
from quaid.trust import Territory, Trust
from tests.support import PATIENCE, call, memory_at, mounted, quick, unprivileged
from tests.support_embedders import BagOfWords, Raising, install

MANY = 40  # texts: more than a question embeds itself


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The background is on here; no process outlives its test."""
    monkeypatch.delenv("QUAID_EMBED_BACKGROUND")
    background.STARTED.clear()
    yield background.STARTED
    for each in background.STARTED:
        each.kill()
        each.wait()
    background.STARTED.clear()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[App]:
    """A memory that its person made, with many texts that are not embedded."""
    app = made(tmp_path / "memory.db", tmp_path)
    Territory(Trust(tmp_path), app.store.path).claim()
    yield app
    app.store.close()


def made(path: Path, home: Path, worker: tuple[str, ...] = WORKER, **settings: Any) -> App:
    chosen = Settings(
        Layer("flag", "flag", {name.replace("_", "."): each for name, each in settings.items()})
    )
    app = App(memory_at(path), chosen, surroundings=Surroundings(home=home, worker=worker))
    with app.store.write():
        for number in range(MANY):
            app.collection().put(f"p-{number}", f"# Page {number}\n\nText {number}.\n")
    return app


def vectors(app: App) -> int:
    return int(app.connection.execute("SELECT count(*) FROM embeddings").fetchone()[0])


def ended(processes: list[subprocess.Popen[bytes]]) -> None:
    """Wait until the process that was started last has ended by itself."""
    assert processes[-1].wait(timeout=PATIENCE) == 0


def test_a_process_of_its_own_embeds_everything_and_ends(own: App, processes: Any) -> None:
    notice = own.background.begin()
    assert notice.startswith("0 of 40 texts embedded; that goes on in the background, ")
    ended(processes)
    assert vectors(own) == MANY
    status = call(own, "model status")
    assert (status["embedded"], "progress" in status) == (MANY, False)
    assert own.background.begin() == ""
    assert len(processes) == 1
    assert call(own, "validate", all=True)["findings"] == []


def test_single_lines_come_after_the_sections(own: App, processes: Any) -> None:
    lines = "\n".join(
        f"- {name}: keeps {name} and waters them every second day"
        for name in ("basil", "fern", "aloe", "monstera", "ivy")
    )
    own.collection().put("plants/list", f"# Plants\n\nWhat grows here.\n\n{lines}\n")
    own.background.begin()
    ended(processes)
    wanted = "SELECT count(DISTINCT hash) FROM items WHERE hash IS NOT NULL"
    stored = "SELECT count(*) FROM item_embeddings"
    assert own.connection.execute(stored).fetchone() == own.connection.execute(wanted).fetchone() != (0,)
    assert own.background.begin() == ""


def test_attaching_a_folder_starts_it(tmp_path: Path, processes: Any) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(MANY):
        (notes / f"{number}.md").write_text(f"Text {number}.\n")
    assert quick("init").status == 0
    added = quick("collection", "add", "notes", str(notes))
    assert "0 of 40 texts embedded; that goes on in the background" in added.err
    ended(processes)
    assert quick("model", "status", "--json").json["embedded"] == MANY
    assert "Embedding" not in quick("stats").out


def test_a_folder_that_becomes_a_memory_starts_it(tmp_path: Path, processes: Any) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(MANY):
        (notes / f"{number}.md").write_text(f"Text {number}.\n")
    assert "goes on in the background" in quick("init", str(notes)).err
    ended(processes)


def test_a_question_leaves_many_texts_to_it(own: App, processes: Any) -> None:
    embedder = install(own, BagOfWords(dimensions=384))
    answer = call(own, "query", question="text")
    assert "goes on in the background" in answer["notices"][0]
    assert embedder.forget() == ["text"], "nothing but the question"
    assert len(answer["results"]) == 10
    ended(processes)


def test_little_is_not_worth_a_process(own: App, processes: Any) -> None:
    install(own, BagOfWords())
    call(own, "embed")
    call(own, "put", slug="one-more", content="Text.")
    assert own.background.begin() == ""
    assert call(own, "query", question="text")["notices"] == []
    assert processes == []
    assert vectors(own) == MANY + 1


def test_it_does_not_start_where_it_may_not(tmp_path: Path, processes: Any) -> None:
    """Off by the setting; on no surface; for a memory nobody accepted; with a model that is elsewhere."""
    off = made(tmp_path / "a.db", tmp_path, embed_background="off")
    nobody = made(tmp_path / "b.db", tmp_path, ())
    strange = made(tmp_path / "c.db", tmp_path)
    elsewhere = made(tmp_path / "d.db", tmp_path)
    for app in (off, nobody, elsewhere):
        Territory(Trust(tmp_path), app.store.path).claim()
    with elsewhere.store.write() as connection:
        embeddings.register(connection, "http:model", 384, elsewhere.now())
    states = []
    for app in (off, nobody, strange, elsewhere):
        assert app.background.begin() == "0 of 40 texts embedded; `quaid embed` makes up for that."
        states.append(app.background.progress().background)
        app.store.close()
    assert states == [
        "off",
        "not here",
        "not for a memory that you have not accepted",
        "not with a model that runs elsewhere",
    ]
    assert processes == []


def test_a_memory_that_cannot_be_written(processes: Any) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # where another user may look
        home = Path(name)
        made(home / "memory.db", home).store.close()
        with unprivileged(home):
            home.chmod(0o500)
            around = Surroundings(home=home, worker=WORKER)
            app = App(Store.open(home / "memory.db"), Settings(), surroundings=around)
            assert app.background.begin() == "0 of 40 texts embedded; `quaid embed` makes up for that."
            assert app.background.progress().background == "not where nothing can be written"
            app.store.close()
            home.chmod(0o700)
    assert processes == []


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=3m") as small:
        app = made(small / "memory.db", tmp_path)
        Territory(Trust(tmp_path), app.store.path).claim()
        install(app, BagOfWords(dimensions=40_000))
        app.background.work()
        assert "is full" in app.background.begin()
        assert call(app, "validate", all=True)["findings"] == []
        app.store.close()


def test_one_that_is_killed_is_taken_over(own: App, processes: Any) -> None:
    own.background.begin()
    processes[0].kill()
    processes[0].wait()
    own.background.begin()
    assert len(processes) in (1, 2)
    ended(processes)
    assert vectors(own) == MANY
    assert call(own, "validate", embeddings=True)["findings"] == []


def test_one_works_at_a_time(own: App, db: Path, processes: Any) -> None:
    embedder = install(own, BagOfWords())
    other = Lease(own.store.path)
    assert other.take()
    other.note(rate=4.0)
    own.background.work()
    assert embedder.forget() == []
    assert own.background.begin() == "0 of 40 texts embedded, less than a minute left."
    now = call(own, "model status")["progress"]
    assert (now["worker"], now["per_second"], now["seconds_left"]) == (os.getpid(), 4.0, 10)
    assert processes == []
    other.release()
    own.background.work()
    assert vectors(own) == MANY


class Pausing(BagOfWords):
    """One during whose work somebody does something."""

    def __init__(self, act: Any) -> None:
        super().__init__(dimensions=384)  # as the real one has
        self._act = act

    def embed(self, texts: Any) -> Any:
        self._act()
        return super().embed(texts)


def test_paused_and_resumed(own: App, processes: Any) -> None:
    install(own, Pausing(lambda: quick("embed", "--pause", db=own.store.path)))
    own.background.work()
    assert vectors(own) == 32, "what was done is kept"
    assert quick("stats", db=own.store.path).out.count("32 of 40 texts embedded") == 1
    assert own.background.begin() == ""
    call(own, "config set", key="query.catch_up", value="4")
    assert own.reread().background.begin() == "32 of 40 texts embedded; `quaid embed` makes up for that."
    assert processes == []
    assert quick("embed", "--resume", db=own.store.path).out == "Embedding in the background: on\n"
    ended(processes)
    assert vectors(own) == MANY


def test_it_makes_way_for_who_wants_it_at_once(own: App) -> None:
    person = Lease(own.store.path, WANTED)
    install(own, Pausing(person.take))
    own.background.work()
    assert vectors(own) == 32
    person.release()
    install(own, BagOfWords(dimensions=384))
    assert call(own, "embed")["embedded"] == 8


def test_another_model_ends_it(own: App) -> None:
    def switch() -> None:
        with own.store.write() as connection:
            other = embeddings.register(connection, "other", 32, own.now())
            embeddings.activate(connection, other.id)

    install(own, Pausing(switch))
    own.background.work()
    assert vectors(own) == 32


def test_a_failure_is_told_and_not_repeated(own: App, processes: Any) -> None:
    install(own, Raising())
    own.background.work()
    assert "out of order" in own.background.begin()
    assert "out of order" in call(own, "model status")["progress"]["problem"]
    assert processes == []
    install(own, BagOfWords())
    assert call(own, "embed")["embedded"] == MANY
    assert own.background.begin() == ""


def test_what_comes_meanwhile_is_embedded_too(own: App) -> None:
    def write() -> None:
        call(own, "put", slug="late", content="# Late\n\nCame while others were embedded.\n")

    install(own, Pausing(write))
    own.background.work()
    assert vectors(own) == MANY + 1
    assert not embeddings.behind(own.connection, own.models.current().id, [PAGES])


def test_a_note_that_is_no_note(own: App) -> None:
    lease = Lease(own.store.path)
    for odd in (b"", b"\xff", b"[]", b'{"pid": "x"}', b"[" * 9000):
        lease.path.write_bytes(odd)
        assert lease.last_note is None
        assert own.background.progress().embedded == 0
    lease.path.unlink()
    lease.path.symlink_to(own.store.path)
    assert (lease.last_note, lease.is_taken) == (None, False)
    lease.path.unlink()
    os.mkfifo(lease.path)
    assert (lease.last_note, lease.is_taken) == (None, False)
    with pytest.raises(ReadOnly):
        call(own, "embed")


def test_an_interrupted_run_says_how_to_go_on(own: App) -> None:
    told: list[str] = []

    def interrupt() -> None:
        if vectors(own):
            raise KeyboardInterrupt

    install(own, Pausing(interrupt))
    object.__setattr__(own._surroundings, "notify", told.append)
    with pytest.raises(KeyboardInterrupt):
        call(own, "embed")
    assert told == ["32 of 40 texts embedded; what is done is kept, `quaid embed` goes on."]
    assert not Lease(own.store.path).is_taken
    install(own, BagOfWords(dimensions=384))
    assert call(own, "embed") == {"model": DEFAULT_MODEL, "embedded": 8, "texts": 40}


def test_the_most_useful_texts_come_first(own: App, tmp_path: Path) -> None:
    """Beginnings before depths, a notebook before the rest, what is linked or has a name before others."""
    embedder = install(own, BagOfWords())
    call(own, "embed")
    embedder.forget()
    diary = tmp_path / "diary"
    (diary / "daily").mkdir(parents=True)
    (diary / "daily" / "2026-04-14.md").write_text("Met somebody.\n")
    parts = "".join(f"## Part {n}\n\nDeep {n}.\n\n" for n in range(3))
    call(own, "put", slug="notes/long", content=f"# Long\n\nBeginning.\n\n{parts}")
    call(own, "put", slug="people/alice", content="# Alice\n\nSomebody.\n")
    call(own, "put", slug="notes/hub", content="# Hub\n\nLinked to.\n")
    for number in range(4):
        call(own, "put", slug=f"notes/a{number}", content=f"# A{number}\n\nSee [[notes/hub]].\n")
    call(own, "collection add", name="diary", folder=str(diary), profile="notebook")
    call(own, "embed")
    order = [text.split("\n")[-1] for text in embedder.forget() if "See" not in text]
    place = order.index
    assert place("Met somebody.") < place("Linked to.") < place("Beginning.") < place("Deep 0.")
    assert place("Somebody.") < place("Beginning.")
    assert order[-2:] == ["Deep 1.", "Deep 2."]


def test_how_fast_it_is_counts_from_the_first_texts_on_and_not_before_some_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter((100.0, 103.0, 110.0))
    monkeypatch.setattr(background.time, "monotonic", lambda: next(clock))
    rate = background.Rate()
    assert rate.value == 0.0  # a model that loads for a minute says nothing about texts
    rate.add(4)
    rate.add(6)
    assert rate.value == 0.0
    rate.add(14)
    assert rate.value == 2.0
