"""The two arms of evidence over a shared index. A machine's filters are applied to what was found.

A question is asked once, about texts, lines and words at the same time. What comes up later is asked for
then; if the index falls silent meanwhile, the answer is made of what is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from quaid.errors import Unreachable
from quaid.index.arms import ENOUGH, Near
from quaid.index.lance.lease import Holder, holder_of
from quaid.index.lance.place import Place
from quaid.index.lance.texts import Spread, Texts
from quaid.index.own_words import OwnWords
from quaid.model.record import record
from quaid.store import embeddings, terms, units
from quaid.store.embeddings import ModelRow
from quaid.store.scope import ITEMS, PAGES, Scope, Units

if TYPE_CHECKING:
    from quaid.index.arms import Vector

FETCHED = 1000  # nearest texts, and texts with words, that are asked for at first
MORE = 8  # times as many, where a filter leaves too few
MOST = 40_000  # that are asked for
FEW_TEXTS = 4_000  # of a scope, that are looked up themselves
MOST_BEGINNINGS = 50  # words that begin as a word of the question does
NEWEST = 2_000  # units of the memory that the shared index may not have yet
Pairs = list[tuple[bytes, float]]


@record
class Asked:
    """What the index said about a question at first."""

    texts: SharedVectors
    lines: SharedVectors
    words: SharedWords
    coverage: float
    all_lines: bool


@record
class State:
    """How many texts and lines there are, which share of the memory's, and who writes."""

    texts: int
    lines: int
    coverage: float
    writer: str


@record
class Found:
    """What was found of one kind of text."""

    size: int
    nearest: Pairs
    spread: Spread | None


class SharedIndex:
    """A shared index, as one memory with one model asks it."""

    def __init__(self, place: Place, model: ModelRow) -> None:
        self.place = place
        self.texts = Texts(place, PAGES.name, model.name, model.dimensions)
        self.lines = Texts(place, ITEMS.name, model.name, model.dimensions)
        self._covered: dict[str, tuple[tuple[int, int], float]] = {}

    def ask(self, connection: apsw.Connection, vector: Vector, words: Sequence[str]) -> Asked:
        """Ask about texts, lines and words at once; Unreachable if it does not answer in time."""
        stems = _stems(connection, words)
        samples = {units.name: embeddings.sample(connection, units) for units in (PAGES, ITEMS)}

        async def inquiry() -> tuple[Found, Found, Pairs, float, float]:
            return await asyncio.gather(
                self._nearest(self.texts, vector),
                self._nearest(self.lines, vector),
                self.texts.with_words(stems, FETCHED),
                self._coverage(self.texts, samples[PAGES.name]),
                self._coverage(self.lines, samples[ITEMS.name]),
            )

        texts, lines, hits, coverage, of_lines = self.place.ask(inquiry())
        return Asked(
            texts=SharedVectors(self.place, self.texts, PAGES, texts),
            lines=SharedVectors(self.place, self.lines, ITEMS, lines),
            words=SharedWords(self.place, self.texts, tuple(words), hits),
            coverage=coverage,
            all_lines=of_lines == 1.0,
        )

    def state(self, connection: apsw.Connection) -> State:
        """How far it is."""
        sample = embeddings.sample(connection, PAGES)

        async def inquiry() -> tuple[int, int, float, Holder | None]:
            return await asyncio.gather(
                self.texts.size(),
                self.lines.size(),
                self._coverage(self.texts, sample),
                holder_of(self.place),
            )

        texts, lines, coverage, holder = self.place.ask(inquiry())
        return State(texts, lines, coverage, holder.name if holder else "")

    async def _nearest(self, texts: Texts, vector: Vector) -> Found:
        size, nearest, spread = await asyncio.gather(
            texts.size(), texts.nearest(vector, FETCHED), texts.spread()
        )
        return Found(size, nearest, spread)

    async def _coverage(self, texts: Texts, sample: Sequence[bytes]) -> float:
        """Which share of the memory's texts the index has; it is looked up when one of them has changed."""
        state = (await texts.version(), hash(tuple(sample)))
        known = self._covered.get(texts.name)
        if known is None or known[0] != state:
            share = len(await texts.hashes_there(sample)) / len(sample) if sample else 1.0
            known = self._covered[texts.name] = (state, share)
        return known[1]


class SharedVectors:
    """The arm of meaning for one question, about one kind of text."""

    def __init__(self, place: Place, texts: Texts, kind: Units, found: Found) -> None:
        self._place, self._texts, self._kind, self._nearest = place, texts, kind, found
        self._near: SharedNear | None = None

    def near(self, connection: apsw.Connection, query: Vector) -> SharedNear:
        """How near the texts are to the question that was asked."""
        if self._near is None:
            self._near = SharedNear(connection, self._place, self._texts, self._kind, self._nearest, query)
        return self._near


class SharedNear(Near):
    """What is known of how near texts are to a question; what is asked for is known from then on."""

    def __init__(
        self,
        connection: apsw.Connection,
        place: Place,
        texts: Texts,
        kind: Units,
        found: Found,
        query: Vector,
    ) -> None:
        super().__init__(connection)
        self._place, self._texts, self._kind, self._query = place, texts, kind, query
        self._size = found.size
        self._ranked = found.nearest
        self._cosines: dict[bytes, float | None] = dict(found.nearest)
        self._spread = found.spread.of(query) if found.spread else (0.0, 0.0)

    @property
    def size(self) -> int:
        return self._size

    @property
    def mean(self) -> float:
        return self._spread[0]

    @property
    def deviation(self) -> float:
        return self._spread[1]

    def nearest(self, count: int, scope: Scope | None = None) -> Sequence[tuple[bytes, float]]:
        if scope is None:
            self._look_further(count)
            return self._ranked[:count]
        few = units.hashes_of_scope(self._connection, scope, FEW_TEXTS + 1)
        if len(few) <= FEW_TEXTS:
            return sorted(self.of_texts(few).items(), key=lambda each: (-each[1], each[0]))[:count]
        while True:
            owned = units.units_of_texts(self._connection, [digest for digest, _ in self._ranked], scope)
            held = [each for each in self._ranked if each[0] in owned]
            wanted = len(self._ranked) * MORE
            if len(held) >= count // ENOUGH or wanted > MOST * MORE or not self._look_further(wanted):
                return held[:count]

    def _look_further(self, count: int) -> bool:
        """Know more of the nearest texts; whether there are any."""
        count = min(count, MOST, self._size)
        before = len(self._ranked)
        if before < count:
            with suppress(Unreachable):
                self._ranked = self._place.ask(self._texts.nearest(self._query, count))
                self._cosines |= self._ranked
        return len(self._ranked) > before

    def of_documents(self, documents: Collection[int]) -> list[tuple[int, int, float]]:
        found = units.texts_of_documents(self._connection, self._kind, documents)
        cosines = self.of_texts({digest for *_, digest in found})
        return [(document, unit, cosines[digest]) for document, unit, digest in found if digest in cosines]

    def of_units(self, ids: Collection[int]) -> dict[int, float]:
        found = units.texts_of_units(self._connection, self._kind, ids)
        cosines = self.of_texts(set(found.values()))
        return {unit: cosines[digest] for unit, digest in found.items() if digest in cosines}

    def of_texts(self, hashes: Collection[bytes]) -> dict[bytes, float]:
        unknown = [digest for digest in hashes if digest not in self._cosines]
        if unknown and self._size:
            with suppress(Unreachable):
                vectors = self._place.ask(self._texts.vectors(unknown))
                self._cosines |= dict.fromkeys(unknown)  # it has none of the others
                self._cosines |= {digest: float(vector @ self._query) for digest, vector in vectors.items()}
        found = ((digest, self._cosines.get(digest)) for digest in hashes)
        return {digest: cosine for digest, cosine in found if cosine is not None}

    def coverage(self, scope: Scope) -> float:
        sample = units.hashes_of_scope(self._connection, scope, embeddings.SAMPLE)
        with suppress(Unreachable):
            return len(self._place.ask(self._texts.hashes_there(sample))) / len(sample) if sample else 1.0
        return 0.0


class SharedWords:
    """The arm of words for one question. About conversations, the memory's own word index is asked."""

    def __init__(self, place: Place, texts: Texts, words: tuple[str, ...], hits: Pairs) -> None:
        self._place, self._texts, self._words, self._hits = place, texts, words, hits
        self._own = OwnWords()

    def units(
        self, connection: apsw.Connection, words: Sequence[str], scope: Scope, count: int
    ) -> list[tuple[int, int, float]]:
        """Units of a scope, as the shared index ranks them, and what is newest in the memory."""
        if scope.units is not PAGES or tuple(words) != self._words:
            return self._own.units(connection, words, scope, count)
        found = self._local_rows(connection, scope)
        while len(found) < count // ENOUGH and len(self._hits) >= FETCHED and self._look_further(connection):
            found = self._local_rows(connection, scope)
        if len(found) < count // ENOUGH and self._is_cut:
            return self._own.units(connection, words, scope, count)
        weights = terms.weights(connection, "chunk", words).values()
        ceiling = terms.CEILING * sum(weight for held, weight in weights if held)
        shares = {unit: (document, min(1.0, score / ceiling)) for unit, document, score in found if ceiling}
        for unit, document, share in self._own.newest(connection, words, scope, count, NEWEST):
            shares.setdefault(unit, (document, share))
        ordered = sorted(shares.items(), key=lambda each: (-each[1][1], each[0]))[:count]
        return [(unit, document, share) for unit, (document, share) in ordered]

    @property
    def _is_cut(self) -> bool:
        """Whether the index may have more than was asked for."""
        return len(self._hits) >= FETCHED

    def _local_rows(self, connection: apsw.Connection, scope: Scope) -> list[tuple[int, int, float]]:
        places = units.places_of_texts(connection, [digest for digest, _ in self._hits], scope)
        return [(*place, score) for digest, score in self._hits for place in places.get(digest, ())]

    def _look_further(self, connection: apsw.Connection) -> bool:
        before = len(self._hits)
        count = min(MOST, before * MORE)
        with suppress(Unreachable):
            self._hits = self._place.ask(self._texts.with_words(_stems(connection, self._words), count))
        return len(self._hits) > before


def _stems(connection: apsw.Connection, words: Sequence[str]) -> list[str]:
    """The words of a question as the index keeps them; of a beginning, the words that begin so."""
    found: list[str] = []
    for word, stems in terms.stems(terms.tokenizer(connection), words).items():
        if word.endswith("*") and stems:
            stems[-1:] = terms.beginning_with(connection, "chunk", stems[-1], MOST_BEGINNINGS)
        found += stems
    return list(dict.fromkeys(found))
