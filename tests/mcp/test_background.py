"""A server has what is new embedded by a process of its own."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from quaid.app import Surroundings, background
from quaid.app.entrance import WORKER
from quaid.app.shared import Opening
from quaid.mcp import background as upkeep
from quaid.mcp.workers import Workers
from quaid.settings import Settings
from quaid.trust import Territory, Trust
from tests.support import open_memory


class Started(list[subprocess.Popen[bytes]]):
    """Processes, and an event that says that one was started."""

    def __init__(self) -> None:
        super().__init__()
        self.event = threading.Event()

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, value)
        self.event.set()


def test_what_others_write_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUAID_EMBED_BACKGROUND")
    monkeypatch.setattr(upkeep, "PAUSE", 0.01)
    started = Started()
    monkeypatch.setattr(background, "STARTED", started)
    app = open_memory(tmp_path / "memory.db")
    Territory(Trust(tmp_path), app.store.path).claim()
    with app.store.write():
        for number in range(40):
            app.collection().put(f"p-{number}", f"# Page {number}\n\nText {number}.\n")
    around = Surroundings(home=tmp_path, worker=WORKER)
    workers = Workers(Opening(lambda: app.store.path, Settings(), around))
    greeted = threading.Event()
    greeted.set()
    serving = upkeep.Upkeep(workers, greeted, watching=False)
    serving.start()
    try:
        assert started.event.wait(60)
        assert started[0].wait(120) == 0
    finally:
        serving.stop()
        workers.close(5)
        for each in started:
            each.kill()
            each.wait()
    assert app.background.progress().embedded == 40
    app.store.close()
