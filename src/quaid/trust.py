"""What on this machine belongs to the person: folders that they made or accepted, and a key of their own.

A folder may come from somebody else, with a memory, skills or a repository in it. What is found there is used
only after `accept`, which is noted in the person's own configuration. A memory's files stay within the
folders that belong to it: `confine` is the one place where that is decided.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quaid.errors import ReadOnly, Untrusted
from quaid.files import exclusively, make_private_directory, open_own, read_own, replace_file
from quaid.model.record import record
from quaid.system import user

DIRECTORY, CONFIG = ".quaid", "config.toml"
LIST, LOCK, KEY = "trust.json", "trust.lock", "journal.key"
KEY_BYTES = 32
MOST_BYTES = 4_000_000  # of a list


@record
class Accepted:
    """A folder, or a memory's file, that the person made or accepted, with its folders elsewhere."""

    path: Path
    roots: tuple[Path, ...] = ()
    owner: int | None = None
    since: str = ""


# What programs of agents put into the environment of the commands that they run.
_SIGNS = {
    "CLAUDECODE": "Claude Code",
    "GEMINI_CLI": "Gemini CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "OpenCode",
    "CODEX_SANDBOX": "Codex",
}


def agent_of(environment: Mapping[str, str]) -> str:
    """The program of an agent that runs this command, as far as the environment tells; "" if none does."""
    return next((name for sign, name in _SIGNS.items() if environment.get(sign)), "")


# Where some of them say which session it is.
_SESSIONS = ("QUAID_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")


def session_of(environment: Mapping[str, str]) -> str:
    """The session in which a command runs, as far as the environment tells; "" if it does not."""
    return next((environment[name] for name in _SESSIONS if environment.get(name)), "")


def real(path: Path) -> Path:
    """Where a path leads, all links followed; also for one that is not there."""
    return Path(os.path.realpath(path))


def confine(path: Path, folders: Iterable[Path]) -> Path:
    """Where a path leads, all links followed; refused unless that is within one of the folders."""
    place, known = real(path), [*map(real, folders)]
    if not any(place.is_relative_to(folder) for folder in known):
        raise Untrusted(
            f"{path} leads to {place}, which does not belong to {' or '.join(map(str, known)) or 'anything'}",
            hint="Remove the link, or attach the folder that is meant with `quaid collection add`.",
        )
    return place


def subject(database: Path) -> Path:
    """What is trusted with a memory: the folder around its .quaid, or the file alone."""
    parent = real(database.parent)
    return parent.parent if parent.name == DIRECTORY else parent / database.name


def settings_file(database: Path) -> Path:
    """The config.toml of a memory; one that leads elsewhere is refused."""
    path = database.with_name(CONFIG)
    if path.is_symlink():
        confine(path, [database.parent])
    return path


def stranger_among(paths: Iterable[Path], also: Sequence[int | None] = ()) -> Path | None:
    """The first of the paths that belongs to another user; None also where users have no numbers."""
    own = user()
    if own is None:
        return None
    mine = {own, *also}
    became_root = os.environ.get("SUDO_UID", "") if own == 0 else ""
    if became_root.isdecimal():
        mine.add(int(became_root))  # whoever did so by sudo
    for path in paths:
        try:
            owners = {os.lstat(path).st_uid, os.stat(path).st_uid}
        except OSError:
            continue
        if not owners <= mine:
            return path
    return None


def trust_command(root: Path | str) -> str:
    """What a person types to trust a directory, whatever its name is."""
    from shlex import quote  # only for those who are refused

    return f"quaid trust {quote(str(root))}"


class Trust:
    """The list of what a person accepted, in their home directory."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._directory = home / DIRECTORY
        self._entries: dict[Path, Accepted] = {}
        self._state: tuple[int, ...] | None = None

    def entry(self, path: Path) -> Accepted | None:
        """What was accepted of a folder or file; None if it was not."""
        return self._read().get(real(path))

    def accepts(self, path: Path) -> bool:
        """Whether the person accepted a folder or file, and it belongs to whom it belonged then."""
        known = self._read().get(real(path))
        return known is not None and stranger_among([path], [known.owner]) is None

    def accept(self, path: Path, roots: Iterable[Path] = ()) -> Accepted:
        """Note that the person made or accepts a folder or file, with some folders elsewhere."""
        place = real(path)
        with self._writing() as entries:
            before = entries.get(place)
            known = dict.fromkeys([*(before.roots if before else ()), *map(real, roots)])
            since = before.since if before else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            entries[place] = Accepted(place, tuple(known), _owner(place), since)
            return entries[place]

    def remove(self, path: Path) -> bool:
        """Accept a folder or file no longer; whether it was accepted."""
        with self._writing() as entries:
            return entries.pop(real(path), None) is not None

    def everything(self) -> tuple[Accepted, ...]:
        """All that the person accepted, by path."""
        return tuple(each for _, each in sorted(self._read().items()))

    def key(self) -> bytes:
        """A key that this person alone has, made when it is first needed."""
        path = self._directory / KEY
        with self._failures():
            if not path.exists():
                make_private_directory(self._directory)
                with open_own(self._directory / LOCK) as lock, exclusively(lock):
                    if not path.exists():
                        replace_file(path, os.urandom(KEY_BYTES))
            demand_own(self._directory, path)
            key = read_own(path, KEY_BYTES)
        if len(key) != KEY_BYTES:
            raise Untrusted(f"{path} is damaged", hint="Delete it; the next write makes another.")
        return key

    def signature(self, place: Path, data: bytes) -> str:
        """What this person alone can say about some data that belong to a file."""
        import hmac  # only writing to a file needs it

        return hmac.new(self.key(), os.fsencode(place) + b"\0" + data, "sha256").hexdigest()

    def is_private(self) -> bool:
        """Whether nobody but the person can write to their own directory."""
        own = [self._directory, self._directory / "memory.db", self._directory / "config.toml"]
        return stranger_among(own) is None and not any(map(_is_open, own))

    def _read(self) -> dict[Path, Accepted]:
        path = self._directory / LIST
        try:
            facts = path.stat()
        except OSError:
            return {}
        state = (facts.st_ino, facts.st_mtime_ns, facts.st_size)
        if state != self._state:
            demand_own(self._directory, path)
            self._entries = _entries(path)
            self._state = state
        return self._entries

    @contextmanager
    def _writing(self) -> Iterator[dict[Path, Accepted]]:
        with self._failures():
            make_private_directory(self._directory)
            with open_own(self._directory / LOCK) as lock, exclusively(lock):
                entries = dict(self._read())
                yield entries
                listed = {
                    str(place): {"roots": [*map(str, each.roots)], "owner": each.owner, "since": each.since}
                    for place, each in sorted(entries.items())
                }
                data = json.dumps({"folders": listed}, indent=2) + "\n"
                replace_file(self._directory / LIST, data.encode())

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ReadOnly(
                f"{self._directory} cannot be used: {error.strerror or error}",
                hint="Quaid notes there what you trust. Set HOME to a directory that you can write to.",
            ) from None


class Territory:
    """The folders that belong to one memory on this machine."""

    def __init__(self, trust: Trust, database: Path) -> None:
        self._trust = trust
        self.database = real(database.parent) / database.name
        # Nobody but the person writes there; what they attached to such a memory belongs to it.
        self.is_own = self.database.parent == real(trust.home / DIRECTORY)
        self.subject = self.database if self.is_own else subject(database)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where its files may be: the folder that it is in, and those that were accepted with it."""
        known = self._trust.entry(self.subject)
        within = () if self.subject == self.database else (self.subject,)
        return (*within, *(known.roots if known else ()))

    @property
    def is_trusted(self) -> bool:
        """Whether the person made or accepted the memory itself."""
        return (self.is_own and self._trust.is_private()) or self._trust.accepts(self.subject)

    def admits(self, folder: Path) -> bool:
        """Whether a folder belongs to it."""
        if self.is_own and self._trust.is_private():
            return True
        place = real(folder)
        return any(place.is_relative_to(each) for each in self.folders)

    def demand(self, folder: Path) -> Path:
        """Where a folder is; refused if it does not belong to it."""
        if not self.admits(folder):
            raise Untrusted(
                f"{folder} is not among the folders that you trust this memory with",
                hint=f"If you know why the memory names it: quaid trust {self.subject}.",
            )
        return real(folder)

    def claim(self) -> None:
        """Note that the person made this memory."""
        if not self.is_own:
            self._trust.accept(self.subject)

    def annex(self, root: Path) -> None:
        """Note that the person adds a folder to this memory."""
        if not self.admits(root):
            self._trust.accept(self.subject, [root])

    def signature(self, data: bytes) -> str:
        """What this person alone can say about some data of this memory."""
        return self._trust.signature(self.database, data)


def demand_own(*paths: Path) -> None:
    """Refuse a file that others than the person could have written, with the folders in which it is."""
    if stranger_among(paths) or any(map(_is_open, paths)):
        raise Untrusted(
            f"others than you can write to {paths[-1]}",
            hint=f"It must be yours alone: chmod go-w {' '.join(map(str, paths))}, and check its owner.",
        )


def _owner(path: Path) -> int | None:
    try:
        return os.stat(path).st_uid if user() is not None else None
    except OSError:
        return None


def _is_open(path: Path) -> bool:
    """Whether others than the owner can write there; a private group is the owner's own."""
    if not hasattr(os, "getegid"):
        return False
    try:
        facts = os.stat(path)
    except OSError:
        return False
    by_group = bool(facts.st_mode & stat.S_IWGRP) and facts.st_gid != os.getegid()
    return bool(facts.st_mode & stat.S_IWOTH) or by_group


def _entries(path: Path) -> dict[Path, Accepted]:
    try:
        listed: Mapping[str, Any] = json.loads(read_own(path, MOST_BYTES))["folders"]
        return {
            Path(place): Accepted(
                Path(place), tuple(map(Path, each["roots"])), each.get("owner"), str(each.get("since", ""))
            )
            for place, each in listed.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Untrusted(
            f"{path} cannot be read, so nothing is trusted",
            hint="Correct it, or delete it and trust your folders again with `quaid trust DIR`.",
        ) from None
