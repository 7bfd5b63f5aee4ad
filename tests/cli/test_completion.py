"""What a shell offers when a word is half typed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from quaid import operations
from quaid.app import App
from quaid.cli.commands import BY_NAME
from quaid.settings import SETTINGS
from tests.support import PROGRAM, call, environment, quick


@pytest.fixture
def memory(app: App, db: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    call(app, "put", slug="people/alice", content="---\ntags: [founder, friend]\n---\n")
    call(app, "put", slug="people/bob", content="---\ntags: [engineer]\n---\n")
    monkeypatch.setenv("QUAID_DB", str(db))
    return db


def offered(*words: str) -> list[str]:
    ran = quick("complete", "--", *words)
    assert (ran.status, ran.err) == (0, "")
    return ran.out.splitlines()


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        (["ge"], ["get"]),
        (["timeline"], ["timeline", "timeline-add"]),
        (["conf"], ["config", "conflicts"]),
        (["config", ""], ["get", "list", "set"]),
        (["config", "s"], ["set"]),
        (["config", "get", "list."], ["list.limit"]),
        (["get", "people/a"], ["people/alice"]),
        (["get", "pe"], ["people/alice", "people/bob"]),
        (["get", "people/alice", ""], []),
        (["get", "zzz"], []),
        (["mv", "people/b"], ["people/bob"]),
        (["tag", "people/bob", "f"], ["founder", "friend"]),
        (["list", "--tag", "e"], ["engineer"]),
        (["list", "--type", "p"], ["person", "project"]),
        (["list", "--so"], ["--sort"]),
        (["list", "--sort", ""], ["created", "slug", "title", "updated"]),
        (["backlinks", "people/bob", "--temporal", "c"], ["current"]),
        (["link", "people/alice", "people/"], ["people/alice", "people/bob"]),
        (["link", "--relationship", "x", "people/alice", "people/b"], ["people/bob"]),
        (["new", "pers"], ["person"]),
        (["list", "--collection", ""], ["default"]),
        (["completion", "b"], ["bash"]),
        (["setup", "cl"], ["claude-code", "claude-desktop"]),
        (["setup", "claude-code", "co"], ["codex"]),
        (["skills", "show", "in"], ["ingest"]),
        (["hook", "pre"], ["pre-compact"]),
        (["call", "memory_gr"], ["memory_graph"]),
        (["--json", "get", "people/b"], ["people/bob"]),
        (["get", "--json", "people/b"], ["people/bob"]),
        (["no-such-command", ""], []),
        (["kb", "re"], ["remember", "resolve", "resolve-divergence"]),
        (["kb", "remember", "--ti"], ["--title"]),
        (["kb", "remember", "--type", "pr"], ["preference", "principle", "procedure"]),
        (["kb", "--kb", "x", "sta"], ["status"]),
        (["kb", "--kb", ""], []),
        (["kb", "show", ""], []),
        (["kb", "no-such-command", ""], []),
    ],
)
def test_candidates(memory: Path, words: list[str], candidates: list[str]) -> None:
    assert offered(*words) == candidates


def test_all_commands_are_offered(memory: Path) -> None:
    firsts = {name.split()[0] for name in (*operations.NAMES, *BY_NAME)}
    assert {"init", "serve", "skills", "get"} <= firsts
    assert set(offered("")) == firsts


def test_all_settings_are_offered(memory: Path) -> None:
    assert offered("config", "set", "") == sorted(setting.key for setting in SETTINGS)


def test_options_of_a_command_are_offered(memory: Path) -> None:
    assert {"--since", "--limit", "--removed", "--json", "--db", "--help"} <= set(offered("list", "--"))
    assert "--encoding" not in offered("put", "--")


def test_the_memory_that_is_named_is_asked(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUAID_DB")
    assert offered("get", "") == []
    assert offered("--db", str(memory), "get", "people/a") == ["people/alice"]
    assert offered("get", "--db", str(memory), "people/a") == ["people/alice"]
    assert offered("get", f"--db={memory}", "people/a") == ["people/alice"]


@pytest.mark.parametrize(
    "words", [["get", "\ud800"], ["get", "a\0b"], ["get", "%"], ["get", "'"], ["list", "--tag", "\\"]]
)
def test_nothing_that_is_typed_is_an_error(memory: Path, words: list[str]) -> None:
    assert offered(*words) == []


def test_a_damaged_memory_is_no_error_while_typing(tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_bytes(b"no database" * 500)
    ran = quick("complete", "--", "get", "", db=tmp_path / "bad.db")
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def bash(memory: Path, line: str) -> list[str]:
    """What a real bash has in COMPREPLY after Tab at the end of a line."""
    script = """
    source <(quaid completion bash)
    compopt() { :; }
    read -r -a COMP_WORDS <<< "$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _quaid
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    names = environment(memory)
    names["PATH"] = f"{Path(PROGRAM).parent}:{names['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", line], env=names, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_in_bash(memory: Path) -> None:
    assert bash(memory, "quaid get people/a") == ["people/alice"]
    assert bash(memory, "quaid get ") == ["people/alice", "people/bob"]
    assert bash(memory, "quaid config ") == ["get", "list", "set"]
    assert bash(memory, "quaid list --type per") == ["person"]
    assert bash(memory, "quaid tag people/bob f") == ["founder", "friend"]


def test_in_bash_for_the_knowledge_base(memory: Path) -> None:
    assert bash(memory, "quaid kb curate --da") == ["--days"]
    assert bash(memory, "ai-kb curate --da") == ["--days"]
    assert bash(memory, "ai-kb bac") == ["backlinks"]


def test_bash_asks_us_after_the_script_is_read(memory: Path) -> None:
    script = "source <(quaid completion bash); complete -p quaid"
    names = environment(memory)
    names["PATH"] = f"{Path(PROGRAM).parent}:{names['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script], env=names, capture_output=True, text=True, check=True
    )
    assert "-F _quaid quaid" in done.stdout


@pytest.mark.parametrize(("shell", "option"), [("zsh", "-n"), ("fish", "--no-execute")])
def test_other_shells_can_read_their_script(tmp_path: Path, shell: str, option: str) -> None:
    script = quick("completion", shell)
    assert script.status == 0
    assert "quaid complete" in script.out
    if shutil.which(shell):
        (tmp_path / "script").write_text(script.out)
        assert subprocess.run([shell, option, tmp_path / "script"], check=False).returncode == 0
