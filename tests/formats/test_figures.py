"""Figures in one spelling: what is equal reads equal, and no text is too odd."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.figures import figures


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("at half past four in the afternoon", "at 16:30"),
        ("at 7 in the evening", "at 7 pm"),
        ("quarter to nine", "8:45"),
        ("2048 MB", "2 GB"),
        ("0.05 g", "50 mg"),
        ("two weeks", "14 days"),
        ("one and a half minutes", "90 s"),
        ("within an hour", "within 60 minutes"),
        ("on July 10, 2027", "on the 10th of July 2027"),
        ("on 2026-10-12", "on 12 October 2026"),
        ("the end of March 2028", "31 March 2028"),
        ("EUR 1,240", "1240 euros"),
        ("€62M", "62 million euros"),
        ("5 percent", "one in twenty"),
        ("twice an hour", "every 30 minutes"),
        ("every other Thursday", "every second Thursday"),
        ("once a week", "each week"),
        ("Wed", "Wednesdays"),
        ("minus 18 °C", "-18 degrees"),
        ("twenty-five people", "25 people"),
        ("begins half five in the morning", "begins 5:30"),
        ("locker two hundred and twelve", "locker 212"),
        ("fifteen grand", "15,000"),
        ("more than a million rows", "more than 1,000,000 rows"),
        ("1.5 million euros", "€1.5M"),
        ("once in two weeks", "every fortnight"),
        ("every seven days", "weekly"),
        ("ends on 30/6/27", "ends on 30 June 2027"),
        ("ends on 30.6.2027", "ends on 30 June 2027"),
        ("ring 0161 555 0147", "ring 01615550147"),
        ("+44 161 555-0147", "441615550147"),
        ("3.5 t", "3,500 kg"),
        ("0.75 litres", "750 ml"),
    ],
)
def test_equal_figures_are_equal_strings(one: str, other: str) -> None:
    assert figures(one) == figures(other)


@pytest.mark.parametrize(
    "text",
    [
        "Release 7.0 of RFC 7807",
        "192.168.20.14",
        "Oil: 5W-30",
        "He may sun himself",
        "the new one",
        "1 in 0",
        "3/4/26",
        "40/13/27",
        "1.2.3",
        "half of it",
        "2 grand pianos",
        "port 0 of 10 20",
        "14:00-15:00",
        "born 05/2019",
    ],
)
def test_what_is_no_measure_stays(text: str) -> None:
    assert figures(text) == text


_ODD = ["0", "9", "99", "half", "past", "to", "a", "one", "h", "s", "%", "€", "May", "3 times", "an hour"]


@given(st.text() | st.lists(st.sampled_from(_ODD)).map(" ".join))
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(figures(text), str)


def test_rates_of_a_year_and_thousands_have_one_spelling() -> None:
    assert figures("oiled twice a year") == figures("oiled every six months")
    assert figures("elected biennially") == figures("elected every two years")
    assert figures("above 50k") == figures("above 50,000")
