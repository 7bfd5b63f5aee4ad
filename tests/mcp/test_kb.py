"""An agent that has the tools of a knowledge base, over the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kb.repositories import Repository
from tests.mcp.talking import talk
from tests.support import quick


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A knowledge base at its usual place, attached to the person's memory."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "AI_KB", "AI_KB_CREATED_BY", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    assert quick("init", str(tmp_path / ".quaid" / "memory.db")).status == 0
    assert quick("kb", "init", "--offline").status == 0
    return Repository(tmp_path / ".local" / "share" / "ai-kb")


def test_an_agent_remembers_asks_and_is_stopped(kb: Repository, tmp_path: Path) -> None:
    with talk(tmp_path / ".quaid" / "memory.db", "--tools", "kb,memory_search") as agent:
        assert "kb_remember" in agent.greet()["instructions"]
        offered = {each["name"]: each["annotations"] for each in agent.ask("tools/list")["result"]["tools"]}
        assert offered["kb_query"]["readOnlyHint"] is True
        assert offered["kb_remember"]["destructiveHint"] is False
        node = {"title": "Indentation", "summary": "Always use tabs for indentation.", "created_by": "codex"}
        id = agent.call("kb_remember", **node, type="preference")["id"]
        assert kb.subjects()[0] == "Remember Indentation"
        assert agent.call("memory_search", query="indentation")["results"][0]["title"] == "Indentation"
        (hit,) = agent.call("kb_query", question="tabs")["results"]
        assert (hit["id"], hit["match"]) == (id, ["matched-summary", "matched-body"])
        refused = agent.call(
            "kb_remember", **node | {"title": "Indent", "summary": "Never use tabs for indentation."}
        )
        assert refused["error"]["code"] == "conflict"
        assert id in refused["error"]["hint"]
        shown = agent.call("kb_show", name=id)
        assert shown["text"] == kb.text(id)
        changed = agent.call("kb_remember", update=id, expect=shown["etag"], body="Width 4.", append=True)
        assert changed["action"] == "updated"
        assert "Width 4." in kb.text(id)
        assert agent.call("kb_lint") == {"blocking": 0, "findings": []}
        assert agent.call("kb_status")["nodes"] == 1


def test_it_can_be_set_up(kb: Repository, tmp_path: Path) -> None:
    ran = quick("setup", "claude-code", "--tools", "kb", "--dry-run", "--json")
    assert ran.json["command"][-2:] == ["--tools", "kb"]
