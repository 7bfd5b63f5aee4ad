"""Killed at any instant, a knowledge base is whole again at the next command: all of a write, or nothing.

A process ends itself just before its n-th step, for many n and in `make test-long` for every n. Others die
together with the git that they have started, or leave it running.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kb.conftest import own_directories
from tests.kb.repositories import Repository, World, git
from tests.stress.mortal import Killer, spread
from tests.support import lengths

pytestmark = pytest.mark.stress
__all__ = ["own_directories"]

KINDS = {
    "new": ["remember", "--title", "Third matter", "--summary", "Of another kind."],
    "update": ["remember", "--update", "First matter", "--append", "--body", "More of it."],
    "merge": ["merge", "First matter", "Second topic", "--yes"],
    "capture": ["capture", "https://example.org", "--excerpt", "Words.", "--title", "Page"],
}


@pytest.fixture
def model(tmp_path: Path) -> Repository:
    kb = World(tmp_path).made("model")
    one = kb.remember("First matter", "Of one kind.")
    kb.remember("Second topic", "Entirely different.", body=f"See [[id:{one}][it]].")
    return kb


def written(killer: Killer, root: Path, kind: str, point: int = 0) -> int:
    """The steps that a write took, or 0 if it was killed before one of them."""
    return killer.command(["--kb", str(root), *KINDS[kind]], point)


def whole(kb: Repository, before: dict[str, bytes], after: set[str]) -> bool:
    """Whether the write happened. If not, everything is as it was before."""
    kb.remember("Afterwards", "The next command.")
    assert kb.changes == ""
    assert kb.ok("lint").out == "sound\n"
    assert list(kb.root.rglob("*.tmp")) == []
    written = len(kb.subjects()) == 5
    files = {
        path: data for path, data in kb.files().items() if "afterwards" not in path and path != "index.org"
    }
    if not written:
        assert files == {path: data for path, data in before.items() if path != "index.org"}
    else:
        assert {path.split("-", 1)[-1] for path in files} == after
    return written


@lengths("most", 8, 10_000)
@pytest.mark.parametrize("kind", KINDS)
def test_killed_between_any_two_steps(
    killer: Killer, model: Repository, tmp_path: Path, kind: str, most: int
) -> None:
    World(tmp_path).copied(model, "whole")
    steps = written(killer, tmp_path / "whole", kind)
    after = {path.split("-", 1)[-1] for path in Repository(tmp_path / "whole").files() if path != "index.org"}
    assert steps > 10
    outcomes = set()
    for point in spread(steps, most):
        kb = World(tmp_path).copied(model, f"at-{point}")
        before = kb.files()
        assert not written(killer, kb.root, kind, point)
        outcomes.add(whole(kb, before, after))
        shutil.rmtree(kb.root)
    assert outcomes == {True, False}


@pytest.mark.parametrize("victim", ["caller", "both", "both in the middle"])
def test_killed_while_git_commits(
    killer: Killer, model: Repository, tmp_path: Path, victim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git may outlive its caller and make the commit, or die with it and leave its lock."""
    real = shutil.which("git")
    folder = tmp_path / "bin"
    folder.mkdir()
    last = {
        "caller": f'exec {real} "$@"',
        "both": "kill -9 $$",
        "both in the middle": f"touch {model.root}/.git/index.lock; kill -9 $$",
    }[victim]
    script = (
        f'#!/bin/sh\nfor word in "$@"; do\n  if [ "$word" = commit ]; then kill -9 $PPID; {last}; fi\ndone\n'
    )
    (folder / "git").write_text(f'{script}exec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    before = model.files()
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{folder}:{path}")
    assert not written(killer, model.root, "new")
    monkeypatch.setenv("PATH", path)
    wait_for_git(model.root, expected=victim == "caller")
    after = {
        "third-matter.org",
        "first-matter.org",
        "second-topic.org",
        "README.org",
        ".gitignore",
        ".gitattributes",
    }
    assert whole(model, before, after | {"AGENT_CONTRACT.org"}) == (victim == "caller")


def wait_for_git(root: Path, expected: bool) -> None:
    """Let a git that outlived its caller come to its end."""
    for _ in range(100):
        if not expected or len(git(root, "log", "--format=%s").splitlines()) == 4:
            return
        subprocess.run(["sleep", "0.05"], check=True)


def test_what_somebody_has_changed_since_is_theirs(killer: Killer, model: Repository) -> None:
    """A half-written file that a person has edited after the kill is not undone under their hands."""
    world = World(model.root.parent)
    kb = world.copied(model, "edited")
    for point in range(written(killer, kb.root, "update"), 0, -1):
        shutil.rmtree(kb.root)
        kb = world.copied(model, "edited")
        written(killer, kb.root, "update", point)
        path = next(path for path in kb.root.glob("*first-matter.org"))
        if "More of it." in path.read_text() and kb.changes:
            break
    path.write_text(path.read_text() + "And mine.\n")
    assert kb.run("remember", "--title", "Next", "--summary", "Another one.").status == 4
    assert "And mine." in path.read_text()
    kb.ok("commit")
    assert "And mine." in kb.git("show", f"HEAD:{path.name}")
