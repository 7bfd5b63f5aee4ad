"""One call of a hook: what the client says, and what is remembered of the conversation."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from quaid.agents.hooks.states import State, States
from quaid.app import App


class Call:
    """What an event is given."""

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
