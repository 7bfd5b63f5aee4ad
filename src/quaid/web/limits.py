"""How much one token may ask for: nobody keeps the others waiting."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from quaid.errors import Limited
from quaid.model.record import record

STREAMS = 64  # answers without an end, of a token


@record
class Limit:
    """Requests a second, of which some may come at once after a rest, and requests at a time."""

    rate: int = 500
    at_once: int = 32


class Share:
    """What one token has asked for lately."""

    def __init__(self, limit: Limit, now: float) -> None:
        self._limit = limit
        self._left = float(limit.rate)
        self._since = now
        self._busy = {True: 0, False: 0}  # streams, and all else

    @contextmanager
    def turn(self, now: float, *, stream: bool) -> Iterator[None]:
        """While a request is answered."""
        rate = self._limit.rate
        self._left = min(float(rate), self._left + (now - self._since) * rate)
        self._since = now
        if self._left < 1:
            wait = math.ceil((1 - self._left) / rate)
            raise Limited(f"a token makes at most {rate} requests a second", retry_after=wait)
        most = STREAMS if stream else self._limit.at_once
        if self._busy[stream] >= most:
            raise Limited(f"at most {most} requests of a token are worked at", retry_after=1)
        self._left -= 1
        self._busy[stream] += 1
        try:
            yield
        finally:
            self._busy[stream] -= 1


class Limits:
    """The shares of all tokens."""

    def __init__(self, limit: Limit, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._shares: dict[str, Share] = {}

    @contextmanager
    def turn(self, name: str, *, stream: bool) -> Iterator[None]:
        """While a request of a token is answered; refused if it is one too many."""
        now = self._clock()
        share = self._shares.setdefault(name, Share(self._limit, now))
        with share.turn(now, stream=stream):
            yield
