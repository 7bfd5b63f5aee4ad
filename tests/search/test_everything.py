"""One search over pages and conversations: what was said is found beside what was written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.app import App, Surroundings
from quaid.settings import Settings
from tests.support import Clock, call, memory_at, quick

SAID = "The harbour crane must be greased every third Friday."
PAGES = {
    "places/harbour": "# Harbour\n\nThe harbour has two berths and a lighthouse.\n",
    "people/ada": "# Ada\n\nShe keeps the lighthouse and likes strong tea.\n",
}


def transcript(home: Path, *said: str, name: str = "s1") -> None:
    lines = [
        {
            "type": role,
            "uuid": f"{name}-{place}",
            "sessionId": name,
            "cwd": "/home/al/port",
            "timestamp": f"2026-04-14T09:00:{place:02}.000Z",
            "message": {"role": role, "content": text},
        }
        for place, text in enumerate(said)
        for role in (("user", "assistant")[place % 2],)
    ]
    path = home / ".claude" / "projects" / "-home-al-port" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def library(tmp_path: Path, clock: Clock) -> Iterator[App]:
    home = tmp_path / "home"
    app = App(memory_at(tmp_path / "memory.db"), Settings(), clock, Surroundings({}, home))
    with app.store.write():
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
    transcript(home, "What about the crane?", SAID, "Thanks, and good night.")
    yield app
    app.store.close()


def test_a_sentence_of_a_transcript_is_found_by_search_and_query(library: App) -> None:
    assert not call(library, "search", query="crane greased")["results"]
    call(library, "conversations index")
    (match,) = call(library, "search", query="crane greased")["results"]
    assert (match["kind"], match["turn"], match["type"]) == ("conversation", 2, "conversation")
    assert "**crane**" in match["snippet"]
    answers = call(library, "query", question="how often must the crane be greased?")["results"]
    said = [answer for answer in answers if answer["kind"] == "conversation"]
    assert [(answer["turn"], answer["content"]) for answer in said] == [(2, SAID)]
    shown = call(library, "conversations show", id=said[0]["slug"], turn=said[0]["turn"], around=0)
    assert [turn["text"] for turn in shown["turns"]] == [SAID]


def test_pages_come_first(library: App) -> None:
    call(library, "conversations index")
    for answers in (
        call(library, "query", question="harbour crane lighthouse")["results"],
        call(library, "search", query="harbour")["results"],
    ):
        kinds = [answer["kind"] for answer in answers]
        assert kinds == sorted(kinds, reverse=True), "page before conversation"
        assert set(kinds) == {"page", "conversation"}


def test_conversations_change_no_score_of_a_page(library: App) -> None:
    question = "who keeps the lighthouse of the harbour?"

    def scores() -> dict[str, float]:
        results = call(library, "query", question=question)["results"]
        return {each["slug"]: each["score"] for each in results if each["kind"] == "page"}

    before = scores()
    transcript(library.home, *(f"harbour lighthouse {number}" for number in range(30)), name="s2")
    call(library, "conversations index")
    call(library, "conversations embed")
    assert scores() == before


@pytest.mark.parametrize("narrow", [{"type": "concept"}, {"wing": "concepts"}, {"collection": "default"}])
def test_a_filter_of_pages_leaves_conversations_out(library: App, narrow: dict[str, str]) -> None:
    call(library, "conversations index")
    for answer in (
        call(library, "query", question="harbour", **narrow),
        call(library, "search", query="harbour", **narrow),
    ):
        assert {each["kind"] for each in answer["results"]} == {"page"}


def test_kind_chooses(library: App) -> None:
    call(library, "conversations index")
    only = call(library, "query", question="harbour", kind="conversation")["results"]
    assert [answer["turn"] for answer in only] == [2]
    pages = call(library, "query", question="harbour crane greased", kind="page")["results"]
    assert {answer["kind"] for answer in pages} == {"page"}
    assert not call(library, "query", question="harbour", kind="conversation", since="2026-05-01")["results"]


def test_what_was_said_about_something_else_is_not_shown_unasked(library: App) -> None:
    call(library, "conversations index")
    answers = call(library, "query", question="what does Ada like to drink in the lighthouse?")["results"]
    assert answers[0]["slug"] == "people/ada"
    assert all(answer["kind"] == "page" for answer in answers)


def test_a_question_without_common_words_finds_an_embedded_turn(library: App) -> None:
    call(library, "conversations index")
    question = "when should I lubricate the lifting machine at the port?"
    call(library, "conversations embed")
    answers = call(library, "query", question=question, kind="conversation")["results"]
    assert answers[0]["content"] == SAID
    assert "meaning" in answers[0]["why"]


def test_the_words_of_a_forgotten_conversation_are_gone(library: App) -> None:
    call(library, "conversations index")
    call(library, "conversations embed")
    call(library, "query", question="crane", kind="conversation")
    copies = library.store.path.parent
    assert list(copies.glob("memory.db.vectors-*-turns"))
    call(library, "conversations forget", id="s1")
    assert not list(copies.glob("memory.db.vectors-*-turns"))
    assert not call(library, "search", query="crane greased")["results"]
    assert not call(library, "query", question="crane", kind="conversation")["results"]
    beside = library.store.path.parent.glob("memory.db*")
    assert not [path.name for path in beside if path.is_file() and b"greased" in path.read_bytes()]


def test_for_people(library: App) -> None:
    call(library, "conversations index")
    library.store.close()
    ran = quick("query", "how often is the crane greased?", "--kind", "conversation", db=library.store.path)
    assert "assistant › turn 2, claude, 2026-04-14, /home/al/port" in ran.out
    assert "0 pages, 1 conversation, " in ran.out
    ran = quick("search", "crane", "greased", db=library.store.path)
    assert ran.out.splitlines()[0].endswith(":2  What about the crane?")
    assert ran.out.splitlines()[-1] == "0 pages, 1 turn"


def test_a_lost_memory_has_conversations_and_their_vectors_again(tmp_path: Path) -> None:
    notes, home = tmp_path / "notes", tmp_path / "home"
    notes.mkdir()
    (notes / "harbour.md").write_text(PAGES["places/harbour"])
    transcript(home, "What about the crane?", SAID)
    quick("init", str(notes))
    db = notes / ".quaid" / "memory.db"
    chats = str(home / ".claude" / "projects")
    assert quick("conversations", "index", chats, "--embed", db=db).status == 0
    assert quick("query", "crane", "--kind", "conversation", db=db).status == 0
    assert list(db.parent.glob("memory.db.vectors-*-turns")), "the question made the copy"
    for path in db.parent.glob("memory.db*"):
        if path.is_file() and ".vectors-" not in path.name:
            path.unlink()
    found = quick("query", "lubricate the lifting machine", "--kind", "conversation", "--json", db=db).json
    assert found["results"][0]["content"] == SAID
    assert quick("conversations", "embed", "--json", db=db).json["embedded"] == 0
