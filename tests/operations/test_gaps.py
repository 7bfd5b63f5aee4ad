"""Questions that could not be answered: what is kept of them, and who may know."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.graph.gaps import hash_of, resolve_answered
from quaid.search.confidence import WEAK
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.support import Clock, call, dump, held, mounted, open_memory, quick

QUESTION = "Who runs the Lisbon office?"


@pytest.fixture
def garden(app: App) -> App:
    """A memory that knows of gardening, and nothing else."""
    for number, plant in enumerate(("tomatoes", "roses", "apple trees", "basil")):
        call(
            app,
            "put",
            slug=f"plants/{number}",
            content=f"# {plant.title()}\n\nWater {plant} in the morning.\n",
        )
    return app


def gaps(app: App, **options: Any) -> list[dict[str, Any]]:
    return list(call(app, "gaps", **options)["gaps"])


def every_text(app: App) -> str:
    return repr(dump(app.store.path))


def test_a_question_without_an_answer_is_noted_by_its_hash_alone(garden: App) -> None:
    answer = call(garden, "query", question="quarterly revenue of the Zanzibar subsidiary")
    (gap,) = gaps(garden)
    assert gap["query_hash"] == sha256(b"quarterly revenue of the zanzibar subsidiary").hexdigest()
    assert gap["confidence"] == answer["confidence"] < WEAK
    assert (gap["sensitivity"], gap["times"]) == ("internal", 1)
    assert "query" not in gap
    garden.store.connection.wal_checkpoint()
    assert "Zanzibar" not in every_text(garden)
    assert "zanzibar" not in every_text(garden)
    assert b"anzibar" not in garden.store.path.read_bytes()


def test_a_question_that_is_answered_is_no_gap(garden: App) -> None:
    answer = call(garden, "query", question="when should I water my tomatoes?")
    assert answer["confidence"] >= WEAK
    assert call(garden, "query", question="Tomatoes")["confidence"] == 1.0
    assert gaps(garden) == []


def test_a_question_that_returns_is_counted(garden: App, clock: Clock) -> None:
    call(garden, "query", question=QUESTION)
    later = clock.tick(3600)
    for spelling in ("who runs the Lisbon office", "  WHO runs the  Lisbon office?! "):
        call(garden, "query", question=spelling)
    (gap,) = gaps(garden)
    assert (gap["times"], gap["asked_at"], gap["detected_at"]) == (3, later, "2026-04-14T12:00:00Z")


def test_a_question_about_some_pages_only_says_nothing_of_the_memory(garden: App) -> None:
    call(garden, "query", question=QUESTION, type="person")
    assert gaps(garden) == []


def test_noting_can_be_turned_off(garden: App) -> None:
    call(garden, "config set", key="gaps.log", value="false")
    again = garden.reread()
    call(again, "query", question=QUESTION)
    assert gaps(again) == []


def test_a_question_does_not_wait_for_somebody_who_writes(garden: App) -> None:
    call(garden, "query", question="tomatoes")
    with held(garden.store.path, "BEGIN IMMEDIATE"):
        assert call(garden, "query", question=QUESTION)["confidence"] < 0.67
    assert gaps(garden) == []


def test_a_memory_that_cannot_be_written_answers_all_the_same(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        app = open_memory(disk / "memory.db")
        call(app, "put", slug="plants/roses", content="# Roses\n\nWater roses in the morning.\n")
        call(app, "embed")
        app.store.close()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        reopened = App(Store.open(disk / "memory.db"), Settings())
        assert call(reopened, "query", question=QUESTION)["confidence"] < 0.67
        assert gaps(reopened) == []
        reopened.store.close()


def test_an_agent_notes_a_gap_and_cannot_choose_who_may_know(app: App) -> None:
    gap = call(app, "gap", query_text=QUESTION, context="the Friday meeting", confidence_score=0.2)
    assert gap["query_hash"] == hash_of(QUESTION)
    assert (gap["sensitivity"], gap["context"], gap["confidence"]) == ("internal", "the Friday meeting", 0.2)
    assert "Lisbon" not in every_text(app)
    with pytest.raises(InvalidInput):
        call(app, "gap", query_text=QUESTION, sensitivity="external")
    for wrong in ({"query_text": "  "}, {"query_text": "x", "confidence_score": 2.0}):
        with pytest.raises(InvalidInput):
            call(app, "gap", **wrong)


def test_approval_records_who_and_when(app: App) -> None:
    call(app, "gap", query_text=QUESTION)
    done = call(app, "gaps approve", gap_id=1, sensitivity="external", approver="Ada", query=QUESTION)
    assert (done["approved_by"], done["approved_at"]) == ("Ada", "2026-04-14T12:00:00Z")
    assert done["query"] == QUESTION
    assert [gap["query"] for gap in gaps(app)] == [QUESTION]


def test_a_redacted_question_keeps_the_question_itself_out(app: App) -> None:
    call(app, "gap", query_text=QUESTION)
    done = call(
        app,
        "gaps approve",
        gap_id=1,
        sensitivity="redacted",
        approver="Ada",
        redacted_query="who runs an office?",
    )
    assert done["redacted_query"] == "who runs an office?"
    assert "query" not in done
    assert "Lisbon" not in every_text(app)


@pytest.mark.parametrize(
    "options",
    [
        {"sensitivity": "redacted", "approver": "Ada"},
        {"sensitivity": "redacted", "approver": "Ada", "query": QUESTION},
        {"sensitivity": "redacted", "approver": "Ada", "redacted_query": "who runs the lisbon office"},
        {"sensitivity": "external", "approver": "Ada"},
        {"sensitivity": "external", "approver": "  ", "query": QUESTION},
        {"sensitivity": "external", "approver": "Ada", "query": "another question"},
        {"sensitivity": "internal", "approver": "Ada"},
    ],
)
def test_what_the_rules_do_not_allow_is_refused(app: App, options: dict[str, Any]) -> None:
    call(app, "gap", query_text=QUESTION)
    with pytest.raises(InvalidInput):
        call(app, "gaps approve", gap_id=1, **options)
    assert gaps(app)[0]["sensitivity"] == "internal"
    assert "approved_by" not in gaps(app)[0]


def test_a_page_resolves_a_gap(garden: App) -> None:
    call(garden, "gap", query_text=QUESTION)
    done = call(garden, "gaps resolve", gap_id=1, slug="Roses")
    assert done["resolved_by"] == "plants/1"
    assert gaps(garden) == []
    assert [gap["id"] for gap in gaps(garden, resolved=True)] == [1]
    assert call(garden, "gaps resolve", gap_id=1, slug="plants/1") == done
    with pytest.raises(Conflict):
        call(garden, "gaps resolve", gap_id=1, slug="plants/2")
    with pytest.raises(Conflict):
        call(garden, "gaps approve", gap_id=1, sensitivity="external", approver="Ada", query=QUESTION)
    assert call(garden, "gap", query_text=QUESTION)["id"] == 2


@pytest.mark.parametrize("name", ["gaps approve", "gaps resolve"])
def test_a_gap_that_there_is_not(garden: App, name: str) -> None:
    more = {"slug": "plants/1"} if name == "gaps resolve" else {"sensitivity": "external", "approver": "Ada"}
    with pytest.raises(NotFound):
        call(garden, name, gap_id=7, **more)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("# Maria\n\nMaria runs our office in Lisbon.\n", True),
        ("# Lisbon\n\nThe office was renovated; Maria is running it.\n", True),
        ("# Lisbon\n\nA city in Portugal.\n", False),
        ("# Porto\n\nMaria runs the office there.\n", False),
    ],
)
def test_a_new_page_that_answers_an_approved_gap_resolves_it(garden: App, text: str, resolved: bool) -> None:
    call(garden, "gap", query_text=QUESTION)
    call(garden, "gaps approve", gap_id=1, sensitivity="external", approver="Ada", query=QUESTION)
    call(garden, "put", slug="notes/new", content=text)
    expected = [("notes/new", 1)] if resolved else []
    assert [(gap["resolved_by"], gap["id"]) for gap in gaps(garden, resolved=True)] == expected


def test_only_approved_gaps_are_resolved_by_new_pages(garden: App) -> None:
    call(garden, "gap", query_text=QUESTION)
    call(garden, "put", slug="notes/new", content="# Maria\n\nMaria runs our office in Lisbon.\n")
    with garden.store.write() as connection:
        assert not resolve_answered(connection, [(garden.page("notes/new").id, "notes/new", garden.now())])
    assert len(gaps(garden)) == 1


def test_the_list_shows_what_was_asked_most_often_first(app: App) -> None:
    for question in ("one", "two", "two", "three"):
        call(app, "gap", query_text=question)
    assert [(gap["id"], gap["times"]) for gap in gaps(app, limit=2)] == [(2, 2), (1, 1)]
    assert call(app, "gaps", limit=2)["open"] == 3


def test_who_asked_in_a_shell_sees_the_words(app: App, db: Path, tmp_path: Path) -> None:
    call(app, "put", slug="plants/basil", content="Water basil in the morning.\n")
    number = quick("query", "who runs the Lisbon office", "--json", db=db).json["gap"]
    found = quick("gaps", "--json", db=db).json["gaps"]
    assert [(each["id"], each["asked"]) for each in found] == [(number, "who runs the Lisbon office")]
    assert "who runs the Lisbon office" in quick("gaps", db=db).out
    kept = tmp_path / ".quaid" / "questions.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert b"Lisbon" not in db.read_bytes()
    assert all("asked" not in each for each in call(app, "gaps")["gaps"])
    kept.write_text("[1, 2]")
    assert "hash" in quick("gaps", db=db).out
