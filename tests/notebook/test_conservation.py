"""Whatever changes a line, rules or a network that errs: nothing said is lost, no other line changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Ambiguous, NotFound
from quaid.notebook.amendments import Desk, amending, lines_of, plan
from quaid.notebook.edits import Leaf
from quaid.routing.conservation import news, unsaid_clauses
from quaid.routing.evidence import Odds
from tests.notebook.notebooks import Notes, notes
from tests.support import Clock, examples

__all__ = ["notes"]
TODAY = date(2026, 11, 16)
NAMES = ("Sarah", "Otto", "Yusuf")
THINGS = ("phone", "badge", "locker", "mailbox")
VALUES = ("555-9999", "8080", "B17", "otto@globex.example", "14:45")
ITEMS = ("olive oil", "coffee beans", "candles")
CLAUSES = (
    "",
    "the lock froze",
    "bring the ladder",
    "Priya paid the plumber",
    "he moved to Bergen",
    "there was a queue at the counter",
)
ODDS = ((0.97, 0.01, 0.01, 0.01), (0.02, 0.9, 0.04, 0.04), (0.02, 0.04, 0.9, 0.04), (0.02, 0.04, 0.04, 0.9))
SENTENCES = (
    "{name} has a new {thing}, {value}",
    "{name}'s {thing} is {value} now",
    "actually it's {value}",
    "Correction: {name}'s {thing} is {value}",
    "{name} left, the {thing} is {value}",
    "{name}'s {thing} isn't 4711, it's {value}",
    "no more {item}",
    "bought the {item}",
    "take {item} off the list",
    "forget {name}'s {thing}",
    "{name} gave the {thing} back",
    "called {name}",
)


@st.composite
def told(draw: Any) -> tuple[str, list[str]]:
    """A sentence, and what of it must stand somewhere afterwards."""
    parts = {
        "name": draw(st.sampled_from(NAMES)),
        "thing": draw(st.sampled_from(THINGS)),
        "value": draw(st.sampled_from(VALUES)),
        "item": draw(st.sampled_from(ITEMS)),
    }
    form, clause = draw(st.sampled_from(SENTENCES)), draw(st.sampled_from(CLAUSES))
    said = form.format(**parts) + (f", {clause}" if clause else "")
    wanted = [each for each in ("froze", "ladder", "Priya", "Bergen", "queue") if each in clause]
    return said, [*wanted, *([parts["value"]] if "{value}" in form else [])]


@st.composite
def files(draw: Any) -> dict[str, str]:
    """A small notebook."""
    name, thing = st.sampled_from(NAMES), st.sampled_from(THINGS)
    number = st.sampled_from(("4711", "555-1234", "9:30", "otto@acme.example"))
    facts = draw(st.lists(st.builds("{}'s {} is {}".format, name, thing, number), max_size=4, unique=True))
    items = draw(st.lists(st.sampled_from(ITEMS), max_size=3, unique=True))
    todos = draw(st.lists(st.builds("call {} about the {}".format, name, thing), max_size=3, unique=True))
    return {
        "knowledge/facts.md": "# Facts\n\n## People\n\n" + "".join(f"- {each}\n" for each in facts),
        "lists/shopping.md": "# Shopping\n\n## Shopping list\n\n" + "".join(f"- {each}\n" for each in items),
        "lists/todos.md": "# To do\n\n## To do\n\n" + "".join(f"- [ ] {each}\n" for each in todos),
    }


@examples(150, 1_500)
@given(files(), told(), st.data())
def test_nothing_said_is_lost_and_no_other_line_changes(
    notebook: dict[str, str], told: tuple[str, list[str]], data: st.DataObject
) -> None:
    said, wanted = told
    lines = [line for path, text in notebook.items() for line in lines_of(path, Leaf(text))]
    odds = st.sampled_from(ODDS)

    def reader(_: str, shown: Sequence[str]) -> list[Odds | None]:
        return [data.draw(odds) for _ in shown]

    def marker(one: Sequence[str], other: Sequence[str]) -> list[float]:
        return [data.draw(st.sampled_from((0.02, 0.4, 0.98))) for _ in (*one, *other)]

    network, marks = data.draw(st.sampled_from([(None, None), (reader, None), (reader, marker)]))
    try:
        made = plan(said, Desk(lambda: lines, TODAY, lambda: network, lambda: marks))
    except (Ambiguous, NotFound):
        return
    after = dict(notebook)
    for path in {change.line.path for change in made.changes}:
        mine = [change for change in made.changes if change.line.path == path]
        after[path] = amending(mine, lambda _: None)(after[path])
    everything = "\n".join((*after.values(), made.rest, *made.more))
    assert [each for each in wanted if each not in everything] == []
    changed = {(change.line.path, change.line.text) for change in made.changes}
    for line in lines:
        if (line.path, line.text) not in changed:
            assert line.text in after[line.path]


@pytest.mark.parametrize(
    ("before", "sentence", "action", "line", "more"),
    [
        (
            "Sarah's number is 555-1234",
            "Sarah has a new number, 555-9999",
            "corrected",
            "Sarah's number is 555-9999",
            "",
        ),
        ("remind me to call mum", "called mum", "done", "call mum", ""),
        (
            "todo: ring the bank",
            "rang the bank, they want the form",
            "done",
            "ring the bank",
            "they want the form",
        ),
        (
            "Lena is allergic to peanuts",
            "Lena isn't allergic to peanuts, it's walnuts",
            "corrected",
            "Lena is allergic to walnuts",
            "",
        ),
        (
            "my shoe size is 43",
            "shoe size is 44 in hiking boots",
            "added",
            "shoe size is 44 in hiking boots",
            "",
        ),
        (
            "Tom's email is tom@acme.example",
            "Tom left Acme, his new mail is tom@globex.example",
            "corrected",
            "Tom's email is tom@globex.example (Tom left Acme)",
            "",
        ),
        (
            "buy olive oil",
            "take olive oil off the list, there is a bottle in the cellar",
            "removed",
            "olive oil",
            "in the cellar",
        ),
    ],
)
def test_what_is_said_beyond_a_change_is_kept(
    notes: Notes, clock: Clock, before: str, sentence: str, action: str, line: str, more: str
) -> None:
    notes.remember(before)
    clock.tick(60)
    places = notes.call("remember", content=sentence)["places"]
    assert (places[0]["action"], places[0]["texts"]) == (action, [line])
    if more:
        assert places[1]["action"] == "logged"
        assert more in notes[places[1]["path"]]
    else:
        assert all(place["action"] != "logged" or sentence in place["texts"] for place in places[1:])


def test_an_entry_of_todays_log_can_be_corrected(notes: Notes, clock: Clock) -> None:
    path = notes.call("daily-log", entry="Met Ada Nowak at the harbour")["path"]
    clock.tick(60)
    place = notes.remember("Met Ada Novak at the harbour", line="Met Ada Nowak at the harbour")
    assert (place["path"], place["action"]) == (path, "corrected")
    assert "Ada Novak" in notes[path]
    assert "Nowak" not in notes[path]
    assert notes.remember("that", line="Met Ada Novak at the harbour", remove=True)["action"] == "removed"
    assert "harbour" not in notes[path]


def test_news_are_what_a_text_does_not_say() -> None:
    assert news("the gate code is 4471 now", "the gate code is 3390", TODAY) == {"number:4471"}
    assert not news("called mum", "call mum on Sunday", TODAY)
    assert unsaid_clauses(
        "it's 4471 now, Uwe told me, bring a torch", "the gate code is 4471, Uwe", TODAY
    ) == ["bring a torch"]


def test_a_bare_value_is_for_an_open_line_that_has_such_a_value(notes: Notes, clock: Clock) -> None:
    for said in ("dentist on Thursday at 4pm", "remind me to call mum on Sunday", "called mum"):
        notes.remember(said)
        clock.tick(60)
    place = notes.remember("Actually it's 5pm")
    assert place["path"] == "lists/appointments.md"
    assert "at 5pm" in notes["lists/appointments.md"]


def test_what_somebody_likes_is_no_item_of_a_list(notes: Notes, clock: Clock) -> None:
    notes.remember("buy milk")
    clock.tick(60)
    assert notes.remember("I take milk in my coffee these days")["path"] == "reference/preferences.md"
    assert "- Milk" in notes["lists/shopping.md"]
