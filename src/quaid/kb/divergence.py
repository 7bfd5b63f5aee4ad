"""Bring a branch that has diverged together with its remote, without losing what either side knows.

The work is done in a second working tree, away from the person's; the last step moves the branch. Commits
made here are put on top of the remote's where nothing conflicts. Where both sides changed a node such that
the texts cannot be joined, both versions stay as two nodes that contradict each other: a person decides.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from uuid import uuid4

from quaid.errors import Conflict
from quaid.formats.meld.clash import Side
from quaid.formats.meld.page import meld
from quaid.formats.merge import merged
from quaid.kb import edits, index
from quaid.kb.base import read
from quaid.kb.facts import folded, rows_of
from quaid.kb.gate import recovery_notes, refuse_findings
from quaid.kb.lint import Scope, lint
from quaid.kb.node import is_generated, is_node, parse, places_of
from quaid.kb.place import check
from quaid.kb.repository import Kb
from quaid.model.record import field, record
from quaid.sync import lock, state
from quaid.sync.commits import commit_paths
from quaid.sync.follow import put_back, refuse_unfinished
from quaid.sync.git import NOBODY, Changed, Git, State
from quaid.sync.lock import await_index
from quaid.sync.repository import path_list
from quaid.sync.second_tree import move_branch, rebased, second_tree

_ATTRIBUTES = "ai-kb-attributes"
Versions = tuple[bytes | None, bytes | None, bytes | None]  # of a file: the common one, ours and theirs


@record
class Divergence:
    """What each side has that the other has not."""

    here: tuple[str, ...] = ()  # subjects of commits
    there: tuple[str, ...] = ()
    both: tuple[str, ...] = ()  # paths that both sides have changed


@record
class Resolution:
    """What came of it: nothing, followed, rebased, merged; or a clash, which a person decides about."""

    outcome: str
    commit: str
    contested: tuple[str, ...] = field(default=())  # titles of nodes, and files that are no nodes
    notices: tuple[str, ...] = field(default=())


def divergence(kb: Kb) -> Divergence:
    """Fetch, and look at both sides."""
    check(kb.root, writing=True)
    fetched = kb.git.fetch() if kb.git.remote() else None
    now = kb.git.state()
    if not now.upstream:
        raise Conflict(
            "the branch follows no remote", hint="`ai-kb sync` or `ai-kb push` makes it follow one."
        )
    if fetched and fetched.status:
        raise Conflict(f"the remote cannot be reached: {fetched.reason}", hint="Try again when it can.")
    base = _common(kb.git)
    ours, theirs = _paths_changed(kb.git, base, "HEAD"), _paths_changed(kb.git, base, "@{upstream}")
    both = sorted(path for path in ours & theirs if not is_generated(path))
    here, there = (
        kb.git.ask("log", "--format=%s", span).splitlines()
        for span in ("@{upstream}..HEAD", "HEAD..@{upstream}")
    )
    return Divergence(tuple(here), tuple(there), tuple(both))


def _common(git: Git) -> str:
    """The commit from which both sides went on."""
    base = git.run("merge-base", "HEAD", "@{upstream}").out.strip()
    if not base:
        raise Conflict(
            "this branch and the remote's have no commit in common",
            hint="Clone the remote to another directory, and remember there what only this one knows.",
        )
    return base


def resolve(kb: Kb) -> Resolution:
    """Bring both sides together, as a person has decided, or change nothing and say why not."""
    with lock.write_lock(kb.git):
        notices = recovery_notes(kb)
        await_index(kb.git)
        now = kb.git.state()
        refuse_unfinished(kb, now)
        if not now.diverged:
            if now.behind:
                put_back(kb.git, _generated_changes(now))
                move_branch(kb.git, kb.git.state(), "@{upstream}")
            state.note(kb, diverged_at="")
            return Resolution("followed" if now.behind else "nothing", kb.git.head(), (), notices)
        done = brought_together(kb, now, contesting=True)
        return Resolution(done.outcome, done.commit, done.contested, (*notices, *done.notices))


def brought_together(kb: Kb, now: State, *, contesting: bool) -> Resolution:
    """Put our commits after the remote's, or join both. The lock must be held.

    Unless a person lets nodes be contested, what clashes leaves everything as it is. What is not committed
    stays, and stands in the way only where the remote has changed the same file.
    """
    base = _common(kb.git)
    ours, upstream = kb.git.head(), kb.git.ask("rev-parse", "@{upstream}").strip()
    with second_tree(kb) as root:
        second = Kb(root, kb.environment, kb.home, trusts=lambda _: True)  # of one that is trusted
        outcome, left = "rebased", _Left()
        if not _rebased(second.git, upstream):
            outcome = "merged"
            _merge_sides(second, base, upstream, left)
        if (left.contested or left.twice) and not contesting:
            return Resolution("clash", ours, (*left.contested, *left.twice))
        linked = _keep_linked(second, base, ours, upstream)
        _settle_index(second, linked)
        changed = _paths_changed(second.git, upstream, "HEAD")
        refuse_findings(lint(second.root, Scope(changed), kb.rows_by_path()))
        commit = second.git.head()
    put_back(kb.git, _generated_changes(now))
    move_branch(kb.git, kb.git.state(), commit)
    state.note(kb, diverged_at="", push_failed_at="", push_failure="")
    told = {
        "removed on one side and changed on the other, so kept": left.changed,
        "removed on one side and linked to on the other, so kept": linked,
        "changed on both sides, so there are two files now": left.twice,
    }
    notices = tuple(f"{what}: {path_list(paths)}" for what, paths in told.items() if paths)
    return Resolution(outcome, commit, tuple(left.contested), notices)


def _generated_changes(now: State) -> list[Changed]:
    return [each for each in now.changed if is_generated(each.path)]


def _rebased(git: Git, upstream: str) -> bool:
    """Put our commits on top of the remote's. The index is generated: it never conflicts."""
    attributes = git.directory / _ATTRIBUTES
    attributes.write_text("/index*.org merge=ai-kb-index\n")
    return rebased(git, upstream, (f"core.attributesFile={attributes}", "merge.ai-kb-index.driver=true"))


class _Left:
    """What of a merge a person should know."""

    def __init__(self) -> None:
        self.contested: list[str] = []  # titles of nodes
        self.twice: list[str] = []  # other files of which both versions stay
        self.changed: list[str] = []  # files that one side removed and the other changed: they stay


def _merge_sides(kb: Kb, base: str, upstream: str, left: _Left) -> None:
    """Join both sides file by file, as one commit with two parents."""
    git = kb.git
    ours = git.head()
    for path in sorted(_paths_changed(git, base, ours) | _paths_changed(git, base, upstream)):
        if not is_generated(path):
            before, mine, theirs = (git.bytes_of(f"{commit}:{path}") for commit in (base, ours, upstream))
            _join(kb.file(path), path, (before, mine, theirs), left)
    _write_index(kb)
    git.ask("add", "--all")
    tree = git.ask("write-tree").strip()
    words = ("commit-tree", tree, "-p", ours, "-p", upstream, "-m", "Bring both sides together")
    made = git.run(*words)
    made = git.run(*NOBODY, *words) if made.status else made
    git.ask("reset", "--hard", "--quiet", made.out.strip())


def _join(place: Path, path: str, versions: Versions, left: _Left) -> None:
    """Write what both sides together make of a file that is ours."""
    before, mine, theirs = versions
    if mine == theirs or theirs == before:
        return
    if mine == before:
        _write(place, theirs)
    elif mine is None or theirs is None:
        _write(place, mine or theirs)
        left.changed.append(path)
    elif not all(_is_text(data) for data in (before or b"", mine, theirs)):
        _keep_twice(place, mine, theirs)
        left.twice.append(path)
    else:
        texts = ((before or b"").decode(), mine.decode(), theirs.decode())
        joined = _both(path, *texts)
        if joined is not None:
            _write(place, joined.encode())
        elif is_node(path):
            left.contested.append(_contest(place, path, *texts[1:]))
        else:
            _keep_twice(place, mine, theirs)
            left.twice.append(path)


def _keep_twice(place: Path, mine: bytes, theirs: bytes) -> None:
    _write(place, theirs)
    _write(place.with_name(f"{place.stem}-{uuid4().hex[:6]}{place.suffix}"), mine)


def _both(path: str, before: str, mine: str, theirs: str) -> str | None:
    """A text with the changes of both sides, of a page by what it says; None if they clash."""
    if not path.endswith((".org", ".md")):
        return merged(before, mine, theirs)
    melded = meld(before, Side(mine), Side(theirs), "org" if path.endswith(".org") else "markdown")
    return None if melded.clashes else melded.text


def _is_text(data: bytes) -> bool:
    """Whether it can be read and written back without loss."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _contest(place: Path, path: str, mine: str, theirs: str) -> str:
    """Keep both: theirs under the known ID, ours as a node of its own. Their title."""
    known, other = parse(theirs, path), str(uuid4())
    title = parse(mine, path).title
    mine = edits.set_property(edits.set_property(mine, "ID", other), "STATUS", "contested")
    theirs = edits.set_property(theirs, "STATUS", "contested")
    own_title = title if title != known.title else f"{title} (other version)"
    mine = edits.set_keyword(mine, "title", own_title)
    mine = edits.add_link(mine, "CONTRADICTS", known.id, known.title)
    _keep_twice(place, mine.encode(), edits.add_link(theirs, "CONTRADICTS", other, own_title).encode())
    return known.title


def _write_index(kb: Kb) -> list[str]:
    """Bring the index into step; the files that have changed."""
    changes = index.changes(index.present(kb.root), index.generate(rows_of(read(kb.root))))
    for path, data in changes.items():
        _write(kb.file(path), data)
    return [*changes]


def _keep_linked(kb: Kb, base: str, ours: str, upstream: str) -> tuple[str, ...]:
    """Put back the nodes that one side removed while the other came to link to them; their paths."""
    git = kb.git
    removed: dict[str, bytes] = {}
    for side, other in ((ours, upstream), (upstream, ours)):
        for path in filter(is_node, _paths_changed(git, base, side, "--diff-filter=D")):
            removed[path] = git.bytes_of(f"{other}:{path}") or git.bytes_of(f"{base}:{path}") or b""
    kept: list[str] = []
    while removed:  # what is put back may link to more
        rows = rows_of(read(kb.root))
        known = {each for row in rows for each in row.ids.split()}
        missing = {each for row in rows for each in row.targets.split()} - known
        gone = {path: data for path, data in removed.items() if not kb.file(path).exists()}
        nodes = (parse(data.decode("utf-8", "replace"), path) for path, data in gone.items())
        wanted = [node.path for node in nodes if any(folded(each) in missing for each, _ in places_of(node))]
        found = {path: gone[path] for path in wanted}
        if not found:
            break
        for path, data in found.items():
            _write(kb.file(path), data)
            kept.append(path)
            del removed[path]
    return tuple(sorted(kept))


def _settle_index(kb: Kb, kept: Collection[str] = ()) -> None:
    """Bring the index into step, with the nodes that are kept, as a commit of its own if that is needed."""
    changes = _write_index(kb)
    if changes or kept:
        message = "Keep what is linked to" if kept else "Regenerate the index"
        commit_paths(kb.git, [*changes, *kept], message)


def _write(place: Path, data: bytes | None) -> None:
    if data is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.write_bytes(data)


def _paths_changed(git: Git, old: str, new: str, *options: str) -> set[str]:
    out = git.ask("diff", "--name-only", "--no-renames", "-z", *options, f"{old}..{new}")
    return {path for path in out.split("\0") if path}
