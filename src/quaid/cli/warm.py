"""The command that keeps a memory's model ready for hooks; a hook starts it."""

from __future__ import annotations

from quaid.agents import warm
from quaid.agents.hooks.recollection import answer_recollection
from quaid.app import Surroundings, open_app
from quaid.app.discovery import is_own
from quaid.cli.hook import HASTE
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Untrusted
from quaid.settings import Layer
from quaid.vault.tripwire import Tripwires

MINUTE = 60


def keep_warm(session: Session, given: Given) -> int:
    """Answer hooks until nobody has asked for a while."""
    path = session.place.path
    if not is_own(path, session.home):
        raise Untrusted(f"{path} was not made by you on this machine", hint=f"quaid trust {path}")
    settings = session.settings.adding(Layer("flag", "hook", HASTE))
    # One thread answers; what a hook cannot wait for, it does without.
    around = Surroundings(
        environment=session.environment, home=session.home, embedders={}, tripwires=Tripwires()
    )
    app = open_app(path, settings, around)
    minutes = app.settings.integer("hooks.warm")
    if minutes and warm.serve(app, {"recollect": answer_recollection}, minutes * MINUTE):
        return 0
    return 0
