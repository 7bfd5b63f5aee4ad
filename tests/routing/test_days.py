"""Days that are named in words, seen from the day of the speaker."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.routing.days import dated, dated_news, mentions

MONDAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Dentist tomorrow at 3pm", "Dentist tomorrow (2026-11-17) at 3pm"),
        ("see you next Thursday", "see you next Thursday (2026-11-26)"),
        ("this Thursday", "this Thursday (2026-11-19)"),
        ("on Monday", "on Monday (2026-11-23)"),
        ("this Monday", "this Monday (2026-11-16)"),
        ("last Friday", "last Friday (2026-11-13)"),
        ("Friday week", "Friday week (2026-11-27)"),
        ("replaced last month", "replaced last month (2026-10)"),
        ("in two weeks", "in two weeks (2026-11-30)"),
        ("three days ago", "three days ago (2026-11-13)"),
        ("last year", "last year (2025)"),
        ("the day after tomorrow", "the day after tomorrow (2026-11-18)"),
        ("tonight", "tonight (2026-11-16)"),
        ("every Friday", "every Friday"),
        ("on Fridays", "on Fridays"),
        ("Black Friday", "Black Friday"),
        ("tomorrow (2026-11-17)", "tomorrow (2026-11-17)"),
        ("on 3 May", "on 3 May"),
        ("lunch Sunday 29th, 1pm", "lunch Sunday 29th (2026-11-29), 1pm"),
        ("dentist friday 27, 9h", "dentist friday 27 (2026-11-27), 9h"),
        ("Monday 16th: 4,200 steps", "Monday 16th (2026-11-16): 4,200 steps"),
        ("Sat 14th was wet", "Sat 14th (2026-11-14) was wet"),
        ("Friday 4", "Friday (2026-11-20) 4"),  # it may be an hour
        ("stall sat 12 dec", "stall sat 12 dec"),
    ],
)
def test_a_relative_day_has_its_date_beside_it(said: str, written: str) -> None:
    assert dated(said, MONDAY) == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("3 December at 07:40", "3 December (2026-12-03) at 07:40"),
        ("3 May", "3 May (2027-05-03)"),
        ("May 3, 2026", "May 3, 2026 (2026-05-03)"),
        ("the 25th", "the 25th (2026-11-25)"),
        ("the 1st", "the 1st (2026-12-01)"),
        ("Friday, 20 November", "Friday, 20 November (2026-11-20)"),
        ("2026-12-01", "2026-12-01"),
        ("30 February", "30 February"),
    ],
)
def test_a_date_of_an_appointment_has_its_year(said: str, written: str) -> None:
    assert dated(said, MONDAY, dates=True) == written


_ADDED = re.compile(r" \(\d{4}(?:-\d\d){0,2}\)")
_DAYS = ["tomorrow", "next Friday", "call", "the 31st", "last month", "in ten years", "Sunday,", "3 May", "!"]


@given(
    st.text(max_size=60) | st.lists(st.sampled_from(_DAYS)).map(" ".join),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
)
def test_nothing_but_dates_is_added_to_any_text(said: str, day: date) -> None:
    written = dated(said, day, dates=True)
    assert _ADDED.sub("", written) == _ADDED.sub("", said)
    assert (written == said) or mentions(said, day)


@pytest.mark.parametrize(
    "said", ["the first Monday of the month", "open Monday to Friday", "every third Friday"]
)
def test_a_day_that_comes_again_is_no_day_of_the_calendar(said: str) -> None:
    assert dated(said, date(2026, 11, 16)) == said


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("four hours in the jam yesterday", "four hours in the jam yesterday (2026-11-15)"),
        ("ran my first 10k on Saturday", "ran my first 10k on Saturday (2026-11-14)"),
        ("the boiler broke last week", "the boiler broke last week (2026-11-09)"),
        ("finished the report today", "finished the report today"),
        ("the plumber will come on Saturday", "the plumber will come on Saturday"),
        ("paid for until Friday", "paid for until Friday"),
        ("told him tomorrow is fine", "told him tomorrow (2026-11-17) is fine"),
        ("met on 3 May", "met on 3 May"),
    ],
)
def test_news_of_a_day_names_the_other_days_that_it_speaks_of(said: str, written: str) -> None:
    """What was on Saturday was on the latest one; where it may be the next, none is named."""
    assert dated_news(said, MONDAY) == written
