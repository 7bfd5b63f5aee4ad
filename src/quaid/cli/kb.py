"""The knowledge base that a command line means, and the person who types."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from quaid.cli.console import Console
from quaid.home import home_directory
from quaid.kb.place import chosen_root
from quaid.operations.kb.app import Around, KbApp, Memories, Person

if TYPE_CHECKING:
    from quaid.cli.session import Session


def kb_app(stated: str | None, db: str | None, console: Console, session: Callable[[], Session]) -> KbApp:
    """The knowledge base in the directory that is named, or attached under that name; else the usual one."""
    memories = Memories(db, lambda: session().memory, lambda path: session().open_memory(path))
    show = (lambda text: None) if console.as_json else console.show_plain
    ask = console.ask if sys.stdin is not None and sys.stdin.isatty() else None
    home = home_directory()
    around = Around(console.environment, home, memories, Person(ask, show))
    app = KbApp(chosen_root(stated, console.environment, home), around)
    if stated is None or os.sep in stated or os.path.isdir(app.place):
        return app
    from quaid.operations.kb.memory import root_of_collection  # a path needs no memory

    return app.at(root_of_collection(app, stated) or stated)
