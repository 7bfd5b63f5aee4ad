"""A new wording of a line is whole."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.routing import finder
from quaid.routing.amendments import readings
from quaid.routing.exchange import Marks, words
from quaid.routing.finder import Line
from quaid.routing.rewording import reworded
from quaid.routing.soundness import faults, is_as_said

MONDAY = date(2026, 11, 16)
WORDS = st.lists(
    st.sampled_from(
        [
            "boiler",
            "key",
            "with",
            "Nuala",
            "the",
            "42",
            "kg",
            "from",
            "Harbour",
            "is",
            ",",
            "blue",
            "no longer",
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


@pytest.mark.parametrize(
    ("line", "said", "torn", "whole"),
    [
        (
            "Biscuit weighs 11.2 kg, vet said ideally 10.5",
            "Biscuit is 10.6 kg now",
            ("Biscuit weighs kg, vet said ideally 10.6", "Biscuit weighs 10.6 kg, vet said ideally"),
            "Biscuit weighs 10.6 kg, vet said ideally 10.5",
        ),
        (
            "one carton of noodles",
            "make that two cartons",
            ("two carton of noodles",),
            "two cartons of noodles",
        ),
        (
            "We decided to use Postgres for the booking service",
            "the booking service uses SQLite instead of Heron",
            (
                "We decided to use instead of Heron for the booking service",
                "We decided to use for the booking service",
            ),
            "We decided to use SQLite for the booking service",
        ),
        (
            "boiler room key is with Nuala",
            "the Brennans are minding the boiler room key",
            ("boiler room key is with", "boiler room key is the with Brennans"),
            "boiler room key is with the Brennans",
        ),
        (
            "wifi for customers: beanandgone / flatwhite22",
            "the customer wifi password is cortado23",
            ("wifi for customers: / cortado23", "wifi for customers: cortado23 /"),
            "wifi for customers: beanandgone / cortado23",
        ),
        (
            "bee inspector is Mr. Vandewalle, 0470 12 34 56",
            "inspection is done by Mrs. Cools 0470 98 76 54",
            ("bee inspector is Mrs. Cools, 0470 12 98 76",),
            "bee inspector is Mrs. Cools, 0470 98 76 54",
        ),
        (
            "night dispatch Deb 417 555 0102",
            "Deb's number ends in 0177 now",
            ("Deb 417 555 0177", "night dispatch Deb 417 0177"),
            "night dispatch Deb 417 555 0177",
        ),
    ],
)
def test_torn_wordings_are_told_from_whole_ones(
    line: str, said: str, torn: tuple[str, ...], whole: str
) -> None:
    assert faults(line, whole, said, MONDAY) == 0
    assert all(faults(line, each, said, MONDAY) for each in torn)


@given(WORDS, WORDS)
def test_neither_a_line_nor_what_is_said_is_torn(line: str, said: str) -> None:
    assert faults(line, line, said, MONDAY) == 0
    assert faults(line, said, said, MONDAY) == 0
    assert is_as_said(said, f"so {said} then")


@given(WORDS, WORDS, st.sampled_from(["from", "with", "at the", "is in"]))
@example("boiler", "boiler from", "from")
def test_what_ends_before_what_it_belongs_to_is_torn(line: str, said: str, lead: str) -> None:
    assert faults(f"{line} {lead} depot", f"{line} {lead}", f"{said} quay", MONDAY) > 0
    assert faults(f"{line} {lead} depot", f"{line} {lead} quay", f"{said} quay", MONDAY) == 0


def test_marks_that_leave_a_unit_alone_are_not_followed() -> None:
    line, said = "Biscuit weighs 11.2 kg, vet said ideally 10.5", "Biscuit is 10.6 kg now, vet very pleased"
    own = tuple(0.9 if each.text in ("11.2", "10.5") else 0.03 for each in words(line))
    mine = tuple(0.9 if each.text == "10.6" else 0.03 for each in words(said))
    made = reworded(said, [], line, MONDAY, Marks(mine, own))
    assert made.startswith("Biscuit weighs 10.6 kg, vet said ideally 10.5")


def test_what_came_to_an_end_does_not_stay_beside_what_took_its_place() -> None:
    line = "dad is on warfarin 3mg at the mo, INR clinic every 4 weeks at Seacroft hospital"
    said = "dad came off the warfarin, now on apixaban 2.5 twice a day, so no more INR clinic thank god"
    own = tuple(0.9 if each.text in ("warfarin", "mo", "INR") else 0.03 for each in words(line))
    mine = tuple(0.9 if each.text in ("apixaban", "2.5") else 0.03 for each in words(said))
    assert reworded(said, [], line, MONDAY, Marks(mine, own)) == said


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("no, 25575", "depot postcode 25557"),
        ("no, 07700 900158", "plumber Ray 07700 900114"),
        ("no, 8", "bins: 9 bags"),
    ],
)
def test_a_number_alone_takes_the_place_of_one_of_its_length(said: str, wanted: str) -> None:
    texts = ("depot postcode 25557", "bins: 9 bags", "plumber Ray 07700 900114")
    for newest in texts:
        lines = [
            Line("knowledge/facts.md", "", n, each, age="2" if each == newest else "1")
            for n, each in enumerate(texts)
        ]
        fit = finder.find(list(readings(said)), lines, MONDAY)
        assert fit
        assert [each.text for each in fit.lines] == [wanted]


def test_the_number_that_is_said_not_to_hold_goes_and_no_other() -> None:
    line, said = "2 boxes of 18650 cells", "need 4 boxes not 2"
    own = tuple(0.9 if each.text == "18650" else 0.03 for each in words(line))
    mine = tuple(0.9 if each.text == "4" else 0.03 for each in words(said))
    assert reworded(said, [], line, MONDAY, Marks(mine, own)) == "4 boxes of 18650 cells"


@pytest.mark.parametrize(
    ("said", "line", "whole", "torn"),
    [
        ("the wifi password is now rosemary12", "wifi: CurlsAndCo, password lavender88",
         "wifi: CurlsAndCo, password rosemary12", "wifi: rosemary12, password"),
        ("annual day is at 6 pm", "annual day, Friday 4 December (2026-12-04) 5 pm",
         "annual day, Friday 4 December (2026-12-04) 6 pm", "annual day, Friday December (2026-12-04) 6 pm"),
    ],
)  # fmt: skip
def test_what_belongs_to_a_word_or_a_date_stays_with_it(said: str, line: str, whole: str, torn: str) -> None:
    assert faults(line, whole, said, MONDAY) == 0
    assert faults(line, torn, said, MONDAY) > 0


@pytest.mark.parametrize(
    ("line", "said", "made"),
    [
        ("chai without ginger", "chai with plenty of ginger", "chai plenty ginger"),
        ("Omar prefers tea to coffee", "Omar likes coffee better than tea", "Omar prefers coffee to coffee"),
        ("Bear talk Wed 18 Nov 6 pm", "bear talk's at seven", "Bear talk Wed Nov seven pm"),
    ],
)
def test_a_wording_has_no_word_torn_out_or_twice(line: str, said: str, made: str) -> None:
    assert faults(line, made, said, MONDAY)


@pytest.mark.parametrize(
    ("line", "said", "made"),
    [
        ("Eyes Wed 18 Nov 16:00", "eyes at half past five", "Eyes Wed 18 Nov 17:30"),
        ("Fitting Thu 19 Nov 2 pm", "the fitting's 3:30", "Fitting Thu 19 Nov 3:30 pm"),
        ("Britt has Tuesdays off", "Britt's day off has become Wednesday", "Britt has Wednesdays off"),
    ],
)
def test_what_is_marked_is_written_as_the_line_has_it(line: str, said: str, made: str) -> None:
    """A network marks the words that are said; that they stand there as a value is no surprise to it."""
    old, new = (set(one.lower().split()) for one in (line, made))
    marks = Marks(
        tuple(
            0.98 if word.text.lower() not in old | {"at", "the"} and i > 1 else 0.02
            for i, word in enumerate(words(said))
        ),
        tuple(0.98 if word.text.lower() not in new else 0.02 for word in words(line)),
    )
    assert reworded(said, tuple(readings(said)), line, MONDAY, marks) == made
