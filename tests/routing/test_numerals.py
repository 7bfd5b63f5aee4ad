"""Numbers and days that are said in several words."""

from __future__ import annotations

import pytest

from quaid.routing.numerals import in_digits


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("rent goes up to nine fifty", "rent goes up to 950"),
        ("the chamber wants a hundred and ten", "the chamber wants 110"),
        ("the desk is two-forty-five a month", "the desk is 245 a month"),
        ("Nisha takes twenty-two thousand a day", "Nisha takes 22000 a day"),
        ("load eighty-eight forty-one is late", "load 8841 is late"),
        ("twenty-one hundred even", "2100 even"),
        ("sixteen and a half hours", "16.5 hours"),
        ("due on the seventh of december", "due on 7 december"),
        ("due December first", "due 1 December"),
        ("the gang comes the ninth, still six stands", "the gang comes the 9th, still six stands"),
        ("keep it till the first, please", "keep it till the 1st, please"),
        ("it is seven point four at the brook", "it is 7.4 at the brook"),
        ("twelve point two five, she said", "12.25, she said"),
        ("the door is six six two zero", "the door is 6620"),
        ("the padlock is seven-one-seven now", "the padlock is 717 now"),
        ("a dozen of the purple", "12 of the purple"),
        ("half a dozen eggs, two dozen rolls", "6 eggs, 24 rolls"),
    ],
)
def test_several_words_are_one_number(said: str, digits: str) -> None:
    assert in_digits(said) == digits


@pytest.mark.parametrize(
    "said",
    [
        "five eggs and six rolls",
        "come at two forty-five",
        "a grand piano",
        "half a million",
        "twenty-five chairs",
        "the second may be late",
        "cancel the first",
        "ten past six",
    ],
)
def test_what_is_no_such_number_stays(said: str) -> None:
    assert in_digits(said) == said
