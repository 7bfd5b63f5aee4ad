"""The moment before a conversation is compacted: what is not written down by then is lost.

A monitor counts the tokens of a conversation. When they reach three quarters of the window, it fires, once;
after a compaction it is ready again. Whoever runs the agent then gives it MESSAGE.
"""

from __future__ import annotations

from collections.abc import Iterable

from quaid.embed.tokens import estimate_tokens
from quaid.errors import InvalidInput
from quaid.model.record import record

SHARE = 0.75
REARM = 0.75  # of the tokens at which it fires: with fewer, a new window has begun
MESSAGE = (
    "This conversation is close to the size at which it will be compacted. Write down now what should "
    "outlast it: facts, preferences and decisions with `remember` or `notebook_write`, what happened with "
    "`daily_log`. After the compaction you will have your notebook and the latest daily logs, and nothing "
    "else of this. If nothing is worth keeping, carry on."
)


class FlushMonitor:
    """Says once per window that memories should be written down."""

    def __init__(self, window_tokens: int, share: float = SHARE, *, fired: bool = False) -> None:
        if window_tokens < 1 or not 0 < share <= 1:
            raise InvalidInput(
                "a window has at least one token, and a share is above 0 and at most 1",
                hint="Such as 200000 and 0.75.",
            )
        self.window_tokens = window_tokens
        self.tokens = 0
        self.fired = fired
        self._limit = share * window_tokens

    def add(self, text: str) -> bool:
        """Count a message; the answer is whether it is time to write down."""
        return self.reached(self.tokens + estimate_tokens(text))

    def reached(self, tokens: int) -> bool:
        """Take over a count from elsewhere; the answer is whether it is time to write down.

        A conversation only shrinks when it is compacted, and then by much: a count far below the limit makes
        the monitor ready again. A little less is an estimate that wavers.
        """
        self.tokens = tokens
        if tokens < self._limit:
            self.fired = self.fired and tokens >= REARM * self._limit
            return False
        due = not self.fired
        self.fired = True
        return due

    def begin_window(self, tokens: int = 0) -> None:
        """The conversation was compacted to so many tokens: a new window begins."""
        self.tokens = tokens
        self.fired = tokens >= self._limit


@record
class Fired:
    """That the monitor fired: at which message, counted from 1, and how many tokens there were."""

    message: int
    tokens: int


@record
class Simulated:
    """What a monitor would have done in a conversation."""

    messages: int
    tokens: int  # at its end
    compactions: int
    fired: tuple[Fired, ...]


def simulate(messages: Iterable[str | None], window_tokens: int, share: float = SHARE) -> Simulated:
    """Run a monitor over a conversation, in which None is a compaction. A full window is compacted too."""
    monitor = FlushMonitor(window_tokens, share)
    fired: list[Fired] = []
    count = compactions = 0
    for message in messages:
        if message is None:
            compactions += 1
            monitor.begin_window()
            continue
        count += 1
        if monitor.add(message):
            fired.append(Fired(count, monitor.tokens))
        if monitor.tokens >= window_tokens:
            compactions += 1
            monitor.begin_window()
    return Simulated(count, monitor.tokens, compactions, tuple(fired))
