"""The server of a memory as a service of the person: what is written for it, and how it fares.

A manager is systemd or launchd. Both keep the server running, and start it when the person logs in.
"""

from __future__ import annotations

import plistlib
import re
import secrets
import stat
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from quaid.app.discovery import user_memory
from quaid.errors import InvalidInput, NotFound, Unreachable
from quaid.files import replace_file, write_errors
from quaid.model.record import record
from quaid.supervisor import (
    Said,
    agent_file,
    ask,
    command_line,
    literal,
    systemctl,
    unit_folder,
    write_changed,
)
from quaid.trust import DIRECTORY, real, stranger_among

FOLDER = "service"
# The user's manager cannot hide parts of the file system everywhere (that needs user namespaces), and a
# memory may have folders in any place. So this takes away rights that the server and git never need.
_UNIT = Path(__file__).with_name("quaid.service")
_SHOWN = "ActiveState,SubState,UnitFileState,Result,NRestarts"
_ERROR = re.compile(r"^quaid: .* \[[a-z_]+\]$", re.MULTILINE)
_NOWHERE = (
    "Where neither systemd nor launchd runs, as in a container, run `quaid serve --http` itself. "
    "After `su` or `sudo`, log in as that user instead."
)


@record
class State:
    """How a service fares; `error` is what went wrong last."""

    running: bool
    enabled: bool
    detail: str
    error: str = ""


class Systemd:
    """systemd's manager of this person."""

    def __init__(self, environment: Mapping[str, str], home: Path) -> None:
        self._folder = unit_folder(environment, home)

    def file(self, name: str) -> Path:
        """Its unit."""
        return self._folder / f"{name}.service"

    def description(self, name: str, memory: Path, words: list[str]) -> bytes:
        """A unit."""
        if any(not char.isprintable() for word in words for char in word):  # a line break ends an entry
            raise InvalidInput("a service cannot have names with line breaks and the like")
        return literal(
            _UNIT.read_text(encoding="utf-8").format(memory=memory, command=command_line(words))
        ).encode()

    def demand(self) -> None:
        """Refuse where there is no manager, or none for this login."""
        _demand(systemctl("show-environment"), "systemd's user manager")

    def start(self, name: str, *, changed: bool) -> None:
        """Enable the unit, and start it."""
        _demand_success(systemctl("daemon-reload"))
        _demand_success(systemctl("enable", f"{name}.service"))
        systemctl("reset-failed", f"{name}.service")  # one that failed too often would not be started
        _demand_success(systemctl("restart" if changed else "start", f"{name}.service"))

    def stop(self, name: str) -> None:
        """Disable the unit, and stop it."""
        _demand_success(systemctl("disable", "--now", f"{name}.service"))
        systemctl("reset-failed", f"{name}.service")  # what failed would be listed for ever

    def forget(self) -> None:
        """Read the units again."""
        systemctl("daemon-reload")

    def state(self, name: str) -> State:
        """What systemd says of the unit, and the last error in its journal."""
        said = systemctl("show", f"{name}.service", f"--property={_SHOWN}")
        facts = dict(line.split("=", 1) for line in said.out.splitlines() if "=" in line)
        running = facts.get("ActiveState") == "active"
        detail = f"{facts.get('ActiveState', 'unknown')} ({facts.get('SubState', 'unknown')})"
        result, restarts = facts.get("Result", "success"), facts.get("NRestarts", "0")
        detail += "" if result == "success" else f", {result}"
        often = {"0": "", "1": ", restarted once"}
        detail += often.get(restarts, f", restarted {restarts} times")
        journal = ask("journalctl", "--user", f"--unit={name}.service", "--lines=50", "--output=cat")
        error = "" if running and restarts == "0" else _last_error(journal.out)
        return State(running, facts.get("UnitFileState") == "enabled", detail, error)


class Launchd:
    """launchd, on macOS."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def file(self, name: str) -> Path:
        """Its property list."""
        return agent_file(self._home, name)

    def description(self, name: str, memory: Path, words: list[str]) -> bytes:
        """A property list."""
        return plistlib.dumps(
            {
                "Label": name,
                "ProgramArguments": words,
                "RunAtLoad": True,
                "KeepAlive": {"SuccessfulExit": False},
                "ThrottleInterval": 10,
                "ProcessType": "Background",
                "Umask": 0o077,
                "StandardErrorPath": str(self._log(name)),
            }
        )

    def demand(self) -> None:
        """Refuse where there is no launchctl."""
        _demand(ask("launchctl", "list"), "launchd")

    def start(self, name: str, *, changed: bool) -> None:
        """Load the agent; it is unloaded first, since launchd reads it once."""
        if changed:
            ask("launchctl", "unload", str(self.file(name)))
        if not ask("launchctl", "list", name).ok:
            _demand_success(ask("launchctl", "load", "-w", str(self.file(name))))
            _demand_success(ask("launchctl", "list", name))  # `load` calls everything a success

    def stop(self, name: str) -> None:
        """Unload the agent."""
        _demand_success(ask("launchctl", "unload", "-w", str(self.file(name))))
        self._log(name).unlink(missing_ok=True)

    def forget(self) -> None:
        """Nothing: launchd has forgotten what it has unloaded."""

    def state(self, name: str) -> State:
        """What launchd says of the agent, and the last error that it wrote."""
        said = ask("launchctl", "list", name)
        running = '"PID" =' in said.out
        status = re.search(r'"LastExitStatus" = (\d+)', said.out)
        detail = "running" if running else f"not running, last status {status[1]}" if status else "not loaded"
        try:
            written = self._log(name).read_text("utf-8", "replace")[-10_000:]
        except OSError:
            written = ""
        return State(running, said.ok, detail, "" if running else _last_error(written))

    def _log(self, name: str) -> Path:
        return self._home / "Library" / "Logs" / f"{name}.log"


Manager = Systemd | Launchd  # what keeps services running


@record
class Service:
    """The service of one memory."""

    manager: Manager
    memory: Path
    home: Path

    @property
    def name(self) -> str:
        """Plain for the person's own memory, with a mark for another."""
        if self.memory == real(user_memory(self.home)):
            return "quaid"
        return f"quaid-{sha256(str(self.memory).encode(errors='surrogateescape')).hexdigest()[:8]}"

    @property
    def file(self) -> Path:
        """Its description."""
        return self.manager.file(self.name)

    @property
    def token_file(self) -> Path:
        """Where its token is, unless the person has named another file."""
        return self.home / DIRECTORY / FOLDER / f"{self.name}.token"

    def description(self, words: list[str]) -> bytes:
        """What is written for a server that is started by these words."""
        return self.manager.description(self.name, self.memory, words)

    def install(self, words: list[str]) -> bool:
        """Write the description and start the server; whether something had to be written."""
        self.manager.demand()
        with write_errors(self.file, "home directory"):
            changed = write_changed(self.file, self.description(words))
        self.manager.start(self.name, changed=changed)
        return changed

    def make_token(self) -> None:
        """Make the token, unless there is one."""
        if not self.token_file.exists():
            with write_errors(self.token_file, "home directory"):
                replace_file(self.token_file, f"{secrets.token_urlsafe(32)}\n".encode())

    def remove(self) -> bool:
        """Stop the server, and take away what `install` made; whether there was something."""
        if not self.file.exists():
            return False
        self.manager.demand()
        self.manager.stop(self.name)
        self.file.unlink()
        self.token_file.unlink(missing_ok=True)
        self.manager.forget()
        return True

    def state(self) -> State | None:
        """How it fares; nothing if it is not installed."""
        if not self.file.exists():
            return None
        self.manager.demand()
        return self.manager.state(self.name)


def manager_of(platform: str, environment: Mapping[str, str], home: Path) -> Manager:
    """What keeps services running on a platform."""
    return Launchd(home) if platform == "darwin" else Systemd(environment, home)


def demand_secret(path: Path) -> None:
    """Refuse a file with a token that others can read."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror}", hint="Name a file with the token.") from None
    if stranger_among([path]) or stat.S_IMODE(mode) & 0o077:
        raise InvalidInput(f"others than you can read {path}", hint=f"chmod 600 {path}, and check its owner.")


def _demand(said: Said, manager: str) -> None:
    if not said.ok:
        reason = said.error.splitlines()[0] if said.error else "no answer"
        raise Unreachable(f"{manager} does not answer here: {reason}", hint=_NOWHERE)


def _demand_success(said: Said) -> None:
    if not said.ok:
        reason = (said.error or said.out or "no answer").splitlines()[0]
        raise Unreachable(f"the service could not be changed: {reason}", hint="See `quaid service status`.")


def _last_error(text: str) -> str:
    found = _ERROR.findall(text)
    return found[-1].removeprefix("quaid: ") if found else ""
