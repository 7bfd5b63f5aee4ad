"""The embedding model of a memory: opening it, keeping up with new texts, switching to another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.embed import registry, rerank
from quaid.embed.embedder import Embedder, embed_query
from quaid.embed.plugin import Context, make_context
from quaid.errors import Busy, EmbedderFailed, InvalidInput, NotFound, QuaidError, ReadOnly, Unreachable
from quaid.index import chunk_rows, indexer
from quaid.index.matrix import remove_files
from quaid.index.own_vectors import OwnVectors
from quaid.search.evidence import Meaning
from quaid.search.question import read_question
from quaid.search.scores import MEASURED
from quaid.search.voice import Voice
from quaid.settings import Settings
from quaid.store import candidates, chunks, embeddings, terms, turns
from quaid.store import scope as scopes
from quaid.store.connection import Store
from quaid.store.embeddings import ModelRow
from quaid.store.filters import PageFilter
from quaid.store.scope import CONVERSATIONS, ITEMS, PAGES, Units

if TYPE_CHECKING:
    from quaid.index.arms import Vector
    from quaid.index.indexer import Progress
    from quaid.index.lance.arms import SharedIndex


PATIENCE = 1.0  # seconds
NOT_SHARED = "Some texts are not in the shared index yet; `quaid engine sync` makes up for that."
UNCUT = "{:,} pages are yet to be cut into sections; until then, words of the whole page find them."
_OPENING = threading.Lock()  # a model is large: threads that share it must not each open one
_CATCHING_UP = threading.Lock()  # threads that embed the same texts at the same time would do it twice


class Models:
    """The models of one memory. What is heavy is opened when it is first needed, and kept."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        environment: Mapping[str, str],
        home: Path,
        now: Callable[[], str],
        embedders: dict[str, Embedder] | None = None,
    ) -> None:
        self.context: Context = make_context(settings, environment, home)
        self._store = store
        self._settings = settings
        self._now = now
        self._embedders = {} if embedders is None else embedders
        self._home = home
        self._shared: dict[int, SharedIndex] = {}
        self._vectors: dict[tuple[int, str], OwnVectors] = {}
        self.later: Callable[[], str] = lambda: ""  # leaves texts to the background; what to tell of that

    @property
    def active(self) -> ModelRow | None:
        """The model whose vectors are searched."""
        return embeddings.active(self._store.connection)

    def embedder(self, name: str) -> Embedder:
        """A model, opened once."""
        with _OPENING:
            if name not in self._embedders:
                self._embedders[name] = registry.open_embedder(name, self.context)
            return self._embedders[name]

    def embedder_of(self, model: ModelRow) -> Embedder:
        """The embedder of a model that the memory knows, if it is still the same."""
        embedder = self.embedder(model.name)
        if embedder.dimensions != model.dimensions:
            raise EmbedderFailed(
                f"{model.name} gives {embedder.dimensions} numbers now, and gave {model.dimensions} before",
                hint="Use another model, remove this one, and use it again.",
            )
        return embedder

    def row_of(self, name: str) -> ModelRow:
        """A model with a row of its own. The first one is active at once."""
        known = embeddings.model(self._store.connection, name)
        if known:
            return known
        dimensions = self.embedder(name).dimensions
        with self._store.write() as connection:
            return embeddings.register(connection, name, dimensions, self._now())

    def current(self) -> ModelRow:
        """The active model; in a new memory, the default becomes it."""
        return self.active or self.row_of(registry.DEFAULT_MODEL)

    def meaning(self, question: str) -> tuple[Meaning | None, list[str]]:
        """What a question means, and what a person should know about it. None where no model can be had."""
        try:
            uncut = self._cut(question)
            model = self.current()
            embedder = self.embedder_of(model)
            if not getattr(embedder, "reads", lambda text: True)(question):
                return None, [f"Searched by words only: {model.name} does not read this script."]
            vector = embed_query(embedder, question)
            is_shared = self._settings.text("search.engine") != "own"
            notices = [UNCUT.format(uncut)] if uncut else []
            notices += [] if is_shared else self._catch_up(model, embedder, uncut)
        except (EmbedderFailed, NotFound, InvalidInput, ReadOnly, Busy) as error:
            return None, [f"Searched by words only: {error.message}. {error.hint}".strip()]
        if not is_shared:
            return self._own_meaning(model, vector, uncut), notices
        meaning, said = self._shared_meaning(model, question, vector, uncut)
        return meaning, notices + said

    def shared_index(self, model: ModelRow) -> SharedIndex:
        """The shared index with the texts of a model."""
        from quaid.index.lance.arms import SharedIndex  # only where an index is shared
        from quaid.index.lance.place import place_of

        if model.id not in self._shared:
            address = self._settings.text("search.engine_place")
            place = place_of(address, self._home, self._settings.number("search.engine_timeout"))
            self._shared[model.id] = SharedIndex(place, model)
        return self._shared[model.id]

    def _shared_meaning(
        self, model: ModelRow, question: str, vector: Vector, uncut: int
    ) -> tuple[Meaning, list[str]]:
        """What is asked of the shared index; of the memory alone where that does not answer."""
        try:
            asked = self.shared_index(model).ask(
                self._store.connection, vector, read_question(question).words
            )
        except (Unreachable, InvalidInput) as error:
            here = self._own_meaning(model, vector, uncut)
            notice = f"Searched with what is here alone: {error.message}. {error.hint}".strip()
            return here, [notice]
        notices = [] if asked.coverage == 1.0 else [NOT_SHARED]
        meaning = Meaning(
            texts=asked.texts,
            vector=vector,
            coverage=asked.coverage,
            lines=asked.lines,
            all_lines=asked.all_lines,
            words=asked.words,
            measured=model.name == MEASURED,
        )
        return meaning, notices

    def trouble(self, told: Sequence[str]) -> list[str]:
        """What a person should know of a shared index that fell silent in the middle of a question."""
        problems = [each.place.problem for each in self._shared.values() if each.place.problem]
        return [f"The shared index fell silent: {problems[0]}."] if problems and not told else []

    def _own_meaning(self, model: ModelRow, vector: Vector, uncut: int) -> Meaning:
        """What is asked of the vectors that the memory has itself."""
        connection = self._store.connection
        behind = embeddings.behind(connection, model.id)
        coverage = 1 - uncut / chunks.count_pages(connection) if uncut else 1.0
        if PAGES in behind:
            coverage *= embeddings.coverage(connection, model.id, scopes.pages())
        return Meaning(
            texts=self._own(model, PAGES),
            vector=vector,
            coverage=coverage,
            lines=self._own(model, ITEMS),
            all_lines=ITEMS not in behind,
            measured=model.name == MEASURED,
        )

    def _own(self, model: ModelRow, units: Units) -> OwnVectors:
        made = OwnVectors(self._store.path, model, units)
        return self._vectors.setdefault((model.id, units.name), made)

    def voice(self) -> tuple[Voice | None, list[str]]:
        """The reranker, unless it is turned off or not here, and what a person should know about that."""
        wanted = self._settings.text("search.rerank")
        if wanted == "off":
            return None, []
        try:
            found = rerank.open_reranker(self.context)
        except EmbedderFailed as error:
            return None, [f"Searched without the reranker: {error.message}. {error.hint}".strip()]
        if found is None and wanted == "on":
            return None, [f"Searched without the reranker: its files are not in {self.context.models}."]
        return Voice(found) if found else None, []

    def meaning_of_turns(
        self, question: str, known: Meaning | None = None
    ) -> tuple[Meaning | None, list[str]]:
        """What a question means among turns; None where the model has embedded none of them.

        `known` is what it means among pages, if that was asked for already.
        """
        model = self.active
        if model is None or not turns.has_vectors(self._store.connection, model.id):
            return None, []
        try:
            embedder = self.embedder_of(model)
            if not getattr(embedder, "reads", lambda text: True)(question):
                return None, []
            vector = known.vector if known else embed_query(embedder, question)
        except QuaidError as error:
            return None, [f"Searched by words only: {error.message}"]
        coverage = embeddings.coverage(self._store.connection, model.id, scopes.conversations())
        of_turns = self._own(model, CONVERSATIONS)
        return Meaning(of_turns, vector, coverage, measured=model.name == MEASURED), []

    @property
    def is_here(self) -> bool:
        """Whether the model runs in this process, so that nothing is sent anywhere."""
        active = self.active
        try:
            embedder = self.embedder(active.name if active else registry.DEFAULT_MODEL)
        except QuaidError:
            return False
        return hasattr(embedder, "count_tokens")

    @property
    def is_ready(self) -> bool:
        """Whether the model is loaded in this process, so that a question need not wait for that."""
        active = self.active
        name = active.name if active else registry.DEFAULT_MODEL
        return self.is_here and getattr(self.embedder(name), "is_loaded", False)

    def warm_up(self) -> None:
        """Load the model that a question will need. One that runs elsewhere is left alone."""
        active = self.active
        embedder = self.embedder(active.name if active else registry.DEFAULT_MODEL)
        if self.is_here:
            embed_query(embedder, "question")
        voice, _ = self.voice()
        if voice:
            voice.warm_up()

    def embed(
        self,
        model: ModelRow,
        page_id: int | None = None,
        *,
        anew: bool = False,
        progress: Progress | None = None,
    ) -> int:
        """Embed what a model has not embedded, or all of it anew; the answer is how many texts."""
        chunk_rows.chunk_pages(self._store)
        embedder = self.embedder_of(model)
        if anew:
            with self._store.write() as connection:
                embeddings.clear(connection, model.id, page_id)
        return indexer.embed_missing(self._store, model, embedder, page_id, progress=progress)

    def use(self, name: str, progress: Progress | None = None) -> int:
        """Make a model the active one, once it has embedded everything; the answer is how many texts."""
        model = self.row_of(name)
        done = self.embed(model, progress=progress)
        with self._store.write() as connection:
            embeddings.activate(connection, model.id)
        return done

    def remove(self, name: str) -> ModelRow:
        """Forget a model that is not the active one, with its vectors."""
        model = embeddings.model(self._store.connection, name)
        if model is None:
            raise NotFound(
                f"this memory has no vectors of {name!r}", hint="`quaid model list` shows the models."
            )
        with self._store.write() as connection:
            embeddings.forget(connection, model.id)
        for units in (PAGES, ITEMS, CONVERSATIONS):
            self._vectors.pop((model.id, units.name), None)
        remove_files(self._store.path, model)
        return model

    def _cut(self, question: str) -> int:
        """Cut some pages by today's rules, if there are others: those first that have words of a question.

        The answer is how many are left.
        """
        connection, most = self._store.connection, chunk_rows.WHILE_ASKED
        if not chunk_rows.left_to_chunk(connection):
            return 0
        with suppress(Busy, ReadOnly):
            words = terms.any_of(connection, "page", read_question(question).words)
            found = candidates.pages_by_words(connection, words, PageFilter(), most) if words else []
            chunk_rows.chunk_pages(self._store, most, [page for page, _ in found])
        return chunk_rows.left_to_chunk(connection)

    def _catch_up(self, model: ModelRow, embedder: Embedder, uncut: int) -> list[str]:
        """Embed what is new if that is little, unless somebody else is writing or nobody may.

        A question is a read; what takes longer is left to the background.
        """
        connection = self._store.connection
        if not (uncut or embeddings.behind(connection, model.id)):
            return []
        notice = self.later()
        if notice:
            return [notice]
        most = self._settings.integer("query.catch_up")
        with _CATCHING_UP, suppress(Busy, ReadOnly), self._store.impatient(PATIENCE):
            if uncut or embeddings.behind(connection, model.id):
                indexer.embed_missing(self._store, model, embedder, most=most)
        left = embeddings.missing(connection, model.id, limit=1)
        return (
            ["Some pages are not searched by meaning yet; `quaid embed` makes up for that."] if left else []
        )
