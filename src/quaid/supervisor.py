"""What keeps a program running for a person: systemd's user manager, or launchd on macOS."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from quaid.files import replace_file
from quaid.model.record import record

PATIENCE = 30  # seconds


@record
class Said:
    """How a command of a manager ended, and what it printed."""

    ok: bool
    out: str
    error: str = ""


def ask(*command: str) -> Said:
    """Run a command of a manager; one that is not there has failed."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Said(False, "", f"{command[0]}: {getattr(error, 'strerror', None) or 'no answer'}")
    return Said(done.returncode == 0, done.stdout.strip(), done.stderr.strip())


def systemctl(*words: str) -> Said:
    """Ask systemd's manager of this person."""
    return ask("systemctl", "--user", *words)


def unit_folder(environment: Mapping[str, str], home: Path) -> Path:
    """Where systemd looks for a person's units."""
    stated = environment.get("XDG_CONFIG_HOME") or ""
    base = Path(stated) if Path(stated).is_absolute() else home / ".config"
    return base / "systemd" / "user"


def agent_file(home: Path, label: str) -> Path:
    """Where launchd looks for a person's agent."""
    return home / "Library" / "LaunchAgents" / f"{label}.plist"


def command_line(words: list[str]) -> str:
    """Words as a unit's command line has them; what they mean to systemd is taken from them."""
    return " ".join(map(_quoted, words))


def literal(text: str) -> str:
    """Text of a unit in which systemd is to replace nothing."""
    return text.replace("%", "%%")


def write_changed(path: Path, data: bytes) -> bool:
    """Write a file unless it says that already; whether it was written."""
    if path.is_file() and path.read_bytes() == data:
        return False
    replace_file(path, data)
    return True


def program(name: str, module: str) -> list[str]:
    """How a program of Quaid is started from anywhere."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.is_file() else shutil.which(name)
    return [found] if found else [sys.executable, "-m", module]


def _quoted(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{plain}"' if plain != word or any(char.isspace() for char in word) else word
