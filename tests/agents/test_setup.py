"""Setting clients up: each configuration to the byte, there and back."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from quaid.agents.setup.client_setup import Choice, Outcome, Plan, preview, set_up
from quaid.agents.setup.clients import BY_NAME, CLIENTS, Around, Client, Scope, places
from quaid.agents.setup.entries import Wanted
from quaid.agents.setup.files import BACKUP, Moved
from quaid.errors import InvalidInput, ReadOnly, StorageFailed
from tests.agents.golden.record import HERE, WANTED, around, before, files
from tests.support import PATIENCE, mounted

CASES = [
    pytest.param(client, scope, id=f"{client.name}-{scope}") for client in CLIENTS for scope in client.scopes
]
OTHER = Wanted("work", WANTED.program, Path("/home/ann/work.db"))


def run(
    name: str, root: Path, wanted: Wanted = WANTED, scope: Scope = "user", skills: bool = False, **more: Any
) -> Outcome:
    return set_up(BY_NAME[name], wanted, Choice(scope, skills=skills, **more), around(root))


def did(outcome: Outcome) -> dict[str, str]:
    return {step.part: step.did for step in outcome.steps}


def tree(root: Path) -> set[str]:
    """All files and folders, but for those of the program's own folder."""
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.relative_to(root).parts[0] != ".quaid"
    }


def without_backups(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in files(root).items() if not path.endswith(BACKUP)}


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_a_configuration_becomes_what_it_should(client: Client, scope: Scope, tmp_path: Path) -> None:
    before(client, scope, tmp_path)
    outcome = run(client.name, tmp_path, scope=scope)
    assert set(did(outcome).values()) == {"added"}
    assert without_backups(tmp_path) == files(HERE / client.name / scope / "after")


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_a_second_time_changes_nothing(client: Client, scope: Scope, tmp_path: Path) -> None:
    before(client, scope, tmp_path)
    run(client.name, tmp_path, scope=scope, skills=True)
    left = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in tmp_path.rglob("*")}
    outcome = run(client.name, tmp_path, scope=scope, skills=True)
    assert set(did(outcome).values()) == {"unchanged"}
    assert not outcome.changed
    assert not outcome.diff
    now = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in tmp_path.rglob("*")}
    assert {path: facts for path, facts in now.items() if path.is_file()} == {
        path: facts for path, facts in left.items() if path.is_file()
    }


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_removal_restores_the_bytes_and_leaves_nothing(client: Client, scope: Scope, tmp_path: Path) -> None:
    before(client, scope, tmp_path)
    kept, there = files(tmp_path), tree(tmp_path)
    run(client.name, tmp_path, scope=scope, skills=True)
    outcome = run(client.name, tmp_path, scope=scope, skills=True, remove=True)
    assert set(did(outcome).values()) == {"removed"}
    assert files(tmp_path) == kept
    assert tree(tmp_path) == there
    assert not (tmp_path / ".quaid" / "setup.json").exists()
    again = run(client.name, tmp_path, scope=scope, skills=True, remove=True)
    assert set(did(again).values()) == {"absent"}


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_removal_keeps_what_others_have_written_since(client: Client, scope: Scope, tmp_path: Path) -> None:
    before(client, scope, tmp_path)
    kept = files(tmp_path)
    run(client.name, tmp_path, scope=scope)
    note = b"\n# a note\n" if client.shape == "toml" else b"\n// a note\n"
    for path in [tmp_path / path for path in without_backups(tmp_path)]:
        if path.suffix != ".js":
            path.write_bytes(path.read_bytes() + (note if path.suffix == ".toml" else b"\n// a note\n"))
    run(client.name, tmp_path, scope=scope, remove=True)
    after = without_backups(tmp_path)
    for path, data in kept.items():
        text = after[path].replace(b"\n// a note\n", b"").replace(b"\n# a note\n", b"").strip()
        if client.name == "zed" and scope == "project":
            assert text == b"{}"  # there was an empty file; nobody knows since it has changed
        else:
            assert text == data.strip()


@pytest.mark.parametrize(("client", "scope"), CASES)
def test_a_dry_run_shows_a_diff_and_touches_nothing(client: Client, scope: Scope, tmp_path: Path) -> None:
    before(client, scope, tmp_path)
    kept, there = files(tmp_path), tree(tmp_path)
    outcome = preview(client, WANTED, Choice(scope), around(tmp_path))
    assert files(tmp_path) == kept
    assert tree(tmp_path) == there
    assert not (tmp_path / ".quaid").exists()
    shown = places(client, scope, around(tmp_path)).servers
    assert f"+++ {shown}\n" in outcome.diff
    assert "/opt/quaid/bin/quaid" in outcome.diff
    if shutil.which("patch") and b"\r" not in b"".join(kept.values()):
        command = ["patch", "-p0", "--dry-run"]
        patched = subprocess.run(
            command, input=outcome.diff, text=True, cwd="/", capture_output=True, check=False
        )
        assert patched.returncode == 0, patched.stdout + patched.stderr


def test_another_set_of_tools_changes_the_entry_alone(tmp_path: Path) -> None:
    before(BY_NAME["zed"], "user", tmp_path)
    kept = files(tmp_path)
    run("zed", tmp_path)
    path = tmp_path / ".config/zed/settings.json"
    text = path.read_text()
    core = Wanted("quaid", WANTED.program, WANTED.memory, "core")
    assert did(run("zed", tmp_path, core)) == {"server": "changed"}
    assert path.read_text() == text.replace('"full"', '"core"')
    run("zed", tmp_path, remove=True)
    assert files(tmp_path) == kept


def test_keys_that_a_person_has_added_to_the_entry_stay(tmp_path: Path) -> None:
    path = tmp_path / ".claude.json"
    path.write_text(
        '{"mcpServers": {"quaid": {"command": "/old/bin/quaid", "args": ["serve"], "env": {"TZ": "UTC"}}}}'
    )
    run("claude-code", tmp_path)
    entry = json.loads(path.read_text())["mcpServers"]["quaid"]
    assert entry["env"] == {"TZ": "UTC"}
    assert entry["command"] == "/opt/quaid/bin/quaid"


@pytest.mark.parametrize(
    ("name", "file", "text"),
    [
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"quaid": {"command": "npx", "args": ["other"]}}}'),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"quaid": "quaid"}}'),
        ("codex", ".codex/config.toml", "[mcp_servers.quaid]\ncommand = 'other'\n"),
        ("opencode", ".config/opencode/opencode.json", '{"mcp": {"quaid": {"type": "remote", "url": "x"}}}'),
        ("opencode", ".config/opencode/plugins/quaid.js", "export const Mine = 1\n"),
    ],
)
def test_a_stranger_of_that_name_is_left_alone(name: str, file: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    for remove in (False, True):
        with pytest.raises(InvalidInput, match="quaid") as caught:
            run(name, tmp_path, remove=remove)
        assert "--name" in caught.value.hint
    assert files(tmp_path) == {file: text.encode()}


@pytest.mark.parametrize(
    ("name", "file", "data", "said"),
    [
        ("gemini", ".gemini/settings.json", b'{\n  "a": 1\n  "b": 2\n}\n', "line 3"),
        ("claude-code", ".claude/settings.json", b'{"hooks": {"SessionStart": {}}}', "line 1"),
        ("claude-code", ".claude.json", b'{"mcpServers": [1]}', "line 1"),
        ("zed", ".config/zed/settings.json", b'{"a": \xff}', "UTF-8"),
        ("vscode", ".config/Code/User/mcp.json", '{"servers": {}}'.encode("utf-16"), "UTF-8"),
        ("codex", ".codex/config.toml", b"a = 1\nb = = 2\n", "line 2"),
        ("codex", ".codex/config.toml", b"mcp_servers = { x = { command = 'y' } }\n", r"\[mcp_servers"),
        ("codex", ".codex/hooks.json", b"{", "line 1"),
        ("cursor", ".cursor/mcp.json", b"[]", "object"),
    ],
)
def test_a_broken_configuration_is_not_touched(
    name: str, file: str, data: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=said) as caught:
        run(name, tmp_path, skills=True)
    assert file in caught.value.message
    assert "Nothing was changed" in caught.value.hint
    assert files(tmp_path) == {file: data}


def test_a_link_is_followed_and_the_mode_stays(tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    target = dotfiles / "zed.json"
    target.write_text('{\n  "vim_mode": true\n}\n')
    target.chmod(0o640)
    link = tmp_path / ".config/zed/settings.json"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../dotfiles/zed.json")
    run("zed", tmp_path)
    assert os.readlink(link) == "../../dotfiles/zed.json"
    assert "quaid" in target.read_text()
    backup = dotfiles / f"zed.json{BACKUP}"
    assert backup.read_text() == '{\n  "vim_mode": true\n}\n'
    assert [stat.S_IMODE(path.stat().st_mode) for path in (target, backup)] == [0o640, 0o640]
    run("zed", tmp_path, remove=True)
    assert target.read_text() == '{\n  "vim_mode": true\n}\n'
    assert not backup.exists()


def test_a_link_that_leads_nowhere_yet_is_kept(tmp_path: Path) -> None:
    link = tmp_path / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(tmp_path / "dotfiles/cursor.json")
    run("cursor", tmp_path)
    assert link.is_symlink()
    assert "quaid" in (tmp_path / "dotfiles/cursor.json").read_text()
    run("cursor", tmp_path, remove=True)
    assert tree(tmp_path) == {".cursor", ".cursor/mcp.json"}


def test_new_files_are_private(tmp_path: Path) -> None:
    run("gemini", tmp_path)
    assert stat.S_IMODE((tmp_path / ".gemini").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / ".gemini/settings.json").stat().st_mode) == 0o600


def test_two_memories_share_a_client(tmp_path: Path) -> None:
    before(BY_NAME["claude-code"], "user", tmp_path)
    kept = files(tmp_path)
    run("claude-code", tmp_path, skills=True)
    alone = without_backups(tmp_path)
    run("claude-code", tmp_path, OTHER, skills=True)
    settings = (tmp_path / ".claude/settings.json").read_text()
    assert settings.count("work.db") == settings.count("my memory.db") == len(BY_NAME["claude-code"].events)
    outcome = run("claude-code", tmp_path, OTHER, skills=True, remove=True)
    assert did(outcome) == {"server": "removed", "hooks": "removed", "skills": "absent"}
    assert without_backups(tmp_path) == alone
    run("claude-code", tmp_path, skills=True, remove=True)
    assert files(tmp_path) == kept


def test_a_memory_that_moves_takes_its_hooks_along(tmp_path: Path) -> None:
    run("codex", tmp_path)
    run("codex", tmp_path, Wanted("quaid", WANTED.program, Path("/new/memory.db")))
    said = (tmp_path / ".codex/hooks.json").read_text()
    assert "my memory.db" not in said
    assert said.count("/new/memory.db hook ") == len(BY_NAME["codex"].events)
    config = tomllib.loads((tmp_path / ".codex/config.toml").read_text())
    assert config["mcp_servers"]["quaid"]["args"] == ["--db", "/new/memory.db", "serve"]


def test_a_hook_that_was_moved_into_another_group_is_found(tmp_path: Path) -> None:
    run("codex", tmp_path)
    path = tmp_path / ".codex/hooks.json"
    hooks = json.loads(path.read_text())
    group = hooks["hooks"]["SessionStart"][0]
    group["hooks"].insert(0, {"type": "command", "command": "mine"})
    path.write_text(json.dumps(hooks))
    assert did(run("codex", tmp_path))["hooks"] == "unchanged"
    run("codex", tmp_path, remove=True)
    assert json.loads(path.read_text()) == {
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}
    }


def test_lost_receipts_make_a_removal_less_exact_but_right(tmp_path: Path) -> None:
    before(BY_NAME["gemini"], "user", tmp_path)
    run("gemini", tmp_path)
    (tmp_path / ".quaid/setup.json").write_bytes(b"\x00 not json")
    run("gemini", tmp_path, remove=True)
    left = json.loads((tmp_path / ".gemini/settings.json").read_text())
    assert left["mcpServers"] == {}
    assert "quaid" not in json.dumps(left)
    assert "BeforeTool" in left["hooks"]


def test_edited_skills_stay(tmp_path: Path) -> None:
    run("cursor", tmp_path, skills=True)
    mine = tmp_path / ".cursor/skills/quaid-query/SKILL.md"
    mine.write_text(mine.read_text() + "\nMine.\n")
    step = run("cursor", tmp_path, skills=True, remove=True).steps[-1]
    assert step.kept == 1
    assert mine.exists()


def test_skills_of_others_and_their_folder_stay(tmp_path: Path) -> None:
    own = tmp_path / ".claude/skills/mine"
    own.mkdir(parents=True)
    (own / "SKILL.md").write_text("---\nname: mine\n---\n")
    run("claude-code", tmp_path, skills=True)
    run("claude-code", tmp_path, skills=True, remove=True)
    assert tree(tmp_path) == {
        ".claude",
        ".claude/skills",
        ".claude/skills/mine",
        ".claude/skills/mine/SKILL.md",
    }


def test_an_empty_folder_that_was_there_stays(tmp_path: Path) -> None:
    (tmp_path / ".cursor/skills").mkdir(parents=True)
    run("cursor", tmp_path, skills=True)
    run("cursor", tmp_path, skills=True, remove=True)
    assert tree(tmp_path) == {".cursor", ".cursor/skills"}


def test_hooks_and_skills_can_be_left_out(tmp_path: Path) -> None:
    outcome = run("opencode", tmp_path, hooks=False, skills=False)
    assert list(did(outcome)) == ["server"]
    assert tree(tmp_path) == {".config", ".config/opencode", ".config/opencode/opencode.jsonc"}


def test_a_desktop_has_no_projects(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="project"):
        run("claude-desktop", tmp_path, scope="project")


@pytest.mark.parametrize(
    ("platform", "environment", "client", "expected"),
    [
        ("darwin", {}, "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {}, "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("darwin", {}, "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "vscode", "/x/Code/User/mcp.json"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "opencode", "/x/opencode/opencode.jsonc"),
        ("darwin", {}, "zed", ".config/zed/settings.json"),
        ("win32", {"APPDATA": "/r"}, "zed", "/r/Zed/settings.json"),
        ("linux", {"CODEX_HOME": "/c"}, "codex", "/c/config.toml"),
        ("linux", {"CLAUDE_CONFIG_DIR": "/c"}, "claude-code", "/c/.claude.json"),
        ("linux", {"GEMINI_CLI_HOME": "/g"}, "gemini", "/g/.gemini/settings.json"),
    ],
)
def test_places_follow_system_and_environment(
    platform: str, environment: dict[str, str], client: str, expected: str
) -> None:
    home = Path("/home/ann")
    found = places(BY_NAME[client], "user", Around(home, home, environment, platform))
    assert found.servers == home / expected


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        (disk / ".gemini").mkdir()
        (disk / ".gemini/settings.json").write_text("{}")
        home = tmp_path / "home"
        home.mkdir()
        (home / ".gemini").symlink_to(disk / ".gemini")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(ReadOnly, match=r"settings\.json"):
            run("gemini", home)
        assert (disk / ".gemini/settings.json").read_text() == "{}"
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


def test_a_home_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises((ReadOnly, StorageFailed)):
        run("gemini", tmp_path / "home")


def test_a_folder_in_place_of_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / ".cursor/mcp.json").mkdir(parents=True)
    with pytest.raises(StorageFailed, match=r"mcp\.json"):
        run("cursor", tmp_path)


SCRIPT = """
import sys
from pathlib import Path
from quaid.agents.setup.clients import BY_NAME, Around
from quaid.agents.setup.client_setup import Choice, set_up
from quaid.agents.setup.entries import Wanted
home, number = Path(sys.argv[1]), sys.argv[2]
wanted = Wanted(f"quaid-{number}", ("/bin/quaid",), Path(f"/m/{number}.db"))
set_up(BY_NAME["gemini"], wanted, Choice(), Around(home, home, {}, "linux"))
"""


def test_set_ups_at_once_do_not_lose_one_another(tmp_path: Path) -> None:
    runs = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path), str(number)]) for number in range(6)
    ]
    assert [each.wait(60) for each in runs] == [0] * 6
    said = json.loads((tmp_path / ".gemini/settings.json").read_text())
    assert sorted(said["mcpServers"]) == [f"quaid-{number}" for number in range(6)]
    assert len(said["hooks"]["SessionStart"]) == 6


def test_a_client_that_writes_meanwhile_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / ".claude.json"
    path.write_text('{"numStartups": 1}')
    plan = Plan(BY_NAME["claude-code"], WANTED, Choice(), around(tmp_path))
    path.write_text('{"numStartups": 2}')
    with pytest.raises(Moved):
        plan.apply()
    assert path.read_text() == '{"numStartups": 2}'
    run("claude-code", tmp_path)
    assert json.loads(path.read_text())["numStartups"] == 2
    run("claude-code", tmp_path, remove=True)
    assert path.read_text() == '{"numStartups": 2}'


def test_what_a_killed_run_left_is_cleared(tmp_path: Path) -> None:
    left = tmp_path / ".cursor/.quaid-setup-0123456789ab.tmp"
    left.parent.mkdir()
    left.write_text("{")
    run("cursor", tmp_path)
    assert tree(tmp_path) == {".cursor", ".cursor/hooks.json", ".cursor/mcp.json"}


KILLED = """
import os, signal, sys
from pathlib import Path
from quaid.agents.setup import files as setup_files
from quaid.agents.setup.clients import BY_NAME, Around
from quaid.agents.setup.client_setup import Choice, set_up
from quaid.agents.setup.entries import Wanted
home, calls = Path(sys.argv[1]), int(sys.argv[2])
def trace(frame, event, argument):
    global calls
    ours = ("setup_files.py", "files.py", "setup_receipts.py")
    if event == "call" and frame.f_code.co_filename.endswith(ours):
        calls -= 1
        if not calls:
            os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(trace)
set_up(BY_NAME["gemini"], Wanted("quaid", ("/bin/quaid",), Path("/m.db")), Choice(skills=False),
       Around(home, home, {}, "linux"))
"""


@pytest.mark.parametrize("calls", [30, 60, 75, 80, 85, 90, 95, 100, 105, 110, 120])
def test_a_run_that_is_killed_leaves_a_whole_file(calls: int, tmp_path: Path) -> None:
    before(BY_NAME["gemini"], "user", tmp_path)
    path = tmp_path / ".gemini/settings.json"
    kept = path.read_bytes()
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(calls)], check=False, timeout=PATIENCE)
    json.loads(path.read_text())
    wanted = Wanted("quaid", ("/bin/quaid",), Path("/m.db"))
    run("gemini", tmp_path, wanted)
    assert "quaid" in json.loads(path.read_text())["mcpServers"]
    run("gemini", tmp_path, wanted, remove=True)
    assert path.read_bytes() == kept
    left = {name for name in tree(tmp_path) if name.endswith(".tmp")}
    assert not left
