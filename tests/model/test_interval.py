"""Spans of days: half-open, with ends that may be unknown."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.model.interval import Interval, parse_day

DAYS = [(date(2024, 1, 1) + timedelta(days=n)).isoformat() for n in range(9)]
ENDS = st.none() | st.sampled_from(DAYS[1:-1])


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    since, until = draw(ENDS), draw(ENDS)
    if since and until and until < since:
        since, until = until, since
    return Interval(since, until)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026", "2026-01-01"),
        ("2026-04", "2026-04-01"),
        (" 2026-04-14 ", "2026-04-14"),
        ("2026-04-14T08:00:00Z", "2026-04-14"),
        ("2026-04-14 08:00", "2026-04-14"),
        ("2024-02-29", "2024-02-29"),
        ("0001-01-01", "0001-01-01"),
    ],
)
def test_days_as_people_write_them(text: str, day: str) -> None:
    assert parse_day(text) == day


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "2025-02-29", "2026-13-01", "0000", "٢٠٢٦-٠١-٠١", "2026-04-14x", "-1"],
)
def test_what_is_not_a_day(text: str) -> None:
    with pytest.raises(InvalidInput, match="not a date"):
        parse_day(text)


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    with suppress(InvalidInput):
        assert date.fromisoformat(parse_day(text)).isoformat() == parse_day(text)


def test_it_holds_on_its_first_day_but_not_on_its_last() -> None:
    span = Interval("2024-01-15", "2024-03-01")
    held = [span.holds_on(day) for day in ("2024-01-14", "2024-01-15", "2024-02-29", "2024-03-01")]
    assert held == [False, True, True, False]


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(InvalidInput, match="before it starts"):
        Interval("2024-03-01", "2024-02-29")


def test_spans_that_meet_do_not_overlap() -> None:
    assert not Interval("2023-01-01", "2024-01-01").overlaps(Interval("2024-01-01", None))


def test_an_unknown_start_claims_nothing_about_the_past() -> None:
    ended = Interval(None, "2024-01-01")
    assert not ended.overlaps(Interval("2020-01-01", "2022-01-01"))
    assert ended.overlaps(Interval("2020-01-01", None))
    assert not ended.overlaps(Interval("2024-01-01", None))
    assert Interval().overlaps(Interval("2020-01-01", None))
    assert not Interval().overlaps(Interval("2020-01-01", "2022-01-01"))
    assert Interval().overlaps(Interval())


@given(intervals(), intervals())
def test_overlap_is_mutual(one: Interval, other: Interval) -> None:
    assert one.overlaps(other) == other.overlaps(one)


@given(intervals(), intervals())
def test_what_overlaps_holds_on_a_common_day(one: Interval, other: Interval) -> None:
    days = [*DAYS, date.max.isoformat()]
    if one.overlaps(other):
        assert any(one.holds_on(day) and other.holds_on(day) for day in days)


@given(intervals().filter(lambda i: i.since), intervals().filter(lambda i: i.since))
def test_known_starts_that_share_a_day_overlap(one: Interval, other: Interval) -> None:
    days = [*DAYS, date.max.isoformat()]
    assert one.overlaps(other) == any(one.holds_on(day) and other.holds_on(day) for day in days)


@pytest.mark.parametrize("first", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_days_too(first: str) -> None:
    assert not Interval(None, "0001-01-01").overlaps(Interval("2020-01-01", None))
    assert Interval(first, None).overlaps(Interval())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("14 April 2026", "2026-04-14"),
        ("April 14th, 2026", "2026-04-14"),
        ("Apr. 14 2026", "2026-04-14"),
        ("Sept 2026", "2026-09-01"),
        ("14.4.2026", "2026-04-14"),
        ("2026/4/14", "2026-04-14"),
        ("2026-4-14", "2026-04-14"),
        ("4/14/2026", "2026-04-14"),
        ("14/4/2026", "2026-04-14"),
        ("4/4/2026", "2026-04-04"),
    ],
)
def test_days_as_people_spell_them(text: str, day: str) -> None:
    assert parse_day(text) == day


@pytest.mark.parametrize(
    "text", ["4/5/2026", "31 February 2026", "14 April", "May", "may 12", "1.2.3", "31.31.2026", "٤/١٤/٢٠٢٦"]
)
def test_what_is_no_day_or_two_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_day(text)
