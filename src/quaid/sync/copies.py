"""Copies that Syncthing, Dropbox, iCloud and the like leave beside a file that two machines have changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from quaid.formats.content import read_page
from quaid.formats.format import page_format
from quaid.formats.meld.clash import Melded, Side
from quaid.formats.meld.page import meld
from quaid.formats.merge import hunks
from quaid.model.page import Format, format_of
from quaid.model.record import record
from quaid.vault.folder import is_page

_NAMED = tuple(
    re.compile(rf"^(?P<stem>.+?){ending}$", re.IGNORECASE)
    for ending in (
        r"\.sync-conflict-\d{8}-\d{6}(?:-\w+)?",  # Syncthing
        r" \([^()]*conflicted copy[^()]*(?:\(\d+\))?\)",  # Dropbox, Nextcloud, Obsidian
        r" \([^()]*(?:in Konflikt stehende Kopie|copie en conflit)[^()]*\)",
        r" \([^()]*copia (?:en conflicto|in conflitto)[^()]*\)",
        r" \([^()]*(?:case|selective sync|unicode encoding|white ?space) conflict[^()]*\)",  # Dropbox
        r"_conflict-\d{8}-\d{6}",  # ownCloud
        r" \(SFConflict [^()]+\)",  # Seafile
        r"_[^_/]+_[a-z]{3}-\d{2}-\d{6}-\d{4}_Conflict",  # Synology
        r" \[conflicted(?: \d+)?\]",  # pCloud
        r"\.Conflict(?:\(\d+\))?",  # Resilio
    )
)
_NUMBERED = re.compile(r"^(?P<stem>.+?)(?: (?:[2-9]|[1-9]\d)| ?\([1-9]\d?\))$")  # iCloud; Google Drive
_HEADINGS = {"markdown": re.compile(r"#{1,6}\s"), "org": re.compile(r"\*+\s|#\+")}
_ALIKE, _NEARLY_THE_SAME = 0.5, 0.8  # shares of the lines that say something


@record
class Copy:
    """A copy, and the page of which it is one."""

    path: str
    original: str


def copies(paths: Collection[str]) -> tuple[Copy, ...]:
    """Those among the files of a folder whose name says so; the page itself must be there."""
    return tuple(_copies(paths, _NAMED))


def numbered_copies(paths: Collection[str]) -> tuple[Copy, ...]:
    """Those that a program may have numbered, as people do too: what they hold has to say the rest."""
    return tuple(_copies(paths, (_NUMBERED,)))


def _copies(paths: Collection[str], names: Iterable[re.Pattern[str]]) -> Iterator[Copy]:
    for path in sorted(filter(is_page, paths)):
        folder, slash, name = path.rpartition("/")
        stem, dot, suffix = name.rpartition(".")
        named = next((match for each in names if (match := each.match(stem))), None)
        if named and (original := f"{folder}{slash}{named['stem']}{dot}{suffix}") in paths:
            yield Copy(path, original)


def is_copy_of(path: str, text: str, original: str) -> bool:
    """Whether two texts were one page: by its identity; or they have one title, begin alike, and share most
    of what they say. Headings and empty lines say nothing: pages that a template made have them all.
    """
    format = format_of(path)
    ids = [page_format(format).identity(each) for each in (text, original)]
    if any(ids):
        return ids[0] == ids[1]
    (title, lines), (other_title, others) = (_title_and_lines(each, format) for each in (text, original))
    if title != other_title or not lines or not others:
        return False
    shared = len(common_lines("\n".join(lines) + "\n", "\n".join(others) + "\n").splitlines())
    least = _ALIKE if lines[0] == others[0] else _NEARLY_THE_SAME
    return shared >= least * max(len(lines), len(others))


def _title_and_lines(text: str, format: Format) -> tuple[str, list[str]]:
    """The title of a page, and the lines with which it says something."""
    content = read_page(text, "", format)
    lines = [line.strip() for line in (content.truth + content.timeline).splitlines()]
    return content.title, [
        line for line in lines if re.search(r"\w", line) and not _HEADINGS[format].match(line)
    ]


def common_lines(one: str, other: str) -> str:
    """The lines that two texts have in common, in their order."""
    lines, others = one.splitlines(keepends=True), other.splitlines(keepends=True)
    left_out = {place for each in hunks(lines, others) for place in range(each.start, each.stop)}
    return "".join(line for place, line in enumerate(lines) if place not in left_out)


def union_of(path: str, page: Side, copy: Side) -> Melded:
    """A page with what a copy of it says besides: what both have is what they had in common."""
    return meld(common_lines(page.text, copy.text), page, copy, format_of(path))
