"""Who is known to have written and read, on every surface."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.cli.actor import typist
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.graph.gaps import hash_of
from quaid.model.actor import Actor, acting
from quaid.operations.caller import calling
from quaid.settings import Layer, Settings
from quaid.store import config
from tests.mcp.talking import talk
from tests.support import Clock, call, found, quaid, quick

ROBOT = Actor("agent", "Robot", "2.1", "r-1")
PERSON = Actor("human", session="shell-1")


def by(who: Actor, app: App, name: str, /, **values: Any) -> Any:
    with acting(who):
        return call(app, name, **values)


def test_sessions_with_what_was_written_in_each(app: App, clock: Clock) -> None:
    by(PERSON, app, "put", slug="people/alice", content="# Alice\n")
    clock.tick(60)
    by(ROBOT, app, "tag", slug="people/alice", tag="x")
    by(ROBOT, app, "put", slug="people/bob", content="# Bob\n")
    by(ROBOT, app, "rm", slug="people/bob")
    first, second = call(app, "activity")["sessions"]
    assert (first["by"], first["kind"], first["session"]) == ("Robot 2.1", "agent", "r-1")
    assert {each["slug"]: (each["what"], each["versions"]) for each in first["pages"]} == {
        "people/alice": (["changed"], [2]),
        "people/bob": (["created", "removed"], [1, 2]),
    }
    assert (second["by"], second["first"]) == ("human", "2026-04-14T12:00:00Z")
    only = call(app, "activity", actor="robot", since="2026-04-14T12:01:00Z", limit=1)["sessions"]
    assert [(each["by"], len(each["pages"]), each["more"]) for each in only] == [("Robot 2.1", 1, 1)]
    shown = quick("activity", "--session", "shell-1", db=app.store.path).out
    assert shown == ("human  session shell-1  2026-04-14T12:00:00Z\n  people/alice  created  version 1\n")


def test_lists_and_the_briefing_name_who_wrote_last(app: App) -> None:
    by(PERSON, app, "put", slug="a", content="# A\n")
    by(PERSON, app, "put", slug="b", content="# B\n")
    by(ROBOT, app, "tag", slug="b", tag="x")
    assert [each["slug"] for each in call(app, "list", by="human")["pages"]] == ["a"]
    (line,) = call(app, "list", by="ROBOT")["pages"]
    assert (line["slug"], line["by"]) == ("b", "Robot 2.1")
    changed = {each["slug"]: each["by"] for each in call(app, "briefing", since="1d")["pages"]}
    assert changed == {"a": "human", "b": "Robot 2.1"}
    assert "by Robot 2.1" in quick("briefing", "--since", "2026-04-14", db=app.store.path).out
    assert call(app, "diff", slug="b")["by"] == "Robot 2.1"


@pytest.mark.parametrize(
    ("environment", "kind", "name"),
    [
        ({}, "program", ""),
        ({"QUAID_ACTOR": "nightly"}, "program", "nightly"),
        ({"CLAUDECODE": "1", "QUAID_ACTOR": "human"}, "agent", "Claude Code"),
    ],
)
def test_who_uses_the_command_line(environment: dict[str, str], kind: str, name: str) -> None:
    actor = typist({**environment, "QUAID_SESSION": "s"})
    assert (actor.kind, actor.name, actor.session) == (kind, name, "s")


def test_at_a_terminal_sits_a_person(app: App, db: Path) -> None:
    script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    program = str(Path(sys.executable).with_name("quaid"))
    words = [program, "--db", str(db), "new", "person", "people/alice"]
    subprocess.run(
        [sys.executable, "-c", script, *words], check=True, capture_output=True, stdin=subprocess.DEVNULL
    )
    (session,) = call(app, "activity")["sessions"]
    assert (session["by"], bool(session["session"])) == ("human", True)


def test_an_agent_in_a_shell_and_over_mcp_have_one_session(app: App, db: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5f0c-1")
    assert quaid("put", "a", input="# A\n", db=db).status == 0
    with talk(db) as server:
        server.call("memory_put", slug="b", content="# B\n", expected_version=0)
    listed = call(app, "activity")["sessions"]
    assert {(each["by"], each["session"]) for each in listed} == {
        ("Claude Code", "5f0c-1"),
        ("test 1", "5f0c-1"),
    }
    assert call(app, "undo", session="5f0c", yes=True)["by"] == ["Claude Code", "test 1"]
    assert call(app, "list")["pages"] == []


def test_a_program_with_a_name_is_no_person(app: App) -> None:
    with calling("nightly", "run-7"):
        call(app, "put", slug="a", content="# A\n")
        call(app, "assert", subject="a", predicate="is", object="b")
    assert [each["session"] for each in call(app, "activity", actor="nightly")["sessions"]] == ["run-7"]
    assert call(app, "facts")["facts"][0]["asserted_by"] == "agent"


def test_an_import_is_by_whoever_ran_it(app: App, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.md").write_text("# A\n")
    by(ROBOT, app, "import", path=str(tmp_path / "other"))
    assert [each["by"] for each in call(app, "list", by="import")["pages"]] == ["import Robot 2.1"]
    assert call(app, "undo", session="r-1", yes=True)["by"] == ["import Robot 2.1"]


@pytest.mark.parametrize(
    "parts", [{"content": "# Other\n"}, {"compiled_truth": "x"}, {"frontmatter": {"a": 1}}]
)
def test_an_agent_replaces_what_a_person_wrote_only_if_it_has_read_it(app: App, parts: Any) -> None:
    by(PERSON, app, "put", slug="a", content="# A\n")
    with pytest.raises(Conflict, match="the person wrote version 1 of a") as refused:
        by(ROBOT, app, "put", slug="a", **parts)
    assert refused.value.data["current_version"] == 1
    by(ROBOT, app, "put", slug="a", timeline_append="- 2024-01-15 — More\n")
    by(ROBOT, app, "put", slug="a", **parts)
    by(PERSON, app, "put", slug="a", content="# A\n")
    by(ROBOT, app, "put", slug="a", **parts, expected_version=call(app, "get", slug="a")["version"])


# What was read ---------------------------------------------------------------------------------------


@pytest.fixture
def noting(app: App) -> App:
    """A memory of somebody who wants to know what is read."""
    chosen = Settings(Layer("user", "test", {"activity.reads": True, "activity.days": 2}))
    return App(app.store, chosen, app.now)


def reads(app: App) -> list[tuple[str, str, str]]:
    listed = call(app, "activity", actor="robot", reads=True)["sessions"]
    return [(each["operation"], each["slug"], each["question"]) for one in listed for each in one["reads"]]


def test_what_is_read_is_noted_where_the_person_wants_that(noting: App, clock: Clock) -> None:
    by(PERSON, noting, "put", slug="people/alice", content="# Alice\n\nA secret.\n")
    by(ROBOT, noting, "get", slug="Alice")
    by(ROBOT, noting, "search", query="The secret?")
    assert reads(noting) == [("search", "", hash_of("the secret")), ("get", "people/alice", "")]
    stored = json.dumps(list(noting.connection.execute("SELECT * FROM readings")))
    assert "secret" not in stored
    call(noting, "forget", slugs=["people/alice"], yes=True)
    assert [each[0] for each in reads(noting)] == ["search"]
    clock.tick(3 * 24 * 3600)
    by(ROBOT, noting, "stats")
    assert [each[0] for each in reads(noting)] == ["stats"]


def test_a_memory_cannot_turn_it_on(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="# A\n")
    with pytest.raises(InvalidInput, match="yours, not the memory's"):
        call(app, "config set", key="activity.reads", value="true")
    config.put(app.connection, "activity.reads", "true")
    by(ROBOT, app.reread(), "get", slug="a")
    assert list(app.connection.execute("SELECT * FROM readings")) == []


def test_otherwise_nothing_of_it_is_kept(app: App, db: Path) -> None:
    by(PERSON, app, "put", slug="a", content="# A\n")
    by(ROBOT, app, "get", slug="a")
    with pytest.raises(NotFound):
        reads(app)
    assert "is not noted" in quick("activity", "--reads", db=db).err
    assert not found(app, "nothing")
