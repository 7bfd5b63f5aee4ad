"""`quaid service`. Managers are scripts that note what they are told and answer as the real ones do."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from quaid.app.service import Service, manager_of
from quaid.errors import Unreachable
from tests.support import PROGRAM, quick

SHOWN = "ActiveState={state}\nSubState={sub}\nUnitFileState=enabled\nResult={result}\nNRestarts={n}"


class Fake:
    """Stand-ins for the programs of a manager, first in PATH."""

    def __init__(self, place: Path, patch: pytest.MonkeyPatch) -> None:
        self.bin, self.noted = place / "bin", place / "noted"
        self.bin.mkdir()
        patch.setenv("PATH", f"{self.bin}:{os.environ['PATH']}")
        self.answer("loginctl", "echo Linger=yes")

    def answer(self, program: str, script: str) -> None:
        """What a program does from now on."""
        path = self.bin / program
        path.write_text(f'#!/bin/sh\necho "{program} $*" >> {shlex.quote(str(self.noted))}\n{script}\n')
        path.chmod(0o755)

    def told(self) -> list[str]:
        """What changes things among what the managers were told since the last time."""
        lines = self.noted.read_text().splitlines() if self.noted.exists() else []
        self.noted.unlink(missing_ok=True)
        reading = ("show", "show-environment", "list", "journalctl", "loginctl")
        return [
            line
            for line in lines
            if not any(each in reading for each in line.replace("--user ", "").split()[:2])
        ]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake(tmp_path, monkeypatch)
    made.answer("systemctl", "")
    made.answer("journalctl", "")
    return made


def unit(home: Path) -> Path:
    return next((home / ".config" / "systemd" / "user").glob("quaid*.service"))


def test_the_service_is_installed_once_and_restarted_when_it_changes(
    fake: Fake, db: Path, tmp_path: Path
) -> None:
    first = quick("service", "install", "--json", db=db).json
    name = f"{first['name']}.service"
    assert (first["changed"], first["address"]) == (True, "http://127.0.0.1:8766")
    assert fake.told() == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable {name}",
        f"systemctl --user reset-failed {name}",
        f"systemctl --user restart {name}",
    ]
    token = Path(first["token_file"])
    secret = token.read_text()
    assert (token.stat().st_mode & 0o777, len(secret.strip()) >= 32) == (0o600, True)
    assert secret.strip() not in unit(tmp_path).read_text()
    assert not quick("service", "install", "--json", db=db).json["changed"]
    assert fake.told()[-1] == f"systemctl --user start {name}"
    assert quick("service", "install", "--port", "9001", db=db).out.startswith(first["name"])
    assert fake.told()[-1] == f"systemctl --user restart {name}"
    assert token.read_text() == secret
    assert quick("service", "remove", db=db).out == f"{first['name']} removed\n"
    assert f"systemctl --user disable --now {name}" in fake.told()
    assert not token.exists()
    assert not list((tmp_path / ".config" / "systemd" / "user").iterdir())
    assert quick("service", "remove", db=db).out == f"{first['name']} is not installed\n"
    assert db.exists()


def test_what_systemd_is_told_to_run_serves_the_memory(fake: Fake, db: Path, tmp_path: Path) -> None:
    quick("service", "install", "--port", "9001", db=db)
    line = next(each for each in unit(tmp_path).read_text().splitlines() if each.startswith("ExecStart="))
    words = shlex.split(line.removeprefix("ExecStart=").replace("--port 9001", "--port 0"))
    assert words[0] == PROGRAM
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd="/") as server:
        assert server.stderr
        at = re.search(r"http://127\.0\.0\.1:\d+/", server.stderr.readline())
        assert at
        with urlopen(f"{at[0]}healthz") as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGTERM)
        server.stderr.read()
    assert server.returncode == 0  # otherwise systemd would call a stop a failure


def test_the_unit_is_sound(fake: Fake, app: object, tmp_path: Path) -> None:
    folder = tmp_path / "my notes 100%"
    assert quick("init", folder).status == 0
    assert quick("service", "install", cwd=folder).status == 0
    text = unit(tmp_path).read_text()
    assert f'--db "{tmp_path}/my notes 100%%/.quaid/memory.db" serve --http --port 8766' in text
    if not shutil.which("systemd-analyze"):
        pytest.skip("NOT TESTED by systemd: systemd-analyze is not installed")
    words = ["systemd-analyze", "--user", "--recursive-errors=yes", "verify", unit(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert unit(tmp_path).name not in done.stderr


def test_a_dry_run_shows_the_unit_and_writes_nothing(fake: Fake, db: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    shown = quick("service", "install", "--dry-run", "--port", "9001", db=db).out
    assert "NoNewPrivileges=yes" in shown
    assert f"--db {db} serve --http --port 9001 --token-file" in shown
    assert sorted(tmp_path.rglob("*")) == before
    assert fake.told() == []


@pytest.mark.parametrize(
    ("shown", "status", "said"),
    [
        (("active", "running", "success", 0), 0, ["runs: active (running)", "starts when you log in"]),
        (
            ("failed", "failed", "exit-code", 5),
            11,
            [
                "does not run: failed (failed), exit-code, restarted 5 times",
                "starts when you log in",
                "last error: port 8766 is taken [invalid_input]",
            ],
        ),
    ],
)
def test_the_status_tells_what_went_wrong(
    fake: Fake, db: Path, shown: tuple[str, str, str, int], status: int, said: list[str]
) -> None:
    name = quick("service", "install", "--json", db=db).json["name"]
    facts = SHOWN.format(**dict(zip(("state", "sub", "result", "n"), shown, strict=True)))
    fake.answer("systemctl", f"cat <<'EOF'\n{facts}\nEOF")
    fake.answer(
        "journalctl", "echo 'Started it.'; echo 'quaid: port 8766 is taken [invalid_input]'; echo '  hint'"
    )
    ran = quick("service", "status", db=db)
    assert (ran.status, ran.out.splitlines()) == (status, [f"{name} {said[0]}", *said[1:]])


def test_a_service_that_is_not_there(fake: Fake, db: Path) -> None:
    ran = quick("service", "status", "--json", db=db)
    assert (ran.status, ran.json["installed"]) == (11, False)


def test_without_a_manager_nothing_is_written(fake: Fake, db: Path, tmp_path: Path) -> None:
    fake.answer("systemctl", "echo 'Failed to connect to bus: No medium found' >&2; exit 1")
    ran = quick("service", "install", db=db)
    assert ran.status == Unreachable.exit_status
    assert "systemd's user manager does not answer here: Failed to connect to bus" in ran.err
    assert "in a container, run `quaid serve --http` itself" in ran.err
    assert not (tmp_path / ".config").exists()
    assert not (tmp_path / ".quaid" / "service").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "0"], "needs a port"),
        (["--host", "0.0.0.0"], "others than you can reach"),
        (["--token-file", "open.token"], "others than you can read"),
        (["--token-file", "missing.token"], "cannot read"),
    ],
)
def test_what_the_server_would_refuse_or_give_away_is_refused(
    fake: Fake, db: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "open.token").write_text("a-token-of-enough-length")
    (tmp_path / "open.token").chmod(0o644)
    ran = quick("service", "install", *words, db=db, cwd=tmp_path)
    assert ran.status != 0
    assert message in ran.err
    assert fake.told() == []


def test_a_token_of_the_persons_own_stays(fake: Fake, db: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.token"
    own.touch(mode=0o600)
    own.write_text("a-token-of-enough-length")
    assert quick("service", "install", "--token-file", "own.token", db=db, cwd=tmp_path).status == 0
    assert f"--token-file {own}\n" in unit(tmp_path).read_text()
    quick("service", "remove", db=db)
    assert own.exists()


def test_launchd_is_told_the_same(fake: Fake, db: Path, tmp_path: Path) -> None:
    loaded = shlex.quote(str(tmp_path / "loaded"))
    fake.answer(
        "launchctl",
        f"""case "$1" in load) touch {loaded};; unload) rm -f {loaded};;
        list) [ -z "$2" ] || {{ [ -f {loaded} ] && echo '{{ "PID" = 7; }};'; }};; esac""",
    )
    service = Service(manager_of("darwin", {}, tmp_path), db, tmp_path)
    words = ["/opt/quaid", "--db", str(db), "serve", "--http"]
    assert service.install(words)
    assert fake.told()[-1] == f"launchctl load -w {service.file}"
    told = plistlib.loads(service.file.read_bytes())
    assert service.file == tmp_path / "Library" / "LaunchAgents" / f"{service.name}.plist"
    assert (told["Label"], told["ProgramArguments"]) == (service.name, words)
    assert told["KeepAlive"] == {"SuccessfulExit": False}
    state = service.state()
    assert state
    assert (state.running, state.enabled) == (True, True)
    assert not service.install(words)
    assert fake.told() == []
    assert service.remove()
    assert fake.told() == [f"launchctl unload -w {service.file}"]
    assert service.state() is None
