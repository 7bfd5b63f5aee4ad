"""Which clients there are on this machine, and which of them are set up."""

from __future__ import annotations

import shutil
from pathlib import Path

from quaid.agents.setup.clients import CLIENTS, Around, Client, Scope, home_of, places
from quaid.agents.setup.entries import entry_of, has_hooks, runs_quaid, words_of
from quaid.agents.setup.jsonc import JsoncError
from quaid.agents.setup.toml_text import TomlError
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
            said = _server_words(client, path, name)
            if runs_quaid(said):
                scopes.append(scope)
                words = words or said
            hooks = hooks or _has_hooks(client, places(client, scope, around).hooks)
        # One file that cannot be read must not hide the other clients.
        except (OSError, ValueError, JsoncError, TomlError):
            problem = f"{path} cannot be read"
    shown = places(client, scopes[0], around).servers if scopes else own
    return Found(
        client, _evidence(client, around), tuple(scopes), shown, problem=problem, words=words, hooks=hooks
    )


def _server_words(client: Client, path: Path, name: str) -> tuple[str, ...]:
    """What a client runs for a server of that name; nothing if it has none."""
    if not path.is_file():
        return ()
    return tuple(words_of(entry_of(client, path.read_bytes().decode(), name)))


def _has_hooks(client: Client, path: Path | None) -> bool:
    return path is not None and path.is_file() and has_hooks(client, path.read_bytes().decode())


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
