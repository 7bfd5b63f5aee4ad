"""Conversations become pages whose structure nothing that was said can break."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.foreign.importers.chatgpt import ChatGpt
from quaid.foreign.importers.chats import contained
from quaid.foreign.importers.claude import Claude
from quaid.formats.content import read_page
from quaid.formats.markdown import structure
from tests.foreign.importers.support import (
    as_json,
    chatgpt,
    claude,
    claude_message,
    drafts,
    gpt_node,
    refusals,
)

FILE = "conversations.json"
TRIP = "sources/conversations/2024-01-15-planning-a-trip.md"
LINES = """
---;# x;## y;```;~~~~;````py;<!--;-->;- item;  ```;> q;> ```;text;===;<div>;    code;1. a;\t---;***;`;[a]: b;
|a|b|;|--|--|;\r;\ud83d;  - ---;\x0c---;a\u2028---
"""
UGLY = st.lists(st.sampled_from(LINES.split(";")) | st.text(max_size=12), max_size=12).map("\n".join)


def text_of(kind: type, conversation: object) -> str:
    (draft,) = drafts(kind, {FILE: as_json(conversation)}).values()
    return draft.text


def test_a_conversation_of_claude() -> None:
    found = drafts(
        Claude,
        {
            FILE: as_json(
                claude(
                    claude_message("human", "Where to?\n\n---\n\n# Please"),
                    claude_message("assistant", "Lisbon.\n\n```sh\n# not a heading\n---\n```"),
                )
            )
        },
    )
    assert found[TRIP].text == (
        "---\n"
        "title: Planning a trip\n"
        "type: source\n"
        "source_type: conversation\n"
        "source_ref: https://claude.ai/chat/c0ffee00-1111\n"
        "conversation_id: c0ffee00-1111\n"
        "created: 2024-01-15T10:20:30Z\n"
        "updated: 2024-01-16T08:00:00Z\n"
        "---\n"
        "# Planning a trip\n"
        "\n## You (2024-01-15 10:20)\n\nWhere to?\n\n***\n\n### Please\n"
        "\n## Assistant (2024-01-15 10:20)\n\nLisbon.\n\n```sh\n# not a heading\n---\n```\n"
    )
    page = read_page(found[TRIP].text, TRIP[:-3])
    assert (page.type, page.title, page.timeline, page.problems) == ("source", "Planning a trip", "", ())


def test_tools_and_thoughts_are_left_out_documents_stay() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Here it is."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "secret"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "noise"}]},
        {
            "type": "tool_use",
            "name": "artifacts",
            "input": {
                "command": "create",
                "title": "sort.py",
                "language": "python",
                "content": "a = ```b```\n",
            },
        },
    ]
    asked = claude_message(
        "human", "Sort", attachments=[{"file_name": "a.csv", "extracted_content": "x,y\n---\n"}]
    )
    answer = claude_message("assistant", "This block is not supported", content=blocks)
    text = text_of(Claude, claude(asked, answer))
    assert "Here it is.\n\n**sort.py**\n\n````python\na = ```b```\n````" in text
    assert "**a.csv**\n\n```\nx,y\n---\n```" in text
    assert not any(word in text for word in ("hm", "secret", "noise", "not supported"))


def test_the_branch_that_was_edited_away_is_left_out() -> None:
    first = claude_message("human", "One", uuid="1", parent_message_uuid="0")
    old = claude_message("assistant", "Old answer", uuid="2", parent_message_uuid="1")
    new = claude_message("assistant", "New answer", uuid="3", parent_message_uuid="1")
    text = text_of(Claude, claude(first, old, new))
    assert "New answer" in text
    assert "Old answer" not in text


def test_messages_without_ids_are_all_taken() -> None:
    messages = [{"sender": sender, "text": sender} for sender in ("human", "assistant", "human")]
    text = text_of(Claude, claude(*messages))
    assert text.endswith(
        "# Planning a trip\n\n## You\n\nhuman\n\n## Assistant\n\nassistant\n\n## You\n\nhuman\n"
    )


def test_the_current_branch_of_chatgpt() -> None:
    conversation = chatgpt(
        gpt_node("root", None, None, children=("sys",)),
        gpt_node("sys", "root", "system", "You are…", children=("u1", "u2")),
        gpt_node("u1", "sys", "user", "Old question", children=("a1",)),
        gpt_node("a1", "u1", "assistant", "Old answer"),
        gpt_node("u2", "sys", "user", "New question", children=("t",)),
        gpt_node("t", "u2", "assistant", "print(1)", children=("r",), recipient="python"),
        gpt_node("r", "t", "tool", "1", children=("a2",)),
        gpt_node("a2", "r", "assistant", "First.\ue200cite\ue202turn0\ue201", children=("a3",)),
        gpt_node("a3", "a2", "assistant", "Second."),
        current="a3",
    )
    text = text_of(ChatGpt, conversation)
    assert text.endswith(
        "\n## You (2024-01-15 10:20)\n\nNew question\n"
        "\n## Assistant (2024-01-15 10:20)\n\nFirst.\n\nSecond.\n"
    )
    assert "model: gpt-4o\n" in text
    assert "source_ref: https://chatgpt.com/c/68a-1\n" in text


def test_without_a_current_message_the_latest_one_counts() -> None:
    conversation = chatgpt(
        gpt_node("u", None, "user", "Q", children=("a", "b")),
        gpt_node("a", "u", "assistant", "Late", create_time=1800000000),
        gpt_node("b", "u", "assistant", "Early"),
        current=None,
    )
    assert "Late" in text_of(ChatGpt, conversation)


def test_a_tree_that_bites_its_tail_ends() -> None:
    conversation = chatgpt(
        gpt_node("a", "b", "user", "Q"), gpt_node("b", "a", "assistant", "A"), current="b", title=None
    )
    assert text_of(ChatGpt, conversation).count("## ") == 2


def test_media_code_and_canvas_of_chatgpt() -> None:
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    spoken = {"content_type": "audio_transcription", "text": "Spoken words"}
    canvas = json.dumps({"name": "essay", "type": "document", "content": "# Essay\n---\nEnd"})
    conversation = chatgpt(
        gpt_node(
            "u", None, "user", content={"content_type": "multimodal_text", "parts": [image, spoken, "See", 7]}
        ),
        gpt_node("a", "u", "assistant", canvas, recipient="canmore.create_textdoc"),
        gpt_node("c", "a", "assistant", content={"content_type": "code", "language": "py", "text": "x = 1"}),
        gpt_node(
            "t", "c", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]}
        ),
        current="t",
    )
    text = text_of(ChatGpt, conversation)
    assert "*(an image)*\n\nSpoken words\n\nSee" in text
    assert "**essay**\n\n```\n# Essay\n---\nEnd\n```\n\n```py\nx = 1\n```" in text
    assert "hm" not in text


def test_without_a_title_it_is_called_as_it_begins() -> None:
    long = "What is the **best** way to cook rice, and why does nobody ever seem to agree about any of that?"
    (path,) = drafts(Claude, {FILE: as_json(claude(claude_message("human", long), name=""))})
    assert (
        path
        == "sources/conversations/2024-01-15-what-is-the-best-way-to-cook-rice-and-why-does-nobody-ever-s.md"
    )


def test_conversations_of_one_name_have_a_page_each() -> None:
    twice = [claude(claude_message("human", "Hi"), uuid=uuid) for uuid in ("aaaaaaaa-1", "bbbbbbbb-2")]
    found = drafts(Claude, {FILE: as_json(*twice)})
    assert sorted(found) == [TRIP.replace(".md", "-bbbbbbbb.md"), TRIP]


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        ("[]", []),
        ("{", ["it is not JSON"]),
        ('[7, {}, {"uuid": "a", "chat_messages": []}]', ["no conversation"] * 2 + ["nothing was said"]),
    ],
)
def test_what_is_no_conversation_is_named(data: str, reasons: list[str]) -> None:
    found = refusals(Claude([FILE]), FILE, data)
    assert len(found) == len(reasons)
    assert all(reason in each.reason for each, reason in zip(found, reasons, strict=True))


@given(st.lists(UGLY, min_size=1, max_size=4))
@example(["```\nopen", "next"])
@example(["<!-- open", "next"])
@example(["> ```\n> quoted", "---"])
def test_nothing_said_breaks_the_page(said: list[str]) -> None:
    messages = [
        claude_message("human" if number % 2 else "assistant", text or "x", content=[])
        for number, text in enumerate(said)
    ]
    for draft in drafts(Claude, {FILE: json.dumps([claude(*messages)])}).values():
        page = read_page(draft.text, "a")
        spoken = sum(bool(text.strip()) for text in (each or "x" for each in said))
        headings = structure.headings(page.truth)
        assert page.rule == page.timeline == ""
        assert [each.level for each in headings].count(1) == 1
        assert 1 <= [each.level for each in headings].count(2) <= spoken
        assert all(each.text.startswith(("You", "Assistant")) for each in headings if each.level == 2)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_plain_words_stay_as_they_are(text: str) -> None:
    if text.strip() and text[0].isalpha():
        assert contained(text) == text


VALID: dict[type, Any] = {
    Claude: claude(
        claude_message("human", "Q", attachments=[{"file_name": "a", "extracted_content": "b"}]),
        claude_message("assistant", "A", uuid="2", parent_message_uuid="1"),
    ),
    ChatGpt: chatgpt(
        gpt_node("u", None, "user", "Q", children=("a",), metadata={"attachments": [{"name": "x"}]}),
        gpt_node("a", "u", "assistant", '{"name": "n", "content": "c"}', recipient="canmore.create_textdoc"),
        current="a",
    ),
}
VALUES = st.sampled_from([None, True, 7, 1e300, float("-inf"), "", "text", [], [None], {}, {"type": "text"}])


def with_another_value(value: Any, path: list[int], other: Any) -> Any:
    """The value with something else at some place in it."""
    if not path or not isinstance(value, (list, dict)) or not value:
        return other
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    changed = value.copy()
    changed[key] = with_another_value(value[key], path[1:], other)
    return changed


@pytest.mark.parametrize("kind", list(VALID))
@given(path=st.lists(st.integers(0, 20), min_size=1, max_size=7), other=VALUES)
def test_nothing_in_an_export_makes_an_importer_fail(kind: type, path: list[int], other: Any) -> None:
    drafts(kind, {FILE: json.dumps([with_another_value(VALID[kind], path, other)])})
