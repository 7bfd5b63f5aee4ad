"""Pieces of transcripts: what is new in a file or a session, and how far it was read."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import apsw

from quaid.conversations.transcripts import Source, opencode_session, opencode_stamp
from quaid.foreign.transcripts import claude, codex, opencode, plain
from quaid.foreign.transcripts.turn import Context, Parsed, parsed_line
from quaid.model.record import record

BLOCK = 8_000_000  # bytes that are read in one step
LONGEST_LINE = 64_000_000  # bytes beyond a block: images are long, but not so long
_TAIL = 1024  # bytes before the place up to which a file was read: if they differ, it is another file
_PARSERS: dict[str, Callable[[bytes, Context], Parsed]] = {
    "claude": claude.parse,
    "codex": codex.parse,
    "plain": plain.parse_lines,
}
# Files of people, who may correct them: a changed one takes the place of what was read before.
REPLACED = ("plain", "markdown")


@record
class Piece:
    """What a step has read of a transcript: its turns, and how far that is."""

    parsed: Parsed
    state: dict[str, Any]
    used: int
    finished: bool
    again: bool = False  # from the beginning: turns may be known
    instead: bool = False  # in place of what was read before


def _identity(path: Path) -> dict[str, int]:
    facts = path.stat()
    return {"size": facts.st_size, "mtime": facts.st_mtime_ns, "inode": facts.st_ino}


def is_same(source: Source, state: dict[str, Any]) -> bool:
    """Whether a transcript is as it was when it was read."""
    try:
        if source.client == "opencode":
            return bool(state) and state.get("stamp") == opencode_stamp(source)
        return {**state, **_identity(source.path)} == state
    except (OSError, apsw.Error):
        return False


def session_piece(source: Source, state: dict[str, Any]) -> Piece:
    """A session of OpenCode, unless nothing has changed in it."""
    session = opencode_session(source)
    parsed = opencode.parse(session.info, session.messages)
    if state.get("stamp") == session.stamp:
        return Piece(Parsed((), parsed.context), state, 0, finished=True)
    size = sum(len(turn.text) for turn in parsed.turns)
    return Piece(parsed, {"stamp": session.stamp}, size, finished=True, again=True)


def file_piece(file: IO[bytes], source: Source, state: dict[str, Any], context: Context) -> Piece:
    """The next whole lines of a transcript; of Markdown, all of it."""
    facts = _identity(source.path)  # before it is read: what comes later is seen the next time
    offset = int(state.get("offset") or 0)
    again = bool(offset) and not _continues(file, offset, str(state.get("tail") or ""))
    if source.client == "markdown":
        file.seek(0)
        data = file.read()
        parsed = plain.parse_markdown(data, Context(source.session))
        return Piece(parsed, _state(facts, data, 0), len(data), True, instead=bool(state))
    offset = 0 if again else offset
    file.seek(offset)
    data, length, finished = _whole_lines(file)
    parsed = _PARSERS[source.client](data, Context(source.session) if again else context)
    end = offset + length
    return Piece(
        parsed,
        _state(facts if finished else {}, _before(file, end), end),
        length,
        finished,
        again,
        instead=again and source.client in REPLACED,
    )


def _before(file: IO[bytes], offset: int) -> bytes:
    file.seek(max(0, offset - _TAIL))
    return file.read(min(offset, _TAIL))


def _state(facts: dict[str, int], data: bytes, offset: int) -> dict[str, Any]:
    return {"offset": offset, "tail": sha256(data[-_TAIL:]).hexdigest()[:16] if offset else "", **facts}


def _continues(file: IO[bytes], offset: int, tail: str) -> bool:
    """Whether a file still begins with what was read of it."""
    before = _before(file, offset)
    return len(before) == min(offset, _TAIL) and sha256(before).hexdigest()[:16] == tail


def _whole_lines(file: IO[bytes]) -> tuple[bytes, int, bool]:
    """A block up to the end of a line, its size in the file, and whether the file ends there.

    A last line without an end counts if it is a whole object. Of a line that no client writes, such as the
    zeros that a crash leaves, nothing is kept in memory: it counts as one that cannot be read.
    """
    data = file.read(BLOCK)
    is_last = len(data) < BLOCK
    if not is_last and not data.endswith(b"\n"):
        rest = file.readline(LONGEST_LINE)
        if len(rest) == LONGEST_LINE and not rest.endswith(b"\n"):
            before = data.rfind(b"\n") + 1
            return (data[:before], before, False) if before else _unreadable_line(file, BLOCK + LONGEST_LINE)
        data += rest
        is_last = not rest.endswith(b"\n")
    if not is_last:
        return data, len(data), False
    end = data.rfind(b"\n") + 1
    rest = data[end:]
    data = data if rest and parsed_line(rest) is not None else data[:end]
    return data, len(data), True


def _unreadable_line(file: IO[bytes], size: int) -> tuple[bytes, int, bool]:
    """A line that cannot be read, in place of one that is too long, of which so many bytes were seen."""
    for part in iter(lambda: file.readline(BLOCK), b""):
        size += len(part)
        if part.endswith(b"\n"):
            break
    return b"-", size, False
