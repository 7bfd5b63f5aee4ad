"""Whose a token is: the one that the server was started with, or one of those that have names."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from quaid.app.app import utc_now
from quaid.app.tokens import SHARED, Tokens
from quaid.errors import QuaidError
from quaid.model.grant import Grant


class Keys:
    """Knows tokens."""

    def __init__(self, home: Path, database: Callable[[], Path], shared: str = "") -> None:
        self._home = home
        self._database = database  # raises what is wrong while there is none
        self._shared = shared.encode()
        self._tokens: Tokens | None = None

    @property
    def tokens(self) -> Tokens | None:
        """The tokens of the memory, once there is one."""
        with suppress(QuaidError):
            return self.demand_tokens()
        return None

    def demand_tokens(self) -> Tokens:
        """The tokens of the memory; what is wrong is raised while there is none."""
        if self._tokens is None:
            self._tokens = Tokens(self._home, self._database())
        return self._tokens

    def grant(self, given: str) -> Grant | None:
        """What a token allows; None if nobody knows it.

        The server's own is given to agents: what belongs to the owner is not for it.
        """
        if self._shared and hmac.compare_digest(given.encode(), self._shared):
            return Grant(SHARED, "write")
        now, tokens = utc_now(), self.tokens
        found = tokens.find(given, now) if tokens else None
        if tokens is None or found is None:
            return None
        tokens.note_use(found.name, now)
        return found.grant()
