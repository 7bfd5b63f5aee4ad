"""Memories that talk, forget, correct and exchange in any order come to hold the same conversations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.conversations.archives import key_of
from quaid.conversations.indexer import Indexer
from quaid.store import conversations
from tests.conversations.test_exchange import Memory
from tests.support import lengths


class Clone(Memory):
    """A memory with a folder of its own, and what git knows of that."""

    def __init__(self, place: Path, name: str) -> None:
        super().__init__(place, name, "encrypted")
        self.shared = place / f"{name}.folder"
        self.shared.mkdir()
        self.base: dict[str, bytes] = {}

    @property
    def files(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.shared)): path.read_bytes() for path in self.parts()}

    def merge(self, hub: dict[str, bytes]) -> None:
        """What git does with files that are added and removed, and never changed."""
        ours = self.files
        for path in {*self.base} - {*ours}:
            hub.pop(path, None)
        hub |= {path: data for path, data in ours.items() if path not in self.base}
        for path in {*ours} - {*hub}:
            (self.shared / path).unlink()
        for path in {*hub} - {*ours}:
            place = self.shared / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(hub[path])
        self.base = dict(hub)

    def exchange_with(self, hub: dict[str, bytes]) -> None:
        assert self.sync().problem == ""
        self.merge(hub)
        self.sync(writing=False)


@pytest.fixture
def clones(tmp_path: Path) -> Iterator[list[Clone]]:
    made = [Clone(tmp_path, name) for name in ("one", "two", "three")]
    made[0].keyring.sealing_key()
    for each in made[1:]:
        each.take_keys(made[0])
    yield made
    for each in made:
        each.store.close()


@lengths("rounds", 25, 400)
def test_any_order_of_what_happens_ends_the_same(clones: list[Clone], rounds: int) -> None:
    rng, hub = random.Random(rounds), dict[str, bytes]()
    said: dict[str, list[str]] = {}
    forgotten: set[str] = set()
    for number in range(rounds):
        clone = rng.choice(clones)
        session = f"s{rng.randrange(4)}"
        act = rng.choice(["say", "say", "say", "correct", "forget", "sync", "sync", "sync"])
        if act == "say":
            # What was said on this machine in a conversation stands in one transcript, which grows.
            texts = said.setdefault(f"{session}/{clone.home.name}", [])
            texts.append(f"{clone.home.name} says {number}")
            clone.say(*texts, session=session)
        elif act == "correct":
            clone.say(f"note {number}", session="notes", suffix=".md")
        elif act == "forget" and rng.random() < 0.4:
            key = key_of("claude", session)
            if conversations.by_key(clone.store.connection, key):
                forgotten.add(session)
                Indexer(clone.store).forget(key)
        else:
            clone.exchange_with(hub)
    for _ in range(4):
        for clone in clones:
            clone.exchange_with(hub)
    first, *others = clones
    assert [each.files for each in others] == [first.files] * 2
    assert [sorted(each.told) for each in others] == [sorted(first.told)] * 2
    expected = {text for where, texts in said.items() if where[:2] not in forgotten for text in texts}
    spoken = [text for text in first.told if " says " in text]
    assert sorted(spoken) == sorted(expected)
    assert len([text for text in first.told if text.startswith("note")]) <= len(clones)
