"""A stranger's repository: nothing in it runs, whatever looks at it, and nothing in it is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from quaid.app import App, Surroundings
from quaid.errors import Untrusted
from quaid.settings import Settings
from quaid.trust import Trust
from tests.kb.hostile import READING, VECTORS, commands, diverged, planted, snapshot
from tests.kb.repositories import Repository, World, git, run
from tests.support import NOBODY, PATIENCE, call, memory_at, tool, without_samples


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Somebody's knowledge base, made where they are at home."""
    home = tmp_path_factory.mktemp("somebody")
    with pytest.MonkeyPatch.context() as patch:
        for name in [each for each in os.environ if each.startswith(("XDG_", "AI_KB", "GIT_", "CLAUDE"))]:
            patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("AI_KB_CREATED_BY", "human")
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        (home / ".gitconfig").write_text("[user]\n\tname = Eve\n\temail = eve@example.org\n")
        template = diverged(World(home))
        without_samples(home)
        yield template


@pytest.fixture(autouse=True)
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AI_KB_FETCH_TIMEOUT", "5")


@pytest.mark.parametrize("name", VECTORS)
def test_nothing_that_a_stranger_planted_runs(world: World, template: Path, name: str) -> None:
    it = planted(world, template, name)
    before = snapshot(it.root)
    for words in commands():
        ran = Repository(it.root).run(*words, "--json")
        assert it.ran == [], words
        assert snapshot(it.root) == before, words
        if words[0] in READING:
            assert ran.status in (0, 11), (words, ran.err)
        else:
            assert (ran.status, ran.error["code"]) == (14, "untrusted"), (words, ran.err)
            assert f"quaid trust {it.root}" in ran.error["hint"]


@pytest.mark.parametrize("name", VECTORS)
def test_nor_by_the_tools_of_an_agent(world: World, template: Path, name: str, tmp_path: Path) -> None:
    it = planted(world, template, name)
    around = Surroundings({"AI_KB_CREATED_BY": "codex", "PATH": os.environ["PATH"]}, tmp_path)
    app = App(memory_at(tmp_path / "memory.db"), Settings(), surroundings=around)
    call(app, "collection add", name="kb", folder=str(it.root), profile="kb")
    before = snapshot(it.root)
    for operation, values in {
        "kb_query": {"question": "walrus"},
        "kb_show": {"name": "Walrus"},
        "kb_backlinks": {"name": "Walrus"},
        "kb_lint": {},
        "kb_status": {},
    }.items():
        tool(app, operation, **values)
    with pytest.raises(Untrusted, match="not trusted"):
        tool(app, "kb_remember", title="Otter", summary="It swims on its back.")
    with pytest.raises(Untrusted, match="not trusted"):
        call(app, "tag", slug="Walrus", tag="mammal")
    app.store.close()
    assert (it.ran, snapshot(it.root)) == ([], before)


def test_what_is_planted_would_run_where_it_is_trusted(world: World, template: Path) -> None:
    """The vectors are real: the same repository, accepted by its person, obeys them."""
    reached = {}
    for number, name in enumerate(
        ("hooks", "filter by .git/info/attributes", "core.sshCommand", "gpg.program")
    ):
        it = planted(world, template, name, number)
        Trust(world.place).accept(it.root)
        for words in (("status",), ("sync",), ("remember", "--title", "Otter", "--summary", "It swims.")):
            Repository(it.root).run(*words)
        reached[name] = it.ran
    assert all(reached.values()), reached


def test_a_stranger_is_told_of(world: World, template: Path) -> None:
    other = Repository(world.place / "copy")
    shutil.copytree(template, other.root)
    said = other.ok("status").out
    assert "git:            not asked: you have not trusted it; quaid trust" in said
    assert "branch" not in said
    assert other.ok("status", "--json").json["trusted"] is False
    checks = other.run("doctor", "--json").json["checks"]
    assert [each["grade"] for each in checks if each["name"] == "trust"] == ["problem"]
    assert not [each for each in checks if each["name"] in ("remote", "branch", "reachable")]
    assert other.ok("show", "Walrus").out.endswith("Here.\n")
    assert "Emacs was not asked: org files can run programs" in other.ok("lint", "--org-lint").out


def test_a_name_that_is_a_command_is_quoted(world: World, template: Path) -> None:
    other = Repository(world.place / "a; touch b")
    shutil.copytree(template, other.root)
    for said in (other.run("sync").err, other.ok("status").out, other.ok("lint", "--org-lint").out):
        assert f"quaid trust '{other.root}'" in said


def test_what_init_made_or_cloned_is_trusted_and_accepting_is_enough(world: World, template: Path) -> None:
    shared = world.shared("kb")
    shared.remember("Walrus")
    shared.ok("push")
    clone = world.clone("clone")
    assert clone.ok("status", "--json").json["trusted"] is True
    by_hand = Repository(world.place / "by-hand")
    git(world.place, "clone", "-q", str(world.bare), str(by_hand.root))
    assert by_hand.run("remember", "--title", "Otter", "--summary", "It swims.").status == 14
    assert run("init", str(by_hand.root), "--offline").status == 14
    Trust(world.place).accept(by_hand.root)
    by_hand.remember("Otter")
    by_hand.ok("push")


def test_init_within_a_strangers_repository_does_not_obey_it(
    world: World, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the repository around the new one, nor that of the working directory, has a say."""
    it = planted(world, template, "url.insteadOf")
    monkeypatch.chdir(it.root)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", world.bare], check=True)
    made = world.made("kb", "--remote", str(world.bare))
    made.ok("push")
    inside = run("init", str(it.root / "deep" / "kb"), "--remote", str(world.bare), "--offline")
    assert inside.status == 0, inside.err
    assert it.ran == []


def test_what_a_strangers_memory_says_is_not_believed(world: World, template: Path) -> None:
    other = Repository(world.place / "copy")
    shutil.copytree(template, other.root)
    with closing(apsw.Connection(str(other.root / ".quaid" / "memory.db"))) as memory:
        memory.execute("UPDATE nodes SET title = 'Unicorn', summary = 'Made up.' WHERE title = 'Spare'")
    before = snapshot(other.root)
    assert other.run("query", "unicorn").status == 3
    assert other.run("show", "Unicorn").status == 3
    assert other.ok("query", "tusks", "--json").json["results"][0]["title"] == "Walrus"
    assert snapshot(other.root) == before
    Trust(world.place).accept(other.root)
    assert other.ok("show", "Unicorn").out  # so that it would be seen


def test_a_strangers_changes_are_seen(world: World, template: Path) -> None:
    other = Repository(world.place / "copy")
    shutil.copytree(template, other.root)
    node = other.node("Walrus")
    node.write_text(node.read_text() + "Piscivorous.\n")
    before = snapshot(other.root)
    assert other.run("query", "piscivorous", "--json").json["results"][0]["title"] == "Walrus"
    node.unlink()
    assert other.run("show", "Walrus").status == 3
    node.write_bytes(before[node.name])
    assert snapshot(other.root) == before


def test_a_link_in_place_of_the_memory_is_not_followed(world: World) -> None:
    """A branch that is followed may bring one along."""
    made = world.made("kb")
    made.remember("Walrus")
    outside = world.place / "outside"
    outside.mkdir()
    shutil.rmtree(made.root / ".quaid")
    (made.root / ".quaid").symlink_to(outside)
    made.git("add", ".quaid")
    made.git("commit", "-qm", "A link")
    made.remember("Tusk")
    assert len(made.ok("query", "walrus", "--json").json["results"]) == 1
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["AGENT_CONTRACT.org", "index-2.org", "node.org"])
def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(world: World, template: Path, name: str) -> None:
    other = world.place / "copy"
    shutil.copytree(template, other)
    (other / name).unlink(missing_ok=True)
    os.mkfifo(other / name)
    for words in (("query", "walrus"), ("show", "Walrus"), ("status",), ("status", "--line"), ("lint",)):
        command = [sys.executable, "-m", "quaid.cli.ai_kb", "--kb", str(other), *words]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert ran.returncode in (0, 11), (words, ran.stderr)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_a_repository_of_another_user_is_refused_by_git_and_it_says_so(world: World) -> None:
    made = world.shared("kb")
    made.remember("Walrus")
    for path in (made.root, *made.root.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    assert made.run("status", "--json").json["trusted"] is False  # it is no longer whose it was
    Trust(world.place).accept(made.root)
    for words in (("push",), ("sync",), ("status",), ("remember", "--title", "X", "--summary", "Y z.")):
        ran = made.run(*words, "--json")
        assert (ran.status, ran.error["code"]) == (6, "corrupt"), words
        assert "belongs to another user" in ran.error["message"]
        assert "safe.directory" in ran.error["hint"]
    git(world.place, "config", "--global", "--add", "safe.directory", str(made.root))
    made.ok("status")
