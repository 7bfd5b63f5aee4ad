"""What is imported: a folder, an archive, or a single file. Paths are relative, with `/`."""

from __future__ import annotations

import os
import posixpath
import shutil
import tempfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from quaid.errors import InvalidInput, NotFound
from quaid.vault import folder
from quaid.vault.folder import Skipped

MAX_MEMBERS = 1_000_000
MAX_BYTES = 4 * 1024**3  # of a file that is cut into pages

_JUNK = ("__MACOSX",)
_PARTS = "Export-"  # Notion puts archives of that name into its archive


class Source(ABC):
    """Files with their sizes, and what was not looked at."""

    def __init__(self, place: Path) -> None:
        self.name = str(place)
        self.files: dict[str, int] = {}
        self.folders: frozenset[str] = frozenset()  # at the top, also those that are left out
        self.skipped: list[Skipped] = []
        self._place = place

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The bytes of a file."""

    def close(self) -> None:  # noqa: B027 - few hold anything open
        """Nothing more is read."""


class FolderSource(Source):
    """A folder."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        seen = folder.walk(place)
        self.files = {path: each.size for path, each in seen.files.items()}
        self.folders = frozenset(name for name in os.listdir(place) if (place / name).is_dir())
        self.skipped = list(seen.skipped)

    def read(self, path: str) -> bytes:
        """The bytes of a file of the folder."""
        return folder.read(self._place, path)


class FileSource(Source):
    """A single file."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.files = {place.name: place.stat().st_size}

    def read(self, path: str) -> bytes:
        """The bytes of the file."""
        return self._place.read_bytes()


class ArchiveSource(Source):
    """A zip archive, and the archives in it into which Notion divides a large export."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self._members: dict[str, tuple[zipfile.ZipFile, zipfile.ZipInfo]] = {}
        self._opened = ExitStack()
        try:
            self._add(self._opened.enter_context(zipfile.ZipFile(place)), "")
        except (zipfile.BadZipFile, zlib.error, RuntimeError) as error:
            self.close()
            raise InvalidInput(
                f"{place} is no archive that can be read: {error}", hint="Unpack it and name the folder."
            ) from None
        self.folders = frozenset(path.split("/")[0] for path in self._members if "/" in path)
        for path in self._members:
            if any(folder.is_hidden(part) or part in _JUNK for part in path.split("/")[:-1]):
                del self.files[path]

    def read(self, path: str) -> bytes:
        """The bytes of a member, however large its entry says that it is."""
        archive, member = self._members[path]
        try:
            with archive.open(member) as file:
                data = file.read(member.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
            raise OSError(0, f"damaged or encrypted ({error})") from None
        if len(data) != member.file_size:
            raise OSError(0, "not as long as the archive says")
        return data

    def close(self) -> None:
        """Close the archive, and those in it."""
        self._opened.close()

    def _add(self, archive: zipfile.ZipFile, label: str) -> None:
        for member in archive.infolist():
            path = member.filename
            if member.is_dir():
                continue
            if len(self._members) >= MAX_MEMBERS:
                raise InvalidInput(f"{self.name} holds more than {MAX_MEMBERS:,} files")
            if not _is_confined(path) or path in self._members:
                reason = "it is there twice" if path in self._members else "its name leads out of the archive"
                self.skipped.append(Skipped(label + path, reason))
            elif not label and path.lower().endswith(".zip") and posixpath.basename(path).startswith(_PARTS):
                place = self._opened.enter_context(_inner_archive(archive, member))
                self._add(self._opened.enter_context(zipfile.ZipFile(place)), path + "/")
            else:
                self._members[path] = (archive, member)
                self.files[path] = member.file_size


def open_source(place: Path) -> Source:
    """The folder, archive or file at a place."""
    if place.is_dir():
        return FolderSource(place)
    if not place.is_file():
        raise NotFound(f"there is nothing at {place}", hint="Name a folder, a .zip archive or a file.")
    return ArchiveSource(place) if zipfile.is_zipfile(place) else FileSource(place)


def _is_confined(path: str) -> bool:
    parts = path.split("/")
    return "\0" not in path and "\\" not in path and not any(part in ("", ".", "..") for part in parts)


def _inner_archive(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """An archive within an archive, where its members can be reached in any order."""
    place = tempfile.TemporaryFile()  # noqa: SIM115 (the archive needs it as long as it is read)
    with archive.open(member) as file:
        shutil.copyfileobj(file, place)
    return place
