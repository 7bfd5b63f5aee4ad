"""Pushes: they happen in the background, fail quietly, and the failure can be seen."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from quaid.kb import timer
from quaid.kb.repository import Kb
from quaid.supervisor import install_job
from tests.kb.repositories import Repository, World


def test_what_is_ahead_is_pushed(shared: Repository, world: World) -> None:
    shared.remember("Commit style")
    assert shared.ok("push", "--if-ahead").out == "pushed 1 commit to origin\n"
    assert Repository(world.bare).head == shared.head
    assert shared.ok("push", "--if-ahead").out == "nothing to push\n"
    assert shared.ok("status", "--json").json["ahead"] == 0


def test_the_first_push_makes_the_branch_follow(shared: Repository) -> None:
    assert shared.git("rev-parse", "--abbrev-ref", "@{upstream}") == "origin/main"


def test_without_a_remote_there_is_nothing_to_do(kb: Repository) -> None:
    assert kb.ok("push").out == "there is no remote to push to\n"
    assert kb.ok("push", "--if-ahead").status == 0


def test_a_failure_is_noted_and_no_error_for_a_timer(shared: Repository, world: World) -> None:
    shared.remember("Commit style")
    world.bare.rename(world.place / "elsewhere")
    assert "the push failed" in shared.ok("push", "--if-ahead").out
    now = shared.ok("status", "--json").json
    assert now["ahead"] == 1
    assert now["push_failed"]
    assert "ahead 1; push failed: " in now["nudge"]
    assert "push failed" in shared.run("doctor").out
    assert "ahead 1" in shared.run("doctor", "--offline").out
    stored = list((world.place / ".local" / "state" / "ai-kb").glob("kb-*.json"))
    assert json.loads(stored[0].read_text())["push_failure"]
    assert stored[0].stat().st_mode & 0o077 == 0
    assert shared.run("push").status == 13


def test_a_push_that_works_ends_the_failure(shared: Repository, world: World) -> None:
    shared.remember("Commit style")
    world.bare.rename(world.place / "elsewhere")
    shared.ok("push", "--if-ahead")
    (world.place / "elsewhere").rename(world.bare)
    shared.ok("push", "--if-ahead")
    assert shared.ok("status", "--line").out == ""


def test_a_server_that_refuses_is_noted_with_its_reason(shared: Repository, world: World) -> None:
    world.refuse_pushes("the disk is full")
    shared.remember("Commit style")
    head = shared.head
    shared.ok("push", "--if-ahead")
    assert "the disk is full" in shared.ok("status", "--json").json["push_failed"]
    assert not shared.ok("status", "--json").json["diverged"]
    assert shared.head == head


def test_a_rejected_push_is_not_tried_again_and_the_divergence_is_noted(
    shared: Repository, world: World
) -> None:
    other = world.clone("other")
    other.remember("From elsewhere")
    other.ok("push")
    shared.ok("remember", "--title", "From here", "--summary", "Something else.", "--offline")
    head, there = shared.head, Repository(world.bare).head
    assert "the remote has moved: 1 commit here, 1 there" in shared.ok("push", "--if-ahead").out
    assert (shared.head, Repository(world.bare).head) == (head, there)
    now = shared.ok("status", "--json").json
    assert now["diverged"]
    assert now["nudge"].startswith("ai-kb: diverged (ai-kb sync); ahead 1")
    assert "the remote has diverged: 1 here, 1 there" in shared.run("doctor").out
    assert shared.run("push").status == 13


def test_a_damaged_state_file_remembers_nothing(shared: Repository, world: World) -> None:
    world.bare.rename(world.place / "elsewhere")
    shared.remember("Commit style")
    shared.ok("push", "--if-ahead")
    stored = next((world.place / ".local" / "state" / "ai-kb").glob("kb-*.json"))
    for text in ("", "[1]", '{"push_failure": 7}', "\x00\xff"):
        stored.write_text(text)
        assert shared.ok("status", "--json").json["push_failed"] == ""


def test_a_password_in_an_address_is_not_shown(shared: Repository) -> None:
    shared.git("remote", "set-url", "origin", "https://ada:s3cret@127.0.0.1:9/kb.git")
    shared.remember("Commit style")
    ran = shared.ok("push", "--if-ahead")
    assert "s3cret" not in ran.out + ran.err + shared.ok("status", "--json").out


def test_a_sync_follows_the_remote(shared: Repository, world: World) -> None:
    other = world.clone("other")
    id = other.remember("From elsewhere")
    other.ok("push")
    done = shared.ok("sync", "--json").json
    assert (done["followed"], done["behind"], done["memory"]) == (1, 0, False)
    assert id in shared.ok("show", id).out
    assert shared.ok("sync").out == "up to date\n"
    world.bare.rename(world.place / "elsewhere")
    assert not shared.ok("sync", "--json").json["reached"]


def test_a_sync_does_not_touch_unfinished_work(shared: Repository, world: World) -> None:
    """It keeps from following only where the remote has changed the same file."""
    other = world.clone("other")
    id = other.remember("From elsewhere")
    other.ok("push")
    path = shared.root / "README.org"
    path.write_text("half a thought")
    staged = shared.root / "staged.org"
    staged.write_text("another")
    shared.git("add", "staged.org")
    assert shared.ok("sync", "--json").json["followed"] == 1
    assert "From elsewhere" in shared.text(id)
    assert shared.changes == "M README.org\nA  staged.org"
    node = shared.node(id)
    node.write_text(node.read_text() + "\nA half sentence\n")
    other.ok("remember", "--update", id, "--append", "--body", "More.")
    other.ok("push")
    ran = shared.ok("sync", "--json").json
    assert (ran["behind"], ran["followed"]) == (1, 0)
    assert f"what is not committed keeps from following it: {node.name}" in ran["message"]
    assert "A half sentence" in node.read_text()
    assert path.read_text() == "half a thought"


def test_the_timer_is_sound(world: World, kb: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = kb.run("init", "--timer", "--offline", "--json")
    files = [Path(path) for path in ran.json["timer"]["files"]]
    assert [path.suffix for path in files] == [".service", ".timer"]
    assert files[0].stem == files[1].stem
    assert "OnUnitInactiveSec=15min" in files[1].read_text()
    assert f"Unit={files[0].name}" in files[1].read_text()
    assert f"--kb {kb.root} sync --background" in files[0].read_text()
    assert ran.json["timer"]["enabled"] or "systemctl --user enable --now" in ran.json["timer"]["hint"]
    if not shutil.which("systemd-analyze"):
        pytest.skip("NOT TESTED by systemd: systemd-analyze is not installed")
    words = ["systemd-analyze", "--user", "--recursive-errors=yes", "verify", *files]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    unavailable = "Failed to initialize manager" in done.stderr or "No medium found" in done.stderr
    assert done.returncode == 0 or unavailable, done.stderr
    assert files[0].name not in done.stderr


def test_the_launch_agent_is_sound(kb: Repository, world: World) -> None:
    made = install_job(timer.job_of(Kb(kb.root, {}, world.place)), platform="darwin")
    path = Path(made.files[0])
    assert path.parent == world.place / "Library" / "LaunchAgents"
    told = plistlib.loads(path.read_bytes())
    assert told["Label"] == path.stem
    assert told["StartInterval"] == 900
    assert told["ProgramArguments"][-4:] == ["--kb", str(kb.root), "sync", "--background"]


def test_two_knowledge_bases_have_two_timers(world: World, kb: Repository) -> None:
    names = {timer.name_of(Kb(root, {}, world.place)) for root in (kb.root, world.place / "b")}
    assert len(names) == 2
    assert timer.name_of(Kb(world.place / ".local/share/ai-kb", {}, world.place)) == "ai-kb-push"


def test_a_path_with_blanks_is_quoted_for_systemd(world: World) -> None:
    kb = world.made("my kb 100%")
    kb.run("init", "--timer", "--offline")
    unit = next((world.place / ".config" / "systemd" / "user").glob("*.service")).read_text()
    assert f'--kb "{world.place}/my kb 100%%" sync' in unit


def test_a_branch_that_is_gone_on_the_server_is_pushed_again(shared: Repository, world: World) -> None:
    Repository(world.bare).git("update-ref", "-d", "refs/heads/main")
    shared.remember("Commit style")
    assert shared.ok("status", "--json").json["ahead"] == 2
    shared.ok("push", "--if-ahead")
    assert Repository(world.bare).head == shared.head


def test_a_timer_that_does_not_run_is_warned_of(
    shared: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd is not here: a script answers in its place."""
    program = world.place / "bin" / "systemctl"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    answers = {
        "echo inactive": "the timer that syncs does not run",
        "echo active": "",
        "echo Failed to connect to bus >&2; exit 1": (
            "whether the timer runs could not be asked: Failed to connect to bus"
        ),
    }
    for answer, said in answers.items():
        program.write_text(f"#!/bin/sh\n{answer}\n")
        program.chmod(0o755)
        shared.ok("init", "--timer", "--offline")
        assert warning_of_timer(shared) == said
    unit = next((world.place / ".config" / "systemd" / "user").glob("*.service"))
    unit.write_text(unit.read_text().replace("sync --background", "push --if-ahead"))
    assert warning_of_timer(shared) == "the timer is an old one, which never fetches"


def warning_of_timer(kb: Repository) -> str:
    checks = kb.ok("doctor", "--offline", "--json").json["checks"]
    return next((each["message"] for each in checks if each["name"] == "timer"), "")
