"""Which clients there are on this machine, and which of them are set up."""

from __future__ import annotations

import shutil
from pathlib import Path

from quaid.agents.setup.clients import CLIENTS, Around, Client, Scope, home_of, places
from quaid.agents.setup.entries import entry_of, has_hooks, runs_quaid, words_of
from quaid.model.record import record

_APPS = {
    "claude-desktop": "Claude",
    "cursor": "Cursor",
    "vscode": "Visual Studio Code",
    "zed": "Zed",
}


@record
class Found:
    """A client: by what it was found (or not), in which scopes it is set up, and where that is written."""

    client: Client
    found: str
    set_up: tuple[Scope, ...]
    path: Path
    problem: str = ""
    words: tuple[str, ...] = ()  # what it runs for the server
    hooks: bool = False  # whether it runs hooks of ours


def found_clients(around: Around, name: str) -> tuple[Found, ...]:
    """Every client that is known."""
    return tuple(_place_of(client, around, name) for client in CLIENTS)


def _place_of(client: Client, around: Around, name: str) -> Found:
    scopes: list[Scope] = []
    problem = ""
    words: tuple[str, ...] = ()
    hooks = False
    own = places(client, "user", around).servers
    for scope in client.scopes:
        path = places(client, scope, around).servers
        if scope == "project" and path == own:  # the home directory is no project
            continue
        try:
            said = tuple(words_of(entry_of(client, _text_of(path), name)))
            if runs_quaid(said):
                scopes.append(scope)
                words = words or said
            hooks = hooks or has_hooks(client, _text_of(places(client, scope, around).hooks))
        except (OSError, ValueError):  # one file that cannot be read must not hide the other clients
            problem = f"{path} cannot be read"
    shown = places(client, scopes[0], around).servers if scopes else own
    return Found(
        client, _evidence(client, around), tuple(scopes), shown, problem=problem, words=words, hooks=hooks
    )


def _text_of(path: Path | None) -> str:
    """What a file says; nothing where there is none."""
    return path.read_bytes().decode() if path and path.is_file() else ""


def _evidence(client: Client, around: Around) -> str:
    """What shows that a client is here: its program, its application or its configuration."""
    for program in client.programs:
        place = shutil.which(program, path=around.environment.get("PATH"))
        if place:
            return place
    application = _APPS.get(client.name)
    if application and around.platform == "darwin":
        for folder in (Path("/Applications"), around.home / "Applications"):
            if (folder / f"{application}.app").exists():
                return str(folder / f"{application}.app")
    own = home_of(client, around)
    return str(own) if own.is_dir() else ""
