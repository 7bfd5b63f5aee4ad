"""Payloads through everything that puts stored text before an agent: none leaves its fence or hides."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.agents.hooks import events
from quaid.app import App
from quaid.mcp import prompts, resources
from tests.attacks import PAYLOADS, is_harmless
from tests.notebook.reading import approve, attach, write
from tests.support import call, open_memory, quick

MARKS = ("standing-orders", "file", "notes", "memory-state", "transcript")
_FENCE = re.compile(rf'^<({"|".join(MARKS)})(?: path="[^"\n<]*")?>\n(.*?)\n</\1>$', re.MULTILINE | re.DOTALL)


def check(text: str) -> None:
    """All that is fenced is harmless, and so is what stands around it."""
    assert text
    for found in _FENCE.finditer(text):
        assert is_harmless(found[2])
    assert is_harmless(_FENCE.sub("", text))


def hooked(app: App, home: Path, event: str, **said: str) -> str:
    answer = json.loads(events.answer(event, said, lambda: app, home, lambda words: None))
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture
def book(app: App, tmp_path: Path) -> Path:
    return attach(app, tmp_path / "agent" / "notebook")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_notebook(app: App, book: Path, tmp_path: Path, payload: str) -> None:
    write(
        book,
        {
            "reference/standing-orders.md": f"# Standing orders\n\n- Be brief\n\n{payload}\n",
            "reference/contacts.md": f"# Contacts\n\n## {payload}\n\nSarah {payload}\n",
            "daily/2026-04-14.md": f"## 09:00 — {payload}\n{payload}\n",
            "knowledge/facts.md": f"# Facts\n\n## The zebra crossing\n\n- zebra crossing {payload}\n",
        },
    )
    approve(app)  # even what the person approved cannot leave its fence
    for text in (
        call(app, "context")["text"],
        hooked(app, tmp_path, "session-start", session_id="a"),
        resources.read(app, resources.CONTEXT).text,
        prompts.prompt_text(app, "memory_context", {}),
        json.loads(quick("context", "--format", "hook", db=app.store.path).out)["hookSpecificOutput"][
            "additionalContext"
        ],
    ):
        check(text)
        assert text.count("<file ") == text.count("</file>")
        assert text.count("<standing-orders ") == text.count("</standing-orders>")
    told = hooked(app, tmp_path, "prompt", session_id="a", prompt="what about the zebra crossing?")
    if told:
        check(told)
        assert told.count("<notes>") == told.count("</notes>") == 1


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[App]:
    app = open_memory(tmp_path / "plain.db")
    yield app
    app.store.close()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_pages(plain: App, tmp_path: Path, payload: str) -> None:
    title = json.dumps(payload)
    call(
        plain,
        "put",
        slug="zebra",
        content=f"---\ntitle: {title}\ntype: {title}\n---\n> {payload}\n\nzebra crossing\n",
    )
    call(
        plain,
        "put",
        slug="todo",
        content=f"---\ntype: action_item\ntitle: {title}\ndue: 2020-01-01\n---\n{payload}\n",
    )
    check(call(plain, "context")["text"])
    check(hooked(plain, tmp_path, "session-start", session_id="a"))
    check(resources.index_text(plain))
    for each in resources.resources(plain):
        assert is_harmless(f"{each.title or ''} {each.description or ''}")
    check(prompts.prompt_text(plain, "memory_briefing", {}))
    meeting = {"transcript": payload, "source_ref": payload, "date": payload}
    check(prompts.prompt_text(plain, "memory_ingest_meeting", meeting))
    told = hooked(plain, tmp_path, "prompt", session_id="a", prompt="the zebra crossing, please")
    if told:
        check(told)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_names_of_files(app: App, book: Path, tmp_path: Path, payload: str) -> None:
    name = payload.replace("/", "∕").replace("\0", "")[:60].strip(". ") or "x"  # as a file may be called
    try:
        write(book, {f"reference/{name}.md": "Text.\n"})
    except OSError:
        pytest.skip("no file can have that name")
    check(call(app, "context")["text"])
    check(hooked(app, tmp_path, "session-start", session_id="a"))


@pytest.mark.parametrize("size", [200, 2_000, 20_000, 200_000])
def test_a_hook_that_has_too_much_to_say_leaves_no_fence_open(
    app: App, book: Path, tmp_path: Path, size: int
) -> None:
    write(book, {f"reference/{name}.md": f"# {name}\n\n" + "😀 <b>\n" * (size // 7) for name in "abc"})
    call(app, "config set", key="hooks.recall_chars", value="8000")
    for number in range(9):
        write(book, {f"knowledge/zebra{number}.md": f"# Zebra {number}\n\nzebra crossing {'😀' * 2_000}\n"})
    again = app.reread()
    for text in (
        hooked(again, tmp_path, "session-start", session_id="a"),
        hooked(again, tmp_path, "prompt", session_id="a", prompt="zebra crossing zebra"),
    ):
        check(text)
        for mark in MARKS:
            assert len(re.findall(f"^<{mark}[ >]", text, re.MULTILINE)) == text.count(f"</{mark}>")


def test_orders_that_wait_do_not_come_with_a_prompt(app: App, book: Path, tmp_path: Path) -> None:
    write(
        book,
        {"reference/standing-orders.md": "# Orders\n\n## Zebra\n\n- At a zebra crossing, obey eve\n"},
    )
    told = hooked(app, tmp_path, "prompt", session_id="a", prompt="what about the zebra crossing?")
    assert "obey eve" not in told


def test_nothing_that_agents_are_given_tells_them_to_approve() -> None:
    skills = list((Path(events.__file__).parents[2] / "skills").rglob("*.md"))
    assert skills
    for each in skills:
        assert "context approve" not in each.read_text()
