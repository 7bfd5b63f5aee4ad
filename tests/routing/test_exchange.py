"""Which words of a sentence take the place of which words of a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.routing import exchange
from quaid.routing.amendments import readings
from quaid.routing.exchange import Marks
from quaid.routing.finder import Line
from quaid.routing.rewording import reworded
from quaid.routing.settlement import settlement

MONDAY = date(2026, 11, 16)


def marked(said: str, line: str, made: str, sure: float = 0.95) -> Marks:
    """What a network says that knows how a line is to become."""
    taken, gone, _ = exchange.word_labels(said, line, made)
    return Marks(
        tuple(sure if each else 1 - sure for each in taken),
        tuple(sure if each else 1 - sure for each in gone),
    )


@pytest.mark.parametrize(
    ("said", "line", "made"),
    [
        ("Hanneke asks 10.50 these days", "sitter Hanneke, 9 euro an hour",
         "sitter Hanneke, 10.50 euro an hour"),
        ("they put me at 31 since the works", "market stall number 22 at the praza",
         "market stall number 31 at the praza"),
        ("cards are at Winnie's, Doreen has the decorators in", "Bridge at Doreen's, bring cake",
         "Bridge at Winnie's, bring cake"),
        ("we pour the Nero d'Avola as house red, 22 the bottle",
         "House red is the Montepulciano at 24 a bottle",
         "House red is the Nero d'Avola at 22 a bottle"),
    ],
)  # fmt: skip
def test_the_words_that_a_network_marks_are_exchanged_and_all_others_stay(
    said: str, line: str, made: str
) -> None:
    found = reworded(said, list(readings(said)), line, MONDAY, marked(said, line, made))
    assert found.startswith(made)


def test_words_that_are_said_to_go_make_room_for_those_that_are_marked() -> None:
    said, line = (
        "make Ollie's a Leeds bobble hat rather than the scarf",
        Line("l", "", 1, "Ollie - Leeds scarf"),
    )

    def marker(mine: Sequence[str], own: Sequence[str]) -> list[float]:
        return [0.74 if each in ("bobble", "hat") else 0.04 for each in (*mine, *own)]

    assert settlement(said, "corrected", (), line, MONDAY, marker)[1] == "Ollie - Leeds bobble hat"


def test_a_note_beside_a_day_goes_with_the_day() -> None:
    said, line = (
        "jabs are on Thursday, twenty past eleven",
        "his jabs are Wednesday (2026-11-18), bring the book",
    )
    found = reworded(said, (), line, MONDAY, marked(said, line, "his jabs are Thursday, bring the book"))
    assert found.startswith("his jabs are Thursday (2026-11-19)")
    assert "2026-11-18" not in found


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the scan has been moved to Friday", "2026-11-27"),
        ("the scan has been moved to the 3rd", "2026-12-03"),
        ("the scan has been moved to next Friday", "2026-11-27"),
        ("the scan has been moved to tomorrow", "2026-11-17"),
        ("the scan has been moved to 20 November", "2026-11-20"),
    ],
)
def test_a_day_of_the_week_is_that_of_the_line_s_own_week(said: str, day: str) -> None:
    line = Line("lists/appointments.md", "", 3, "scan Thursday 26 Nov (2026-11-26) 8am")
    action, text = settlement(said, "corrected", list(readings(said)), line, MONDAY)
    assert action == "corrected"
    assert f"({day})" in text
    assert "8am" in text


@given(st.text(max_size=60), st.text(max_size=60), st.data())
def test_any_marks_of_any_texts_are_read(said: str, line: str, data: st.DataObject) -> None:
    odds = st.sampled_from((0.0, 0.3, 0.6, 1.0))
    marks = Marks(
        *(tuple(data.draw(odds) for _ in exchange.words(text)) for text in (said, line)),
    )
    for spans in exchange.wordings(said, line, marks):
        assert all(0 <= start <= end <= len(line) for start, end, _ in spans)
    assert exchange.surprise(said, line, line, marks) >= 0
