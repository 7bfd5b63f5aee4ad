"""Every write to a node passes one gate, whichever command and whichever memory it comes from."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App, Surroundings, open_app
from quaid.errors import Conflict, LintFailed
from quaid.kb.query import answer
from quaid.kb.repository import Kb
from quaid.settings import Settings
from tests.kb.nodes import text, uid, write
from tests.kb.repositories import Repository
from tests.support import call, found, memory_at, unprivileged


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The person's own memory."""
    around = Surroundings({"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, tmp_path)
    opened = App(memory_at(tmp_path / "own" / "memory.db"), Settings(), surroundings=around)
    yield opened
    opened.store.close()


@pytest.fixture
def base(app: App, kb: Repository) -> Repository:
    """A knowledge base of two nodes, the second of which links to the first, attached as kb."""
    (kb.root / "tabs.org").write_text(text(1, title="Use tabs"))
    (kb.root / "width.org").write_text(text(2, title="Line width", body=f"See [[id:{uid(1)}][tabs]]."))
    kb.ok("commit", "--message", "Two nodes")
    call(app, "collection add", name="kb", folder=str(kb.root), profile="kb")
    return kb


def is_sound(kb: Repository) -> None:
    """Committed, indexed and checked."""
    assert kb.changes == ""
    assert kb.ok("index", "--check").out == "fresh\n"
    assert kb.ok("lint").out == "sound\n"
    assert not (kb.root / ".git" / "ai-kb-journal.json").exists()


WRITES: dict[str, tuple[dict[str, Any], str, str]] = {
    "tag": ({"slug": "kb::tabs", "tag": "style"}, "Tag Use tabs", "style"),
    "link": (
        {"from": "kb::tabs", "to": "kb::width", "relationship": "informs"},
        "Link Use tabs",
        "informs",
    ),
    "assert": (
        {"page": "kb::tabs", "subject": "tabs", "predicate": "are", "object": "wide"},
        "State a fact of Use tabs",
        "wide",
    ),
    "put": (
        {"slug": "kb::tabs", "content": text(1, title="Use tabs", body="Wide ones.")},
        "Write Use tabs",
        "Wide ones.",
    ),
    "timeline-add": (
        {"slug": "kb::tabs", "date": "2026-05-25", "summary": "Agreed"},
        "Add to the timeline of Use tabs",
        "Agreed",
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_page_is_changed_checked_indexed_and_committed(app: App, base: Repository, name: str) -> None:
    values, subject, said = WRITES[name]
    before = base.subjects()
    call(app, name, **values)
    assert base.subjects() == [subject, *before]
    assert said in base.git("show", "HEAD:tabs.org")
    assert f":UPDATED: {base.git('log', '-1', '--format=%as')}" in base.text(uid(1))
    is_sound(base)


def test_what_is_taken_back_is_committed_too(app: App, base: Repository) -> None:
    call(app, "tag", slug="kb::tabs", tag="style")
    call(app, "untag", slug="kb::tabs", tag="style")
    assert base.subjects()[0] == "Untag Use tabs"
    assert "style" not in base.text(uid(1))
    is_sound(base)


def test_a_new_page_is_a_node(app: App, base: Repository) -> None:
    call(app, "put", slug="kb::colour", content=text(3, title="Colours"))
    assert (base.root / "colour.org").is_file()
    assert base.subjects()[0] == "Write Colours"
    assert f"Colours ({uid(3)})" in (base.root / "index.org").read_text()
    is_sound(base)


def test_a_page_that_moves_keeps_its_links(app: App, base: Repository) -> None:
    call(app, "mv", slug="kb::tabs", to="kb::style/indent")
    assert not (base.root / "tabs.org").exists()
    assert (base.root / "style" / "indent.org").is_file()
    assert base.subjects()[0] == "Move Use tabs"
    is_sound(base)


def test_a_page_that_nothing_links_to_can_be_removed(app: App, base: Repository) -> None:
    call(app, "rm", slug="kb::width")
    assert base.subjects()[0] == "Delete Line width"
    assert not (base.root / "width.org").exists()
    assert "Line width" not in (base.root / "index.org").read_text()
    is_sound(base)
    call(app, "restore", slug="kb::width")
    assert base.subjects()[0] == "Restore Line width"
    is_sound(base)


def test_an_earlier_text_comes_back(app: App, base: Repository) -> None:
    call(app, "put", slug="kb::tabs", content=text(1, title="Use tabs", body="Wide ones."))
    call(app, "revert", slug="kb::tabs")
    assert base.subjects()[0] == "Revert Use tabs"
    assert "Wide ones." not in base.text(uid(1))
    is_sound(base)


@pytest.mark.parametrize(
    ("name", "values", "check"),
    [
        ("put", {"slug": "kb::tabs", "content": "#+title: No drawer\n"}, "drawer"),
        ("put", {"slug": "kb::other", "content": text(1, title="The same ID")}, "duplicate-id"),
        ("rm", {"slug": "kb::tabs"}, "link"),
        ("put", {"slug": "kb::key", "content": text(4, body="AKIAQYLPMN5HFIQR7XYZ")}, "secret"),
    ],
)
def test_what_the_check_refuses_leaves_everything(
    app: App, base: Repository, name: str, values: dict[str, Any], check: str
) -> None:
    before, pages = base.now(), call(app, "list", collection="kb")
    with pytest.raises(LintFailed) as refused:
        call(app, name, **values)
    assert refused.value.as_dict()["findings"][0]["check"] == check  # type: ignore[index]
    base.untouched(before)
    assert call(app, "list", collection="kb") == pages


def test_a_hook_that_refuses_leaves_everything(app: App, base: Repository) -> None:
    hook = base.root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho 'error: not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    before, page = base.now(), call(app, "get", slug="kb::tabs")
    with pytest.raises(Exception, match="not today"):
        call(app, "tag", slug="kb::tabs", tag="style")
    base.untouched(before)
    assert call(app, "get", slug="kb::tabs") == page


def test_somebodys_unfinished_work_is_not_committed(app: App, base: Repository) -> None:
    (base.root / "width.org").write_text(text(2, title="Half a thought"))
    with pytest.raises(Conflict, match="not committed"):
        call(app, "tag", slug="kb::tabs", tag="style")
    assert "style" not in (base.root / "tabs.org").read_text()


def test_a_stale_version_is_a_conflict(app: App, base: Repository) -> None:
    version = call(app, "get", slug="kb::tabs")["version"]
    base.ok("remember", "--update", uid(1), "--summary", "Always use tabs.")
    before = base.now()
    with pytest.raises(Conflict) as stale:
        call(app, "tag", slug="kb::tabs", tag="style", page_version=version)
    assert stale.value.as_dict()["current_version"] == version + 1
    base.untouched(before)


def test_both_memories_know_what_either_wrote(app: App, base: Repository) -> None:
    call(app, "put", slug="kb::tabs", content=text(1, title="Use tabs", body="Odobenus."))
    assert base.ok("query", "odobenus", "--json").json["results"][0]["id"] == uid(1)
    base.ok("remember", "--update", uid(2), "--body", "Phoca vitulina.", "--json")
    assert found(app, "vitulina") == ["width"]


def test_links_from_elsewhere_are_rewritten_through_the_gate(app: App, base: Repository) -> None:
    """A page of another collection moves: what a node says of it changes, in a commit."""
    call(app, "put", slug="colours", content="# Paint\n\nMany.\n")
    call(app, "link", **{"from": "kb::tabs", "to": "colours", "relationship": "about"})
    call(app, "mv", slug="default::colours", to="hues")
    assert "hues" in base.text(uid(1))
    assert base.subjects()[0] == "Move Use tabs"
    is_sound(base)


def test_a_memory_that_is_lost_is_made_anew(base: Repository) -> None:
    before = base.ok("query", "tabs", "--json").json
    shutil.rmtree(base.root / ".quaid")
    assert base.ok("query", "tabs", "--json").json == before
    assert (base.root / ".quaid" / "memory.db").is_file()
    assert base.git("status", "--porcelain", "--ignored=no") == ""
    shutil.rmtree(base.root / ".quaid")
    base.remember("Colours")
    is_sound(base)


def test_a_memory_that_is_damaged_says_what_to_do(base: Repository) -> None:
    database = base.root / ".quaid" / "memory.db"
    database.write_bytes(b"no database " * 1000)
    ran = base.run("query", "tabs")
    assert (ran.status, "makes it anew" in ran.err) == (6, True)
    shutil.rmtree(database.parent)
    base.ok("query", "tabs")


def test_what_may_not_be_written_can_be_asked() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # which others may enter
        place = Path(name)
        place.chmod(0o755)
        root = write(place / "kb", text(1, title="Use tabs"))
        (place / "home").mkdir()
        root.chmod(0o555)
        with unprivileged(root, place / "home"):
            assert answer(Kb(root, {}, place / "home"), "tabs").total == 1
            assert answer(Kb(root, {}, place / "home"), "tabs").total == 1
        assert not (root / ".quaid").exists()
        root.chmod(0o755)


def test_git_does_not_see_the_memory(kb: Repository) -> None:
    kb.git("rm", "-q", ".gitignore")
    kb.git("commit", "-qm", "Ignore nothing")
    kb.remember("Colours")
    kb.git("add", "--all")
    assert kb.changes == ""


def test_its_own_memory_is_a_memory(base: Repository, tmp_path: Path) -> None:
    """`quaid` in the directory of a knowledge base works on its nodes, through the same gate."""
    own = open_app(
        base.root / ".quaid" / "memory.db", Settings(), Surroundings({"PATH": os.environ["PATH"]}, tmp_path)
    )
    assert sorted(page["slug"] for page in call(own, "list")["pages"]) == ["tabs", "width"]
    call(own, "tag", slug="tabs", tag="style")
    own.store.close()
    assert base.subjects()[0] == "Tag Use tabs"
    is_sound(base)


KILLED = """
import os, signal, sys
from quaid.kb import gate
real = gate.commit_paths
def commit(git, paths, message):
    if sys.argv[1] == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(git, paths, message)
    os.kill(os.getpid(), signal.SIGKILL)
gate.commit_paths = commit
"""
OWN = "from quaid.cli.ai_kb import main\nmain(sys.argv[2:])"
PERSONS = "from quaid.cli.main import main\nmain(sys.argv[2:])"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("by", ["its own memory", "the person's memory"])
def test_killed_around_the_commit(app: App, base: Repository, when: str, by: str) -> None:
    """What git has, stays, and both memories come to know it; what it has not is undone by whoever comes."""
    database = str(app.store.path)
    words = ["--kb", str(base.root), "remember", "--update", uid(1), "--body", "Odobenus."]
    script = KILLED + OWN
    if by == "the person's memory":
        words = ["--db", database, "tag", "kb::tabs", "odobenus"]
        script = KILLED + PERSONS
    before = base.now()
    command = [sys.executable, "-c", script, when, *words]
    killed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (base.head != before[0]) is (when == "after")
    call(app, "tag", slug="kb::width", tag="wide")
    is_sound(base)
    expected = [uid(1)] if when == "after" else []
    assert [each["id"] for each in base.run("query", "odobenus", "--json").json["results"]] == expected
    assert found(app, "odobenus") == (["tabs"] if when == "after" else [])
    if when == "before":
        assert base.files()["tabs.org"] == before[1]["tabs.org"]


def test_what_a_clone_brings_along_writes_nowhere_else(base: Repository, tmp_path: Path) -> None:
    """A journal in a memory that came with somebody's repository does not lead out of it."""
    outside = tmp_path / "precious.txt"
    outside.write_text("mine")
    described = [b64encode(os.fsencode(outside)).decode(), b64encode(b"theirs").decode()]
    entry = [*described, sha256(b"mine").hexdigest()]
    journal = json.dumps({"transaction": "x", "changes": [entry]})
    before = base.head, base.files()
    for place in (base.root / ".quaid" / "memory.db.files", base.root / ".git" / "ai-kb-journal.json"):
        place.write_text(journal)
        ran = base.run("remember", "--title", "Colours", "--summary", "All about colours.", "--json")
        assert (ran.status, ran.error["code"]) == (14, "untrusted")
        assert str(place) in ran.error["message"]
        assert outside.read_text() == "mine"
        assert (base.head, base.files()) == before
        place.unlink()
    base.remember("Colours")
    is_sound(base)
