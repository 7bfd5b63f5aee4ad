"""What every operation must satisfy, so that every surface can be made from it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest

from quaid import operations
from quaid.app import App
from quaid.cli.parser import help_text, parse, placeholder
from quaid.conversations.keyring import Keyring, key_from
from quaid.embed.registry import DEFAULT_MODEL
from quaid.formats.meld.clash import Clash
from quaid.operations.arguments import parameters, schema
from quaid.operations.operation import Operation
from quaid.operations.results import as_data
from quaid.operations.text import Style
from quaid.store import embeddings
from quaid.sync.conflicts import conflict, note_clashes
from quaid.web.openapi import Components
from tests.support import Clock, Restored, call, open_memory, quick

ALL = [pytest.param(each, id=each.name) for each in operations.operations()]

# A run of each operation that succeeds on the memory `filled`.
MOMENT = "2026-01-01T00:00:00Z"
CLASH = Clash("text", "A note of attached", "", "tea\n", "coffee\n", MOMENT, MOMENT)
KEY = str(key_from(bytes(range(64))))
CONFLICT = conflict("Note.md", CLASH).id
RUNS: dict[str, dict[str, Any]] = {
    "get": {"slug": "people/alice"},
    "render": {"slug": "people/alice"},
    "folders": {},
    "put": {"slug": "people/carol", "content": "# Carol\n"},
    "new": {"type": "person", "slug": "people/dan"},
    "list": {},
    "rm": {"slug": "people/bob"},
    "restore": {"slug": "people/gone"},
    "mv": {"slug": "people/alice", "to": "people/alice-2"},
    "history": {"slug": "people/bob"},
    "diff": {"slug": "people/bob"},
    "revert": {"slug": "people/bob"},
    "activity": {},
    "undo": {"actor": "program", "since": "7d"},
    "forget": {"slugs": ["people/bob"], "yes": True},
    "search": {"query": "alice 学"},
    "query": {"question": "who knows Bob?"},
    "embed": {},
    "model list": {},
    "model use": {"name": DEFAULT_MODEL},
    "model status": {},
    "model remove": {"name": "other"},
    "engine status": {},
    "engine sync": {},
    "recode": {"slug": "people/alice", "from": "utf-8"},
    "tag": {"slug": "people/alice", "tag": "new"},
    "untag": {"slug": "people/alice", "tag": "founder"},
    "tags": {},
    "timeline": {"slug": "people/alice"},
    "timeline-add": {"slug": "people/alice", "date": "2026-04-14", "summary": "x"},
    "link": {"from": "people/alice", "to": "people/bob"},
    "links": {"slug": "people/alice"},
    "link-close": {"link_id": 1, "valid_until": "2026-01-01"},
    "unlink": {"from": "people/alice", "to": "acme"},
    "backlinks": {"slug": "people/alice"},
    "graph": {"slug": "people/alice"},
    "map": {},
    "path": {"from": "people/alice", "to": "people/bob"},
    "related": {"slug": "people/alice"},
    "orphans": {},
    "assert": {"subject": "people/alice", "predicate": "knows", "object": "people/bob"},
    "facts": {},
    "supersede": {"id": 1, "object": "coffee"},
    "retract": {"id": 1},
    "check": {"all": True},
    "gaps": {},
    "gap": {"query_text": "what is dark matter?"},
    "gaps approve": {"gap_id": 1, "sensitivity": "redacted", "approver": "me", "redacted_query": "physics"},
    "gaps resolve": {"gap_id": 1, "slug": "people/bob"},
    "briefing": {"since": "2026-01-01"},
    "due": {},
    "lint": {"kind": "tags"},
    "novelty": {"slug": "people/alice"},
    "raw": {"slug": "people/alice"},
    "ingest": {"content": "x", "source_type": "doc", "source_ref": "y"},
    "remember": {"content": "add oat milk to shopping"},
    "recall": {"query": "a note"},
    "daily-log": {"entry": "Talked to Alice"},
    "agents": {},
    "context": {},
    "context approve": {},
    "context reject": {},
    "notebook read": {"path": "lists/shopping.md"},
    "notebook write": {"path": "lists/shopping.md", "content": "- Salt"},
    "notebook list": {},
    "notebook migrate": {"directory": "~/older"},
    "conversations index": {},
    "conversations search": {"query": "hello"},
    "conversations show": {"id": "/"},
    "conversations list": {},
    "conversations embed": {},
    "conversations forget": {"id": "/"},
    "import": {"path": "~/other"},
    "imports": {},
    "export": {"directory": "~/exported"},
    "collection add": {"name": "more", "folder": "~/other"},
    "collection preview": {"folder": "~/other"},
    "collection list": {},
    "collection info": {"name": "attached"},
    "collection sync": {"name": "attached"},
    "collection rename": {"name": "attached", "to": "renamed"},
    "collection remove": {"name": "attached"},
    "collection move": {"name": "default", "folder": "~/moved"},
    "sync": {},
    "sync init": {"collection": "attached"},
    "sync status": {},
    "sync key": {},
    "sync key import": {"content": KEY},
    "conflicts": {},
    "conflicts show": {"id": CONFLICT},
    "conflicts resolve": {"id": CONFLICT, "keep": "theirs"},
    "conflicts merge-copies": {"yes": True},
    "collection ignore": {"name": "attached", "pattern": "drafts/"},
    "collection audit": {"name": "attached"},
    "collection quarantine list": {},
    "collection quarantine restore": {"slug": "people/gone"},
    "collection quarantine export": {"folder": "~/saved"},
    "collection quarantine discard": {"all": True},
    "rebuild": {},
    "digest": {},
    "stats": {},
    "validate": {"all": True},
    "compact": {},
    "kb query": {"question": "walrus"},
    "kb show": {"name": "Walrus"},
    "kb backlinks": {"name": "Walrus"},
    "kb remember": {"title": "Newer", "summary": "Something else altogether.", "created_by": "codex"},
    "kb capture": {"source": "https://example.org/a", "excerpt": "The passage."},
    "kb lint": {},
    "kb status": {},
    "kb list": {"sort": "updated"},
    "kb map": {},
    "kb commit": {"message": "By hand"},
    "kb index": {},
    "kb merge": {"into": "Walrus", "others": ["Tusk"], "yes": True},
    "kb split": {"name": "Walrus", "at": "Food", "yes": True},
    "kb supersede": {"old": "Tusk", "new": "Walrus", "yes": True},
    "kb delete": {"name": "Tusk", "yes": True},
    "kb contest": {"one": "Walrus", "other": "Tusk", "yes": True},
    "kb resolve": {"name": "Hot", "yes": True},
    "kb resolve-divergence": {"yes": True},
    "kb curate": {"done": ["Walrus", "Tusk"]},
    "kb init": {"offline": True, "no_adapter": True},
    "kb doctor": {"offline": True},
    "kb sync": {},
    "kb push": {},
    "kb emacs": {},
    "config get": {"key": "list.limit"},
    "config set": {"key": "list.limit", "value": "5"},
    "config list": {},
}
ALICE = """---
title: Alice
tags: [founder, 学]
born: 1990-01-02
nested: {1: [yes, null, 2.5, 2026-04-14T10:00:00Z], ? [a, b] : c}
links: [{to: acme, relationship: works_at}]
assertions: [{subject: Alice, predicate: likes, object: tea}]
---
Alice knows [[people/bob]].

---

- 2024-01-01 — Met
"""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Restored]:
    """Home directories with a memory that is full, and with a knowledge base or without."""
    made = {}
    for with_kb in (False, True):
        home = tmp_path_factory.mktemp("home")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", str(home))
            for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "AI_KB"):
                patch.delenv(name, raising=False)
            app = open_memory(home / "memory.db", Clock())
            if with_kb:
                fill_kb(app)
            fill(app)
            app.store.close()
        made[with_kb] = Restored(home)
    return made


@pytest.fixture
def filled(
    homes: dict[bool, Restored], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    """A memory with a folder that is attached, and one beside it that is not; home is where it is.

    Operations of knowledge bases have one, at its usual place.
    """
    home = homes[request.node.callspec.params["operation"].name.startswith("kb ")]()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "AI_KB"):
        monkeypatch.delenv(name, raising=False)
    app = open_memory(home / "memory.db", Clock())
    yield app
    app.store.close()


def fill(app: App) -> None:
    for name in ("attached", "other"):
        place = app.store.path.parent / name
        place.mkdir()
        (place / "Note.md").write_text(f"# A note of {name}\n\ntea\n")
    Keyring(app.home).sealing_key()
    note_clashes(app.store.path.parent / "attached", "Note.md", (CLASH,))
    call(app, "collection add", name="attached", folder="~/attached")
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "put", slug="people/bob", content="Nobody yet\n")
    call(app, "put", slug="people/bob", content="[[people/alice]]\n")
    call(app, "put", slug="people/gone", content="Gone\n")
    call(app, "rm", slug="people/gone")
    call(app, "raw", slug="people/alice", source="s", data={"k": [1, None]})
    call(app, "gap", query_text="who tunes the organ?")
    home = app.store.path.parent
    (home / "notebook").mkdir()
    call(app, "collection add", name="notebook", folder="~/notebook", profile="notebook")
    (home / "older" / "runtime").mkdir(parents=True)
    (home / "older" / "runtime" / "standing-orders.md").write_text("# Orders\n\n- Be brief\n")
    (home / "chat.jsonl").write_text('{"role": "user", "content": "hello there, this is a turn"}\n')
    call(app, "conversations index", paths=[str(home / "chat.jsonl")])
    with app.store.write() as connection:
        embeddings.register(connection, DEFAULT_MODEL, 384, app.now())
        embeddings.register(connection, "other", 8, app.now())


def fill_kb(app: App) -> None:
    remote = app.store.path.parent / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
    assert quick("kb", "init", "--offline", "--remote", str(remote)).status == 0
    assert quick("kb", "push").status == 0
    call(app, "collection add", name="kb", folder="~/.local/share/ai-kb", profile="kb")
    nodes: dict[str, dict[str, Any]] = {
        "Walrus": {"body": "It swims.\n\n* Food\nMussels.\n"},
        "Tusk": {"relations": ["RELATES_TO:Walrus"]},
        "Hot": {"summary": "Serve tea hot."},
        "Cold": {"summary": "Serve tea cold.", "contest": "Hot"},
    }
    for title, said in nodes.items():
        known = {"summary": f"All about {title}.", "created_by": "human"}
        call(app, "kb remember", title=title, **known | said)


def test_names_are_unique_and_each_is_its_own() -> None:
    assert len(set(operations.NAMES)) == len(operations.NAMES)
    assert [each.name for each in operations.operations()] == list(operations.NAMES)
    assert len({each.tool for each in operations.operations()}) == len(operations.NAMES)
    assert set(RUNS) == set(operations.NAMES)


@pytest.mark.parametrize("operation", ALL)
def test_it_is_described(operation: Operation[Any, Any]) -> None:
    assert operation.help.endswith(".")
    assert len(operation.help.split("\n")[0]) <= 110
    for parameter in parameters(operation.arguments):
        assert parameter.facts.help.endswith("."), parameter.name
        assert parameter.facts.help[0].isupper() or not parameter.facts.help[0].isalpha(), parameter.name


def test_every_record_of_results_says_what_it_is() -> None:
    components = Components()
    for each in operations.operations():
        components.schema(get_type_hints(each.run)["return"])
    assert [name for name, each in components.schemas.items() if not each.get("description")] == []


@pytest.mark.parametrize("operation", ALL)
def test_its_effect_and_transaction_agree(operation: Operation[Any, Any]) -> None:
    assert operation.isolation in (("read", "none") if operation.effect == "read" else ("write", "none"))


@pytest.mark.parametrize("operation", ALL)
def test_its_examples_parse(operation: Operation[Any, Any]) -> None:
    for example in operation.examples:
        words = shlex.split(example.split(" < ")[0])
        size = len(operation.name.split())
        assert " ".join(words[:size]) == operation.name
        given = parse(operation.name, parameters(operation.arguments), words[size:])
        assert given.values or not parameters(operation.arguments) or len(words) == size or given.json


@pytest.mark.parametrize("operation", ALL)
def test_it_is_documented_by_an_example_where_it_takes_arguments(operation: Operation[Any, Any]) -> None:
    assert operation.examples or not parameters(operation.arguments)


@pytest.mark.parametrize("operation", ALL)
def test_its_help_names_every_argument_and_example(operation: Operation[Any, Any]) -> None:
    known = parameters(operation.arguments)
    text = help_text(operation.name, operation.help, known, operation.examples)
    for parameter in known:
        shown = placeholder(parameter) if parameter.facts.positional else parameter.flag
        assert (shown in text) is not parameter.facts.hidden, parameter.name
    assert all(f"quaid {example}" in text for example in operation.examples)


@pytest.mark.parametrize("operation", ALL)
def test_its_schema_is_a_json_schema(operation: Operation[Any, Any]) -> None:
    described = schema(operation.arguments)
    assert json.loads(json.dumps(described)) == described
    assert described["type"] == "object"
    assert described["additionalProperties"] is False
    assert set(described.get("required", [])) <= set(described["properties"])
    assert described.get("required") != []
    for name, each in described["properties"].items():
        assert set(each) <= {"type", "enum", "items", "minimum", "maximum", "default", "description"}, name
        assert each["description"]
        kinds = {"string", "integer", "number", "boolean", "array", "object"}
        assert each.get("type", "string") in kinds
        if "enum" in each:
            assert each["type"] == "string"
            assert len(set(each["enum"])) == len(each["enum"]) > 1
            assert each.get("default", each["enum"][0]) in each["enum"]
        if "items" in each:
            assert each["type"] == "array"
            assert each["items"]["type"] in kinds
        if "minimum" in each:
            assert each["type"] in ("integer", "number")
        if "default" in each:
            types = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
            assert isinstance(each["default"], types[each["type"]])


@pytest.mark.parametrize("operation", ALL)
def test_its_result_is_data_and_text(filled: App, operation: Operation[Any, Any]) -> None:
    arguments = operations.decode(operation.arguments, RUNS[operation.name], tool=False)
    result = operations.run(filled, operation, arguments)
    data = as_data(result)
    assert isinstance(data, dict)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert operation.status(result) == 0
    plain = operation.render(result, Style())
    assert isinstance(plain, str)
    assert "\x1b" not in plain
    coloured = operation.render(result, Style(color=True))
    assert strip_colour(coloured).replace("*", "") == plain.replace("*", "")


@pytest.mark.parametrize("operation", ALL)
def test_every_surface_gives_the_same(filled: App, operation: Operation[Any, Any]) -> None:
    """The command line with --json and `call` answer with the same keys."""
    filled.store.close()
    db = filled.store.path
    values = RUNS[operation.name]
    words = command_line(operation, values)
    ran = quick(*words, "--json", input=values.get("content") or "", db=db)
    assert ran.status == 0, ran.err
    if operation.for_people:
        assert quick("call", operation.tool, json.dumps(values), db=db).error["code"] == "not_found"
    elif operation.effect == "read":
        called = quick("call", operation.tool, json.dumps(values), db=db)
        assert called.json == ran.json


def command_line(operation: Operation[Any, Any], values: dict[str, Any]) -> list[str]:
    words = operation.name.split()
    for parameter in parameters(operation.arguments):
        value = values.get(parameter.name)
        if value is None or parameter.facts.from_file:
            continue
        if parameter.facts.positional:
            words += [str(each) for each in value] if isinstance(value, list) else [str(value)]
        elif parameter.kind == "boolean":
            words.append(parameter.flag)
        else:
            for each in value if parameter.facts.many else [value]:
                words += [parameter.flag, str(each)]
    return words


def strip_colour(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)
