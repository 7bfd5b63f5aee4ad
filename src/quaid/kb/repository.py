"""A knowledge base: its directory, git, and the rows of its nodes in a memory of the engine.

Its own memory is in `.quaid` beside the nodes, ignored by git. Removed, it is made anew by the next command.
What a folder brings along that the person has not trusted is not believed, and nothing is written there: the
memory of such a one is among the person's own files.
A memory to which the knowledge base is attached has such rows too; both are kept in step with the files.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from quaid.errors import Busy, Corrupt, InvalidInput, QuaidError, ReadOnly, StorageFailed
from quaid.formats.encoding import encode
from quaid.kb.base import Rules, read, rules_of
from quaid.kb.node import Node, parse
from quaid.kb.place import is_kb
from quaid.model.record import record
from quaid.store import collections, file_state, nodes
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store, is_made
from quaid.store.failures import translation
from quaid.store.nodes import NodeRow, Searched, Text
from quaid.sync.repository import Repository
from quaid.trust import DIRECTORY, Territory, Trust, real
from quaid.vault.agreement import agreement, note
from quaid.vault.plan import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quaid.kb.nodes import Nodes
    from quaid.model.actor import Actor
    from quaid.store.history import Keeping
    from quaid.vault.changes import FileChanges
    from quaid.vault.mirror import Mirror

DATABASE = "memory.db"
NAME, PROFILE = "kb", "kb"
PATIENCE = 0.5  # seconds that a question waits for somebody who writes
BUSY_TIMEOUT = 30.0  # seconds that a write waits


def utc_now() -> str:
    """This moment, as it is stored."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Memory:
    """The pages of one knowledge base in one memory."""

    def __init__(
        self,
        store: Store,
        row: CollectionRow,
        root: Path,
        changes: Callable[[], FileChanges],
        now: Callable[[], str] = utc_now,
        keeping: Callable[[], Keeping] | None = None,
    ) -> None:
        self.store = store
        self.row = row
        self.root = root
        self.now = now
        self._changes = changes
        self._keeping = keeping

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection."""
        return self.store.connection

    @cached_property
    def changes(self) -> FileChanges:
        """The changes of files that belong to this memory's transactions."""
        return self._changes()

    @cached_property
    def mirror(self) -> Mirror:
        """What reads files into rows."""
        from quaid.vault.mirror import Mirror  # only where files have changed

        return Mirror(self.row, self.root, self.now, self._keeping)

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    @property
    def rules(self) -> Rules:
        """By what nodes are read: the contract may change at any time."""
        return rules_of(self.root)

    def refresh(self, *, patiently: bool = False, writer: Callable[[str], Actor] | None = None) -> None:
        """See what was done to files, and by whom where `writer` knows.

        A question does not wait long for somebody who writes.
        """
        connection = self.connection
        known = file_state.count(connection, self.row.id)
        found = agreement(connection, self.row, self.root, known)
        if found.in_step:
            if found.prints:
                note(self.store, self.row, found)
            return
        if patiently:
            self._sync(found.survey, writer)
            return
        with suppress(Busy, ReadOnly), self.store.impatient(PATIENCE):
            self._sync(found.survey, writer)

    def _sync(self, found: Survey | None, writer: Callable[[str], Actor] | None) -> None:
        from quaid.vault.sync import Sync  # only where files have changed

        # That it is a knowledge base, its contract or index says: one without nodes is no alarm.
        sync = Sync(self.store, self.mirror, self.now, writer)
        if sync.run(accept_empty=True, found=found).changed:
            self.rows()

    def rows(self, rules: Rules | None = None) -> list[NodeRow]:
        """All nodes, by path; pages that have not been read by the rules, or today's, are read now."""
        chosen = rules or self.rules
        known, unread = nodes.known_nodes(self.connection, self.row.id, chosen.mark)
        if not unread:
            return known
        from quaid.kb import facts  # only where something has changed

        with self._writing() as connection:
            known += facts.read_all(connection, self.row.id, unread, chosen)
        return sorted(known, key=lambda row: row.path)

    def unsound(self) -> frozenset[str]:
        """The nodes that could not be committed as they are, such as those with both sides of a merge."""
        from quaid.kb import facts  # only for who has not finished a merge

        return frozenset(row.path for row in self.rows() if facts.fatal_findings(row))

    def node(self, page_id: int) -> Node:
        """A node, read from its page."""
        page = nodes.page(self.connection, page_id)
        return parse(text_of(page), page.path)

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """A transaction for what is derived; where nothing can be written, it is derived in vain."""
        if self.connection.in_transaction:
            yield self.connection
            return
        with self.store.hasty(), self.store.write() as connection:
            yield connection


def text_of(page: Text | Searched) -> str:
    """A node's text as a knowledge base sees it: what is not UTF-8 cannot be read."""
    if page.encoding.startswith("utf-8"):
        return page.text
    return encode(page.text, page.encoding).decode(errors="replace")


def own_memory(kb: Repository) -> Memory:
    """The memory in a knowledge base's own `.quaid`; where nothing may be written, one in the person's state.

    What a config.toml there says of other folders is not heeded. Nor is a link: clones bring both.
    """
    own = _believed_place(kb)
    if own:
        with suppress(ReadOnly, StorageFailed):
            return _memory_at(own, "..", kb)
    return _memory_at(kb.state_place / DATABASE, str(kb.root.resolve()), kb)


def _has_memory(kb: Repository) -> bool:
    """Whether a knowledge base has a memory already."""
    own = _believed_place(kb)
    return (own is not None and is_made(own)) or is_made(kb.state_place / DATABASE)


def _believed_place(kb: Repository) -> Path | None:
    """The memory's file in a knowledge base's own `.quaid`, if the person trusts it and it is no link."""
    place = kb.root / DIRECTORY / DATABASE
    is_believed = kb.trust.accepts(kb.root) and real(place) == real(kb.root) / DIRECTORY / DATABASE
    return place if is_believed else None


def _memory_at(place: Path, stated: str, kb: Repository) -> Memory:
    with translation(place):
        if not is_made(place):
            _make(place, stated)
    try:
        store = Store.open(place, BUSY_TIMEOUT)
    except Corrupt as error:
        hint = f"It is derived from the files: remove {place.parent}, and the next command makes it anew."
        raise Corrupt(error.message, hint=hint) from None
    if store.connection.readonly("main"):
        raise ReadOnly(f"{place} cannot be written", hint="Look at its permissions.")
    changes = partial(_changes, store, kb.trust)
    return Memory(store, _row(store, kb.root) or _kb_collection(store, stated), kb.root.resolve(), changes)


def _changes(store: Store, trust: Trust) -> FileChanges:
    from quaid.vault.changes import FileChanges  # a question is answered without it

    made = FileChanges(store.path, Territory(trust, store.path))
    store.companion = lambda: made
    return made


def _row(store: Store, root: Path) -> CollectionRow | None:
    inside = os.path.realpath(root)
    for row in collections.of_files(store.connection):
        if row.profile == PROFILE and os.path.realpath(store.path.parent / (row.root or "")) == inside:
            return row
    return None


def _make(place: Path, stated: str) -> None:
    from quaid.files import make_private_directory, replace_file  # only where a memory is lost
    from quaid.vault.attachments import REBUILT, Attachment, attachments_of, insert, record_all

    make_private_directory(place.parent)
    if not (place.parent / ".gitignore").exists():
        replace_file(place.parent / ".gitignore", b"*\n")
    before = [each for each in attachments_of(place) if each.profile == PROFILE and each.root == stated]
    first = before[0].first_version + REBUILT if before else 1

    def fill(connection: apsw.Connection) -> None:
        insert(connection, Attachment(NAME, stated, PROFILE, default=True), first)
        record_all(connection, place)

    Store.create(place, BUSY_TIMEOUT, fill).close()


def _kb_collection(store: Store, stated: str) -> CollectionRow:
    """Make room for the nodes in a memory that was made for something else."""
    from quaid.vault.attachments import Attachment, insert, record_all  # hardly ever

    known = collections.names(store.connection)
    name = next(each for each in (NAME, *(f"{NAME}-{n}" for n in range(2, 100))) if each not in known)
    with store.write() as connection:
        row = insert(connection, Attachment(name, stated, PROFILE))
        record_all(connection, store.path)
    return row


@record
class Kb(Repository):
    """One knowledge base, and the surroundings in which it is used."""

    @cached_property
    def memory(self) -> Memory:
        """The rows of its nodes, in its own `.quaid`."""
        if not is_kb(self.root):
            read(self.root)  # it says what is wrong
        return own_memory(self)

    def close(self) -> None:
        """Let go of its memory, if it was opened."""
        if "memory" in self.__dict__:
            self.memory.close()

    def rows_by_path(self) -> Mapping[str, tuple[str, NodeRow]]:
        """What its memory has read of files, by path, with the hashes of their bytes. None is made for it."""
        try:
            if "memory" not in self.__dict__ and not _has_memory(self):
                return {}
            memory = self.memory
            return nodes.by_hash(memory.connection, memory.row.id, memory.rules.mark)
        except QuaidError:  # it is derived: whoever reads files does without
            return {}

    def nodes(self) -> Nodes:
        """Its nodes as the files have them now."""
        from quaid.kb.nodes import Nodes  # a question by words is answered without it

        self.memory.refresh()
        return Nodes(self.memory)


def open_kb(root: Path, environment: Mapping[str, str], home: Path) -> Kb:
    """A knowledge base, which need not exist yet, as the environment wants it: a timeout is in seconds."""
    seconds = environment.get("AI_KB_FETCH_TIMEOUT") or ""
    try:
        return Kb(root, environment, home, float(seconds) if seconds else None)
    except ValueError:
        raise InvalidInput(f"AI_KB_FETCH_TIMEOUT must be a number of seconds, not {seconds!r}") from None
