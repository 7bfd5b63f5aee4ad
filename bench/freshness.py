"""What it costs a server to know that no file has changed: python bench/freshness.py [--notes 400 2000 6000].

A folder of that many notes, twenty to a directory. A process that goes on living is asked again and again,
with a pause, as clients ask; what is measured is the processor's time of seeing what was done to files, with
a tripwire (`vault/tripwire.py`) and without, in turns with a bare look at each file (`os.scandir`, `stat`).
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from _measures import table
from _memories import high, middle

from quaid import operations
from quaid.app import App, Surroundings
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.vault.tripwire import Tripwires

ASKED = 40
PER_DIRECTORY = 20
PAUSE = 4  # times as long as a look: a process that asks faster looks less often
REST = 1.1  # seconds: a folder that takes long is looked at once in a second


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[400, 2_000, 6_000])
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    rows = []
    for size in given.notes:
        with tempfile.TemporaryDirectory() as temporary:
            rows.append([f"{size:,}", *_measured(Path(temporary), size)])
    print(
        table(
            ["notes", "look, p50 ms", "p95", "tripwire, p50 ms", "p95", "bare, p50 ms", "p95", "first, ms"],
            rows,
        )
    )


def _measured(place: Path, size: int) -> list[float]:
    notes = place / "notes"
    for number in range(size):
        note = notes / f"d{number // PER_DIRECTORY}" / f"note-{number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"# Note {number}\n\nWhat it says.\n", encoding="utf-8")
    store = Store.create(place / "memory.db")
    wires = Tripwires()
    looking = App(store, Settings(), surroundings=Surroundings(home=place))
    operations.call(looking, "memory_collection_add", {"name": "notes", "path": str(notes)})
    wired = App(store, Settings(), surroundings=Surroundings(home=place, tripwires=wires))
    first = _took(wired.freshen)
    tries: dict[str, Callable[[], object]] = {
        "look": looking.freshen,
        "tripwire": wired.freshen,
        "bare": lambda: _look(notes),
    }
    times: dict[str, list[float]] = {name: [] for name in tries}
    for _ in range(ASKED):
        for name, attempt in tries.items():
            times[name].append(_took(attempt))
        time.sleep(max(PAUSE * max(times["look"]) / 1000, REST))
    wires.close()
    store.close()
    return [value for series in times.values() for value in (middle(series), high(series))] + [first]


def _look(directory: Path) -> int:
    """The least that could be done to see that no file has changed."""
    pending, count = [os.fspath(directory)], 0
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    count += entry.stat(follow_symlinks=False).st_size > 0
    return count


def _took(attempt: Callable[[], object]) -> float:
    """Milliseconds of the processor."""
    began = time.process_time()
    attempt()
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
