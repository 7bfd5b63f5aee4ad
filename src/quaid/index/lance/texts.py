"""The tables of a shared index: one row for each text, known by its hash, which is the same on every machine.

`tokens` are the words of a text as the memory's own word index would keep them (stems, bigrams of Chinese,
Japanese and Korean), those of the title and the heading repeated as often as they count there. `source` says
which memory wrote the row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from quaid.index.lance.place import Place, table_name
from quaid.model.record import record

if TYPE_CHECKING:
    from quaid.index.arms import Vector

SPREAD = "spread"
SLICE = 2000  # hashes that are asked for at a time
INDEXED = 50_000  # rows from which on vectors are found by an index instead of one by one
PROBES = 40  # of the parts of that index, at most; at least a twentieth
LEARNT, ROUNDS = (
    64,
    20,
)  # vectors for each part from which the parts are learnt, and how often they are mended
REFINED = 4  # times as many as are wanted are compared exactly
SAMPLED = 20_000  # rows from which the spread of cosines is estimated; fewer are all looked at


@record
class Row:
    """What the index keeps of a text."""

    digest: bytes
    tokens: str
    vector: bytes


@record
class Spread:
    """How vectors lie: their number, their mean, and the mean of their products with themselves."""

    count: int
    mean: Any
    second: Any

    def of(self, query: Vector) -> tuple[float, float]:
        """Mean and standard deviation of the cosines of all vectors with a question."""
        mean = float(query @ self.mean)
        return mean, max(0.0, float(query @ self.second @ query) - mean * mean) ** 0.5


class Texts:
    """The table of one kind of text and one model."""

    def __init__(self, place: Place, kind: str, model: str, dimensions: int) -> None:
        self._place = place
        self.name = table_name(kind, model)
        self._dimensions = dimensions
        self._has_words = kind == "chunk"

    # Asking ----------------------------------------------------------------------------------------

    async def size(self) -> int:
        """How many texts there are; 0 if there is no table."""
        table = await self._place.table(self.name)
        return 0 if table is None else int(await table.count_rows())

    async def version(self) -> int:
        """A number that changes with what is in it."""
        table = await self._place.table(self.name)
        return 0 if table is None else int(await table.version())

    async def nearest(self, query: Vector, count: int) -> list[tuple[bytes, float]]:
        """The nearest texts with their cosines, best first."""
        table = await self._place.table(self.name)
        if table is None:
            return []
        rows = await table.count_rows()
        asked = (
            table.query().nearest_to(query).distance_type("dot").select(["hash", "_distance"]).limit(count)
        )
        if rows >= INDEXED:
            asked = asked.nprobes(max(PROBES, parts_of(rows) // 20)).refine_factor(REFINED)
        found = await asked.to_arrow()
        pairs = zip(found["hash"].to_pylist(), found["_distance"].to_pylist(), strict=True)
        best = [(bytes.fromhex(digest), 1.0 - distance) for digest, distance in pairs]
        return sorted(best, key=lambda each: (-each[1], each[0]))

    async def with_words(self, stems: Sequence[str], count: int) -> list[tuple[bytes, float]]:
        """Texts that have some of the words, with their BM25, best first."""
        from lancedb.query import MatchQuery  # heavy, and only where the index is shared

        table = await self._place.table(self.name)
        if table is None or not stems:
            return []
        match = MatchQuery(" ".join(stems), "tokens")
        found = await table.query().nearest_to_text(match).select(["hash", "_score"]).limit(count).to_arrow()
        pairs = zip(found["hash"].to_pylist(), found["_score"].to_pylist(), strict=True)
        return [(bytes.fromhex(digest), score) for digest, score in pairs]

    async def vectors(self, hashes: Collection[bytes]) -> dict[bytes, Any]:
        """The vectors of those of these texts that are there."""
        found = await self._rows(hashes, ["hash", "vector"])
        return {
            bytes.fromhex(digest): vector
            for each in found
            for digest, vector in zip(each["hash"].to_pylist(), _matrix(each["vector"]), strict=True)
        }

    async def hashes_there(self, hashes: Collection[bytes]) -> set[bytes]:
        """Those of these texts that are there."""
        found = await self._rows(hashes, ["hash"])
        return {bytes.fromhex(digest) for each in found for digest in each["hash"].to_pylist()}

    async def _rows(self, hashes: Collection[bytes], columns: list[str]) -> list[Any]:
        table = await self._place.table(self.name)
        if table is None or not hashes:
            return []
        wanted = [digest.hex() for digest in hashes]
        slices = [wanted[start : start + SLICE] for start in range(0, len(wanted), SLICE)]
        return await asyncio.gather(
            *(table.query().where(_among(each)).select(columns).to_arrow() for each in slices)
        )

    async def spread(self) -> Spread | None:
        """How the vectors lie, as it was noted when they were last written."""
        import numpy as np  # heavy, and only for meaning

        table = await self._place.table(SPREAD)
        if table is None:
            return None
        rows = (await table.query().where(f"name = '{self.name}'").to_arrow()).to_pylist()
        if not rows:
            return None
        mean = np.frombuffer(rows[0]["mean"], np.float32)
        return Spread(
            rows[0]["count"], mean, np.frombuffer(rows[0]["second"], np.float32).reshape(len(mean), -1)
        )

    # Writing ---------------------------------------------------------------------------------------

    async def hashes(self, source: str | None = None) -> set[bytes]:
        """All texts, or those that one memory wrote."""
        table = await self._place.table(self.name)
        if table is None:
            return set()
        asked = table.query().select(["hash"])
        batches = await (asked.where(f"source = '{source}'") if source else asked).to_batches()
        return {bytes.fromhex(digest) async for batch in batches for digest in batch["hash"].to_pylist()}

    async def add(self, rows: Sequence[Row], source: str) -> None:
        """Write texts that are not there yet."""
        import pyarrow as pa  # heavy, and only where the index is shared

        values = pa.py_buffer(b"".join(row.vector for row in rows))
        flat = pa.Array.from_buffers(pa.float32(), len(rows) * self._dimensions, [None, values])
        columns: dict[str, Any] = {
            "hash": [row.digest.hex() for row in rows],
            "source": [source] * len(rows),
            "vector": pa.FixedSizeListArray.from_arrays(flat, self._dimensions),
        }
        if self._has_words:
            columns["tokens"] = pa.array([row.tokens for row in rows], pa.large_string())
        table = await self._place.table(self.name)
        if table is None:
            await (await self._place.database()).create_table(self.name, pa.table(columns))
        else:
            await table.add(pa.table(columns))

    async def remove(self, hashes: Collection[bytes]) -> None:
        """Take texts out."""
        table = await self._place.table(self.name)
        wanted = [digest.hex() for digest in hashes]
        for start in range(0, len(wanted), SLICE):
            await table.delete(_among(wanted[start : start + SLICE]))

    async def forget(self) -> None:
        """Take everything out."""
        await self._place.forget(self.name)

    async def settle(self) -> None:
        """Bring the indexes into step with the rows, and note how the vectors lie."""
        from datetime import timedelta

        from lancedb.index import FTS, BTree, IvfPq

        table = await self._place.table(self.name)
        if table is None:
            return
        there = {column for index in await table.list_indices() for column in index.columns}
        rows = await table.count_rows()
        if "hash" not in there:
            await table.create_index("hash", config=BTree())
        if self._has_words and "tokens" not in there:
            # The words are ready: nothing is to be folded, stemmed or left out again.
            plain = FTS(
                base_tokenizer="whitespace",
                lower_case=False,
                stem=False,
                remove_stop_words=False,
                ascii_folding=False,
                max_token_length=None,
            )
            await table.create_index("tokens", config=plain)
        if "vector" not in there and rows >= INDEXED:
            parts = IvfPq(
                distance_type="dot",
                num_partitions=parts_of(rows),
                num_sub_vectors=_divisor(self._dimensions, self._dimensions // 8),
                sample_rate=LEARNT,
                max_iterations=ROUNDS,
            )
            await table.create_index("vector", config=parts)
        # Who asks at this moment still sees the version before.
        await table.optimize(cleanup_older_than=timedelta(minutes=10))
        await self._note_spread(table, rows)

    async def _note_spread(self, table: Any, rows: int) -> None:
        """Hashes are as good as random: those that come first stand for all."""
        import numpy as np
        import pyarrow as pa

        last = f"{min(0xFFFFFFFF, SAMPLED * 2**32 // max(1, rows)):08x}" + "f" * 24
        found = await table.query().where(f"hash <= '{last}'").select(["vector"]).to_arrow()
        matrix = _matrix(found["vector"])
        if not len(matrix):
            return
        mean, second = matrix.mean(axis=0), matrix.T @ matrix / np.float32(len(matrix))
        noted = pa.table(
            {
                "name": [self.name],
                "count": [rows],
                "mean": pa.array([mean.tobytes()], pa.large_binary()),
                "second": pa.array([second.tobytes()], pa.large_binary()),
            }
        )
        database = await self._place.database()
        known = await self._place.table(SPREAD)
        if known is None:
            await database.create_table(SPREAD, noted)
        else:
            await (
                known.merge_insert("name")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .execute(noted)
            )


def parts_of(rows: int) -> int:
    """How many parts an index over so many vectors has."""
    return max(16, int(rows**0.5))


def _divisor(number: int, most: int) -> int:
    """The largest divisor up to so much."""
    return next((each for each in range(most, 0, -1) if number % each == 0), 1)


def _among(wanted: Sequence[str]) -> str:
    return f"hash IN ({', '.join(repr(each) for each in wanted)})"


def _matrix(column: Any) -> Any:
    """A column of vectors as one array."""
    import numpy as np

    joined = column.combine_chunks()
    flat = joined.flatten().to_numpy(zero_copy_only=False)
    if not len(joined):
        return np.empty((0, 0), np.float32)
    return np.ascontiguousarray(flat, np.float32).reshape(len(joined), -1)
