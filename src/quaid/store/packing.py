"""Texts of pages as they are kept: deflated, where that makes them shorter.

A text that is kept as it is has the type TEXT, one that is packed is a BLOB. SQL reads both by the functions
that are registered here. What is damaged can be looked at too, as far as it goes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import apsw

LEAST = 128  # characters of a text that is packed
LEVEL = 6
# The bytes of what is kept in a column or parameter, damaged or not.
BYTES = "iif(typeof({0}) = 'text', CAST({0} AS BLOB), unpacked({0}))"
# Each question to a knowledge base reads all of its texts: there they are kept as they are.
KEPT = "iif((SELECT profile FROM collections WHERE id = {collection}) = 'kb', whole(:packed), :packed)"


def pack(text: str) -> str | bytes:
    """A text as it is kept."""
    if len(text) < LEAST:
        return text
    from zlib import compress  # start-up: what only looks for rows does without

    plain = text.encode()
    packed = compress(plain, LEVEL)
    return packed if len(packed) < len(plain) else text


def readable(packed: bytes) -> str | bytes:
    """A text as it is kept, or as much of it as can be read."""
    try:
        _text(packed)
    except UnicodeDecodeError:
        return (_unpacked(packed) or b"").decode("utf-8", "replace")
    return packed


def register(connection: apsw.Connection) -> None:
    """Let SQL read texts: all of one, some characters of it, or its bytes, damaged or not."""
    for name, function, count in (
        ("whole", _whole, 1),
        ("part", _part, 3),
        ("unpacked", _unpacked, 1),
    ):
        connection.create_scalar_function(
            name, function, count, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
        )


def register_for_steps(connection: apsw.Connection) -> None:
    """What brings an older memory up to date needs."""
    for name, function in (("pack", pack), ("characters", len), ("legible", _is_legible)):
        measure: Any = function  # which is given texts alone
        connection.create_scalar_function(name, measure, 1, deterministic=True)


def _whole(*values: Any) -> str | None:
    (kept,) = values
    return _text(kept) if isinstance(kept, bytes) else kept


def _part(*values: Any) -> str | None:
    """The characters between two places; without a second one, all that follow the first."""
    kept, start, end = values
    text = _text(kept) if isinstance(kept, bytes) else kept
    return text if text is None else text[start:end]


def _is_legible(kept: str | bytes) -> bool:
    """Whether a text can be read whole."""
    try:
        _whole(kept)
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=1)  # several parts of one page are often asked for
def _text(packed: bytes) -> str:
    from zlib import decompress, error  # start-up: what only looks for rows does without

    try:
        return decompress(packed).decode()
    except error as reason:
        raise UnicodeDecodeError("deflate", packed, 0, len(packed), str(reason)) from reason


def _unpacked(*values: Any) -> bytes | None:
    """The bytes of a text that is packed; of one that is damaged, those before the damage."""
    (kept,) = values
    if not isinstance(kept, bytes):
        return None
    from zlib import decompressobj, error  # start-up: what only looks for rows does without

    whole, reader = bytearray(), decompressobj()
    try:
        return reader.decompress(kept) + reader.flush()
    except error:
        reader = decompressobj()
        try:
            for place in range(len(kept)):
                whole += reader.decompress(kept[place : place + 1])
        except error:
            pass
        return bytes(whole)
