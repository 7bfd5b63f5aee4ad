"""Texts of pages as they are kept: deflated, where that makes them shorter.

A text that is kept as it is has the type TEXT, one that is packed is a BLOB. Texts of a folder are packed
against a stock of what its pages say (`store/stocks.py`); such a one names its stock by a checksum, as zlib
does. SQL reads all of them by the functions that are registered here. What is damaged can be looked at too,
as far as it goes.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any
from weakref import ref

import apsw

LEAST = 128  # characters of a text that is packed
LEVEL = 6
STOCKED_LEVEL = 3  # against a stock: a third of the time of level 6, for a thirtieth more bytes
_NAMES_STOCK = 0x20  # a bit of the second byte of what zlib writes; the checksum follows
# The bytes of what is kept in a column or parameter, damaged or not.
BYTES = "iif(typeof({0}) = 'text', CAST({0} AS BLOB), unpacked({0}))"
# Each question to a knowledge base reads all of its texts: there they are kept as they are. A stock may have
# gone since the text was packed against it.
KEPT = """iif((SELECT profile FROM collections WHERE id = {collection}) = 'kb', whole(:packed),
    restocked(:packed, (SELECT checksum FROM stocks WHERE collection_id = {collection} LIMIT 1)))"""


def pack(text: str, stock: bytes = b"") -> str | bytes:
    """A text as it is kept, against a stock if there is one."""
    if len(text) < LEAST:
        return text
    from zlib import compress  # start-up: what only looks for rows does without

    plain = text.encode()
    if stock:
        writer = _prepared_reader(stock).copy()
        packed = writer.compress(plain) + writer.flush()
    else:
        packed = compress(plain, LEVEL)
    return packed if len(packed) < len(plain) else text


def named_stock(packed: bytes) -> int | None:
    """The checksum of the stock against which a text is packed, if there is one."""
    has_one = len(packed) > 6 and packed[1] & _NAMES_STOCK
    return int.from_bytes(packed[2:6], "big") if has_one else None


def readable(packed: bytes) -> str | bytes:
    """A text as it is kept, or as much of it as can be read; what needs a stock is left to whoever has it."""
    if named_stock(packed) is not None:
        return packed
    try:
        _text(packed, b"")
    except UnicodeDecodeError:
        return (_unpacked(packed, b"") or b"").decode("utf-8", "replace")
    return packed


def register(connection: apsw.Connection) -> None:
    """Let SQL read texts, all of one or some characters of it, damaged or not, and pack them otherwise."""
    texts = _Texts(connection)
    for name, function, count in (
        ("whole", texts.part, 1),
        ("part", texts.part, 3),
        ("unpacked", texts.unpacked, 1),
        ("restocked", texts.restocked, 2),
        ("legible", texts.is_legible, 1),
    ):
        connection.create_scalar_function(
            name, function, count, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
        )


def register_for_steps(connection: apsw.Connection) -> None:
    """What brings an older memory up to date needs."""
    for name, function in (("pack", pack), ("characters", len)):
        measure: Any = function  # which is given texts alone
        connection.create_scalar_function(name, measure, 1, deterministic=True)


class _Texts:
    """The texts of one memory, as SQL asks for them, with the stocks that were needed so far."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._memory = ref(connection)
        self._stocks: dict[int, bytes] = {}

    def part(self, *values: Any) -> str | None:
        """The characters of a text between two places, or all that follow one; all of it if none is given."""
        kept, *places = values
        text = _text(kept, self._stock_of(kept)) if isinstance(kept, bytes) else kept
        return text[slice(*places)] if text and places else text

    def unpacked(self, *values: Any) -> bytes | None:
        """The bytes of a text that is packed; of one that is damaged, those before the damage."""
        (kept,) = values
        return _unpacked(kept, self._stock_of(kept)) if isinstance(kept, bytes) else None

    def restocked(self, *values: Any) -> str | bytes | None:
        """A text packed against the stock of a checksum, or alone."""
        kept, checksum = values
        if not isinstance(kept, bytes):
            return None if kept is None else str(kept)
        if named_stock(kept) == checksum:
            return kept
        return pack(_text(kept, self._stock_of(kept)), self._stock(checksum))

    def is_legible(self, *values: Any) -> bool:
        """Whether a text can be read whole."""
        (kept,) = values
        try:
            self.part(kept)
        except UnicodeDecodeError:
            return False
        return True

    def _stock_of(self, packed: bytes) -> bytes:
        return self._stock(named_stock(packed))

    def _stock(self, checksum: int | None) -> bytes:
        """The stock of a checksum; nothing if it is lost."""
        memory = self._memory()
        if checksum is None or memory is None:
            return b""
        if checksum not in self._stocks:
            from zlib import adler32  # start-up: what only looks for rows does without

            for copy in (0, 1):  # one may be damaged
                with suppress(apsw.Error):
                    sql = "SELECT data FROM stocks WHERE checksum = ? AND copy = ?"
                    for (data,) in memory.execute(sql, (checksum, copy)).fetchall():
                        if isinstance(data, bytes) and adler32(data) == checksum:
                            self._stocks[checksum] = data
        return self._stocks.get(checksum, b"")


@lru_cache(maxsize=2)
def _prepared_reader(stock: bytes) -> Any:
    from zlib import compressobj  # start-up: what only looks for rows does without

    return compressobj(STOCKED_LEVEL, zdict=stock)


@lru_cache(maxsize=2)
def _ready(stock: bytes) -> Any:
    """What unpacks texts against a stock. To copy it takes less than to give another one the stock."""
    from zlib import MAX_WBITS, decompressobj  # start-up: what only looks for rows does without

    return decompressobj(-MAX_WBITS, zdict=stock)


@lru_cache(maxsize=1)  # several parts of one page are often asked for
def _text(packed: bytes, stock: bytes) -> str:
    from zlib import adler32, decompress, error  # start-up: what only looks for rows does without

    try:
        if not stock:
            return decompress(packed).decode()
        reader = _ready(stock).copy()
        # Around what is packed: two bytes of a header, the checksum of the stock, and that of the text.
        plain: bytes = reader.decompress(packed[6:-4])
        if not reader.eof or adler32(plain) != int.from_bytes(packed[-4:], "big"):
            raise error("it is cut off, or not what was packed")
        return plain.decode()
    except error as reason:
        raise UnicodeDecodeError("deflate", packed, 0, len(packed), str(reason)) from reason


def _unpacked(packed: bytes, stock: bytes) -> bytes:
    from zlib import decompressobj, error  # start-up: what only looks for rows does without

    whole, reader = bytearray(), decompressobj(zdict=stock)
    try:
        return reader.decompress(packed) + reader.flush()
    except error:
        reader = decompressobj(zdict=stock)
        try:
            for place in range(len(packed)):
                whole += reader.decompress(packed[place : place + 1])
        except error:
            pass
        return bytes(whole)
