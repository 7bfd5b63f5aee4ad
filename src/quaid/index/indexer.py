"""Keeping vectors in step with the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import apsw

from quaid.embed.embedder import Embedder, stream
from quaid.formats.content import read_page
from quaid.index.chunks import chunks_of
from quaid.store import embeddings, pages
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow

Progress = Callable[[int, int], None]


def embed_missing(
    store: Store,
    model: ModelRow,
    embedder: Embedder,
    page_id: int | None = None,
    most: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Embed the texts that the model has not seen; the answer is how many.

    What is done is kept: interrupted, the next call goes on from there.
    """
    waiting = embeddings.missing(store.connection, model.id, page_id, -1 if most is None else most)
    done = 0
    for batch in _batches(store, waiting, embedder):
        with store.write() as connection:
            embeddings.put(connection, model.id, batch)
        done += len(batch)
        if progress:
            progress(done, len(waiting))
    if page_id is None and embeddings.is_behind(store.connection, model.id):
        with store.write() as connection:
            if not embeddings.missing(connection, model.id, limit=1):
                embeddings.note_done(connection, model.id)
    return done


def _batches(
    store: Store, waiting: Sequence[tuple[int, bytes]], embedder: Embedder
) -> Iterator[list[tuple[bytes, bytes]]]:
    """Hashes and vectors, as the embedder yields them. Texts are read as they are needed."""
    hashes: list[bytes] = []

    def texts() -> Iterator[str]:
        for digest, text in _texts(store, waiting):
            hashes.append(digest)
            yield text

    place = 0
    for matrix in stream(embedder, texts()):
        size = len(matrix)
        yield [(hashes[place + row], matrix[row].astype("<f4").tobytes()) for row in range(size)]
        place += size


def _texts(store: Store, waiting: Sequence[tuple[int, bytes]]) -> Iterator[tuple[bytes, str]]:
    """What is embedded for each hash; a page is read once, however many of its chunks are wanted."""
    current, known = -1, dict[bytes, str]()
    for page_id, digest in waiting:
        if page_id != current:
            current, known = page_id, _embedded(store.connection, page_id)
        if digest in known:
            yield digest, known[digest]


def _embedded(connection: apsw.Connection, page_id: int) -> dict[bytes, str]:
    page = pages.find(connection, page_id)
    if page is None:
        return {}
    content = read_page(page.text, page.info.slug, page.info.format, page.info.path)
    return {chunk.hash: chunk.embedded for chunk in chunks_of(content)}
