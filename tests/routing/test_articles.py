from __future__ import annotations

import pytest

from quaid.routing.articles import with_articles


@pytest.mark.parametrize(
    ("made", "line", "expected"),
    [
        ("I prefer an window seat", "I prefer an aisle seat", "I prefer a window seat"),
        ("A apple a day", "A pear a day", "An apple a day"),
        ("she is at an university", "she is at an academy", "she is at a university"),
        ("in a hour", "in a minute", "in an hour"),
        ("an 7 o'clock start", "an 8 o'clock start", "a 7 o'clock start"),
        # What somebody wrote stays as it was written.
        ("an hotel with a pool", "an hotel with a garden", "an hotel with a pool"),
        ("plan a trip", "plan a trip", "plan a trip"),
        ("vitamin A is in carrots", "vitamin A: in kale", "vitamin A is in carrots"),
    ],
)
def test_an_article_fits_the_word_that_has_taken_a_place(made: str, line: str, expected: str) -> None:
    assert with_articles(made, line) == expected
