"""What is done to a line by what a network says of it, and by what a sentence has for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from quaid.routing.decision import Decision, decided
from quaid.routing.finder import Line
from quaid.routing.likely_lines import likely
from quaid.routing.settlement import settled

MONDAY = date(2026, 11, 16)
RACK = Line("knowledge/facts.md", "Yard", 5, "bike rack in the yard")
SARAH = Line("reference/contacts.md", "Sarah", 5, "Sarah's number is 555-1234")
MILK = Line("lists/shopping.md", "Shopping", 5, "oat milk")


def decision(said: str, line: Line, odds: Sequence[float]) -> Decision | None:
    """What is done to the only line, if the network says that of it."""
    return decided(said, likely(said, [line]), lambda _, shown: [odds] * len(shown), None, MONDAY)


def test_what_is_known_goes_where_the_network_is_sure() -> None:
    found = decision("the yard's too narrow, no bike rack", RACK, (0.01, 0.03, 0.94, 0.02))
    assert found == Decision("removed", (RACK,), sure=True)


def test_what_is_known_stays_where_it_is_not() -> None:
    found = decision("the yard's too narrow for a bike rack", RACK, (0.01, 0.5, 0.45, 0.04))
    assert found
    assert (found.action, found.sure) == ("corrected", False)


def test_what_is_no_change_for_the_network_changes_nothing() -> None:
    assert decision("the bike rack in the yard is blue", RACK, (0.97, 0.01, 0.01, 0.01)) is None


@pytest.mark.parametrize(
    ("said", "line", "sure", "action"),
    [
        ("the yard's too narrow, no bike rack", RACK, True, "removed"),
        ("the yard's too narrow, no bike rack", RACK, False, "corrected"),
        ("Sarah has a new number, 555-9999", SARAH, True, "corrected"),
        ("no milk, it makes me ill", MILK, True, "removed"),
    ],
)
def test_another_value_speaks_against_that_a_line_goes(
    said: str, line: Line, sure: bool, action: str
) -> None:
    assert settled(said, "removed", [], line, MONDAY, sure=sure)[0] == action
