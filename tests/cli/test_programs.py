"""`ai-kb X` and `quaid kb X` are one command: options, help, completion, answers, errors and statuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quaid import operations
from quaid.app import App
from quaid.cli.parser import COMMON
from quaid.operations.arguments import parameters
from tests.kb.conftest import kb, models, own_directories, world
from tests.kb.repositories import Repository, World, run
from tests.support import Ran, call, quick

__all__ = ["kb", "models", "own_directories", "world"]

COMMANDS = tuple(name.removeprefix("kb ") for name in operations.NAMES if name.startswith("kb "))
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def both(*words: str, input: str = "") -> tuple[Ran, Ran]:
    return run(*words, input=input), quick("kb", *words, input=input)


def as_ai_kb(text: str) -> list[str]:
    """The words of a text, whatever the program's name and the width of its lines."""
    return text.replace("quaid kb ", "ai-kb ").replace("quaid kb:", "ai-kb:").split()


def plain_error(ran: Ran) -> list[str]:
    """The words of an error, with commands as `ai-kb` names them."""
    return as_ai_kb(
        re.sub(r"\bkb (?=[a-z])", "", ran.err.replace("quaid", "ai-kb")).replace("ai-kb kb", "ai-kb")
    )


def option_words(command: str) -> list[str]:
    """Every option of a command with a value that it takes."""
    words: list[str] = []
    for each in parameters(operations.operation(f"kb {command}").arguments):
        if not each.facts.positional:
            value = "1" if each.kind == "integer" else (each.choices or ("x",))[0]
            words += [each.flag] if each.kind == "boolean" else [each.flag, value]
    return words


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_the_same_however_it_is_asked_for(command: str) -> None:
    wanted = as_ai_kb(run("help", command).out)
    assert wanted[:3] == ["usage:", "ai-kb", command]
    for ran in (
        run(command, "--help"),
        run(command, "-h"),
        run("--help", command),
        quick("help", "kb", command),
        quick("kb", "help", command),
        quick("kb", command, "--help"),
        quick("kb", "-h", command),
    ):
        assert (ran.status, as_ai_kb(ran.out)) == (0, wanted)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_help_offers_is_taken(command: str) -> None:
    words = option_words(command)
    offered = set(FLAG.findall(run(command, "--help").out.split("options:")[1].split("examples:")[0]))
    assert {word for word in words if word.startswith("--")} <= offered
    for ran in both(command, *words, "--help"):
        assert (ran.status, ran.err) == (0, "")
    for ran in both(command, "--no-such-option"):
        assert (ran.status, "has no option --no-such-option" in ran.err) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_completion_offers_what_help_does(command: str) -> None:
    ran = quick("complete", "--", "kb", command, "--")
    flags = {word for word in option_words(command) if word.startswith("--")}
    assert set(ran.out.split()) == flags | {each.flag for each in COMMON}
    assert command in quick("complete", "--", "kb", command[:3]).out.split()


def test_the_overview_is_the_same() -> None:
    wanted = as_ai_kb(run().out)
    for ran in (run("--help"), run("-h"), quick("kb"), quick("kb", "--help"), quick("help", "kb")):
        assert (ran.status, as_ai_kb(ran.out.replace("quaid kb", "ai-kb"))) == (0, wanted)
    assert [line for line in run().out.splitlines() if line.endswith(":") and not line.startswith(" ")] == [
        "Reading:",
        "Writing:",
        "For a person to decide:",
        "Keeping:",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["query", "commit"],
        ["query", "zebra"],
        ["query", "zebra", "--json"],
        ["query", "commit", "--status=current", "--json"],
        ["query"],
        ["query", "commit", "--status", "fresh"],
        ["query", "commit", "--limit", "-1", "--json"],
        ["show", "Commit style"],
        ["show", "Commit style", "--json"],
        ["show", "zebra", "--json"],
        ["backlinks", "Commit style"],
        ["status", "--line"],
        ["lint", "--json"],
        ["index", "--check"],
        ["delete", "Commit style"],
        ["split", "Commit style", "--yes"],
        ["remember", "--title", "Commit style", "--summary", "Again.", "--json"],
        ["curate", "--days", "7"],
        ["nonsense"],
        ["--no-such-option"],
    ],
)
def test_answers_errors_and_statuses_are_the_same(kb: Repository, words: list[str]) -> None:
    kb.remember("Commit style", "Short subjects.", "--tag", "git", "--tag", "style")
    before = kb.now()
    one, other = both("--kb", str(kb.root), *words)
    assert (one.status, one.out) == (other.status, other.out)
    assert plain_error(one) == plain_error(other)
    kb.untouched(before)


def test_options_stand_where_they_like(kb: Repository) -> None:
    id = kb.remember("Commit style")
    place = str(kb.root)
    for words in (
        ["--json", "--kb", place, "show", id],
        ["show", id, f"--kb={place}", "--json"],
        ["show", "--kb", place, "--json", "--", id],
        [f"--kb={place}", "show", "--json", id],
    ):
        for ran in both(*words):
            assert (ran.status, ran.json["id"]) == (0, id)
    assert quick("--json", "kb", "--kb", place, "show", id).json["id"] == id
    assert run("--offline", "--kb", place, "doctor").status == 0


def test_what_may_be_given_several_times(kb: Repository) -> None:
    first = kb.remember("Tea")
    text = kb.text(
        kb.remember(
            "Commit style", "", "--tag", "git", "--tag=style", "--project", "one", "--project", "two",
            "--relate", f"RELATES_TO:{first}",
        )
    )  # fmt: skip
    assert ":git:style:" in text
    assert ":one: :two:" in text
    assert f"RELATES_TO [[id:{first}]" in text


def test_a_directory_may_be_named_by_its_collection(
    kb: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb.remember("Commit style")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert [ran.status for ran in both("--kb", "notes", "query", "commit")] == [6, 6]
    db = tmp_path / "m.db"
    monkeypatch.setenv("QUAID_DB", str(db))
    assert quick("init", str(db)).status == 0
    assert quick("collection", "add", "notes", str(kb.root), "--profile", "kb").status == 0
    assert [ran.status for ran in both("--kb", "notes", "query", "commit")] == [0, 0]
    assert [ran.status for ran in both("--kb", "default", "query", "commit")] == [6, 6]
    # A directory goes before a collection of the same name, and `init` makes one.
    assert run("--kb", "notes", "init", "--offline", "--no-attach").status == 0
    assert run("--kb", "notes", "query", "commit").status == 3


def test_a_knowledge_base_needs_no_memory(kb: Repository, tmp_path: Path) -> None:
    id = kb.remember("Commit style")
    for words in (["query", "commit"], ["show", id], ["status"], ["lint"], ["curate"]):
        assert kb.ok(*words).out
    assert not (tmp_path / ".quaid" / "memory.db").exists()


def test_what_a_person_decides_is_no_tool(app: App, world: World) -> None:
    made = world.made("kb", "--no-attach")
    call(app, "collection add", name="kb", folder=str(made.root), profile="kb")
    made.remember("Commit style")
    before = made.now()
    listed = {each["name"] for each in json.loads(quick("--tools-json").out)}
    for name in COMMANDS:
        if operations.operation(f"kb {name}").for_people:
            tool = "kb_" + name.replace("-", "_")
            assert tool not in listed
            values = {"name": "Commit style", "yes": True}
            for called in (tool, f"kb {name}"):
                ran = quick("call", called, json.dumps(values), db=app.store.path)
                assert (ran.status, ran.error["code"]) == (3, "not_found")
    made.untouched(before)


@pytest.mark.parametrize("values", [{"semantic": True}, {"every": "perhaps"}, {"words": ["x"]}])
def test_a_program_has_no_arguments_for_people(app: App, world: World, values: dict[str, object]) -> None:
    made = world.made("kb", "--no-attach")
    call(app, "collection add", name="kb", folder=str(made.root), profile="kb")
    ran = quick("call", "kb_query", json.dumps({"question": "x"} | values), db=app.store.path)
    assert ran.error["code"] == "invalid_input"
