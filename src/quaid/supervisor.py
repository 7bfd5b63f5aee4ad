"""What keeps a program running for a person: systemd's user manager, or launchd on macOS."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from quaid.files import replace_file
from quaid.model.record import record

PATIENCE = 30  # seconds
MINUTES = 15  # between two runs of a job

_SERVICE = """\
[Unit]
Description={description}

[Service]
Type=oneshot
ExecStart={command}
"""
_TIMER = """\
[Unit]
Description={description} every {minutes} minutes

[Timer]
OnBootSec=2min
OnUnitInactiveSec={minutes}min
Unit={name}.service

[Install]
WantedBy=timers.target
"""


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


@record
class Job:
    """A command that is run again and again for a person."""

    name: str
    description: str
    words: list[str]
    environment: Mapping[str, str]
    home: Path

    def file(self, platform: str = sys.platform) -> Path:
        """What says when it runs: a timer of systemd's, or a launch agent."""
        if platform == "darwin":
            return agent_file(self.home, self.name)
        return unit_folder(self.environment, self.home) / f"{self.name}.timer"


@record
class Timer:
    """What was installed: its files, whether it runs, and what to do if it does not."""

    files: tuple[str, ...]
    enabled: bool
    hint: str = ""


def install_job(job: Job, platform: str = sys.platform) -> Timer:
    """Write the files of a job and start it where that can be done."""
    path = job.file(platform)
    if platform == "darwin":
        content = {
            "Label": path.stem,
            "ProgramArguments": job.words,
            "StartInterval": MINUTES * 60,
            "RunAtLoad": True,
        }
        write_changed(path, plistlib.dumps(content))
        load = ["launchctl", "load", "-w", str(path)]
        enabled = ask(*load).ok
        return Timer((str(path),), enabled, "" if enabled else f"Start it with: {' '.join(load)}")
    facts = {
        "description": job.description,
        "minutes": MINUTES,
        "name": job.name,
        "command": command_line(job.words),
    }
    files = {path.with_suffix(".service"): _SERVICE, path: _TIMER}
    for place, text in files.items():
        write_changed(place, literal(text.format(**facts)).encode())
    enable = ["enable", "--now", path.name]
    enabled = systemctl("daemon-reload").ok and systemctl(*enable).ok
    hint = "" if enabled else f"Start it with: systemctl --user {' '.join(enable)}"
    return Timer(tuple(map(str, files)), enabled, hint)
