"""One skill: a folder with a SKILL.md, which may be anybody's and hold anything."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from quaid.formats.markdown import frontmatter
from quaid.model.record import record

SKILL_FILE = "SKILL.md"
MAX_NAME = 64
MAX_DESCRIPTION = 1_024
MAX_BYTES = 1_000_000
MAX_FILES = 200
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_IGNORED = frozenset(("__pycache__", "Thumbs.db"))
_SENTENCE = re.compile(r"(.+?[.!?])(?:\s|$)", re.DOTALL)


@record
class Finding:
    """What is wrong with a skill, and what to do."""

    message: str
    hint: str


@record
class Contents:
    """What a folder holds: its files by their paths, what its frontmatter says, and what is wrong."""

    files: Mapping[str, bytes]
    description: str
    findings: tuple[Finding, ...]

    @property
    def hash(self) -> str:
        """The SHA-256 of what `sha256sum` prints of its files, sorted by path; empty without files."""
        return hash_of(self.files) if self.files else ""

    @property
    def references(self) -> tuple[str, ...]:
        """The files besides SKILL.md."""
        return tuple(path for path in self.files if path != SKILL_FILE)


def read_skill(folder: Path) -> Contents:
    """A skill as it is on the disk. Whatever is wrong with it is a finding, never an error."""
    findings: list[Finding] = []
    files: dict[str, bytes] = {}
    try:
        for path, place in _places(folder, findings):
            data = _data(path, place, findings)
            if data is not None:
                files[path] = data
    except OSError as error:
        findings.append(_unreadable(folder.name, error))
    if sum(map(len, files.values())) > MAX_BYTES:
        findings.append(Finding(f"the skill has more than {MAX_BYTES:,} bytes", "Keep data elsewhere."))
    description = _description(folder.name, files, findings)
    return Contents(files, description, tuple(findings))


def hash_of(files: Mapping[str, bytes]) -> str:
    """One hash of several files, which a person can make with sha256sum."""
    lines = (f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def first_sentence(description: str) -> str:
    """The start of a description, on one line."""
    found = _SENTENCE.match(description.strip())
    return " ".join((found.group(1) if found else description).split())


def _places(folder: Path, findings: list[Finding]) -> Iterator[tuple[str, Path]]:
    """The files that belong to a skill, with their paths in it; none that leads out of its folder."""
    root = os.path.realpath(folder)
    waiting = [folder]
    count = 0
    while waiting:
        for entry in sorted(os.scandir(waiting.pop()), key=lambda each: each.name):
            if entry.name.startswith(".") or entry.name in _IGNORED:
                continue
            place = Path(entry.path)
            path = place.relative_to(folder).as_posix()
            if entry.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(root):
                findings.append(Finding(f"{path} leads out of the folder", "Put a copy in its place."))
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(place)
            elif place.is_file():  # unlike the entry's own, this is no error where links go round
                count += 1
                if count > MAX_FILES:
                    findings.append(
                        Finding(f"the skill has more than {MAX_FILES} files", "Keep data elsewhere.")
                    )
                    return
                yield path, place


def _data(path: str, place: Path, findings: list[Finding]) -> bytes | None:
    try:
        # Not blocking, should the file have become a pipe since it was looked at.
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        findings.append(_unreadable(path, error))
        return None
    if len(data) > MAX_BYTES:
        findings.append(Finding(f"{path} has more than {MAX_BYTES:,} bytes", "Keep data elsewhere."))
        return None
    if path.endswith(".md") and not _is_text(data):
        findings.append(Finding(f"{path} is not UTF-8", "Save it as UTF-8."))
    return data


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _unreadable(path: str, error: OSError) -> Finding:
    return Finding(f"{path} cannot be read: {error.strerror}", "Check its permissions.")


def _description(name: str, files: Mapping[str, bytes], findings: list[Finding]) -> str:
    """What the frontmatter says the skill is for; everything that is wrong with it is noted."""
    data = files.get(SKILL_FILE)
    if data is None:
        if not findings:
            findings.append(Finding(f"there is no {SKILL_FILE}", f"Add one, or remove the folder {name}."))
        return ""
    head, _ = frontmatter.split(data.decode("utf-8", "replace"))
    if not head:
        hint = "Begin with a line ---, then name and description, then a line ---."
        findings.append(Finding(f"{SKILL_FILE} has no frontmatter", hint))
        return ""
    values, problems = frontmatter.read(head)
    findings.extend(
        Finding(f"{SKILL_FILE}, line {each.line}: {each.message}", "Edit the line.") for each in problems
    )
    findings.extend(_name_findings(name, values.get("name")))
    description = values.get("description")
    if not isinstance(description, str) or not description.strip():
        findings.append(Finding("it has no description", "Say what it is for, and when to use it."))
        return ""
    if len(description) > MAX_DESCRIPTION:
        said = f"its description has {len(description):,} characters"
        findings.append(Finding(said, f"{MAX_DESCRIPTION:,} are allowed."))
    return description


def _name_findings(name: str, stated: object) -> Iterator[Finding]:
    if not isinstance(stated, str) or not stated:
        yield Finding("it has no name", f"Write name: {name} into its frontmatter.")
    elif stated != name:
        said = f"its name is {stated[:MAX_NAME]!r}, but its folder is {name!r}"
        yield Finding(said, "Give both the same name.")
    if len(name) > MAX_NAME or not NAME.fullmatch(name):
        said = f"{name[: MAX_NAME + 1]!r} cannot be the name of a skill"
        yield Finding(said, f"Use at most {MAX_NAME} small letters, digits and single hyphens.")
