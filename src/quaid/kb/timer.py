"""The timer that syncs in the background: a systemd user timer, or a launch agent on macOS."""

from __future__ import annotations

import plistlib
import sys
from hashlib import sha256
from pathlib import Path

from quaid.kb.place import chosen_root
from quaid.kb.repository import Kb
from quaid.model.record import record
from quaid.supervisor import (
    agent_file,
    ask,
    command_line,
    literal,
    program,
    systemctl,
    unit_folder,
    write_changed,
)

MINUTES = 15
_BACKGROUND = "--background"
_IDLE = ("inactive", "failed", "unknown")  # as systemd says it
_UNLOADED = "Could not find service"  # and launchd

_SERVICE = """\
[Unit]
Description=Sync the knowledge base in {root}

[Service]
Type=oneshot
ExecStart={command}
"""
_TIMER = """\
[Unit]
Description=Sync the knowledge base in {root} every {minutes} minutes

[Timer]
OnBootSec=2min
OnUnitInactiveSec={minutes}min
Unit={name}.service

[Install]
WantedBy=timers.target
"""


@record
class Timer:
    """What was installed: its files, whether it runs, and what to do if it does not."""

    files: tuple[str, ...]
    enabled: bool
    hint: str = ""


def name_of(kb: Kb) -> str:
    """The timer's name: plain for the usual knowledge base, with a mark for another."""
    usual = chosen_root(None, {**kb.environment, "AI_KB": ""}, str(kb.home))
    if str(kb.root) == usual:
        return "ai-kb-push"
    return f"ai-kb-push-{sha256(str(kb.root).encode()).hexdigest()[:8]}"


def install(kb: Kb, platform: str = sys.platform) -> Timer:
    """Write the timer's files and start it where that can be done."""
    words = _command(kb)
    if platform == "darwin":
        return _launch_agent(kb, words)
    folder = _unit_folder(kb)
    name = name_of(kb)
    facts = {"root": kb.root, "minutes": MINUTES, "name": name, "command": command_line(words)}
    files = {
        folder / f"{name}.service": literal(_SERVICE.format(**facts)),
        folder / f"{name}.timer": literal(_TIMER.format(**facts)),
    }
    for path, text in files.items():
        write_changed(path, text.encode())
    enable = ["enable", "--now", f"{name}.timer"]
    enabled = systemctl("daemon-reload").ok and systemctl(*enable).ok
    hint = "" if enabled else f"Start it with: systemctl --user {' '.join(enable)}"
    return Timer(tuple(map(str, files)), enabled, hint)


def _command(kb: Kb) -> list[str]:
    return [*program("ai-kb", "quaid.cli.ai_kb"), "--kb", str(kb.root), "sync", _BACKGROUND]


@record
class Fault:
    """Why nothing may be synced in the background, and what to do."""

    message: str
    hint: str


def fault(kb: Kb, platform: str = sys.platform) -> Fault | None:
    """What is wrong with the timer, or that nobody could be asked; None if it runs."""
    name = name_of(kb)
    on_mac = platform == "darwin"
    file = agent_file(kb.home, name) if on_mac else _unit_folder(kb) / f"{name}.service"
    if not file.is_file():
        return Fault("no timer syncs in the background", "`ai-kb init --timer` installs one.")
    if _BACKGROUND not in file.read_text("utf-8", "replace"):
        return Fault("the timer is an old one, which never fetches", "`ai-kb init --timer` writes it anew.")
    said = ask("launchctl", "list", name) if on_mac else systemctl("is-active", f"{name}.timer")
    if said.out in _IDLE or _UNLOADED in said.error:
        start = f"launchctl load -w {file}" if on_mac else f"systemctl --user enable --now {name}.timer"
        return Fault("the timer that syncs does not run", start)
    if said.out:
        return None
    why = said.error.splitlines()[0] if said.error else "no answer"
    return Fault(
        f"whether the timer runs could not be asked: {why}",
        "Where neither systemd nor launchd runs for you, let something else call `ai-kb sync --background`.",
    )


def _unit_folder(kb: Kb) -> Path:
    return unit_folder(kb.environment, kb.home)


def _launch_agent(kb: Kb, words: list[str]) -> Timer:
    path = agent_file(kb.home, name_of(kb))
    content = {
        "Label": path.stem,
        "ProgramArguments": words,
        "StartInterval": MINUTES * 60,
        "RunAtLoad": True,
    }
    write_changed(path, plistlib.dumps(content))
    load = ["launchctl", "load", "-w", str(path)]
    enabled = ask(*load).ok
    return Timer((str(path),), enabled, "" if enabled else f"Start it with: {' '.join(load)}")
