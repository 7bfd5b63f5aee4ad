"""The git program, run so that it never asks, never hangs and always answers in English.

The program and not a library: it knows the person's hooks, ssh aliases, signing and helpers. A commit runs
their hooks. Nothing here ever forces a push.

Whoever wrote a repository's configuration can have git run a program: by hooks, filters, drivers, ssh
commands, helpers, signing programs, and by whatever the next git invents. So git does not run at all in a
repository that the person does not trust, not even to look.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from quaid.errors import Busy, Corrupt, GitFailed, StorageFailed, Untrusted
from quaid.model.record import field, record
from quaid.sync import process
from quaid.sync.process import Program, TooLong
from quaid.sync.repository import UNFINISHED
from quaid.trust import trust_command

LOCAL_TIMEOUT = 60.0  # seconds: what needs no network; a hook or a signing key may take its time
FETCH_TIMEOUT = 10.0
TIMED_OUT = 124  # as timeout(1) says it
# A commit by somebody whom git does not know is still a commit.
NOBODY = ("-c", "user.name=ai-kb", "-c", "user.email=ai-kb@localhost")
_QUIET = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_OPTIONAL_LOCKS": "0",
}
# These would send a command to another repository, index or history than the one that is named. git sets them
# for a hook, and `git rev-parse --local-env-vars` lists them.
_STRAY = frozenset(
    """
GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_PREFIX GIT_GRAFT_FILE GIT_SHALLOW_FILE
GIT_REPLACE_REF_BASE GIT_NO_REPLACE_OBJECTS GIT_QUARANTINE_PATH GIT_ATTR_SOURCE GIT_CONFIG
""".split()  # noqa: SIM905
)
# A daemon that git leaves behind would hold the lock; a fetch, which has no part in it, tidies up.
_ALONE = ("-c", "core.fsmonitor=false", "-c", "maintenance.auto=false", "-c", "gc.auto=0")
_FULL_DISK = re.compile(r"out of disk ?space|no space left|disk quota exceeded", re.I)
_DUBIOUS = re.compile(r"detected dubious ownership in repository at '(.*)'")
_UNREAD = re.compile(r"fatal: could not read from remote repository", re.I)
_LOCKED = re.compile(r"unable to create '.*index\.lock': file exists", re.I)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECRET_IN_URL = re.compile(r"(?<=://)[^/@\s]+(?=@)")


class Done(NamedTuple):
    """How a run of git ended."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> bytes:
        """What it printed, byte by byte."""
        return self.out.encode(errors="surrogateescape")

    @property
    def reason(self) -> str:
        """The first line that says why, without a password that stands in an address.

        Where ssh has failed, git says only that it could not read: what ssh said stands before.
        """
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        telling = [line for line in lines if re.match(r"(fatal|error|remote): ?\S", line)]
        chosen = (telling or lines or [f"git ended with status {self.status}"])[0]
        if _UNREAD.match(chosen) and (place := lines.index(chosen)):
            chosen = lines[place - 1]
        return without_password(re.sub(r"^(fatal|error): ", "", chosen))


@record
class Changed:
    """A path whose file, index entry and commit are not all the same."""

    path: str
    code: str  # two letters of git's, or ?? for a file that git does not know


@record
class State:
    """Where the branch stands, and what is not committed."""

    branch: str = ""  # "" when detached
    upstream: str = ""  # "" when there is none
    ahead: int = 0
    behind: int = 0
    unborn: bool = False
    changed: tuple[Changed, ...] = field(default=())

    @property
    def diverged(self) -> bool:
        return self.ahead > 0 and self.behind > 0


def stranger(root: Path) -> Untrusted:
    """What is said of a repository that the person does not trust."""
    return Untrusted(
        f"git is not run in {root}, which you have not trusted: its configuration could run programs as you",
        hint=f"It was not made here by `ai-kb init`. If you know where it comes from: {trust_command(root)}",
    )


@record
class Git:
    """The repository at a root."""

    root: Path
    environment: Mapping[str, str] = field(default=os.environ)
    fetch_timeout: float | None = None  # seconds; None: what git's `ai-kb.fetchTimeout` says
    trusts: Callable[[Path], bool] = field(default=lambda root: False)  # whether the person trusts a folder

    @property
    def trusted(self) -> bool:
        """Whether git may run here."""
        return self.trusts(self.root)

    def refuse_stranger(self) -> None:
        """An error that says how to trust the repository, unless the person does.

        Who has the lock of writers was asked when they took it.
        """
        if not self.guards and not self.trusts(self.root):
            raise stranger(self.root)

    @cached_property
    def patience(self) -> float:
        """How long a remote may take to answer."""
        if self.fetch_timeout is not None:
            return self.fetch_timeout
        stated = self.config("ai-kb.fetchTimeout")
        return float(stated) if stated.isdecimal() and int(stated) else FETCH_TIMEOUT

    @cached_property
    def _surroundings(self) -> dict[str, str]:
        return surroundings(self.environment, self.root)

    @cached_property
    def directory(self) -> Path:
        """Where git keeps its own files."""
        return git_directory(self.root)

    @cached_property
    def guards(self) -> list[int]:
        """Files whose locks a git that outlives us goes on holding, until it has ended too."""
        return []

    def run(
        self,
        *words: str,
        timeout: float = LOCAL_TIMEOUT,
        input: str | None = None,
        remote: bool = False,
        index: Path | None = None,
    ) -> Done:
        """Run git; the answer has its status, whatever that is.

        `remote`: it talks to another machine. `index`: the file to use in the place of git's own.
        """
        self.refuse_stranger()
        command = ("git", "--literal-pathspecs", *(() if remote else _ALONE), "-C", str(self.root), *words)
        around = self._surroundings
        if index:
            around = around | {"GIT_INDEX_FILE": str(index.absolute())}
        if remote:
            around = around | _ssh(around, self.config("core.sshCommand"), self.patience)
        given = None if input is None else input.encode(errors="surrogateescape")
        done = _end_of(Program(command, around, timeout, given, () if remote else tuple(self.guards)))
        if done.status:
            self._refuse_other_owner(done)
        return done

    def _refuse_other_owner(self, done: Done) -> None:
        """git's own refusal of a directory of somebody else's, which would look like an empty answer."""
        named = _DUBIOUS.search(done.err)
        if not named:
            return
        if os.path.realpath(named.group(1)) in map(os.path.realpath, (self.root, self.directory)):
            raise Corrupt(
                f"{self.root} belongs to another user, so git does not touch it",
                hint=f"If you trust them: git config --global --add safe.directory {named.group(1)}",
            )

    def ask(self, *words: str, **manner: Any) -> str:
        """Run git, as `run` does; what it prints, or an error that says why it did not."""
        done = self.run(*words, **manner)
        if done.status:
            self.refuse_what_it_says(done)
            raise GitFailed(f"git {words[0]}: {done.reason}", hint=f"Look with `git -C {self.root} status`.")
        return done.out

    def bytes_of(self, name: str) -> bytes | None:
        """The bytes of a blob such as `HEAD:file`; None if there is none."""
        done = self.run("cat-file", "blob", name)
        return None if done.status else done.data

    def last_commit_of(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """What files are in the last commit; None for one that is not there. One git looks at all of them."""
        named = list(paths)
        if not named:
            return {}
        if any("\n" in path for path in named):
            return {path: self.bytes_of(f"HEAD:{path}") for path in named}
        asked = "".join(f"HEAD:{path}\n" for path in named)
        return dict(zip(named, _blobs(self.run("cat-file", "--batch", input=asked).data), strict=True))

    def state(self) -> State:
        """Branch, distance to its upstream as last fetched, and changes."""
        done = self.run("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames")
        if done.status:
            raise Corrupt(
                f"{self.root} is not a git repository that can be read: {done.reason}",
                hint="`ai-kb init` makes one.",
            )
        return read_state(done.out)

    def config(self, key: str) -> str:
        """A setting of git's; "" if it is not set."""
        return self.run("config", "--get", key).out.strip()

    def remote(self) -> str:
        """The name of the remote that is pushed to; "" if there is none."""
        names = self.run("remote").out.split()
        return "origin" if "origin" in names else (names[0] if names else "")

    def remote_address(self) -> str:
        """Where the remote is; "" if there is none."""
        name = self.remote()
        return self.run("remote", "get-url", name).out.strip() if name else ""

    def push_addresses(self) -> list[str]:
        """Everywhere a push goes."""
        name = self.remote()
        return self.run("remote", "get-url", "--push", "--all", name).out.split("\n")[:-1] if name else []

    def fetch(self) -> Done:
        """Ask the remote for what is new, for a bounded time."""
        words = ("fetch", "--quiet", "--no-tags", "--prune", self.remote())
        return self.run(*words, timeout=self.patience, remote=True)

    def head(self) -> str:
        """The commit that is checked out; "" before the first one. Mostly a file says it without git."""
        self.refuse_stranger()
        inside = self.directory
        with suppress(OSError, UnicodeDecodeError):
            named = (inside / "HEAD").read_text("ascii").strip()
            if named.startswith("ref: "):
                named = (inside / named.removeprefix("ref: ")).read_text("ascii").strip()
            if _COMMIT.fullmatch(named):
                return named
        return self.run("rev-parse", "--verify", "--quiet", "HEAD").out.strip()

    def under_way(self) -> str:
        """What a person began with git and has not ended: a merge, a rebase; "" if nothing."""
        inside = self.directory
        return next((name for sign, name in UNFINISHED.items() if (inside / sign).exists()), "")

    def refuse_what_it_says(self, done: Done) -> None:
        """The error for a failure that has a class of its own."""
        if _FULL_DISK.search(done.err):
            raise StorageFailed(f"{self.root} cannot be written: the disk is full", hint="Make some room.")
        if _LOCKED.search(done.err):
            raise Busy(f"another git works in {self.root}", hint="Wait until it has ended, and try again.")


def outside(
    environment: Mapping[str, str],
    *words: str,
    timeout: float = LOCAL_TIMEOUT,
    patience: float = FETCH_TIMEOUT,
) -> Done:
    """Run git where no repository is, so that only the person's own configuration counts."""
    from tempfile import TemporaryDirectory  # takes longer to load than git to start

    with TemporaryDirectory(prefix="ai-kb-") as place:
        around = surroundings(environment, Path(place))
        command = ("git", "-C", place)
        ssh = _end_of(Program((*command, "config", "--get", "core.sshCommand"), around, LOCAL_TIMEOUT)).out
        around |= _ssh(around, ssh.strip(), patience)
        return _end_of(Program((*command, *words), around, timeout))


def surroundings(environment: Mapping[str, str], root: Path) -> dict[str, str]:
    """The environment of git in a directory: it asks nobody, and looks for no repository above."""
    given = {key: value for key, value in environment.items() if key not in _STRAY} | _QUIET
    return given | {"GIT_CEILING_DIRECTORIES": str(root.parent)}


def _ssh(around: Mapping[str, str], stated: str, patience: float) -> dict[str, str]:
    """The person's ssh, such that it neither asks nor waits for ever."""
    if "GIT_SSH" in around:
        return {}
    ssh = around.get("GIT_SSH_COMMAND") or stated or "ssh"
    return {"GIT_SSH_COMMAND": f"{ssh} -o BatchMode=yes -o ConnectTimeout={max(1, int(patience))}"}


def _end_of(program: Program) -> Done:
    """The one place where git is started."""
    try:
        status, out, err = process.run(program)
    except FileNotFoundError:
        raise GitFailed("git is not installed", hint="Install git; a knowledge base is kept in it.") from None
    except TooLong:
        return Done(TIMED_OUT, "", f"fatal: no answer within {program.timeout:g} seconds")
    # A path need not be UTF-8, and must come back as it is.
    return Done(status, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "replace"))


def without_password(text: str) -> str:
    """A text without the password of an address in it."""
    return _SECRET_IN_URL.sub("***", text)


def git_directory(root: Path) -> Path:
    """Where git keeps its own files: `.git`, or where a file of that name points."""
    place = root / ".git"
    if place.is_file():
        stated = place.read_text("utf-8", "replace").strip()
        return (root / stated.removeprefix("gitdir:").strip()).resolve()
    return place


def _blobs(out: bytes) -> Iterator[bytes | None]:
    """What `git cat-file --batch` answers, object by object."""
    place = 0
    while place < len(out):
        end = out.index(b"\n", place)
        told, place = out[place:end].rsplit(b" ", 2), end + 1
        if told[-1] == b"missing":
            yield None
            continue
        size = int(told[-1])
        yield out[place : place + size] if told[-2] == b"blob" else None
        place += size + 1


def read_state(text: str) -> State:
    """What `git status --porcelain=v2 --branch -z` says."""
    branch, upstream, followed, ahead, behind, unborn = "", "", False, 0, 0, False
    changed: list[Changed] = []
    for entry in text.split("\0"):
        kind, _, rest = entry.partition(" ")
        if kind == "#":
            key, _, value = rest.partition(" ")
            if key == "branch.oid":
                unborn = value == "(initial)"
            elif key == "branch.head":
                branch = "" if value == "(detached)" else value
            elif key == "branch.upstream":
                upstream = value
            elif key == "branch.ab":
                followed = True
                ahead, behind = (abs(int(number)) for number in value.split())
        elif kind in ("1", "u"):
            parts = rest.split(" ", 7 if kind == "1" else 9)
            changed.append(Changed(parts[-1], parts[0]))
        elif kind == "?":
            changed.append(Changed(rest, "??"))
    # Without distances, the branch that is followed is gone, or was never there.
    return State(branch, upstream if followed else "", ahead, behind, unborn, tuple(changed))
