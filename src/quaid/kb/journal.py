"""The undo journal of a write: what each file was, kept in git's directory until the commit is made.

A process that is killed leaves it behind. The next one that writes finds it, and puts every file back that is
still as the dead process left it; a file that somebody has changed since is theirs.
"""

from __future__ import annotations

import json
import os
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from quaid.errors import InvalidInput
from quaid.files import make_private_directory, replace_file, sync_directory, write_beside
from quaid.kb.git import Git, git_directory

NAME = "ai-kb-journal.json"
PREFIX = "ai-kb-new-"
PATIENCE = 5.0  # seconds: how long a git whose caller was killed may still run


def journal_path(root: Path) -> Path:
    """The journal of a knowledge base; it exists only while one is written."""
    return git_directory(root) / NAME


def begin(root: Path, files: Mapping[str, bytes | None]) -> None:
    """Write down what these files are, before they become what is given here."""
    entries = {path: {"was": _packed(root / path), "becomes": _mark(data)} for path, data in files.items()}
    replace_file(journal_path(root), json.dumps(entries).encode(), PREFIX)


def put(root: Path, path: str, data: bytes | None) -> None:
    """Give a file other bytes at once, or remove it. What is unfinished lies in git's directory."""
    place = root / path
    confined(root, path)
    if data is None:
        place.unlink(missing_ok=True)
        sync_directory(place.parent)
        return
    make_private_directory(place.parent)
    new = write_beside(git_directory(root) / "ai-kb-new", data, PREFIX)
    with suppress(FileNotFoundError):
        os.chmod(new, place.stat().st_mode & 0o777)
    new.replace(place)
    sync_directory(place.parent)


def confined(root: Path, path: str) -> None:
    """Refuse a path that leads out of the knowledge base, be it through a link."""
    inside = root.resolve()
    if not (inside / path).parent.resolve().is_relative_to(inside) or path.startswith(".git/"):
        raise InvalidInput(f"{path} lies outside {root}", hint="Is a directory there a symbolic link?")


def end(root: Path) -> None:
    """The write is done, or undone: forget what was."""
    journal_path(root).unlink(missing_ok=True)


def undo(git: Git) -> tuple[str, ...]:
    """Put back what an unfinished write changed; the paths. Nothing to do is the usual case."""
    root = git.root
    path = journal_path(root)
    _sweep(root)
    if not path.exists():
        return ()
    _await_git(root)
    try:
        entries = json.loads(path.read_bytes())
    except ValueError:  # a journal is written whole, so that this one is not ours
        end(root)
        return ()
    known = set(entries)
    changed = [each.path for each in git.state().changed if each.path in known]
    restored: list[str] = []
    # New files go first: on a full disk that makes the room which the others need.
    for name in sorted(changed, key=lambda each: entries[each]["was"] is not None):
        entry = entries[name]
        if _mark(_bytes(root / name)) != entry["becomes"]:
            continue
        put(root, name, None if entry["was"] is None else b64decode(entry["was"]))
        restored.append(name)
    if changed:
        git.run("reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", input="\0".join(changed))
    end(root)
    return tuple(restored)


def _await_git(root: Path) -> None:
    """Let a git that outlived its caller end; the lock that a killed one left is taken away."""
    lock = git_directory(root) / "index.lock"
    deadline = time.monotonic() + PATIENCE
    while lock.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    lock.unlink(missing_ok=True)


def _sweep(root: Path) -> None:
    """Remove what was written and never took its place."""
    for left in (*git_directory(root).glob(f"{PREFIX}*.tmp"), *root.glob(".ai-kb-*.tmp")):
        left.unlink(missing_ok=True)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _packed(path: Path) -> str | None:
    data = _bytes(path)
    return None if data is None else b64encode(data).decode()


def _mark(data: bytes | None) -> str:
    return "" if data is None else sha256(data).hexdigest()
