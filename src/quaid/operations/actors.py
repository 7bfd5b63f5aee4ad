"""Who is meant by a name, and which sessions by the beginning of theirs."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import Ambiguous, NotFound
from quaid.model.actor import Actor
from quaid.store import deeds

_NAMED = 5  # sessions in a hint
_WHO = "`quaid activity` lists who wrote, and their sessions."


def sessions_of(app: App, name: str | None, key: str | None = None) -> dict[int, Actor]:
    """The sessions of whoever is called so; or the one that is called so, or begins so.

    Several actors may have one session: whoever imports in it is another. Where there is none, or where two
    begin so, that is refused.
    """
    found = deeds.sessions(app.connection, name, key)
    whole = [each for each in found if key and each[1].session == key]
    begun = sorted({actor.session for _, actor in whole or found})
    if not found and key:
        raise NotFound(f"no session begins with {key!r}", hint=_WHO)
    if key and len(begun) > 1:
        some = ", ".join(begun[:_NAMED])
        raise Ambiguous(
            f"{len(begun)} sessions begin with {key!r}", hint=f"Such as: {some}.", candidates=begun
        )
    if not found and name and name.lower() not in deeds.KINDS:
        raise NotFound(f"nobody is called {name!r} here", hint=_WHO)
    return dict(whole or found)
