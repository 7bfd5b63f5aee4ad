"""The programs in which agents run: which are set up, and setting them up with the person's consent.

This is no operation: it writes outside the memory, on the machine on which the dashboard runs, for the person
who sits before it. Over a network, and from an agent, nobody may.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from starlette.routing import Route

from quaid.agents.hooks.recollection import recollect
from quaid.agents.setup.client_setup import Choice, Outcome, preview, set_up
from quaid.agents.setup.clients import BY_NAME, Around
from quaid.agents.setup.entries import Wanted
from quaid.agents.setup.overview import Found, found_clients
from quaid.app import App
from quaid.cli.setup import program
from quaid.embed.tokens import estimate_tokens
from quaid.errors import Conflict, NotFound
from quaid.mcp.workers import Workers
from quaid.model.record import fill, record
from quaid.web.endpoint import Asked, endpoint

NAME = "quaid"  # of the server, as clients call it


@record
class ClientView:
    """A program: by what it was found, in which scopes it is set up, where that is written, and what it is
    given by that."""

    name: str
    title: str
    found: str
    set_up: tuple[str, ...]
    path: str
    given: tuple[str, ...]
    problem: str | None = None


@record
class Part:
    """What becomes of one part of a set-up."""

    part: str
    did: str
    path: str
    count: int


@record
class Change:
    """What a set-up changes, or has changed; `seen` is what the person says to have read of it."""

    client: str
    changed: bool
    parts: tuple[Part, ...]
    diff: str
    seen: str
    next: str
    done: bool


@record
class Lines:
    """What an agent would be given with a prompt."""

    text: str
    tokens: int
    how: str


class Clients:
    """Answers what the view of agents asks."""

    def __init__(self, workers: Workers) -> None:
        around = workers.opening.surroundings
        self._around = Around(around.home, Path.cwd(), around.environment)
        self.routes = (
            Route(
                "/api/dashboard/clients", endpoint(workers, "clients", self._client_views), methods=["GET"]
            ),
            Route("/api/dashboard/clients", endpoint(workers, "setup", self._change_asked), methods=["POST"]),
            Route("/api/dashboard/prompt", endpoint(workers, "prompt", lines_for), methods=["POST"]),
        )

    def _client_views(self, app: App, asked: Asked) -> list[ClientView]:
        return [
            fill(
                ClientView,
                each,
                name=each.client.name,
                title=each.client.title,
                path=str(each.path),
                given=self._gifts(each, app) if each.set_up and not each.problem else (),
                problem=each.problem or None,
            )
            for each in found_clients(self._around, NAME)
        ]

    def _gifts(self, found: Found, app: App) -> tuple[str, ...]:
        """What a client that is set up gets: what would be taken away from it."""
        client = found.client
        choice = Choice(scope=found.set_up[0], remove=True)
        steps = preview(client, _wanted_setup(app), choice, self._around).steps
        parts = {step.part for step in steps if step.did == "removed"}
        moments = {ours for _, ours in client.events} if "hooks" in parts else set()
        given = {
            "instructions": "server" in parts,
            "tools": "server" in parts,
            "context": "session-start" in moments or "plugin" in parts,
            "lines": "prompt" in moments,
            "flush": bool({"prompt", "tool"} & moments),
            "skills": "skills" in parts,
        }
        return tuple(name for name, is_given in given.items() if is_given)

    def _change_asked(self, app: App, asked: Asked) -> Change:
        """Say what would change; do it once the person says that they have read that."""
        client = BY_NAME.get(asked.value("client", str, ""))
        if client is None:
            raise NotFound("no such client", hint=f"There are: {', '.join(BY_NAME)}.")
        choice = Choice(
            remove=asked.value("remove", bool, False),
            hooks=asked.value("hooks", bool, True),
            skills=asked.value("skills", bool, True),
        )
        wanted = _wanted_setup(app)
        planned = preview(client, wanted, choice, self._around)
        seen = asked.value("seen", str, "")
        if not seen:
            return _change(planned, done=False)
        if seen != _digest(planned):
            raise Conflict("its configuration has changed meanwhile", hint="Look at the difference again.")
        return _change(set_up(client, wanted, choice, self._around), done=True)


def _wanted_setup(app: App) -> Wanted:
    return Wanted(NAME, program(), Path(os.path.abspath(app.store.path)))


def lines_for(app: App, asked: Asked) -> Lines:
    """What the memory would say beside a prompt."""
    mode = app.settings.text("hooks.recall")
    how = "words" if mode == "meaning" and not app.models.is_ready else mode
    found = recollect(
        app, asked.value("prompt", str, ""), how, app.settings.integer("hooks.recall_chars"), known=()
    )
    return Lines(found.text, estimate_tokens(found.text), how)


def _change(outcome: Outcome, *, done: bool) -> Change:
    return Change(
        outcome.client.name,
        outcome.changed,
        parts=tuple(Part(each.part, each.did, str(each.path), each.count) for each in outcome.steps),
        diff=outcome.diff,
        seen=_digest(outcome),
        next=outcome.client.next,
        done=done,
    )


def _digest(outcome: Outcome) -> str:
    """What a person has read: every step, and every line of the difference."""
    read: Any = (outcome.diff, [(step.part, step.did, str(step.path), step.count) for step in outcome.steps])
    return hashlib.sha256(repr(read).encode(errors="replace")).hexdigest()
