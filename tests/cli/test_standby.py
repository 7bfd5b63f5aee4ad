"""The process that stands by: commands answer as without it, and nothing depends on it."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from quaid import standby
from quaid.cli.main import main
from tests.support import NOBODY, PATIENCE, PROGRAM, Ran, eventually, quaid, quick

NOTES = {
    "people/alice": "---\ntitle: Alice\ntags: [founder]\nrole: CEO\n---\nAlice keeps bees in Bristol.\n",
    "people/bob": "# Bob\n\n- Phone: 555-0134\n- Likes the quiet carriage\n",
    "things/boiler": "# Boiler\n\nThe pressure should be 1.4 bar when cold.\n",
}
# Answers of each kind, errors of each kind, and forms.
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("query", "who keeps bees?"),
    ("query", "who keeps bees?", "--json"),
    ("query", "how much pressure?", "--limit", "1"),
    ("query", "how much pressure?", "--explain"),
    ("query", "zxqv wobble", "--json"),
    ("query", "bees", "--type", "person"),
    ("query", "bees", "--type", "persn"),
    ("query", "bees", "--tag", "foundr", "--json"),
    ("query", "bees", "--depth", "deep"),
    ("query", ""),
    ("query",),
    ("query", "bees", "--limit", "none"),
    ("query", "bees", "--no-such-option"),
    ("query", "bees", "--collection", "nowhere"),
    ("query", "bees", "--since", "2020-01-01", "--until", "2020-02-01"),
    ("query", "Bienen? 蜜蜂", "--json"),
    ("novelty", "people/bob"),
    ("novelty", "people/nobody"),
    ("novelty", "things/boiler", "--json"),
    ("recall", "who likes it quiet?"),
    ("recall", "who likes it quiet?", "--json"),
    ("--db", "nowhere.db", "query", "bees"),
    ("--db", "nowhere.db", "query", "bees", "--json"),
)


class Home:
    """A person's home, with a memory, and what stands by in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.db = path / "memory.db"

    def environment(self, minutes: str = "5") -> dict[str, str]:
        return {"HOME": str(self.path), standby.SETTING: minutes, "QUAID_DB": str(self.db)}

    def run(self, *words: str, minutes: str = "5", input: str = "") -> Ran:
        return quaid(*words, env=self.environment(minutes), cwd=self.path, input=input)

    @property
    def socket(self) -> Path:
        facts = os.stat(standby.__file__)
        return self.path / ".quaid" / "run" / f"0.1.0-{facts.st_dev:x}-{facts.st_ino:x}.sock"


def made(path: Path) -> Home:
    home = Home(path)
    env = {"HOME": str(path)}
    assert quick("init", str(home.db), env=env).status == 0
    for slug, text in NOTES.items():
        assert quick("put", slug, input=text, db=home.db, env=env).status == 0
    assert quick("embed", db=home.db, env=env).status == 0
    return home


@contextmanager
def standing_by(home: Home, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands by."""
    with subprocess.Popen(
        [PROGRAM, "warm"], env={**os.environ, **home.environment(), **more}, cwd="/"
    ) as process:
        eventually(home.socket.exists)
        yield process
        process.kill()


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """One for all: a home with a short path, since that of a socket must not be long."""
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder:
        yield made(Path(folder))


@pytest.fixture(scope="module")
def warm(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """What stands by in it."""
    with standing_by(home) as process:
        yield process


@pytest.fixture
def asked(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """That home, for whoever asks from this process."""
    for name, value in home.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home.path)
    return home


def test_it_runs_a_command(asked: Home, warm: object, capfd: pytest.CaptureFixture[str]) -> None:
    """As the client sees it: the command runs elsewhere, and writes into our streams."""
    assert standby.ran("quaid", ["query", "who keeps bees?"]) == 0
    assert "Bristol" in capfd.readouterr().out
    assert standby.ran("quaid", ["query", "bees", "--collection", "nowhere"]) == 3
    assert "nowhere" in capfd.readouterr().err
    assert stat.S_IMODE(asked.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(asked.socket.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_answer_is_the_same(
    home: Home, warm: object, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.path)
    there, here = home.run(*words), quick(*words, env=home.environment("0"))
    assert (there.status, there.out, there.err) == (here.status, here.out, here.err)


def test_several_ask_at_once(home: Home, warm: object) -> None:
    env = {**os.environ, **home.environment()}
    command = [PROGRAM, "query", "who keeps bees?"]
    asking = [subprocess.Popen(command, env=env, cwd=home.path, stdout=subprocess.PIPE) for _ in range(5)]
    answers = [process.communicate(timeout=PATIENCE)[0] for process in asking]
    assert [process.returncode for process in asking] == [0] * 5
    assert b"Bristol" in answers[0]
    assert len(set(answers)) == 1


def test_a_prompt_is_read_by_meaning(
    asked: Home, warm: object, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A hook of its own process would have to load the model, and finds nothing by these words."""
    told = json.dumps({"session_id": "s", "prompt": "What should the gauge of our heating read when cold?"})
    assert asked.run("hook", "prompt", minutes="0", input=told).out == "{}\n"
    prompt = tmp_path / "prompt.json"
    prompt.write_text(told)
    before = os.dup(0)
    with prompt.open() as file:
        os.dup2(file.fileno(), 0)
    try:
        assert standby.ran("quaid", ["hook", "prompt"]) == 0
    finally:
        os.dup2(before, 0)
        os.close(before)
    assert "1.4 bar" in capfd.readouterr().out


def test_a_command_has_its_own_surroundings(asked: Home, warm: object, tmp_path: Path) -> None:
    """Directory and environment are those of whoever asks, not those of the process that runs it."""
    assert quick("init", str(tmp_path / "other.db"), env=asked.environment()).status == 0
    ran = quaid(
        "query",
        "who keeps bees?",
        "--json",
        env={**asked.environment(), "QUAID_DB": "other.db", "NO_COLOR": "1"},
        cwd=tmp_path,
    )
    assert ran.json["results"] == []


def test_the_typist_is_whoever_asks(
    asked: Home, warm: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is noted of a reading names our shell, not that of the process that reads."""
    monkeypatch.setenv("QUAID_ACTIVITY_READS", "true")
    assert standby.ran("quaid", ["query", "who keeps bees?"]) == 0
    noted = quick("activity", "--reads", "--json", db=asked.db).out
    assert f"-{os.getsid(0)}" in noted


@pytest.mark.parametrize("words", [["get", "x"], ["query", "--help"], ["query", "-"], ["put", "query"], []])
def test_other_commands_run_here(words: list[str]) -> None:
    assert not standby.is_meant(words)


@pytest.mark.parametrize(
    "words", [["query", "x"], ["--db", "get", "recall", "x"], ["--json", "hook"], ["kb", "query", "x"]]
)
def test_what_a_model_answers_is_meant(words: list[str]) -> None:
    assert standby.is_meant(words)


def test_without_it_the_command_runs_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(standby.SETTING, "5")
    monkeypatch.setattr(standby, "LONGEST_PATH", 1000)
    assert standby.ran("quaid", ["query", "x"]) is None  # there is no folder
    path = Path(standby.place() or "")
    path.parent.mkdir(parents=True, mode=0o700)
    path.write_text("no socket")
    assert standby.ran("quaid", ["query", "x"]) is None


@contextmanager
def pretending(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[socket.socket, Path]]:
    """A socket where ours would be."""
    with (
        tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder,
        socket.socket(socket.AF_UNIX) as bound,
    ):
        monkeypatch.setenv("HOME", folder)
        monkeypatch.setenv(standby.SETTING, "5")
        path = Path(standby.place() or "")
        path.parent.mkdir(parents=True, mode=0o700)
        path.parent.chmod(0o700)
        bound.bind(str(path))
        yield bound, path


def test_one_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standby, "BEGINNING", 0.01)
    with pretending(monkeypatch) as (bound, _):
        assert standby.ran("quaid", ["query", "x"]) is None  # it is gone: nobody listens
        bound.listen()
        assert standby.ran("quaid", ["query", "x"]) is None  # it is there, and does nothing


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("part", ["socket", "folder", "mode"])
def test_another_user_s_is_not_asked(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pretending(monkeypatch) as (bound, path):
        bound.listen()
        monkeypatch.setattr(standby, "BEGINNING", PATIENCE)  # whoever connects waits for ever
        if part == "mode":
            path.parent.chmod(0o711)
        else:
            os.chown(path if part == "socket" else path.parent, NOBODY, NOBODY)
        assert standby.ran("quaid", ["query", "x"]) is None


def test_killed_in_the_middle_the_command_runs_here(home: Home) -> None:
    """A question whose process is killed before it has said anything is answered all the same."""
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder:
        own = made(Path(folder))
        with standing_by(own) as process:
            os.kill(process.pid, signal.SIGSTOP)
            ran = own.run("query", "who keeps bees?")
            assert "Bristol" in ran.out
            assert ran.status == 0
            forked = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
            eventually(lambda: not any(Path(f"/proc/{each}/exe").exists() for each in forked))
            assert "Bristol" in own.run("query", "who keeps bees?").out
        stale = own.socket.stat().st_ctime_ns
        with standing_by(own) as second:
            eventually(lambda: own.socket.exists() and own.socket.stat().st_ctime_ns != stale)
            twin = own.run("warm")
            assert twin.status == 0  # there is one: nothing to do
            own.socket.unlink()
            assert second.wait(PATIENCE) == 0  # nobody can reach it any more


def test_a_person_at_a_terminal_leaves_one_behind() -> None:
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder:
        home = made(Path(folder))
        piped = home.run("query", "who keeps bees?")
        assert piped.status == 0
        assert not home.socket.exists()
        controller, terminal = pty.openpty()
        env: Mapping[str, str] = {**os.environ, **home.environment()}
        with subprocess.Popen(
            [PROGRAM, "query", "bees?"], stdin=terminal, stdout=terminal, stderr=terminal, env=env, cwd=folder
        ) as process:
            os.close(terminal)
            with suppress(OSError):  # the other end is closed
                while os.read(controller, 1 << 16):
                    pass
        os.close(controller)
        assert process.returncode == 0
        eventually(home.socket.exists)
        home.socket.unlink()  # it ends


def test_the_setting_can_turn_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["warm"]) == 0  # at once: tests have it off


def test_what_numpy_began_with_is_the_same(
    asked: Home, warm: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    assert standby.ran("quaid", ["query", "who keeps bees?"]) == 0
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    assert standby.ran("quaid", ["query", "who keeps bees?"]) is None


def test_a_home_in_which_nothing_can_be_written() -> None:
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as folder:
        (Path(folder) / ".quaid").mkdir()
        (Path(folder) / ".quaid" / "run").write_text("no folder\n")
        refused = quick("warm", env={"HOME": folder, standby.SETTING: "5"})
    assert refused.status == 9
    assert "cannot be used" in refused.err
    assert "Set HOME" in refused.err
