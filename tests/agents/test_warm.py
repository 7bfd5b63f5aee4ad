"""The process that keeps a model ready: who may ask it, when it ends, and what happens without it."""

from __future__ import annotations

import json
import os
import socket
import stat
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quaid.agents import warm
from quaid.agents.hooks.recollection import answer_recollection
from quaid.app import App, Surroundings, open_app
from quaid.settings import Settings
from tests.notebook.reading import attach, hooked
from tests.support import PATIENCE, call, eventually, quaid, quick


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are waited for however busy the machine is, and the end of a memory is seen at once."""
    monkeypatch.setattr(warm, "ANSWERING", PATIENCE)
    monkeypatch.setattr(warm, "LOOK", 0.02)


def echo(app: App, values: Mapping[str, Any]) -> Any:
    if values.get("fail"):
        raise ValueError("no")
    return {"said": values.get("text")}


@pytest.fixture
def home() -> Iterator[Path]:
    """A home with a short path: that of a socket must not be long."""
    with tempfile.TemporaryDirectory(prefix="q", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class Server:
    """A warm process, as a thread."""

    def __init__(self, db: Path, home: Path, idle: float = PATIENCE) -> None:
        self.served: bool | None = None
        self._arguments = (db, home, idle)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        db, home, idle = self._arguments
        app = open_app(db, Settings(), Surroundings(home=home, embedders={}))
        self.served = warm.serve(app, {"echo": echo, "recollect": answer_recollection}, idle)
        app.store.close()

    def end(self) -> None:
        """It ends when its memory is gone."""
        db, away = self._arguments[0], self._arguments[0].with_name("away.db")
        os.rename(db, away)
        self.thread.join(PATIENCE)
        os.rename(away, db)
        assert not self.thread.is_alive()


@contextmanager
def serving(db: Path, home: Path) -> Iterator[Server]:
    made = Server(db, home)
    eventually(lambda: warm.is_there(db, home))
    yield made
    made.end()


@pytest.fixture
def server(app: App, db: Path, home: Path) -> Iterator[Server]:
    with serving(db, home) as made:
        yield made


def test_it_answers_and_ends_by_itself(app: App, db: Path, home: Path) -> None:
    server = Server(db, home, 2.0)
    eventually(lambda: warm.is_there(db, home))
    assert warm.ask(db, home, "echo", {"text": "naïve 日本"}) == {"said": "naïve 日本"}
    path = warm.socket_path(db, home)
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    server.thread.join(PATIENCE)
    assert server.served is True
    assert not path.exists()
    assert warm.ask(db, home, "echo", {}) is None


def test_a_bad_request_does_not_end_it(server: Server, db: Path, home: Path) -> None:
    path = warm.socket_path(db, home)
    for said in (b"{\n", b"[]\n", b'{"call": "nothing", "values": {}}\n', b"\xff\n", b""):
        with socket.socket(socket.AF_UNIX) as talk:
            talk.connect(str(path))
            talk.sendall(said)
            talk.shutdown(socket.SHUT_WR)
    assert warm.ask(db, home, "echo", {"fail": True}) is None
    assert warm.ask(db, home, "echo", {"text": "still"}) == {"said": "still"}


def test_there_is_only_one(server: Server, db: Path, home: Path) -> None:
    second = Server(db, home)
    second.thread.join(PATIENCE)
    assert second.served is False
    assert warm.ask(db, home, "echo", {"text": "first"}) == {"said": "first"}


def test_what_a_dead_one_left_is_replaced(app: App, db: Path, home: Path) -> None:
    path = warm.socket_path(db, home)
    assert path is not None
    path.parent.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert warm.ask(db, home, "echo", {}) is None
    with serving(db, home):
        assert warm.ask(db, home, "echo", {"text": "new"}) == {"said": "new"}


def test_one_that_hangs_is_not_waited_for(
    app: App, db: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "ANSWERING", 0.1)
    path = warm.socket_path(db, home)
    assert path is not None
    path.parent.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(str(path))
        hanging.listen(1)
        assert warm.ask(db, home, "echo", {}) is None


def test_a_socket_that_others_could_have_put_there_is_not_asked(app: App, db: Path, home: Path) -> None:
    path = warm.socket_path(db, home)
    assert path is not None
    path.parent.mkdir(parents=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as planted:
        planted.bind(str(path))
        planted.listen(1)
        path.parent.chmod(0o777)
        assert warm.ask(db, home, "echo", {}) is None
        path.parent.chmod(0o700)
        target = path.with_name("elsewhere.sock")
        path.rename(target)
        path.symlink_to(target)
        assert warm.ask(db, home, "echo", {}) is None


def test_a_memory_that_is_gone_ends_it(server: Server, db: Path, home: Path) -> None:
    server.end()
    assert not warm.is_there(db, home)


def test_a_path_that_is_too_long_for_a_socket(db: Path, tmp_path: Path) -> None:
    long = tmp_path / ("d" * 90)
    assert warm.socket_path(db, long) is None
    assert warm.ask(db, long, "echo", {}) is None
    assert not warm.is_there(db, long)


def test_lines_by_meaning_come_through_it(app: App, db: Path, home: Path, tmp_path: Path) -> None:
    attach(app, tmp_path / "agent" / "notebook")
    call(app, "embed")
    values = {"prompt": "When was it that I planted tomatoes?", "room": 1500, "known": []}
    with serving(db, home):
        found = warm.ask(db, home, "recollect", values)
        assert "south bed" in found["text"]
        again = warm.ask(db, home, "recollect", values | {"known": found["keys"]})
        assert again == {"text": "", "keys": []}


def test_a_stranger_s_memory_gets_none(
    app: App, db: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory that the person has not made or accepted is searched by words, in the hook's own process."""
    monkeypatch.setenv("QUAID_HOOKS_WARM", "1")
    said = json.dumps({"session_id": "a", "prompt": "Where is the fuse box?"}).encode()
    ran = hooked(quaid("hook", "prompt", db=db, input=said, cwd=home, env={"HOME": str(home)}))
    assert ran.status == 0
    assert not (home / warm.DIRECTORY).exists()
    refused = quaid("warm", db=db, cwd=home, env={"HOME": str(home)})
    assert refused.status != 0
    assert "not made by you" in refused.err


def test_a_hook_starts_it_and_the_next_one_asks_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real processes: by words at first, then by meaning. It ends when its memory is gone."""
    monkeypatch.setenv("QUAID_HOOKS_WARM", "1")
    folder = home / "notes"
    assert quick("init", str(folder), "--profile", "notebook", env={"HOME": str(home)}).status == 0
    (folder / "knowledge" / "garden.md").write_text("# Garden\n\n- The tomatoes grow in the south bed\n")
    memory = folder / ".quaid" / "memory.db"
    assert quaid("embed", db=memory, cwd=home, env={"HOME": str(home)}).status == 0
    prompt = "Where did I put those red fruits into the soil?"
    said = json.dumps({"session_id": "a", "prompt": prompt}).encode()
    try:
        assert (
            hooked(quaid("hook", "prompt", db=memory, input=said, cwd=home, env={"HOME": str(home)})).answer
            == {}
        )
        eventually(lambda: warm.is_there(memory, home))
        values = {"prompt": prompt, "room": 1500, "known": []}
        assert warm.ask(memory, home, "recollect", values) is not None
    finally:
        memory.unlink()
    path = warm.socket_path(memory, home)
    eventually(lambda: not (path and path.exists()))
