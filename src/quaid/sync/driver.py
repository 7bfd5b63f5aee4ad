"""The program that git runs to merge a page (`git help attributes`, "Defining a custom merge driver").

git tells the three texts as files, and the path. When each side was last changed is read from its commits,
where git says which they are; else from what the pages say of themselves.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from quaid.formats.content import read_page
from quaid.formats.encoding import decode, decode_as, encode
from quaid.formats.meld.clash import Melded, Side
from quaid.formats.meld.page import meld
from quaid.model.page import Format
from quaid.model.record import record
from quaid.sync import process
from quaid.sync.conflicts import note_clashes
from quaid.sync.git import Git, git_directory
from quaid.sync.process import Program, TooLong

ATTRIBUTES = ("*.md merge=quaid", "*.markdown merge=quaid", "*.org merge=quaid")
_PATIENCE = 20.0  # seconds in which git says when a page was changed
_HEAD = re.compile(r"GITHEAD_([0-9a-f]{40,64})\Z")
_PICKED = re.compile(r"^\w+ ([0-9a-f]{7,64})\b", re.MULTILINE)
_UPDATED = ("updated", "updated_at", "modified", "last_modified", "lastmod", "date_modified")


@record
class Files:
    """What git gives a driver: files with the common text, ours and theirs, and the path of the page."""

    base: Path
    ours: Path
    theirs: Path
    path: str


def configure(git: Git) -> None:
    """Have a repository's git find the driver on this machine, which merges pages by meaning.

    Where Quaid is missing, the attributes name a driver that nobody has set up, and git merges as ever.
    """
    for key, value in _configuration().items():
        if git.config(key) != value:
            git.ask("config", key, value)


def settings() -> tuple[str, ...]:
    """Options by which a git that is run by this program merges pages, whatever is configured."""
    return tuple(word for key, value in _configuration().items() for word in ("-c", f"{key}={value}"))


def _configuration() -> dict[str, str]:
    program = f"{shlex.quote(sys.executable)} -P -m quaid merge-driver"
    return {
        "merge.quaid.name": "Quaid: pages by what they say",
        "merge.quaid.driver": f"{program} %O %A %B %P",
        # Merges of several common ancestors are made up on the way: their clashes are nobody's.
        "merge.quaid.recursive": "quaid-ancestors",
        "merge.quaid-ancestors.name": "Quaid: ancestors of pages",
        "merge.quaid-ancestors.driver": f"{program} --ancestors %O %A %B %P",
    }


def merge_files(files: Files, root: Path, environment: Mapping[str, str], *, ancestors: bool) -> Melded:
    """Merge a page as git asks for it: the result takes the place of ours, clashes are written down."""
    contents = [each.read_bytes() for each in (files.base, files.ours, files.theirs)]
    melded, data = merged_page(contents, files.path, root, environment)
    if not ancestors:
        note_clashes(root, files.path, melded.clashes)
    files.ours.write_bytes(data)  # git's own temporary file
    return melded


def merged_page(
    contents: Sequence[bytes], path: str, root: Path, environment: Mapping[str, str]
) -> tuple[Melded, bytes]:
    """What a page becomes that was the first, and is the others on both sides; the result as bytes too."""
    (base, ours, theirs), encoding = _read(contents)
    format: Format = "org" if path.lower().endswith(".org") else "markdown"
    moments = _times_of_change(path, root, environment) or (
        _stated_time(ours, format),
        _stated_time(theirs, format),
    )
    melded = meld(base, Side(ours, moments[0]), Side(theirs, moments[1]), format)
    return melded, encode(melded.text, encoding)


def _read(contents: Sequence[bytes]) -> tuple[list[str], str]:
    """The three texts and their encoding; where they differ in it, such that every byte stays as it is."""
    read = [decode(data) for data in contents]
    encodings = {encoding for data, (_, encoding) in zip(contents, read, strict=True) if data}
    if len(encodings) == 1:
        return [text for text, _ in read], encodings.pop()
    return [decode_as(data, "utf-8") for data in contents], "utf-8"


def _times_of_change(path: str, root: Path, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """When the page was last changed on our side and on theirs, by the commits that git merges."""
    theirs = _their_commit(root, environment)
    if not theirs:
        return None
    ours, other = (changed_at(commit, path, root, environment) for commit in ("HEAD", theirs))
    return (ours, other) if ours and other else None


def _their_commit(root: Path, environment: Mapping[str, str]) -> str:
    """The commit that is merged or replayed; "" where git does not say.

    `git merge` names it in its environment before it writes MERGE_HEAD, `git rebase` in the list of what is
    done before REBASE_HEAD.
    """
    named = [found[1] for key in environment if (found := _HEAD.match(key))]
    if len(named) == 1:
        return named[0]
    done = git_directory(root) / "rebase-merge" / "done"
    picked = _PICKED.findall(done.read_text("utf-8", "replace")) if done.is_file() else []
    return picked[-1] if picked else ""


def changed_at(commit: str, path: str, root: Path, environment: Mapping[str, str]) -> str:
    """When the author of the last change made it: that stays the same when commits are replayed."""
    words = ("git", "-C", str(root), "log", "-1", "--format=%aI", commit, "--", path)
    try:
        done = process.run(Program(words, dict(environment), _PATIENCE))
    except (OSError, TooLong):
        return ""
    return done.out.decode("ascii", "replace").strip() if done.status == 0 else ""


def _stated_time(text: str, format: Format) -> str:
    """When a page says that it was changed."""
    values = read_page(text, "", format).frontmatter
    named = {str(key).lower(): value for key, value in values.items()}
    return next((str(named[key]).strip("[]<>") for key in _UPDATED if named.get(key)), "")
