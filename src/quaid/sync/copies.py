"""Copies that Syncthing, Dropbox, iCloud and the like leave beside a file that two machines have changed."""

from __future__ import annotations

import re
from collections.abc import Collection

from quaid.formats.format import page_format
from quaid.formats.meld.clash import Melded, Side
from quaid.formats.meld.page import meld
from quaid.formats.merge import hunks
from quaid.model.page import format_of
from quaid.model.record import record
from quaid.vault.folder import is_page

_NAMED = (
    re.compile(r"^(?P<stem>.+)\.sync-conflict-\d{8}-\d{6}(?:-\w+)?$"),  # Syncthing
    re.compile(
        r"^(?P<stem>.+?) \([^()]*conflicted copy[^()]*(?:\(\d+\))?\)$", re.IGNORECASE
    ),  # Dropbox, Nextcloud
    re.compile(r"^(?P<stem>.+?) \([^()]*case conflict[^()]*\)$", re.IGNORECASE),
)
_NUMBERED = re.compile(r"^(?P<stem>.+) [2-9]$")  # iCloud


@record
class Copy:
    """A copy, and the page of which it is one."""

    path: str
    original: str


def copies(paths: Collection[str]) -> tuple[Copy, ...]:
    """Those among the files of a folder whose name says so; the page itself must be there."""
    found = []
    for path in sorted(filter(is_page, paths)):
        folder, _, name = path.rpartition("/")
        stem, dot, suffix = name.rpartition(".")
        named = next((match for each in _NAMED if (match := each.match(stem))), None)
        original = f"{folder}/{named['stem']}{dot}{suffix}".removeprefix("/") if named else ""
        if original in paths:
            found.append(Copy(path, original))
    return tuple(found)


def numbered(paths: Collection[str]) -> tuple[Copy, ...]:
    """Those that iCloud may have numbered, as people do too: what they hold has to say the rest."""
    found = []
    for path in sorted(filter(is_page, paths)):
        stem, dot, suffix = path.rpartition(".")
        named = _NUMBERED.match(stem)
        if named and f"{named['stem']}{dot}{suffix}" in paths:
            found.append(Copy(path, f"{named['stem']}{dot}{suffix}"))
    return tuple(found)


def is_copy_of(path: str, text: str, original: str) -> bool:
    """Whether two texts were one page: by its identity, or because they begin alike and share most lines."""
    format = page_format(format_of(path))
    ids = format.identity(text), format.identity(original)
    if any(ids):
        return ids[0] == ids[1]
    shared = len(common_lines(text, original).splitlines())
    return 2 * shared >= max(len(text.splitlines()), len(original.splitlines()))


def common_lines(one: str, other: str) -> str:
    """The lines that two texts have in common, in their order."""
    lines, others = one.splitlines(keepends=True), other.splitlines(keepends=True)
    left_out = {place for each in hunks(lines, others) for place in range(each.start, each.stop)}
    return "".join(line for place, line in enumerate(lines) if place not in left_out)


def merged(path: str, page: Side, copy: Side) -> Melded:
    """A page with what a copy of it says besides: what both have is what they had in common."""
    return meld(common_lines(page.text, copy.text), page, copy, format_of(path))
