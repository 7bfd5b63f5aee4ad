"""The timer that pushes in the background: a systemd user timer, or a launch agent on macOS."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from quaid.files import replace_file
from quaid.kb.place import chosen_root
from quaid.kb.repository import Kb
from quaid.model.record import record

MINUTES = 15

_SERVICE = """\
[Unit]
Description=Push the knowledge base in {root}

[Service]
Type=oneshot
ExecStart={command}
"""
_TIMER = """\
[Unit]
Description=Push the knowledge base in {root} every {minutes} minutes

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
    words = [*program(), "--kb", str(kb.root), "push", "--if-ahead"]
    if platform == "darwin":
        return _launch_agent(kb, words)
    folder = unit_folder(kb)
    name = name_of(kb)
    facts = {"root": kb.root, "minutes": MINUTES, "name": name, "command": " ".join(map(_quoted, words))}
    files = {
        folder / f"{name}.service": _SERVICE.format(**facts).replace("%", "%%"),
        folder / f"{name}.timer": _TIMER.format(**facts).replace("%", "%%"),
    }
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            replace_file(path, text.encode())
    enable = ["systemctl", "--user", "enable", "--now", f"{name}.timer"]
    enabled = _runs(["systemctl", "--user", "daemon-reload"]) and _runs(enable)
    return Timer(tuple(map(str, files)), enabled, "" if enabled else f"Start it with: {' '.join(enable)}")


def installed(kb: Kb, platform: str = sys.platform) -> bool:
    """Whether the timer's files are there."""
    if platform == "darwin":
        return _agent_path(kb).is_file()
    return (unit_folder(kb) / f"{name_of(kb)}.timer").is_file()


def is_idle(kb: Kb) -> bool:
    """Whether systemd knows the timer and says that it does not run; False where nobody can be asked."""
    asked = ["systemctl", "--user", "is-active", f"{name_of(kb)}.timer"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() in ("inactive", "failed", "unknown")


def unit_folder(kb: Kb) -> Path:
    """Where systemd looks for a person's units."""
    stated = kb.environment.get("XDG_CONFIG_HOME") or ""
    base = Path(stated) if Path(stated).is_absolute() else kb.home / ".config"
    return base / "systemd" / "user"


def program() -> list[str]:
    """How `ai-kb` is started from anywhere."""
    beside = Path(sys.executable).with_name("ai-kb")
    found = str(beside) if beside.is_file() else shutil.which("ai-kb")
    return [found] if found else [sys.executable, "-m", "quaid.cli.ai_kb"]


def _launch_agent(kb: Kb, words: list[str]) -> Timer:
    path = _agent_path(kb)
    content = {
        "Label": path.stem,
        "ProgramArguments": words,
        "StartInterval": MINUTES * 60,
        "RunAtLoad": True,
    }
    replace_file(path, plistlib.dumps(content))
    load = ["launchctl", "load", "-w", str(path)]
    enabled = _runs(load)
    return Timer((str(path),), enabled, "" if enabled else f"Start it with: {' '.join(load)}")


def _agent_path(kb: Kb) -> Path:
    return kb.home / "Library" / "LaunchAgents" / f"{name_of(kb)}.plist"


def _quoted(word: str) -> str:
    """A word of a unit's command line."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{plain}"' if plain != word or any(char.isspace() for char in word) else word


def _runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
