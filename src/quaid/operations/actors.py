"""Who is meant by a name, and which sessions by the beginning of theirs."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import NotFound
from quaid.model.actor import Actor
from quaid.store import deeds

_WHO = "`quaid activity` lists who wrote, and their sessions."


def sessions_of(app: App, name: str | None, key: str | None = None) -> dict[int, Actor]:
    """The sessions of whoever is called so, and whose names begin so; refused where there are none.

    One that is named whole is meant alone.
    """
    found = deeds.sessions(app.connection, name, key)
    whole = [each for each in found if key and each[1].session == key]
    if not found and key:
        raise NotFound(f"no session begins with {key!r}", hint=_WHO)
    if not found and name and name.lower() not in deeds.KINDS:
        raise NotFound(f"nobody is called {name!r} here", hint=_WHO)
    return dict(whole or found)
