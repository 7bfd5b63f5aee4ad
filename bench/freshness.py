"""What it costs a server to know that no file has changed: python bench/freshness.py [--notes 400 2000 6000].

A folder of that many notes, twenty to a directory. A process that goes on living is asked again and again,
with a pause, as clients ask; what is measured is the processor's time of seeing what was done to files, with
a tripwire (`vault/tripwire.py`) and without, in turns.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
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
    print(table(["notes", "look, p50 ms", "p95", "tripwire, p50 ms", "p95", "first, ms"], rows))


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
    first = _took(wired)
    times: dict[App, list[float]] = {looking: [], wired: []}
    for _ in range(ASKED):
        for app, series in times.items():
            series.append(_took(app))
        time.sleep(PAUSE * max(times[looking]) / 1000)
    wires.close()
    store.close()
    return [value for series in times.values() for value in (middle(series), high(series))] + [first]


def _took(app: App) -> float:
    """Milliseconds of the processor."""
    began = time.process_time()
    app.freshen()
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main()
