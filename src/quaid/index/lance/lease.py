"""Who writes a shared index: one machine at a time, by a row of the index itself that ends by itself.

A row is changed only where the condition holds, and of two changes at once LanceDB makes one see the other.
Clocks of machines may differ by less than the lease is long.
"""

from __future__ import annotations

import os
import time
import uuid
from typing import Any

from quaid.index.lance.place import Place
from quaid.model.record import record
from quaid.system import host_name

NAME = "lease"
LENGTH = 120.0  # seconds


@record
class Holder:
    """Who writes, and until when, in seconds since 1970."""

    name: str
    expires: float


class IndexLease:
    """The right to write, of one process."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._key = f"{host_name()}:{os.getpid()}:{uuid.uuid4().hex[:8]}".replace("'", "")

    async def take(self) -> bool:
        """Have it for a while, or for a while longer; whether that was granted."""
        table = await self._table()
        now = time.time()
        free = f"expires < {now!r} OR holder = '{self._key}'"
        await table.update(where=free, updates={"holder": self._key, "expires": now + LENGTH})
        holder = await holder_of(self._place)
        return holder is not None and holder.name == self._key

    async def release(self) -> None:
        """Let others have it."""
        table = await self._table()
        await table.update(where=f"holder = '{self._key}'", updates={"expires": 0.0})

    async def _table(self) -> Any:
        table = await self._place.table(NAME)
        if table is None:
            database = await self._place.database()
            rows = [{"holder": "", "expires": 0.0}]
            try:
                await database.create_table(NAME, rows)
            except (OSError, RuntimeError, ValueError):
                if await self._place.table(NAME) is None:  # nobody else has made it meanwhile
                    raise
            table = await self._place.table(NAME)
        return table


async def holder_of(place: Place) -> Holder | None:
    """Who writes now, if somebody does."""
    table = await place.table(NAME)
    rows = (await table.query().to_arrow()).to_pylist() if table is not None else []
    current = [Holder(each["holder"], each["expires"]) for each in rows if each["expires"] > time.time()]
    return current[0] if current else None
