"""Conversations brought into step with a folder that several machines share.

Turns are known by their ids: what the folder has and the archive has not is taken in, and the other way
round, so that nothing is there twice, whoever has read a transcript. What is forgotten anywhere is forgotten
everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from quaid.conversations.archives import Head, KeptTurn
from quaid.conversations.indexer import Indexer
from quaid.conversations.keyring import IMPORT
from quaid.conversations.pieces import REPLACED
from quaid.conversations.shelf import FOLDER, Part, Shelf
from quaid.errors import NotFound, Untrusted
from quaid.files import read_own, replace_file
from quaid.formats.secrets import masked
from quaid.model.record import record
from quaid.store.connection import Store

_NOTE = ".shared.json"  # in the archive: what was in step with which folder
_MOST = 64_000_000  # bytes of it
_FACTS = ("project", "branch", "title")


@record
class Shared:
    """What came of it."""

    given: int = 0  # conversations of which something was put there
    taken: int = 0  # turns that came
    forgotten: int = 0  # conversations, because they are forgotten elsewhere
    withheld: int = 0  # turns that stay here, because they look like secrets
    problem: str = ""  # why not all is exchanged
    hint: str = ""
    notices: tuple[str, ...] = ()


@record
class _Kept:
    """A conversation as the archive has it."""

    head: Head | None
    turns: tuple[KeptTurn, ...]
    facts: dict[str, str]
    time: str  # when it was last written


def obstacle(shelf: Shelf) -> tuple[str, str]:
    """Why nothing may be put into a folder, and what to do: a key is missing, or others seal theirs."""
    if shelf.form == "plain":
        sealed = shelf.other.parts()
        said = f"{_turn_count(len(sealed))} encrypted, and here they are to be plain"
        return (said, "quaid sync init --conversations encrypted") if sealed else ("", "")
    used = {shelf.sealed_by(key, name) for key, names in shelf.parts().items() for name in names}
    missing = sorted(used - {each.id for each in shelf.keyring.keys} - {""})
    said = f"conversations are sealed with a key that is not here ({', '.join(missing)})"
    return (said, f"{IMPORT} Until then, none is put there.") if missing else ("", "")


class Exchange:
    """One memory's conversations and one folder's."""

    def __init__(self, store: Store, shelf: Shelf) -> None:
        self._indexer = Indexer(store)
        self._archive = self._indexer.archive
        self._shelf = shelf
        self._writing = False
        self._given = self._taken = self._forgotten = self._withheld = 0
        self._notices: list[str] = []
        self._unsound: set[str] = set()  # conversations of which a part cannot be used

    def run(self, *, writing: bool) -> Shared:
        """Take in what the folder has; `writing`: put there what it has not."""
        problem, hint = obstacle(self._shelf)
        if not problem or self._shelf.form == "encrypted":
            self._bring_all(writing=writing and not problem)
        stray = len(self._shelf.other.parts()) if self._shelf.form == "encrypted" else 0
        if stray:
            how = "quaid sync init --conversations encrypted takes them in, whoever has put them there"
            self._notices.append(f"{_turn_count(stray)} in plain text and not used: {how}")
        return self._with_problem(problem, hint)

    def convert(self) -> Shared:
        """Bring all that stands there in the other form into this one: first it is taken in, then written."""
        other = Exchange(self._indexer.store, self._shelf.other)
        left = other._shelf.parts()
        for key, names in left.items():
            other._bring(key, other._read(key, names))
        problem, hint = obstacle(other._shelf if self._shelf.form == "plain" else self._shelf)
        self._bring_all(writing=not problem)
        if not (problem or other._unsound):
            for key, names in left.items():
                other._shelf.drop(key, names)
        return self._with_problem(problem, hint)

    def _bring_all(self, *, writing: bool) -> None:
        self._writing = writing
        if writing:
            with self._archive.exclusive():  # which whoever writes a part holds
                self._shelf.sweep()
        there, known = self._shelf.parts(), self._noted_hashes()
        for key in sorted({*there, *self._archive.conversation_keys()}):
            names = there.get(key, ())
            if known.get(key) != self._stamp(key, names):
                self._bring(key, self._read(key, names))
        if writing:  # what was only taken in may be behind: what it would be given is seen the next time
            self._note()

    def _with_problem(self, problem: str, hint: str) -> Shared:
        return Shared(
            given=self._given,
            taken=self._taken,
            forgotten=self._forgotten,
            withheld=self._withheld,
            problem=problem,
            hint=hint,
            notices=tuple(self._notices),
        )

    def _read(self, key: str, names: Sequence[str]) -> list[Part]:
        """The parts that can be used; what cannot is said, and stands there as if it did not."""
        found = []
        for name in names:
            try:
                found.append(self._shelf.read(key, name))
            except NotFound:  # the key is missing: said once for all
                self._unsound.add(key)
            except Untrusted as error:
                self._unsound.add(key)
                self._notices.append(f"{FOLDER}/{key}/{name} is not used: {error.message}")
        return found

    def _bring(self, key: str, parts: list[Part]) -> None:
        """Bring one conversation into step."""
        kept = self._copy_of(key)
        if any(part.head.forgotten for part in parts) or (kept.head and kept.head.forgotten):
            self._forget(key, kept, parts)
            return
        client = (kept.head or parts[0].head).client if kept.head or parts else ""
        if client in REPLACED:
            self._bring_whole(key, kept, parts)
            return
        here, there = ({turn.identity for turn in turns} for turns in (kept.turns, _turns(parts)))
        new = [turn for turn in _turns(parts) if turn.identity not in here]
        if new:
            self._take(parts[0].head, new, parts)
        if self._writing and kept.head and kept.head.is_sound:
            self._give(kept.head, kept, [turn for turn in kept.turns if turn.identity not in there])

    def _bring_whole(self, key: str, kept: _Kept, parts: list[Part]) -> None:
        """A file of a person's, who corrects it: the latest reading of it stands for all."""
        latest = max(parts, key=lambda part: (part.head.whole, part.name), default=None)
        if latest and _sayings(latest.turns) == _sayings(self._shelf.publishable(kept.turns)):
            self._drop_all_but(key, parts, latest.name)
        elif latest and (kept.head is None or latest.head.whole > kept.time):
            self._take(latest.head, latest.turns, [latest], instead=True)
            # It is as old as where it comes from: a correction that was made meanwhile elsewhere is newer.
            with suppress(ValueError, OverflowError, OSError):
                self._archive.date(key, datetime.fromisoformat(latest.head.whole).timestamp())
            self._drop_all_but(key, parts, latest.name)
        elif self._writing and kept.head and kept.head.is_sound:
            head = Head(key, kept.head.client, kept.head.session, kept.head.parent, whole=kept.time)
            self._drop_all_but(key, parts, self._give(head, kept, kept.turns))

    def _drop_all_but(self, key: str, parts: Iterable[Part], name: str) -> None:
        if self._writing:
            self._shelf.drop(key, [part.name for part in parts if part.name != name])

    def _give(self, head: Head, kept: _Kept, turns: Sequence[KeptTurn]) -> str:
        """Put turns there as a part of their own; its name."""
        chosen = self._shelf.publishable(turns)
        self._withheld += len(turns) - len(chosen)
        if not chosen:
            return ""
        self._given += 1
        with self._archive.exclusive():
            return self._shelf.write(head, kept.turns.index(chosen[0]) + 1, chosen, dict(kept.facts))

    def _take(
        self, head: Head, turns: Iterable[KeptTurn], parts: Sequence[Part], *, instead: bool = False
    ) -> None:
        facts = _facts([batch.mark for part in parts for batch in part.batches])
        sound = [
            KeptTurn(turn.role, masked(turn.text, allowing=False), turn.time, turn.identity, turn.sidechain)
            for turn in turns
        ]
        self._taken += self._indexer.take(head, sound, facts, instead=instead)

    def _forget(self, key: str, kept: _Kept, parts: Sequence[Part]) -> None:
        """Forgotten here or elsewhere: one part says so, and the others go."""
        if not (kept.head and kept.head.forgotten):
            self._indexer.forget(key)
            self._forgotten += bool(kept.turns)
        if self._writing:
            with self._archive.exclusive():
                said = self._shelf.write(Head(key, forgotten=True), 0, (), {})
            self._given += said not in [part.name for part in parts]
            self._drop_all_but(key, parts, said)

    def _copy_of(self, key: str) -> _Kept:
        head, batches = self._archive.read(key)
        turns = {turn.identity: turn for batch in batches for turn in batch.turns}
        facts = _facts([batch.mark for batch in batches])
        written = self._archive.state(key)[1]
        moment = datetime.fromtimestamp(written / 1e9, UTC).isoformat(timespec="microseconds")
        return _Kept(head, tuple(turns.values()), facts, moment if written else "")

    def _stamp(self, key: str, names: Sequence[str]) -> str:
        """What changes when a conversation does, here or there."""
        keys = [each.id for each in self._shelf.keyring.keys] if self._shelf.form == "encrypted" else []
        there = [(name, self._shelf.state(key, name)) for name in names]
        facts = [self._shelf.form, keys, self._archive.state(key), there]
        return sha256(json.dumps(facts).encode()).hexdigest()[:16]

    def _noted_hashes(self) -> dict[str, str]:
        found = self._notes().get(str(self._shelf.root))
        return found if isinstance(found, dict) else {}

    def _notes(self) -> dict[str, dict[str, str]]:
        with suppress(OSError, ValueError):
            found = json.loads(read_own(self._archive.directory / _NOTE, _MOST))
            return found if isinstance(found, dict) else {}
        return {}

    def _note(self) -> None:
        """Remember what is in step, so that it is not read again."""
        there = self._shelf.parts()
        keys = {*there, *self._archive.conversation_keys()} - self._unsound
        stamps = {key: self._stamp(key, there.get(key, ())) for key in keys}
        if stamps != self._noted_hashes():
            notes = {**self._notes(), str(self._shelf.root): stamps}
            replace_file(self._archive.directory / _NOTE, json.dumps(notes).encode())


def _turns(parts: Iterable[Part]) -> list[KeptTurn]:
    """All turns of some parts, each once."""
    return list({turn.identity: turn for part in parts for turn in part.turns}.values())


def _facts(marks: Sequence[dict[str, Any]]) -> dict[str, str]:
    """What marks say of a conversation, the last one first."""
    found = {
        name: next((str(mark[name]) for mark in reversed(marks) if mark.get(name)), "") for name in _FACTS
    }
    return {**found, "title": masked(found["title"], allowing=False)}


def _turn_count(count: int) -> str:
    return f"{count} conversation{'s' if count != 1 else ''} in the folder {'are' if count != 1 else 'is'}"


def _sayings(turns: Iterable[KeptTurn]) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in turns]
