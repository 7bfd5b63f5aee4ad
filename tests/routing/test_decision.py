"""What is done to a line by what a network says of it, and by what a sentence has for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from quaid.routing.amendments import Amendment, readings
from quaid.routing.decision import Decision, decision_on
from quaid.routing.finder import Fit, Line, find
from quaid.routing.likely_lines import likely
from quaid.routing.settlement import settlement, takes_too_much

MONDAY = date(2026, 11, 16)
RACK = Line("knowledge/facts.md", "Yard", 5, "bike rack in the yard")
SARAH = Line("reference/contacts.md", "Sarah", 5, "Sarah's number is 555-1234")
MILK = Line("lists/shopping.md", "Shopping", 5, "oat milk")


def decision(said: str, line: Line, odds: Sequence[float], *, ruled: bool = False) -> Decision | None:
    """What is done to the only line, if the network says that of it; and rules what they find, if asked."""
    fit = find(list(readings(said)), [line], MONDAY, said) if ruled else None
    return decision_on(said, likely(said, [line]), lambda _, shown: [odds] * len(shown), fit, MONDAY)


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
    assert settlement(said, "removed", [], line, MONDAY, sure=sure)[0] == action


AMENDED = (0.005, 0.99, 0.003, 0.002)
GONE = (0.15, 0.05, 0.3, 0.5)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        # Of somebody in a line something else is told.
        ("picked up Romy with a fever at noon", "Romy swimming Wednesdays 5:15"),
        # The same thing for something else.
        ("conda env for upsell is ups311", "conda env for churn: churn310"),
        # It says too much besides, and no value stands in the place of another.
        ("Raj reckons his plot's frost-free by April, lucky beggar", "plot 9 gets frost till mid May"),
        ("the plot next door is frost-free", "plot 9 gets frost till mid May"),
        # What it is called is no word of change.
        (
            "The booking service runs on the machine called heron",
            "We decided to use Postgres instead of MongoDB for the booking service",
        ),
        # Hardly a word of it is about the line.
        ("her sister has coeliac, so one small cake without gluten goes beside it", "cake: three tiers"),
    ],
)
def test_a_line_is_not_corrected_by_what_tells_of_something_else(said: str, line: str) -> None:
    known = Line("knowledge/facts.md", "General", 5, line)
    found = decision(said, known, AMENDED)
    assert found is None or found.doubtful


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("they reset my locker, it's 8850 now", "locker code on the ward is 4417"),
        ("ward desk is 4417, my fat fingers", "Ward 12 desk ext 4471"),
        ("the freeze got extended to Dec 8", "payments are under a freeze until Dec 1"),
    ],
)
def test_a_value_in_the_place_of_another_corrects(said: str, line: str) -> None:
    known = Line("knowledge/facts.md", "General", 5, line)
    assert decision(said, known, AMENDED) == Decision("corrected", (known,))


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("no marmalade with whisky in it", "marmalade"),
        ("the yearlings in the far pen got the blue tags", "worm the yearlings"),
    ],
)
def test_a_thing_on_a_list_does_not_go_by_what_is_said_of_another(said: str, line: str) -> None:
    known = Line("lists/todos.md", "To do", 5, line)
    found = decision(said, known, GONE)
    assert found is None or found.doubtful


def test_a_taste_does_not_go_by_what_happened() -> None:
    taste = Line("reference/preferences.md", "Food and drink", 5, "I take my coffee black")
    found = decision("I had a black coffee at the station, awful", taste, (0.1, 0.05, 0.8, 0.05))
    assert found is None or found.doubtful
    assert decision("I don't take my coffee black any more", taste, (0.02, 0.03, 0.9, 0.05)) == Decision(
        "removed", (taste,), sure=True
    )


def test_news_of_a_project_do_not_take_away_what_was_said_of_it() -> None:
    known = Line("knowledge/projects.md", "Heron", 5, "project Heron: waiting for legal sign-off")
    found = decision("heron: legal has signed", known, (0.01, 0.04, 0.9, 0.05))
    assert found is None or found.doubtful
    assert decision("Heron is off, forget it", known, (0.01, 0.04, 0.9, 0.05)) == Decision(
        "removed", (known,), sure=True
    )


def test_of_lines_that_are_meant_alike_the_one_with_such_a_value_is() -> None:
    safe = Line("knowledge/facts.md", "Lockhart", 5, "Key safe at Mrs Lockhart's: in the porch")
    roses = Line("lists/appointments.md", "", 3, "Rose pruning at Mrs Lockhart's, 19 November, 10 a.m.")
    said = "Mrs Lockhart would rather have me on the 20th"
    found = decision_on(
        said, likely(said, [safe, roses]), lambda _, shown: [AMENDED] * len(shown), None, MONDAY
    )
    assert found == Decision("corrected", (roses,))


def test_of_lines_that_are_meant_alike_the_one_of_which_more_is_said_is() -> None:
    dingle = Line("lists/appointments.md", "", 3, "gig in Dingle Fri 27 nov, soundcheck 6")
    ennis = Line("lists/appointments.md", "", 4, "gig in Ennis Sat 5 dec, soundcheck 7")
    said = "the soundcheck in Dingle is at 5 now"
    found = decision_on(
        said, likely(said, [dingle, ennis]), lambda _, shown: [AMENDED] * len(shown), None, MONDAY
    )
    assert found == Decision("corrected", (dingle,))


def test_a_line_that_only_the_rules_find_is_not_asked_about() -> None:
    twine = Line("lists/shopping.md", "Shopping", 3, "baling twine")
    copper = Line("knowledge/facts.md", "Sheep", 4, "Copper poisons sheep, never give cattle minerals")
    said = "neighbour gave me two rolls of twine so no need to buy"
    fit = Fit(Amendment("removed", said), (twine, copper))
    meant, other = (0.02, 0.01, 0.95, 0.02), (0.97, 0.01, 0.01, 0.01)
    found = decision_on(
        said,
        likely(said, [twine, copper]),
        lambda _, shown: [meant if "twine" in each else other for each in shown],
        fit,
        MONDAY,
    )
    assert found == Decision("removed", (twine,), sure=True)


def test_what_is_called_off_goes_whatever_else_is_said() -> None:
    course = Line("lists/appointments.md", "", 3, "BLS renewal Sunday 22 Nov (2026-11-22) 9am, 2nd floor")
    said = "BLS is cancelled for me, my card is valid until 2028"
    found = decision(said, course, (0.06, 0.91, 0.02, 0.01))
    assert found
    assert found.action == "removed"
    found = decision("BLS is cancelled, it's on the 29th at 9 now", course, (0.01, 0.97, 0.01, 0.01))
    assert found
    assert found.action == "corrected"


def test_lines_that_fit_equally_well_are_all_named() -> None:
    shed = Line("knowledge/facts.md", "Codes", 3, "key safe at the allotment: 5512")
    gate = Line("knowledge/facts.md", "Codes", 4, "key safe at the gate: 5521")
    said = "the key safe has been changed to 5590"
    found = decision_on(
        said, likely(said, [shed, gate]), lambda _, shown: [AMENDED] * len(shown), None, MONDAY
    )
    assert found
    assert set(found.lines) == {shed, gate}


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("no swimming this Saturday, the pool is shut", "Swimming for Theo Saturdays 9:15"),
        ("back door has 1357#", "Front door code 2468#"),
    ],
)
def test_what_is_so_once_or_of_its_counterpart_is_named_and_stays(said: str, line: str) -> None:
    found = decision(said, Line("knowledge/facts.md", "", 5, line), AMENDED)
    assert found
    assert found.doubtful


def test_of_lines_that_nothing_tells_apart_none_is_chosen() -> None:
    flat, barn = (
        Line("knowledge/facts.md", "", place, f"wifi password of the {name}: {word}9")
        for place, name, word in ((5, "flat", "otter"), (6, "barn", "badger"))
    )
    said = "the wifi password is heron7 now"
    odds = {flat: (0.3, 0.68, 0.01, 0.01), barn: (0.55, 0.43, 0.01, 0.01)}
    found = likely(said, [flat, barn])
    answer = decision_on(said, found, lambda _, shown: [odds[each.line] for each in found], None, MONDAY)
    assert answer
    assert set(answer.lines) == {flat, barn}


def test_a_name_alone_is_enough_where_the_network_is_sure() -> None:
    line = Line("reference/contacts.md", "Luc", 5, "Restorer Luc 0475 55 01 20")
    found = decision("we reach Luc under 0499 55 76 54", line, AMENDED)
    assert found == Decision("corrected", (line,))


@pytest.mark.parametrize(
    ("said", "text", "made", "is_so"),
    [
        (
            "Levan can talk Thursday from six, not before",
            "Call with investor Levan, Tuesday 15:00",
            "Levan can talk Thursday from six",
            True,
        ),
        ("the port is 9443 now", "The staging port is 8443", "The staging port is 9443", False),
    ],
)
def test_a_wording_that_loses_more_than_is_spoken_of_takes_too_much(
    said: str, text: str, made: str, is_so: bool
) -> None:
    assert takes_too_much(said, text, made, MONDAY) is is_so


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("washers M6, a box", "washers M8"),
        ("AA batteries", "AAA batteries"),
        ("brake pads rear", "brake pads front"),
    ],
)
def test_the_name_of_a_thing_is_another_thing_on_a_list(said: str, line: str) -> None:
    known = Line("lists/parts.md", "Parts", 5, line)
    assert decision(said, known, AMENDED) is None
    assert decision(f"{said} instead", known, AMENDED) == Decision("corrected", (known,))


def test_a_new_value_is_not_lost_with_the_line_that_it_replaces() -> None:
    known = Line("knowledge/facts.md", "People", 5, "Otto's phone is 4711")
    found = decision("Otto has a new phone, 14:45", known, (0.02, 0.04, 0.9, 0.04), ruled=True)
    assert found
    assert (found.action, found.lines) == ("corrected", (known,))


def test_who_quotes_a_whole_line_means_it() -> None:
    known = Line("lists/todos.md", "To do", 5, "fix tap")
    found = decision("rename 'fix tap' to 'fix kitchen tap'", known, (0.97, 0.01, 0.01, 0.01), ruled=True)
    assert found
    assert (found.action, found.lines) == ("corrected", (known,))
