"""Keeping vectors in step with the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import apsw

from quaid.embed.embedder import Embedder, stream
from quaid.formats.content import read_page
from quaid.index.chunks import chunks_of
from quaid.index.items import items_of
from quaid.model.chunk import Chunk, Item
from quaid.store import embeddings, pages
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow
from quaid.store.repetition import is_repeated, without_addresses
from quaid.store.scope import ITEMS, PAGES, Units

Progress = Callable[[int, int], None]
STATED = ("field", "fact", "fields")  # they are embedded as a person would say them, not as they stand


def embed_missing(
    store: Store,
    model: ModelRow,
    embedder: Embedder,
    page_id: int | None = None,
    most: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Embed the texts that the model has not seen, the most useful first; the answer is how many.

    Sections come before single lines. What is done is kept: interrupted, the next call goes on from there.
    """
    connection = store.connection
    if page_id is None and most is None:
        sections = embeddings.most_useful(connection, model.id)
    else:
        sections = embeddings.missing(connection, model.id, page_id, -1 if most is None else most)
    rest = -1 if most is None else most - len(sections)
    lines = embeddings.missing(connection, model.id, page_id, rest, ITEMS) if rest else []
    done = 0
    for units, waiting in ((PAGES, sections), (ITEMS, lines)):
        for saved in saves(store, model, embedder, waiting, units):
            done += saved
            if progress:
                progress(done, len(sections) + len(lines))
        if page_id is None:
            note_done(store, model, units)
    return done


def waiting(store: Store, model: ModelRow, most: int) -> tuple[Units, list[tuple[int, bytes]]]:
    """What is to be embedded next: sections, and lines when no section is left."""
    sections = embeddings.most_useful(store.connection, model.id, most)
    if sections or not note_done(store, model):
        return PAGES, sections
    lines = embeddings.missing(store.connection, model.id, limit=most, units=ITEMS)
    if not lines:
        note_done(store, model, ITEMS)
    return ITEMS, lines


def saves(
    store: Store,
    model: ModelRow,
    embedder: Embedder,
    waiting: Sequence[tuple[int, bytes]],
    units: Units = PAGES,
) -> Iterator[int]:
    """Embed texts and keep their vectors; after each transaction, how many it kept."""
    for batch in _batches(store, waiting, embedder):
        with store.hasty(), store.write() as connection:
            embeddings.put(connection, model.id, batch, units)
        yield len(batch)


def note_done(store: Store, model: ModelRow, units: Units = PAGES) -> bool:
    """Note that the model has seen every text, if it has; the answer is whether."""
    if not embeddings.behind(store.connection, model.id, [units]):
        return True
    with store.write() as connection:
        if embeddings.missing(connection, model.id, limit=1, units=units):
            return False
        embeddings.note_done(connection, model.id, units)
    return True


def _batches(
    store: Store, waiting: Sequence[tuple[int, bytes]], embedder: Embedder
) -> Iterator[list[tuple[bytes, bytes]]]:
    """Hashes and vectors, as the embedder yields them. Texts are read as they are needed."""
    shared = _Shared()
    owners: list[list[bytes]] = []  # of each text that the embedder is given: the hashes that get its vector

    def texts() -> Iterator[str]:
        for digest, text, common in _texts(store, waiting):
            if not common or shared.is_first(digest, text):
                owners.append([digest])
                if common:
                    shared.begin(text, owners[-1])
                yield text

    place = 0
    for matrix in stream(embedder, texts()):
        batch: list[tuple[bytes, bytes]] = []
        for vector in matrix:
            stored = vector.astype("<f4").tobytes()
            shared.end(owners[place], stored)
            batch += [(digest, stored) for digest in owners[place]]
            place += 1
        yield batch + shared.take()
    rest = shared.take()
    if rest:
        yield rest


class _Shared:
    """Vectors of texts that stand on many pages: each is made once."""

    def __init__(self) -> None:
        self._owners: dict[str, list[bytes]] = {}
        self._vectors: dict[int, bytes] = {}
        self._ready: list[tuple[bytes, bytes]] = []

    def is_first(self, digest: bytes, text: str) -> bool:
        """Whether the text must be embedded; if not, the hash gets the vector that it has or will have."""
        owners = self._owners.get(text)
        if owners is None:
            return True
        vector = self._vectors.get(id(owners))
        if vector is None:
            owners.append(digest)
        else:
            self._ready.append((digest, vector))
        return False

    def begin(self, text: str, owners: list[bytes]) -> None:
        """A text is on its way."""
        self._owners[text] = owners

    def end(self, owners: list[bytes], vector: bytes) -> None:
        """The vector of a text that may be shared is there."""
        self._vectors[id(owners)] = vector

    def take(self) -> list[tuple[bytes, bytes]]:
        """The hashes that have got a vector without the embedder."""
        ready, self._ready = self._ready, []
        return ready


def _texts(store: Store, waiting: Sequence[tuple[int, bytes]]) -> Iterator[tuple[bytes, str, bool]]:
    """What is embedded for each hash; a page is read once, however many of its chunks are wanted.

    What stands on many pages says nothing about one: it is embedded without the page's name, and once.
    """
    current, known = -1, dict[bytes, tuple[str, str]]()
    for page_id, digest in waiting:
        if page_id != current:
            current, known = page_id, _embedded_texts(store.connection, page_id)
        if digest in known:
            text, shown = known[digest]
            common = is_repeated(store.connection, shown)
            yield digest, without_addresses(shown) if common else text, common


def _embedded_texts(connection: apsw.Connection, page_id: int) -> dict[bytes, tuple[str, str]]:
    """By hash: what is embedded, and the part of the page's text that it is made from."""
    page = pages.find(connection, page_id)
    if page is None:
        return {}
    content = read_page(page.text, page.info.slug, page.info.format, page.info.path)
    made = chunks_of(content)
    units: list[Chunk | Item] = [*made, *items_of(content, made)]
    return {
        unit.hash: (
            unit.embedded,
            unit.embedded if unit.kind in STATED else page.text[unit.start : unit.start + unit.length],
        )
        for unit in units
        if unit.hash
    }
