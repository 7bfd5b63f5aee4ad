"""One question over everything, as an agent asks it; and the token budget as a client is given it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quaid.embed.tokens import estimate_tokens
from tests.mcp.talking import Talk, talk
from tests.support import quick

BUDGETS = (250, 300, 400, 600, 1000, 2000, 4000)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A memory with pages, a notebook with a daily log, a knowledge base and a conversation."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "AI_KB", "AI_KB_CREATED_BY", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    db = tmp_path / ".quaid" / "memory.db"
    assert quick("init", str(db)).status == 0
    assert quick("put", "companies/acme", input="# Acme\n\nAcme makes anvils in Hull.\n").status == 0
    assert quick("kb", "init", "--offline").status == 0
    notebook = tmp_path / "notebook"
    (notebook / "daily").mkdir(parents=True)
    (notebook / "knowledge").mkdir()
    (notebook / "knowledge" / "facts.md").write_text("# Facts\n\n- The fuse box is behind the coat rack\n")
    (notebook / "daily" / "2026-04-13.md").write_text(
        "# 2026-04-13\n\n## 18:00\nThe kettle leaks, ordered a gasket.\n"
    )
    assert quick("collection", "add", "home", str(notebook), "--profile", "notebook").status == 0
    said = {"type": "user", "sessionId": "s1", "timestamp": "2026-04-12T10:00:00Z"}
    turn = said | {"message": {"role": "user", "content": "Let us name the submarine project Nautilus."}}
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text(json.dumps(turn) + "\n")
    assert quick("conversations", "index", str(transcript)).status == 0
    return db


def places(answer: dict[str, Any]) -> list[str]:
    return [f"{each['collection']}::{each['slug']}" for each in answer["results"]]


def remember(agent: Talk) -> None:
    node = {"title": "Indentation", "summary": "Always use tabs for indentation.", "created_by": "codex"}
    agent.call("kb_remember", **node, type="preference")


def test_every_kind_of_text_is_found_by_one_tool(memory: Path) -> None:
    with talk(memory) as agent:
        said = agent.greet()["instructions"]
        assert said.index("memory_query") < said.index("recall")
        remember(agent)
        for question, place in {
            "where does Acme make anvils?": "default::companies/acme",
            "where is the fuse box?": "home::knowledge/facts",
            "what about the leaking kettle?": "home::daily/2026-04-13",
            "how do I indent code, with tabs?": "kb::",
            "what is the submarine project called?": "conversations::",
        }.items():
            answer = agent.call("memory_query", question=question)
            assert "known" not in answer or question.startswith("what")
            found = places(answer)
            assert any(each.startswith(place) for each in found[:3]), (question, found)


def test_what_is_not_known_is_said(memory: Path) -> None:
    with talk(memory) as agent:
        agent.greet()
        assert agent.call("memory_query", question="qzx wvut plimb")["known"] is False


def test_other_names_of_arguments_are_taken_by_the_server(memory: Path) -> None:
    with talk(memory) as agent:
        agent.greet()
        own = agent.call("memory_query", question="where is the fuse box?", limit=1)
        assert agent.call("memory_query", query="where is the fuse box?", maxResults="1") == own
        assert agent.call("recall", question="fuse box", k=1) == agent.call(
            "recall", query="fuse box", max_results=1
        )


def test_a_name_that_is_not_known_gets_the_nearest(memory: Path) -> None:
    with talk(memory) as agent:
        agent.greet()
        assert agent.call("memory_list", type="companies")["pages"][0]["slug"] == "companies/acme"
        told = agent.call("memory_query", question="anvils", type="compny")
        assert any("Did you mean company?" in each for each in told["notices"])
        assert (
            "Did you mean companies/acme?" in agent.call("memory_get", slug="companies/acne")["error"]["hint"]
        )


def test_no_more_is_delivered_than_the_budget(memory: Path) -> None:
    for number in range(12):
        text = f"# Topic {number}\n\n" + "".join(
            f'## Part {part}\n\nAnvil "{number}-{part}" was sold to Acme; the harbour paid.\n\n'
            for part in range(4)
        )
        assert quick("put", f"notes/topic-{number}", input=text).status == 0
    with talk(memory) as agent:
        agent.greet()
        for budget in BUDGETS:
            values = {"question": "which anvil was sold to Acme?", "token_budget": budget}
            result = agent.ask("tools/call", name="memory_query", arguments=values)["result"]
            data, text = result["structuredContent"], result["content"][0]["text"]
            assert json.loads(text) == data
            assert estimate_tokens(text) <= budget
            texts = [each.get("content", "") for each in data["results"]]
            assert len(texts) == len({*texts} - {""}) + texts.count("")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_more_is_printed_than_the_budget(memory: Path, form: tuple[str, ...]) -> None:
    for budget in BUDGETS:
        ran = quick("query", "where", "is", "the", "fuse", "box?", "--budget", str(budget), *form)
        assert ran.status == 0
        assert estimate_tokens(ran.out) <= max(budget, 300)
