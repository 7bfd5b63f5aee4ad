"""The knowledge base as tools: answers as of `ai-kb --json`, and a memory that knows of writes at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from quaid.app import App, Surroundings
from quaid.errors import Ambiguous, Conflict, Corrupt, InvalidInput, LintFailed, NotFound, ReadOnly
from quaid.kb import node
from quaid.operations.kb import answer as fields
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.kb.repositories import Repository, World
from tests.support import call, found, memory_at, quick, tool


@pytest.fixture
def app(tmp_path: Path) -> Any:
    """A memory whose surroundings are those of a session of codex."""
    around = Surroundings({"AI_KB_CREATED_BY": "codex", "PATH": "/usr/bin:/bin:/usr/local/bin"}, tmp_path)
    opened = App(memory_at(tmp_path / "memory.db"), Settings(), surroundings=around)
    yield opened
    opened.store.close()


@pytest.fixture
def attached(app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A knowledge base that is attached as the collection notes."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "AI_KB", "AI_KB_CREATED_BY", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    made = World(tmp_path).made("kb", "--no-attach")
    call(app, "collection add", name="notes", folder=str(made.root), profile="kb")
    return made


def remember(app: App, title: str, **values: Any) -> Any:
    return tool(app, "kb_remember", **{"title": title, "summary": f"All about {title}."} | values)


def test_choices_are_those_of_nodes() -> None:
    assert get_args(fields.Type) == node.TYPES
    assert get_args(fields.Status) == node.STATUSES
    assert get_args(fields.Confidence) == node.CONFIDENCES
    assert get_args(fields.Visibility) == node.VISIBILITIES


def test_what_is_remembered_is_a_page_at_once(app: App, attached: Repository) -> None:
    done = remember(app, "Walrus", body="Odobenus.", type="reference", tags=["sea"], projects=["zoo"])
    assert done["action"] == "created"
    assert attached.subjects()[0] == "Remember Walrus"
    # Nothing looks at the files here: the row is there already.
    assert app.connection.execute("SELECT title FROM live_pages").fetchall() == [("Walrus",)]
    assert found(app, "odobenus") == [call(app, "list", collection="notes")["pages"][0]["slug"]]
    text = attached.text(done["id"])
    assert (":CREATED_BY: codex\n" in text, ":CONFIDENCE: inferred\n" in text) == (True, True)


def test_relations_are_links_of_the_graph_at_once(app: App, attached: Repository) -> None:
    first = remember(app, "Walrus")["id"]
    remember(app, "Tusk", relations=[f"derived-from:{first}"])
    links = call(app, "backlinks", slug="Walrus")["links"]
    assert [link["relationship"] for link in links] == ["derived_from"]
    assert tool(app, "kb_backlinks", name="walrus")["backlinks"][0]["label"] == "DERIVED_FROM"


@pytest.mark.parametrize(
    ("name", "words", "values"),
    [
        ("kb_query", ["query", "walrus"], {"question": "walrus"}),
        ("kb_query", ["query", "zebra"], {"question": "zebra"}),
        ("kb_query", ["query", "all", "--type", "observation", "--limit", "1"], {"type": "observation"}),
        ("kb_show", ["show", "Walrus"], {"name": "Walrus"}),
        ("kb_backlinks", ["backlinks", "Walrus"], {"name": "Walrus"}),
        ("kb_lint", ["lint"], {}),
        ("kb_status", ["status"], {}),
    ],
)
def test_answers_are_those_of_the_command_line(
    app: App, attached: Repository, name: str, words: list[str], values: dict[str, Any]
) -> None:
    remember(app, "Walrus")
    remember(app, "Tusk", relations=["RELATES_TO:Walrus"])
    if "--limit" in words:
        values = {**values, "question": "all", "limit": 1}
    assert tool(app, name, **values) == attached.run(*words, "--json").json


def test_a_change_needs_the_etag_of_what_was_read(app: App, attached: Repository) -> None:
    id = remember(app, "Walrus")["id"]
    with pytest.raises(InvalidInput, match="expect"):
        tool(app, "kb_remember", update=id, summary="Other.")
    read = tool(app, "kb_show", name=id)["etag"]
    assert tool(app, "kb_remember", update=id, expect=read, summary="Other.")["action"] == "updated"
    before = attached.now()
    with pytest.raises(Conflict) as stale:
        tool(app, "kb_remember", update=id, expect=read, body="Third.")
    assert stale.value.as_dict()["current_etag"] == tool(app, "kb_show", name=id)["etag"]
    attached.untouched(before)


def test_what_is_alike_is_refused_with_the_ways_on(app: App, attached: Repository) -> None:
    id = remember(app, "Indentation", summary="Always use tabs for indentation.")["id"]
    before = attached.now()
    with pytest.raises(Conflict) as refused:
        remember(app, "Indenting", summary="Never use tabs for indentation.")
    assert refused.value.as_dict()["similar"][0]["id"] == id
    attached.untouched(before)
    contested = remember(app, "Indenting", summary="Never use tabs for indentation.", contest=id)
    assert contested["action"] == "contested"
    assert tool(app, "kb_status")["contested"] == 2
    forced = remember(app, "Indent", summary="Always use tabs for indentation.", force_new=True)
    assert forced["action"] == "created"


def test_a_secret_is_refused_with_findings(app: App, attached: Repository) -> None:
    before = attached.now()
    with pytest.raises(LintFailed) as refused:
        remember(app, "Deploy", body="The key is AKIAIOSFODNN7EXAMPLQ.")
    assert refused.value.as_dict()["findings"][0]["check"] == "secret"
    attached.untouched(before)


def test_who_writes_must_be_known(attached: Repository, app: App, tmp_path: Path) -> None:
    unknown = App(app.store, Settings(), surroundings=Surroundings({"PATH": "/usr/bin:/bin"}, tmp_path))
    with pytest.raises(InvalidInput, match="who writes"):
        remember(unknown, "Walrus")
    assert remember(unknown, "Walrus", created_by="ollama")["action"] == "created"


def test_a_capture_is_an_address_and_never_a_file(app: App, attached: Repository, tmp_path: Path) -> None:
    done = tool(app, "kb_capture", source="https://example.org/x", excerpt="The passage.")
    assert "The passage." in (attached.root / done["path"]).read_text()
    (tmp_path / "private").write_text("x")
    for source in (str(tmp_path / "private"), "private", "~/.ssh/id_ed25519", ""):
        with pytest.raises(InvalidInput, match="address"):
            tool(app, "kb_capture", source=source, excerpt="x")


def test_a_knowledge_base_is_named_by_its_collection(app: App, attached: Repository, tmp_path: Path) -> None:
    remember(app, "Walrus")
    other = World(tmp_path).made("other", "--no-attach")
    assert tool(app, "kb_query", question="walrus", kb="notes")["total"] == 1
    for name in (str(attached.root), "default", "../kb", "other"):
        with pytest.raises(NotFound, match="no knowledge base"):
            tool(app, "kb_query", question="walrus", kb=name)
    call(app, "collection add", name="other", folder=str(other.root), profile="kb")
    with pytest.raises(Ambiguous) as several:
        tool(app, "kb_query", question="walrus")
    assert several.value.as_dict()["candidates"] == ["notes", "other"]
    assert tool(app, "kb_status", kb="other")["nodes"] == 0


def test_without_an_attached_one_the_usual_place_is_meant(app: App, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as nothing:
        tool(app, "kb_query", question="walrus")
    assert "kb init" in nothing.value.hint
    made = World(tmp_path).made(".local/share/ai-kb", "--no-attach")
    remember(app, "Walrus")
    assert made.subjects()[0] == "Remember Walrus"
    assert call(app, "list")["pages"] == []


def test_one_that_is_read_only_is_not_written(app: App, tmp_path: Path) -> None:
    made = World(tmp_path).made("kb", "--no-attach")
    call(app, "collection add", name="kb", folder=str(made.root), profile="kb", read_only=True)
    before = made.now()
    for name, values in {
        "kb_remember": {"title": "T", "summary": "S."},
        "kb_capture": {"source": "https://example.org", "excerpt": "x"},
    }.items():
        with pytest.raises(ReadOnly):
            tool(app, name, **values)
    made.untouched(before)
    assert tool(app, "kb_status")["nodes"] == 0


def test_one_that_is_gone_says_so(app: App, attached: Repository) -> None:
    attached.root.rename(attached.root.with_name("elsewhere"))
    with pytest.raises(Corrupt, match="no knowledge base in"):
        tool(app, "kb_query", question="walrus")


def test_a_memory_that_is_busy_does_not_undo_the_commit(
    app: App, attached: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.store.wait_for_others(0.05)
    other = Store.open(app.store.path)
    with other.write():
        done = remember(app, "Walrus")
    other.close()
    assert done["action"] == "created"
    assert "does not know of it yet" in done["notices"][-1]
    assert found(app, "walrus") != []


def test_call_has_the_statuses_of_the_command(attached: Repository, app: App) -> None:
    remember(app, "Walrus")
    path = app.store.path
    assert quick("call", "kb_query", json.dumps({"question": "walrus"}), db=path).status == 0
    assert quick("call", "kb_query", json.dumps({"question": "zebra"}), db=path).status == 3
    assert quick("call", "kb_backlinks", json.dumps({"name": "Walrus"}), db=path).status == 3
    attached.node(tool(app, "kb_show", name="Walrus")["id"]).write_text("broken")
    assert quick("call", "kb_lint", db=path).status == 11


def test_the_command_line_keeps_its_own(attached: Repository, app: App) -> None:
    """`quaid kb` is `ai-kb`, also for the words that are tools."""
    remember(app, "Walrus")
    words = ("kb", "query", "walrus", "--kb", str(attached.root), "--every", "--json")
    assert quick(*words).json["results"][0]["title"] == "Walrus"
    assert quick("--json", "kb", "--kb", str(attached.root), "show", "walrus").json["title"] == "Walrus"
    assert quick("kb", "show everything").status == 2
