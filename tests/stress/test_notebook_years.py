"""Three years of daily logs: writing does not get slower with them."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from quaid.notebook.starter import FILES
from quaid.vault import folder
from tests.notebook.notebooks import Notes, made

pytestmark = pytest.mark.stress
DAYS = 1100


def logs() -> dict[str, str]:
    days = (date(2023, 1, 1) + timedelta(days=number) for number in range(DAYS))
    entries = "".join(
        f"## {hour:02}:15 — Talked about the boat\n\nSails and oak. {hour}\n\n" for hour in range(8, 18)
    )
    return {f"daily/{day}.md": f"# {day}\n\n{entries}" for day in days}


def taken(run: Callable[[int], Any], times: int = 15) -> float:
    spent = []
    for number in range(times):
        start = time.perf_counter()
        run(number)
        spent.append(time.perf_counter() - start)
    return median(spent)


def measured(notes: Notes) -> dict[str, float]:
    return {
        "remember": taken(lambda number: notes.remember(f"we need thing {number}")),
        "remember a fact": taken(lambda number: notes.remember(f"The boat number {number} has oak sails")),
        "daily-log": taken(lambda number: notes.call("daily-log", entry=f"entry {number}")),
    }


def test_writing_is_as_fast_as_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = made(tmp_path / "small", FILES)
    large = made(tmp_path / "large", {**FILES, **logs()})
    few, many = measured(small), measured(large)
    print({name: (round(few[name] * 1000), round(many[name] * 1000)) for name in few})
    for name, spent in many.items():
        assert spent < 4 * few[name] + 0.1, name
    read, original = [], folder.read
    monkeypatch.setattr(folder, "read", lambda root, path: (read.append(path), original(root, path))[1])
    large.remember("The boat needs a new anchor")
    assert not [path for path in read if path.startswith("daily/")], "no log is read to remember something"
    for notes in (small, large):
        notes.app.store.close()
