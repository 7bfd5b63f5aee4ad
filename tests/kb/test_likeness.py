"""Whether two nodes say the same: many notes of one field are told apart, and paraphrases are recognised."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.kb.likeness import Stated
from quaid.kb.node import Node
from tests.kb.nodes import alike, node

OPERATIONS = (
    ("Postgres port", "Postgres listens on port 5432 on the staging host.", "Use the tunnel."),
    ("Redis port", "Redis listens on port 6379 on the staging host.", "Use the tunnel."),
    ("Grafana port", "Grafana listens on port 3000 on the staging host.", "Log in with SSO."),
    ("Postgres backup schedule", "Postgres is backed up every night at 02:00.", "pg_dump to the NAS."),
    ("Redis backup schedule", "Redis is backed up every hour by RDB snapshot.", "Kept for 3 days."),
    ("Postgres version", "The cluster runs Postgres 16.", "Upgrade is due in spring."),
    ("Python version", "The services run Python 3.12.", "Pinned in pyproject."),
    ("Node version", "The frontend runs Node 20.", "Pinned in .nvmrc."),
    ("Deploy on weekdays only", "We never deploy on Fridays.", "Too risky before the weekend."),
    ("Deploy steps", "Deploy with make deploy after the tests pass.", "Then look at Grafana."),
    ("Rollback steps", "Roll back with make rollback when errors rise.", "Then look at Grafana."),
    ("Test command", "Run the tests with make test before a commit.", "About two minutes."),
    ("Lint command", "Run the linter with make lint before a commit.", "About ten seconds."),
    ("Type check command", "Run the type checker with make types before a commit.", "Strict."),
    ("Commit subject length", "Commit subjects have at most 50 characters.", "Imperative."),
    ("Commit body width", "Commit bodies are wrapped at 72 characters.", "Say why."),
    ("Branch names", "Branches are named feature/TICKET-words.", "Lower case."),
    ("Use tabs in Makefiles", "Makefiles are indented with tabs.", "Make demands it."),
    ("Use spaces in Python", "Python is indented with 4 spaces.", "Ruff format."),
    (
        "Staging database password location",
        "The staging password is in the vault under db/staging.",
        "Ask ops.",
    ),
    (
        "Production database password location",
        "The production password is in the vault under db/production.",
        "Ask ops.",
    ),
)
OPERATIONS_REWORDED = (
    ("Postgres listening port", "On the staging host Postgres listens on port 5432."),
    ("Port of Redis", "On staging, Redis listens on port 6379."),
    ("Which port Grafana uses", "Grafana on the staging host listens on port 3000."),
    ("Nightly Postgres backup", "Every night at 02:00 Postgres is backed up."),
    ("Backup schedule of Redis", "An RDB snapshot backs up Redis every hour."),
    ("Postgres version of the cluster", "Our cluster runs version 16 of Postgres."),
    ("Version of Python", "All services run on Python 3.12."),
    ("Version of Node", "Our frontend runs on Node 20."),
    ("No deploys on Friday", "We do not deploy on Fridays."),
    ("How to deploy", "After tests pass, deploy with make deploy."),
    ("How to roll back", "When errors rise, use make rollback."),
    ("How to run the tests", "Before a commit, run the tests with make test."),
    ("How to lint", "Before a commit, run make lint."),
    ("Type checking", "Run make types, the type checker, before each commit."),
    ("Length of commit subjects", "Commit subjects must have at most 50 characters."),
    ("Width of commit bodies", "Wrap commit bodies at 72 characters."),
    ("Naming of branches", "Name branches feature/TICKET-words."),
    ("Tabs in Makefiles", "Indent Makefiles with tabs."),
    ("Spaces in Python", "Indent Python with 4 spaces."),
    ("Where the staging password is", "The staging database password is in the vault under db/staging."),
)
HABITS = (
    ("Sourdough hydration", "Sourdough works best at 75 percent water.", "Weigh flour first."),
    ("Sourdough proofing time", "Sourdough proofs overnight in the fridge.", "About 12 hours."),
    ("Rye bread hydration", "Rye bread needs 85 percent water.", "It stays sticky."),
    ("Oven temperature for bread", "Bread is baked at 240 degrees with steam.", "Then down to 210."),
    ("Oven temperature for cake", "Cake is baked at 170 degrees without steam.", "No fan."),
    ("Prefer short meetings", "The user wants meetings under 30 minutes.", "Agenda first."),
    ("Prefer async updates", "The user wants status updates in writing.", "No calls."),
    ("Emacs theme", "The user likes the modus operandi theme in Emacs.", "Light."),
    ("Terminal theme", "The user likes solarized dark in the terminal.", "kitty."),
    ("Flight seat", "The user prefers an aisle seat on flights.", "Long ones."),
    ("Train seat", "The user prefers a window seat on trains.", "Quiet coach."),
    ("Coffee order", "The user drinks espresso without sugar.", "Morning."),
    ("Tea order", "The user drinks green tea without sugar.", "Afternoon."),
    ("Doctor appointment", "The next appointment with the doctor is on 2026-03-02.", "Bring card."),
    ("Dentist appointment", "The next appointment with the dentist is on 2026-04-11.", "Bring card."),
    ("API retries", "The client retries failed requests three times with backoff.", "Jitter."),
    ("API timeouts", "The client gives up on requests after ten seconds.", "Connect 2."),
    ("Debug memory leaks", "Use tracemalloc to find memory leaks in Python.", "Snapshots."),
    ("Debug slow code", "Use py-spy to find slow code in Python.", "Flame graphs."),
    ("Do not mock the database", "Integration tests use a real database.", "Docker."),
    ("Mock the payment service", "Integration tests never call the real payment service.", "Stub."),
)
HABITS_REWORDED = (
    ("Water in sourdough", "Sourdough works best with 75 percent water."),
    ("Proofing sourdough", "Proof sourdough in the fridge overnight."),
    ("Hydration of rye", "Rye bread needs 85 percent of water."),
    ("Baking bread", "Bake bread at 240 degrees with steam."),
    ("Baking cake", "Bake cake at 170 degrees, no steam."),
    ("Meeting length", "Meetings should be under 30 minutes, the user says."),
    ("Written updates", "The user prefers status updates in writing."),
    ("Theme of Emacs", "User likes modus operandi as Emacs theme."),
    ("Theme of the terminal", "In the terminal the user likes solarized dark."),
    ("Seat on flights", "On flights the user prefers an aisle seat."),
    ("Seat on trains", "On trains the user prefers a window seat."),
    ("How the user drinks coffee", "User drinks espresso, without sugar."),
    ("Doctor", "Next doctor appointment: 2026-03-02."),
    ("Retries", "Failed requests are retried three times with backoff by the client."),
    ("Request timeout", "After ten seconds the client gives up on requests."),
    ("Finding memory leaks", "Find memory leaks in Python with tracemalloc."),
    ("Profiling", "Find slow Python code with py-spy."),
    ("Real database in tests", "Integration tests should use a real database."),
    ("Payment service in tests", "Never call the real payment service in integration tests."),
    ("Green tea", "User drinks green tea, no sugar."),
)


def nodes_of(notes: tuple[tuple[str, str, str], ...]) -> list[Node]:
    return [
        node(number, title=title, summary=summary, body=body)
        for number, (title, summary, body) in enumerate(notes, start=1)
    ]


@pytest.mark.parametrize("notes", [OPERATIONS, HABITS])
def test_notes_of_one_field_do_not_refuse_each_other(notes: tuple[tuple[str, str, str], ...]) -> None:
    nodes = nodes_of(notes)
    for each in nodes:
        found = alike(each.title, each.summary, each.body, nodes, besides=each.id)
        assert not found, (each.title, found[0].node.title, found[0].kind)


@pytest.mark.parametrize(
    ("notes", "reworded"), [(OPERATIONS, OPERATIONS_REWORDED), (HABITS, HABITS_REWORDED)]
)
def test_most_paraphrases_are_recognised(
    notes: tuple[tuple[str, str, str], ...], reworded: tuple[tuple[str, str], ...]
) -> None:
    nodes = nodes_of(notes)
    known = [title for title, summary in reworded if alike(title, summary, summary, nodes)]
    assert len(known) >= 0.8 * len(reworded)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Use tabs", "Use tabs in Python."), ("Use spaces", "Use spaces in Python.")),
        (("Indentation", "Use tabs in Python."), ("Python whitespace", "Use spaces in Python.")),
        (("Line length", "Lines have 80 characters."), ("Length of lines", "Lines have 100 characters.")),
    ],
)
def test_contradictions_are_recognised(one: tuple[str, str], other: tuple[str, str]) -> None:
    known = node(1, title=one[0], summary=one[1])
    assert [each.kind for each in alike(*other, "", [known])] == ["contradiction"]


def test_a_thousand_nodes_are_compared_fast() -> None:
    nodes = [node(number, body="A paragraph of some length. " * 20) for number in range(1, 1001)]
    began = time.process_time()
    alike("Something new", "It is unlike all that is known.", "Really.", nodes)
    assert time.process_time() - began < 3  # of a processor; it takes a tenth of that


WORDS = """use avoid tabs spaces policy policies family families wrap wraps wrapped wrapping always never 80
90 the how to rely relies line lines ß straße release releases not""".split()  # noqa: SIM905
STATEMENTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(STATEMENTS, STATEMENTS, STATEMENTS, STATEMENTS)
def test_the_quick_look_misses_nothing_that_is_alike(one: str, said: str, other: str, also: str) -> None:
    known = node(1, title=other or "x", summary=also or "x")
    if alike(one, said, "", [known]):
        assert Stated(one, said, "").may_be_like(known.title, known.summary)


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Release note 1", "Release note 2"),
        ("Retro 12: what we saw", "Retro 13: what we saw"),
        ("First interview with the vendor", "Second interview with the vendor"),
    ],
)
def test_two_nodes_of_a_series_are_two_however_alike(title: str, other: str) -> None:
    summary, body = "The importer reads tables of 40 columns.", "Nothing else changed."
    known = [node(1, title=other, summary=summary, body=body)]
    assert alike(title, summary, body, known) == []
    assert alike(other, summary, body, known)
