"""What a question says besides its words: names and days."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.search.question import LONGEST_NAME, read_question


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What happened in March 2024?", ("2024-03-01", "2024-03-31")),
        ("what happened in mar 2024", ("2024-03-01", "2024-03-31")),
        ("February of 2024", ("2024-02-01", "2024-02-29")),
        ("FEBRUARY, 2023", ("2023-02-01", "2023-02-28")),
        ("on 2024-03-12", ("2024-03-12", "2024-03-12")),
        ("on 12 March 2024", ("2024-03-12", "2024-03-12")),
        ("on the 3rd Mar. 2024", ("2024-03-03", "2024-03-03")),
        ("March 12, 2024", ("2024-03-12", "2024-03-12")),
        ("March 1st 2024 was a Friday", ("2024-03-01", "2024-03-01")),
        ("who joined in 2024", ("2024-01-01", "2024-12-31")),
        ("during 1999", ("1999-01-01", "1999-12-31")),
        ("the log of 2024-03", ("2024-03-01", "2024-03-31")),
        ("may 2024", ("2024-05-01", "2024-05-31")),
        ("which may be so", None),
        ("room 2024", None),
        ("on 2024-13-45", None),
        ("30 February 2024", ("2024-02-01", "2024-02-29")),
        ("a marching band in 12345", None),
        ("version 1.2024", None),
        ("", None),
    ],
)
def test_days(text: str, days: tuple[str, str] | None) -> None:
    assert read_question(text).days == days


def test_the_first_day_that_there_is_counts() -> None:
    assert read_question("not 2024-13-45 but 2024-03-12").days == ("2024-03-12", "2024-03-12")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("who is Alice Example?", "alice example"),
        ("who is alice example", "alice example"),
        ("did Zoë meet ALICE?", "alice"),
        ("when was Café Zürich opened", "cafe zurich"),
        ("what does O'Brien do", "o brien"),
        ("tell me about people/alice-example", "people alice example"),
        ("is C++ fast", "c++"),
    ],
)
def test_names_within(text: str, name: str) -> None:
    assert name in read_question(text).names


@pytest.mark.parametrize(
    ("text", "name"), [("what is work", "work"), ("Who works", "who"), ("is it on", "on")]
)
def test_a_single_small_word_is_no_name(text: str, name: str) -> None:
    """A page called Work is not meant by everybody who works."""
    assert name not in read_question(text).names


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("where is Nora", {"nora"}),
        ("what are Nora's and Zoë’s plans?", {"nora", "zoe"}),
        ("did Nora, or Tom?", {"nora", "tom"}),
        ("where are the Smiths' keys", {"smiths"}),
        ("what happened in 2024 -- and why", set()),
        ("where is nora", set()),
    ],
)
def test_who_is_named(text: str, persons: set[str]) -> None:
    assert read_question(text).persons == persons


def test_the_whole_question_is_a_name() -> None:
    assert read_question("  Alice, Example! ").whole == "alice example"
    assert read_question("people/alice").whole == "people/alice"


@given(st.text(max_size=200))
def test_any_text_is_a_question(text: str) -> None:
    question = read_question(text)
    assert all(len(name.split()) <= LONGEST_NAME for name in question.names)


def test_a_pasted_page_is_read_quickly() -> None:
    question = read_question("Alice met Bob in Paris. " * 20_000)
    assert len(question.names) < 1000
    assert len(question.words) < 200
