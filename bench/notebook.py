"""How quick a notebook is: python bench/notebook.py [--days 1096] [--runs 100] [--folder DIR].

A notebook as people keep one, with years of daily logs of four entries a day. `recall` and `context` run
as operations in a process that is warm, as a server is: files are looked at, the question is embedded,
passages are found. Then as commands, each a process of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import _notebook
from _memories import high, middle

from quaid import operations
from quaid.app import App, open_app
from quaid.operations.collections import attach
from quaid.operations.context import CONTEXT, Wanted
from quaid.operations.recall import RECALL, Recall
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.vault.attachments import Attachment


def main() -> None:
    """Write the notebook, embed it, time the operations, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=1096)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="Where to keep the notebook; otherwise nowhere.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = given.folder or Path(temporary) / "notebook"
        app = made(root, given.days)
        questions = [text for text, _ in _notebook.QUESTIONS] + list(_notebook.WITHOUT_ANSWER)
        warm = {
            "recall": lambda n: operations.run(app, RECALL, Recall(questions[n % len(questions)])),
            "context": lambda n: operations.run(app, CONTEXT, Wanted()),
            "context for a hook": lambda n: operations.run(app, CONTEXT, Wanted("hook")),
        }
        pages = app.connection.execute("SELECT count(*) FROM live_pages").fetchall()[0][0]
        chunks = app.connection.execute("SELECT count(*) FROM chunks").fetchall()[0][0]
        print(
            f"{pages:,} files, {chunks:,} passages; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )
        print(f"{'':28} {'median':>9} {'p95':>9}   (ms, {given.runs} runs)")
        for name, run in warm.items():
            show(name, timed(run, given.runs))
        quaid = [str(Path(sys.executable).with_name("quaid")), "--db", str(root / ".quaid" / "memory.db")]
        for name, words in {"quaid context": ["context"], "quaid recall": ["recall", "sarah phone"]}.items():
            if words[0] in operations.NAMES:
                show(name, timed(lambda _, words=words: ran([*quaid, *words]), max(5, given.runs // 5)))


def made(root: Path, days: int) -> App:
    """The notebook, synced and embedded."""
    path = root / ".quaid" / "memory.db"
    if path.is_file():
        return open_app(path, Settings())
    _notebook.write_logs(root, date.today(), days)
    _notebook.write_notebook(root)
    Store.create(path).close()
    app = open_app(path, Settings())
    attach(app, Attachment("notebook", "..", "notebook", default=True))
    app.models.embed(app.models.current())
    return app


def timed(run: Callable[[int], object], runs: int) -> list[float]:
    """Milliseconds of each run, after three that fill the caches."""
    times = []
    for number in range(runs + 3):
        began = time.perf_counter()
        run(number)
        if number >= 3:
            times.append((time.perf_counter() - began) * 1000)
    return times


def ran(command: Sequence[str]) -> None:
    """One process."""
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def show(name: str, times: list[float]) -> None:
    """A line of the table."""
    print(f"{name:28} {middle(times):>9.1f} {high(times):>9.1f}")


if __name__ == "__main__":
    main()
