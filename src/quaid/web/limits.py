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
    """What one token has asked for lately: what it may ask for at once, and how much is worked at."""

    def __init__(self, left: float, since: float) -> None:
        self.left = left
        self.since = since
        self.busy = {True: 0, False: 0}  # streams, and all else


class Limits:
    """The shares of all tokens."""

    def __init__(self, limit: Limit, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._shares: dict[str, Share] = {}

    @contextmanager
    def turn(self, name: str, *, stream: bool) -> Iterator[None]:
        """While a request of a token is answered; refused if it is one too many."""
        now, rate = self._clock(), self._limit.rate
        share = self._shares.setdefault(name, Share(rate, now))
        share.left = min(float(rate), share.left + (now - share.since) * rate)
        share.since = now
        if share.left < 1:
            wait = math.ceil((1 - share.left) / rate)
            raise Limited(f"a token makes at most {rate} requests a second", retry_after=wait)
        most = STREAMS if stream else self._limit.at_once
        if share.busy[stream] >= most:
            raise Limited(f"at most {most} requests of a token are worked at", retry_after=1)
        share.left -= 1
        share.busy[stream] += 1
        try:
            yield
        finally:
            share.busy[stream] -= 1
