"""The knowledge base that a command line means, and the person who types."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from quaid.cli.console import Console
from quaid.kb.place import chosen_root
from quaid.operations.kb.app import Around, KbApp, Memories, Person

if TYPE_CHECKING:
    from pathlib import Path

    from quaid.app import App
    from quaid.cli.session import Session


def kb_app(stated: str | None, db: str | None, console: Console, session: Callable[[], Session]) -> KbApp:
    """The knowledge base in the directory that is named, or attached under that name; else the usual one."""

    def open_memory(path: Path) -> App:
        return session().opened(path)

    memories = Memories(db, lambda: session().place.path, open_memory)
    home = os.path.expanduser("~")
    place = chosen_root(stated, console.environment, home)
    if stated and os.sep not in stated and not os.path.isdir(place):
        from quaid.operations.kb.memory import root_of_collection  # a path needs no memory

        place = root_of_collection(memories, stated) or place
    show = (lambda text: None) if console.as_json else console.show_plain
    ask = console.ask if sys.stdin is not None and sys.stdin.isatty() else None
    person = Person(ask, show, sys.stderr.isatty())
    return KbApp(place, Around(console.environment, home, memories, person))
