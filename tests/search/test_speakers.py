"""A text that somebody says whom the question names comes before what others say of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.search import hybrid
from quaid.search.speakers import is_said_by
from quaid.store import scope as scopes
from tests.support import call


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nora: I have sold the boat.", True),
        ("**Nora**: I have sold the boat.", True),
        ("**Nora:** I have sold the boat.", True),
        ("Nora Lind: I have sold the boat.", True),
        ("Nora: I have sold the boat.\n\nAnd the oars.", True),
        ("Nora: I have sold it.\nNora: The oars too.", True),
        ("Nora: I have sold it.\nTom: At last!", False),  # of both
        ("Tom: Nora, have you sold it?", False),
        ("So it went.\nNora: I have sold it.", False),
        ("Nora has sold the boat.", False),
        ("Nora:", False),
        ("", False),
    ],
)
def test_who_says_it(text: str, said: bool) -> None:
    assert is_said_by(text, {"nora", "boat"}) is said


@given(st.text(), st.sets(st.text(max_size=5)))
def test_any_text(text: str, names: set[str]) -> None:
    is_said_by(text, names)


MESSAGES = {
    "chat/m1": "Tom: Nora, what a good day for the harbour!",
    "chat/m2": "Nora: What a good day for the harbour!",
    "chat/m3": "Somebody: Nora, what a good day for the harbour, and the boats, and the oars!",
}


def found(app: App, question: str) -> list[str]:
    with app.store.read() as connection:
        slugs = dict(connection.execute("SELECT id, slug FROM pages"))
        return [slugs[hit.document] for hit in hybrid.find(connection, question, scopes.pages(), 10)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what did Nora say of a good day for the harbour", "chat/m2"),
        ("what was Nora's good day at the harbour", "chat/m2"),
        ("what day was a good one for the harbour, says Tom", "chat/m1"),
    ],
)
def test_a_message_of_whom_the_question_names(app: App, question: str, first: str) -> None:
    for slug, text in MESSAGES.items():
        call(app, "put", slug=slug, content=f"---\ntitle: {slug}, Nora and Tom\n---\n\n{text}\n")
    assert found(app, question)[0] == first
