"""Opening a memory: one that is lost is made anew, one of an older Quaid is brought up to date."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from quaid.app.app import App, Surroundings, utc_now
from quaid.errors import Corrupt, QuaidError
from quaid.settings import Settings, environment_layer, file_layer
from quaid.store import collections, pages
from quaid.store.connection import Store, is_made
from quaid.store.failures import translation
from quaid.trust import CONFIG, DIRECTORY, real, settings_file

# What embeds a memory in the background. Without the current directory among the places of modules: it may be
# anybody's.
WORKER = (sys.executable, "-P", "-m", "quaid.cli.worker")


def person_settings(home: Path, environment: Mapping[str, str]) -> Settings:
    """The settings of a person that hold whatever the memory."""
    return Settings(file_layer(home / DIRECTORY / CONFIG, "user"), environment_layer(environment))


def open_app(
    path: Path, settings: Settings, surroundings: Surroundings | None = None, *, mending: bool = False
) -> App:
    """Open a memory. One that is lost is made anew from the files of its collections.

    What mends it is also given one whose own settings or pages cannot be read.
    """
    if path.is_symlink():
        path = real(path)  # what lies beside it belongs to the file, not to the link
    settings = settings.with_file(settings_file(path))
    patience = settings.number("store.busy_timeout")
    lost = not is_made(path) and _made_anew(path, patience)
    app = App(Store.open(path, patience), settings, utc_now, surroundings)
    try:
        with translation(path):
            app.store.wait_for_others(app.settings.number("store.busy_timeout"))
            is_derived = pages.are_placed(app.store.connection) and not app.store.was_older
    except Corrupt:
        if not mending:
            raise
        app.settings = settings  # without those that it carries
        return app
    if lost:
        _fill(app)
    if not is_derived:
        _derive_again(app)
    return app


def _derive_again(app: App) -> None:
    """Read out of all pages what an older Quaid did not see in them."""
    from quaid.vault.soundness import derive_all  # only after an upgrade

    derive_all(app.store, app.now(), app.progress)


def _fill(app: App) -> None:
    """Read the files and conversations of a memory that was lost; vectors come from the copies beside it."""
    from quaid.conversations.indexer import Indexer  # only where a memory is lost
    from quaid.index.salvage import adopt_vectors

    if app.settings.text("sync.on_read") == "never":
        return
    for row in collections.of_files(app.connection):
        try:
            app.sync(row).run(progress=app.progress)
        except QuaidError as error:
            app.notify(f"{row.name}: {error.message} {error.hint}")
    Indexer(app.store).restore()
    adopt_vectors(app.store, app.now())


def _made_anew(path: Path, patience: float) -> bool:
    from quaid.vault.attachments import make_anew  # only where a memory is lost

    store = make_anew(path, patience)
    if store:
        store.close()
    return store is not None
