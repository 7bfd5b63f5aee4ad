"""Who may overrule whom: a person's word is replaced by the person alone, and everybody else contests it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from quaid.kb.writer import Writer, writer_of
from tests.kb.repositories import Repository
from tests.support import PATIENCE

BLACK = "Python is formatted with black, line length 88."
RUFF = "Python is formatted with ruff."
BODY = "We tried yapf in 2021.\nIt was slow."


@pytest.fixture
def stated(kb: Repository) -> str:
    """The ID of a node that the person has written."""
    return kb.remember("Formatter", BLACK, "--type", "preference", body=BODY)


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on an agent writes."""
    monkeypatch.setenv("AI_KB_CREATED_BY", "claude-code")


def facts(kb: Repository, id: str) -> dict[str, Any]:
    shown: dict[str, Any] = kb.ok("show", id, "--json").json
    return shown


@pytest.mark.parametrize(
    "change",
    [
        ["--summary", RUFF],
        ["--title", "Formatter of Python", "--summary", RUFF, "--body", "Faster."],
        ["--body", "Use ruff."],
        ["--summary", RUFF, "--confidence", "user-stated"],
    ],
)
def test_an_update_of_a_persons_node_by_an_agent_becomes_a_contest(
    kb: Repository, stated: str, monkeypatch: pytest.MonkeyPatch, change: list[str]
) -> None:
    before = kb.text(stated)
    monkeypatch.setenv("AI_KB_CREATED_BY", "claude-code")
    done = kb.ok("remember", "--update", stated, *change, "--json").json
    assert done["action"] == "contested"
    old, new = facts(kb, stated), facts(kb, done["id"])
    assert done["id"] != stated
    assert old["properties"]["SUMMARY"] == BLACK
    assert BODY in kb.text(stated)
    assert kb.text(stated).startswith(before[: before.index(":UPDATED:")])
    kept = ("CREATED_BY", "CONFIDENCE", "STATUS")
    assert [old["properties"][name] for name in kept] == ["human", "user-stated", "contested"]
    assert new["properties"]["CREATED_BY"] == "claude-code"
    assert new["properties"]["STATUS"] == "contested"
    assert f"CONTRADICTS [[id:{stated}]" in kb.text(done["id"])
    assert f"CONTRADICTS [[id:{done['id']}]" in kb.text(stated)


def test_a_contest_quotes_both_sides_and_says_who_decides(kb: Repository, stated: str, agent: None) -> None:
    ran = kb.ok("remember", "--update", stated, "--summary", RUFF)
    assert f"“{BLACK}" in ran.out
    assert "(human, user-stated)" in ran.out
    assert f"“{RUFF}" in ran.out
    assert "(claude-code, inferred)" in ran.out
    assert "The person decides" in ran.out


def test_a_contest_that_is_repeated_makes_no_second_node(kb: Repository, stated: str, agent: None) -> None:
    first = kb.ok("remember", "--update", stated, "--summary", RUFF, "--json").json
    head = kb.head
    again = kb.ok("remember", "--update", stated, "--summary", RUFF, "--json").json
    assert (again["action"], again["id"]) == ("unchanged", first["id"])
    assert kb.head == head


def test_the_person_decides_a_contest(
    kb: Repository, stated: str, monkeypatch: pytest.MonkeyPatch, agent: None
) -> None:
    new = kb.ok("remember", "--update", stated, "--summary", RUFF, "--json").json["id"]
    monkeypatch.setenv("AI_KB_CREATED_BY", "human")
    kb.ok("resolve", new, "--yes")
    assert facts(kb, new)["properties"]["STATUS"] == "current"
    assert facts(kb, stated)["properties"]["STATUS"] == "superseded"
    assert BODY in kb.text(stated)


@pytest.mark.parametrize("change", [["--confidence", "inferred"], ["--visibility", "work-private"]])
def test_provenance_of_a_persons_node_is_not_changed_by_an_agent(
    kb: Repository, stated: str, agent: None, change: list[str]
) -> None:
    before = kb.now()
    ran = kb.run("remember", "--update", stated, *change)
    assert ran.status == 4
    assert "the person's" in ran.err
    kb.untouched(before)


def test_an_agent_may_add_to_a_persons_node(kb: Repository, stated: str, agent: None) -> None:
    other = kb.remember("Import order", "Imports are sorted by isort.")
    added = [
        "--append",
        "--body",
        "The configuration is in pyproject.toml.",
        "--relate",
        f"RELATES_TO:{other}",
    ]
    done = kb.ok("remember", "--update", stated, *added, "--json").json
    assert (done["action"], done["id"]) == ("updated", stated)
    assert BODY in kb.text(stated)
    assert facts(kb, stated)["properties"]["CREATED_BY"] == "human"


def test_the_person_changes_what_they_have_said(kb: Repository, stated: str) -> None:
    assert kb.ok("remember", "--update", stated, "--summary", RUFF, "--json").json["action"] == "updated"
    assert BODY in kb.text(stated)


def test_agents_change_what_agents_have_found_out(kb: Repository, agent: None) -> None:
    id = kb.remember("Cache size", "The cache holds 100 entries.")
    done = kb.ok("remember", "--update", id, "--summary", "The cache holds 200 entries.", "--json").json
    assert (done["action"], done["id"]) == ("updated", id)
    assert "100" not in kb.text(id).partition(":END:")[2], "a text that repeated the summary still does"


def test_a_whole_node_from_an_agent_does_not_replace_a_persons(
    kb: Repository, stated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = kb.text(stated).replace(BLACK, RUFF).replace(BODY, "Gone.")
    monkeypatch.setenv("AI_KB_CREATED_BY", "codex")
    done = kb.ok("remember", "--update", stated, "--json", input=text).json
    assert done["action"] == "contested"
    assert BLACK in kb.text(stated)
    assert facts(kb, done["id"])["properties"]["CREATED_BY"] == "codex"


def test_a_whole_node_keeps_its_creator_and_a_body_that_it_does_not_mention(
    kb: Repository, agent: None
) -> None:
    id = kb.remember("Cache size", "The cache holds 100 entries.", body="Measured in May.")
    head = kb.text(id).partition("Measured")[0].replace("claude-code", "codex").replace("100", "200")
    done = kb.ok("remember", "--update", id, "--json", input=head).json
    assert facts(kb, id)["properties"]["CREATED_BY"] == "claude-code"
    assert "Measured in May." in kb.text(id)
    assert ":SUMMARY: The cache holds 200 entries." in kb.text(id)
    assert any("CREATED_BY stays claude-code" in each for each in done["notices"])


def test_what_contradicts_a_persons_node_is_not_advised_to_update_it(
    kb: Repository, stated: str, agent: None
) -> None:
    ran = kb.run("remember", "--title", "Formatting", "--summary", RUFF)
    assert ran.status == 4
    assert "contradicts “Formatter”" in ran.err
    assert f"--contest {stated}" in ran.err
    assert "--update" not in ran.err
    assert BLACK in ran.err
    assert RUFF in ran.err


def test_an_unnamed_writer_does_not_change_a_persons_node(
    kb: Repository, stated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AI_KB_CREATED_BY")
    before = kb.now()
    ran = kb.run("remember", "--update", stated, "--summary", RUFF)
    assert ran.status == 2
    assert "not known who writes" in ran.err
    kb.untouched(before)


# Who it is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "environment", "writer"),
    [
        (None, {}, Writer()),
        (None, {"AI_KB_CREATED_BY": "human"}, Writer("human", True)),
        ("human", {}, Writer("human", True)),
        ("codex", {"AI_KB_CREATED_BY": "human"}, Writer("codex")),
        (None, {"CLAUDECODE": "1"}, Writer("claude-code")),
        (None, {"CLAUDECODE": "1", "AI_KB_CREATED_BY": "human"}, Writer("claude-code")),
        ("human", {"CLAUDECODE": "1"}, Writer("human")),
        (None, {"CURSOR_AGENT": "1", "AI_KB_CREATED_BY": "human"}, Writer()),
    ],
)
def test_who_writes(stated: str | None, environment: dict[str, str], writer: Writer) -> None:
    assert writer_of(stated, environment) == writer


@pytest.mark.parametrize(("answer", "status", "creator"), [("y", 0, "human"), ("n", 2, "")])
def test_a_terminal_is_no_person_until_somebody_says_so(
    kb: Repository, answer: str, status: int, creator: str
) -> None:
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "AI_KB_CREATED_BY"}
    words = ["remember", "--title", "Tea", "--summary", "Green tea in the afternoon."]
    command = [sys.executable, "-m", "quaid.cli.ai_kb", "--kb", str(kb.root), *words]
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == status
    if creator:
        assert facts(kb, "Tea")["properties"]["CREATED_BY"] == creator


# What is meant ---------------------------------------------------------------------------------------


def test_a_part_of_a_title_names_nothing_that_is_changed(kb: Repository) -> None:
    id = kb.remember("Friday deploys", "We never deploy on Fridays.")
    before = kb.now()
    for words in (
        ["delete", "ploy", "--yes"],
        ["remember", "--update", "Friday", "--summary", "Other."],
        ["supersede", "deploys", "Friday", "--yes"],
        ["contest", "ploy", "riday", "--yes"],
    ):
        ran = kb.run(*words)
        assert ran.status == 3, words
        assert f"Did you mean “Friday deploys” ({id})" in ran.err
    kb.untouched(before)
    assert kb.ok("show", "ploy").out
    assert "Did you mean “Friday deploys”" in kb.run("delete", "Fryday deploys", "--yes").err


@pytest.mark.parametrize(
    "name", ["Friday deploys", "friday deploys", "friday-deploys", "friday-deploys.org", ""]
)
def test_a_whole_name_is_enough(kb: Repository, name: str) -> None:
    id = kb.remember("Friday deploys", "We never deploy on Fridays.")
    kb.ok("delete", name or id[:8], "--yes")
    assert kb.run("show", id).status == 3
