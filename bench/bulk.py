"""How fast a vault is embedded: python bench/bulk.py DIR [--pages N] [--rounds N].

The Markdown files of DIR become pages of a memory. Then, in turns, the program embeds them all anew, and the
embedder alone is given the same texts. Memory is looked at after each quarter of the first turn.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from _measures import table
from _memories import middle, opened, peak_mb, written

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import QuaidError
from quaid.formats.slugs import slugify
from quaid.index import indexer
from quaid.store import chunks, embeddings, pages


def main() -> None:
    """Write the pages, embed them both ways, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--pages", type=int, default=800, help="How many pages of it.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", default=DEFAULT_MODEL)
    given = parser.parse_args()
    if not given.directory.is_dir():
        sys.exit(f"There is no directory {given.directory}: give one that holds Markdown files.")
    with tempfile.TemporaryDirectory() as temporary:
        app = opened(Path(temporary) / "memory.db")
        try:
            written(app, _pages(given.directory, given.pages))
            app.models.embedder(given.model).embed(["The weights are loaded."])
        except QuaidError as error:
            sys.exit(str(error))
        peaks: list[float] = []
        texts = _texts(app, given.model)
        runs = [product(app, given.model, peaks)]
        alone = [embedder(app, given.model, texts)]
        for _ in range(given.rounds - 1):
            runs.append(product(app, given.model, []))
            alone.append(embedder(app, given.model, texts))
        report(app, given.model, texts, runs, alone, peaks)


def _pages(directory: Path, most: int) -> list[tuple[str, str]]:
    """Every n-th file of the vault, so that all of its folders are there."""
    files = sorted(directory.rglob("*.md"))
    found: dict[str, str] = {}
    for file in files[:: max(1, len(files) // most)][:most]:
        text = file.read_text(encoding="utf-8", errors="replace")
        found[slugify(str(file.relative_to(directory).with_suffix("")))] = text
    return [(slug, text) for slug, text in found.items() if slug]


def product(app: App, model: str, peaks: list[float]) -> tuple[float, float]:
    """Seconds and seconds of all cores in which the program embeds everything anew."""
    registered = app.models.row_of(model)
    with app.store.write() as connection:
        embeddings.clear(connection, registered.id)

    def watch(done: int, total: int) -> None:
        while done * 4 >= total * (len(peaks) + 1):
            peaks.append(peak_mb())

    began, used = time.perf_counter(), time.process_time()
    app.models.embed(registered, progress=watch)
    return time.perf_counter() - began, time.process_time() - used


def embedder(app: App, model: str, texts: list[str]) -> tuple[float, float]:
    """The same for the embedder alone."""
    alone: Any = app.models.embedder(model)
    began, used = time.perf_counter(), time.process_time()
    for _ in alone.stream(texts):
        pass
    return time.perf_counter() - began, time.process_time() - used


class Recorder:
    """An embedder that keeps what it is given."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.texts: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def stream(self, texts: Iterable[str], *rest: Any) -> Iterator[Any]:
        """What the embedder makes of texts."""

        def kept() -> Iterator[str]:
            for text in texts:
                self.texts.append(text)
                yield text

        yield from self._embedder.stream(kept(), *rest)


def _texts(app: App, model: str) -> list[str]:
    """What the program gives the embedder: sections and lines, each once."""
    recorder = Recorder(app.models.embedder(model))
    indexer.embed_missing(app.store, app.models.row_of(model), recorder)
    return recorder.texts


def report(
    app: App,
    model: str,
    texts: list[str],
    runs: list[tuple[float, float]],
    alone: list[tuple[float, float]],
    peaks: list[float],
) -> None:
    """A table for people."""
    known: Any = app.models.embedder(model)
    tokens = sum(min(known.count_tokens(text), 512) for text in texts)
    size = len(pages.all_live(app.connection))
    print(
        f"{size:,} pages, {chunks.count(app.connection):,} chunks, {len(texts):,} texts of sections and lines"
    )
    print(f"{tokens:,} tokens; {model}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    rows = []
    for name, series in (("the program", runs), ("the embedder alone", alone)):
        took = middle([wall for wall, _ in series])
        cores = sum(cpu for _, cpu in series) / sum(wall for wall, _ in series)
        each = ", ".join(f"{wall:.1f}" for wall, _ in series)
        rows.append([name, f"{len(texts) / took:.1f}", f"{tokens / took:,.0f}", f"{cores:.2f}", each])
    print(table(["", "chunks/s", "tokens/s", "cores used", "seconds"], rows))
    share = middle([wall for wall, _ in alone]) / middle([wall for wall, _ in runs])
    print(f"\nthroughput of the program against the embedder alone: {share:.0%}")
    print(f"peak memory after each quarter: {', '.join(f'{peak:.0f}' for peak in peaks)} MB")


if __name__ == "__main__":
    main()
