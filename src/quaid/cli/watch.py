"""The command that keeps a memory in step with its folders."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput
from quaid.operations.results import as_data
from quaid.store.collections import of_files
from quaid.vault.sync import Report
from quaid.vault.watch import Watcher

SHOWN = 5  # slugs in a line


def watch(session: Session, given: Given) -> int:
    """Keep collections in step with their files until interrupted."""
    app = session.app
    name = given.values.get("name")
    if name:
        row = app.collection_row(name)
        watched = {row.id: app.root_of(row)} if row.kind == "files" else {}
    else:
        watched = {row.id: root for row, root in app.folders(of_files(app.connection))}
    if not watched:
        raise InvalidInput(
            "there is no folder to watch", hint="Attach one: quaid collection add NAME FOLDER."
        )
    embed = given.values.get("embed")

    def tell(report: Report) -> None:
        if session.console.as_json:
            session.console.show_data(as_data(report))
        else:
            did = ", ".join(f"{count:,} {effect}" for effect, count in report.effects.items())
            slugs = ", ".join(report.slugs[:SHOWN]) + (" …" if len(report.slugs) > SHOWN else "")
            session.console.show(f"{report.collection}: {f'{did} ({slugs})' if did else 'in step'}")
        sys.stdout.flush()
        if embed and report.changed:
            app.models.embed(app.models.current())
        elif not embed:
            app.background.begin()

    watcher = Watcher(
        store=app.store,
        watched=watched,
        syncing=app.sync,
        now=app.now,
        debounce=app.settings.number("sync.debounce"),
        tell=tell,
        warn=session.console.notify,
    )
    stop = threading.Event()
    with stopping(stop):
        watcher.run(stop)
    return 0


@contextmanager
def stopping(stop: threading.Event) -> Iterator[None]:
    """Let a request to end the process set an event instead."""
    before = {
        number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
