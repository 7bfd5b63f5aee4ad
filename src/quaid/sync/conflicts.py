"""What a merge could not decide: a file in `.conflicts` for each, beside the pages and kept in git with them.

Names and bytes follow from what clashed alone, so that two machines which merge the same make the same files.
Whoever settles a conflict changes the page and deletes the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from quaid.errors import InvalidInput, NotFound
from quaid.files import read_own, replace_file
from quaid.formats.meld.clash import Clash
from quaid.model.record import fields_of, record

FOLDER = ".conflicts"
_MOST = 64_000_000  # bytes of a file that is read
_NAME = re.compile(r"[^\w.-]+")
_LONGEST = 60  # characters of a page's name in that of a file


@record
class Conflict:
    """A clash on a page, and the file that says so."""

    id: str  # the name of the file without its ending
    path: str  # of the page, below the root of the repository
    clash: Clash


def conflict(path: str, clash: Clash) -> Conflict:
    """The conflict that a clash on a page is."""
    stem = _NAME.sub("-", path.rpartition("/")[2].rpartition(".")[0] or path).strip("-.")[:_LONGEST]
    return Conflict(f"{stem or 'page'}~{sha256(_bytes(path, clash)).hexdigest()[:8]}", path, clash)


def note_clashes(root: Path, path: str, clashes: Sequence[Clash]) -> tuple[Conflict, ...]:
    """Write the clashes of a page down. What is known already stays as it is."""
    noted = tuple(conflict(path, clash) for clash in clashes)
    if noted:
        folder = _folder(root)
        folder.mkdir(exist_ok=True)
        for each in noted:
            replace_file(folder / f"{each.id}.json", _bytes(path, each.clash))
    return noted


def conflicts(root: Path, path: str | None = None) -> tuple[Conflict, ...]:
    """All conflicts of a repository, or those of one page. What is no conflict is passed over."""
    folder = _folder(root)
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    found = (_read(file) for file in files)
    return tuple(each for each in found if each is not None and path in (None, each.path))


def find_conflict(root: Path, id: str) -> Conflict:
    """The conflict of that id."""
    known = {each.id: each for each in conflicts(root)}
    if id not in known:
        raise NotFound(f"there is no conflict {id!r}", hint="It may be settled: list those that are left.")
    return known[id]


def settled(text: str, clash: Clash, wanted: str) -> str:
    """The page with `wanted` in the place of what the merge has kept; whole lines, or nothing."""
    if wanted == clash.kept:
        return text
    ends = "\r\n" if "\r\n" in text and text.count("\r\n") == text.count("\n") else "\n"
    kept, new = (_lines(each, ends) for each in (clash.kept, wanted))
    whole = text if text.endswith("\n") else text + ends
    places = [found.start() for found in re.finditer(rf"^{re.escape(kept)}", whole, re.MULTILINE)]
    if len(places) != 1:
        raise InvalidInput(
            "the page no longer has what the merge kept" if not places else "the page has those lines twice",
            hint="Edit the page by hand, then settle the conflict as it is: keep ours.",
        )
    start = places[0]
    result = whole[:start] + new + whole[start + len(kept) :]
    return result if text.endswith("\n") else result.removesuffix(ends)


def forget_conflict(root: Path, id: str) -> None:
    """Delete the file of a conflict; the folder goes with the last one."""
    folder = _folder(root)
    (folder / f"{find_conflict(root, id).id}.json").unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def _folder(root: Path) -> Path:
    folder = root / FOLDER
    if folder.is_symlink():
        raise InvalidInput(f"{folder} is a link", hint="Conflicts are kept in a folder of the repository.")
    return folder


def _lines(text: str, ends: str) -> str:
    plain = text.replace("\r\n", "\n")
    return (plain if not plain or plain.endswith("\n") else plain + "\n").replace("\n", ends)


def _bytes(path: str, clash: Clash) -> bytes:
    facts = {"path": path} | {known.name: getattr(clash, known.name) for known in fields_of(Clash)}
    return (json.dumps(facts, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def _read(file: Path) -> Conflict | None:
    try:
        facts: Any = json.loads(read_own(file, _MOST).decode("utf-8", "surrogatepass"))
        values = {known.name: facts[known.name] for known in fields_of(Clash)}
        path = facts["path"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not all(isinstance(value, str) for value in (path, *values.values())):
        return None
    return Conflict(file.stem, path, Clash(**values))
