"""What is in one directory: of each file that may be a page or raw data, what tells whether it has changed.

This is done to every file before a question is answered. So it makes no object that outlives the loop but one
tuple, and a directory that is as it was is told by a hash of these alone (`Listing.print`).
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterable

from quaid.system import hash_function, listable

_KIND, _REGULAR = 0o170000, 0o100000  # of <sys/stat.h>
_SUFFIXES = (".md", ".org", ".json", ".markdown")  # of pages and of raw data
PRINT = 16  # bytes
Facts = tuple[str, int, int, int]  # name, size, time of the last change in nanoseconds, inode


class Listing:
    """The files of a directory that are looked at, and whatever else is in it."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.files: list[Facts] = []
        self.directories: list[os.DirEntry[str]] = []
        # What is neither a directory nor among the files; some are files that could not be looked at.
        self.strangers: list[os.DirEntry[str]] = []

    @property
    def oddities(self) -> list[os.DirEntry[str]]:
        """Those of them that are no regular files, as far as can be told without a closer look."""
        return [entry for entry in self.strangers if not _is_plain(entry)]

    def print(self, *rules: str) -> bytes:
        """A hash of what was seen of the files, and of the rules by which some of them are left out."""
        blake2b = hash_function("blake2b")
        print_: bytes = blake2b(marshal.dumps((self.files, rules), 2), digest_size=PRINT).digest()
        return print_


def listing_of(directory: str, prefix: str) -> Listing:
    """Look at one directory, which is called `prefix` in its folder; links are not followed."""
    listing = Listing(prefix)
    with listable(directory) as handle, os.scandir(handle) as entries:
        is_all = _take(entries, listing.files)
    if not is_all:  # an entry can be asked by its path later, when the handle is closed
        taken = {name for name, *_ in listing.files}
        with os.scandir(directory) as again:
            for entry in again:
                if entry.name not in taken:
                    (listing.directories if _is_directory(entry) else listing.strangers).append(entry)
    return listing


def _take(entries: Iterable[os.DirEntry[str]], files: list[Facts]) -> bool:
    """Note the files that are looked at; whether there is nothing else."""
    is_all = True
    for entry in entries:
        name = entry.name
        if name[-3:] == ".md" or name.lower().endswith(_SUFFIXES):
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError:
                is_all = False
                continue
            if facts[0] & _KIND == _REGULAR:
                files.append((name, facts[6], facts.st_mtime_ns, facts[1]))
                continue
        is_all = False
    return is_all


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False  # whoever looks closer says why


def _is_plain(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False) and not entry.name.lower().endswith(_SUFFIXES)
    except OSError:
        return False
