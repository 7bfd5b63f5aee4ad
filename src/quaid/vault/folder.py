"""A folder of files as a collection sees it: which files there are, and which of them are pages.

Paths are relative to the folder, with `/`, as text. A name that is no UTF-8 is written with characters of
the private area for its odd bytes, so that it can be stored and found again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from quaid.errors import InvalidInput, StorageFailed
from quaid.files import read_own
from quaid.model.record import record
from quaid.store.collections import CollectionRow
from quaid.vault import patterns as leaving_out
from quaid.vault.listing import Listing, listing_of
from quaid.vault.patterns import DOUBTFUL, NoNodes, Patterns, Rules

IGNORED = (".git", ".obsidian", ".trash", "node_modules", ".quaid")
IGNORE_FILE = ".quaidignore"
RAW = leaving_out.RAW
PAGE_SUFFIXES = (".md", ".markdown", ".org")
# What is left out of every folder, as patterns, so that others can take it back: `!.notes/`.
USUAL = (*(f"{name}/" for name in IGNORED), ".?*/", f"!{RAW}/")
SCRATCH = ".quaid-"  # how the names of files begin that are about to take a page's place
MAX_BYTES = 32 * 1024 * 1024
# What is no page in a folder of that profile: of a knowledge base its index, sources, and what explains it.
LEFT_OUT = {"kb": ("/README.org", "/AGENT_CONTRACT.org", "index*.org", "raw/", ".?*", "!.raw/", "*.md")}
_ODD, _SHOWN_ODD = 0xDC80, 0xF780
_TO_SHOWN = {_ODD + n: _SHOWN_ODD + n for n in range(128)}
_TO_ODD = {_SHOWN_ODD + n: _ODD + n for n in range(128)}


class Seen(NamedTuple):
    """A file, by what tells cheaply whether it has changed. There are many: a tuple is quickly made."""

    path: str
    size: int
    mtime_ns: int
    inode: int


@record
class Skipped:
    """A file or directory that was not looked at, and why."""

    path: str
    reason: str


@record
class Walk:
    """What is in a folder: files, what was not looked at, what patterns leave out."""

    files: dict[str, Seen]
    skipped: tuple[Skipped, ...]
    ignored: tuple[str, ...]

    def may_hold(self, path: str) -> bool:
        """Whether a file may be there although it was not seen."""
        return any(path == each.path or path.startswith(each.path + "/") for each in self.skipped)


def is_page(path: str) -> bool:
    """Whether a file of that name is a page."""
    return path.lower().endswith(PAGE_SUFFIXES) and f"/{RAW}/" not in f"/{path}"


def is_hidden(name: str) -> bool:
    """Whether a directory of that name is left out unless somebody names it: those of programs."""
    return name in IGNORED or (name.startswith(".") and name != RAW)


def is_sidecar(path: str) -> bool:
    """Whether a file of that name holds a page's raw data."""
    return path.endswith(".json") and f"/{path}".rsplit("/", 2)[1] == RAW


def sidecar_of(path: str) -> str:
    """Where the raw data of a page's file is: `.raw/alice.json` for `alice.md`, else with the suffix in it.

    No two files share one.
    """
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    kept = name if stem.lower().endswith(PAGE_SUFFIXES) else stem
    return f"{folder}/{RAW}/{kept}.json" if folder else f"{RAW}/{kept}.json"


def page_stem(sidecar: str) -> str:
    """The path, without the suffix `.md`, of the page to which a file of raw data belongs."""
    folder, _, name = sidecar.rpartition("/")
    above = folder[: -len(RAW)]
    return above + name[: -len(".json")]


def owner_of(sidecar: str) -> str:
    """The path of the page to which a file of raw data belongs."""
    stem = page_stem(sidecar)
    return stem if is_page(stem) else f"{stem}.md"


def left_out_of(row: CollectionRow) -> tuple[str, ...]:
    """The patterns of what a collection leaves out: those of its profile, then its own."""
    return (*LEFT_OUT.get(row.profile, ()), *row.settings.get("ignore", ()))


def walk(root: Path, patterns: Sequence[str] = ()) -> Walk:
    """Look at all files of a folder; links are not followed."""
    return Round(root, patterns).walk()


class Round:
    """One look at all directories of a folder. What follows from it is found out when it is asked for."""

    def __init__(self, root: Path, patterns: Sequence[str] = ()) -> None:
        self._walker = _Walker(patterns)
        try:
            self._listings = self._walker.listings(os.fspath(root), "", ())
        except OSError as error:
            raise StorageFailed(
                f"{root} cannot be read: {error.strerror}", hint="Is the disk or the share mounted?"
            ) from None

    def __len__(self) -> int:
        """How many files were looked at."""
        return sum(len(listing.files) for listing, _ in self._listings)

    def prints(self) -> dict[str, bytes]:
        """Each directory with a hash: the same as long as its files are, and what is left out of them."""
        return {
            listing.prefix: listing.print(*(each.text for each in rules)) for listing, rules in self._listings
        }

    def walk(self, only: Collection[str] | None = None) -> Walk:
        """What there is: all of it, or the files of some directories, and whatever is amiss elsewhere too."""
        found = self._walker.copy()
        for listing, rules in self._listings:
            if only is None or listing.prefix in only:
                found.take(listing, rules)
            else:
                found.take_odd(listing, rules)
        return Walk(found.files, tuple(found.skipped), tuple(found.ignored))


def glance(root: Path, paths: Iterable[str], patterns: Sequence[str] = ()) -> Walk:
    """Look at some files and directories of a folder as `walk` would, and at nothing else."""
    found = _Walker(patterns)
    for path in sorted(set(paths)):
        found.reach(os.fspath(root), path)
    return Walk(found.files, tuple(found.skipped), tuple(found.ignored))


def leaves_out(root: Path, path: str, patterns: Sequence[str] = ()) -> bool:
    """Whether a file of that path would be ignored, be it there or not."""
    found = _Walker(patterns)
    rules: tuple[Patterns, ...] = ()
    directory, prefix = os.fspath(root), ""
    parts = path.split("/")
    for place, name in enumerate(parts):
        rules = (*found.rules(prefix, _ignore_file(directory)), *rules)
        if _is_ignored(name, prefix + name, place < len(parts) - 1, rules):
            return True
        directory, prefix = os.path.join(directory, name.translate(_TO_ODD)), f"{prefix}{name}/"
    return False


def is_pattern(text: str) -> bool:
    """Whether a text can be a pattern of files that are left out."""
    try:
        Rules("", [text])
    except ValueError:
        return False
    return True


def real(root: Path, path: str) -> Path:
    """Where a path of a folder is, refusing what would lead out of it, also through links."""
    parts = path.translate(_TO_ODD).split("/")
    if not path or "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise InvalidInput(f"{path!r} is not a path within the folder")
    above = os.path.join(os.path.realpath(root), *parts[:-1])
    if os.path.realpath(os.path.join(root, *parts[:-1])) != above:
        raise InvalidInput(
            f"{path} leads out of the folder through a symbolic link",
            hint="Attach the folder that is meant with `quaid collection add`.",
        )
    return root.joinpath(*parts)


def stored(path: str) -> str:
    """A path of the file system as it is stored."""
    return path if path.isascii() else path.translate(_TO_SHOWN)


def spelt(path: str) -> str:
    """A path as the file system has it."""
    return path if path.isascii() else path.translate(_TO_ODD)


def look(root: Path, path: str) -> Seen | None:
    """One file as `walk` would show it; None where there is no regular file."""
    place = found(root, path)
    return look_at(place, path) if place else None


def found(root: Path, path: str) -> Path | None:
    """Where something of a folder is; None where there is nothing, or what would lead out of it."""
    if not os.path.lexists(os.path.join(root, spelt(path))):
        return None
    try:
        return real(root, path)
    except InvalidInput:
        return None


def look_at(place: Path | str, path: str) -> Seen | None:
    """The same, of a file that is at a place."""
    try:
        facts = os.lstat(place)
    except OSError:
        return None
    if not stat.S_ISREG(facts.st_mode):
        return None
    return Seen(path, facts.st_size, facts.st_mtime_ns, facts.st_ino)


def read(root: Path, path: str) -> bytes:
    """The bytes of a file; a link or a device in its place is not followed."""
    return read_own(real(root, path))


class _Walker:
    def __init__(self, patterns: Sequence[str]) -> None:
        self.files: dict[str, Seen] = {}
        self.skipped: list[Skipped] = []
        self.ignored: list[str] = []
        self._patterns = patterns
        self._listed: dict[str, tuple[dict[str, os.DirEntry[str]], tuple[Patterns, ...]]] = {}

    def copy(self) -> _Walker:
        """Another one, which goes on from what was noted about directories."""
        other = _Walker(self._patterns)
        other.skipped, other.ignored = [*self.skipped], [*self.ignored]
        return other

    def listings(
        self, directory: str, prefix: str, rules: tuple[Patterns, ...]
    ) -> list[tuple[Listing, tuple[Patterns, ...]]]:
        """A directory and all below it; only an error of the first one is raised."""
        found: list[tuple[Listing, tuple[Patterns, ...]]] = []
        pending = [(directory, prefix, rules)]
        while pending:
            directory, prefix, rules = pending.pop()
            try:
                listing = listing_of(directory, prefix)
            except OSError as error:
                if not prefix:
                    raise
                self.skipped.append(Skipped(prefix[:-1], f"cannot be read: {error.strerror}"))
                continue
            own = [each for each in listing.strangers if each.name == IGNORE_FILE]
            rules = (*self.rules(prefix, _ignore_file(directory) if own else None), *rules)
            if listing.directories:
                pending += self._directories(listing.directories, prefix, rules)
            found.append((listing, rules))
        return found

    def take(self, listing: Listing, rules: tuple[Patterns, ...]) -> None:
        """Note the files of a directory."""
        nodes = len(rules) == 1 and isinstance(rules[0], NoNodes)
        for name, size, mtime_ns, inode in listing.files:
            path = listing.prefix + name
            if not path.isascii():
                path = self._stored(path)
                if not path:
                    continue
            is_node = nodes and name[-4:] == ".org" and name[0] not in DOUBTFUL
            if not is_node and (rules or name.startswith(SCRATCH)) and _is_ignored(name, path, False, rules):
                self.ignored.append(path)
            else:
                self.files[path] = Seen(path, size, mtime_ns, inode)
        if listing.strangers:
            self._directories(listing.strangers, listing.prefix, rules)

    def take_odd(self, listing: Listing, rules: tuple[Patterns, ...]) -> None:
        """Note what is amiss in a directory."""
        self._directories(listing.oddities, listing.prefix, rules)

    def reach(self, root: str, path: str) -> None:
        """Look at one path, unless a directory above it is ignored or a link."""
        rules: tuple[Patterns, ...] = ()
        directory, prefix = root, ""
        parts = path.translate(_TO_ODD).split("/")
        for place, name in enumerate(parts):
            if prefix not in self._listed:
                try:
                    with os.scandir(directory) as listed:
                        entries = {each.name: each for each in listed}
                except OSError:
                    return
                own = _ignore_file(directory) if IGNORE_FILE in entries else None
                self._listed[prefix] = entries, (*self.rules(prefix, own), *rules)
            entries, rules = self._listed[prefix]
            below = self._directories([entries[name]] if name in entries else [], prefix, rules)
            if not below:
                return
            directory, prefix, _ = below[0]
            if place == len(parts) - 1:
                for listing, within in self.listings(directory, prefix, rules):
                    self.take(listing, within)

    def _directories(
        self, entries: Iterable[os.DirEntry[str]], prefix: str, rules: tuple[Patterns, ...]
    ) -> list[tuple[str, str, tuple[Patterns, ...]]]:
        """Note the files among the entries, and give the directories that are to be entered."""
        found: list[tuple[str, str, tuple[Patterns, ...]]] = []
        for entry in entries:
            name = entry.name
            path = prefix + name
            if not path.isascii():
                path = self._stored(path)
                if not path:
                    continue
            try:
                is_directory = entry.is_dir(follow_symlinks=False)
                if (rules or is_directory or name.startswith(SCRATCH)) and _is_ignored(
                    name, path, is_directory, rules
                ):
                    self.ignored.append(path)
                elif is_directory:
                    found.append((entry.path, path + "/", rules))
                else:
                    self._file(entry, path)
            except OSError as error:
                self.skipped.append(Skipped(path, f"cannot be read: {error.strerror}"))
        return found

    def _file(self, entry: os.DirEntry[str], path: str) -> None:
        facts = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(facts.st_mode):
            self.files[path] = Seen(path, facts.st_size, facts.st_mtime_ns, facts.st_ino)
        elif stat.S_ISLNK(facts.st_mode):
            self.skipped.append(Skipped(path, "a symbolic link, which is not followed"))
        else:
            self.skipped.append(Skipped(path, "not a regular file"))

    def _stored(self, path: str) -> str:
        """A path as it is stored; nothing for one that could not be found again."""
        if any(ord(character) in _TO_ODD for character in path):
            self.skipped.append(Skipped(path, "a name with characters of the private area"))
            return ""
        return path.translate(_TO_SHOWN)

    def rules(self, prefix: str, own: str | None) -> list[Patterns]:
        """What the patterns in a directory, and in its own file, say; the nearest has the first word."""
        stated = () if prefix else self._patterns
        nodes = LEFT_OUT["kb"]
        is_kb = tuple(stated[: len(nodes)]) == nodes
        lines = [each for each in (stated[len(nodes) :] if is_kb else stated) if is_pattern(each)]
        if own:
            lines += self._lines(own, prefix + IGNORE_FILE)
        found: list[Patterns] = [Rules(prefix, lines if prefix else [*USUAL, *lines])] if lines else []
        return [*found, NoNodes()] if is_kb else found

    def _lines(self, place: str, path: str) -> list[str]:
        try:
            lines = read_own(Path(place)).decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
        except OSError as error:
            self.skipped.append(Skipped(path, f"cannot be read: {error.strerror}"))
            return []
        odd = [line for line in lines if not is_pattern(line)]
        if odd:
            self.skipped.append(Skipped(path, f"not a pattern: {odd[0]}"))
        return [line for line in lines if line not in odd]


def _ignore_file(directory: str) -> str | None:
    """The file with the patterns of a directory, where it has one."""
    place = os.path.join(directory, IGNORE_FILE)
    try:
        return place if stat.S_ISREG(os.lstat(place).st_mode) else None
    except OSError:
        return None  # a directory that is not there (yet) has no patterns of its own


def _is_ignored(name: str, path: str, is_directory: bool, rules: tuple[Patterns, ...]) -> bool:
    if name.startswith(SCRATCH):
        return True
    for each in rules:
        said = each.ignores(path + "/" if is_directory else path)
        if said is not None:
            return said
    return is_directory and is_hidden(name)
