"""Skills: where they come from, which one of a name is used, and copies of the embedded ones.

A skill of a name is looked for in the program, in the person's folder and in the working directory; the last
one that is valid counts. What lies in a directory may be a stranger's, and is not used unless the person
accepted that directory. A folder that took copies has a marker, which says what was written: so an edited
copy is told from one that may be brought up to date.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from quaid.agents.skills.marker import Copy, copies_in, folder_lock, mark
from quaid.agents.skills.skill import MAX_NAME, NAME, SKILL_FILE, Contents, hash_of, read_skill
from quaid.errors import InvalidInput, NotFound
from quaid.files import make_private_directory, replace_file, sync_directory, write_errors
from quaid.model import spelling
from quaid.model.record import fill, record
from quaid.trust import Trust, stranger_among

Origin: TypeAlias = Literal["embedded", "user", "directory"]
State: TypeAlias = Literal[
    "embedded", "own", "unchanged", "older", "edited", "edited-older", "different", "untrusted"
]
Did: TypeAlias = Literal["written", "updated", "unchanged", "kept", "removed"]

EMBEDDED = Path(__file__).parents[2] / "skills"
_SCRATCH = ".quaid-"


@record
class Place:
    """A folder of skills."""

    origin: Origin
    path: Path
    trusted: bool = True


@record
class Skill:
    """A skill that is used, and the origins of those that it hides."""

    name: str
    origin: Origin
    path: Path
    overrides: tuple[Origin, ...]
    contents: Contents


@record
class Candidate:
    """A skill that was found, whether it is valid and used or not."""

    name: str
    origin: Origin
    path: Path
    contents: Contents
    active: bool
    state: State


@record
class Installed:
    """What became of a copy."""

    name: str
    path: Path
    did: Did


def places(home: Path, here: Path) -> tuple[Place, ...]:
    """Where skills are looked for; of two of a name, the last one counts."""
    user, directory = home / ".quaid" / "skills", here / "skills"
    found = [Place("embedded", EMBEDDED), Place("user", user)]
    if os.path.realpath(directory) not in (os.path.realpath(EMBEDDED), os.path.realpath(user)):
        known = Trust(home).accepts(here) and stranger_among([directory]) is None
        found.append(Place("directory", directory, known and not directory.is_symlink()))
    return tuple(found)


def embedded_names() -> tuple[str, ...]:
    """The skills that come with the program."""
    return tuple(sorted(folder.name for folder in EMBEDDED.iterdir() if folder.is_dir()))


def candidates(where: Sequence[Place]) -> tuple[Candidate, ...]:
    """All skills that there are, by name, those of one name in the order in which they count."""
    found: list[tuple[str, Place, Contents, State]] = []
    for place in where:
        copies = copies_in(place.path) if place.origin != "embedded" else {}
        for folder in _folders(place):
            contents = read_skill(folder)
            state = _state(folder.name, place.origin, contents, copies) if place.trusted else "untrusted"
            found.append((folder.name, place, contents, state))
    used = {name: place for name, place, contents, _ in found if place.trusted and not contents.findings}
    return tuple(
        Candidate(name, place.origin, place.path / name, contents, used.get(name) is place, state)
        for name, place, contents, state in sorted(found, key=lambda each: each[0])
    )


def active(found: Sequence[Candidate]) -> tuple[Skill, ...]:
    """The skills that are used among those that were found."""
    used = []
    for _, group in groupby(found, key=lambda each: each.name):
        valid = [each for each in group if each.state != "untrusted" and not each.contents.findings]
        if valid:
            used.append(fill(Skill, valid[-1], overrides=tuple(each.origin for each in valid[:-1])))
    return tuple(used)


def skill(where: Sequence[Place], name: str) -> Skill:
    """The skill of that name."""
    known = {each.name: each for each in active(candidates(where))}
    if name not in known:
        hint = spelling.hint(name, known, "`quaid skills list` shows them.")
        raise NotFound(f"no skill {name!r}", hint=hint)
    return known[name]


def text_of(chosen: Skill, reference: str | None = None) -> str:
    """A skill's text, or that of a file beside it."""
    path = SKILL_FILE if reference is None else reference.removeprefix("./")
    files = chosen.contents.files
    if path not in files and f"references/{path}" in files:
        path = f"references/{path}"
    if path not in files:
        has = ", ".join(chosen.contents.references)
        raise NotFound(
            f"the skill {chosen.name} has no file {path!r}",
            hint=f"It has: {has}." if has else "It has SKILL.md alone.",
        )
    try:
        return files[path].decode()
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} of {chosen.name} is not text", hint=f"It is in {chosen.path}.") from None


def install(
    target: Path, names: Sequence[str] | None = None, prefix: str = "", force: bool = False
) -> tuple[Installed, ...]:
    """Copy embedded skills into a folder, each at once.

    Copies that nobody edited are brought up to date; edited ones are kept unless forced. A prefix goes before
    the folder's and the skill's name, for folders that skills of other programs share.
    """
    chosen = _skill_names(names, prefix)
    with write_errors(target, "folder"):
        make_private_directory(target)
        with folder_lock(target):
            _tidy(target)
            copies = dict(copies_in(target))
            done = []
            for name in chosen:
                wanted = _skill_files(name, prefix)
                copied = prefix + name
                did = _step_for(target / copied, copies.get(copied), wanted, force)
                if did in ("written", "updated"):
                    _replace_folder(target / copied, wanted)
                if did != "kept":
                    copies[copied] = Copy(name, hash_of(wanted))
                done.append(Installed(copied, target / copied, did))
            mark(target, copies)
    return tuple(done)


def uninstall(target: Path, prefix: str = "") -> tuple[Installed, ...]:
    """Remove the copies with that prefix, but for those that were edited."""
    if not target.is_dir():
        return ()
    with write_errors(target, "folder"), folder_lock(target):
        _tidy(target)
        copies = dict(copies_in(target))
        own = {copied for copied, copy in copies.items() if copied == prefix + copy.skill}
        done = []
        for copied in sorted(own | {prefix + name for name in embedded_names()}):
            folder = target / copied
            if not os.path.lexists(folder):
                copies.pop(copied, None)
                continue
            removed = _is_as_written(folder, copied, copies, prefix)
            if removed:
                copies.pop(copied, None)
                away = _scratch(target)
                folder.rename(away)  # at once: half a skill would look like an edited one
                _remove(away)
            done.append(Installed(copied, folder, "removed" if removed else "kept"))
        mark(target, copies)
    if not any(target.iterdir()):
        target.rmdir()
    return tuple(done)


def _folders(place: Place) -> list[Path]:
    """The folders of skills in a place; others that happen to be there are none."""
    try:
        links = place.origin == "user"  # a person may keep theirs elsewhere
        found = sorted(entry.name for entry in os.scandir(place.path) if entry.is_dir(follow_symlinks=links))
    except OSError:  # most often there is none
        return []
    ours = embedded_names()
    return [
        place.path / name
        for name in found
        if name in ours or (name[0] not in "._" and os.path.lexists(place.path / name / SKILL_FILE))
    ]


def _state(name: str, origin: Origin, contents: Contents, copies: Mapping[str, Copy]) -> State:
    """What a skill is to the embedded one of its name."""
    if origin == "embedded":
        return "embedded"
    copy = copies.get(name)
    source = copy.skill if copy else name
    if source not in embedded_names():
        return "own"
    today = hash_of(_skill_files(source, name.removesuffix(source)))
    if contents.hash == today:
        return "unchanged"
    if copy is None:
        return "different"
    if contents.hash == copy.hash:
        return "older"
    return "edited" if copy.hash == today else "edited-older"


def _skill_names(names: Sequence[str] | None, prefix: str) -> list[str]:
    known = embedded_names()
    chosen = list(dict.fromkeys(names or known))
    for name in chosen:
        if name not in known:
            raise NotFound(f"no embedded skill {name!r}", hint=f"There are: {', '.join(known)}.")
        if not NAME.fullmatch(prefix + name) or len(prefix + name) > MAX_NAME:
            raise InvalidInput(
                f"{prefix!r} cannot stand before the name of a skill",
                hint="Use small letters, digits and single hyphens, such as quaid-.",
            )
    return chosen


def _skill_files(name: str, prefix: str) -> dict[str, bytes]:
    """The files of an embedded skill, under its new name."""
    files = dict(read_skill(EMBEDDED / name).files)
    stated = f"\nname: {name}\n".encode()
    files[SKILL_FILE] = files[SKILL_FILE].replace(stated, f"\nname: {prefix}{name}\n".encode(), 1)
    return files


def _step_for(folder: Path, copy: Copy | None, wanted: Mapping[str, bytes], force: bool) -> Did:
    if not os.path.lexists(folder):
        return "written"
    there = read_skill(folder) if folder.is_dir() else None
    if there and not there.findings and there.hash == hash_of(wanted):
        return "unchanged"
    unedited = there and copy and there.hash == copy.hash
    return "updated" if force or unedited else "kept"


def _is_as_written(folder: Path, copied: str, copies: Mapping[str, Copy], prefix: str) -> bool:
    if not folder.is_dir() or folder.is_symlink():
        return False
    known = {copies[copied].hash} if copied in copies else set()
    name = copied.removeprefix(prefix)
    if name in embedded_names():
        known.add(hash_of(_skill_files(name, prefix)))
    return read_skill(folder).hash in known and not any(_hidden_files(folder))


def _replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Give a folder other files. Whoever is killed in between leaves the old ones, the new ones or none."""
    ready = _scratch(folder.parent)
    make_private_directory(ready)
    try:
        for path, data in files.items():
            replace_file(ready / path, data)
        if os.path.lexists(folder):
            _exchange(folder, ready)
        else:
            ready.rename(folder)
    except BaseException:
        shutil.rmtree(ready, ignore_errors=True)
        raise
    sync_directory(folder.parent)


def _exchange(folder: Path, ready: Path) -> None:
    before = _scratch(folder.parent)
    folder.rename(before)
    try:
        ready.rename(folder)
    except BaseException:
        before.rename(folder)
        raise
    if before.is_dir() and not before.is_symlink():
        for hidden in list(_hidden_files(before)):  # not ours: what an editor or git keeps there
            hidden.rename(folder / hidden.name)
    _remove(before)


def _scratch(target: Path) -> Path:
    return target / f"{_SCRATCH}{os.urandom(6).hex()}.tmp"


def _hidden_files(folder: Path) -> Iterator[Path]:
    return (each for each in folder.iterdir() if each.name.startswith("."))


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _tidy(target: Path) -> None:
    """Remove what a run that was killed left behind."""
    for left in target.glob(f"{_SCRATCH}*.tmp"):
        _remove(left)
