"""Real agents, set up by `quaid setup`, with a scripted model in the place of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mcp.agents.clients import AGENTS, Agent
from tests.mcp.agents.model import DONE, Call, serving
from tests.mcp.agents.packages import needs_npm
from tests.mcp.sessions import BEARER, listening
from tests.support import environment, quaid

ALICE = "# Alice\n\nKnows Zoë and 三木.\n"
SCRIPT = (
    Call("memory_put", {"slug": "people/alice", "content": ALICE, "expected_version": 0}),
    Call("memory_get", {"slug": "people/alice"}),
    Call("memory_put", {"slug": "people/alice", "content": "# A\n", "expected_version": 9}),
    Call("memory_search", {"query": "三木"}),
)


@needs_npm
@pytest.mark.stress
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_an_agent_uses_the_memory_that_it_was_set_up_with(agent: Agent, tmp_path: Path) -> None:
    home, db = tmp_path / "home", tmp_path / "memory.db"
    home.mkdir()
    env = environment(db, {"HOME": str(home)})
    with serving(SCRIPT) as model:
        agent.prepare(home, model)
        done = quaid("setup", agent.name, env=env)
        assert done.status == 0, done.err
        ran = agent.run(home, model)
        assert ran.status == 0, ran.out + ran.err
        assert DONE in ran.out
        talk = model.told
        written, read, refused, found = (json.loads(last_line(result)) for result in model.results)
        offered = {offer.bare for offer in model.offered}
    assert {"memory_put", "memory_get", "memory_search"} <= offered
    assert "long-term memory" in talk, "the server's instructions did not reach the model"
    assert ("There is a Quaid memory" in talk) == agent.reminds
    assert written["version"] == 1
    assert read["content"] == ALICE
    assert (refused["error"]["code"], refused["error"]["current_version"]) == ("conflict", 1)
    assert refused["error"]["hint"]
    assert [match["slug"] for match in found["results"]] == ["people/alice"]
    assert quaid("get", "people/alice", db=db).out == ALICE


@needs_npm
@pytest.mark.stress
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_an_agent_reaches_a_memory_over_http(agent: Agent, tmp_path: Path, db: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with serving(SCRIPT[:2]) as model, listening(db) as url:
        agent.prepare(home, model)
        agent.remote(home, url, BEARER)
        ran = agent.run(home, model)
        assert ran.status == 0, ran.out + ran.err
        written, read = (json.loads(last_line(result)) for result in model.results)
    assert written["version"] == 1
    assert read["content"] == ALICE


def last_line(result: str) -> str:
    """The answer itself: an agent may put how long it took before it."""
    return result.strip().splitlines()[-1]
