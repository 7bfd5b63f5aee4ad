"""Memories for benchmarks, written and embedded as the program itself does it."""

from __future__ import annotations

import hashlib
import json
import math
import resource
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import apsw

from quaid import operations
from quaid.app import App, Surroundings
from quaid.embed import registry
from quaid.errors import Ambiguous
from quaid.index import chunk_rows
from quaid.index.chunk_rows import new_page
from quaid.model.actor import present_actor
from quaid.settings import Layer, Settings
from quaid.store import embeddings
from quaid.store.connection import Store
from quaid.vault import rows

BATCH = 500


def opened(path: Path, models: Path | None = None) -> App:
    """A memory, made if there is none; `models` is where the files of other models are."""
    own = {"models.directory": str(models)} if models else {}
    around = Surroundings(home=Path.home(), progress=Progress(f"embedding {path.parent.name}/{path.stem}"))
    return App(Store.create(path), Settings(Layer("flag", "flag", own)), surroundings=around)


def written(app: App, pages: Iterable[tuple[str, str]]) -> None:
    """Write pages, slug and text, by the way that every command takes, many to a transaction."""
    waiting = list(pages)
    for start in range(0, len(waiting), BATCH):
        with app.store.write():
            for slug, text in waiting[start : start + BATCH]:
                app.collection().put(slug, text)


def stored(app: App, pages: Iterable[tuple[str, str]]) -> None:
    """Store pages that are new, many at once, as the first sync of a folder does: a fifth of the time."""
    home = app.collection_row()
    made = [new_page(home.id, rows.draft(text, "utf-8", slug, None, app.now())) for slug, text in pages]
    with app.store.write() as connection:
        rows.insert_all(connection, home.id, made, [present_actor()] * len(made))


def dictated(app: App, sentences: Iterable[str]) -> None:
    """Remember sentences one after the other. What is refused is named, and will be missed."""
    for sentence in sentences:
        try:
            operations.call(app, "remember", {"content": sentence})
        except Ambiguous as error:
            print(f"  refused: {sentence!r}: {error}")


def embedded(app: App, model: str | None = None) -> int:
    """Embed what is not embedded, and make the model the active one; the answer is how many texts."""
    return app.models.use(model or registry.DEFAULT_MODEL, app.progress)


def borrowed(app: App, root: Path, model: str) -> int:
    """Copy the vectors of texts that another memory below a folder has embedded; the answer is how many."""
    row = app.models.row_of(model)
    chunk_rows.chunk_pages(app.store)
    wanted = {digest for _, digest in embeddings.missing(app.store.connection, row.id)}
    copied = 0
    for path in sorted(root.glob("*/*.db")) if wanted else []:
        if path == app.store.path:
            continue
        other = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        found = other.execute(
            """SELECT e.hash, e.vector, m.dimensions FROM embeddings e
               JOIN embedding_models m ON m.id = e.model_id WHERE m.name = ?""",
            (model,),
        )
        vectors = [
            (bytes(each), embeddings.whole(*stored)) for each, *stored in found if bytes(each) in wanted
        ]
        other.close()
        wanted -= {each for each, _ in vectors}
        copied += len(vectors)
        with app.store.write() as connection:
            embeddings.put(connection, row.id, vectors)
    return copied


def page_of(title: str, text: str) -> str:
    """A page with a title in its head."""
    return f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n---\n\n{text}\n" if title else f"{text}\n"


def digest(pages: Iterable[tuple[str, str]]) -> str:
    """What tells one collection of pages from another."""
    state = hashlib.sha256()
    for slug, text in pages:
        state.update(f"{slug}\0{text}\0".encode())
    return state.hexdigest()[:12]


class Progress:
    """A line on a terminal that says how far something is; nothing where there is none."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if self._shown:
            end = "\n" if done >= total else ""
            print(f"\r{self._what}: {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)


def middle(times: Sequence[float]) -> float:
    """The median."""
    return sorted(times)[len(times) // 2]


def high(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[max(0, math.ceil(len(times) * 0.95) - 1)]


def peak_mb(whose: int = resource.RUSAGE_SELF) -> float:
    """The most memory that this process ever had, or the largest that it started, mapped files included."""
    status = Path("/proc/self/status")
    if whose == resource.RUSAGE_SELF and status.exists():  # getrusage begins with what the parent had
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(whose).ru_maxrss * unit / 1e6
