"""A folder made ready for `quaid sync`: repository, what git leaves out, merge driver, remote. Again
changes nothing.

On a new machine the folder is empty, or holds what was written there meanwhile: the first round brings the
rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from quaid.errors import Conflict, GitFailed, InvalidInput
from quaid.files import make_private_directory, read_own, replace_file
from quaid.model.record import record, replace
from quaid.sync import driver
from quaid.sync.branches import FIRST_BRANCH, branches_at
from quaid.sync.git import git_directory, outside, stranger, without_password
from quaid.sync.lock import write_lock
from quaid.sync.repository import Repository
from quaid.sync.rounds import BRANCH, ENABLED, Round, Terms, exchange
from quaid.trust import DIRECTORY

_NEEDED = (f"{DIRECTORY}/", ".quaid-*.tmp")
_USUAL = (".obsidian/workspace*", ".trash/", ".#*", "\\#*\\#", "*~", "*.swp", ".DS_Store", ".stfolder/")
_BYTES = "* -text"  # a page has the same bytes on every machine, whatever line ends that has
_MOST = 1_000_000  # bytes of a file of patterns


@record
class SetUp:
    """What was done to a folder, and what the first round brought."""

    origin: str  # made, joined, known
    branch: str
    remote: str
    files: tuple[str, ...]  # that were written
    round: Round
    notices: tuple[str, ...] = ()


def set_up(repository: Repository, address: str, terms: Terms, is_spare: Callable[[str], bool]) -> SetUp:
    """Make a folder ready, and exchange what there is.

    `is_spare` knows files of a new folder that give way to those of the remote. What a folder has that was
    never synced is merged with what the remote has: to name both is to want that.
    """
    git = repository.git
    is_known = os.path.lexists(repository.root / ".git")
    if is_known:
        git.refuse_stranger()
    asked = address or (git.remote_address() if is_known else "")
    if is_known and git.config(ENABLED) == "true" and asked == git.remote_address():
        asked = ""  # all is known that it could say, and it may be away
    there = branches_at(repository, asked).shared if asked else ""
    origin = "known" if is_known else _new_repository(repository, there)
    with write_lock(git):
        is_new = git.config(ENABLED) != "true"
        notices = _remote(repository, address)
        _add_lines(git_directory(repository.root) / "info" / "exclude", _NEEDED)
        driver.configure(git)
        if there and git.state().unborn:
            origin = "joined"
            git.ask("symbolic-ref", "HEAD", f"refs/heads/{there}")
            _give_way(repository, is_spare)
        now = git.state()
        branch = git.config(BRANCH) or now.branch
        if not branch:
            hint = f"Choose one: git -C {repository.root} switch {FIRST_BRANCH}."
            raise Conflict(f"{repository.root} is on no branch", hint=hint)
        if there and not now.upstream:
            git.ask("config", f"branch.{branch}.remote", git.remote())
            git.ask("config", f"branch.{branch}.merge", f"refs/heads/{there}")
        for key, value in ((BRANCH, branch), (ENABLED, "true")):
            if git.config(key) != value:
                git.ask("config", key, value)
    done = exchange(repository, replace(terms, accept_rewritten=terms.accept_rewritten or is_new))
    files = () if terms.read_only else _files(repository)
    if files:
        done = both_rounds(done, exchange(repository, terms))
    return SetUp(origin, branch, without_password(git.remote_address()), files, done, tuple(notices))


def both_rounds(one: Round, later: Round) -> Round:
    """What two rounds did together."""
    counts = {name: getattr(one, name) + getattr(later, name) for name in ("committed", "received", "sent")}
    return replace(later, authors={**one.authors, **later.authors}, **counts)


def _new_repository(repository: Repository, there: str) -> str:
    """Make a git repository at the root."""
    root = repository.root
    if root.exists() and not root.is_dir():
        raise InvalidInput(f"{root} is a file", hint="Name a directory.")
    if os.path.lexists(root / DIRECTORY) and not repository.is_trusted:
        raise stranger(root)  # to make a repository here is to trust the folder, with the memory in it
    make_private_directory(root)
    words = ("init", "--quiet", f"--initial-branch={there or FIRST_BRANCH}", "--", str(root))
    done = outside(repository.environment, *words)
    if done.status:
        raise GitFailed(f"git init: {done.reason}", hint="Look at the directory.")
    repository.trust.accept(root)
    return "made"


def _remote(repository: Repository, address: str) -> list[str]:
    known = repository.git.remote_address()
    if address and not known:
        repository.git.ask("remote", "add", "--", "origin", address)
    elif address not in ("", known):
        return [f"the remote stays {without_password(known)}; `git remote set-url` changes it"]
    return []


def _give_way(repository: Repository, is_spare: Callable[[str], bool]) -> None:
    """Let files that nobody has written go: the remote has them, or does not want them."""
    for each in repository.git.state().changed:
        if is_spare(each.path):
            repository.file(each.path).unlink(missing_ok=True)


def _files(repository: Repository) -> tuple[str, ...]:
    """Write what git is to know of the folder into files that every machine gets; those that have changed."""
    root = repository.root
    patterns = _NEEDED if (root / ".gitignore").exists() else (*_NEEDED, *_USUAL)
    ignored = _add_lines(root / ".gitignore", patterns)
    attributes = root / ".gitattributes"
    general = [line for line in _lines(attributes) if line.startswith("* ")]
    stated = _add_lines(attributes, driver.ATTRIBUTES if general else (_BYTES, *driver.ATTRIBUTES))
    names = {".gitignore": ignored, ".gitattributes": stated}
    return tuple(name for name, changed in names.items() if changed)


def _lines(place: Path) -> list[str]:
    try:
        return read_own(place, _MOST).decode("utf-8", "surrogateescape").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InvalidInput(f"{place} cannot be read: {error.strerror}", hint="Look what it is.") from None


def _add_lines(place: Path, wanted: tuple[str, ...]) -> bool:
    """Add the lines that a file lacks; whether there were any."""
    known = _lines(place)
    missing = [line for line in wanted if line not in known]
    if missing:
        text = "\n".join((*known, *missing)) + "\n"
        replace_file(place, text.encode("utf-8", "surrogateescape"))
    return bool(missing)
