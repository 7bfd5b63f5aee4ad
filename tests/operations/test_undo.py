"""Who did what, and taking back what one of them did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.model.actor import Actor, acting
from quaid.store import collections
from tests.notebook.notebooks import Notes, notes
from tests.support import Clock, call, open_memory, quick

__all__ = ["notes"]

AGENT = Actor("agent", "Robot", "2.1", "r-1")
PERSON = Actor("human", session="shell-1")
NUMBERS = count(1)
TEXT = "---\ntitle: Alice\n---\n# Alice\n\nA founder.\n\n## Work\n\nShe founded RiverAI.\n"


@pytest.fixture(params=["native", "files"])
def place(request: pytest.FixtureRequest, app: App, tmp_path: Path) -> str:
    """What stands before the slugs of a collection: of one in the memory, or of a folder."""
    if request.param == "native":
        return ""
    (tmp_path / "vault").mkdir()
    app.territory.annex(tmp_path / "vault")
    collections.insert(app.connection, "vault", str(tmp_path / "vault"), "vault")
    return "vault::"


def by(who: Actor, app: App, name: str, /, **values: Any) -> Any:
    """An operation that somebody runs, who has read the page that they write."""
    if name == "put":
        known = app.pages_called(values["slug"])
        values["expected_version"] = known[0].version if known else 0
    with acting(who):
        return call(app, name, **values)


def undo(app: App, **values: Any) -> Any:
    """Take back what the agent did, as the person."""
    return by(PERSON, app, "undo", **{"session": "r-1", "yes": True, **values})


def text(app: App, slug: str) -> str:
    return str(call(app, "get", slug=slug)["content"])


def what(result: Any) -> dict[str, list[str]]:
    """What became, or would become, of each page."""
    return {each["slug"]: each["what"] for each in result["pages"]}


def test_a_page_that_nobody_else_changed_goes_back(app: App, place: str) -> None:
    slug = f"{place}people/alice"
    by(PERSON, app, "put", slug=slug, content=TEXT)
    by(AGENT, app, "tag", slug=slug, tag="founder")
    by(AGENT, app, "timeline-add", slug=slug, date="2024-01-15", summary="Left")
    preview = undo(app, yes=False)
    assert (preview["dry_run"], preview["by"], what(preview)) == (
        True,
        ["Robot 2.1"],
        {"people/alice": ["reverted"]},
    )
    assert call(app, "get", slug=slug)["version"] == 3
    done = undo(app)
    assert [(each["version"], each["to"]) for each in done["pages"]] == [(4, 1)]
    assert text(app, slug) == TEXT
    versions = call(app, "history", slug=slug)["versions"]
    assert [each["by"] for each in versions] == ["human", "Robot 2.1", "Robot 2.1", "human"]


def test_undone_twice_says_so_and_can_be_taken_back_itself(app: App) -> None:
    by(PERSON, app, "put", slug="a", content="one\n")
    by(AGENT, app, "put", slug="a", content="two\n")
    session = undo(app)["session"]
    again = undo(app)
    assert (again["pages"], again["already"], call(app, "get", slug="a")["version"]) == ([], 1, 3)
    assert quick("undo", "--session", "r-1", db=app.store.path).out == (
        "Nothing to undo: what Robot 2.1 did is taken back already.\n"
    )
    undo(app, session=session)
    assert text(app, "a") == "two\n"
    undo(app)
    assert text(app, "a") == "one\n"


def test_what_others_wrote_since_stays(app: App, place: str) -> None:
    slug = f"{place}people/alice"
    by(PERSON, app, "put", slug=slug, content=TEXT)
    by(AGENT, app, "put", slug=slug, content=TEXT.replace("A founder.", "A liar."))
    by(PERSON, app, "put", slug=slug, content=text(app, slug).replace("RiverAI.", "RiverAI in Berlin."))
    assert what(undo(app)) == {"people/alice": ["merged"]}
    assert text(app, slug) == TEXT.replace("RiverAI.", "RiverAI in Berlin.")


@pytest.mark.parametrize("first", [AGENT, PERSON])
def test_tags_facts_and_entries_of_one_of_two(app: App, first: Actor) -> None:
    second = PERSON if first is AGENT else AGENT
    by(PERSON, app, "put", slug="people/alice", content="# Alice\n")
    for actor in (first, second):
        by(actor, app, "tag", slug="people/alice", tag=f"of-{actor.kind}")
        by(actor, app, "assert", subject="people/alice", predicate="knows", object=f"people/{actor.kind}")
        by(actor, app, "link", from_="people/alice", to=f"companies/{actor.kind}", relationship="advises")
        by(actor, app, "timeline-add", slug="people/alice", date="2024-01-15", summary=f"By {actor.kind}")
    assert not undo(app)["conflicts"]
    assert call(app, "tags", slug="people/alice")["tags"] == ["of-human"]
    facts = call(app, "facts", subject="people/alice", predicate="knows")["facts"]
    assert [each["object"] for each in facts] == ["people/human"]
    targets = [each["target"] for each in call(app, "links", slug="people/alice")["links"]]
    assert "companies/human" in targets
    assert "companies/agent" not in targets
    assert [each["summary"] for each in call(app, "timeline", slug="people/alice")["entries"]] == ["By human"]


def test_lines_that_both_changed_are_a_conflict_and_nothing_changes(app: App, place: str) -> None:
    slug = f"{place}people/alice"
    by(PERSON, app, "put", slug=slug, content=TEXT)
    by(AGENT, app, "put", slug=slug, content=TEXT.replace("A founder.", "A liar."))
    by(PERSON, app, "put", slug=slug, content=TEXT.replace("A founder.", "A chair."))
    by(AGENT, app, "put", slug=f"{place}people/bob", content="# Bob\n")
    done = undo(app)
    (clash,) = done["conflicts"]
    assert (clash["slug"], clash["version"], clash["theirs"]) == ("people/alice", 3, 2)
    assert clash["look"] == "quaid diff people/alice --from 1 --to 2"
    assert text(app, slug) == TEXT.replace("A founder.", "A chair.")
    assert what(done) == {"people/bob": ["removed"]}
    ran = quick("undo", "--session", "r-1", db=app.store.path)
    assert ran.status == 11
    assert "somebody else has changed the same lines since; quaid diff people/alice" in ran.out


def test_pages_that_were_created_removed_and_moved(app: App, place: str) -> None:
    for name in ("gone", "old", "linking"):
        by(PERSON, app, "put", slug=f"{place}x/{name}", content=f"# {name}\n\nSee [[x/old]].\n")
    by(AGENT, app, "put", slug=f"{place}x/new", content="# New\n")
    by(AGENT, app, "rm", slug=f"{place}x/gone")
    by(AGENT, app, "mv", slug=f"{place}x/old", to="y/elsewhere")
    by(AGENT, app, "put", slug=f"{place}x/old", content="# In its place\n")
    by(AGENT, app, "put", slug=f"{place}x/short", content="# Short\n")
    by(AGENT, app, "rm", slug=f"{place}x/short")
    done = undo(app)
    assert not done["conflicts"]
    pages = call(app, "list", sort="slug")["pages"]
    assert [each["slug"] for each in pages] == ["x/gone", "x/linking", "x/old"]
    for name in ("gone", "old", "linking"):
        assert text(app, f"{place}x/{name}") == f"# {name}\n\nSee [[x/old]].\n"
    assert call(app, "restore", slug=f"{place}x/new")["slug"] == "x/new"
    assert not call(app, "validate", all=True)["findings"]


def test_a_created_page_that_somebody_went_on_with_stays(app: App) -> None:
    by(AGENT, app, "put", slug="a", content="# A\n\nOne.\n")
    by(PERSON, app, "put", slug="a", content="# A\n\nOne. Two.\n")
    (clash,) = undo(app)["conflicts"]
    assert "changed it since it was created" in clash["reason"]
    assert text(app, "a") == "# A\n\nOne. Two.\n"


def test_a_file_gets_its_own_name_back(app: App, tmp_path: Path) -> None:
    (tmp_path / "vault" / "People").mkdir(parents=True)
    (tmp_path / "vault" / "People" / "Alice Example.md").write_text("# Alice\n")
    call(app, "collection add", name="vault", folder=str(tmp_path / "vault"))
    by(AGENT, app, "mv", slug="people/alice-example", to="contacts/alice")
    undo(app)
    assert [path.name for path in (tmp_path / "vault").rglob("*.md")] == ["Alice Example.md"]


def test_an_edit_by_hand_is_nobody_elses(app: App, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    call(app, "collection add", name="vault", folder=str(vault))
    by(AGENT, app, "put", slug="vault::list", content="# List\n\n- milk\n")
    by(AGENT, app, "put", slug="vault::list", content="# List\n\n- milk\n- eggs\n")
    (vault / "list.md").write_text("# List\n\n- milk\n- eggs\n- my own line\n")
    by(AGENT, app, "get", slug="vault::list")
    versions = call(app, "history", slug="vault::list")["versions"]
    assert [each["by"] for each in versions] == ["edit", "Robot 2.1", "Robot 2.1"]
    assert [each["by"] for each in call(app, "list", by="edit")["pages"]] == ["edit"]
    by(AGENT, app, "tag", slug="vault::list", tag="x")
    (clash,) = undo(app)["conflicts"]
    assert "since it was created" in clash["reason"]
    assert "- my own line" in (vault / "list.md").read_text()


def test_what_is_saved_while_the_person_is_asked_stays(app: App, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "list.md").write_text("- milk\n")
    call(app, "collection add", name="vault", folder=str(vault))
    by(AGENT, app, "put", slug="list", content="- milk\n- eggs\n")

    def save(question: str) -> bool:
        (vault / "list.md").write_text("- my own line\n")
        return True

    app.ask = save
    (clash,) = undo(app, yes=False)["conflicts"]
    assert clash["reason"] == "it was changed meanwhile"
    assert (vault / "list.md").read_text() == "- my own line\n"


def test_a_name_and_a_time_instead_of_a_session(app: App, clock: Clock) -> None:
    by(PERSON, app, "put", slug="a", content="one\n")
    by(AGENT, app, "put", slug="a", content="two\n")
    clock.tick(3600)
    by(Actor("agent", "Robot", "2.2", "r-2"), app, "put", slug="a", content="three\n")
    undo(app, session=None, actor="robot", since="2026-04-14T12:30:00Z")
    assert text(app, "a") == "two\n"
    undo(app, session=None, actor="Robot 2.1", since="24h", page="a")
    assert text(app, "a") == "one\n"
    for wrong in ({}, {"actor": "robot"}, {"actor": "robot", "session": "r-1"}):
        with pytest.raises(InvalidInput, match="whose changes"):
            call(app, "undo", **wrong)
    with pytest.raises(NotFound, match="nobody is called 'Nobody'"):
        call(app, "undo", actor="Nobody", since="24h")
    with pytest.raises(NotFound, match="no session begins with 'zz'"):
        call(app, "undo", session="zz")
    with pytest.raises(Ambiguous, match="2 sessions begin with 'r-'"):
        call(app, "undo", session="r-")


def test_a_long_session_can_be_taken_back_whole(app: App) -> None:
    by(PERSON, app, "put", slug="log", content="# Log\n")
    for number in range(15):
        by(AGENT, app, "put", slug="log", content=f"# Log\n\n{number}\n")
    undo(app)
    assert text(app, "log") == "# Log\n"


def test_lines_of_a_notebook(notes: Notes) -> None:
    before = notes.files()
    by(AGENT, notes.app, "remember", content="add oat milk and rice to shopping")
    by(AGENT, notes.app, "remember", content="todo: call the bank")
    by(PERSON, notes.app, "remember", content="add tea to shopping")
    by(PERSON, notes.app, "remember", content="I called the plumber")
    by(AGENT, notes.app, "daily-log", entry="Nothing happened")
    done = undo(notes.app)
    assert not done["conflicts"]
    assert notes["lists/shopping.md"] == before["lists/shopping.md"].decode() + "- tea\n"
    assert "call the bank" not in notes["lists/todos.md"]
    assert "[x] Call the plumber" in notes["lists/todos.md"]
    assert sorted(notes.files()) == sorted(before)


def test_raw_data_stays_and_is_named(app: App) -> None:
    by(PERSON, app, "put", slug="a", content="one\n")
    by(AGENT, app, "raw", slug="a", source="register", data={"n": 1})
    assert undo(app)["raw_data"] == ["a"]
    assert call(app, "raw", slug="a")["sources"][0]["data"] == {"n": 1}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One memory for all examples; each has a page of its own."""
    opened = open_memory(tmp_path_factory.mktemp("undo") / "memory.db")
    yield opened
    opened.store.close()


TEXTS = st.lists(  # unique: what changes nothing is no version; some of the private area stands for odd bytes
    st.text(st.characters(codec="utf-8", exclude_categories=["Co"], exclude_characters="\0")).filter(
        str.strip
    ),
    min_size=2,
    unique=True,
)


@given(texts=TEXTS, share=st.integers(1, 3))
@settings(max_examples=40)
def test_a_session_on_a_page_that_nobody_else_touched_leaves_no_trace(
    memory: App, texts: list[str], share: int
) -> None:
    own, number = min(share, len(texts) - 1), next(NUMBERS)
    for place, content in enumerate(texts):
        writer = PERSON if place < own else Actor("agent", "Robot", session=f"trace-{number}.")
        by(writer, memory, "put", slug=f"p{number}", content=content)
    undo(memory, session=f"trace-{number}.")
    assert text(memory, f"p{number}") == texts[own - 1]
