"""The one way to write: lock, catch up with the remote, write, index, lint, commit.

Whatever goes wrong before the commit, every file is as it was. Nothing is pushed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from quaid.errors import Conflict, LintFailed
from quaid.kb import due, index, journal, lock, reading, state
from quaid.kb.finding import Finding, Report, data_of
from quaid.kb.git import TIMED_OUT, State
from quaid.kb.lint import lint_base
from quaid.kb.node import Node, is_generated, is_node
from quaid.kb.place import check
from quaid.kb.reading import Base, RawFile
from quaid.kb.repository import Kb
from quaid.model.record import field, record

# What editors and file managers leave beside files; it is no work that could be lost.
_LITTER = (".#", "#", ".ai-kb-", ".quaid-")
_LITTER_ENDS = ("~", ".DS_Store", ".swp")
_SHOWN = 5
_FINDINGS = 20  # that an answer lists; `ai-kb lint` lists all


@record
class Proposal:
    """What is to be written: a text for each path, or None where a file is to go."""

    files: Mapping[str, str | bytes | None]
    message: str
    notices: tuple[str, ...] = ()


@record
class Written:
    """A write that was made, or one that had nothing to do: then there is no commit."""

    commit: str
    paths: tuple[str, ...]
    notices: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    def as_data(self) -> dict[str, object]:
        """The fields that every command which writes answers with."""
        shown: dict[str, object] = {"commit": self.commit, "paths": list(self.paths)}
        if self.notices:
            shown["notices"] = list(self.notices)
        if self.findings:
            shown["findings"] = [data_of(each) for each in self.findings[:_FINDINGS]]
        return shown


Plan = Callable[[Sequence[Node]], Proposal]


def write(kb: Kb, plan: Plan, *, adopting: Collection[str] | None = (), offline: bool = False) -> Written:
    """Run the protocol. `plan` sees the nodes as they are after catching up and says what to write.

    `adopting` names files that a person has changed already and that become part of the commit (None: all
    that are changed); where the write fails they stay as the person left them.
    """
    check(kb.root, writing=True)
    with lock.held(kb.git):
        notices = list(recover(kb))
        before = kb.git.state()
        _refuse_unfinished(kb, before)
        adopted = _adopted(before, adopting)
        _refuse_dirt(kb, before, adopted)
        followed = Followed(before) if offline else catch_up(kb, before, adopted)
        notices += followed.notices
        base = reading.read(kb.root)
        proposal = plan(base.nodes)
        done = commit_files(kb, proposal, base, adopted)
        if done.commit:
            notices += _distance(kb, followed.state)
        return Written(done.commit, done.paths, (*notices, *proposal.notices, *done.notices), done.findings)


def recover(kb: Kb) -> tuple[str, ...]:
    """Undo what a process that was killed left half-written. The lock must be held."""
    restored = journal.undo(kb.git)
    if restored:
        return (f"a write that was interrupted has been undone: {listed(restored)}",)
    return ()


@record
class Followed:
    """Where the branch stands after the remote was asked, and what came of asking."""

    state: State
    commits: int = 0
    reached: bool = True
    notices: tuple[str, ...] = ()


def catch_up(kb: Kb, before: State, dirty: Collection[str] = ()) -> Followed:
    """Fetch, and follow the remote if that needs no merge. A remote that does not answer stops nobody."""
    if not before.upstream and not kb.git.remote():
        return Followed(before)
    remembered = state.recall(kb)
    if state.seconds_since(remembered.fetch_failed_at) < state.SILENCE and remembered.fetch_failure:
        return Followed(before, 0, False, (f"the remote was not asked: {remembered.fetch_failure}",))
    fetched = kb.git.fetch()
    if fetched.status:
        if fetched.status == TIMED_OUT:  # one that refuses at once costs nothing to ask again
            state.note(kb, fetch_failed_at=state.now(), fetch_failure=fetched.reason)
        return Followed(before, 0, False, (f"the remote cannot be reached: {fetched.reason}",))
    if remembered.fetch_failed_at:
        state.note(kb, fetch_failed_at="", fetch_failure="")
    adopt_upstream(kb, before)
    now = kb.git.state()
    if not now.behind or now.ahead:
        return Followed(now)
    if not all(is_generated(path) for path in dirty):
        return Followed(now, 0, True, ("the remote is ahead; what is not committed keeps from following it",))
    if dirty:  # it is generated, and will be again
        kb.git.run("checkout", "--quiet", "HEAD", "--", *dirty)
    done = kb.git.run("merge", "--ff-only", "--quiet", "@{upstream}")
    if done.status:
        return Followed(now, 0, True, (f"the remote is ahead, and following it failed: {done.reason}",))
    said = f"followed the remote by {now.behind} {plural('commit', now.behind)}"
    return Followed(kb.git.state(), now.behind, True, (said,))


def adopt_upstream(kb: Kb, now: State) -> None:
    """Follow the remote's branch of the same name, if there is one and none is followed yet."""
    if now.upstream or now.unborn or not now.branch:
        return
    remote = kb.git.remote()
    if kb.git.run("rev-parse", "--verify", "--quiet", f"refs/remotes/{remote}/{now.branch}").status == 0:
        kb.git.run("branch", "--quiet", f"--set-upstream-to={remote}/{now.branch}")


def _distance(kb: Kb, now: State) -> list[str]:
    if now.behind:
        state.note(kb, diverged_at=state.recall(kb).diverged_at or state.now())
        return [
            f"committed here, but the branch has diverged: {now.ahead + 1} here, {now.behind} on the remote; "
            "`ai-kb resolve-divergence` brings them together"
        ]
    return []


def _refuse_unfinished(kb: Kb, now: State) -> None:
    unfinished = kb.git.under_way()
    if unfinished:
        raise Conflict(
            f"a {unfinished} is under way in {kb.root}",
            hint=f"Finish it there with git, or end it: git -C {kb.root} {unfinished} --abort.",
        )
    if not now.branch:
        raise Conflict(
            f"{kb.root} is on no branch",
            hint=f"Choose one: git -C {kb.root} switch main. Nothing was written.",
        )


def _adopted(now: State, adopting: Collection[str] | None) -> tuple[str, ...]:
    dirty = [each.path for each in now.changed if not is_litter(each.path)]
    return tuple(path for path in dirty if adopting is None or path in adopting or is_generated(path))


def _refuse_dirt(kb: Kb, now: State, adopted: Collection[str]) -> None:
    """Somebody's unfinished work is neither committed under another's name nor put at risk."""
    dirt = [each.path for each in now.changed if each.path not in adopted and not is_litter(each.path)]
    if dirt:
        raise Conflict(
            f"{kb.root} has changes that are not committed: {listed(dirt)}",
            hint="Nothing was written. `ai-kb commit` checks and commits them; git can take them back.",
            paths=dirt,
        )


def is_litter(path: str) -> bool:
    """Whether a path is what an editor leaves: locks and backups."""
    name = path.rsplit("/", 1)[-1]
    return name.startswith(_LITTER) or name.endswith(_LITTER_ENDS) or path.startswith(".quaid/")


def commit_files(kb: Kb, proposal: Proposal, base: Base, adopted: Collection[str] = ()) -> Written:
    """Write, index, lint and commit; or leave everything as it was. The lock must be held."""
    files = {path: data.encode() if isinstance(data, str) else data for path, data in proposal.files.items()}
    for path, data in files.items():
        journal.confined(kb.root, path)
        if data is not None and is_node(path):
            _refuse_other_encoding(kb, path)
    files = {path: data for path, data in files.items() if data != _present(kb, path)}
    if not files and not adopted:
        return Written("", ())
    after = _after(base, files)
    generated = index_changes(kb, after.nodes)
    files |= generated
    after = _after(after, generated)
    paths = tuple(sorted({*files, *adopted}))
    gone = _ids(base.nodes) - _ids(after.nodes)
    try:
        journal.begin(kb.root, files)
        for path, data in files.items():
            journal.put(kb.root, path, data)
        report = lint_base(after, set(paths), gone=gone)
        refuse_findings(report)
        commit, notices = kb.git.commit(paths, proposal.message)
    except BaseException:
        journal.undo(kb.git)
        raise
    journal.end(kb.root)
    due.note_due(kb, after.nodes)
    told = (each for each in report.findings if each.severity == "fatal" or each.path in paths)
    return Written(commit, paths, notices, tuple(told))


def _ids(nodes: Sequence[Node]) -> set[str]:
    """All that a link may lead to: nodes, and headlines that have an id."""
    return {node.id.lower() for node in nodes} | {each.id.lower() for node in nodes for each in node.sections}


def _refuse_other_encoding(kb: Kb, path: str) -> None:
    """A file that is not UTF-8 was read with losses; written back, they would be for ever."""
    try:
        (_present(kb, path) or b"").decode()
    except UnicodeDecodeError:
        raise Conflict(
            f"{path} is not UTF-8, so it cannot be changed without loss", hint="Convert it, say with iconv."
        ) from None


def _present(kb: Kb, path: str) -> bytes | None:
    try:
        return kb.file(path).read_bytes()
    except FileNotFoundError:
        return None


def _after(base: Base, files: Mapping[str, bytes | None]) -> Base:
    """The knowledge base as it will be. Captures are looked at in their files, which are there by then."""
    texts = {
        path: None if data is None else data.decode("utf-8", "replace")
        for path, data in files.items()
        if data is None or not path.startswith("raw/")
    }
    new = reading.with_texts(base, texts)
    captured = {
        path: RawFile(path, len(data))
        for path, data in files.items()
        if data is not None and path.startswith("raw/")
    }
    raw = (*(file for file in new.raw if file.path not in captured), *captured.values())
    return Base(new.root, new.nodes, new.others, new.indexes, raw, new.odd)


def index_changes(kb: Kb, nodes: Sequence[Node]) -> dict[str, bytes | None]:
    """The index files that are not as they should be; None for one that is no longer needed."""
    wanted: dict[str, bytes | None] = {path: text.encode() for path, text in index.generate(nodes).items()}
    for path in kb.root.glob("index*.org"):
        if path.name not in wanted and index.is_generated(path.read_text("utf-8", "replace")):
            wanted[path.name] = None
    return {path: data for path, data in wanted.items() if data != _present(kb, path)}


def refuse_findings(report: Report) -> None:
    """An error that lists what stands in the way, if anything does."""
    if not report.blocking:
        return
    first = report.blocking[0]
    more = len(report.blocking) - 1
    others = f", and {more} more {plural('finding', more)}" if more else ""
    place = f"{first.path}:{first.line}" if first.line else first.path
    raise LintFailed(
        f"{place}: {first.message}{others}",
        hint=first.hint or "Nothing was written.",
        findings=[data_of(each) for each in report.blocking],
    )


def listed(paths: Sequence[str]) -> str:
    """Some paths for a message, and how many more there are."""
    shown = ", ".join(paths[:_SHOWN])
    return shown if len(paths) <= _SHOWN else f"{shown} and {len(paths) - _SHOWN} more"


def plural(noun: str, count: int) -> str:
    """A noun as the count wants it."""
    return noun if count == 1 else noun + "s"
