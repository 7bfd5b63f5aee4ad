"""`init` makes a knowledge base that is sound at once, and a second run changes nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from quaid.kb.node import parse
from quaid.trust import Trust
from tests.kb.repositories import UUID, Repository, World, run


def test_it_makes_a_sound_knowledge_base(world: World) -> None:
    ran = run("init", str(world.place / "kb"), "--offline")
    kb = Repository(world.place / "kb")
    assert ran.status == 0
    assert ran.out.startswith(f"Made a knowledge base: {kb.root}\n")
    own = [".gitattributes", ".gitignore", "AGENT_CONTRACT.org", "README.org", "index.org"]
    assert sorted(kb.files()) == own
    assert kb.changes == ""
    readme = parse((kb.root / "README.org").read_text(), "README.org")
    assert UUID.fullmatch(readme.id)
    assert readme.summary
    assert kb.ok("lint").out == "sound\n"
    assert "problem" not in kb.ok("doctor").out
    assert kb.root.stat().st_mode & 0o077 == 0
    assert (kb.root / "README.org").stat().st_mode & 0o077 == 0


def test_the_usual_place(world: World) -> None:
    assert run("init", "--offline").status == 0
    assert (world.place / ".local" / "share" / "ai-kb" / "index.org").is_file()


def test_a_second_run_changes_nothing(kb: Repository) -> None:
    kb.remember("Commit style")
    before = kb.now()
    ran = kb.ok("init", "--offline")
    assert "is a knowledge base already\nnothing was missing\n" in ran.out
    kb.untouched(before)


def test_what_is_missing_is_put_back(kb: Repository) -> None:
    kb.git("rm", "-q", "AGENT_CONTRACT.org")
    kb.git("commit", "-qm", "Lost")
    assert "wrote AGENT_CONTRACT.org" in kb.ok("init", "--offline").out


def test_a_second_machine_clones(shared: Repository, world: World) -> None:
    id = shared.remember("Commit style")
    shared.ok("push")
    ran = run("init", str(world.place / "other"), "--remote", str(world.bare), "--offline")
    assert ran.out.startswith("Cloned a knowledge base")
    assert id in Repository(world.place / "other").ok("show", id).out
    assert Repository(world.place / "other").head == shared.head


def bare(world: World, first: str) -> None:
    """A remote as `git init --bare` makes it, whose first branch is whatever the server likes."""
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", first, world.bare], check=True)


@pytest.mark.parametrize("way", ["init", "clone", "init before"])
def test_a_remote_that_shows_another_branch_is_joined(world: World, way: str) -> None:
    bare(world, "master")
    one = world.made("one", "--remote", str(world.bare))
    id = one.remember("Commit style")
    one.ok("sync")
    place = world.place / "two"
    if way == "clone":
        subprocess.run(["git", "clone", "--quiet", world.bare, place], check=True, capture_output=True)
        Trust(Path.home()).accept(place)
    elif way == "init before":
        subprocess.run(["git", "init", "--quiet", "-b", "master", place], check=True)
        Trust(Path.home()).accept(place)
    ran = run("init", str(place), "--offline", *(() if way == "clone" else ("--remote", str(world.bare))))
    two = Repository(place)
    assert ran.out.startswith("Cloned a knowledge base")
    assert (two.head, two.git("branch", "--show-current")) == (one.head, "main")
    assert id in two.ok("show", id).out
    two.remember("From there")
    two.ok("sync")
    assert one.ok("sync", "--json").json["followed"] == 1
    assert "joined" not in {each["name"] for each in two.ok("doctor", "--json").json["checks"]}


def test_a_clone_of_something_else_is_not_kept(world: World) -> None:
    bare(world, "main")
    code = world.place / "code"
    subprocess.run(["git", "clone", "--quiet", world.bare, code], check=True, capture_output=True)
    (code / "main.py").write_text("x")
    for words in (("add", "--all"), ("commit", "-qm", "Code"), ("push", "--quiet", "origin", "HEAD:main")):
        subprocess.run(["git", "-C", code, *words], check=True, capture_output=True)
    ran = run("init", str(world.place / "kb"), "--remote", str(world.bare))
    assert (ran.status, "something else: main.py" in ran.err) == (4, True)
    assert not (world.place / "kb").exists()


def test_line_ends_are_kept_whatever_git_is_told(shared: Repository, world: World) -> None:
    id = shared.remember("Commit style", body="One\nTwo\n")
    path = shared.node(id)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    shared.ok("commit")
    shared.ok("push")
    with (world.place / ".gitconfig").open("a") as file:
        file.write("[core]\n\tautocrlf = true\n\teol = crlf\n")
    other = world.clone("other")
    assert other.files() == shared.files()
    assert other.changes == ""
    (other.root / ".gitattributes").write_text("*.org merge=quaid")
    other.git("commit", "--quiet", "--all", "-m", "Others")
    assert "wrote .gitattributes" in other.ok("init", "--offline").out
    assert (other.root / ".gitattributes").read_text() == "* -text\n*.org merge=quaid"


def test_a_remote_that_cannot_be_reached_makes_no_half_clone(world: World) -> None:
    ran = run("init", str(world.place / "kb"), "--remote", str(world.place / "none.git"))
    assert ran.status == 13
    assert not (world.place / "kb").exists()


@pytest.mark.parametrize("kind", ["files", "repository", "file"])
def test_what_holds_something_else_is_left_alone(world: World, kind: str) -> None:
    place = world.place / "code"
    if kind == "file":
        place.write_text("x")
    else:
        place.mkdir()
        (place / "main.py").write_text("x")
    if kind == "repository":
        subprocess.run(["git", "init", "-q", place], check=True)
        subprocess.run(["git", "-C", place, "add", "--all"], check=True)
    ran = run("init", str(place), "--offline")
    assert ran.status in (2, 4)
    assert not (world.place / "code" / "AGENT_CONTRACT.org").exists()


def test_claude_code_is_told_by_a_rules_file(kb: Repository, world: World) -> None:
    kb.ok("init", "--adapter", "claude", "--offline")
    path = world.place / ".claude" / "rules" / "ai-kb.md"
    text = path.read_text()
    assert str(kb.root) in text
    assert "before you choose a formatter" in text
    assert "--created-by claude-code" in text
    assert "adapter: " + str(path) in kb.ok("doctor", "--offline").out
    path.write_text("Mine.\n\n" + text + "\nAlso mine.\n")
    kb.ok("init", "--adapter", "claude", "--offline")
    assert path.read_text() == "Mine.\n\n" + text + "\nAlso mine.\n"


def test_agents_that_are_here_are_told(kb: Repository, world: World) -> None:
    (world.place / ".claude").mkdir()
    (world.place / ".codex").mkdir()
    (world.place / ".codex" / "AGENTS.md").write_text("Be kind.\n")
    assert "ai-kb init --adapter codex" in kb.run("doctor", "--offline").out
    kb.ok("init", "--no-adapter", "--offline")
    assert not (world.place / ".claude" / "rules").exists()
    kb.ok("init", "--offline")
    assert "--created-by claude-code" in (world.place / ".claude" / "rules" / "ai-kb.md").read_text()
    told = (world.place / ".codex" / "AGENTS.md").read_text()
    assert told.startswith("Be kind.\n\n<!-- ai-kb: begin -->")
    assert "--created-by codex" in told
    kb.ok("init", "--offline")
    assert (world.place / ".codex" / "AGENTS.md").read_text() == told


def test_other_agents_are_told_in_a_file_that_is_named(kb: Repository, world: World) -> None:
    path = world.place / "AGENTS.md"
    path.write_text("# Rules\n\nBe kind.\n")
    kb.ok("init", "--agents-file", str(path), "--offline")
    first = path.read_text()
    assert first.startswith("# Rules\n\nBe kind.\n\n<!-- ai-kb: begin -->\n")
    kb.ok("init", "--agents-file", str(path), "--offline")
    assert path.read_text() == first


def test_a_linked_rules_file_stays_a_link(kb: Repository, world: World) -> None:
    real = world.place / "dotfiles.md"
    real.write_text("")
    rules = world.place / ".claude" / "rules"
    rules.mkdir(parents=True)
    os.symlink(real, rules / "ai-kb.md")
    kb.ok("init", "--adapter", "claude", "--offline")
    assert (rules / "ai-kb.md").is_symlink()
    assert "ai-kb" in real.read_text()


def test_the_contract_says_what_the_check_demands(kb: Repository) -> None:
    contract = (kb.root / "AGENT_CONTRACT.org").read_text()
    for word in (
        "CREATED_BY",
        "CONFIDENCE",
        "VISIBILITY",
        "user-stated",
        "DERIVED_FROM",
        "--contest",
        "emacs",
    ):
        assert word in contract
    assert "{" not in contract.replace("{today}", "")


def test_it_works_on_a_repository_of_nodes_that_has_no_contract(world: World, kb: Repository) -> None:
    id = kb.remember("Commit style")
    kb.git("rm", "-q", "AGENT_CONTRACT.org", "README.org", "index.org")
    kb.git("commit", "-qm", "Bare nodes")
    kb.ok("init", "--offline")
    assert id in (kb.root / "index.org").read_text()
