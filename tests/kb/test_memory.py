"""A knowledge base and the person's memory: `init` attaches it, `doctor` says so, a session hears of it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from quaid.agents.hooks import events
from quaid.app import App, Surroundings
from quaid.kb import nudge, status
from quaid.kb.repository import Kb
from quaid.settings import Settings
from quaid.store import file_state
from quaid.sync.git import Git
from quaid.trust import Trust
from quaid.vault.agreement import Agreement, agreement
from tests.kb.nodes import text, write
from tests.kb.repositories import Repository, World, run
from tests.support import calls, memory_at, quick


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """The person's own memory."""
    path = tmp_path / ".quaid" / "memory.db"
    assert quick("init", str(path)).status == 0
    return path


def check(kb: Repository, *words: str) -> dict[str, str]:
    found = kb.run("doctor", "--offline", "--json", *words).json["checks"]
    return next(each for each in found if each["name"] == "memory")


def collections(memory: Path) -> list[tuple[str, str, str]]:
    listed = quick("collection", "list", "--json", db=memory).json["collections"]
    return [(each["name"], each["profile"], each["folder"]) for each in listed if each["folder"]]


def test_init_attaches_it_to_the_persons_memory_once(memory: Path, world: World) -> None:
    ran = run("init", "--offline")
    root = world.place / ".local" / "share" / "ai-kb"
    assert f"attached to {memory} as kb\n" in ran.out
    assert collections(memory) == [("kb", "kb", str(root))]
    kb = Repository(root)
    kb.remember("Walrus", "Odobenus lives here.")
    assert quick("search", "odobenus", "--json", db=memory).json["results"][0]["title"] == "Walrus"
    again = kb.ok("init", "--offline")
    assert "\nattached to" not in again.out
    assert collections(memory) == [("kb", "kb", str(root))]
    assert check(kb) == {
        "name": "memory",
        "grade": "ok",
        "message": f"attached to {memory} as kb",
        "hint": "",
    }


def test_the_person_may_not_want_that(memory: Path, world: World) -> None:
    kb = world.made("kb", "--no-attach")
    assert collections(memory) == []
    said = check(kb)
    assert said["grade"] == "warning"
    assert said["hint"] == f"quaid collection add kb {kb.root} --profile kb"
    assert kb.run("doctor", "--offline").status == 0


def test_without_a_memory_it_says_so(kb: Repository, tmp_path: Path) -> None:
    assert check(kb)["grade"] == "ok"
    assert "there is no Quaid memory" in check(kb)["message"]
    assert not (tmp_path / ".quaid" / "memory.db").exists()


def test_a_projects_memory_is_left_alone(memory: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.place / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert quick("init", ".").status == 0
    kb = world.made("kb")
    assert [name for name, _, _ in collections(memory)] == ["kb"]
    assert "kb" not in [name for name, _, _ in collections(project / ".quaid" / "memory.db")]
    assert check(kb)["message"] == f"attached to {memory} as kb"


def test_a_memory_that_is_named_is_meant(memory: Path, world: World) -> None:
    other = world.place / "other.db"
    quick("init", str(other))
    kb = world.made("kb", "--db", str(other))
    assert (collections(memory), [name for name, _, _ in collections(other)]) == ([], ["kb"])
    assert check(kb)["grade"] == "warning"
    assert check(kb, "--db", str(other))["grade"] == "ok"


def test_a_name_that_is_taken(memory: Path, world: World) -> None:
    quick("collection", "add", "kb", db=memory)
    world.made("kb")
    assert [name for name, _, _ in collections(memory)] == ["ai-kb"]


def test_what_cannot_be_attached_is_no_failure(memory: Path, world: World) -> None:
    vault = world.place / "vault"
    vault.mkdir()
    quick("collection", "add", "vault", str(vault), db=memory)
    ran = run("init", str(vault / "kb"), "--offline")
    assert ran.status == 0
    assert "could not be attached" in ran.out
    assert "overlap" in ran.out
    memory.write_bytes(b"no database" * 2000)
    assert run("init", str(world.place / "other"), "--offline").status == 0


def line(repository: Repository, tmp_path: Path) -> str:
    return nudge.nudge_line(Kb(repository.root, os.environ, tmp_path))


def test_a_session_hears_of_what_is_not_pushed(shared: Repository, world: World, tmp_path: Path) -> None:
    assert line(shared, tmp_path) == ""
    shared.remember("Walrus")
    assert line(shared, tmp_path) == "ai-kb: ahead 1"
    world.refuse_pushes("closed")
    shared.run("push", "--if-ahead")
    assert line(shared, tmp_path).startswith("ai-kb: ahead 1; push failed: ")
    (world.bare / "hooks" / "pre-receive").unlink()
    other = world.clone("other")
    other.remember("Seal")
    other.ok("push")
    shared.run("push", "--if-ahead")
    assert line(shared, tmp_path).startswith("ai-kb: diverged (ai-kb sync); ahead 1; ")


def test_a_session_hears_of_contests_and_unfinished_work(kb: Repository, tmp_path: Path) -> None:
    first = kb.remember("Indentation", "Always use tabs.")
    kb.remember("Indenting", "Never use tabs.", "--contest", first)
    alone = "no remote, so nothing is backed up (ai-kb init --remote)"
    assert line(kb, tmp_path) == kb.ok("status", "--line").out.strip() == f"ai-kb: {alone}; 2 contested"
    kb.git("config", "ai-kb.fetchTimeout", "5")
    kb.git("config", "ai-kb.local", "true")
    assert line(kb, tmp_path) == kb.ok("status", "--line").out.strip() == "ai-kb: 2 contested"
    assert "none, as you have said" in kb.ok("doctor").out
    kb.node(first).write_text("x")
    assert "not committed: " in line(kb, tmp_path)


def test_a_remote_that_was_never_pushed_to(kb: Repository, world: World, tmp_path: Path) -> None:
    kb.git("remote", "add", "origin", str(world.bare))
    assert line(kb, tmp_path) == "ai-kb: never pushed (ai-kb push)"


def test_that_curation_is_due_is_noted_by_whoever_reads_the_nodes(world: World, tmp_path: Path) -> None:
    kb = world.made("kb")
    kb.git("config", "ai-kb.local", "true")
    write(kb.root, *(text(number, title=f"Node {number}") for number in range(1, 151)))
    kb.ok("commit")
    assert line(kb, tmp_path) == "ai-kb: curation due (ai-kb curate)"
    kb.ok("curate", "--done", "n1.org")
    assert line(kb, tmp_path) == ""


def test_the_line_costs_the_same_with_many_nodes_and_asks_git_once(
    shared: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line(shared, tmp_path)
    cost_of_none = calls(lambda: line(shared, tmp_path))
    write(shared.root, *(text(number, title=f"Node {number}") for number in range(1, 60)))
    shared.ok("commit")
    asked: list[tuple[str, ...]] = []
    run_git = Git.run
    monkeypatch.setattr(
        Git, "run", lambda self, *words, **more: asked.append(words) or run_git(self, *words, **more)
    )
    assert line(shared, tmp_path).startswith("ai-kb: ahead 1")
    assert [words[0] for words in asked] == ["status"]
    assert calls(lambda: line(shared, tmp_path)) < cost_of_none + 100


def test_both_lines_say_the_same() -> None:
    facts = nudge.Facts(ahead=1, behind=2, push_failed="no", contested=3, curation_due=True)
    now = status.Status(
        root="",
        nodes=3,
        branch="main",
        ahead=1,
        behind=2,
        uncommitted=(),
        diverged=True,
        push_failed="no",
        push_failed_at="",
        pushed_at="",
        indexed_at="",
        index_stale=False,
        curation_due=True,
        contested=3,
    )
    assert status.nudge(now) == nudge.line_of(facts)


def opening(app: App) -> str:
    """What an agent is told when a session begins."""
    answer = json.loads(events.answer("session-start", {}, lambda: app, app.home, lambda words: None))
    return str(answer["hookSpecificOutput"]["additionalContext"])


def test_the_start_of_a_session_has_the_line(shared: Repository, tmp_path: Path) -> None:
    around = Surroundings(os.environ, tmp_path)
    app = App(memory_at(tmp_path / "m.db"), Settings(), surroundings=around)
    assert "ai-kb" not in opening(app)
    usual = tmp_path / ".local" / "share" / "ai-kb"
    usual.parent.mkdir(parents=True)
    shared.root.rename(usual)
    Trust(tmp_path).accept(usual)
    assert "ai-kb" not in opening(app)
    Repository(usual).remember("Walrus")
    assert "ai-kb: ahead 1" in opening(app).splitlines()[0]
    (usual / ".git" / "HEAD").write_text("broken")
    assert "ai-kb" not in opening(app)
    app.store.close()


def test_the_rows_of_a_strangers_nodes_are_in_the_persons_state(tmp_path: Path) -> None:
    """Which is where they say that it is."""
    root = write(tmp_path / "kb", text(1))
    state = tmp_path / "elsewhere"
    kb = Kb(root, {"XDG_STATE_HOME": str(state)}, tmp_path / "home")
    assert len(kb.nodes().rows) == 1
    assert [place.name for place in state.glob("ai-kb/kb-*/*.db")] == ["memory.db"]
    assert not (tmp_path / "home" / ".local").exists()
    assert not (root / ".quaid").exists()


def looked_at(kb: Kb) -> Agreement:
    memory = kb.memory
    return agreement(
        memory.connection, memory.row, memory.root, file_state.count(memory.connection, memory.row.id)
    )


def test_files_that_are_no_nodes_do_not_lengthen_a_look(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1))
    (root / "notes.txt").write_text("No node.\n")
    kb = Kb(root, {}, tmp_path)
    past = time.time() - 60
    for place in root.iterdir():
        os.utime(place, (past, past))
    kb.nodes()
    seen = looked_at(kb)
    assert seen.in_step
    assert seen.survey is None  # no page was compared
    (root / "n2.org").write_text(text(2))
    assert not looked_at(kb).in_step
