"""Values within a text, and a text with other values in their places."""

from __future__ import annotations

from datetime import date

import pytest

from quaid.routing.values import is_bare
from quaid.routing.wordings import exchanged

MONDAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("line", "now", "after"),
    [
        ("Dentist on Thursday (2026-11-19) at 4pm", "5pm", "Dentist on Thursday (2026-11-19) at 5pm"),
        (
            "Dinner on Saturday, 21 November (2026-11-21) at 7pm",
            "Sunday",
            "Dinner on Sunday, 22 November (2026-11-22) at 7pm",
        ),
        ("The port is 8443", "9443", "The port is 9443"),
        ("12 plates and 6 bowls", "8 bowls", "12 plates and 8 bowls"),
        ("Tom lives at 3 High Street", "7 Elm Road", "Tom lives at 7 Elm Road"),
        ("Mail tom@old.example", "tom@new.example", "Mail tom@new.example"),
        ("12 plates and 6 bowls", "8", None),
        ("Dentist on the 24th at 15:40", "ten past four", "Dentist on the 24th at 16:10"),
        ("Hairdresser, Tuesday 10:00", "half past eleven", "Hairdresser, Tuesday 11:30"),
        ("Supper at 7.30 pm", "quarter to seven", "Supper at 6.45 pm"),
        ("I eat supper at 5:30", "six", "I eat supper at 6:00"),
        ("Supper at half six", "twenty past seven", "Supper at twenty past seven"),
        ("vet at 10:30", "25575", None),  # a time has no five digits
        ("no value", "5pm", None),
        ("salt licks x4", "six", "salt licks x6"),
        ("Bowls subs are £38 a year", "forty two", "Bowls subs are £42 a year"),
        (
            "Board on Friday 27 Nov (2026-11-27) 2pm",
            "half past three",
            "Board on Friday 27 Nov (2026-11-27) 3:30pm",
        ),
        ("Museum, 15:00", "at four o'clock", "Museum, 16:00"),
        ("Recording 11:00", "at two", "Recording 14:00"),
        ("Tattoo, session at 14h", "at three", "Tattoo, session at 15h"),
        ("Lunch at Karen's, noon", "she wants us at one", "Lunch at Karen's, 1pm"),
        ("Braids at 9am", "at 15:30", "Braids at 15:30"),  # clear as it is said
        ("Standup at 9:30", "14:45", "Standup at 14:45"),  # 2:45 would be another time
        ("Party Saturday November 28 (2026-11-28)", "the 29th", "Party Sunday November 29 (2026-11-29)"),
        ("Vet Wed 18 Nov (2026-11-18)", "Thursday", "Vet Thursday 19 Nov (2026-11-19)"),
        ("Nisha charges 18,000 a day", "22000", "Nisha charges 22,000 a day"),
        ("Luncheon at the club, 12.45", "one o'clock", "Luncheon at the club, 13.00"),
        ("Site visit, 09:30 at the bay", "the visit is 11 on Friday", None),  # it has no day
        ("Surgery at 6 a.m. at Baptist", "5:15", "Surgery at 5:15 at Baptist"),
        ("School trip, bus 9.00", "8.40 now, not 9", "School trip, bus 8.40"),
    ],
)
def test_a_value_takes_the_place_of_one_of_its_kind(line: str, now: str, after: str | None) -> None:
    assert exchanged(line, now, MONDAY) == after


def test_what_is_nothing_but_values() -> None:
    assert is_bare("Thursday at 5pm")
    assert not is_bare("two packs of coffee at 5pm")
    assert not is_bare("the window")
