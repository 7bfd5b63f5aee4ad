"""Two machines wrote at the same time: what both know is there afterwards, and a person decides the rest."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys

import pytest

from tests.kb.repositories import Repository, World


@pytest.fixture
def other(shared: Repository, world: World) -> Repository:
    return world.clone("other")


def test_commits_made_here_come_after_the_remotes(
    shared: Repository, other: Repository, world: World
) -> None:
    there = other.remember("From elsewhere")
    other.ok("push")
    here = [
        shared.ok("remember", "--title", title, "--summary", f"{title} is told.", "--offline", "--json").json[
            "id"
        ]
        for title in ("First matter", "Another topic")
    ]
    ran = shared.ok("resolve-divergence", "--yes", "--json").json
    assert (ran["outcome"], ran["contested"]) == ("rebased", [])
    assert shared.git("rev-list", "--merges", "HEAD") == ""
    assert {"Remember First matter", "Remember Another topic"} <= set(shared.subjects("origin/main..HEAD"))
    index = (shared.root / "index.org").read_text()
    assert all(id in index for id in (there, *here))
    assert shared.changes == ""
    assert shared.ok("lint").out == "sound\n"
    shared.ok("push")
    assert Repository(world.bare).head == shared.head
    assert shared.ok("status", "--line").out == ""


def test_changes_of_different_parts_of_a_node_are_joined(shared: Repository, other: Repository) -> None:
    paragraphs = "First.\n\nIn between.\n\nStill between.\n\nLast.\n"
    id = shared.remember("Commit style", "Short subjects.", body=paragraphs)
    shared.ok("push")
    other.ok("sync")
    for repository, word, day in ((shared, "First.", "2026-06-01"), (other, "Last.", "2026-06-02")):
        path = repository.node(id)
        text = path.read_text().replace(word, word.upper())
        path.write_text(text.replace(text[text.index(":UPDATED:") :][:20], f":UPDATED: {day}"))
        repository.ok("commit", "--offline")
    other.ok("push")
    ran = shared.ok("resolve-divergence", "--yes", "--json").json
    assert ran["contested"] == []
    text = shared.text(id)
    assert "FIRST." in text
    assert "LAST." in text
    assert ":UPDATED: 2026-06-02\n" in text
    assert shared.ok("lint").out.endswith("sound\n")


def test_a_node_in_conflict_becomes_contested_and_both_versions_stay(
    shared: Repository, other: Repository
) -> None:
    id = shared.remember("Release day", "Releases happen on Tuesdays.")
    shared.ok("push")
    other.ok("sync")
    other.ok("remember", "--update", id, "--body", "On Wednesdays, says the other.")
    other.ok("push")
    shared.ok("remember", "--update", id, "--body", "On Thursdays, says this one.", "--offline")
    ran = shared.ok("resolve-divergence", "--yes", "--json").json
    assert ran["outcome"] == "merged"
    assert ran["contested"] == ["Release day"]
    assert "On Wednesdays" in shared.text(id)
    assert ":STATUS: contested\n" in shared.text(id)
    version = shared.ok("query", "thursdays", "--json").json["results"][0]
    assert version["status"] == "contested"
    assert version["title"] == "Release day (other version)"
    assert f"CONTRADICTS [[id:{id}]" in shared.text(version["id"])
    assert f"CONTRADICTS [[id:{version['id']}]" in shared.text(id)
    assert shared.ok("lint").out == "sound\n"
    assert shared.changes == ""
    shared.ok("push")
    other.ok("sync")
    assert other.head == shared.head
    shared.ok("resolve", version["id"], "--yes")


def test_what_one_side_removed_and_the_other_changed_stays(shared: Repository, other: Repository) -> None:
    id = shared.remember("Release day", "Releases happen on Tuesdays.")
    shared.ok("push")
    other.ok("sync")
    other.ok("remember", "--update", id, "--append", "--body", "Really.")
    other.ok("push")
    shared.ok("delete", id, "--yes", "--offline")
    shared.ok("resolve-divergence", "--yes")
    assert "Really." in shared.text(id)
    assert shared.ok("lint").out == "sound\n"


def test_captures_of_both_sides_are_kept(shared: Repository, other: Repository) -> None:
    paths = {
        repository.ok(
            "capture", "https://example.org", "--title", title, "--excerpt", title, "--offline"
        ).out.strip()
        for repository, title in ((shared, "Here"), (other, "There"))
    }
    other.ok("push")
    shared.ok("resolve-divergence", "--yes")
    assert all((shared.root / path).is_file() for path in paths)


def test_nothing_to_resolve(shared: Repository, other: Repository) -> None:
    assert shared.ok("resolve-divergence").out == "nothing to resolve\n"
    other.remember("From elsewhere")
    other.ok("push")
    assert shared.ok("resolve-divergence").out == "followed the remote by 1 commit\n"


def test_it_is_for_a_person(shared: Repository, other: Repository) -> None:
    other.remember("From elsewhere")
    other.ok("push")
    shared.ok("remember", "--title", "Here", "--summary", "Something.", "--offline")
    before = shared.now()
    ran = shared.run("resolve-divergence")
    assert ran.status == 2
    assert "on the remote, not here (1):\n  Remember From elsewhere\n" in ran.out
    shared.untouched(before)


@pytest.mark.parametrize("command", [("sync",), ("resolve-divergence", "--yes")])
def test_unfinished_work_is_not_touched(
    shared: Repository, other: Repository, command: tuple[str, ...]
) -> None:
    """It stands in the way only where the remote has changed the same file."""
    other.remember("From elsewhere")
    other.ok("push")
    shared.ok("remember", "--title", "Here", "--summary", "Something.", "--offline")
    readme = shared.root / "README.org"
    readme.write_text("half a thought")
    (shared.root / "new.org").write_text("and another")
    shared.git("add", "new.org")
    shared.ok(*command)
    assert shared.git("rev-list", "--count", "HEAD..@{upstream}") == "0"
    assert shared.changes == "M README.org\nA  new.org"
    there = other.root / "README.org"
    there.write_text(there.read_text() + "\nMore.\n")
    other.ok("sync")
    other.ok("commit", "README.org")
    other.ok("push")
    shared.git("commit", "--quiet", "--allow-empty", "--only", "-m", "Another")
    head = shared.head
    ran = shared.run(*command)
    assert "where the remote has others: README.org" in ran.out + ran.err
    assert (shared.head, readme.read_text()) == (head, "half a thought")


def test_a_sync_goes_both_ways(shared: Repository, other: Repository, world: World) -> None:
    """Where no node conflicts, nobody is asked: commits made here come after the remote's."""
    id = shared.remember("Groceries", "What to buy.", body="- tea\n- milk\n")
    shared.ok("sync")
    other.ok("sync", "--background")
    there = other.remember("From elsewhere")
    other.ok("remember", "--update", id, "--append", "--body", "- bread")
    other.ok("sync")
    shared.ok("remember", "--update", id, "--append", "--body", "- honey", "--offline")
    ran = shared.ok("sync", "--json").json
    assert (ran["joined"], ran["followed"], ran["pushed"], ran["ahead"], ran["behind"]) == (
        "merged",
        2,
        2,
        0,
        0,
    )
    assert Repository(world.bare).head == shared.head
    assert {"- bread", "- honey"} <= set(shared.text(id).splitlines())
    assert there in (shared.root / "index.org").read_text()
    other.ok("remember", "--title", "Another", "--summary", "Quite another.", "--offline")
    assert other.ok("sync", "--json").json["joined"] == "rebased"
    for each in (shared, other):
        each.ok("sync")
        assert each.changes == ""
        assert each.ok("lint").out == "sound\n"
    assert shared.head == other.head


def test_a_sync_leaves_what_clashes_to_a_person(shared: Repository, other: Repository) -> None:
    id = shared.remember("Release day", "Releases happen on Tuesdays.")
    shared.ok("sync")
    other.ok("sync")
    other.ok("remember", "--update", id, "--summary", "Releases happen on Wednesdays.")
    other.ok("sync")
    shared.ok("remember", "--update", id, "--summary", "Releases happen on Thursdays.", "--offline")
    before = shared.now()
    ran = shared.ok("sync", "--json").json
    assert (ran["joined"], ran["ahead"], ran["behind"]) == ("clash", 1, 1)
    assert "both sides have changed Release day; `ai-kb resolve-divergence` keeps both" in ran["message"]
    shared.untouched(before)
    assert shared.ok("status", "--json").json["diverged"]
    shared.ok("resolve-divergence", "--yes")
    shared.ok("sync")
    other.ok("sync")
    assert other.head == shared.head


def test_a_timer_on_a_machine_that_only_reads_catches_up(
    shared: Repository, other: Repository, world: World
) -> None:
    id = shared.remember("Release day", "Releases happen on Tuesdays.")
    shared.ok("sync")
    other.ok("sync", "--background")
    assert "Tuesdays" in other.text(id)
    world.bare.rename(world.place / "elsewhere")
    assert other.ok("sync", "--background").status == 0
    assert other.ok("status", "--line").out == ""  # offline is normal
    other.ok("remember", "--title", "Here", "--summary", "Something.", "--offline")
    other.ok("sync", "--background")
    assert "ahead 1; push failed: " in other.ok("status", "--line").out
    (world.place / "elsewhere").rename(world.bare)
    other.ok("sync", "--background")
    assert other.ok("status", "--line").out == ""
    assert Repository(world.bare).head == other.head


def test_without_a_remote_or_an_answer_it_says_so(shared: Repository, world: World) -> None:
    assert world.made("alone").run("resolve-divergence", "--yes").status == 4
    world.bare.rename(world.place / "elsewhere")
    assert shared.run("resolve-divergence", "--yes").status == 4


def test_no_second_working_tree_is_left(shared: Repository, other: Repository) -> None:
    other.remember("From elsewhere")
    other.ok("push")
    shared.ok("remember", "--title", "Here", "--summary", "Something.", "--offline")
    shared.ok("resolve-divergence", "--yes")
    assert len(shared.git("worktree", "list").splitlines()) == 1
    assert shared.git("stash", "list") == ""


def test_histories_without_a_common_commit(shared: Repository, world: World) -> None:
    alone = world.made("alone")
    alone.remember("Something")
    alone.git("remote", "add", "origin", str(world.bare))
    assert alone.ok("push", "--if-ahead", "--json").json["outcome"] == "diverged"
    ran = alone.run("resolve-divergence", "--yes")
    assert ran.status == 4
    assert "no commit in common" in ran.err


def test_bytes_that_are_no_text_are_kept_from_both_sides(shared: Repository, other: Repository) -> None:
    files = {}
    for repository, data in ((shared, b"\xff\x00mine"), (other, b"\xff\x00theirs")):
        place = repository.root / "raw" / "files" / "same.bin"
        place.parent.mkdir(parents=True)
        place.write_bytes(data)
        repository.git("add", "--all")
        repository.git("commit", "-qm", "A file")
        files[repository] = data
    other.ok("push")
    shared.ok("resolve-divergence", "--yes")
    kept = {path.read_bytes() for path in (shared.root / "raw" / "files").iterdir()}
    assert kept == set(files.values())


@pytest.mark.parametrize("remover", ["here", "there"])
def test_what_one_side_removed_and_the_other_came_to_link_to_stays(
    shared: Repository, other: Repository, remover: str
) -> None:
    id = shared.remember("Release day", "Releases happen on Tuesdays.")
    shared.ok("push")
    other.ok("sync")
    removing, linking = (shared, other) if remover == "here" else (other, shared)
    removing.ok("delete", id, "--yes", "--offline")
    linking.remember("Planning", "Plans precede a release.", "--relate", f"RELATES_TO:{id}", "--offline")
    other.ok("push")
    ran = shared.ok("resolve-divergence", "--yes")
    assert "so kept: " in ran.err
    assert "Tuesdays" in shared.text(id)
    assert shared.ok("lint").out == "sound\n"
    assert shared.changes == ""
    shared.ok("push")


def test_a_remote_with_another_history_is_not_called_up_to_date(shared: Repository, world: World) -> None:
    stranger = world.made("stranger")
    stranger.git("commit", "--quiet", "--amend", "-m", "Another beginning")
    stranger.git("remote", "add", "origin", str(world.bare))
    assert "has diverged" in stranger.ok("sync").out


@pytest.mark.skipif(not shutil.which("ps"), reason="NOT TESTED: ps is missing")
def test_what_a_killed_one_left_behind_is_removed_by_the_next(
    shared: Repository, other: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    other.remember("From elsewhere")
    other.ok("push")
    shared.remember("Here", "Something else.", "--offline")
    hook = shared.root / ".git" / "hooks" / "pre-rebase"
    hook.write_text("#!/bin/sh\nkill -9 $(ps -o ppid= -p $PPID)\nexit 1\n")
    hook.chmod(0o755)
    places = world.place / "places"
    places.mkdir()
    monkeypatch.setenv("TMPDIR", str(places))
    words = [sys.executable, "-m", "quaid.cli.ai_kb", "--kb", str(shared.root), "resolve-divergence", "--yes"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert list(places.iterdir())
    hook.unlink()
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    assert list(places.iterdir()) == []
    assert len(shared.git("worktree", "list").splitlines()) == 1
    assert shared.ok("lint").out == "sound\n"
