"""Reading transcripts into the memory, piece by piece, so that no turn is there twice and none is lost.

A step reads a few megabytes, masks secrets, adds a batch to the archive and commits the rows. Whatever ends a
step in between, the next one finds out from sizes and marks what there is. Steps of several processes take
turns by the archive's lock.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import apsw

from quaid.conversations.archives import Archive, Head, KeptTurn, key_of
from quaid.conversations.pieces import BLOCK, REPLACED, Piece, file_piece, is_same, session_piece
from quaid.conversations.transcripts import Source, open_bytes
from quaid.foreign.transcripts.turn import Context, Turn
from quaid.formats.secrets import masked
from quaid.model.record import fill, record, replace
from quaid.store import conversations, embeddings, erasure, turns
from quaid.store.connection import Store
from quaid.store.conversations import ConversationRow
from quaid.store.scope import CONVERSATIONS
from quaid.store.turns import NewTurn

_SMALL = 20_000  # what a file costs besides its bytes, counted as bytes
_TITLE = 80
_STATED = ("path", "project", "branch", "title")  # what a mark says of a conversation
NOBODY_SPEAKS = (
    "nobody speaks in it as far as Quaid can tell; it reads JSON lines with role and content, and Markdown "
    "with headings such as `## User` and `## Assistant`"
)
Progress = Callable[[int, int], None]


@record
class Problem:
    """A transcript that could not be read, and why."""

    path: str
    reason: str


@record
class Indexed:
    """What a run did."""

    transcripts: int = 0
    changed: int = 0
    turns: int = 0
    bytes: int = 0
    malformed: int = 0
    problems: tuple[Problem, ...] = ()


class Indexer:
    """Reads transcripts into one memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.archive = Archive(store.path)
        self._file: IO[bytes] | None = None
        self._seen: Counter[str] | None = None  # turns without an id, while a file is read from its beginning

    def run(
        self, sources: Iterable[Source], *, all_anew: bool = False, progress: Progress | None = None
    ) -> Indexed:
        """Read what is new in transcripts. Those that did not change are not opened."""
        given = list(sources)
        waiting = given if all_anew else self._new_or_changed(given)
        total = Counter(transcripts=len(given))
        problems: list[Problem] = []
        place = 0
        try:
            while place < len(waiting):
                place = self._group(waiting, place, all_anew, total, problems)
                if progress:
                    progress(place, len(waiting))
        finally:
            self._close()
        return Indexed(**total, problems=tuple(problems))

    def _new_or_changed(self, sources: Sequence[Source]) -> list[Source]:
        """Those that are new, have changed, or are not forgotten."""
        known: dict[tuple[str, str], tuple[str, bool]] = {}
        for key, path, state, forgotten in conversations.states(self.store.connection):
            known[key, path] = state, forgotten
        found = []
        for source in sources:
            before = known.get((_key(source), _path_text(source.path)))
            if before is None or not (before[1] or is_same(source, json.loads(before[0]))):
                found.append(source)
        return found

    def _group(
        self, sources: list[Source], place: int, anew: bool, total: Counter[str], problems: list[Problem]
    ) -> int:
        """One transaction over as many transcripts as make a block; the answer is the next one."""
        left = BLOCK
        counted: Counter[str] = Counter()
        failed: list[Problem] = []
        with self.archive.exclusive(), self.store.write() as connection:
            while left > 0 and place < len(sources):
                source = sources[place]
                row = self._row_in_step(connection, _key(source))
                piece = self._next(source, row, anew, failed)
                left -= _SMALL + (piece.used if piece else 0)
                if piece and (row or not _is_silent(source, piece)):
                    added = self._keep(connection, source, row, piece)
                    counted.update(turns=added, bytes=piece.used, malformed=piece.parsed.malformed)
                    counted["changed"] += piece.finished
                elif piece and piece.used and (source.named or source.client != "markdown"):
                    failed.append(Problem(_path_text(source.path), NOBODY_SPEAKS))
                if piece is None or piece.finished:
                    self._close()
                    place += 1
        total.update(counted)
        problems += failed
        return place

    def _next(
        self, source: Source, row: ConversationRow | None, anew: bool, failed: list[Problem]
    ) -> Piece | None:
        """Read the next piece of a transcript; None if it is forgotten, or cannot be read."""
        if row and row.forgotten:
            return None
        first = self._file is None
        state = {} if row is None or (anew and first) else row.state
        context = Context(source.session)
        if row:
            context = Context(source.session, row.project, row.branch, row.title)
        try:
            if source.client == "opencode":
                piece = session_piece(source, state)
            else:
                self._file = self._file or open_bytes(source.path)
                piece = file_piece(self._file, source, state, context)
        except (OSError, apsw.Error) as error:
            failed.append(Problem(_path_text(source.path), getattr(error, "strerror", None) or str(error)))
            return None
        if first or piece.again:
            self._seen = Counter() if piece.again or not state else None
        if anew and first and source.client in REPLACED:
            return replace(piece, instead=True)
        return piece

    def _keep(
        self, connection: apsw.Connection, source: Source, row: ConversationRow | None, piece: Piece
    ) -> int:
        """Add what was read to the archive and to the rows; the answer is how many turns are new."""
        head = Head(_key(source), source.client, source.session, source.parent)
        if row and piece.instead:
            conversations.remove(connection, row.id)
            row = None
        if row is None:
            row = conversations.put(connection, fill(ConversationRow, head, id=0))
        kept = self._new(connection, row.id, piece.parsed.turns)
        context = piece.parsed.context
        mark = {
            "path": _path_text(source.path),
            "project": context.project,
            "branch": context.branch,
            "title": masked(context.title, allowing=False),
            "malformed": row.malformed + piece.parsed.malformed,
            "source": piece.state,
        }
        end = self.archive.append(head, kept, mark, row.archived)
        _add(connection, row, kept, mark, end)
        return len(kept)

    def _new(self, connection: apsw.Connection, conversation: int, found: Iterable[Turn]) -> list[KeptTurn]:
        """The turns that the conversation does not have yet, masked."""
        kept: dict[str, KeptTurn] = {}
        counts = Counter[str]() if self._seen is None else self._seen
        for turn in found:
            text = masked(turn.text, allowing=False)
            identity = turn.id
            if not identity:
                named = "~" + sha256(f"{turn.role}\0{turn.time}\0{text}".encode()).hexdigest()[:20]
                if self._seen is None and named not in counts:
                    counts[named] = turns.repeated(connection, conversation, named)
                identity = f"{named}#{counts[named]}"
                counts[named] += 1
            kept.setdefault(identity, KeptTurn(turn.role, text, turn.time, identity, turn.sidechain))
        known = turns.known_turns(connection, conversation, kept)
        return [turn for identity, turn in kept.items() if identity not in known]

    def _row_in_step(self, connection: apsw.Connection, key: str) -> ConversationRow | None:
        """The row of a conversation, after it and its archive have been brought into step."""
        row = conversations.by_key(connection, key)
        size, archived = self.archive.size(key), row.archived if row else 0
        if size == archived:
            return row
        if row and size < archived:
            return self._shortened(connection, row)
        if row and not self.archive.ends_at(key, archived, row.state):
            conversations.remove(connection, row.id)
            row, archived = None, 0
        head, batches = self.archive.read(key, archived)
        if head and head.forgotten:
            return _put_forgotten(connection, key, row, size)
        if row is None:
            head = head or Head(key, "plain", key)  # somebody has damaged its first line
            row = conversations.put(connection, fill(ConversationRow, head, id=0, key=key))
        for batch in batches:
            row = _add(connection, row, batch.turns, batch.mark, batch.end)
        return row

    def _shortened(self, connection: apsw.Connection, row: ConversationRow) -> ConversationRow:
        """An archive has become shorter: it is forgotten, or lost, and then it is written from the rows."""
        head, _ = self.archive.read(row.key)
        if row.forgotten or (head and head.forgotten):
            return _put_forgotten(connection, row.key, row, self.archive.forget(row.key))
        kept = [KeptTurn(*each) for each in turns.everything(connection, row.id)]
        mark = {
            **{name: getattr(row, name) for name in (*_STATED, "malformed")},
            "source": row.state,
        }
        end = self.archive.rewrite(fill(Head, row), kept, mark)
        return _add(connection, row, (), mark, end)

    def restore(self, *, thorough: bool = False) -> int:
        """Make rows of what the archive has and the memory has not; the answer is how many conversations.

        Unless it is thorough, sizes are not looked at: a file without a row is what a lost memory leaves.
        """
        kept = self.archive.conversation_keys()
        known = conversations.keys(self.store.connection) if kept else {}
        lost = [
            key for key in kept if key not in known or (thorough and known[key] != self.archive.size(key))
        ]
        if not lost:
            return 0
        with self.archive.exclusive():
            for key in lost:
                with self.store.write() as connection:
                    self._row_in_step(connection, key)
        return len(lost)

    def take(self, head: Head, found: Sequence[KeptTurn], facts: Mapping[str, str], *, instead: bool) -> int:
        """Keep turns that another machine has read; how many are new. `instead`: of all that is here.

        How far a transcript on this machine was read stays as it is.
        """
        with self.archive.exclusive(), self.store.write() as connection:
            row = self._row_in_step(connection, head.key)
            if row and row.forgotten:
                return 0
            before = row
            if row and instead:
                conversations.remove(connection, row.id)
                row = None
            if row is None:
                row = conversations.put(connection, fill(ConversationRow, head, id=0))
            known = turns.known_turns(connection, row.id, [turn.identity for turn in found])
            new = [turn for turn in found if turn.identity not in known]
            mark = {
                **{
                    name: (getattr(before, name) if before else "") or facts.get(name, "") for name in _STATED
                },
                "malformed": before.malformed if before else 0,
                "source": before.state if before else {},
            }
            _add(connection, row, new, mark, self.archive.append(head, new, mark, row.archived))
        return len(new)

    def forget(self, key: str) -> None:
        """Erase a conversation from the memory and from the archive; it is not read again."""
        with self.archive.exclusive():
            size = self.archive.forget(key)
            with erasure.erasing(self.store) as connection:
                _put_forgotten(connection, key, conversations.by_key(connection, key), size)
                embeddings.collect(connection, CONVERSATIONS)
                turns.merge_words(connection)

    def _close(self) -> None:
        if self._file:
            self._file.close()
        self._file = self._seen = None


def _put_forgotten(
    connection: apsw.Connection, key: str, row: ConversationRow | None, size: int
) -> ConversationRow:
    """Keep only that a conversation is forgotten. Its path stays, so that its file is not opened again."""
    if row:
        conversations.remove(connection, row.id)
    path = row.path if row else ""
    return conversations.put(
        connection, ConversationRow(0, key, "", "", path=path, archived=size, forgotten=True)
    )


def _add(
    connection: apsw.Connection,
    row: ConversationRow,
    kept: Sequence[KeptTurn],
    mark: dict[str, Any],
    end: int,
) -> ConversationRow:
    """Bring the rows of a conversation up to the end of a batch."""
    fresh = [
        fill(NewTurn, turn, ordinal=row.turns + number, hash=sha256(turn.text.encode()).digest()[:16])
        for number, turn in enumerate(kept, 1)
    ]
    turns.add(connection, row.id, fresh)
    times = [turn.time for turn in kept if turn.time]
    stated = {name: str(mark.get(name) or getattr(row, name)) for name in _STATED}
    return conversations.put(
        connection,
        replace(
            row,
            **stated | {"title": stated["title"] or _title_of(kept)},
            started=min([each for each in (row.started, *times) if each], default=""),
            ended=max([row.ended, *times]),
            turns=row.turns + len(kept),
            malformed=int(mark.get("malformed") or 0),
            source=json.dumps(mark.get("source") or {}),
            archived=end,
            forgotten=False,
        ),
    )


def _title_of(kept: Sequence[KeptTurn]) -> str:
    said = next((turn.text for turn in kept if turn.role == "user"), "")
    line = " ".join(said[: 4 * _TITLE].split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def _path_text(path: Path) -> str:
    """A path as text that can be stored, whatever bytes it has."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_silent(source: Source, piece: Piece) -> bool:
    """Whether a whole file is no transcript: a note, or lines that mean nothing to us."""
    return source.client in ("markdown", "plain") and piece.finished and not piece.parsed.turns


def _key(source: Source) -> str:
    return key_of(source.client, source.session, source.parent)
