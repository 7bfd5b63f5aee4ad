"""What is to be done so that the rows of a folder say what its files say: a diff of two lists, without I/O.

A page is the same page when its file has the same id in its frontmatter, or the same content, wherever it is
now, as long as there is one such page and one such file, and nothing but another page is where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from quaid.model.record import record
from quaid.store.file_state import FileState
from quaid.vault.folder import Seen, Walk, is_page, is_sidecar, sidecar_of

FINE_GRAIN = 20_000_000  # nanoseconds within which two changes of a file may have the same time
COARSE_GRAIN = 2_000_000_000  # the same, where times have no fractions

Key = TypeVar("Key")


class Print(NamedTuple):
    """What identifies a file's page: the hash of its bytes, and the id that its author gave it."""

    hash: str
    uuid: str | None = None


@record
class Action:
    """One thing to do about one file."""

    path: str


@record
class Look(Action):
    """Read a file that is new or may have changed."""


@record
class LookAtRaw(Action):
    """Read the raw data beside a page's file."""


@record
class Move(Action):
    """A page's file, which held something of that hash, has moved here from `old`."""

    old: str
    page_id: int
    hash: str


@record
class Remove(Action):
    """A page's file is gone; another page's file may have taken its place."""

    replaced: bool = False


@record
class Survey:
    """A folder as it was seen, what was known of it, and where pages' files differ."""

    walk: Walk
    known: Mapping[str, FileState]
    fresh: tuple[str, ...]  # new, or may have changed
    missing: tuple[str, ...]  # not there any more

    @property
    def is_settled(self) -> bool:
        """Whether there is surely nothing to do."""
        return not self.fresh and not self.missing and not _raw_actions(self.walk.files, self.known, ())


def survey(walk: Walk, known: Mapping[str, FileState]) -> Survey:
    """Compare what is there with what was known; what may be there although it was not seen is left alone."""
    files = walk.files
    if walk.skipped:
        known = {path: state for path, state in known.items() if path in files or not walk.may_hold(path)}
    fresh = (
        path
        for path, seen in files.items()
        if (path not in known or is_other(seen[1:4], known[path][1:5])) and is_page(path)
    )
    missing = (path for path in known if path not in files and is_page(path))
    return Survey(walk, known, tuple(fresh), tuple(missing))


def may_differ(seen: Seen, state: FileState) -> bool:
    """Whether a file may hold something else than when it was read.

    One that was written just before it was read may have been written again at the same time.
    """
    return is_other(seen[1:4], state[1:5])


def is_other(facts: tuple[int, int, int], mark: tuple[int, int, int, int]) -> bool:
    """The same, of a file's size, time and inode, and of these with the time when it was read."""
    if facts != mark[:3]:
        return True
    grain = FINE_GRAIN if mark[1] % 1_000_000 else COARSE_GRAIN
    return mark[1] + grain > mark[3]


def plan(found: Survey, prints: Mapping[str, Print]) -> tuple[Action, ...]:
    """The actions, in the order in which they are to be run.

    `prints` are those of the fresh files; without them, no move is recognised.
    """
    files, known, fresh, missing = found.walk.files, found.known, found.fresh, found.missing
    touched = {
        path for path in fresh if path in known and path in prints and prints[path].hash == known[path].hash
    }
    homes = [path for path in fresh if path not in touched]  # where a lost page may be now
    lost = [*missing, *(path for path in homes if path in known)]
    homecomings = _new_homes(lost, homes, known, prints) if {*lost} != {*homes} or len(homes) > 1 else {}
    moves = {new: old for new, old in homecomings.items() if new != old}
    found_again = set(homecomings.values())
    gone = [path for path in lost if path not in found_again and (path not in files or path in moves)]
    actions: list[Action] = [Remove(path, path in moves) for path in sorted(gone)]
    actions += [Move(new, old, known[old].page_id, known[old].hash) for new, old in sorted(moves.items())]
    actions += [Look(path) for path in sorted(fresh) if path not in moves]
    return (
        *actions,
        *_raw_actions(files, known, {path for path in fresh if path not in known} | moves.keys()),
    )


def _new_homes(
    lost: list[str], homes: list[str], known: Mapping[str, FileState], prints: Mapping[str, Print]
) -> dict[str, str]:
    """Where lost pages are now: the path of the file that is surely theirs, and the path that they had."""
    found: dict[str, str] = {}
    sure: frozenset[str] = frozenset()
    by_uuid = (lambda path: known[path].uuid, lambda path: prints[path].uuid)
    by_hash = (lambda path: known[path].hash if known[path].size else "", lambda path: prints[path].hash)
    for old_key, new_key in (by_uuid, by_hash):
        placed, sure = set(found.values()), frozenset(found)
        olds = _unique((path for path in lost if path not in placed), old_key)
        news = _unique((path for path in homes if path in prints and path not in found), new_key)
        found |= {new: olds[key] for key, new in news.items() if key in olds}
    return _likely(found, sure, set(homes))


def _likely(found: dict[str, str], sure: frozenset[str], homes: set[str]) -> dict[str, str]:
    """Without the moves, known by content alone, of pages where a file still is that is no other page's.

    Otherwise a page that is copied and then edited would become the copy.
    """
    while True:
        kept = {new: old for new, old in found.items() if new in sure or old not in homes or old in found}
        if len(kept) == len(found):
            return found
        found = kept


def _unique(paths: Iterable[str], key: Callable[[str], Key | None]) -> dict[Key, str]:
    """The paths by their key, where no other path has the same."""
    found: dict[Key, list[str]] = {}
    for path in paths:
        value = key(path)
        if value:
            found.setdefault(value, []).append(path)
    return {value: each[0] for value, each in found.items() if len(each) == 1}


def _raw_actions(
    files: Mapping[str, Seen], known: Mapping[str, FileState], done: Collection[str]
) -> tuple[Action, ...]:
    """Pages whose raw data has come, changed or gone, but for those that are read anew with it."""
    changed = {
        path
        for path, seen in files.items()
        if path.endswith(".json")
        and is_sidecar(path)
        and (path not in known or may_differ(seen, known[path]))
    }
    changed |= {path for path in known if path not in files and is_sidecar(path)}
    if not changed:
        return ()
    pages = [path for path in files if is_page(path) and path not in done and sidecar_of(path) in changed]
    return tuple(LookAtRaw(path) for path in sorted(pages))
