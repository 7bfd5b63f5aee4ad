"""The moment before a conversation is compacted: what is not written down by then is lost.

A monitor counts the tokens of a conversation. When they reach three quarters of the window, it fires, once;
after a compaction it is ready again. Whoever runs the agent then gives it MESSAGE.

How full a window is says the end of the agent's transcript. Clients write a JSON object per line. Claude Code
and Codex note how many tokens the model last read, which is exact; where nothing is noted, the messages since
the last compaction are counted. What lies before the end of a file would not change the answer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

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
TAILS = (131_072, 1_048_576)  # bytes from the end: where a count is noted the first suffices
MOST_MESSAGE = 400_000  # characters of one message that are counted
DEEPEST = 6  # levels of a message's content
SAMPLE = 40_000  # characters from which the tokens of more are estimated
_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_SPEAKERS = ("user", "assistant", "gemini", "model", "message", "response_item")


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


# Transcripts -------------------------------------------------------------------------------------


@record
class Fill:
    """Tokens in the window, and how large it is if the client says so."""

    tokens: int
    window: int | None = None
    noted: bool = False  # by the client, not estimated


@record
class Line:
    """What a line of a transcript says about the window."""

    compaction: bool = False
    noted: int | None = None
    window: int | None = None
    text: str = ""


def fill_of(path: Path) -> Fill:
    """How full the window of a transcript is; nothing where it cannot be read."""
    fill = Fill(0)
    try:
        size = path.stat().st_size
        for tail in TAILS:
            fill = _fill(_last_lines(path, tail))
            if fill.noted or size <= tail:
                break
    except OSError:
        return Fill(0)
    return fill


def read_lines(path: Path) -> Iterator[Line]:
    """All lines of a transcript that say something."""
    with path.open("rb") as file:
        yield from filter(None, map(read_line, file))


def read_line(raw: bytes) -> Line | None:
    """A line of a transcript; None for what is no message, and for what is no JSON."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("isSidechain"):
        return None
    payload = data["payload"] if isinstance(data.get("payload"), dict) else {}
    kind = str(data.get("type") or data.get("role") or "")
    if data.get("subtype") == "compact_boundary" or "compacted" in (kind, payload.get("type")):
        return Line(compaction=True)
    if payload.get("type") == "token_count":
        info = payload["info"] if isinstance(payload.get("info"), dict) else {}
        return Line(
            noted=_total(info.get("last_token_usage")), window=_number(info.get("model_context_window"))
        )
    if kind not in _SPEAKERS:
        return None
    message = data["message"] if isinstance(data.get("message"), dict) else data
    noted = _total(message.get("usage")) or _total(data.get("tokens"))
    texts = _texts(payload or message.get("content") or data.get("message") or data.get("text"))
    text = "\n".join(texts)[:MOST_MESSAGE]
    return Line(bool(data.get("isCompactSummary")), noted, None, text)


def _fill(lines: Iterable[bytes]) -> Fill:
    tokens, window, noted = 0, None, False
    waiting: list[str] = []  # messages since the last noted count
    for line in filter(None, map(read_line, lines)):
        if line.compaction:
            tokens, noted, waiting = 0, False, []
        window = line.window or window
        if line.noted:
            tokens, noted, waiting = line.noted, True, []
        elif line.text:
            waiting.append(line.text)
    return Fill(tokens + _token_count(waiting), window, noted)


def _token_count(texts: list[str]) -> int:
    """About how many tokens texts have; of many, a part of each is looked at."""
    whole = sum(len(text) for text in texts)
    if whole <= SAMPLE:
        return sum(estimate_tokens(text) for text in texts)
    parts = [text[: len(text) * SAMPLE // whole + 1] for text in texts]
    return sum(estimate_tokens(part) for part in parts) * whole // sum(len(part) for part in parts)


def _last_lines(path: Path, size: int) -> Iterator[bytes]:
    """The lines in the last bytes of a file; one that began before them is left out."""
    with path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        file.seek(max(0, length - size))
        lines = file.read(size).split(b"\n")
        yield from lines[1:] if length > size else lines


def _total(usage: Any) -> int | None:
    """All tokens of a count: what was read and what was written."""
    if not isinstance(usage, dict):
        return None
    whole = _number(usage.get("total_tokens")) or _number(usage.get("total"))
    return whole or sum(_number(usage.get(each)) or 0 for each in _COUNTS) or None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _texts(content: Any, depth: int = 0) -> Iterator[str]:
    """All texts of a message, those of its tools too: they fill the window as well."""
    if isinstance(content, str):
        yield content
    elif depth < DEEPEST and isinstance(content, list):
        for each in content:
            yield from _texts(each, depth + 1)
    elif depth < DEEPEST and isinstance(content, dict) and content.get("type") != "image":
        for key, value in content.items():
            if key not in ("type", "id", "tool_use_id", "signature", "source", "encrypted_content", "role"):
                yield from _texts(value, depth + 1)
