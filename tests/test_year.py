"""A year with one memory: a notebook, pages that disagree, a knowledge base with two writers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.errors import Ambiguous
from quaid.model.actor import Actor, acting
from quaid.operations.results import as_data
from tests.kb.conftest import own_directories
from tests.kb.repositories import Repository, World
from tests.notebook.notebooks import FILES, Notes, made
from tests.support import Clock

__all__ = ["own_directories"]

HALDEN = """\
---
title: Halden Optics
type: company
hq: Hamburg
headcount: 84
status: negotiation
---
# Halden Optics

Halden Optics is based in Hamburg, Germany. It makes lenses.

---

## Timeline

- 2026-01-12: First call
"""
INGRID = """\
---
title: Ingrid Vik
type: person
company: "[[companies/halden]]"
role: CTO
---
# Ingrid Vik

Ingrid is the CTO of [[companies/halden]].
"""


@pytest.fixture
def year(tmp_path: Path, clock: Clock) -> Iterator[Year]:
    """A notebook that is the default collection, and a knowledge base beside it."""
    notes = made(tmp_path / "notes", FILES, clock)
    yield Year(notes, World(tmp_path).made("kb"), clock)
    notes.app.store.close()


class Year:
    """One person, their agent, and what they keep."""

    def __init__(self, notes: Notes, kb: Repository, clock: Clock) -> None:
        self.notes = notes
        self.kb = kb
        self._clock = clock

    def on(self, day: str) -> None:
        """It is noon of that day."""
        self._clock.moment = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)

    def says(self, sentence: str) -> Any:
        """The person says something; the answer is its first place."""
        self._clock.tick(60)
        return self.notes.remember(sentence)

    def agent(self, name: str, **values: Any) -> Any:
        """The person's agent calls an operation."""
        operation = operations.operation(name)
        arguments = operations.decode(operation.arguments, values, tool=False)
        with acting(Actor("agent", "Agent", "1")):
            return as_data(operations.run(self.notes.app, operation, arguments))

    def line(self, question: str) -> str:
        """The first line that an agent is given."""
        return str(self.notes.call("recall", query=question)["notebook"][0]["snippet"])


def test_a_notebook_is_kept_right(year: Year) -> None:
    year.on("2026-01-14")
    year.says("The staging port is 8443")
    year.says("Dentist tomorrow at 4pm")
    year.says("we need coffee beans, olive oil and lightbulbs (E27, warm white)")
    moved = year.says("Actually the dentist is at 5pm")
    assert (moved["action"], moved["was"]) == ("corrected", "Dentist tomorrow (2026-01-15) at 4pm")
    assert "Dentist tomorrow (2026-01-15) at 5pm" in year.notes["lists/appointments.md"]

    year.on("2026-01-20")
    year.says("I bought the coffee beans")
    year.says("take olive oil off the shopping list")
    shopping = year.notes["lists/shopping.md"]
    assert [name in shopping for name in ("- Milk", "- Eggs", "lightbulbs (E27, warm white)")] == [True] * 3
    assert "- olive oil" not in shopping.lower()
    assert "- coffee beans" not in shopping.lower()

    year.on("2026-03-02")
    year.says("Correction: the staging port is 9443")
    assert "9443" in year.line("what is the staging port?")
    assert "8443" not in year.notes["knowledge/facts.md"]
    kept = year.notes.call("history", slug="knowledge/facts")["versions"]
    assert len(kept) > 1  # the old wording can be read

    year.on("2026-06-01")
    year.says("todo: call the bank")
    year.says("todo: call the insurance")
    before = year.notes.files()
    with pytest.raises(Ambiguous, match=r"call the bank .*call the insurance"):
        year.says("the call is done")
    assert year.notes.files() == before


def test_pages_disagree_and_the_person_decides(year: Year) -> None:
    call = year.notes.call
    year.on("2026-01-12")
    call("put", slug="companies/halden", content=HALDEN)
    call("put", slug="people/ingrid-vik", content=INGRID)
    assert call("check", all=True)["open"] == 0  # Hamburg is Hamburg, Germany

    year.on("2026-05-04")
    call(
        "timeline-add",
        slug="companies/halden",
        date="2026-05-04",
        summary="Deal closed on 2026-05-04, signed",
    )
    clash = [each for each in call("check", all=True)["findings"] if each["type"] != "stale"]
    assert [side["statement"] for side in clash[0]["sides"]] == [
        "Deal closed on 2026-05-04, signed",
        "companies/halden status negotiation",
    ]
    text = call("get", slug="companies/halden")["content"]
    call("put", slug="companies/halden", content=text.replace("status: negotiation", "status: closed"))
    assert not [each for each in call("check", all=True)["findings"] if each["type"] != "stale"]

    call("assert", subject="people/ingrid-vik", predicate="office", object="Hamburg")
    year.on("2026-07-01")
    other = year.agent(
        "assert", subject="people/ingrid-vik", predicate="office", object="Oslo", valid_from="2026-07-01"
    )
    objects = {each["object"] for each in call("facts", subject="people/ingrid-vik")["facts"]}
    assert {"Hamburg", "Oslo"} <= objects  # nobody's word was overwritten
    found = [each for each in call("check", all=True)["findings"] if "Oslo" in each["description"]]
    call("check", resolve=found[0]["id"], keep=other["id"])
    offices = {
        day: [
            each["object"]
            for each in call("facts", subject="people/ingrid-vik", predicate="office", at=day)["facts"]
        ]
        for day in ("2026-06-01", "2026-08-01")
    }
    assert offices == {"2026-06-01": ["Hamburg"], "2026-08-01": ["Oslo"]}
    people = call("facts", predicate="works_at", object="companies/halden")["facts"]
    assert [each["subject"] for each in people] == ["people/ingrid-vik"]


def test_an_agent_contests_what_the_person_said(year: Year) -> None:
    stated = year.kb.remember(
        "Formatter", "Code is formatted with black.", "--confidence", "user-stated", body="Since 2024.\n"
    )
    mine = year.kb.text(stated)
    ran = year.kb.run(
        *("remember", "--title", "Formatter", "--summary", "Code is formatted with ruff."),
        *("--update", stated, "--created-by", "claude-code", "--json"),
    )
    assert "Code is formatted with black." in year.kb.text(stated), ran.err
    assert "Since 2024." in year.kb.text(stated)
    assert ":CREATED_BY: human" in mine
    assert ":CREATED_BY: human" in year.kb.text(stated)
    contest = year.kb.ok("show", ran.json["id"]).out
    assert "CONTRADICTS" in year.kb.text(stated)
    assert "ruff" in contest  # both sides are kept
    assert year.kb.run("delete", "ormatte", "--yes").status != 0  # a part of a title is no target
