"""One memory, asked by several threads at the same time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import Surroundings
from quaid.app.shared import Opening, SharedMemory
from quaid.settings import Settings
from tests.support import open_memory
from tests.support_embedders import BagOfWords

ASKING = 4
COMING = 0.5  # seconds


class Slow(BagOfWords):
    """One that is not done with a text while others might come with the same one."""

    def __init__(self) -> None:
        super().__init__()
        self._others = threading.Barrier(ASKING)

    def embed(self, texts: Sequence[str]) -> Any:
        if not any("?" in text for text in texts):
            with suppress(threading.BrokenBarrierError):
                self._others.wait(COMING)
        return super().embed(texts)


def test_who_asks_at_the_same_time_embeds_nothing_twice(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    app = open_memory(db)
    app.collection().put("places/hamburg", "# Hamburg\n\nIt has a harbour.\n")
    app.store.close()
    embedder = Slow()
    memory = SharedMemory(Opening(lambda: db, Settings(), Surroundings(home=tmp_path)))
    memory._embedders[embedder.name] = embedder

    def ask(_: int) -> Any:
        return memory.do(lambda app, _: operations.call(app, "query", {"question": "where is a harbour?"}))

    with ThreadPoolExecutor(ASKING) as pool:
        answers = list(pool.map(ask, range(ASKING)))
    memory.close()
    assert {answer.results[0].slug for answer in answers} == {"places/hamburg"}
    texts = [text for text in embedder.texts if "?" not in text]
    assert texts
    assert len(texts) == len(set(texts))
