"""Conversations that machines share through a folder: in plain text, sealed, or not at all."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.support import Ran, Restored, quick
from tests.sync.machines import Machine, World, git

SAID = "The walrus eats clams on Mondays."
FOLDER = ".conversations"


class Desk(Machine):
    """A machine with a home of its own, in which agents keep transcripts."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.home = root.parent / f"{root.name}.home"

    def quaid(self, *words: str, input: str = "") -> Ran:
        return quick(*words, cwd=self.root, env={"HOME": str(self.home)}, input=input)

    def say(self, session: str, *texts: str, start: int = 0) -> None:
        """Have a conversation with an agent, or go on with it."""
        place = self.home / ".claude" / "projects" / "shop" / f"{session}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a") as file:
            for number, text in enumerate(texts, start):
                turn = {
                    "type": "user",
                    "uuid": f"{session}-{number}",
                    "sessionId": session,
                    "cwd": "/home/al/shop",
                    "timestamp": f"2026-04-14T09:00:{number:02}.000Z",
                    "message": {"role": "user", "content": text},
                }
                file.write(json.dumps(turn) + "\n")
        self.ok("conversations", "index")

    def share(self, how: str) -> Ran:
        return self.quaid("sync", "init", "--conversations", how)

    def told(self, session: str) -> list[str]:
        """What was said in a conversation, as the memory has it."""
        ran = self.quaid("conversations", "show", session, "--json")
        return [turn["text"] for turn in ran.json["turns"]] if ran.status == 0 else []

    @property
    def parts(self) -> list[str]:
        return [path for path in self.files if path.startswith(FOLDER)]

    @property
    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "HEAD"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Restored:
    """Two machines that share a folder, each in a home of its own."""
    world = World(tmp_path_factory.mktemp("desks"))
    for name in ("one", "two"):
        desk = Desk(world.place / name)
        desk.root.mkdir()
        desk.home.mkdir()
        assert quick("init", str(desk.root), env={"HOME": str(desk.home)}).status == 0
        desk.ok("sync", "init", str(world.hub))
    return Restored(world.place)


@pytest.fixture
def place(made: Restored) -> Path:
    return made()


@pytest.fixture
def one(place: Path) -> Desk:
    return Desk(place / "one")


@pytest.fixture
def two(place: Path) -> Desk:
    return Desk(place / "two")


def take_key(giver: Desk, taker: Desk) -> None:
    ran = taker.quaid("sync", "key", "import", input=giver.ok("sync", "key").out)
    assert ran.status == 0, ran.err


def published(desk: Desk) -> bytes:
    """All that git has ever been given, as plain bytes."""
    objects = git(desk.root, "rev-list", "--objects", "--all").splitlines()
    names = "\n".join(line.split(" ")[0] for line in objects)
    done = subprocess.run(
        ["git", "-C", desk.root, "cat-file", "--batch"], input=names.encode(), capture_output=True, check=True
    )
    return done.stdout


def test_they_are_left_out_unless_somebody_chooses(one: Desk, two: Desk) -> None:
    one.say("s1", SAID)
    one.sync()
    two.sync()
    assert not one.parts
    assert b"walrus" not in published(one)
    assert one.status()["conversations"] == "out"
    assert two.told("s1") == []


def test_what_was_said_on_one_machine_is_found_on_the_other_and_forgotten_on_both(
    one: Desk, two: Desk
) -> None:
    one.say("s1", SAID, "And fish?")
    assert one.share("encrypted").status == 0
    take_key(one, two)
    assert two.share("encrypted").status == 0
    assert two.told("s1") == [SAID, "And fish?"]
    found = two.ok("conversations", "search", "walrus", "--json").json["results"]
    assert [(each["project"], each["client"]) for each in found] == [("/home/al/shop", "claude")]
    assert one.status()["conversations"] == "encrypted"
    later = one.home / "later.jsonl"
    later.write_text('{"type":"user","uuid":"u","message":{"role":"user","content":"The session ends."}}\n')
    assert one.sync("--transcript", str(later))["conversations"]["given"] == 1
    assert one.sync("--transcript", str(one.home / "gone.jsonl"))["outcome"] == "in step"
    assert b"walrus" not in published(one)
    two.ok("conversations", "forget", "s1")
    assert two.sync()["outcome"] == "synced"
    assert one.sync()["conversations"]["forgotten"] == 1
    assert one.told("s1") == []
    assert one.sync()["outcome"] == "in step"


def test_in_plain_text_everybody_who_has_the_folder_can_read_them(one: Desk, two: Desk) -> None:
    one.say("s1", SAID)
    one.share("plain")
    two.sync()
    assert [SAID in two.read(path) for path in two.parts] == [True]
    assert two.told("s1") == []  # a machine of which nobody said that it takes part
    assert one.share("out").status == 0
    one.say("s2", "Clams are dear.")
    assert one.sync()["outcome"] == "in step"


def test_without_the_key_it_is_said_and_nothing_is_lost(one: Desk, two: Desk) -> None:
    one.say("s1", SAID)
    two.say("s2", "Clams are dear.")
    one.share("encrypted")
    key = one.home / ".quaid" / "conversations.keys"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    ran = two.share("encrypted")
    assert "sealed with a key that is not here" in ran.out
    assert "quaid sync key import" in ran.out
    assert two.quaid("sync").status == 11
    assert "sealed with a key" in two.status()["conversations_problem"]
    before = one.parts
    take_key(one, two)
    assert two.quaid("sync").status == 0
    one.sync()
    assert set(before) < set(one.parts)
    assert (one.told("s2"), two.told("s1")) == (["Clams are dear."], [SAID])


def test_a_link_that_the_remote_brings_is_not_followed(one: Desk, two: Desk) -> None:
    outside = two.home / "outside"
    outside.mkdir()
    (one.root / FOLDER).symlink_to(outside)
    one.sync()
    two.sync()
    two.say("s1", SAID)
    ran = two.share("plain")
    assert "leads to" in ran.out
    assert not list(outside.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "quaid-key-1:00000000:" + "A" * 86 + "==",
    ],
)
def test_what_is_no_key_is_refused(one: Desk, text: str) -> None:
    ran = one.quaid("sync", "key", "import", input=text)
    assert ran.status == 2
    assert "key" in ran.err
    assert one.quaid("sync", "key").status == 3
