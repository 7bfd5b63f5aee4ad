"""Where a page is, and where a link looks for one, as programs compare the names of files.

Capitals and the two ways to write an accent make no difference; everything else does: `C++` is not `C`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from quaid.formats.slugs import PAGE_EXTENSION
from quaid.model.page import Reference, split_target

_ONLY_THERE = re.compile(r"\.{0,2}/")


class Place(NamedTuple):
    """Where a page is: its file, or its slug if it has none."""

    name: str  # compared
    folder: str  # compared; empty at the root
    extension: str  # compared, without dot; empty if the page has no file
    path: str | None  # as it is spelled, without extension, where the page's row says it otherwise
    spelling: int  # a checksum of that
    length: int  # of the whole path


class Address(NamedTuple):
    """What a link looks for. Folders are compared, and end a page's path unless they begin at the root."""

    name: str  # compared
    folder: str | None  # that is written before the name; None if the link means `beside` alone
    beside: str | None  # the folder in which the link looks first: that of a relative path
    extension: str  # compared, without dot; empty if none is written
    spelling: str  # as it is written, without extension

    def fits(self, place: Place) -> bool:
        """Whether the page's file can be meant; a title or alias may be, even if not."""
        whole = f"{self.name}.{self.extension}" if self.extension else self.name
        if place.name != whole and (
            self.name != place.name or place.extension not in ("", self.extension or place.extension)
        ):
            return False
        if place.folder == self.beside:
            return True
        return self.folder is not None and f"/{place.folder}/".endswith(f"/{self.folder}/".replace("//", "/"))

    @property
    def is_end_of_path(self) -> bool:
        """Whether the path of every file that fits, without extension, ends with the spelling."""
        if self.extension:  # which may be a part of the name, see mailbox.org.md
            return False
        return self.beside is None or f"/{self.beside}/{self.name}".endswith(f"/{compared(self.spelling)}")


def compared(text: str) -> str:
    """The key under which two spellings of a file's path are equal."""
    if text.isascii():
        return text.lower()
    # Lower-casing may take a letter apart again, so that the text is composed twice.
    composed = unicodedata.normalize("NFC", text.replace("\u00a0", " ")).lower()
    return unicodedata.normalize("NFC", composed)


def place_of(slug: str, path: str | None) -> Place:
    """The place of a page."""
    given = path or slug
    whole = given if given.isascii() else unicodedata.normalize("NFC", given)
    stem, extension = split_extension(whole) if path else (whole, "")
    folder, _, name = compared(stem).rpartition("/")
    # As Obsidian counts: letters beyond the basic plane are two.
    length = len(whole) if whole.isascii() else len(whole.encode("utf-16-le", "surrogatepass")) // 2
    return Place(name, folder, extension, None if whole == given else stem, checksum(stem), length)


def checksum(path: str) -> int:
    """What tells a spelling of a path from others."""
    return crc32(path.encode("utf-8", "surrogatepass"))


# What two links of a page have in common that lead to the same page, whatever pages there are: the collection
# that they name, and where they look for the page.
Meaning = tuple[str | None, Address]


@lru_cache(maxsize=4096)
def meaning_of(target: str, relative: str) -> Meaning:
    """That of a link with a target, and what was written if it is relative.

    Cached, because links repeat names, and each is asked again and again.
    """
    collection, target = split_target(target)
    target = target.strip()
    written = relative or target
    stem, extension = split_extension(written)
    only_there = is_only_there(written)
    if only_there:
        stem = target if relative else stem.lstrip("./")
    folder, _, name = compared(stem).rpartition("/")
    beside = compared(target).rpartition("/")[0] if relative else folder if only_there else None
    spelling = stem if stem.isascii() else unicodedata.normalize("NFC", stem)
    return collection, Address(name, None if only_there else folder, beside, extension, spelling)


def address_of(reference: Reference) -> Address:
    """Where a link looks for its page."""
    return meaning_of(reference.target, reference.written)[1]


def is_only_there(written: str) -> bool:
    """Whether a link begins with `./`, `../` or `/`, and so means that path and no other."""
    return _ONLY_THERE.match(written) is not None


def split_extension(path: str) -> tuple[str, str]:
    """A path without the extension of a page, and the extension as it is compared."""
    match = PAGE_EXTENSION.search(path)
    return (path[: match.start()], match.group(1).lower()) if match else (path, "")
