"""Conversations of two memories that share a folder: all in both, nothing twice, no word from strangers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.conversations.exchange import Exchange, Shared
from quaid.conversations.indexer import Indexer
from quaid.conversations.keyring import Keyring
from quaid.conversations.shelf import FOLDER, Form, Shelf
from quaid.conversations.transcripts import of_paths
from quaid.errors import Untrusted
from quaid.store import conversations, turns
from quaid.store.connection import Store
from tests.support import memory_at

FIRST, SECOND = "The walrus eats clams.", "Only on Mondays."


class Memory:
    """A memory of one person on one machine, and the folder that all share."""

    def __init__(self, place: Path, name: str, form: Form) -> None:
        self.home = place / name
        self.store: Store = memory_at(self.home / "memory.db")
        self.shared = place / "shared"
        self.form: Form = form

    @property
    def keyring(self) -> Keyring:
        return Keyring(self.home)

    def exchange(self) -> Exchange:
        return Exchange(self.store, Shelf(self.shared, self.form, self.keyring))

    def sync(self, *, writing: bool = True) -> Shared:
        return self.exchange().run(writing=writing)

    def say(self, *texts: str, session: str = "chat", suffix: str = ".jsonl") -> None:
        """Have a transcript with these turns."""
        place = self.home / f"{session}{suffix}"
        line = '{{"type":"user","uuid":"{0}","sessionId":"chat","message":{{"role":"user","content":"{1}"}}}}'
        lines = [line.format(f"{session}-{text}", text) for text in texts]
        headings = [f"## User\n\n{text}" for text in texts]
        place.write_text("\n".join(headings if suffix == ".md" else lines) + "\n")
        Indexer(self.store).run(of_paths([str(place)], "claude" if suffix == ".jsonl" else "markdown"))

    @property
    def told(self) -> list[str]:
        """Everything that was said, in its order."""
        connection = self.store.connection
        found = [conversations.by_key(connection, key) for key in sorted(conversations.keys(connection))]
        return [text for row in found if row for _, text, *_ in turns.everything(connection, row.id)]

    def forget(self) -> None:
        (key,) = conversations.keys(self.store.connection)
        Indexer(self.store).forget(key)

    def take_keys(self, other: Memory) -> None:
        self.keyring.add(other.keyring.keys)

    def parts(self) -> list[Path]:
        return sorted(path for path in self.shared.rglob("*") if path.is_file())


@pytest.fixture(params=["plain", "encrypted"])
def both(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Memory, Memory]]:
    """Two memories that share in the same form, with the same key."""
    one, two = (Memory(tmp_path, name, request.param) for name in ("one", "two"))
    one.keyring.sealing_key()
    two.take_keys(one)
    yield one, two
    one.store.close()
    two.store.close()


sealed_only = pytest.mark.parametrize("both", ["encrypted"], indirect=True)
plain_only = pytest.mark.parametrize("both", ["plain"], indirect=True)
Both = tuple[Memory, Memory]


def test_each_gets_what_the_other_has_and_nothing_is_there_twice(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    assert one.sync().given == 1
    two.say(FIRST, SECOND, session="chat")  # the same conversation, further on
    assert (two.sync().taken, two.sync().given) == (0, 0)
    one.sync()
    assert one.told == two.told == [FIRST, SECOND]
    before = {part: part.read_bytes() for part in one.parts()}
    (one.home / "memory.db.conversations" / ".shared.json").unlink()
    assert one.sync() == two.sync() == Shared()
    assert {part: part.read_bytes() for part in one.parts()} == before


def test_a_lost_memory_gets_everything_back_from_the_folder(both: Both) -> None:
    one, two = both
    one.say(FIRST, SECOND)
    one.sync()
    two.sync(writing=False)
    assert two.told == [FIRST, SECOND]
    one.say(FIRST, SECOND, "Later.")
    one.sync()
    assert two.sync().taken == 1
    assert two.told == [FIRST, SECOND, "Later."]


def test_forgotten_anywhere_is_forgotten_everywhere(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    one.sync()
    two.sync()
    two.say(FIRST, SECOND)
    one.forget()
    two.sync()  # which goes on with it meanwhile
    one.sync()
    assert two.sync().forgotten == 1
    assert one.told == two.told == []
    assert len(one.parts()) == 1
    assert b"walrus" not in one.parts()[0].read_bytes()
    kept = b"".join(path.read_bytes() for path in (two.home / "memory.db.conversations").iterdir())
    assert b"walrus" not in kept
    two.say(FIRST, SECOND, "Again.")
    assert (one.sync(), two.sync(), two.told) == (Shared(), Shared(), [])


def test_a_file_that_a_person_corrects_takes_the_place_of_what_it_said(both: Both) -> None:
    one, two = both
    one.say("The walrus eats stones.", suffix=".md")
    one.sync()
    two.sync()
    assert two.told == ["The walrus eats stones."]
    one.say(FIRST, SECOND, suffix=".md")
    one.sync()
    two.sync()
    assert one.told == two.told == [FIRST, SECOND]
    assert len(one.parts()) == 1
    assert one.sync() == two.sync() == Shared()


@sealed_only
def test_without_the_key_it_is_said_and_nothing_is_put_there(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    two.say(SECOND, session="other")
    (two.home / ".quaid" / "conversations.keys").unlink()
    two.keyring.sealing_key()  # one that the first has not got
    one.sync()
    parts = one.parts()
    done = two.sync()
    assert one.keyring.keys[0].id in done.problem
    assert "quaid sync key import" in done.hint
    assert one.parts() == parts
    two.take_keys(one)
    assert two.sync().problem == ""
    assert one.sync().problem == ""
    assert sorted(one.told) == sorted(two.told) == sorted([FIRST, SECOND])


@sealed_only
def test_a_key_that_stands_in_a_text_is_a_secret_like_others(both: Both) -> None:
    one, two = both
    one.say(f"The key is {one.keyring.keys[0]}.")
    one.sync()
    two.sync()
    assert one.told == two.told == ["The key is [secret: quaid-key]."]


@sealed_only
def test_a_part_that_somebody_changed_is_not_used_and_mended_by_who_has_it(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    one.sync()
    (part,) = one.parts()
    sound = part.read_bytes()
    part.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    assert "changed after it was sealed" in two.sync().notices[0]
    assert two.told == []
    one.sync()
    assert part.read_bytes() == sound
    two.sync()
    assert two.told == [FIRST]


@pytest.mark.parametrize("both", ["plain", "encrypted"], indirect=True)
def test_a_part_of_one_conversation_is_none_of_another(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    one.say(SECOND, session="other")
    one.sync()
    first, second = one.parts()
    first.write_bytes(second.read_bytes())
    assert len(two.sync().notices) == 1
    assert len(two.told) == 1


@sealed_only
def test_what_somebody_adds_in_plain_text_is_no_part_of_what_is_sealed(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    one.form = "plain"
    one.sync()
    assert "plain text" in two.sync().notices[0]
    assert two.told == []


@plain_only
def test_what_was_plain_is_sealed_and_nobody_goes_back_unasked(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    two.say(SECOND, session="other")
    one.sync()
    two.sync()
    one.form = "encrypted"
    assert one.exchange().convert().given == 2
    assert {part.suffix for part in one.parts()} == {".sealed"}
    assert sorted(one.told) == sorted([FIRST, SECOND])
    done = two.sync()
    assert ("encrypted" in done.problem, "sync init --conversations encrypted" in done.hint) == (True, True)
    assert {part.suffix for part in one.parts()} == {".sealed"}
    two.form = "encrypted"
    assert two.exchange().convert().problem == ""
    two.form = "plain"
    assert two.exchange().convert().given == 2
    assert {part.suffix for part in one.parts()} == {".jsonl"}


@plain_only
def test_what_would_look_like_a_secret_in_plain_text_stays_here(both: Both) -> None:
    one, two = both
    # In JSON, a name and a word stand as they do in a file of settings.
    one.say(FIRST, r"\"api_key\": \"Zk3vX9qLw72TtBnR5yPd\"")
    one.sync()
    two.sync()
    assert two.told[0] == FIRST
    assert not any(b"Zk3vX9qLw72TtBnR5yPd" in part.read_bytes() for part in one.parts())


def test_links_are_not_followed(both: Both, tmp_path: Path) -> None:
    one, _ = both
    one.say(FIRST)
    outside = tmp_path / "outside"
    outside.mkdir()
    one.shared.mkdir()
    (one.shared / FOLDER).symlink_to(outside)
    with pytest.raises(Untrusted):
        one.sync()
    assert not list(outside.iterdir())


def test_what_is_no_part_is_passed_over(both: Both) -> None:
    one, two = both
    one.say(FIRST)
    one.sync()
    (part,) = one.parts()
    (one.shared / FOLDER / "README").write_text("hello")
    (one.shared / FOLDER / "0123456789ab").write_text("a file where a folder is wanted")
    (part.parent / "notes.txt").write_text("hello")
    (part.parent / ".quaid-0123456789ab.tmp").write_text("half of what somebody wrote who was killed")
    (part.parent / f"99999999-0123456789abcdef{part.suffix}").symlink_to(part)
    assert len(two.sync().notices) == 1
    assert two.told == [FIRST]
    assert not list(part.parent.glob(".quaid-*"))
