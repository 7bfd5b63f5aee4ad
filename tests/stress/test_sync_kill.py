"""`quaid sync`, killed at any instant: the next one goes on, and nothing is lost."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.formats.histories import MARKDOWN, History
from tests.stress.mortal import Killer, spread
from tests.support import Restored, eventually, lengths
from tests.sync.machines import Machine, World, settle, told

pytestmark = pytest.mark.stress

CHAT = ["It belongs to one.", "It belongs to two.", "The walrus."]
OWN = re.compile(r"(one|two)\d")  # what only one of them has written


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Restored:
    """Two machines that have changed the same pages, and each moved, made and removed one."""
    place = tmp_path_factory.mktemp("parted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(place))
        world = World(place)
        pages = {f"p{n}.md": MARKDOWN.replace("Alice", f"Person{n}") for n in range(6)}
        one, two = world.machine("one", pages), world.machine("two")
        for name, machine, first in (("one", one, 2), ("two", two, 4)):
            edits = History(7, name, org=False, tidy=True)
            for path in ("p0.md", "p1.md"):
                machine.write(path, edits.edited(machine.read(path)))
            (machine.root / f"p{first}.md").rename(machine.root / f"moved-{name}.md")
            (machine.root / f"p{first + 1}.md").unlink()
            machine.write(f"new-{name}.md", f"# New {name}\n")
            converse(machine, place / f"chats-{name}", name)
        one.sync()
    return Restored(place)


def converse(machine: Machine, place: Path, name: str) -> None:
    """Go on, in one's own way, with a conversation that both machines have; it is shared."""
    turns = [
        {"type": "user", "uuid": uuid, "sessionId": "chat", "message": {"role": "user", "content": text}}
        for uuid, text in (("u0", "The walrus."), (name, f"It belongs to {name}."))
    ]
    place.mkdir()
    (place / "chat.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    machine.ok("conversations", "index", "--client", "claude", str(place))
    machine.git("config", f"quaid.{machine.root}/.quaid/memory.db.conversations", "encrypted")


class Parted:
    """The machines as they were, before the second one exchanges."""

    def __init__(self, made: Restored, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(made()))
        self.one, self.two = (Machine(made.place / name) for name in ("one", "two"))
        self.written = told(self.one) | told(self.two)

    def check(self) -> None:
        """All is as if nobody had been killed."""
        settle([self.two, self.one])
        assert self.one.files == self.two.files
        assert self.one.digest == self.two.digest
        assert {word for word in self.written - told(self.one) if OWN.match(word)} == set()
        assert not [path for path, data in self.one.files.items() if b"<<<<<<<" in data]
        kept = [path for path in self.one.pages if not path.startswith("p")]
        assert kept == ["moved-one.md", "moved-two.md", "new-one.md", "new-two.md"]
        for machine in (self.one, self.two):
            turns = machine.ok("conversations", "show", "chat", "--json").json["turns"]
            assert sorted(turn["text"] for turn in turns) == CHAT
            assert machine.git("status", "--porcelain") == ""
            assert len(machine.git("worktree", "list").splitlines()) == 1
            left = [each.name for each in (machine.root / ".git").iterdir()]
            assert not [name for name in left if name.startswith("ai-kb-index") or name == "index.lock"]


@lengths("most", 4, 100)
def test_killed_between_any_two_steps(
    killer: Killer, parted: Restored, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    _, steps = killer.write(Parted(parted, monkeypatch).two.root, [("sync", {})])
    assert steps > 50
    for point in spread(steps, most):
        machines = Parted(parted, monkeypatch)
        assert killer.write(machines.two.root, [("sync", {})], point) == (0, 0)
        machines.check()


SCRIPT = """\
#!/bin/sh
echo >> {count}
if [ $(wc -l < {count}) = {point} ]; then kill -9 $PPID; {last}; fi
exec {git} "$@"
"""


@pytest.mark.parametrize("victim", ["caller", "both"])
@lengths("most", 2, 100)
def test_killed_while_git_runs(
    killer: Killer,
    parted: Restored,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    victim: str,
    most: int,
) -> None:
    """git may outlive its caller and do its work, or die with it."""
    count, program, real = tmp_path / "count", tmp_path / "bin" / "git", str(shutil.which("git"))
    program.parent.mkdir()
    path = os.environ["PATH"]

    def run(point: int) -> int:
        last = "kill -9 $$" if victim == "both" else f'{real} "$@"; echo >> {count}; exit'
        program.write_text(SCRIPT.format(count=count, point=point, last=last, git=real))
        program.chmod(0o755)
        count.write_text("")
        with monkeypatch.context() as patch:
            patch.setenv("PATH", f"{program.parent}:{path}")
            killer.write(machines.two.root, [("sync", {})])
        return len(count.read_text())

    machines = Parted(parted, monkeypatch)
    calls = run(0)
    assert calls > 30
    for point in spread(calls, most):
        machines = Parted(parted, monkeypatch)
        run(point)
        if victim == "caller":
            eventually(lambda point=point: len(count.read_text()) > point)
        machines.check()
