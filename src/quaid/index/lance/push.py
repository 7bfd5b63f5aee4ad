"""Bringing a shared index into step with a memory. One machine writes at a time (`lease.py`).

What the index lacks is added; what this memory wrote and no longer has is taken out. What other memories
wrote stays. Killed at any time, the next one goes on from what is there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeVar

import apsw

from quaid.embed.embedder import Embedder
from quaid.errors import Busy, Unreachable
from quaid.formats.segments import segment
from quaid.index import indexer
from quaid.index.lance.arms import SharedIndex
from quaid.index.lance.lease import LENGTH, IndexLease, holder_of
from quaid.index.lance.texts import Row, Texts
from quaid.model.record import record
from quaid.store import embeddings, terms, units
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow
from quaid.store.scope import ITEMS, PAGES, Units
from quaid.system import host_name

T = TypeVar("T")
BATCH = 4096  # rows that are written at a time
LONG = 24 * 3600.0  # seconds that a write may take: an index over millions of vectors is learnt for hours
TITLE, HEADING = 3, 2  # how often their words count, as in the memory's own word index


@record
class Pushed:
    """What was written."""

    added: int
    removed: int
    embedded: int


class Push:
    """One run, of one process."""

    def __init__(self, store: Store, index: SharedIndex, model: ModelRow, embedder: Embedder) -> None:
        self._store, self._index, self._model, self._embedder = store, index, model, embedder
        self._lease = IndexLease(index.place)
        self._renew_at = 0.0
        # Whose rows they are: a memory takes out what it wrote itself.
        self._source = sha256(f"{host_name()}\0{store.path.absolute()}".encode()).hexdigest()[:16]

    def run(self, progress: Callable[[int, int], None] | None = None, *, anew: bool = False) -> Pushed:
        """Bring texts and lines into step; `anew` writes all of them again."""
        self._renew()
        done = [0, 0, 0]
        try:
            for kind, texts in ((PAGES, self._index.texts), (ITEMS, self._index.lines)):
                if anew:
                    self._ask(texts.forget())
                for place, count in enumerate(self._kind(kind, texts, progress)):
                    done[place] += count
        finally:
            with suppress(Unreachable):
                self._ask(self._lease.release())
        return Pushed(*done)

    def _kind(
        self, kind: Units, texts: Texts, progress: Callable[[int, int], None] | None
    ) -> tuple[int, int, int]:
        connection = self._store.connection
        there = self._ask(texts.hashes())
        embedded = self._embed(kind, there)
        held = units.hashes(connection, kind)
        new = sorted(held - there)
        added = 0
        for start in range(0, len(new), BATCH):
            self._renew()
            rows = _rows(connection, self._model, kind, new[start : start + BATCH])
            if rows:
                self._ask(texts.add(rows, self._source))
            added += len(rows)
            if progress:
                progress(start + len(rows), len(new))
        gone = self._ask(texts.hashes(self._source)) - held
        self._renew()
        if gone:
            self._ask(texts.remove(gone))
        if added or gone or self._ask(texts.spread()) is None:
            self._ask(texts.settle())
        return added, len(gone), embedded

    def _embed(self, kind: Units, there: Collection[bytes]) -> int:
        """Embed what neither the memory nor the index has a vector of."""
        lacking = embeddings.missing(self._store.connection, self._model.id, units=kind)
        waiting = [(page, digest) for page, digest in lacking if digest not in there]
        done = 0
        for saved in indexer.saves(self._store, self._model, self._embedder, waiting, kind):
            self._renew()
            done += saved
        return done

    def _renew(self) -> None:
        """Go on holding the lease, or say who has it."""
        if time.monotonic() < self._renew_at:
            return
        if not self._ask(self._lease.take()):
            holder = self._ask(holder_of(self._index.place))
            raise Busy(
                f"{holder.name if holder else 'another machine'} writes the shared index",
                hint="Try again when it has ended.",
            )
        self._renew_at = time.monotonic() + LENGTH / 4

    def _ask(self, work: Coroutine[Any, Any, T]) -> T:
        return self._index.place.ask(self._under_lease(work), LONG)

    async def _under_lease(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work answers; while it goes on, the lease is held."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait([task], timeout=LENGTH / 4))[0]:
                await self._lease.take()
            return await task
        finally:
            task.cancel()


def _rows(connection: apsw.Connection, model: ModelRow, kind: Units, hashes: Sequence[bytes]) -> list[Row]:
    found = embeddings.shared_texts(connection, model.id, kind, hashes)
    if kind is not PAGES:
        return [Row(each.digest, "", each.vector) for each in found]
    tokenizer = terms.tokenizer(connection)

    def words(text: str) -> list[str]:
        given = segment(text).encode()
        found = tokenizer(
            given, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
        )
        return list(found)

    return [
        Row(
            each.digest,
            " ".join([*words(each.title) * TITLE, *words(each.heading) * HEADING, *words(each.text)]),
            each.vector,
        )
        for each in found
    ]
