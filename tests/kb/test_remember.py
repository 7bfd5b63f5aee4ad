"""`remember`: what is written is committed, with a fresh index, or nothing has happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kb.repositories import UUID, Repository, World

NODE = """\
:PROPERTIES:
:ID: 3f0b2a52-3c53-4b9e-9d2c-5d6d9a1f7c11
:PROJECTS: :general:
:CREATED: 2026-05-24
:UPDATED: 2026-05-24
:CREATED_BY: human
:CONFIDENCE: user-stated
:VISIBILITY: personal
:SOURCE: chat 2026-05-24
:STATUS: current
:SUMMARY: Releases happen on Tuesdays.
:END:
#+title: Release day
#+filetags: :preference:

Tuesdays, because Mondays are for planning.
"""


def test_a_node_is_written_indexed_and_committed(kb: Repository) -> None:
    done = kb.ok(
        "remember", "--title", "Commit style", "--summary", "Short subjects.", "--type", "preference",
        "--project", "general", "--tag", "git", "--source", "chat", "--json", input="Fifty characters.\n",
    ).json  # fmt: skip
    text = (kb.root / done["path"]).read_text()
    assert text.startswith(f":PROPERTIES:\n:ID: {done['id']}\n:PROJECTS: :general:\n")
    assert "#+title: Commit style\n#+filetags: :preference:git:\n\nFifty characters.\n" in text
    assert f"Commit style ({done['id']})" in (kb.root / "index.org").read_text()
    assert "id:" not in (kb.root / "index.org").read_text()
    assert kb.changes == ""
    assert kb.subjects()[0] == "Remember Commit style"
    assert kb.head == done["commit"]
    assert kb.ok("lint").out == "sound\n"
    assert (kb.root / done["path"]).stat().st_mode & 0o077 == 0


def test_it_never_pushes(shared: Repository, world: World) -> None:
    before = Repository(world.bare).head
    shared.remember("Commit style")
    assert Repository(world.bare).head == before
    assert shared.ok("status", "--json").json["ahead"] == 1


def test_a_remote_that_is_away_stops_nothing(shared: Repository, world: World) -> None:
    world.bare.rename(world.place / "elsewhere")
    ran = shared.ok("remember", "--title", "Offline", "--summary", "Written on a train.")
    assert "cannot be reached" in ran.err
    assert shared.subjects()[0] == "Remember Offline"


def test_a_remote_that_does_not_answer_is_waited_for_briefly_and_once(
    shared: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = world.place / "asked"
    ssh = world.place / "slow-ssh"
    ssh.write_text(f"#!/bin/sh\necho x >> {asked}\nsleep 60\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setenv("AI_KB_FETCH_TIMEOUT", "1")
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.example/kb.git")
    first = shared.ok("remember", "--title", "One", "--summary", "The first of them.")
    second = shared.ok("remember", "--title", "Two", "--summary", "Something else entirely.")
    assert "no answer within 1 seconds" in first.err
    assert "was not asked" in second.err
    assert asked.read_text() == "x\n"


def test_git_never_asks_for_a_password(
    shared: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if a program for that is set up; ssh is told to fail rather than ask."""
    words = world.place / "words"
    ssh = world.place / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" >> {words}\nexit 255\n')
    ssh.chmod(0o755)
    asking = world.place / "askpass"
    asking.write_text(f"#!/bin/sh\necho asked >> {words}\n")
    asking.chmod(0o755)
    monkeypatch.setenv("GIT_ASKPASS", str(asking))
    shared.git("config", "core.sshCommand", str(ssh))
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.example/kb.git")
    shared.remember("Commit style")
    assert "BatchMode=yes" in words.read_text()
    assert "asked" not in words.read_text()


def test_it_follows_the_remote_first(shared: Repository, world: World) -> None:
    other = world.clone("other")
    told = other.remember("From elsewhere")
    other.ok("push")
    ran = shared.ok("remember", "--title", "From here", "--summary", "A second thing.")
    assert "followed the remote by 1 commit" in ran.err
    assert shared.subjects()[:2] == ["Remember From here", "Remember From elsewhere"]
    assert told in (shared.root / "index.org").read_text()
    assert shared.git("rev-list", "--merges", "HEAD") == ""


def test_a_branch_that_has_diverged_is_still_written_to_and_it_says_so(
    shared: Repository, world: World
) -> None:
    other = world.clone("other")
    other.remember("From elsewhere")
    other.ok("push")
    shared.ok("remember", "--title", "From here", "--summary", "Written on a train.", "--offline")
    ran = shared.ok("remember", "--title", "And more", "--summary", "Written at a station.")
    assert "the branch has diverged: 2 here, 1 on the remote" in ran.err
    assert shared.subjects()[:2] == ["Remember And more", "Remember From here"]
    assert shared.ok("status", "--json").json["diverged"]


@pytest.mark.parametrize("kind", ["untracked", "modified", "staged", "deleted"])
def test_unrelated_changes_stop_it(kb: Repository, kind: str) -> None:
    id = kb.remember("Commit style")
    path = kb.node(id)
    if kind == "untracked":
        (kb.root / "draft.org").write_text("half a thought")
    elif kind == "deleted":
        path.unlink()
    else:
        path.write_text(path.read_text() + "More.\n")
    if kind == "staged":
        kb.git("add", "--all")
    before = kb.head, kb.files()
    ran = kb.run("remember", "--title", "Another", "--summary", "Something else.", "--json")
    assert ran.status == 4
    assert ran.error["paths"] == ["draft.org" if kind == "untracked" else path.name]
    assert "ai-kb commit" in ran.error["hint"]
    assert (kb.head, kb.files()) == before


def test_what_editors_leave_is_no_change(kb: Repository) -> None:
    (kb.root / ".gitignore").write_text("")
    kb.git("commit", "-qam", "No ignored files")
    os.symlink("ada@host.1234", kb.root / ".#draft.org")
    (kb.root / "old.org~").write_text("before")
    (kb.root / "#draft.org#").write_text("half")
    kb.remember("Commit style")


def test_an_index_that_somebody_regenerated_is_no_obstacle(shared: Repository, world: World) -> None:
    other = world.clone("other")
    other.remember("From elsewhere")
    other.ok("push")
    (shared.root / "index.org").write_text("edited by hand\n")
    shared.remember("From here")
    assert shared.changes == ""
    assert shared.ok("lint", "--index").status == 0
    assert shared.subjects()[1] == "Remember From elsewhere"


def test_a_whole_node_from_standard_input_is_kept_to_the_byte(kb: Repository) -> None:
    done = kb.ok("remember", "--json", input=NODE).json
    assert (kb.root / done["path"]).read_text() == NODE
    assert done["id"] == "3f0b2a52-3c53-4b9e-9d2c-5d6d9a1f7c11"


def test_a_node_without_an_id_gets_one(kb: Repository) -> None:
    done = kb.ok(
        "remember", "--json", input=NODE.replace(":ID: 3f0b2a52-3c53-4b9e-9d2c-5d6d9a1f7c11\n", "")
    ).json
    assert UUID.fullmatch(done["id"])
    assert (kb.root / done["path"]).read_text().startswith(f":PROPERTIES:\n:ID: {done['id']}\n:PROJECTS:")


BROKEN = {
    "no end of the drawer": NODE.replace(":END:\n", ""),
    "a line in the drawer that is no property": NODE.replace(":STATUS: current", "STATUS current"),
    "an ID that is none": NODE.replace("3f0b2a52-3c53-4b9e-9d2c-5d6d9a1f7c11", "seven"),
    "an unknown status": NODE.replace("current", "fresh"),
    "no summary": NODE.replace(":SUMMARY: Releases happen on Tuesdays.\n", ""),
    "no title": NODE.replace("#+title: Release day\n", ""),
    "an open block": NODE + "\n#+begin_src sh\nmake\n",
    "conflict markers": NODE + "\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
    "a link to nowhere": NODE + "\n[[id:00000000-0000-4000-8000-000000000000][Gone]]\n",
    "a project that is no slug": NODE.replace(":general:", ":My Project:"),
    "a secret": NODE + "\nexport AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzV3x9kQpLmTr\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_the_check_refuses_leaves_no_trace(kb: Repository, text: str) -> None:
    kb.remember("Something that was there")
    before = kb.now()
    ran = kb.run("remember", "--json", input=text)
    assert ran.status == 11, ran.err
    assert ran.error["code"] == "lint"
    first = ran.error["findings"][0]
    assert first["path"].endswith(".org")
    assert first["severity"] == "fatal"
    assert "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzV3x9kQpLmTr" not in ran.err
    kb.untouched(before)


def test_findings_are_shown_with_file_and_line(kb: Repository) -> None:
    ran = kb.run("remember", input=BROKEN["a link to nowhere"])
    assert ran.status == 11
    assert "release-day.org:18: no node has the id" in ran.err


def test_a_style_warning_does_not_block(kb: Repository) -> None:
    ran = kb.run("remember", "--json", input=NODE.replace("#+filetags: :preference:\n", ""))
    assert ran.status == 0
    assert [each["severity"] for each in ran.json["findings"]] == ["warning"]


def test_one_bad_old_node_does_not_block_every_write(kb: Repository) -> None:
    (kb.root / "old.org").write_text(BROKEN["no summary"].replace("3f0b", "4f0b").replace("Release", "Old"))
    kb.git("add", "--all")
    kb.git("commit", "-qm", "By hand")
    ran = kb.run("remember", "--title", "Something new", "--summary", "A fine thing.")
    assert ran.status == 0
    assert "old.org" in ran.err
    assert kb.run("lint").status == 11


def test_a_bad_node_blocks_a_write_that_touches_it(kb: Repository) -> None:
    kb.ok("remember", input=NODE)
    ran = kb.run("remember", "--json", input=NODE.replace("Release day", "Another day"))
    assert ran.status == 4
    assert ran.error["similar"][0]["title"] == "Release day"


@pytest.mark.parametrize(
    ("title", "summary", "kind"),
    [
        ("Release day!", "Something else", "duplicate"),
        ("Day of release", "Releases happen on Tuesdays", "duplicate"),
        ("Release day", "Releases never happen on Tuesdays.", "contradiction"),
    ],
)
def test_what_repeats_or_contradicts_a_node_is_not_written_silently(
    kb: Repository, title: str, summary: str, kind: str
) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    before = kb.now()
    ran = kb.run("remember", "--title", title, "--summary", summary, "--json")
    assert ran.status == 4
    similar = ran.error["similar"][0]
    assert [similar[name] for name in ("id", "title", "path", "kind")] == [
        id, "Release day", kb.node(id).name, kind,
    ]  # fmt: skip
    assert all(way in ran.error["hint"] for way in (f"--update {id}", f"--contest {id}", "--force-new"))
    kb.untouched(before)


def test_other_things_are_not_held_to_be_the_same(kb: Repository) -> None:
    kb.ok("remember", input=NODE)
    kb.remember("Release notes", "Notes are written by whoever merged last.")
    kb.remember("Planning day", "Plans are made on Mondays.")


def test_a_contest_marks_both_and_links_them(kb: Repository) -> None:
    old = kb.ok("remember", "--json", input=NODE).json["id"]
    new = kb.remember("Release day is Friday", "Releases never happen on Tuesdays.", "--contest", old)
    for one, other, title in ((old, new, "Release day is Friday"), (new, old, "Release day")):
        assert ":STATUS: contested\n" in kb.text(one)
        assert kb.text(one).endswith(f"\n\nCONTRADICTS [[id:{other}][{title}]]\n")
    index = (kb.root / "index.org").read_text()
    assert "Contested" in index
    assert kb.subjects()[0] == "Contest Release day is Friday"
    assert kb.changes == ""


def test_two_nodes_much_alike_can_be_kept_on_purpose(kb: Repository) -> None:
    kb.ok("remember", input=NODE)
    kb.remember("Release day", "Releases happen on Tuesdays.", "--force-new")
    assert kb.ok("status", "--json").json["nodes"] == 2


def test_an_update_changes_what_is_given_and_no_other_byte(kb: Repository) -> None:
    text = NODE.replace(":STATUS: current", ":STATUS:   current ; current | contested").replace(
        "Mondays are", "Mondays \u2014 are"
    )
    id = kb.ok("remember", "--json", input=text).json["id"]
    done = kb.ok("remember", "--update", id[:8], "--summary", "Releases happen on Wednesdays.", "--json").json
    today = kb.ok("show", id, "--json").json["properties"]["UPDATED"]
    assert done["action"] == "updated"
    assert kb.text(id) == text.replace("happen on Tuesdays", "happen on Wednesdays").replace(
        ":UPDATED: 2026-05-24", f":UPDATED: {today}"
    )
    assert today > "2026-05-24"
    assert kb.subjects()[0] == "Update Release day"


def test_an_update_replaces_or_extends_the_body(kb: Repository) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    kb.ok("remember", "--update", id, "--append", input="Never on holidays.\n")
    assert kb.text(id).endswith("planning.\n\nNever on holidays.\n")
    kb.ok("remember", "--update", id, "--title", "Day of release", "--tag", "ship", "--body", "Whenever.")
    assert kb.text(id).endswith("#+title: Day of release\n#+filetags: :preference:ship:\n\nWhenever.\n")


def test_an_update_that_changes_nothing_makes_no_commit(kb: Repository) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    before = kb.now()
    assert kb.ok("remember", "--update", id, "--type", "preference", "--json").json["action"] == "unchanged"
    kb.untouched(before)


def test_an_update_of_what_has_changed_since_it_was_read_is_refused(kb: Repository) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    seen = kb.ok("show", id, "--json").json["etag"]
    kb.ok("remember", "--update", id, "--expect", seen, "--append", "--body", "First.")
    ran = kb.run("remember", "--update", id, "--expect", seen, "--append", "--body", "Second.", "--json")
    assert ran.status == 4
    assert ran.error["current_etag"] == kb.ok("show", id, "--json").json["etag"]
    assert "Second" not in kb.text(id)


def test_relations_become_labelled_links(kb: Repository) -> None:
    one = kb.remember("Commit style")
    two = kb.remember("Subject lines", "Of fifty characters.", "--relate", "derived-from:Commit style")
    assert kb.text(two).endswith(f"\nDERIVED_FROM [[id:{one}][Commit style]]\n")
    assert kb.ok("backlinks", one, "--json").json["backlinks"][0]["label"] == "DERIVED_FROM"
    ran = kb.run("remember", "--title", "X", "--summary", "Y z.", "--relate", "LIKES:Commit style")
    assert ran.status == 2
    assert kb.run("remember", "--title", "X", "--summary", "Y z.", "--relate", "RELATES_TO:none").status == 2


def test_who_writes_must_be_known(kb: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AI_KB_CREATED_BY")
    before = kb.now()
    assert kb.run("remember", "--title", "X", "--summary", "Y z.").status == 2
    kb.untouched(before)
    monkeypatch.setenv("CLAUDECODE", "1")
    told = kb.ok("show", kb.remember("X", "Y z."), "--json").json["properties"]
    assert (told["CREATED_BY"], told["CONFIDENCE"]) == ("claude-code", "inferred")


@pytest.mark.parametrize(
    ("words", "input"),
    [
        (["--title", "X"], ""),
        (["--title", "X", "--summary", "Y"], b"\xff\xfe\x00"),
        (["--title", "X", "--summary", "Y"], "a\0b"),
        (["--title", "X", "--summary", "Y", "--append"], "a"),
        (["--title", "X", "--summary", "Y", "--type", "rumour"], "a"),
        (["--title", "X"], NODE),
        (["--title", "X", "--summary", "Y"], "x" * 1_000_001),
    ],
)
def test_bad_input_is_refused_before_anything_happens(
    kb: Repository, words: list[str], input: str | bytes
) -> None:
    before = kb.now()
    assert kb.run("remember", *words, input=input).status == 2
    kb.untouched(before)


def test_a_hook_of_the_person_is_respected(kb: Repository) -> None:
    hook = kb.root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho 'not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    before = kb.now()
    ran = kb.run("remember", "--title", "X", "--summary", "Y z.", "--json")
    assert ran.status == 13
    assert "not today" in ran.error["message"]
    kb.untouched(before)


def test_a_commit_that_cannot_be_signed_is_made_unsigned_and_it_says_so(kb: Repository) -> None:
    kb.git("config", "commit.gpgsign", "true")
    kb.git("config", "gpg.program", "/bin/false")
    ran = kb.ok("remember", "--title", "X", "--summary", "Y z.")
    assert "could not be signed" in ran.err
    assert kb.subjects()[0] == "Remember X"


def test_a_person_whom_git_does_not_know_can_write(kb: Repository, world: World) -> None:
    (world.place / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    kb.remember("Commit style")
    assert kb.git("log", "-1", "--format=%an <%ae>") == "ai-kb <ai-kb@localhost>"


def test_a_merge_under_way_is_not_disturbed(shared: Repository, world: World) -> None:
    (shared.root / ".git" / "MERGE_HEAD").write_text(shared.head + "\n")
    assert shared.run("remember", "--title", "X", "--summary", "Y z.").status == 4
    (shared.root / ".git" / "MERGE_HEAD").unlink()
    shared.git("checkout", "-q", "--detach")
    ran = shared.run("remember", "--title", "X", "--summary", "Y z.")
    assert ran.status == 4
    assert "on no branch" in ran.err


def test_a_directory_that_is_no_knowledge_base_is_not_written_to(world: World) -> None:
    place = world.place / "code"
    place.mkdir()
    subprocess.run(["git", "init", "-q", place], check=True)
    (place / "main.py").write_text("print()\n")
    ran = Repository(place).run("remember", "--title", "X", "--summary", "Y z.")
    assert ran.status == 6
    assert sorted(path.name for path in place.iterdir()) == [".git", "main.py"]
    assert Repository(world.place / "nowhere").run("remember", "--title", "X", "--summary", "Y").status == 6


def test_git_variables_of_a_hook_do_not_lead_elsewhere(
    kb: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from another repository's hook, it still writes to its own."""
    other = world.place / "other"
    subprocess.run(["git", "init", "-q", other], check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    kb.ok("remember", "--title", "X", "--summary", "Y z.")
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert kb.subjects()[0] == "Remember X"


def test_edits_by_hand_are_checked_and_committed(kb: Repository) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    path = kb.node(id)
    path.write_text(NODE.replace("Tuesdays.", "Thursdays."))
    ran = kb.ok("commit", str(path))
    assert path.name in ran.out
    assert kb.subjects()[0] == "Edit Release day"
    assert "Thursdays" in (kb.root / "index.org").read_text()
    assert kb.ok("commit").out == "nothing has changed\n"


def test_a_bad_edit_by_hand_stays_as_it_is_and_is_not_committed(kb: Repository) -> None:
    path = kb.node(kb.ok("remember", "--json", input=NODE).json["id"])
    before, index = kb.head, (kb.root / "index.org").read_bytes()
    path.write_text(BROKEN["no title"])
    assert kb.run("commit", path.name).status == 11
    assert path.read_text() == BROKEN["no title"]
    assert (kb.head, (kb.root / "index.org").read_bytes()) == (before, index)


def test_a_capture_is_a_stub_that_a_node_can_name(kb: Repository) -> None:
    ran = kb.ok(
        "capture", "https://example.org/a/b?c=1", "--title", "A post", input="* Not a headline\nWords.\n"
    )
    path = ran.out.strip()
    assert path.startswith("raw/")
    text = (kb.root / path).read_text()
    assert "#+source: https://example.org/a/b?c=1\n#+retrieved: 20" in text
    assert "#+begin_quote\n,* Not a headline\nWords.\n#+end_quote\n" in text
    id = kb.remember("A post says", "It says words.", "--source", path, "--confidence", "external")
    assert kb.ok("query", "post", "--json").json["results"][0]["source"] == path
    assert kb.ok("status", "--json").json["nodes"] == 1
    assert id


def test_a_file_is_kept_whole_only_on_request(kb: Repository, world: World) -> None:
    source = world.place / "paper (final).pdf"
    source.write_bytes(b"%PDF\0\1\2")
    assert kb.run("capture", str(source)).status == 2
    done = kb.ok("capture", str(source), "--full", "--json").json
    assert (kb.root / done["file"]).read_bytes() == b"%PDF\0\1\2"
    assert done["file"].startswith("raw/files/")
    assert f"#+file: {done['file']}" in (kb.root / done["path"]).read_text()


@pytest.mark.parametrize("excerpt", ["word " * 2_001, "x" * 16_385, "  \n"])
def test_an_excerpt_has_its_bounds(kb: Repository, excerpt: str) -> None:
    before = kb.now()
    assert kb.run("capture", "https://example.org", input=excerpt).status == 2
    kb.untouched(before)


def test_a_secret_in_a_capture_is_refused_and_not_shown(kb: Repository) -> None:
    before = kb.now()
    ran = kb.run("capture", "https://example.org", input="token: ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
    assert ran.status == 11
    assert "16C7e42F292c6912E7710c838347Ae178B4a" not in ran.err
    kb.untouched(before)


def test_it_writes_through_no_link(kb: Repository, world: World) -> None:
    outside = world.place / "outside"
    outside.mkdir()
    os.symlink(outside, kb.root / "raw")
    kb.git("add", "--all")
    kb.git("commit", "-qm", "A link")
    assert kb.run("capture", "https://example.org", "--excerpt", "Words.").status == 2
    assert list(outside.iterdir()) == []


def test_it_waits_for_whoever_holds_the_lock(kb: Repository) -> None:
    """flock(1), and so Emacs, takes part."""
    lock = kb.root / ".git" / "ai-kb.lock"
    script = f"echo held; sleep 0.5; touch {kb.root.parent}/let-go"
    holder = subprocess.Popen(["flock", lock, "sh", "-c", script], stdout=subprocess.PIPE)
    assert holder.stdout
    holder.stdout.readline()
    kb.remember("Commit style")
    assert (kb.root.parent / "let-go").exists()
    holder.stdout.close()
    holder.wait()


def test_it_runs_as_a_program(kb: Repository) -> None:
    words = [sys.executable, "-m", "quaid.cli.ai_kb", "--kb", str(kb.root), "status", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert '"nodes": 0' in done.stdout


def test_a_file_that_is_not_utf_8_is_not_spoilt(kb: Repository) -> None:
    path = kb.node(kb.ok("remember", "--json", input=NODE).json["id"])
    path.write_bytes(path.read_bytes() + b"caf\xe9\n")
    kb.git("commit", "-qam", "By hand")
    before = kb.now()
    ran = kb.run("remember", "--update", "Release day", "--append", "--body", "More.")
    assert ran.status == 4
    assert "not UTF-8" in ran.err
    kb.untouched(before)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_stay(kb: Repository, ending: str) -> None:
    id = kb.ok("remember", "--json", input=NODE).json["id"]
    path = kb.node(id)
    path.write_bytes(NODE.replace("\n", ending).encode())
    kb.git("commit", "-qam", "By hand", "--allow-empty")
    kb.ok("remember", "--update", id, "--append", "--summary", "Another.", "--body", "One\nTwo")
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(ending.encode())
    assert f":SUMMARY: Another.{ending}".encode() in data
    assert data.endswith(f"planning.{ending}{ending}One{ending}Two{ending}".encode())


def test_an_update_that_comes_to_contradict_another_node_says_so(kb: Repository) -> None:
    kb.remember("Indentation", "Always use tabs for indentation.")
    other = kb.remember("Columns", "Lines have up to ninety columns.")
    ran = kb.ok("remember", "--update", other, "--summary", "Never use tabs for indentation.", "--json")
    assert "it now contradicts “Indentation”" in ran.json["notices"][0]
    again = kb.ok("remember", "--update", other, "--body", "More.", "--append", "--json")
    assert "notices" not in again.json


def test_a_headline_that_others_link_to_does_not_go_unnoticed(kb: Repository) -> None:
    inner = "11111111-1111-4111-8111-111111111111"
    one = kb.remember("Long", body=f"* Part\n:PROPERTIES:\n:ID: {inner}\n:END:\nText.\n")
    kb.remember("Other", body=f"See [[id:{inner}][the part]].")
    before = kb.now()
    ran = kb.run("remember", "--update", one, "--body", "Short now.")
    assert (ran.status, "no node has the id" in ran.err) == (11, True)
    kb.untouched(before)


def test_a_secret_in_any_file_that_is_committed_is_found(kb: Repository) -> None:
    (kb.root / "deploy.env").write_text("AWS_KEY=AKIAIOSFODNN7EXAMPLQ\n")
    before = kb.head
    ran = kb.run("commit")
    assert (ran.status, kb.head) == (11, before)
    assert "deploy.env:1: looks like a secret" in ran.err
    (kb.root / "deploy.env").write_text("AWS_REGION=eu-central-1\n")
    kb.ok("commit")


@pytest.mark.parametrize("option", ["--title", "--summary", "--body", "--source"])
def test_words_in_another_encoding_are_refused(kb: Repository, option: str) -> None:
    before = kb.now()
    given = {"--title": "X", "--summary": "Y z.", "--body": "B", "--source": "chat", option: "caf\udce9"}
    ran = kb.run("remember", *(word for pair in given.items() for word in pair))
    assert ran.status == 2
    assert "UTF-8" in ran.err
    kb.untouched(before)
    words = ("https://example.org", "--title", "X", "--excerpt", "caf\udce9")
    assert kb.run("capture", *words).status == 2


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are UTF-8")
def test_a_file_whose_name_is_not_utf_8_is_committed(kb: Repository) -> None:
    (kb.root / os.fsdecode(b"caf\xe9.org")).write_text(NODE)
    kb.ok("commit")
    assert kb.changes == ""


def test_what_a_hook_leaves_running_is_not_waited_for(kb: Repository) -> None:
    hook = kb.root / ".git" / "hooks" / "post-commit"
    left = kb.root.parent / "left"
    hook.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! >> {left}\n")
    hook.chmod(0o755)
    kb.remember("Commit style")
    kb.remember("Release day")
    assert end_processes(left) == 2


def test_a_connection_that_ssh_keeps_open_is_not_waited_for(
    shared: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = world.place / "sharing-ssh"
    left = world.place / "left"
    ssh.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! >> {left}\nexec git-upload-pack {world.bare}\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.example/kb.git")
    ran = shared.ok("remember", "--title", "One", "--summary", "The first of them.")
    assert ran.err == ""
    assert end_processes(left)


def end_processes(pids: Path) -> int:
    """How many of these processes still run: they were not waited for. They are ended."""
    running = [int(pid) for pid in pids.read_text().split()]
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    return len(running)


@pytest.mark.parametrize("key", ["", "/nonexistent/key"])
def test_a_commit_that_ssh_cannot_sign_is_made_unsigned(kb: Repository, key: str) -> None:
    kb.git("config", "commit.gpgsign", "true")
    kb.git("config", "gpg.format", "ssh")
    if key:
        kb.git("config", "user.signingkey", key)
    assert "could not be signed" in kb.ok("remember", "--title", "X", "--summary", "Y z.").err


def test_a_full_disk_as_git_tells_it(kb: Repository) -> None:
    before = kb.now()
    hook = kb.root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho 'fatal: write error: No space left on device' >&2\nexit 1\n")
    hook.chmod(0o755)
    assert kb.run("remember", "--title", "X", "--summary", "Y z.").status == 10
    kb.untouched(before)
