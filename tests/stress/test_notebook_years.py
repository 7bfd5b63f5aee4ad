"""Years of daily logs: writing costs no more with them than without."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from quaid.notebook.places import FILES
from quaid.vault import folder
from tests.notebook.notebooks import Notes, made
from tests.support import calls, lengths

pytestmark = pytest.mark.stress


def logs(count: int) -> dict[str, str]:
    days = (date(2023, 1, 1) + timedelta(days=number) for number in range(count))
    entries = "".join(
        f"## {hour:02}:15 — Talked about the boat\n\nSails and oak. {hour}\n\n" for hour in range(8, 18)
    )
    return {f"daily/{day}.md": f"# {day}\n\n{entries}" for day in days}


def measured(notes: Notes, word: str) -> dict[str, int]:
    return {
        "remember": calls(lambda: notes.remember(f"we need the {word} thing")),
        "remember a fact": calls(lambda: notes.remember(f"The {word} boat has oak sails")),
        "daily-log": calls(lambda: notes.call("daily-log", entry=f"the {word} entry")),
    }


@lengths("days", 150, 1_100)
def test_writing_costs_as_much_as_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    small = made(tmp_path / "small", FILES)
    large = made(tmp_path / "large", {**FILES, **logs(days)})
    for notes in (small, large):  # the first time, modules are loaded and files are made
        measured(notes, "first")
    few, many = measured(small, "second"), measured(large, "second")
    for name, count in many.items():
        assert count < 1.2 * few[name], name
    read, original = [], folder.read
    monkeypatch.setattr(folder, "read", lambda root, path: (read.append(path), original(root, path))[1])
    large.remember("The boat needs a new anchor")
    assert len({path for path in read if path.startswith("daily/")}) <= 2, "the logs that may be corrected"
    for notes in (small, large):
        notes.app.store.close()
