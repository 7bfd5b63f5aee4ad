"""Facts that the person has asserted, and agents that know otherwise: both are kept."""

from __future__ import annotations

from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import Conflict
from quaid.model.actor import Actor, acting
from quaid.operations.arguments import decode
from tests.support import call

ALICE = """\
---
title: Alice
assertions:
- subject: people/alice
  predicate: role
  object: CEO
- subject: people/alice
  predicate: office
  object: Berlin
  asserted_by: agent
---
Alice founded RiverAI.
"""


@pytest.fixture
def alice(app: App) -> App:
    """A memory in which the person has asserted one fact, and an agent another."""
    call(app, "put", slug="people/alice", content=ALICE)
    return app


def by_agent(app: App, name: str, **values: Any) -> Any:
    """An operation that an agent calls."""
    operation = operations.operation(name)
    with acting(Actor("agent", "Agent", "1")):
        return operations.run(app, operation, decode(operation.arguments, values, tool=False))


def facts(app: App) -> dict[str, str]:
    """Who asserts which current objects of Alice."""
    found = call(app, "facts", subject="people/alice")["facts"]
    return {each["object"]: each["asserted_by"] for each in found}


def test_what_an_agent_asserts_is_the_agents(alice: App) -> None:
    by_agent(alice, "assert", subject="people/alice", predicate="role", object="CTO")
    assert facts(alice) == {"CEO": "manual", "Berlin": "agent", "CTO": "agent"}


def test_a_fact_of_the_person_that_an_agent_supersedes_stays(alice: App) -> None:
    known = {each["object"]: each["id"] for each in call(alice, "facts", subject="people/alice")["facts"]}
    done = by_agent(alice, "supersede", id=known["CEO"], object="CTO")
    assert done.contested
    assert facts(alice) == {"CEO": "manual", "Berlin": "agent", "CTO": "agent"}
    assert call(alice, "check", all=True)["open"] == 1
    assert not by_agent(alice, "supersede", id=known["Berlin"], object="Hamburg").contested
    assert "Berlin" not in facts(alice)


def test_an_agent_does_not_take_back_what_the_person_has_asserted(alice: App) -> None:
    for object_, refused in (("CEO", True), ("Berlin", False)):
        predicate = "role" if refused else "office"
        words = {"fact": "people/alice", "predicate": predicate, "object": object_}
        if refused:
            with pytest.raises(Conflict, match="the person has asserted it: “people/alice role CEO”"):
                by_agent(alice, "retract", **words)
        else:
            by_agent(alice, "retract", **words)
    assert facts(alice) == {"CEO": "manual"}


@pytest.mark.parametrize(
    "change",
    [
        {"content": "---\ntitle: Alice\n---\nAlice left.\n"},
        {"content": ALICE.replace("CEO", "CTO")},
        {"content": ALICE.replace("object: CEO", "object: CEO\n  valid_until: 2025-01-01")},
        {"frontmatter": {"assertions": None}},
    ],
)
def test_a_page_that_an_agent_writes_keeps_the_facts_of_the_person(
    alice: App, change: dict[str, Any]
) -> None:
    by_agent(alice, "put", slug="people/alice", expected_version=1, **change)
    assert facts(alice)["CEO"] == "manual"


def test_the_person_writes_what_they_want(alice: App) -> None:
    call(alice, "put", slug="people/alice", content="---\ntitle: Alice\n---\nAlice left.\n")
    assert facts(alice) == {}
