"""Two branches brought together in one commit, without a mark of a conflict in any file.

git finds out which files both sides have changed, also under other names, and leaves every page among them
open: it is merged here as the driver would, without a process for each. What else git leaves open is
settled too: of any other file the newer stays, what one side removed and the other changed lives, and of
two new names of a page the newer holds. Each of these is a conflict that is written down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from quaid.errors import GitFailed
from quaid.formats.encoding import decode
from quaid.formats.meld.clash import Clash, instant
from quaid.sync import driver
from quaid.sync.conflicts import FOLDER, note_clashes
from quaid.sync.git import NOBODY, Git
from quaid.sync.repository import Repository
from quaid.vault.folder import is_page, is_sidecar
from quaid.vault.sidecars import merged_sidecars

MERGE_TIMEOUT = 600.0  # seconds
_BASE, _OURS, _THEIRS = "1", "2", "3"  # git's stages
_SIMILAR = "75%"  # of a page: less, and it is not taken for the new name of another
_OPTIONS = (f"-Xfind-renames={_SIMILAR}", "--no-commit", "--no-ff", "--no-verify", "--quiet")
_QUIETLY = (
    *("-c", "merge.directoryRenames=false", "-c", "merge.conflictStyle=merge", "-c", "rerere.enabled=false"),
    *("-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"),
)
_COMMIT = ("commit", "--quiet", "--no-verify", "-m")
_UNITED = (".gitignore merge=union", ".gitattributes merge=union")

Stages = Mapping[str, str]  # blobs by stage


def unite(tree: Repository, theirs: str, message: str, *, unrelated: bool = False) -> str:
    """Merge a commit into what is checked out in a working tree of our own; the commit that holds both."""
    git = tree.git
    ours = git.head()
    options = (*_OPTIONS, *(("--allow-unrelated-histories",) if unrelated else ()))
    words = (*_QUIETLY, *_left_open(tree), *_identity(git), "merge", *options, theirs)
    done = git.run(*words, timeout=MERGE_TIMEOUT)
    open_paths = _unmerged_stages(git)
    if done.status and not open_paths:
        raise GitFailed(f"git merge: {done.reason}", hint="Nothing was changed.")
    _Settlement(tree, ours, theirs).settle(open_paths)
    git.ask("add", "--all")
    if (tree.root / FOLDER).is_dir():
        git.ask("add", "--all", "--force", "--", FOLDER)  # whatever the person's patterns say of such folders
    git.ask(*_QUIETLY, *_identity(git), *_COMMIT, message)
    return git.head()


def _left_open(tree: Repository) -> tuple[str, ...]:
    """Options by which git merges no page that both sides have changed, but for ancestors on its way."""
    attributes = tree.root.with_name("attributes")
    attributes.write_text("\n".join((*driver.ATTRIBUTES, *_UNITED)) + "\n")
    return (
        *driver.settings(),
        *("-c", "merge.quaid.driver=false", "-c", f"core.attributesFile={attributes}"),
    )


def _identity(git: Git) -> tuple[str, ...]:
    """Who merges, where git does not know the person."""
    return () if git.run("var", "GIT_COMMITTER_IDENT").status == 0 else NOBODY


def _unmerged_stages(git: Git) -> dict[str, Stages]:
    """What git could not merge: the blobs of each path."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry in filter(None, git.ask("ls-files", "--unmerged", "-z").split("\0")):
        facts, _, path = entry.partition("\t")
        _, blob, stage = facts.split(" ")
        found[path][stage] = blob
    return dict(found)


class _Settlement:
    """What becomes of the paths that git could not merge."""

    def __init__(self, tree: Repository, ours: str, theirs: str) -> None:
        self._tree = tree
        self._git = tree.git
        self._commits = {_OURS: ours, _THEIRS: theirs}

    def settle(self, paths: Mapping[str, Stages]) -> None:
        """Let each be a file that stands for both sides, and note what is not in it."""
        left: dict[str, Stages] = dict(paths)
        for ours, theirs in _twice_renamed(paths):
            path = self._name(ours, theirs)
            before = self._former_names.get(ours, "")
            blobs = {_OURS: self._blob(_OURS, ours), _THEIRS: self._blob(_THEIRS, theirs)}
            self._both(path, blobs | ({_BASE: paths[before][_BASE]} if before in paths else {}))
            del left[ours], left[theirs]
        for path, stages in left.items():
            if stages.keys() >= {_OURS, _THEIRS}:
                self._both(path, stages)
            elif _OURS in stages or _THEIRS in stages:
                self._one(path, stages)
            else:  # gone on both sides, each in its own way
                self._drop(path)

    def _name(self, ours: str, theirs: str) -> str:
        """Both sides have renamed a file: the newer name holds."""
        names = [(ours, self._changed_at(_OURS, ours)), (theirs, self._changed_at(_THEIRS, theirs))]
        # Of the same moment, both machines choose the same.
        older, newer = sorted(names, key=lambda each: (instant(each[1]), each[0]))
        self._drop(older[0])
        clash = Clash("name", "", "", f"{newer[0]}\n", f"{older[0]}\n", kept_at=newer[1], other_at=older[1])
        note_clashes(self._tree.root, newer[0], (clash,))
        return newer[0]

    @cached_property
    def _former_names(self) -> dict[str, str]:
        """What files were called before we renamed them."""
        base = self._git.ask("merge-base", *self._commits.values()).strip()
        words = ("diff", "--name-status", "-z", f"--find-renames={_SIMILAR}", "--diff-filter=R", base)
        told = self._git.ask(*words, self._commits[_OURS]).split("\0")
        return dict(zip(told[2::3], told[1::3], strict=False))

    def _blob(self, side: str, path: str) -> str:
        return self._git.ask("rev-parse", f"{self._commits[side]}:{path}").strip()

    def _drop(self, path: str) -> None:
        self._git.ask("rm", "--quiet", "--cached", "--force", "--", path)
        self._place(path).unlink(missing_ok=True)

    def _both(self, path: str, stages: Stages) -> None:
        """Both sides have changed a file, or made it."""
        if is_page(path):
            self._page(path, stages)
            return
        moments = {side: self._changed_at(side, path) for side in (_OURS, _THEIRS)}
        if stages[_OURS] == stages[_THEIRS]:
            self._write(path, stages[_OURS])
            return
        newer = max((_OURS, _THEIRS), key=lambda side: (instant(moments[side]), stages[side]))
        older = _THEIRS if newer == _OURS else _OURS
        if is_sidecar(path):  # the raw data of a page: source by source
            data = (self._bytes(stages.get(side, "")) for side in (_BASE, newer, older))
            if (united := merged_sidecars(*data)) is not None:
                self._place(path).write_bytes(united)
                return
        self._write(path, stages[newer])
        base, kept, other = (self._text_of(stages.get(side, "")) for side in (_BASE, newer, older))
        clash = Clash(
            "file", stages[older], base, kept, other, kept_at=moments[newer], other_at=moments[older]
        )
        note_clashes(self._tree.root, path, (clash,))

    def _page(self, path: str, stages: Stages) -> None:
        """A page that both sides have changed."""
        around = {**self._tree.environment, f"GITHEAD_{self._commits[_THEIRS]}": "theirs"}
        contents = [self._bytes(stages.get(stage, "")) for stage in (_BASE, _OURS, _THEIRS)]
        melded, data = driver.merged_page(contents, path, self._tree.root, around)
        note_clashes(self._tree.root, path, melded.clashes)
        self._put(path, data)

    def _one(self, path: str, stages: Stages) -> None:
        """One side has removed what the other has changed: it lives."""
        side = _OURS if _OURS in stages else _THEIRS
        self._write(path, stages[side])
        if _BASE in stages:
            base, kept = (self._text_of(stages[stage]) for stage in (_BASE, side))
            other = _THEIRS if side == _OURS else _OURS
            moments = self._changed_at(side, path), self._changed_at(other, path)
            note_clashes(self._tree.root, path, (Clash("page", "", base, kept, "", *moments),))

    def _write(self, path: str, blob: str) -> None:
        if not self._place(path).is_symlink():  # of which git has written one side's, as it had to
            self._put(path, self._bytes(blob))

    def _put(self, path: str, data: bytes) -> None:
        place = self._place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def _changed_at(self, side: str, path: str) -> str:
        return driver.changed_at(self._commits[side], path, self._tree.root, self._tree.environment)

    def _text_of(self, blob: str) -> str:
        """A file's text for a person to compare; "" of one that is none. Its bytes are in the history."""
        data = self._bytes(blob)
        return "" if b"\0" in data else decode(data)[0]

    def _bytes(self, blob: str) -> bytes:
        return (self._git.bytes_of(blob) or b"") if blob else b""

    def _place(self, path: str) -> Path:
        return self._tree.root / path


def _twice_renamed(paths: Mapping[str, Stages]) -> list[tuple[str, str]]:
    """Pairs of new names that the two sides have for one file: git has merged what it holds already."""
    ours = {stages[_OURS]: path for path, stages in paths.items() if stages.keys() == {_OURS}}
    theirs = {stages[_THEIRS]: path for path, stages in paths.items() if stages.keys() == {_THEIRS}}
    return [(path, theirs[blob]) for blob, path in ours.items() if blob in theirs]
