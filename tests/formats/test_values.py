"""Values as a reader compares them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.predicates import Kind, kind_of, synonyms
from quaid.formats.values import day_in, quantity, rivals

KINDS: tuple[Kind, ...] = ("name", "place", "day", "amount", "count", "role")


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("€1.9M", 1_900_000, "eur"),
        ("1.9M EUR", 1_900_000, "eur"),
        ("1,9 Mio. Euro", 1_900_000, "eur"),
        ("1.900.000 €", 1_900_000, "eur"),
        ("$80k", 80_000, "usd"),
        ("3 kg", 3_000, "g"),
        ("12,500", 12_500, ""),
        ("about 40 people", 40, "people"),
    ],
)
def test_amounts(text: str, number: float, unit: str) -> None:
    found = quantity(text)
    assert found is not None
    assert (round(found.number), found.unit) == (number, unit)


@pytest.mark.parametrize("text", ["CEO", "Series A", "room 12 or 13", "", "1.2.3"])
def test_what_is_no_amount(text: str) -> None:
    assert quantity(text) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by 30 November 2026", "2026-11-30"),
        ("in March 2014", "2014-03"),
        ("in 2014", "2014"),
        ("2026-11-20", "2026-11-20"),
        ("November 3rd, 2025", "2025-11-03"),
        ("some day", None),
    ],
)
def test_days(text: str, day: str | None) -> None:
    assert day_in(text) == day


def test_a_day_without_a_year_has_that_of_the_other() -> None:
    assert rivals("day", "2026-11-20", "30 November")
    assert not rivals("day", "2026-11-20", "20 November")


@given(st.sampled_from(KINDS), st.text(max_size=40), st.text(max_size=40))
def test_nothing_is_its_own_rival_and_order_does_not_matter(kind: Kind, one: str, other: str) -> None:
    assert not rivals(kind, one, one)
    assert rivals(kind, one, other) == rivals(kind, other, one)


def test_synonyms_can_be_added_and_taken_away() -> None:
    assert synonyms("")["hq"] == "based_in"
    assert synonyms("Sits in = hq")["sits_in"] == "based_in"
    assert "hq" not in synonyms("hq=")
    assert kind_of("based_in") == "place"
