"""Bring a branch that has diverged together with its remote, without losing what either side knows.

The work is done in a second working tree, away from the person's; the last step moves the branch. Commits
made here are put on top of the remote's where nothing conflicts. Where both sides changed a node such that
the texts cannot be joined, both versions stay as two nodes that contradict each other: a person decides.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from quaid.errors import Conflict
from quaid.kb import edits, index
from quaid.kb.base import read
from quaid.kb.change import index_changes
from quaid.kb.facts import folded, rows_of
from quaid.kb.gate import recovered, refuse_findings
from quaid.kb.lint import Scope, lint
from quaid.kb.node import Node, is_generated, is_node, parse, places_of
from quaid.kb.place import check, is_litter
from quaid.kb.repository import Kb
from quaid.model.record import field, record
from quaid.sync import lock, state
from quaid.sync.commits import commit_paths
from quaid.sync.git import Git, git_directory
from quaid.sync.repository import listed
from quaid.sync.second_tree import move_branch, rebased, second_tree

_ATTRIBUTES = "ai-kb-attributes"
_STAMP = re.compile(r"(?mi)^[ \t]*:(?:UPDATED|LAST_CURATED):.*$")


@record
class Divergence:
    """What each side has that the other has not."""

    here: tuple[str, ...] = ()  # subjects of commits
    there: tuple[str, ...] = ()
    both: tuple[str, ...] = ()  # paths that both sides have changed


@record
class Resolution:
    """What came of it: nothing, followed, rebased or merged."""

    outcome: str
    commit: str
    contested: tuple[str, ...] = field(default=())  # titles
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
    base = kb.git.run("merge-base", "HEAD", "@{upstream}").out.strip()
    if not base:
        raise Conflict(
            "this branch and the remote's have no commit in common",
            hint="Clone the remote to another directory, and remember there what only this one knows.",
        )
    ours, theirs = _changed(kb.git, base, "HEAD"), _changed(kb.git, base, "@{upstream}")
    both = sorted(path for path in ours & theirs if not is_generated(path))
    return Divergence(
        tuple(_subjects(kb.git, "@{upstream}..HEAD")),
        tuple(_subjects(kb.git, "HEAD..@{upstream}")),
        tuple(both),
    )


def resolve(kb: Kb) -> Resolution:
    """Bring both sides together, or change nothing and say why not."""
    with lock.held(kb.git):
        notices = recovered(kb)
        now = kb.git.state()
        dirt = [each.path for each in now.changed if not is_litter(each.path)]
        if dirt:
            raise Conflict(
                f"{kb.root} has changes that are not committed: {listed(dirt)}",
                hint="`ai-kb commit` checks and commits them. Nothing was changed.",
            )
        if not now.behind:
            state.note(kb, diverged_at="")
            return Resolution("nothing", kb.git.head(), (), notices)
        if not now.ahead:
            kb.git.ask("merge", "--ff-only", "--quiet", "@{upstream}")
            state.note(kb, diverged_at="")
            return Resolution("followed", kb.git.head(), (), notices)
        ours, upstream = kb.git.head(), kb.git.ask("rev-parse", "@{upstream}").strip()
        with _beside(kb) as second:
            contested: tuple[str, ...] = ()
            outcome = "rebased"
            if not _rebased(second.git, upstream):
                outcome = "merged"
                contested = _merged(second, upstream)
            kept = _keep_linked(second, ours, upstream)
            _settle_index(second, kept)
            changed = _changed(second.git, upstream, "HEAD")
            refuse_findings(lint(second.root, Scope(changed), kb.held()))
            commit = second.git.head()
        move_branch(kb.git, now, commit)
        state.note(kb, diverged_at="", push_failed_at="", push_failure="")
        if kept:
            notices += (f"removed on one side and linked to on the other, so kept: {listed(list(kept))}",)
        return Resolution(outcome, commit, contested, notices)


@contextmanager
def _beside(kb: Kb) -> Iterator[Kb]:
    """The same knowledge base in a second working tree, of a repository that is trusted."""
    with second_tree(kb) as root:
        yield Kb(root, kb.environment, kb.home, trusts=lambda _: True)


def _rebased(git: Git, upstream: str) -> bool:
    """Put our commits on top of the remote's. The index is generated: it never conflicts."""
    attributes = git_directory(git.root) / _ATTRIBUTES
    attributes.write_text("/index*.org merge=ai-kb-index\n")
    return rebased(git, upstream, (f"core.attributesFile={attributes}", "merge.ai-kb-index.driver=true"))


def _merged(kb: Kb, upstream: str) -> tuple[str, ...]:
    """Join both sides file by file, as one commit with two parents; the titles that are contested now."""
    git = kb.git
    ours = git.head()
    base = git.ask("merge-base", ours, upstream).strip()
    titles: list[str] = []
    for path in sorted(_changed(git, base, ours) | _changed(git, base, upstream)):
        if is_generated(path):
            continue
        before, mine, theirs = (_text(git, commit, path) for commit in (base, ours, upstream))
        titles += _join(kb, path, before, mine, theirs)
    _settle_files(kb)
    git.ask("add", "--all")
    tree = git.ask("write-tree").strip()
    words = ("commit-tree", tree, "-p", ours, "-p", upstream, "-m", "Bring both sides together")
    made = git.run(*words)
    if made.status:
        made = git.run("-c", "user.name=ai-kb", "-c", "user.email=ai-kb@localhost", *words)
    git.ask("reset", "--hard", "--quiet", made.out.strip())
    return tuple(titles)


def _join(kb: Kb, path: str, before: bytes | None, mine: bytes | None, theirs: bytes | None) -> list[str]:
    """Write what both sides together make of a file; the title of a node that is contested now."""
    if mine == theirs or theirs == before:
        return []
    place = kb.file(path)
    if mine == before or mine is None:  # what one side removed and the other changed stays
        _write(place, theirs)
        return []
    if theirs is None:
        return []
    readable = all(_is_text(data) for data in (before or b"", mine, theirs))
    joined = _joined(kb.git, before or b"", mine, theirs) if readable else None
    if joined is not None:
        _write(place, joined)
        return []
    if not is_node(path) or not readable:
        _write(place, theirs)
        _write(_other_name(place), mine)
        return []
    return [_contested(kb, path, mine.decode("utf-8", "replace"), theirs.decode("utf-8", "replace"))]


def _is_text(data: bytes) -> bool:
    """Whether it can be read and written back without loss."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _contested(kb: Kb, path: str, mine: str, theirs: str) -> str:
    """Keep both: theirs under the known ID, ours as a node of its own."""
    known, other = parse(theirs, path), str(uuid4())
    title = parse(mine, path).title
    mine = edits.set_property(edits.set_property(mine, "ID", other), "STATUS", "contested")
    theirs = edits.set_property(theirs, "STATUS", "contested")
    own_title = title if title != known.title else f"{title} (other version)"
    mine = edits.set_keyword(mine, "title", own_title)
    _write(kb.file(path), edits.add_link(theirs, "CONTRADICTS", other, own_title).encode())
    _write(_other_name(kb.file(path)), edits.add_link(mine, "CONTRADICTS", known.id, known.title).encode())
    return known.title


def _joined(git: Git, before: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """A line-by-line merge of three texts; None if they conflict. Stamps of the day take the later one."""
    later: dict[str, str] = {}
    for text in (mine, theirs):
        for match in _STAMP.finditer(text.decode("utf-8", "replace")):
            name = _stamp_name(match.group())
            later[name] = max(later.get(name, ""), match.group())

    def level(data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        return _STAMP.sub(lambda match: later[_stamp_name(match.group())], text)

    with tempfile.TemporaryDirectory(prefix="ai-kb-") as place:
        files = []
        for name, data in (("mine", mine), ("before", _known_stamps(before, later)), ("theirs", theirs)):
            file = Path(place) / name
            file.write_bytes(level(data).encode())
            files.append(str(file))
        done = git.run("merge-file", "-p", "--quiet", *files)
    return done.out.encode() if done.status == 0 else None


def _known_stamps(before: bytes, later: dict[str, str]) -> bytes:
    """The common ancestor without stamps that neither side has any more."""
    text = before.decode("utf-8", "replace")
    kept = (line for line in text.splitlines(keepends=True) if _stamp_name(line) in ("", *later))
    return "".join(kept).encode()


def _stamp_name(line: str) -> str:
    return line.split(":")[1].upper() if _STAMP.match(line.rstrip("\r\n")) else ""


def _settle_files(kb: Kb) -> None:
    for path, data in _index_changes(kb).items():
        _write(kb.file(path), data)


def _index_changes(kb: Kb) -> dict[str, bytes | None]:
    return index_changes(index.present(kb.root), index.generate(rows_of(read(kb.root))))


def _keep_linked(kb: Kb, ours: str, upstream: str) -> tuple[str, ...]:
    """Put back the nodes that one side removed while the other came to link to them; their paths."""
    git = kb.git
    base = git.ask("merge-base", ours, upstream).strip()
    removed: dict[str, bytes] = {}
    for side, other in ((ours, upstream), (upstream, ours)):
        for path in filter(is_node, _changed(git, base, side, "--diff-filter=D")):
            removed[path] = _text(git, other, path) or _text(git, base, path) or b""
    kept: list[str] = []
    while removed:  # what is put back may link to more
        rows = rows_of(read(kb.root))
        known = {each for row in rows for each in row.ids.split()}
        missing = {each for row in rows for each in row.targets.split()} - known
        found = {
            path: data
            for path, data in removed.items()
            if not kb.file(path).exists() and missing & _ids(parse(data.decode("utf-8", "replace"), path))
        }
        if not found:
            break
        for path, data in found.items():
            _write(kb.file(path), data)
            kept.append(path)
            del removed[path]
    return tuple(sorted(kept))


def _ids(node: Node) -> set[str]:
    return {folded(each) for each, _ in places_of(node)}


def _settle_index(kb: Kb, kept: Collection[str] = ()) -> None:
    """Bring the index into step, with the nodes that are kept, as a commit of its own if that is needed."""
    changes = _index_changes(kb)
    for path, data in changes.items():
        _write(kb.file(path), data)
    if changes or kept:
        message = "Keep what is linked to" if kept else "Regenerate the index"
        commit_paths(kb.git, [*changes, *kept], message)


def _write(place: Path, data: bytes | None) -> None:
    if data is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.write_bytes(data)


def _other_name(place: Path) -> Path:
    return place.with_name(f"{place.stem}-{uuid4().hex[:6]}{place.suffix}")


def _text(git: Git, commit: str, path: str) -> bytes | None:
    return git.bytes_of(f"{commit}:{path}")


def _changed(git: Git, old: str, new: str, *options: str) -> set[str]:
    command = ("diff", "--name-only", "--no-renames", "-z", *options)
    out = git.ask(*command, old, new)
    return {path for path in out.split("\0") if path}


def _subjects(git: Git, span: str) -> list[str]:
    return git.ask("log", "--format=%s", span).splitlines()
