"""Hooks: a client is told what matters, and never fails because of us."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.agents.hooks import EVENTS, answer, event_of, opening, read_input
from quaid.app import App
from tests.support import Ran, call, open_memory, quick


def hook(*words: str, given: object = None, db: Path | None = None) -> Ran:
    return quick("hook", *words, input=b"" if given is None else json.dumps(given), db=db)


def test_a_session_begins_with_what_the_memory_holds(app: App, db: Path) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n")
    call(
        app, "put", slug="tasks/pay", content="---\ntype: action_item\ndue: 2020-01-02\n---\n# Pay the rent\n"
    )
    done = hook("session-start", given={"hook_event_name": "SessionStart", "source": "startup"}, db=db)
    assert done.status == 0
    said = done.json["hookSpecificOutput"]
    assert said["hookEventName"] == "SessionStart"
    text = said["additionalContext"]
    assert "2 pages" in text
    assert "memory_query" in text
    assert "Pay the rent (2020-01-02, overdue)" in text


def test_what_is_contested_is_said(app: App) -> None:
    for slug, role in (("people/alice", "CEO"), ("notes/monday", "CTO")):
        page = f"---\nassertions:\n  - {{subject: Alice, predicate: role, object: {role}}}\n---\n# {slug}\n"
        call(app, "put", slug=slug, content=page)
    call(app, "check", all=True)
    (line,) = [line for line in opening(app).splitlines() if line.startswith("Contested: ")]
    assert "CEO" in line
    assert "CTO" in line


def test_an_empty_memory_says_so(app: App) -> None:
    text = opening(app)
    assert "no page yet" in text
    assert "Due" not in text
    assert "Contested" not in text


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "session-start"])
def test_other_events_are_answered_with_nothing(event: str, db: Path) -> None:
    assert hook(event, given={"prompt": "x"}, db=db).json == {}


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("SessionStart", "session-start"),
        ("UserPromptSubmit", "prompt"),
        ("BeforeAgent", "prompt"),
        ("PreCompact", "pre-compact"),
        ("PreCompress", "pre-compact"),
        ("Stop", "stop"),
        ("AfterAgent", "stop"),
        ("SessionEnd", "session-end"),
        ("PreToolUse", ""),
    ],
)
def test_clients_may_use_their_own_names(name: str, event: str) -> None:
    assert event_of(None, {"hook_event_name": name}) == event
    assert event_of(name, {}) == event


def test_nothing_fails_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a memory" * 1000)
    for path in (tmp_path / "missing.db", broken, tmp_path):
        done = hook("session-start", db=path)
        assert (done.status, done.out) == (0, "{}\n")
        assert done.err.startswith("quaid: hook: ")
    done = hook("nonsense", db=broken)
    assert (done.status, done.out) == (0, "{}\n")
    assert "session-start" in done.err
    assert not (tmp_path / "missing.db").exists()


def test_garbage_is_no_input(db: Path) -> None:
    for data in (b"garbage", b"[1, 2]", b"\xff\xfe", b"[" * 100_000, b'{"hook_event_name": 3}'):
        done = quick("hook", "session-start", input=data, db=db)
        assert done.status == 0
        assert done.json["hookSpecificOutput"]["hookEventName"] == "SessionStart"


@given(st.binary(max_size=60), st.none() | st.text(max_size=20))
def test_any_input_is_understood_or_ignored(data: bytes, name: str | None) -> None:
    said: dict[str, Any] = read_input(data)
    assert event_of(name, said) in ("", *EVENTS)


def test_a_long_answer_is_cut(app: App) -> None:
    title = "x" * 20_000
    page = f"---\ntype: action_item\ndue: 2020-01-02\n---\n# {title}\n"
    call(app, "put", slug="tasks/long", content=page)
    said = answer("session-start", {}, lambda: app)["hookSpecificOutput"]["additionalContext"]
    assert len(said) <= 9_000


SCRIPT = """
import sys
from quaid.cli.hooking import hook
from quaid.cli.main import _session
from quaid.cli.parser import Given
given = Given("hook")
given.values["event"] = "session-start"
hook(_session(sys.argv[1], False), given)
heavy = {"mcp", "numpy", "onnxruntime", "pydantic", "yaml"}
sys.stderr.write(" ".join(sorted(heavy & {name.split(".")[0] for name in sys.modules})))
"""


def test_it_answers_fast_and_loads_little(tmp_path: Path) -> None:
    open_memory(tmp_path / "m.db").store.close()
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "m.db")]
    done = subprocess.run(command, input=b"{}", capture_output=True, check=True)
    assert "no page yet" in done.stdout.decode()
    assert done.stderr == b""


def test_an_input_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    open_memory(tmp_path / "m.db").store.close()
    reader, writer = os.pipe()
    try:
        start = time.monotonic()
        command = [sys.executable, "-c", SCRIPT, str(tmp_path / "m.db")]
        done = subprocess.run(command, stdin=reader, capture_output=True, check=True, timeout=30)
        assert "no page yet" in done.stdout.decode()
        assert time.monotonic() - start < 20
        os.write(writer, b'{"hook_event_name": "Session')
        os.write(writer, b'Start"}')
        done = subprocess.run(command, stdin=reader, capture_output=True, check=True, timeout=30)
        assert "SessionStart" in done.stdout.decode()
    finally:
        os.close(reader)
        os.close(writer)
