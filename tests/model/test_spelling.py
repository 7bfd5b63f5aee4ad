"""Names that were probably meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.model import spelling

KNOWN = ("person", "company", "project", "people/alice-chen", "query.token_budget", "query.merge")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("persn", ["person"]),
        ("Persons", ["person"]),
        ("companies", ["company"]),
        ("query.tokenbudget", ["query.token_budget"]),
        ("alice-chne", ["people/alice-chen"]),
        ("zebra", []),
        ("", []),
        ("---", []),
    ],
)
def test_what_was_meant(name: str, meant: list[str]) -> None:
    assert spelling.alike(name, KNOWN) == meant


def test_hints() -> None:
    assert spelling.hint("persn", KNOWN, "There are many.") == "Did you mean person?"
    assert spelling.hint("zebra", KNOWN, "There are many.") == "There are many."


@given(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=8))
def test_any_text(name: str, known: list[str]) -> None:
    found = spelling.alike(name, known)
    assert set(found) <= set(known)
    assert len(found) <= 3
    if spelling.plain(name) and name in known:
        assert spelling.plain(found[0]) == spelling.plain(name) or spelling.plain(name) in {
            spelling.plain(each.rsplit("/", 1)[-1]) for each in found
        }
