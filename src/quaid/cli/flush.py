"""The command that shows when an agent would be asked to write down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput
from quaid.notebook.flush import MESSAGE, read_lines, simulate
from quaid.operations.results import as_data
from quaid.operations.text import count_of


def simulate_flush(session: Session, given: Given) -> int:
    """Say when the agent would have been asked to write down in a conversation."""
    path = Path(given.values["transcript"]).expanduser()
    window = _number(given.values.get("window_tokens"), session.settings.integer("hooks.window_tokens"))
    try:
        result = simulate(_messages(path), window, session.settings.number("hooks.flush_share"))
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be read: {error.strerror}", hint="Name a transcript of an agent's client."
        ) from None
    counts = f"{count_of(result.messages, 'message')}, {count_of(result.compactions, 'compaction')}"
    lines = [f"{counts}, {count_of(result.tokens, 'token')} at the end of a window of {window:,}"]
    lines += [f"asked at message {each.message:,}, with {each.tokens:,} tokens" for each in result.fired]
    lines += ["", MESSAGE] if result.fired else ["never asked: the window never became so full"]
    return session.console.answer({**as_data(result), "message": MESSAGE}, "\n".join(lines))


def _messages(path: Path) -> Iterator[str | None]:
    for line in read_lines(path):
        if line.compaction:
            yield None
        if line.text:
            yield line.text


def _number(text: str | None, default: int) -> int:
    try:
        return int(text) if text else default
    except ValueError:
        raise InvalidInput(f"{text!r} is not a whole number", hint="Such as 200000.") from None
