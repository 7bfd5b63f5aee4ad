"""Where something new belongs by what was learnt from the sentences of others."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from quaid.embed.judge import CHANGES, open_judge
from quaid.notebook.places import FILES
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Route, Shelf, ShelfSection
from tests.embed.support import a_context

MONDAY = date(2026, 11, 16)
SHELF = Shelf(tuple(FILES))


def placed(said: str, shelf: Shelf = SHELF) -> Route:
    """The place of a sentence, with the network."""
    judge = open_judge(a_context(Path()), CHANGES)
    assert judge
    [found] = route(said, Hints(day=MONDAY), shelf, judge.summary)
    return found


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("wood glue, the fast one", "lists/shopping.md"),
        ("oh and sandpaper for the bench as well", "lists/shopping.md"),
        ("another scan at the clinic, fri 11 dec", "lists/appointments.md"),
        ("maybe the hall could be green next spring", "lists/ideas.md"),
        ("a fox sat by the shed again last night", "daily/2026-11-16.md"),
        (
            "if a client writes at night just tell them I answer in the morning",
            "reference/standing-orders.md",
        ),
    ],
)
def test_what_no_phrase_tells_goes_where_people_put_such_things(said: str, path: str) -> None:
    assert placed(said).path == path


def test_one_thing_with_commas_is_one_item() -> None:
    assert placed("oh and sandpaper, 3 sheets, for the bench").texts == (
        "sandpaper, 3 sheets, for the bench",
    )


def test_a_list_that_is_named_is_taken() -> None:
    assert placed("add a green hall to my ideas list").path == "lists/ideas.md"


def test_what_the_network_cannot_read_is_placed_by_the_rules() -> None:
    said = "Лампа в коридоре"
    assert placed(said) == route(said, Hints(day=MONDAY), SHELF)[0]


def test_the_day_of_somebody_who_is_a_contact_stands_with_the_contact() -> None:
    shelf = Shelf(tuple(FILES), {"reference/contacts.md": ("Anna",)})
    found = placed("Anna's birthday is 3 May", shelf)
    assert (found.path, found.section) == ("reference/contacts.md", "Anna")


@pytest.mark.parametrize(
    "said",
    ["wool socks and matches for the hut", "matches, candles for the hut bag"],
)
def test_what_is_for_the_same_goes_to_the_same_list(said: str) -> None:
    packed = ShelfSection("lists/packing.md", "", "sleeping bag for the hut")
    shelf = Shelf((*FILES, "lists/packing.md"), find_sections=lambda _: (packed,))
    assert placed(said, shelf).path == "lists/packing.md"
