"""What the memory does when an agent's client calls: at the start, before a prompt, around a compaction.

An event is known by our own name and by the names that clients have for it. The answer is what they read:
text for the agent in `additionalContext` (Cursor: `additional_context`), or an empty object. What an event
does is loaded when it happens, because the client waits.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from quaid.agents.hooks.states import State, States
from quaid.app import App
from quaid.formats import fence
from quaid.model.actor import acting, present_actor
from quaid.model.record import replace

ROOM = 9_450  # of text for the agent, as clients count: in units of UTF-16; more than 10,000 are put aside
LONGEST_MARK = 30  # characters that close a fence
EVENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "session-start": ("session_start:start", ("SessionStart", "sessionStart")),
    "prompt": ("prompt:prompt", ("UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt")),
    "tool": ("prompt:after_tool", ("PostToolUse", "AfterTool", "postToolUse")),
    "pre-compact": ("session_end:before_compaction", ("PreCompact", "PreCompress", "preCompact")),
    "post-compact": ("session_end:after_compaction", ("PostCompact",)),
    "stop": ("session_end:pause", ("Stop", "AfterAgent", "stop")),
    "session-end": ("session_end:end", ("SessionEnd", "sessionEnd")),
}
NAMES = {name: event for event, (_, names) in EVENTS.items() for name in (event, *names)}


class Call:
    """One call of a hook: what the client says, and what is remembered of the conversation."""

    def __init__(
        self,
        given: Mapping[str, Any],
        opened: Callable[[], App],
        states: States,
        launch: Callable[[Sequence[str]], None],
    ) -> None:
        self._given = given
        self._opened = opened
        self.launch = launch
        self.states = states
        names = ("session_id", "sessionId", "conversation_id", "transcript_path")
        self.session = next(filter(None, map(self.text, names)), "")
        self.state = states.load(self.session) if self.session else State()
        self._before = self.state.data()

    @cached_property
    def app(self) -> App:
        """The memory."""
        return self._opened()

    @property
    def transcript(self) -> Path | None:
        """The file of the conversation, if there is one."""
        path = self.text("transcript_path")
        return Path(path) if os.path.isabs(path) and os.path.isfile(path) else None

    def text(self, name: str) -> str:
        """A field of what the client says; empty if it is not there, or no text."""
        value = self._given.get(name)
        return value if isinstance(value, str) and "\0" not in value else ""

    def keep(self) -> bool:
        """Remember the state if it has changed; the answer is whether it is kept."""
        if self.state.data() == self._before:
            return True
        kept = bool(self.session) and self.states.save(self.session, self.state)
        self._before = self.state.data()
        return kept


def answer(
    event: str,
    given: Mapping[str, Any],
    opened: Callable[[], App],
    home: Path,
    launch: Callable[[Sequence[str]], None],
) -> str:
    """The JSON with which a call is answered. An event that is not known has an empty answer.

    `launch` starts a command of ours that outlives this process.
    """
    stated = str(given.get("hook_event_name") or given.get("hookEventName"))
    kind = NAMES.get(event) or NAMES.get(stated)
    if kind is None:
        return "{}"
    target, names = EVENTS[kind]
    module, function = target.split(":")
    run: Callable[[Call], str | None] = getattr(import_module(f"quaid.agents.hooks.{module}"), function)
    call = Call(given, opened, States(home), launch)
    with acting(replace(present_actor(), kind="agent", session=call.session)):
        text = run(call) or ""
    call.keep()
    return _shape(stated if NAMES.get(stated) == kind else names[0], _within(text))


def _within(text: str) -> str:
    """A text that no client thinks too long, with every fence closed."""
    counted = text.encode("utf-16-le", "replace")
    if len(counted) <= 2 * ROOM:
        return text
    return fence.closed(counted[: 2 * (ROOM - LONGEST_MARK)].decode("utf-16-le", "ignore"))


def _shape(event: str, text: str) -> str:
    if not text:
        return "{}"
    if event[0].islower():  # Cursor's own names, and its own form
        allowed = {"continue": True} if event == "beforeSubmitPrompt" else {}
        return json.dumps({**allowed, "additional_context": text}, ensure_ascii=False)
    shaped = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return json.dumps(shaped, ensure_ascii=False)
