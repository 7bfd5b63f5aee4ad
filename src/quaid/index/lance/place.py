"""Where a shared index is, and asking it without ever waiting long.

LanceDB is loaded when it is first asked. It runs on an event loop of its own thread, so that a call can be
given up at its time limit, and the process can end, whatever the other side does.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from quaid.errors import InvalidInput, Unreachable

T = TypeVar("T")
REST = 30.0  # seconds for which an index that did not answer is not asked again
CLOUD = re.compile(r"[a-z0-9]+://")
_ODD = re.compile(r"[^A-Za-z0-9_.-]")
# Object storage is tried again by whoever asks next, not for minutes by one question.
_STORAGE = {
    "connect_timeout": "3s",
    "timeout": "20s",
    "client_max_retries": "2",
    "client_retry_timeout": "10",
}


class Place:
    """A folder, or an address such as s3://bucket/name, whose credentials are AWS's usual variables."""

    def __init__(self, address: str, patience: float) -> None:
        self.address = address
        self.patience = patience
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0
        self._database: Any = None
        self._tables: dict[str, Any] = {}
        self._silent_until = 0.0
        self._problem = ""

    @property
    def problem(self) -> str:
        """Why it is not asked now; empty if it is."""
        return self._problem if time.monotonic() < self._silent_until else ""

    def ask(self, work: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """What a coroutine answers within the time limit; Unreachable if it does not."""
        if self.problem:
            work.close()
            raise self._unreachable()
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result(seconds or self.patience)
        except (TimeoutError, asyncio.CancelledError):
            future.cancel()
            self._fall_silent("it did not answer in time")
        except (OSError, RuntimeError, ValueError) as error:  # what LanceDB raises, whatever went wrong
            self._fall_silent(_first_line(error))
        raise self._unreachable()

    async def table(self, name: str) -> Any:
        """A table as it is now; None if there is none of that name."""
        database = await self.database()
        if name not in self._tables:
            if name not in (await database.list_tables(limit=10_000)).tables:
                return None
            self._tables[name] = await database.open_table(name)
        table = self._tables[name]
        await table.checkout_latest()
        return table

    async def forget(self, name: str) -> None:
        """Remove a table."""
        self._tables.pop(name, None)
        await (await self.database()).drop_table(name, ignore_missing=True)

    async def database(self) -> Any:
        """The connection, made once."""
        if self._database is None:
            options = _STORAGE if CLOUD.match(self.address) else None
            self._database = await _lancedb().connect_async(self.address, storage_options=options)
        return self._database

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._process != os.getpid():  # a process that was forked has no threads
            self._database, self._process = None, os.getpid()
            self._tables.clear()
            _lancedb()  # loading it takes longer than an answer may
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="lance", daemon=True).start()
        return self._loop

    def _fall_silent(self, problem: str) -> None:
        self._silent_until, self._problem = time.monotonic() + REST, problem
        self._tables.clear()
        self._database = None

    def _unreachable(self) -> Unreachable:
        return Unreachable(f"the shared index at {self.address} cannot be asked: {self._problem}")


def place_of(address: str, home: Path, patience: float) -> Place:
    """The place that a setting names; `~` is the person's home."""
    if not address:
        raise InvalidInput(
            "search.engine is lance, and search.engine_place is empty",
            hint="Say where the index is: a folder, or s3://bucket/name.",
        )
    if not CLOUD.match(address):
        folder = Path(address)
        parts = folder.parts
        folder = home.joinpath(*parts[1:]) if parts[0] == "~" else folder
        if not folder.is_absolute():
            raise InvalidInput(f"search.engine_place must be a whole path or an address, not {address!r}")
        address = str(folder)
    return Place(address, patience)


def table_name(kind: str, model: str) -> str:
    """The table of one kind of text and one model."""
    plain = _ODD.sub("_", model)
    return f"{kind}-{plain}" if plain == model else f"{kind}-{plain}-{crc32(model.encode()):08x}"


def _first_line(error: Exception) -> str:
    """What went wrong, without the places in LanceDB's sources where it did."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    plain = re.sub(r",? ?/\S+\.rs:\d+(:\d+)?", "", lines[0])
    return re.split(r"[:,]? ?(?:IO|LanceError\S*)? ?[{(]", plain)[0][:200].rstrip(" ,.:")


def _lancedb() -> Any:
    os.environ.setdefault("LANCE_LOG", "error")  # it writes warnings of its own to the person's terminal
    try:
        import lancedb  # heavy, and only where the index is shared
    except ImportError:
        raise InvalidInput(
            "search.engine is lance, and LanceDB is not installed", hint="Install `quaid[lance]`."
        ) from None
    logging.getLogger("lancedb").setLevel(logging.ERROR)
    return lancedb
