"""What two statements are to each other: the same, a contradiction, or two things that both can stand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.kb.statement import statement
from quaid.kb.verdict import verdict

OWN = Path(__file__).parents[2] / "bench" / "labelled" / "pairs-own.json"


def kind(one: str, other: str, nearness: float | None = None) -> str:
    found = verdict(statement(one), statement(other), nearness)
    return found.kind if found else "distinct"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Python is formatted with black.", "Python is formatted with ruff."),
        ("The cluster runs Postgres 15.", "The cluster runs Postgres 16."),
        ("Tokens expire after 60 minutes.", "Tokens expire after two hours."),
        ("Releases go out on Tuesday.", "Releases go out on Thursdays."),
        ("Always use tabs for indentation.", "Never use tabs for indentation."),
        ("Errors are reported to Sentry.", "Errors are reported to Rollbar."),
        ("The user prefers tea over coffee.", "The user prefers coffee over tea."),
        ("Nina leads the mobile team.", "The mobile team is led by Omar."),
    ],
)
def test_another_value_of_one_thing_is_a_contradiction(one: str, other: str) -> None:
    assert kind(one, other) == kind(other, one) == "contradiction"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Requests time out after 120 seconds.", "Requests time out after two minutes."),
        ("The office closes at 18:00 on Fridays.", "On Friday the office shuts at 6 pm."),
        ("Don't squash merges; keep the history.", "Merge without squashing, so that the history stays."),
        ("Never skip the linter before a commit.", "Before a commit, run the linter."),
    ],
)
def test_the_same_value_in_another_form_is_the_same(one: str, other: str) -> None:
    assert kind(one, other) == kind(other, one) == "duplicate"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The API runs on port 8080.", "The admin interface runs on port 8081."),
        ("Nina leads the mobile team.", "Nina leads the hiring committee."),
        ("The office opens at 9:00.", "The office closes at 18:00."),
        ("Backups are kept for 30 days.", "Backups run every 6 hours."),
        ("The user prefers tabs in Go code.", "The user prefers spaces in Python code."),
        ("Secrets are kept in the vault, not in the repository.", "Secrets are rotated every month."),
    ],
)
def test_two_things_can_stand_side_by_side(one: str, other: str) -> None:
    assert kind(one, other) == kind(other, one) == "distinct"


def test_meaning_recognises_other_words_and_no_other_thing() -> None:
    one, other = "The scheduler restarts failed jobs.", "A job that fails is tried again by the scheduler."
    assert (kind(one, other), kind(one, other, 0.95), kind(one, other, 0.5)) == (
        "distinct",
        "duplicate",
        "distinct",
    )
    assert kind("The staging cluster has nodes.", "The production cluster has nodes.", 0.97) == "distinct"


def test_the_labelled_pairs_keep_their_floor() -> None:
    right: Counter[str] = Counter()
    for pair in json.loads(OWN.read_text("utf-8"))["pairs"]:
        right[pair["label"]] += kind(pair["second"], pair["first"]) == pair["label"]
    assert right["duplicate"] >= 35
    assert right["contradiction"] >= 46
    assert right["distinct"] >= 67


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from([None, 0.0, 0.9, 1.0]))
def test_any_two_texts_can_be_compared(one: str, other: str, nearness: float | None) -> None:
    assert kind(one, other, nearness) in ("duplicate", "contradiction", "distinct")
