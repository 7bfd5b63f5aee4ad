"""The gate of a knowledge base: whoever changes a node passes it, whichever memory the change comes from.

    git's lock            one writer at a time, on every surface
    recover, refuse       what a killed process left; unfinished merges; somebody else's work
    fetch, fast-forward   the only part that needs a network, before any transaction
    the memory's lock     rows brought into step, then the change itself: a transaction of that memory
    index, lint           before a file is touched
    journal, files        what can be undone as long as there is no commit
    git commit            from here on the change is there; the memory's own commit follows

Where the memory fails after git's commit, nothing is lost: it sees at the next look that files have changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress

import apsw

from quaid.errors import Busy, Conflict, LintFailed, NotFound, ReadOnly, StorageFailed
from quaid.kb import due, edits, facts
from quaid.kb.base import Rules, rules_in
from quaid.kb.change import Change, Outcome, check, outcome, present
from quaid.kb.findings import Finding, Report, data_of
from quaid.kb.node import Node, is_generated, is_node, parse
from quaid.kb.place import CONTRACT, is_litter
from quaid.kb.place import check as check_place
from quaid.kb.repository import Kb, Memory
from quaid.model.actor import EDIT
from quaid.model.record import field, record, replace
from quaid.store import file_state, nodes
from quaid.store.nodes import NodeRow
from quaid.sync import lock
from quaid.sync.commits import commit_paths, journal_of, recover
from quaid.sync.follow import Followed, catch_up, note_distance, refuse_unfinished
from quaid.sync.git import Changed, State
from quaid.sync.lock import await_index
from quaid.sync.repository import path_list, plural
from quaid.vault import folder
from quaid.vault.changes import FileChanges
from quaid.vault.readings import Reading

_FINDINGS = 20  # that an answer lists; `ai-kb lint` lists all
_MESSAGE_WIDTH = 72


@record
class Proposal:
    """What is to be written: a text for each path, or None where a file is to go."""

    files: Mapping[str, str | bytes | None]
    message: str
    notices: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()  # what was read out of those texts before


@record
class Written:
    """A write that was made, or one that had nothing to do: then there is no commit."""

    commit: str
    paths: tuple[str, ...]
    notices: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    def as_data(self) -> dict[str, object]:
        """The fields that every command which writes answers with."""
        more = {"notices": self.notices, "findings": [data_of(each) for each in self.findings[:_FINDINGS]]}
        told = {"commit": self.commit, "paths": self.paths}
        return told | {name: each for name, each in more.items() if each}


class Gate:
    """One passage: it is the protocol that the files of the transaction obey."""

    def __init__(self, kb: Kb, memory: Memory, verb: str = "Edit") -> None:
        self.root = memory.root
        self.journal = journal_of(kb)
        self.sealed = False
        self.rows: list[NodeRow] = []  # the nodes before the change
        self.notices: list[str] = []
        self._kb = kb
        self._memory = memory
        self._rules = Rules()
        self._parsed: dict[str, Node] = {}
        self._files: dict[str, bytes | None] = {}  # what they become
        self._verb = verb
        self._message = ""
        self._adopted: tuple[str, ...] = ()
        self._committed: dict[str, bytes | None] = {}  # of files that somebody has changed
        self._seen: frozenset[str] = frozenset()
        self._after: Outcome | None = None
        self._written = Written("", ())
        self._branch = State()

    def enter(self, adopting: Collection[str] | None, offline: bool) -> None:
        """All that comes before the transaction. The lock is held."""
        kb = self._kb
        self.notices += recovery_notes(kb)
        await_index(kb.git)
        before = kb.git.state()
        refuse_unfinished(kb, before)
        if adopting is not None and not adopting:
            _refuse_dirt(kb, before)
        followed = Followed(before) if offline else catch_up(kb, before, is_generated)
        self.notices += followed.notices
        self._branch = followed.state
        self._adopted = _adopted_files(kb, followed.state, adopting)
        self._committed = _last_commit_of(kb, followed.state)
        self._memory.refresh(patiently=True, writer=lambda path: followed.authors.get(path, EDIT))

    @contextmanager
    def open(self) -> Iterator[None]:
        """Let one transaction of the memory through."""
        contract: bytes | None = None
        with suppress(OSError):
            contract = present(self.root, CONTRACT)
        self._rules = rules_in((contract or b"").decode(errors="replace"))  # of now: it may change
        rows = self._memory.rows(self._rules)
        self._seen = frozenset(row.path for row in rows)
        nodes = {path: data for path, data in self._committed.items() if is_node(path)}
        self.rows = facts.after(rows, nodes, self._rules) if nodes else rows
        self._committed = {CONTRACT: contract, **self._committed}
        try:
            with self._memory.changes.under(self):
                yield
        except (Busy, ReadOnly, StorageFailed) as error:
            if not self.sealed:
                raise
            self.notices.append(f"the memory does not know of it yet: {error.message}")
        if self._after is not None:
            due.note_due(self._kb, self._after.nodes)
        if self._written.commit:
            self.notices += note_distance(self._kb, self._branch)

    def propose(self, proposal: Proposal) -> None:
        """Let files become what a plan says, at the end of the transaction."""
        self._message = proposal.message
        self.notices += proposal.notices
        self._parsed = {node.path: node for node in proposal.nodes}
        changes = self._memory.changes
        for path, data in proposal.files.items():
            place = folder.real(self.root, path)
            if data is not None and is_node(path):
                _refuse_other_encoding(path, changes.read(place))
            changes.write(place, data.encode() if isinstance(data, str) else data)

    def complete(self, connection: apsw.Connection, changes: FileChanges) -> None:
        """Generate the index, and refuse what lint finds in the change."""
        files = self._files = changes.pending(self.root)
        if not files and not self._adopted:
            return
        adopted = [folder.stored(path) for path in self._adopted]
        beside = {path: data for path, data in self._committed.items() if path not in adopted}
        change = Change(
            root=self.root,
            before=self.rows,
            files=files,
            adopted=adopted,
            rules=self._rules,
            seen=self._seen,
            parsed=self._parsed,
            beside=beside,
            holds=changes.read,
        )
        self._after = outcome(change)
        for path, data in self._after.index.items():
            changes.write(folder.real(self.root, path), data)
        paths = tuple(sorted({*change.paths, *self._after.index}))
        found = check(change, self._after)
        refuse_findings(found)
        told = (each for each in found.findings if each.severity == "fatal" or each.path in paths)
        self._written = Written("", paths, findings=tuple(told))
        self._message = self._message or _message(self._verb, paths, self.rows, self._after.nodes)

    def seal(self, connection: apsw.Connection) -> None:
        """Let the rows say what the files say, and commit."""
        if self._after is None:
            return
        described = {row.path: row for row in self._after.nodes if row.page_id == facts.NEW}
        paths = self._written.paths
        for path in paths:
            if is_node(path):
                written = self._just_written(path)
                self._memory.mirror.look(connection, path, transient=True, reading=written)
                self._describe(connection, described.get(path))
        made = commit_paths(self._kb.git, map(folder.spelt, paths), self._message)
        self._written = replace(self._written, commit=made.id)
        self.sealed = True
        self.notices += made.notices
        for path in described.keys() & {*paths}:
            # By now their times are old enough to tell that nobody has written since.
            self._memory.mirror.look(connection, path)

    def _just_written(self, path: str) -> Reading | None:
        """What was just written to a file, which need not be read out of it."""
        seen, data = folder.look(self.root, path), self._files.get(path)
        return Reading(seen, time.time_ns(), data) if seen and data is not None else None

    def _describe(self, connection: apsw.Connection, row: NodeRow | None) -> None:
        state = file_state.one(connection, self._memory.row.id, row.path) if row else None
        if row and state:
            described = row._replace(page_id=state.page_id)
            nodes.put(connection, self._memory.row.id, self._rules.mark, described)

    @property
    def result(self) -> Written:
        """What came of it."""
        made = self._written if self._written.commit else Written("", ())
        return replace(made, notices=tuple(self.notices))


class Gatekeeper:
    """What the collection of a knowledge base asks of whoever writes a page: see vault/filed.py."""

    suffix = ".org"

    def __init__(self, kb: Kb, memory: Memory, verb: str, notify: Callable[[str], None]) -> None:
        self._kb = kb
        self._memory = memory
        self._verb = verb
        self._notify = notify

    @contextmanager
    def passage(self) -> Iterator[None]:
        """Pass the gate; what a person should know is told afterwards."""
        with gate_of(self._kb, self._memory, verb=self._verb) as gate:
            yield
        for notice in gate.notices:
            self._notify(notice)

    def amended(self, text: str) -> str:
        """A node says when it was last changed; one that does not is for lint to refuse."""
        if "UPDATED" not in parse(text, "").properties:
            return text
        return edits.set_property(text, "UPDATED", self._kb.today)


@contextmanager
def gate_of(
    kb: Kb,
    memory: Memory,
    *,
    adopting: Collection[str] | None = (),
    offline: bool = False,
    verb: str = "Edit",
) -> Iterator[Gate]:
    """Pass the gate: what the block changes in one transaction of the memory is committed, or nothing is.

    `adopting` names files that a person has changed already and that become part of the commit (None: all
    that are changed); where the write fails they stay as the person left them. Others that are changed stay
    out of it: checked and indexed is what the commit will hold. Without a name, they keep from writing.
    """
    check_place(kb.root, writing=True)
    with lock.write_lock(kb.git):
        gate = Gate(kb, memory, verb)
        gate.enter(adopting, offline)
        with gate.open():
            yield gate


def recovery_notes(kb: Kb) -> tuple[str, ...]:
    """Undo what a process that was killed left half-written; what to say of it. The lock must be held."""
    restored = recover(kb)
    return (f"a write that was interrupted has been undone: {path_list(restored)}",) if restored else ()


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


def message(verb: str, title: str) -> str:
    """A commit's message."""
    line = f"{verb} {title}"
    return line if len(line) <= _MESSAGE_WIDTH else line[: _MESSAGE_WIDTH - 1] + "…"


def _message(verb: str, paths: Collection[str], before: list[NodeRow], after: list[NodeRow]) -> str:
    """A message for a change that has none of its own."""
    known = {row.path: row.title for row in (*before, *after)}
    titles = list(dict.fromkeys(known[path] for path in paths if path in known))
    if len(titles) == 1:
        return message(verb, titles[0])
    count = len(titles) or len(paths)
    return f"{verb} {count} {plural('node' if titles else 'file', count)}"


def _work(now: State) -> list[Changed]:
    """The files that somebody has changed."""
    return [each for each in now.changed if not is_litter(each.path) and not is_generated(each.path)]


def _adopted_files(kb: Kb, now: State, adopting: Collection[str] | None) -> tuple[str, ...]:
    """The changed files that become part of the commit; what is generated always does."""
    dirty = dict.fromkeys(each.path for each in now.changed if not is_litter(each.path))
    for path in adopting or ():
        if path not in dirty and not os.path.lexists(kb.file(path)):
            raise NotFound(
                f"there is no {path}, and none was removed", hint="`ai-kb status` says what has changed."
            )
    return tuple(path for path in dirty if adopting is None or path in adopting or is_generated(path))


def _last_commit_of(kb: Kb, now: State) -> dict[str, bytes | None]:
    """What the files that have changed are in the last commit; None for one that is new."""
    work = _work(now)
    known = kb.git.last_commit_of(dict.fromkeys(each.path for each in work if each.code != "??"))
    found = {each.path: None for each in work} | known
    return {folder.stored(path): data for path, data in found.items()}


def _refuse_dirt(kb: Kb, now: State) -> None:
    """Somebody's unfinished work is neither committed under another's name nor put at risk."""
    dirt = [each.path for each in _work(now)]
    if dirt:
        raise Conflict(
            f"{kb.root} has changes that are not committed: {path_list(dirt)}",
            hint="Nothing was written. `ai-kb commit` checks and commits them; git can take them back.",
            paths=dirt,
        )


def _refuse_other_encoding(path: str, present: bytes | None) -> None:
    """A file that is not UTF-8 was read with losses; written back, they would be for ever."""
    try:
        (present or b"").decode()
    except UnicodeDecodeError:
        raise Conflict(
            f"{path} is not UTF-8, so it cannot be changed without loss", hint="Convert it, say with iconv."
        ) from None
