"""The person's browser: let in by a code that works once, known by a cookie from then on."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from time import monotonic

from quaid.model.grant import OWN, Grant

CODE_LASTS = 600.0  # seconds in which a code must be used
MOST = 50  # browsers that are known at a time


def cookie_name(port: int) -> str:
    """The name of the cookie: cookies do not know ports, and there may be a server at another one."""
    return f"quaid_{port}"


class Cookies:
    """Knows codes and cookies for as long as the server runs."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.key = secrets.token_urlsafe(32)  # with which another process of the person asks for a code
        self._clock = clock
        self._codes: dict[str, float] = {}
        self._known: dict[str, None] = {}

    def code(self) -> str:
        """A new code."""
        now = self._clock()
        self._codes = {code: ends for code, ends in self._codes.items() if ends > now}
        made = secrets.token_urlsafe(24)
        self._codes[made] = now + CODE_LASTS
        return made

    def cookie_for(self, code: str) -> str | None:
        """The cookie for a code, which is used up by that; None if it is not known, or too old."""
        if self._codes.pop(code, 0.0) <= self._clock():
            return None
        made = secrets.token_urlsafe(32)
        self._known[made] = None
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return made

    def forget(self, cookie: str) -> None:
        """Know a browser no longer."""
        self._known.pop(cookie, None)

    def grant(self, cookie: str) -> Grant | None:
        """What a browser may do: what its person may."""
        return OWN if cookie in self._known else None
