"""What forbids that a sentence changes a line."""

from __future__ import annotations

from datetime import date

import pytest

from quaid.routing import safeguards
from quaid.routing.amendments import Action

TODAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("said", "action", "line"),
    [
        ("the gate code is 4471 now", "corrected", "the gate code is 3390"),
        ("no wait, Thursday", "corrected", "dentist on Wednesday"),
        ("bought the coffee beans", "done", "coffee beans"),
        ("scrap the sourdough idea", "removed", "bake sourdough every Sunday"),
        ("got the thread, the zipper and the chalk", "done", "to buy: black thread, zipper 20 cm, chalk"),
    ],
)
def test_what_is_meant_is_allowed(said: str, action: Action, line: str) -> None:
    assert safeguards.allows(said, action, line, TODAY)


@pytest.mark.parametrize(
    ("said", "action", "line"),
    [
        # Nothing goes without a word that it does.
        ("the coffee beans smell of caramel", "removed", "coffee beans"),
        # A line about somebody else.
        ("lunch with Bea Ruiz and Tom Lang", "corrected", "lunch with Ana Moreno"),
        # A day and a time of its own.
        ("dentist on Friday at 9:00", "corrected", "dentist on Thursday at 15:00"),
        # One of several things: the others would go with it.
        ("bought the chalk", "done", "to buy: black thread, zipper 20 cm, chalk"),
        ("the red lining I have bought already", "removed", "to buy: elastic, pearl buttons, red lining"),
    ],
)
def test_what_is_not_meant_is_forbidden(said: str, action: Action, line: str) -> None:
    assert not safeguards.allows(said, action, line, TODAY)


@pytest.mark.parametrize(
    ("said", "file"),
    [
        ("from now on never plan anything on Fridays", "standing-orders"),
        ("never mind the scouts", ""),
        ("wonder if we could keep hens behind the barn", "ideas"),
        ("I like my soup hot", "preferences"),
        ("the soup is on Friday", ""),
    ],
)
def test_what_says_its_sort_changes_no_line_of_another_file(said: str, file: str) -> None:
    assert safeguards.own_file(said) == file


@pytest.mark.parametrize(
    ("said", "line", "other"),
    [
        ("the key for the shed is blue", "the key for the gate is red", True),
        ("the key for the gate is blue", "the key for the gate is red", False),
        ("the gate key is blue", "the key for the gate is red", False),
    ],
)
def test_what_is_for_something_else_is_another_thing(said: str, line: str, other: bool) -> None:
    assert safeguards.is_for_another(said, line) == other


def test_one_kind_of_a_thing_is_not_the_thing() -> None:
    assert safeguards.means_a_kind("no marmalade with whisky in it", "marmalade")
    assert not safeguards.means_a_kind("no marmalade, thanks", "marmalade")
    assert not safeguards.means_a_kind("no tea in the house", "marmalade")


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("take Rosalind out, she has quit flowers", True),
        ("the preschool is a no from the boss, bin it", True),
        ("mix languages as you like, forget the English rule", True),
        ("drop the kids off at school", False),
        ("I bin the old ones on Mondays", False),
        ("take the bins out", False),
    ],
)
def test_somebody_bids_to_forget(said: str, back: bool) -> None:
    assert safeguards.is_taken_back(said) == back


@pytest.mark.parametrize(
    ("said", "cued"),
    [
        ("the surgery called back, it's Thursday", True),
        ("garage called to say Friday", True),
        ("the service runs on the machine called heron", False),
    ],
)
def test_who_called_may_have_changed_something(said: str, cued: bool) -> None:
    assert safeguards.is_cued(said.partition(",")[0]) == cued


@pytest.mark.parametrize(
    ("said", "line", "once"),
    [
        (
            "no swimming this coming Saturday, they're fixing the boiler",
            "Swimming for Theo Saturdays 9:15",
            True,
        ),
        ("tomorrow the yoga begins at seven for once", "Yoga Tuesdays 18:30", True),
        ("only this Saturday Ken comes at four", "English lesson with Ken, every Saturday 14:00", True),
        # From then on it is so, or again and again, or the line is of one day itself.
        ("swimming is at ten from this week", "Swimming for Theo Saturdays 9:15", False),
        ("yoga is on Thursdays, starting this week", "Yoga Tuesdays 18:30", False),
        ("this Saturday Ken comes at four", "Ken, Saturday (2026-11-21) 14:00", False),
    ],
)
def test_what_comes_again_stays_though_it_is_otherwise_once(said: str, line: str, once: bool) -> None:
    assert safeguards.is_once(said, line) is once
    assert not (once and safeguards.allows(said, "corrected", line, TODAY))


@pytest.mark.parametrize(
    ("said", "line", "other"),
    [
        ("back door has 1357#", "Front door code 2468#", True),
        ("B3 came to 388 copepods", "Copepod counts station B2: 412", True),
        ("gitlab02 ssh port 2203", "gitlab01 ssh port 2202", True),
        # It is the other of them that the line is to say, or both are spoken of.
        ("algebra's in LT5 for the rest of term", "Algebra II on Tuesdays, LT2", False),
        ("the front door is 1357, the back door has none", "Front door code 2468#", False),
    ],
)
def test_a_value_for_the_counterpart_of_a_thing_changes_no_line(said: str, line: str, other: bool) -> None:
    assert safeguards.means_counterpart(said, line, TODAY) is other


@pytest.mark.parametrize(
    ("said", "goes_on"),
    [
        ("Wednesday, same hour.", True),
        ("Remove his number", True),
        ("It's at 5pm", True),
        ("Make it Thursday instead", True),
        ("Take it off the list please", True),
        ("Remove Tom's number", False),
        ("Call Anna on Friday", False),
        ("He lives in Paris", False),
    ],
)
def test_what_speaks_of_the_sentence_before(said: str, goes_on: bool) -> None:
    assert safeguards.goes_on(said) is goes_on


@pytest.mark.parametrize(
    ("said", "line", "is_another"),
    [
        ("Tuning at the Pot on 8 October at 10", "Tuning at the Pot on 27 January at 10", True),
        ("Finn has soccer on 14 May at 5:30", "Finn has soccer on 12 May at 5", True),
        ("the dentist is on 14 May at 4", "dentist 12 May 2pm", False),
        ("the vet moved us to 14 May at 4", "vet 12 May 2pm", False),
        ("vet on 14 May, same 10 am", "vet 12 May 10 am", False),
        ("vet 12 May at 4pm", "vet 12 May 2pm", False),
    ],
)
def test_a_day_and_a_time_of_its_own_are_another_appointment(said: str, line: str, is_another: bool) -> None:
    assert safeguards.is_another_time(said, line, date(2026, 1, 5)) is is_another


@pytest.mark.parametrize(
    ("said", "is_other"),
    [
        ("Jen Walsh's email is jwalsh@splash.example", True),
        ("Jen Walsh's work email is jw@firm.example", False),
        ("Jen Ortiz's email is jo@splash.example", False),
        ("Jen's email is jwalsh@splash.example", False),
    ],
)
def test_the_same_name_with_another_address_is_the_same_person(said: str, is_other: bool) -> None:
    line = "Swim coach is Jen Walsh, jen@ymca.example"
    assert safeguards.is_other_address(said, line, None) is is_other


@pytest.mark.parametrize(
    ("said", "is_else"),
    [
        ("Thandi Mokoena from MediVet, thandi@medivet.example", True),
        ("Pieter Louw is at pl@medivet.example", False),
        ("Tom moved, his address is 12 Mill Lane", False),
    ],
)
def test_an_address_of_somebody_else(said: str, is_else: bool) -> None:
    line = "Pieter Louw from MediVet, pieter@medivet.example"
    assert safeguards.is_somebody_else(said, line) is is_else
