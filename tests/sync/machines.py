"""Machines that share a folder through a bare repository, each with a memory of its own."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.formats.histories import MARKDOWN, ORG, History
from tests.support import Ran, quick

WORD = re.compile(r"\w+")


def git(root: Path, *words: str | Path, check: bool = True) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


class Machine:
    """A folder of pages with a memory in it, as one person has it on one machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def quaid(self, *words: str) -> Ran:
        return quick(*words, cwd=self.root)

    def ok(self, *words: str) -> Ran:
        ran = self.quaid(*words)
        assert ran.status == 0, ran.err or ran.out
        return ran

    def sync(self, *words: str) -> Any:
        """Exchange, and what came of it."""
        ran = self.quaid("sync", *words, "--json")
        assert ran.raw, ran.err
        return ran.json["collections"][0]

    def status(self) -> Any:
        return self.ok("sync", "status", "--json").json["collections"][0]

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    @property
    def digest(self) -> str:
        return self.ok("digest").out

    @property
    def files(self) -> dict[str, bytes]:
        """All that git has, as it lies there."""
        names = (path for path in sorted(self.root.rglob("*")) if path.is_file())
        inside = {path.relative_to(self.root) for path in names}
        return {str(p): (self.root / p).read_bytes() for p in inside if not {".git", ".quaid"} & {*p.parts}}

    @property
    def pages(self) -> list[str]:
        return sorted(path for path in self.files if path.endswith((".md", ".org")))

    def git(self, *words: str) -> str:
        return git(self.root, *words)


def told(machine: Machine) -> set[str]:
    """Every word that pages or open conflicts have."""
    found = {word for path in machine.pages for word in WORD.findall(machine.read(path))}
    for path in machine.files:
        if path.startswith(".conflicts/"):
            facts = json.loads(machine.read(path))
            found |= {word for value in facts.values() for word in WORD.findall(value)}
    return found


class World:
    """A bare repository, and machines that share it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.hub = place / "hub"
        if not self.hub.exists():
            subprocess.run(["git", "init", "--quiet", "--bare", "-b", "trunk", self.hub], check=True)

    def machine(self, name: str, pages: dict[str, str] | None = None, *words: str) -> Machine:
        """Another machine; its folder may have pages already."""
        found = Machine(self.place / name)
        found.root.mkdir()
        for path, text in (pages or {}).items():
            found.write(path, text)
        assert quick("init", str(found.root), *words).status == 0
        found.ok("sync", "init", str(self.hub))
        return found


def settle(machines: list[Machine]) -> None:
    """Let all exchange until none has anything new."""
    for _ in range(6):
        done = [machine.sync() for machine in machines]
        assert not [each for each in done if each["outcome"] == "failed"], done
        if all(each["outcome"] == "in step" for each in done):
            return
    raise AssertionError("they do not come to rest")


class Hands:
    """Somebody who edits, moves, makes and removes pages at random, and knows what they have taken away."""

    def __init__(self, machine: Machine, seed: int, name: str) -> None:
        self._machine = machine
        self._random = random.Random(f"{seed} {name}")
        self._name, self._made = name, 0
        self._edits = {org: History(seed, name, org, tidy=False) for org in (False, True)}
        self.written: set[str] = set()
        self.removed: set[str] = set()

    def work(self) -> None:
        """Do a few things."""
        for _ in range(self._random.randint(1, 3)):
            pages = self._machine.pages
            before = self.words()
            act = self._random.choice([self._edit] * 6 + [self._move, self._new, self._delete])
            if pages or act == self._new:
                act(self._random.choice(pages) if pages else "")
            after = self.words()
            self.written |= after - before
            self.removed |= before - after

    def words(self) -> set[str]:
        return {word for path in self._machine.pages for word in WORD.findall(self._text(path))}

    def _text(self, path: str) -> str:
        return (self._machine.root / path).read_text()

    def _edit(self, path: str) -> None:
        self._machine.write(path, self._edits[path.endswith(".org")].edited(self._text(path), 3))

    def _fresh(self) -> str:
        self._made += 1
        return f"{self._random.choice(('notes', 'people', 'deep/down'))}/{self._name}-{self._made}"

    def _move(self, path: str) -> None:
        place = self._machine.root / f"{self._fresh()}{os.path.splitext(path)[1]}"
        place.parent.mkdir(parents=True, exist_ok=True)
        (self._machine.root / path).rename(place)

    def _new(self, _: str) -> None:
        path, org = self._fresh(), self._random.random() < 0.3
        text = self._edits[org].edited(ORG if org else MARKDOWN)
        self._machine.write(f"{path}.org" if org else f"{path}.md", text)

    def _delete(self, path: str) -> None:
        (self._machine.root / path).unlink()
