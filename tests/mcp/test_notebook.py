"""The notebook as an agent uses it: through the server, with files that a person edits beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.talking import Talk, talk
from tests.support import eventually, quick


@pytest.fixture
def book(tmp_path: Path) -> Path:
    quick("init", tmp_path / "book", "--profile", "notebook")
    return tmp_path / "book"


def memory(book: Path) -> Path:
    return book / ".quaid" / "memory.db"


def recalled(server: Talk, query: str) -> list[str]:
    found = server.call("recall", query=query)
    return [each["path"] for each in (*found.get("notebook", ()), *found.get("daily", ()))]


def test_what_is_remembered_is_in_a_file_and_recalled(book: Path) -> None:
    with talk(memory(book), "--tools", "notebook") as server:
        place = server.call("remember", content="Sarah Chen's phone number is 555-1234")["places"][0]
        assert "555-1234" in (book / place["path"]).read_text()
        assert place["path"] == "reference/contacts.md"
        assert recalled(server, "how can I call Sarah?") == ["reference/contacts.md"]
        server.call("daily_log", entry="Called Sarah about the harbour project")
        assert recalled(server, "harbour project")[0].startswith("daily/")


def test_an_edit_by_hand_is_recalled(book: Path) -> None:
    with talk(memory(book), "--tools", "notebook") as server:
        assert recalled(server, "zebra crossing") == []
        facts = book / "knowledge" / "facts.md"
        facts.write_text(facts.read_text() + "\n## Town\n\n- The zebra crossing is broken\n")
        eventually(lambda: recalled(server, "zebra crossing") == ["knowledge/facts.md"])


def test_a_lost_memory_is_made_anew_by_the_next_recall(book: Path) -> None:
    with talk(memory(book), "--tools", "notebook") as server:
        server.call("remember", content="The boiler is serviced by Novak & Sons")
        for path in memory(book).parent.glob("memory.db*"):
            if path.is_file():
                path.unlink()
        assert recalled(server, "who services the boiler?") == ["knowledge/facts.md"]


def test_a_stale_etag_is_a_conflict_that_carries_the_current_one(book: Path) -> None:
    with talk(memory(book), "--tools", "notebook") as server:
        read = server.call("notebook_read", path="lists/todos.md")
        (book / "lists" / "todos.md").write_text("## To do\n\n- [ ] By hand\n")
        write = {"path": "lists/todos.md", "content": "- [ ] Mine\n", "replace": True}
        stale = server.call("notebook_write", **write, etag=read["etag"])["error"]
        assert stale["code"] == "conflict"
        assert "By hand" in (book / "lists" / "todos.md").read_text()
        current = server.call("notebook_read", path="lists/todos.md")["etag"]
        assert server.call("notebook_write", **write, etag=current)["success"]
        assert server.call("notebook_write", **write)["error"]["code"] == "invalid_input"


def test_the_context_is_a_resource_and_a_prompt(book: Path) -> None:
    (book / "reference" / "standing-orders.md").write_text("## Rules\n\n- Never ping before 9\n")
    (waiting,) = quick("context", "approve", "--json", db=memory(book)).json["orders"]
    assert quick("context", "approve", waiting["id"], db=memory(book)).status == 0
    with talk(memory(book), "--tools", "notebook") as server:
        contents = server.ask("resources/read", uri="memory://context")["result"]["contents"]
        assert "Never ping before 9" in contents[0]["text"]
        prompt = server.ask("prompts/get", name="memory_context")["result"]["messages"][0]
        assert "Never ping before 9" in prompt["content"]["text"]


def test_instructions_speak_of_what_is_offered(book: Path) -> None:
    for tools, says, is_silent in (
        ("notebook", "daily_log", "memory_put"),
        ("core", "memory_put", "daily_log"),
    ):
        server = Talk(memory(book), "--tools", tools)
        try:
            told = server.greet()["instructions"]
        finally:
            server.stop()
        assert says in told
        assert is_silent not in told


def test_a_notebook_has_its_tools_without_being_asked_for(book: Path) -> None:
    with talk(memory(book)) as server:
        names = {tool["name"] for tool in server.ask("tools/list")["result"]["tools"]}
    assert {"memory_query", "remember", "recall"} <= names
    assert "kb_query" not in names
