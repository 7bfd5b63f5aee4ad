from __future__ import annotations

import pytest

from quaid.routing.articles import with_articles


@pytest.mark.parametrize(
    ("made", "line", "expected"),
    [
        ("an window seat is best", "an aisle seat is best", "a window seat is best"),
        ("A apple is enough", "A pear is enough", "An apple is enough"),
        ("she is at an university", "she is at an academy", "she is at a university"),
        ("this is a unimportant note", "this is a short note", "this is an unimportant note"),
        ("this is a onerous job", "this is a hard job", "this is an onerous job"),
        ("the train goes in a hour", "the train goes in a minute", "the train goes in an hour"),
        ("it is an 7 o'clock start", "it is an 8 o'clock start", "it is a 7 o'clock start"),
        ("it is on a 18th floor", "it is on a top floor", "it is on an 18th floor"),
    ],
)
def test_an_article_fits_the_word_that_has_taken_a_place(made: str, line: str, expected: str) -> None:
    assert with_articles(made, line) == expected


@pytest.mark.parametrize(
    ("made", "line"),
    [
        ("this is an hotel with an pool", "this is an hotel with a garden"),  # not how this person writes
        ("vitamin A is in carrots", "vitamin A: in kale"),
        ("an MRI is booked", "an ECG is booked"),
        ("il a oublié le pain", "il a mangé le pain"),
        ("voy a Oviedo mañana", "voy a Madrid mañana"),
        ("das Bild hängt an Decke", "das Bild hängt an Wand"),
    ],
)
def test_what_may_be_right_stays(made: str, line: str) -> None:
    assert with_articles(made, line) == made


def test_a_person_who_says_it_so_is_not_corrected() -> None:
    said = "the plan is an hotel, not a flat"
    assert with_articles("an hotel is booked", "a flat is booked", said) == "an hotel is booked"
