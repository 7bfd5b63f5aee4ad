"""Forgetting: what goes, what stays, and that no byte of it is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.app.app import Surroundings
from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly
from quaid.settings import Settings
from quaid.store import collections
from quaid.store.connection import Store
from tests.foreign.importers.support import contents, exported, imported, write
from tests.support import Clock, call, dump, found, held, quick, tool, version_of
from tests.support_embedders import BagOfWords, install

# Found in the middle of words, because an index may keep the beginnings of similar words once only.
TRACE = b"vorpal"
SECRET = """---
tags: [xvorpaltag]
links: [{to: xvorpaltarget, relationship: knows}]
assertions: [{subject: xvorpalsubject, predicate: is, object: secret}]
---
# The xvorpaltitle

Words: xvorpalword, with [[people/bob]].

---

- 2024-01-15 | xvorpalsource — The xvorpalentry
"""


def traces(root: Path) -> list[str]:
    """The files that hold a trace, in their names too; the person's own folder `origin` does not count."""
    return [
        place.relative_to(root).as_posix()
        for place in sorted(root.rglob("*"))
        if "origin" not in place.parts
        and (TRACE.decode() in place.name or (place.is_file() and TRACE in place.read_bytes()))
    ]


def slugs(result: Any) -> list[str]:
    return [page["slug"] for page in result["pages"]]


@pytest.fixture
def vault(app: App, tmp_path: Path) -> Path:
    """A folder whose files are pages."""
    root = tmp_path / "vault"
    root.mkdir()
    app.territory.annex(root)
    collections.insert(app.connection, "vault", str(root), "vault")
    return root


@pytest.fixture(params=["native", "files"])
def place(request: pytest.FixtureRequest) -> str:
    """Where pages are written: into the memory, or into a folder."""
    if request.param == "files":
        request.getfixturevalue("vault")
        return "vault::"
    return ""


@pytest.fixture
def secret(app: App, place: str, clock: Clock) -> str:
    """A page with a past, raw data and vectors, among others that link to it."""
    slug = f"{place}people/xvorpal"
    install(app, BagOfWords())
    for number in range(20):
        call(app, "put", slug=f"{place}notes/n{number}", content=f"# Note {number}\n\nCommon words.\n")
    call(app, "put", slug=f"{place}people/bob", content="# Bob\n\nA gardener.\n")
    call(app, "put", slug=slug, content="# xvorpalfirst\n\n" + "An xvorpalold text. " * 1000)
    call(app, "query", question="gardener")
    clock.tick(60)
    call(app, "put", slug=slug, content=SECRET)
    call(app, "raw", slug=slug, source="crm", data={"note": "xvorpalraw"})
    call(app, "query", question="gardener")
    return slug


# Nothing is left ------------------------------------------------------------------------------------


def test_no_byte_is_left(app: App, secret: str, place: str, tmp_path: Path) -> None:
    assert traces(tmp_path)
    assert list(tmp_path.glob("memory.db.vectors-*"))
    result = call(app, "forget", slugs=[secret], yes=True)
    assert slugs(result) == ["people/xvorpal"]
    assert (result["dry_run"], result["complete"], result["copies"]) == (False, True, [])
    assert traces(tmp_path) == []
    assert not list(tmp_path.glob("memory.db.vectors-*"))
    assert found(app, "xvorpalword") == []
    assert found(app, "common") != []
    assert call(app, "query", question="gardener")["results"][0]["slug"] == "people/bob"
    assert not call(app, "validate", all=True)["findings"]
    with pytest.raises(NotFound):
        call(app, "get", slug=secret)
    with pytest.raises(NotFound):
        call(app, "restore", slug=secret)
    if place:
        assert not app.sync(app.collection_row("vault")).run().changed


def test_no_byte_of_a_removed_page_is_left(app: App, secret: str, tmp_path: Path) -> None:
    call(app, "rm", slug=secret)
    result = call(app, "forget", slugs=[secret], removed=True, yes=True)
    assert result["pages"][0]["removed"]
    assert traces(tmp_path) == []
    assert call(app, "list", removed=True)["removed"] == []


def test_no_byte_is_left_of_a_page_that_was_renamed(
    app: App, secret: str, place: str, tmp_path: Path
) -> None:
    call(app, "mv", slug=secret, to="people/other")
    call(app, "put", slug=f"{place}people/other", content="# Other\n")
    call(app, "forget", slugs=[f"{place}people/other"], yes=True)
    assert traces(tmp_path) == []


def test_its_vectors_go_and_those_of_others_stay(app: App, secret: str) -> None:
    def vectors() -> int:
        return int(app.connection.execute("SELECT count(*) FROM embeddings").fetchone()[0])

    before = vectors()
    result = call(app, "forget", slugs=[secret], yes=True)
    assert 0 < result["counts"]["vectors"] < before
    assert vectors() <= before - result["counts"]["vectors"]
    assert call(app, "query", question="common")["results"]


def test_it_says_what_went(app: App, secret: str) -> None:
    expected = {
        "pages": 1,
        "tags": 1,
        "links": 2,
        "timeline_entries": 1,
        "assertions": 1,
        "raw_data": 1,
        "earlier_versions": 1,
        "originals": 0,
        "files": 2 if "::" in secret else 0,
    }
    would = call(app, "forget", slugs=[secret])["counts"]
    assert {name: would[name] for name in expected} == expected
    assert call(app, "forget", slugs=[secret], yes=True)["counts"] == would


def test_links_to_it_lead_nowhere(app: App, place: str) -> None:
    call(app, "put", slug=f"{place}a", content="[[b]]\n")
    call(app, "put", slug=f"{place}b", content="x\n")
    call(app, "forget", slugs=[f"{place}b"], yes=True)
    assert [link["to"] for link in call(app, "links", slug="a")["links"]] == [""]
    assert call(app, "get", slug="a")["content"] == "[[b]]\n"


def test_versions_do_not_repeat(app: App, place: str) -> None:
    for number in range(4):
        call(app, "put", slug=f"{place}a", content=f"{number}\n")
    call(app, "forget", slugs=[f"{place}a"], yes=True)
    assert call(app, "put", slug=f"{place}a", content="new\n")["version"] == 5
    assert call(app, "put", slug=f"{place}b", content="new\n")["version"] == 5
    assert list(app.connection.execute("SELECT * FROM retired_versions")) == []


def test_while_somebody_reads_it_says_that_traces_are_left(app: App, tmp_path: Path) -> None:
    call(app, "put", slug="a", content="xvorpalword\n")
    with held(app.store.path, "BEGIN"):
        assert call(app, "forget", slugs=["a"], yes=True)["complete"] is False
        assert found(app, "xvorpalword") == []
    assert call(app, "compact")["complete"]
    assert traces(tmp_path) == []


def test_copies_are_named(app: App, tmp_path: Path) -> None:
    call(app, "put", slug="a", content="x\n")
    (tmp_path / "memory.db.backup-v2").write_bytes(b"old")
    assert call(app, "forget", slugs=["a"])["copies"] == [str(tmp_path / "memory.db.backup-v2")]
    assert "Copies that may hold some of it" in quick("forget", "a", "--yes", db=app.store.path).out


# What is meant --------------------------------------------------------------------------------------


@pytest.fixture
def many(app: App, clock: Clock) -> App:
    """Pages of three days in two collections, one of them removed."""
    for day, (slug, tag) in enumerate((("a", "red"), ("b", "red"), ("c", "blue"), ("d", "red"))):
        clock.moment = clock.moment.replace(day=10 + day)
        call(app, "put", slug=slug, content=f"---\ntags: [{tag}]\n---\n{slug}\n")
    app.new_collection("work").put("e", "---\ntags: [red]\n---\ne\n")
    call(app, "rm", slug="b")
    return app


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"tag": "red"}, ["a", "b", "d", "e"]),
        ({"tag": "RED", "collection": "work"}, ["e"]),
        ({"collection": "default"}, ["a", "b", "c", "d"]),
        ({"removed": True}, ["b"]),
        ({"removed": True, "tag": "blue"}, []),
        ({"until": "2026-04-12"}, ["a", "c"]),
        ({"since": "2026-04-12", "until": "2026-04-12"}, ["c"]),
        ({"slugs": ["a", "b", "work::e"]}, ["a", "b", "e"]),
        ({"slugs": ["a", "c"], "tag": "blue"}, ["c"]),
        ({"tag": "green"}, []),
    ],
)
def test_all_conditions_hold(many: App, conditions: dict[str, Any], expected: list[str]) -> None:
    before = dump(many.store.path)
    assert slugs(call(many, "forget", **conditions)) == expected
    assert dump(many.store.path) == before
    assert slugs(call(many, "forget", yes=True, **conditions)) == expected
    left = {row[0] for row in many.connection.execute("SELECT slug FROM pages")}
    assert left == {"a", "b", "c", "d", "e"} - set(expected)


def test_a_condition_is_needed(app: App) -> None:
    for values in ({}, {"yes": True}, {"slugs": []}, {"source": "  "}):
        with pytest.raises(InvalidInput, match="what is to be forgotten"):
            call(app, "forget", **values)


def test_what_is_not_there(many: App) -> None:
    for values in ({"slugs": ["nobody"]}, {"collection": "none"}, {"slugs": ["none::a"]}):
        with pytest.raises(NotFound):
            call(many, "forget", **values)
    assert "Nothing to forget." in quick("forget", "--tag", "green", "--yes", db=many.store.path).out


def test_a_page_and_those_that_had_its_slug_before(app: App) -> None:
    call(app, "put", slug="a", content="first\n")
    call(app, "rm", slug="a")
    call(app, "put", slug="a", content="# Second\n")
    assert call(app, "forget", slugs=["Second"])["pages"] == [
        {"slug": "a", "collection": "default", "removed": False},
        {"slug": "a", "collection": "default", "removed": True},
    ]
    assert len(call(app, "forget", slugs=["a"], removed=True, yes=True)["pages"]) == 1
    assert call(app, "get", slug="a")["content"] == "# Second\n"


def test_a_read_only_collection_refuses(app: App, vault: Path) -> None:
    call(app, "put", slug="vault::a", content="x\n")
    call(app, "put", slug="b", content="x\n")
    app.connection.execute("UPDATE collections SET read_only = 1 WHERE name = 'vault'")
    with pytest.raises(ReadOnly):
        call(app, "forget", since="2000-01-01", yes=True)
    assert (vault / "a.md").exists()
    assert call(app, "get", slug="b")


# Asking ---------------------------------------------------------------------------------------------


def test_without_a_yes_it_is_a_dry_run(app: App) -> None:
    call(app, "put", slug="a", content="x\n")
    for values in ({}, {"dry_run": True}, {"dry_run": True, "yes": True}):
        assert call(app, "forget", slugs=["a"], **values)["dry_run"] is True
    assert "--yes does it" in quick("forget", "a", db=app.store.path).out
    assert call(app, "get", slug="a")


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked(app: App, answer: bool) -> None:
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        return answer

    for number in range(5):
        call(app, "put", slug=f"p{number}", content="---\ntags: [t]\n---\n")
    asking = App(app.store, Settings(), app.now, Surroundings(ask=ask))
    assert call(asking, "forget", tag="t")["dry_run"] is not answer
    assert asked == ["Forget default::p0, default::p1, default::p2 and 2 more for good?"]
    assert len(call(app, "list")["pages"]) == (0 if answer else 5)


def test_what_changed_while_a_person_thought_is_not_forgotten(app: App) -> None:
    call(app, "put", slug="a", content="x\n")

    def ask(question: str) -> bool:
        call(app, "put", slug="a", content="important\n")
        return True

    asking = App(app.store, Settings(), app.now, Surroundings(ask=ask))
    with pytest.raises(Conflict):
        call(asking, "forget", slugs=["a"])
    assert call(app, "get", slug="a")["content"] == "important\n"


def test_a_file_that_changed_while_a_person_thought_is_not_forgotten(app: App, vault: Path) -> None:
    call(app, "put", slug="vault::a", content="x\n")

    def ask(question: str) -> bool:
        (vault / "a.md").write_text("important\n")
        return True

    asking = App(app.store, Settings(), app.now, Surroundings(ask=ask))
    with pytest.raises(Conflict):
        call(asking, "forget", slugs=["a"])
    assert (vault / "a.md").read_text() == "important\n"


def test_a_program_names_the_version_of_a_page(app: App) -> None:
    call(app, "put", slug="a", content="x\n")
    call(app, "put", slug="b", content="x\n")
    with pytest.raises(InvalidInput, match="page_version"):
        tool(app, "memory_forget", slugs=["a"], yes=True)
    with pytest.raises(Conflict):
        tool(app, "memory_forget", slugs=["a"], page_version=7, yes=True)
    with pytest.raises(InvalidInput, match="one page"):
        tool(app, "memory_forget", slugs=["a", "b"], page_version=1, yes=True)
    with pytest.raises(InvalidInput, match="one page"):
        tool(app, "memory_forget", tag="t", page_version=1, yes=True)
    assert slugs(tool(app, "memory_forget", slugs=["a"], page_version=1, yes=True)) == ["a"]
    call(app, "rm", slug="b")
    assert slugs(tool(app, "memory_forget", slugs=["b"], page_version=2, yes=True)) == ["b"]


# Sources --------------------------------------------------------------------------------------------

MEETING = "Minutes: Alice has the xvorpalplan, says everybody at the table in the harbour district.\n"
ALICE = {
    "slug": "people/alice",
    "expected_version": 1,
    "timeline_entries": [{"date": "2026-04-01", "summary": "Told of the xvorpalplan"}],
    "assertions": [{"subject": "alice", "predicate": "has", "object": "xvorpalplan"}],
}


def ingested(app: App, content: str = MEETING, **values: Any) -> Any:
    given = {"content": content, "source_type": "meeting", "source_ref": "meeting/123"} | values
    return tool(app, "memory_ingest", **given)


def test_a_source_goes_with_all_that_is_known_from_it(app: App, tmp_path: Path) -> None:
    text = "# Alice\n\nFounder.\n\n---\n\n- **2024-01-15** | crm — Founded RiverAI\n"
    call(app, "put", slug="people/alice", content=text)
    ingested(app, pages=[ALICE])
    call(app, "raw", slug="people/alice", source="meeting/123", data={"note": "xvorpalplan"})
    call(app, "raw", slug="people/alice", source="crm", data={"note": "kept"})
    result = call(app, "forget", source="meeting/123", yes=True)
    assert slugs(result) == ["sources/meeting/123"]
    assert result["trimmed"] == [
        {
            "slug": "people/alice",
            "collection": "default",
            "timeline_entries": 1,
            "assertions": 1,
            "raw_data": 1,
            "earlier_versions": 1,
        }
    ]
    page = call(app, "get", slug="people/alice")
    assert page["content"].endswith(text)
    assert "meeting/123" not in page["content"]
    assert [each["source"] for each in call(app, "raw", slug="people/alice")["sources"]] == ["crm"]
    assert [each["version"] for each in call(app, "history", slug="people/alice")["versions"]] == [
        page["version"]
    ]
    assert traces(tmp_path) == []
    assert ingested(app)["duplicate"] is False


def test_files_lose_what_is_known_from_a_source(app: App, vault: Path, tmp_path: Path) -> None:
    write(
        vault,
        {
            "Alice.md": "---\nassertions:\n  - {subject: a, predicate: has, object: xvorpal, source: s/1}\n"
            "  - {subject: a, predicate: has, object: tea}\n---\n# Alice\n\n---\n\n"
            "- 2024-01-01 | s/1 — An xvorpalentry\n  with xvorpaldetail\n- 2024-01-02 | s/2 — Stays\n",
            ".raw/Alice.json": '{"sources": {"s/1": "xvorpalraw", "s/2": 1}, "fetched_at": {"s/1": "x"}}',
            "bob.org": "#+title: Bob\n"
            "#+assertion: {subject: b, predicate: is, object: xvorpal, source: s/1}\n\nBob.\n\n* Timeline\n"
            "- [2024-01-01 Mon] s/1 — An xvorpalentry\n- [2024-01-02 Tue] s/2 — Stays\n",
            ".raw/bob.org.json": '{"sources": {"s/1": "xvorpalraw"}}',
        },
    )
    app.sync(app.collection_row("vault")).run()
    assert len(call(app, "forget", source="s/1", yes=True)["trimmed"]) == 2
    assert (vault / "Alice.md").read_text() == (
        "---\nassertions:\n  - {subject: a, predicate: has, object: tea}\n---\n# Alice\n\n---\n\n"
        "- 2024-01-02 | s/2 — Stays\n"
    )
    assert json.loads((vault / ".raw/Alice.json").read_text()) == {"sources": {"s/2": 1}, "fetched_at": {}}
    assert (vault / "bob.org").read_text() == (
        "#+title: Bob\n\nBob.\n\n* Timeline\n- [2024-01-02 Tue] s/2 — Stays\n"
    )
    assert not (vault / ".raw/bob.org.json").exists()
    assert not app.sync(app.collection_row("vault")).run().changed
    assert traces(tmp_path) == []


def test_a_removed_page_loses_it_too(app: App, place: str, tmp_path: Path) -> None:
    text = "# A\n\n---\n\n- 2024-01-01 | s/1 — An xvorpalentry\n- 2024-01-02 | s/2 — Stays\n"
    call(app, "put", slug=f"{place}a", content=text)
    call(app, "raw", slug=f"{place}a", source="s/1", data={"k": "xvorpalraw"})
    call(app, "rm", slug=f"{place}a")
    call(app, "forget", source="s/1", yes=True)
    assert traces(tmp_path) == []
    call(app, "restore", slug=f"{place}a")
    assert call(app, "get", slug="a")["content"] == "# A\n\n---\n\n- 2024-01-02 | s/2 — Stays\n"
    assert not call(app, "validate", all=True)["findings"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-be-bom"])
def test_a_past_that_knows_it_goes(app: App, tmp_path: Path, encoding: str) -> None:
    old = "# A\n\n---\n\n- 2024-01-01 | sé/1 — An xvorpalentry\n"
    app.collection().put("a", old, encoding)
    call(app, "put", slug="a", content="# A\n\nMentions sé/1.\n")
    call(app, "put", slug="a", content="# A\n\nMentions sé/1 again.\n")
    call(app, "put", slug="b", content="Mentions sé/1.\n")
    call(app, "put", slug="b", content="Mentions sé/1 too.\n")
    result = call(app, "forget", source="sé/1", yes=True)
    assert [(page["slug"], page["earlier_versions"]) for page in result["trimmed"]] == [("a", 2)]
    assert traces(tmp_path) == []
    assert version_of(app, "a") == 3
    assert len(call(app, "history", slug="b")["versions"]) == 2


def test_an_original_that_knows_it_goes(app: App, tmp_path: Path) -> None:
    text = "# A\n\n---\n\n- 2024-01-01 | s/1 — An xvorpalentry\n"
    imported(app, write(tmp_path / "origin", {"a.md": text, "b.md": "Mentions s/1.\n"}))
    call(app, "put", slug="a", content="# A\n")
    result = call(app, "forget", source="s/1", yes=True)
    assert (len(result["trimmed"]), result["counts"]["originals"]) == (1, 1)
    assert traces(tmp_path) == []
    assert call(app, "get", slug="a")["content"] == "# A\n"
    kept = app.connection.execute("SELECT file_path FROM raw_imports WHERE page_id").fetchall()
    assert kept == [("b.md",)]


def test_a_page_that_says_the_same_as_a_source_stays(app: App) -> None:
    ingested(app)
    assert ingested(app, MEETING + "\n", source_ref="meeting/copy")["duplicate"]
    call(app, "forget", source="meeting/copy", yes=True)
    assert call(app, "get", slug="sources/meeting/123")
    assert app.connection.execute("SELECT count(*) FROM raw_imports").fetchone()[0] == 1
    assert app.connection.execute("SELECT source_ref FROM ingest_log").fetchall() == [("meeting/123",)]


def test_a_page_goes_with_the_sources_that_said_the_same(app: App, tmp_path: Path) -> None:
    ingested(app)
    ingested(app, MEETING + "\n", source_ref="meeting/copy")
    call(app, "forget", slugs=["sources/meeting/123"], yes=True)
    assert traces(tmp_path) == []
    assert app.connection.execute("SELECT count(*) FROM ingest_log").fetchone()[0] == 0


def test_other_conditions_spare_the_rest_of_a_source(app: App) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n")
    ingested(app, pages=[ALICE])
    result = call(app, "forget", source="meeting/123", slugs=["people/alice"], yes=True)
    assert (slugs(result), len(result["trimmed"])) == ([], 1)
    assert call(app, "get", slug="sources/meeting/123")
    assert ingested(app)["duplicate"] is True


# Imports --------------------------------------------------------------------------------------------


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A folder of the person, which was imported."""
    return write(
        tmp_path / "origin",
        {
            "xvorpal.md": "# xvorpaltitle\n\nxvorpalword\n",
            ".raw/xvorpal.json": '{"sources": {"crm": "xvorpalraw"}}',
            "b.md": "# B\n",
            "picture.png": b"\x89PNG xvorpalpicture",
        },
    )


def test_a_page_goes_out_of_the_imports_that_brought_it(app: App, origin: Path, tmp_path: Path) -> None:
    (origin / "picture.png").unlink()
    first = imported(app, origin)
    (origin / "b.md").write_text("# B, changed\n")
    second = imported(app, origin)
    assert first["import_id"] != second["import_id"]
    call(app, "forget", slugs=["xvorpal"], yes=True)
    assert traces(tmp_path) == []
    for batch in (first, second):
        result = exported(app, tmp_path / f"out-{batch['import_id']}", raw=True, import_id=batch["import_id"])
        assert (result["files"], result["skipped"]) == (1, [])


def test_an_import_goes_whole(app: App, origin: Path, tmp_path: Path) -> None:
    batch = imported(app, origin)
    call(app, "put", slug="other", content="x\n")
    result = call(app, "forget", source=batch["import_id"], yes=True)
    assert slugs(result) == ["b", "xvorpal"]
    assert traces(tmp_path) == []
    for table in ("raw_imports", "import_manifest"):
        assert app.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0
    assert [page["slug"] for page in call(app, "list")["pages"]] == ["other"]
    assert imported(app, origin)["created"] == 2
    assert slugs(call(app, "forget", source=str(origin), yes=True)) == ["b", "xvorpal"]


def test_files_that_another_import_has_too_stay(app: App, origin: Path, tmp_path: Path) -> None:
    first = imported(app, origin)
    picture = (origin / "picture.png").read_bytes()
    second = imported(app, write(tmp_path / "second", {"c.md": "# C\n", "photo.png": picture}))
    call(app, "forget", source=first["import_id"], yes=True)
    exported(app, tmp_path / "out", raw=True, import_id=second["import_id"])
    assert (tmp_path / "out/photo.png").read_bytes() == picture


def test_a_conversation_goes_out_of_the_export_that_held_it(app: App, tmp_path: Path) -> None:
    def chat(identity: str, text: str) -> dict[str, Any]:
        said = {
            "uuid": f"m-{identity}",
            "text": text,
            "sender": "human",
            "created_at": "2024-01-01T00:00:00Z",
        }
        return {"uuid": identity, "name": text, "created_at": "2024-01-01T00:00:00Z", "chat_messages": [said]}

    chats = [chat("1111", "about xvorpal"), chat("2222", "about tea")]
    source = write(tmp_path / "origin", {"conversations.json": json.dumps(chats)})
    imported(app, source, format="claude")
    (slug,) = [page["slug"] for page in call(app, "list")["pages"] if "vorpal" in page["title"]]
    call(app, "forget", slugs=[slug], yes=True)
    assert traces(tmp_path) == []
    assert len(call(app, "list")["pages"]) == 1


# Failing --------------------------------------------------------------------------------------------


def test_a_failure_changes_nothing(app: App, vault: Path) -> None:
    claim = "assertions: [{subject: a, predicate: is, object: b, source: s/1}]\n"
    call(app, "put", slug="vault::a", content="---\nsource_ref: s/1\n---\nx\n")
    call(app, "put", slug="vault::b", content="---\n" + claim + "---\nx\n")
    call(app, "put", slug="vault::c", content="---\n" + claim * 2 + "---\nx\n")

    def state() -> list[Any]:
        tables = dump(app.store.path)
        return [contents(vault), *(tables[name] for name in ("pages", "assertions", "history", "page_names"))]

    before = state()
    with pytest.raises(InvalidInput, match="given twice"):
        call(app, "forget", source="s/1", yes=True)
    assert state() == before


def test_another_process_sees_nothing_of_it(app: App, tmp_path: Path) -> None:
    call(app, "put", slug="a", content="xvorpalword\n")
    other = App(Store.open(app.store.path), Settings())
    assert found(other, "xvorpalword") == ["a"]
    call(app, "forget", slugs=["a"], yes=True)
    assert found(other, "xvorpalword") == []
    other.store.close()
    assert traces(tmp_path) == []


def test_on_the_command_line(app: App) -> None:
    db = app.store.path
    for slug in ("a", "b", "c"):
        call(app, "put", slug=slug, content="x\n")
    shown = quick("forget", "a", "b", db=db).out.splitlines()
    assert shown[:2] == ["default::a", "default::b"]
    assert shown[2].startswith("This would go for good: 2 pages")
    ran = quick("forget", "a", "b", "--yes", db=db)
    assert (ran.status, ran.out.splitlines()[2][:22]) == (0, "Gone for good: 2 pages")
    assert [page["slug"] for page in call(app, "list")["pages"]] == ["c"]
