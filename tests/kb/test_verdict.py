"""What two statements are to each other: the same, a contradiction, or two things that both can stand."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.embed.judge import open_judge
from quaid.kb.statement import statement
from quaid.kb.verdict import Judgement, Verdict, verdict
from tests.embed.support import a_context

OWN = Path(__file__).parents[2] / "bench" / "labelled" / "pairs-own.json"


@cache
def judged(one: str, other: str) -> Judgement | None:
    judge = open_judge(a_context(Path()))
    assert judge
    [opinion] = judge.judge(one, [other])
    return opinion and Judgement(*opinion)


def by_meaning(one: str, other: str) -> Verdict | None:
    return verdict(statement(one), statement(other), judged(one, other))


def kind(found: Verdict | None) -> str:
    return found.kind if found else "distinct"


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Python is formatted with black.", "Python is formatted with ruff.", "black against ruff"),
        ("The cluster runs Postgres 15.", "The cluster runs Postgres 16.", "15 against 16"),
        ("Tokens expire after 60 minutes.", "Tokens expire after two hours.", "1 hours against 2 hours"),
        ("Releases go out on Tuesday.", "Releases go out on Thursdays.", "Tuesday against Thursday"),
        ("Always use tabs for indentation.", "Never use tabs for indentation.", "“never” in one of them"),
        ("Errors are reported to Sentry.", "Errors are reported to Rollbar.", "Sentry against Rollbar"),
        ("Nina leads the mobile team.", "The mobile team is led by Omar.", ""),
        ("Yuki is vegan.", "Yuki loves steak and eats everything.", ""),
        ("Bruno gets 5 mg.", "Bruno gets 2.5 mg.", "5 mg against 2.5 mg"),
    ],
)
def test_another_value_of_one_thing_is_a_contradiction(one: str, other: str, reason: str) -> None:
    found = by_meaning(one, other)
    assert kind(found) == kind(by_meaning(other, one)) == "contradiction"
    assert found
    assert found.reason == reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Requests time out after 120 seconds.", "Requests time out after two minutes."),
        ("The office closes at 18:00 on Fridays.", "On Friday the office shuts at 6 pm."),
        ("Don't squash merges; keep the history.", "Merge without squashing, so that the history stays."),
        ("The scheduler restarts failed jobs.", "A job that fails is tried again by the scheduler."),
        ("Always ask before deleting files.", "Never delete a file without asking me first."),
        ("The boiler man is called Terry, 0161 555 0147", "for the heating ring Terry on 01615550147"),
    ],
)
def test_the_same_value_in_another_form_is_the_same(one: str, other: str) -> None:
    assert kind(by_meaning(one, other)) == kind(by_meaning(other, one)) == "duplicate"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The API runs on port 8080.", "The admin interface runs on port 8081."),
        ("Nina leads the mobile team.", "Nina leads the hiring committee."),
        ("Backups are kept for 30 days.", "Backups run every 6 hours."),
        ("The user prefers tabs in Go code.", "The user prefers spaces in Python code."),
        ("Secrets are kept in the vault, not in the repository.", "Secrets are rotated every month."),
    ],
)
def test_two_things_can_stand_side_by_side(one: str, other: str) -> None:
    assert kind(by_meaning(one, other)) == kind(by_meaning(other, one)) == "distinct"


def test_the_likelier_is_said_where_two_things_are_improbable() -> None:
    one, other = statement("The lease ends in June."), statement("We have the shop until summer.")
    assert kind(verdict(one, other, Judgement(0.42, 0.38, 0.2))) == "duplicate"
    assert kind(verdict(one, other, Judgement(0.38, 0.42, 0.2))) == "contradiction"
    assert kind(verdict(one, other, Judgement(0.36, 0.34, 0.3))) == "distinct"


def test_words_alone_recognise_what_is_plain() -> None:
    port = statement("The staging API listens on port 8443.")
    assert kind(verdict(port, statement("On staging the API listens on port 8443."))) == "duplicate"
    assert kind(verdict(port, statement("The staging API listens on port 9443."))) == "contradiction"
    assert kind(verdict(port, statement("Backups are kept in Frankfurt."))) == "distinct"


def test_another_value_is_never_the_same_however_sure_the_network_is() -> None:
    one, other = statement("Bruno gets 5 mg."), statement("Bruno gets 2.5 mg.")
    assert verdict(one, other, Judgement(0.9, 0.05, 0.05)) == (
        "contradiction",
        pytest.approx(0.95),
        "5 mg against 2.5 mg",
    )


def test_the_labelled_pairs_keep_their_floor_by_words() -> None:
    right: Counter[str] = Counter()
    for pair in json.loads(OWN.read_text("utf-8"))["pairs"]:
        found = verdict(statement(pair["second"]), statement(pair["first"]))
        right[pair["label"]] += kind(found) == pair["label"]
    assert right["duplicate"] >= 31
    assert right["contradiction"] >= 29
    assert right["distinct"] >= 68


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    found = verdict(statement(one), statement(other))
    assert kind(found) == kind(verdict(statement(other), statement(one)))
