"""`quaid doctor`: everything that is wrong is said, with what mends it, whatever else is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.support import Ran, quick


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory in which there is nothing yet; no client is on the path."""
    place = tmp_path / "home"
    place.mkdir(mode=0o700)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("git", "true"):
        (programs / name).symlink_to(
            next(p for p in (f"/usr/bin/{name}", f"/bin/{name}") if os.path.exists(p))
        )
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", str(programs))
    for name in (
        "QUAID_DB",
        "AI_KB",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    return place


def doctor(here: Path, *words: str) -> tuple[Ran, list[dict[str, Any]]]:
    """What it says of what is not well."""
    ran = quick("doctor", *words, "--json", cwd=here)
    return ran, [each for each in ran.json["checks"] if each["grade"] != "ok"]


def test_without_a_memory_it_says_how_to_begin(home: Path) -> None:
    ran, found = doctor(home)
    assert ran.status == 11
    assert [(each["name"], "quaid init" in each["hint"]) for each in found] == [("memory", True)]
    text = quick("doctor", cwd=home)
    assert text.out.splitlines()[-1] == "1 problem."


@pytest.mark.skipif(sys.platform != "linux", reason="no process stands by")
@pytest.mark.parametrize(
    ("minutes", "said"), [("0", "off: QUAID_WARM_MINUTES is 0"), ("5", "a question starts it")]
)
def test_it_promises_no_standing_process_where_none_may_stand(
    home: Path, monkeypatch: pytest.MonkeyPatch, minutes: str, said: str
) -> None:
    monkeypatch.setenv("QUAID_WARM_MINUTES", minutes)
    with tempfile.TemporaryDirectory(prefix="q", dir="/tmp") as short:  # a socket's path must be
        monkeypatch.setenv("HOME", short)
        checks = quick("doctor", "--json", cwd=home).json["checks"]
    messages = [each["message"] for each in checks if each["name"] == "standby"]
    assert [each.endswith(said) for each in messages] == [True]


def test_a_memory_that_is_well(home: Path) -> None:
    quick("init", cwd=home)
    ran = quick("doctor", cwd=home)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "All is well.")
    checked = {line.split()[1] for line in ran.out.splitlines()[:-1]}
    assert {"version", "memory", "soundness", "model", "permissions", "disk"} <= checked


def test_every_finding_has_what_mends_it(home: Path) -> None:
    notes, gone = home / "notes", home / "gone"
    for folder in (notes, gone):
        folder.mkdir()
        (folder / "tea.md").write_text("# Tea\n\nGreen.\n")
    quick("init", cwd=home)
    for folder in (notes, gone):
        assert quick("collection", "add", folder.name, str(folder), cwd=home).status == 0
    (gone / "tea.md").unlink()
    gone.rmdir()
    (notes / "tea 2.md").write_text("# Tea\n\nGreen.\n")
    (notes / ".conflicts").mkdir()
    clash = dict.fromkeys(("base", "kept", "other", "kept_at", "other_at", "name"), "") | {"kind": "text"}
    (notes / ".conflicts" / "tea~12345678.json").write_text(json.dumps(clash | {"path": "tea.md"}))
    subprocess.run(["git", "init", "-q", notes], check=True)
    subprocess.run(["git", "-C", notes, "remote", "add", "origin", "https://example.org/x.git"], check=True)
    quick("trust", str(notes), "--yes", cwd=home)
    (home / ".quaid" / "memory.db").chmod(0o644)
    (home / ".quaid" / "trust.json").chmod(0o644)
    quick("setup", "claude-code", cwd=home)
    settings = home / ".claude.json"
    words = json.loads(settings.read_text())
    words["mcpServers"]["quaid"]["command"] = "/nowhere/quaid"
    settings.write_text(json.dumps(words))
    (home / ".local" / "share" / "ai-kb").mkdir(parents=True)
    ran, found = doctor(home)
    assert ran.status == 11
    mended = {(each["name"], each["grade"], each["hint"]) for each in found}
    own = home / ".quaid"
    assert mended == {
        ("folders", "problem", "quaid collection sync gone"),
        ("sync", "warning", f"quaid sync init --collection notes lets it take part, git -C {notes} config "
         "quaid.sync false leaves it out"),
        ("conflicts", "warning", "quaid conflicts"),
        ("conflicts", "warning", "quaid conflicts merge-copies"),
        ("permissions", "warning", f"chmod go-rwx {own / 'memory.db'}"),
        ("permissions", "problem", f"chmod go-rwx {own / 'trust.json'}"),
        ("clients", "problem", "quaid setup claude-code"),
        ("kb", "problem", "ai-kb doctor"),
    }  # fmt: skip


@pytest.mark.parametrize("place", [0, 100, 4096 * 3])
def test_a_damaged_memory_does_not_stop_it(home: Path, place: int) -> None:
    quick("init", cwd=home)
    quick("put", "tea", cwd=home, input="# Tea\n" + "Green.\n" * 2000)
    with (home / ".quaid" / "memory.db").open("r+b") as file:
        file.seek(place)
        file.write(b"\xff" * 600)
    for name in ("memory.db-wal", "memory.db-shm"):
        (home / ".quaid" / name).unlink(missing_ok=True)
    ran, found = doctor(home)
    assert ran.status == 11
    assert {each["name"] for each in found} & {"memory", "soundness"}
    assert all(each["hint"] for each in found)
    assert {"permissions", "disk"} <= {each["name"] for each in ran.json["checks"]}


def test_it_loads_no_model(home: Path) -> None:
    quick("init", cwd=home)
    script = "import sys; from quaid.cli.main import main; main(['doctor']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=home
    )
    assert not {"onnxruntime", "mcp", "cryptography"} & {*done.stdout.split()}
