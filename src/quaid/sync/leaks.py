"""What a push is about to publish: the lines and messages of every commit that the remote has not got.

All of the commits count, not only the last state: what one added and the next one removed is published too.
So do commits that were made by hand, past every check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats import secrets
from quaid.model.record import record
from quaid.sync.git import Git

SCAN_TIMEOUT = 120.0  # seconds: a first push may have years of commits
_DIFF = (
    *("-c", "core.quotePath=false", "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false"),
    *(
        "log",
        "--reverse",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--unified=0",
        "-c",
    ),
    "--format=%x00%H%n%B%x00",
)
_HUNK = re.compile(r"(@@+) (?:-\S+ )+\+(\d+)")


@record
class Leak:
    """A secret that would be published: where it is, and never what it is."""

    commit: str
    path: str  # "" for the message of the commit
    line: int
    rule: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.path else "the message"
        return f"{place} of commit {self.commit[:10]} looks like a secret ({self.rule})"


@record
class _Added:
    """A text that a commit adds, line by line, with the numbers of its lines."""

    commit: str
    path: str
    lines: tuple[str, ...]
    numbers: tuple[int, ...]


def leaks_of(git: Git, head: str, remote: str) -> tuple[Leak, ...]:
    """The secrets in what the remote has not got, each place once."""
    out = git.ask(*_DIFF, head, "--not", f"--remotes={remote}", timeout=SCAN_TIMEOUT)
    found: dict[Leak, None] = {}
    for added in _texts(out):
        text = "\n".join(added.lines)
        for secret in secrets.find(text):
            if not added.path or not _is_allowed_since(
                git, head, added.path, text[secret.start : secret.end]
            ):
                line = added.numbers[text.count("\n", 0, secret.start)]
                found[Leak(added.commit, added.path, line, secret.rule)] = None
    return tuple(found)


def _is_allowed_since(git: Git, head: str, path: str, secret: str) -> bool:
    """Whether a later commit says that it is none: the line has the comment by now."""
    text = (git.bytes_of(f"{head}:{path}") or b"").decode(errors="replace")
    return secret in text and secret not in "\n".join(
        text[each.start : each.end] for each in secrets.find(text)
    )


def _texts(out: str) -> Iterator[_Added]:
    """The messages and the additions that `git log` shows."""
    parts = out.split("\0")
    for commit, _, message in (each.partition("\n") for each in parts[1::2]):
        lines = message.split("\n")
        yield _Added(commit, "", tuple(lines), tuple(range(1, len(lines) + 1)))
    for head, patch in zip(parts[1::2], parts[2::2], strict=False):
        yield from _additions(head.partition("\n")[0], patch)


def _additions(commit: str, patch: str) -> Iterator[_Added]:
    """The lines that a patch adds to each file; of a merge, those that no parent has."""
    for part in re.split(r"(?m)^diff --", patch)[1:]:
        path, parents, number = "", 0, 0  # no parents in the head of a file's part
        added: list[tuple[str, int]] = []
        for line in part.split("\n"):
            hunk = _HUNK.match(line)
            if hunk:
                parents, number = len(hunk.group(1)) - 1, int(hunk.group(2))
            elif not parents:
                path = _path(line[4:]) if line.startswith("+++ ") else path
            elif line[:parents] == "+" * parents:
                added.append((line[parents:], number))
                number += 1
            elif "-" not in line[:parents] and not line.startswith("\\"):
                number += 1
        if path:
            lines, numbers = zip(*added, strict=True) if added else ((), ())
            yield _Added(commit, path, lines, numbers)


def _path(shown: str) -> str:
    """A path as git shows it: with a prefix, and in quotes if it has unusual characters."""
    name = shown.rstrip("\t")
    if name.startswith('"'):
        name = name[1:-1].encode("latin-1", "replace").decode("unicode_escape", "replace")
    return "" if name == "/dev/null" else name.removeprefix("b/")
