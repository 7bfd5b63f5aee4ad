"""What a client's configuration says of Quaid, as edits of its text: the server, and the hooks."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any

from quaid.agents.setup import jsonc, toml_text
from quaid.agents.setup.clients import Client, Shape
from quaid.errors import InvalidInput
from quaid.model.record import record

HOOK_SECONDS = 10
HOOKS_VERSION = 1  # of the form of a file that says one


@record
class Wanted:
    """What a client is to run: this program, a memory, a set of tools, under a name."""

    name: str
    program: tuple[str, ...]
    memory: Path
    tools: str | None = None

    @property
    def server(self) -> tuple[str, ...]:
        """The words that start the server."""
        chosen = ("--tools", self.tools) if self.tools else ()
        return (*self.program, "--db", str(self.memory), "serve", *chosen)

    def hook(self, event: str) -> str:
        """The command that answers a hook, for a shell."""
        words = (*self.program, "--db", str(self.memory), "hook", event)
        return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def values(shape: Shape, words: Sequence[str]) -> dict[str, Any]:
    """What a client's entry of a server says."""
    command, arguments = words[0], list(words[1:])
    if shape == "local":
        return {"type": "local", "command": [command, *arguments]}
    said: dict[str, Any] = {"command": command, "args": arguments}
    if shape == "zed":
        return {**said, "env": {}}
    if shape == "loaded":  # its tools are there from the first turn on
        return {"type": "stdio", **said, "alwaysLoad": True}
    return {"type": "stdio", **said} if shape == "typed" else said


def entry_of(client: Client, text: str, name: str) -> Any:
    """A server's entry in a configuration; None if there is none."""
    form = toml_text if client.shape == "toml" else jsonc
    return jsonc.at(form.read(text), (*client.keys, name))


def with_server(client: Client, text: str, wanted: Wanted) -> str:
    """A configuration with the server in it. Keys that a person has added to its entry stay."""
    known = _own_entry(client, text, wanted.name)
    said = values(client.shape, wanted.server)
    path = (*client.keys, wanted.name)
    if client.shape == "toml":
        return toml_text.put(text, path, said)
    if known is None:
        return jsonc.put(text, path, said)
    for key, value in said.items():
        if known.get(key) != value and not (key == "env" and key in known):
            text = jsonc.put(text, (*path, key), value)
    return text


def without_server(client: Client, text: str, name: str) -> str:
    """A configuration without the server."""
    _own_entry(client, text, name)
    path = (*client.keys, name)
    return toml_text.remove(text, path) if client.shape == "toml" else jsonc.remove(text, path)


def _own_entry(client: Client, text: str, name: str) -> dict[str, Any] | None:
    entry = entry_of(client, text, name)
    if entry is not None and not runs_quaid(words_of(entry)):
        raise InvalidInput(
            f"{client.title} has a server {name!r} that does not run quaid",
            hint="Choose another name: --name quaid-memory.",
        )
    return entry if isinstance(entry, dict) else None


def words_of(entry: Any) -> list[str]:
    """The words that an entry of a server runs."""
    if not isinstance(entry, dict):
        return []
    command, arguments = entry.get("command"), entry.get("args")
    first = command if isinstance(command, list) else [command]
    return [str(word) for word in (*first, *(arguments if isinstance(arguments, list) else []))]


def runs_quaid(words: Sequence[str]) -> bool:
    """Whether words run this program, wherever it is and however it is started."""
    return any(PureWindowsPath(word).stem.lower() == "quaid" for word in words if "\n" not in word)


def memory_of(words: Sequence[str]) -> str | None:
    """The memory that words name."""
    for place, word in enumerate(words):
        if word == "--db" and place + 1 < len(words):
            return words[place + 1]
        if word.startswith("--db="):
            return word.removeprefix("--db=")
    return None


def with_hooks(client: Client, text: str, wanted: Wanted, memories: set[str]) -> str:
    """A configuration with our hooks; those of one of these memories are brought up to date."""
    for event, ours in client.events:
        handler: dict[str, Any] = {"type": "command", "command": wanted.hook(ours)}
        if client.hook_form != "versioned":
            handler["timeout"] = HOOK_SECONDS * client.second
        elif jsonc.at(jsonc.read(text), ("version",)) is None:
            text = jsonc.put(text, ("version",), HOOKS_VERSION)
        known = list(_handlers(text, event, ours, memories))
        if not known:
            groups = jsonc.at(jsonc.read(text), ("hooks", event))
            end = len(groups) if isinstance(groups, list) else 0
            entry = {"hooks": [handler]} if client.hook_form == "grouped" else handler
            text = jsonc.put(text, ("hooks", event, end), entry)
        for path, said in known:
            if said != handler["command"]:
                text = jsonc.put(text, (*path, "command"), handler["command"])
    return text


def without_hooks(client: Client, text: str, memories: set[str]) -> str:
    """A configuration without the hooks of these memories."""
    for event, ours in client.events:
        while known := next(_handlers(text, event, ours, memories), None):
            path = known[0]
            group = jsonc.at(jsonc.read(text), path[:3])
            shared = len(path) > 3 and len(group["hooks"]) > 1
            text = jsonc.remove(text, path if shared else path[:3])
    return text


def has_hooks(client: Client, text: str) -> bool:
    """Whether a configuration has hooks of ours, of whatever memory."""
    return any(next(_handlers(text, event, ours, None), None) for event, ours in client.events)


def _handlers(
    text: str, event: str, ours: str, memories: set[str] | None
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The hooks of an event that are ours, of these memories or of any: their paths and commands."""
    groups = jsonc.at(jsonc.read(text), ("hooks", event))
    for place, group in enumerate(groups if isinstance(groups, list) else []):
        path: tuple[str | int, ...] = ("hooks", event, place)
        handlers = group.get("hooks") if isinstance(group, dict) else None
        inner = [((*path, "hooks", number), each) for number, each in enumerate(handlers or [])]
        for where, handler in inner if isinstance(handlers, list) else [(path, group)]:
            command = handler.get("command") if isinstance(handler, dict) else None
            words = _split(command) if isinstance(command, str) else []
            if (
                words[-2:] == ["hook", ours]
                and runs_quaid(words)
                and (memories is None or memory_of(words) in memories)
            ):
                yield where, str(command)


def _split(command: str) -> list[str]:
    try:
        return [word.strip('"') for word in shlex.split(command, posix=os.name != "nt")]
    except ValueError:  # a quote without its end
        return []
