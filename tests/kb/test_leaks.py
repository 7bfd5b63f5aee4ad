"""What a push would publish is looked through first, also what was committed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.formats.secrets import ALLOWED
from tests.kb.repositories import Repository, World

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def by_hand(kb: Repository, path: str, text: str, message: str = "by hand") -> str:
    """A commit that no check has seen."""
    place = kb.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    kb.git("add", "--all")
    kb.git("commit", "--quiet", "--no-verify", "-m", message)
    return kb.head


def refused(kb: Repository, world: World) -> str:
    """What a push says that must not happen."""
    there = Repository(world.bare).head
    done = kb.run("push")
    assert done.status == 11
    assert Repository(world.bare).head == there
    assert TOKEN not in done.out + done.err
    return done.out


def test_a_secret_that_was_committed_by_hand_is_not_pushed(shared: Repository, world: World) -> None:
    commit = by_hand(shared, "notes.txt", f"one\ntwo\nkey {TOKEN}\n")
    said = refused(shared, world)
    assert "nothing was pushed: 1 place would publish what looks like a secret" in said
    assert f"notes.txt:3 of commit {commit[:10]} looks like a secret (github-token)" in said


def test_programs_are_told_where(shared: Repository) -> None:
    commit = by_hand(shared, "notes.txt", f"{TOKEN}\n")
    done = shared.run("push", "--json")
    assert done.status == 11
    assert done.json["outcome"] == "secrets"
    assert done.json["leaks"] == [{"commit": commit, "path": "notes.txt", "line": 1, "rule": "github-token"}]


def test_what_was_removed_again_is_still_in_the_history(shared: Repository, world: World) -> None:
    by_hand(shared, "notes.txt", f"{TOKEN}\n")
    by_hand(shared, "notes.txt", "nothing\n")
    assert "notes.txt:1" in refused(shared, world)


def test_a_message_is_published_too(shared: Repository, world: World) -> None:
    by_hand(shared, "notes.txt", "nothing\n", f"use {TOKEN}")
    assert "the message of commit" in refused(shared, world)


@pytest.mark.parametrize("name", ["ä ö.txt", 'a"b\\c.txt', "-- a.txt", "deep/er/x.org"])
def test_files_of_any_name_are_looked_through(shared: Repository, world: World, name: str) -> None:
    by_hand(shared, name, f"-- x\n++ y\n@@ -1 +1 @@\n{TOKEN}\n")
    assert f"{name}:4 of commit" in refused(shared, world)


def test_lines_are_those_of_the_new_file(shared: Repository, world: World) -> None:
    by_hand(shared, "notes.txt", "".join(f"line {n}\n" for n in range(50)))
    lines = [f"line {n}" for n in range(50) if n not in (3, 4)]
    lines[40] = f"key {TOKEN}"
    by_hand(shared, "notes.txt", "\n".join(lines))
    assert "notes.txt:41 of commit" in refused(shared, world)


def test_what_a_merge_brings_in_by_hand_is_looked_through(shared: Repository, world: World) -> None:
    shared.git("switch", "--quiet", "-c", "side")
    by_hand(shared, "notes.txt", "side\n")
    shared.git("switch", "--quiet", "main")
    by_hand(shared, "other.txt", "main\n")
    shared.git("merge", "--quiet", "--no-commit", "side")
    by_hand(shared, "notes.txt", f"merged\n{TOKEN}\n", "merge")
    assert "notes.txt:2 of commit" in refused(shared, world)


def test_what_is_published_already_does_not_hold_anything_up(shared: Repository) -> None:
    by_hand(shared, "notes.txt", f"{TOKEN}\n")
    shared.git("push", "--quiet", "origin", "HEAD")
    by_hand(shared, "notes.txt", f"{TOKEN}\nand more\n")
    assert shared.ok("push").out == "pushed 1 commit to origin\n"


def test_a_comment_lets_it_pass_also_when_it_is_added_later(shared: Repository) -> None:
    by_hand(shared, "notes.txt", f"{TOKEN}\n")
    assert shared.run("push").status == 11
    by_hand(shared, "notes.txt", f"{TOKEN} # {ALLOWED[0]}\n")
    assert shared.ok("push").out == "pushed 2 commits to origin\n"
    assert shared.ok("status", "--line").out == ""


def test_the_first_push_is_looked_through_too(kb: Repository, world: World, tmp_path: Path) -> None:
    kb.git("init", "--quiet", "--bare", str(tmp_path / "new.git"))
    kb.git("remote", "add", "origin", str(tmp_path / "new.git"))
    by_hand(kb, "notes.txt", f"{TOKEN}\n")
    assert kb.run("push").status == 11
    kb.git("reset", "--quiet", "--hard", "HEAD~1")
    kb.ok("push")
    assert kb.git("rev-parse", "--abbrev-ref", "@{upstream}") == "origin/main"


def test_a_timer_pushes_no_secret_and_the_person_is_told(shared: Repository, world: World) -> None:
    by_hand(shared, "notes.txt", f"{TOKEN}\n")
    there = Repository(world.bare).head
    assert "nothing was pushed" in shared.ok("push", "--if-ahead").out
    assert Repository(world.bare).head == there
    now = shared.ok("status", "--json").json
    assert "looks like a secret; `ai-kb push` says where" in now["push_failed"]
    assert "looks like a secret" in now["nudge"]


def test_a_picture_is_no_text(shared: Repository) -> None:
    (shared.root / "picture.png").write_bytes(b"\x89PNG\0" + TOKEN.encode())
    by_hand(shared, "notes.txt", "nothing\n")
    shared.ok("push")
