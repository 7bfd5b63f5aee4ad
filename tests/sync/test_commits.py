"""A commit has the files that were named, whatever else is changed, staged or locked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.errors import Busy, GitFailed
from quaid.sync.commits import commit_paths
from quaid.sync.git import Done, Git
from quaid.sync.lock import await_index, index_held

EDITOR = """\
import pathlib, sys
pathlib.Path(sys.argv[1]).write_text("begun")
sys.stdin.readline()
"""


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A repository with two committed files."""
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    root = tmp_path / "notes"
    subprocess.run(["git", "init", "--quiet", "-b", "main", root], check=True)
    made = Git(root, os.environ, trusts=lambda _: True)
    for name in ("one.md", "two.md"):
        (root / name).write_text(name)
    assert commit_paths(made, ["one.md", "two.md"], "Begin").id == made.head()
    return made


def changes(git: Git) -> set[tuple[str, str]]:
    return {(each.code, each.path) for each in git.state().changed}


def committed(git: Git) -> list[str]:
    return git.ask("show", "--no-renames", "--format=", "--name-status", "HEAD").split()


def test_what_is_not_named_stays_as_it_is(git: Git) -> None:
    (git.root / "one.md").write_text("mine")
    (git.root / "two.md").write_text("staged")
    (git.root / "new.md").write_text("staged too")
    git.ask("add", "two.md", "new.md")
    (git.root / "two.md").write_text("and changed since")
    commit_paths(git, ["one.md"], "One")
    assert committed(git) == ["M", "one.md"]
    assert changes(git) == {("MM", "two.md"), ("A.", "new.md")}
    assert git.bytes_of(":two.md") == b"staged"


def test_files_that_git_has_removed_or_moved(git: Git) -> None:
    git.ask("rm", "--quiet", "one.md")
    git.ask("mv", "two.md", "three.md")
    commit_paths(git, ["one.md"], "Gone")
    assert committed(git) == ["D", "one.md"]
    commit_paths(git, ["two.md", "three.md"], "Moved")
    assert committed(git) == ["A", "three.md", "D", "two.md"]
    assert changes(git) == set()


def test_a_file_becomes_a_folder(git: Git) -> None:
    (git.root / "one.md").unlink()
    (git.root / "one.md").mkdir()
    (git.root / "one.md" / "inside.md").write_text("x")
    commit_paths(git, ["one.md", "one.md/inside.md"], "Deeper")
    assert changes(git) == set()


def test_a_change_that_only_the_bytes_show(git: Git) -> None:
    """git compares sizes and seconds; what was written in the second of its index it must read."""
    git.ask("config", "core.trustctime", "false")
    page, index = git.root / "one.md", git.root / ".git" / "index"
    for text in ("one.md", "ONE.MD"):
        page.write_text(text)
        os.utime(page, (1_700_000_000,) * 2)
        if text == "one.md":
            git.ask("update-index", "--refresh")
            os.utime(index, (1_700_000_000,) * 2)
    commit_paths(git, ["one.md"], "Louder")
    assert git.bytes_of("HEAD:one.md") == b"ONE.MD"
    assert changes(git) == set()


def test_nothing_to_commit(git: Git) -> None:
    (git.root / "two.md").write_text("changed")
    assert commit_paths(git, ["one.md"], "Nothing").id == ""
    assert changes(git) == {(".M", "two.md")}


def test_a_hook_sees_what_is_committed_and_its_refusal_leaves_the_index(git: Git) -> None:
    hook = git.root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\ngit diff --cached --name-only >&2\nexit 1\n")
    hook.chmod(0o755)
    (git.root / "one.md").write_text("mine")
    (git.root / "two.md").write_text("staged")
    git.ask("add", "two.md")
    with pytest.raises(GitFailed, match=r"one\.md"):
        commit_paths(git, ["one.md"], "One")
    assert changes(git) == {(".M", "one.md"), ("M.", "two.md")}


@pytest.fixture
def editing(git: Git) -> Iterator[subprocess.Popen[str]]:
    """A person has `git commit -a` open in an editor."""
    (git.root / "two.md").write_text("theirs")
    begun = git.root / ".git" / "begun"
    os.mkfifo(begun)
    (git.root.parent / "editor.py").write_text(EDITOR)
    editor = f"{sys.executable} {git.root.parent / 'editor.py'} {begun}"
    process = subprocess.Popen(
        ["git", "-c", f"core.editor={editor}", "commit", "--all", "--allow-empty-message", "--cleanup=strip"],
        cwd=git.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    with process:  # in the end, it reads no more
        assert begun.read_text() == "begun"
        yield process


def test_a_lock_of_others_is_waited_for_and_named(git: Git, editing: subprocess.Popen[str]) -> None:
    with pytest.raises(Busy) as refused:
        await_index(git, 0.01)
    assert f"process {editing.pid} (git -c core.editor=" in refused.value.message
    assert "has locked the index of" in refused.value.message
    assert (git.root / ".git" / "index.lock").exists()
    head = git.head()
    (git.root / "one.md").write_text("mine")
    ours = threading.Thread(target=commit_paths, args=(git, ["one.md"], "One"))
    ours.start()
    editing.communicate("\n")
    ours.join()
    assert editing.returncode == 0
    assert git.ask("log", "--format=%s", f"{head}..").split("\n")[:2] == ["One", ""]
    assert changes(git) == set()


def test_a_lock_that_nobody_seems_to_hold_is_left_to_a_person(git: Git) -> None:
    lock = git.root / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - 7300,) * 2)
    with pytest.raises(Busy, match="says that a git works there, for 2 hours"):
        await_index(git, 0.01)
    assert lock.exists()


def test_no_git_comes_between_and_what_a_killed_one_of_ours_left_goes(git: Git) -> None:
    child = os.fork()
    if not child:
        with index_held(git):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    (git.root / "one.md").write_text("mine")
    with pytest.raises(Busy, match="another git works"):
        git.ask("add", "one.md")
    commit_paths(git, ["one.md"], "One")
    git.ask("add", "one.md")


SSH = {
    "git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\n"
    "Please make sure you have the correct access rights\nand the repository exists.\n": (
        "git@example.org: Permission denied (publickey)."
    ),
    "Host key verification failed.\nfatal: Could not read from remote repository.\n": (
        "Host key verification failed."
    ),
    "fatal: Could not read from remote repository.\n": "Could not read from remote repository.",
    "fatal: '/gone.git' does not appear to be a git repository\n"
    "fatal: Could not read from remote repository.\n": "'/gone.git' does not appear to be a git repository",
}


@pytest.mark.parametrize("said", SSH)
def test_ssh_is_quoted_where_it_failed(said: str) -> None:
    assert Done(128, "", said).reason == SSH[said]
