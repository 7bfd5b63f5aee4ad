"""Who uses the memory of a soak: `_soak_actors.py ROLE NOTES NOTEBOOK NUMBER`. Each runs until it is killed.

Every actor appends to a file of its own what was acknowledged to it, and what it found wrong, a line of JSON
each. That file is the model: what stands in it must be found again.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from quaid.app import App, Surroundings, open_app
from quaid.errors import QuaidError
from quaid.operations import call
from quaid.settings import Settings

SHARED = 12  # pages to which all writers write
RETRY = 0.2  # seconds after a refusal
EXPECTED = {"conflict", "busy", "storage", "read_only"}


class Actor:
    """One process, with its notebook."""

    def __init__(self, root: Path, notebook: Path, number: int) -> None:
        self.root, self.number = root, number
        self.rng = random.Random(os.urandom(8))
        self.home = notebook
        self.notes = (notebook / f"{sys.argv[1]}-{number}.jsonl").open("a", encoding="utf-8")
        self._app: App | None = None
        self.told: list[str] = []  # besides the last answer

    def note(self, kind: str, **facts: Any) -> None:
        """Write a line that a kill cannot take back."""
        self.notes.write(json.dumps({"kind": kind, **facts}) + "\n")
        self.notes.flush()

    def call(self, name: str, *, absent: str = "wrong", **values: Any) -> Any:
        """Run an operation; None if it was refused as it may be under such circumstances.

        `absent` is what it is if a page is not there.
        """
        self.told.clear()
        try:
            if self._app is None:
                home = Path(os.environ["HOME"])
                around = Surroundings(environment=os.environ, home=home, notify=self.told.append)
                self._app = open_app(self.root / ".quaid" / "memory.db", Settings(), around)
            return call(self._app, f"memory_{name}", values)
        except QuaidError as error:
            kind = "refused" if error.code in EXPECTED else "wrong"
            if error.code == "not_found":
                kind = "told" if self.told else absent
            self.note(kind, code=error.code, message=f"{name}: {error.message}")
            time.sleep(RETRY * self.rng.random())
            return None

    def word(self) -> str:
        """A word that nobody else has written."""
        return f"w{os.urandom(6).hex()}"

    def known(self) -> list[dict[str, Any]]:
        """Some of what was acknowledged to anybody."""
        found: list[dict[str, Any]] = []
        for path in self.home.glob("*.jsonl"):
            if path.name.startswith(("writer", "editor")):
                with path.open("rb") as file:
                    size = path.stat().st_size
                    file.seek(self.rng.randrange(size) if size > 4096 else 0)
                    for line in file.read(8192).split(b"\n")[1 if size > 4096 else 0 : -1]:
                        with suppress(ValueError):  # what a kill has cut off
                            said = json.loads(line)
                            found += [said] if said["kind"] == "done" else []
        return found


def writer(actor: Actor) -> None:
    """Adds to pages as an agent does: read, write with that version."""
    while True:
        slug, word = f"shared/s-{actor.rng.randrange(SHARED)}", actor.word()
        if actor.rng.random() < 0.3:
            slug = f"own/w{actor.number}-{actor.rng.randrange(400)}"
        page = actor.call("get", absent="absent", slug=slug)
        if page is None:
            content = f"# {slug}\n\nA page of the soak: {word}.\n"
            done = actor.call("put", slug=slug, content=content, expected_version=0)
        else:
            done = actor.call(
                "timeline_add",
                slug=slug,
                date="2026-04-03",
                summary=f"Said {word}",
                page_version=page.version,
            )
        if done is not None:
            actor.note("done", slug=slug, word=word, version=done.version)


def reader(actor: Actor) -> None:
    """Looks for what was acknowledged. Versions that it sees never become smaller."""
    seen: dict[str, int] = {}
    while True:
        known = actor.known()
        if not known:
            time.sleep(RETRY)
            continue
        said = actor.rng.choice(known)
        by_hand = "version" not in said  # a file that a watcher or the next command takes in
        page = actor.call("get", absent="absent" if by_hand else "wrong", slug=said["slug"])
        if page is None:
            continue
        if actor.told:  # it may be out of date, because nobody can write, or somebody does
            actor.note("told")
            continue
        if said["word"] not in page.content:
            actor.note("wrong", code="lost", message=f"{said['word']} is not on {said['slug']}")
        if page.version < max(seen.get(said["slug"], 0), said.get("version", 0)):
            actor.note("wrong", code="version", message=f"{said['slug']} went back to {page.version}")
        seen[said["slug"]] = page.version
        if actor.rng.random() < 0.1:
            found = actor.call("search", query=said["word"])
            if (
                found is not None
                and not actor.told
                and said["slug"] not in [each.slug for each in found.results]
            ):
                actor.note("wrong", code="unfound", message=f"a search does not find {said['word']}")
        actor.note("read")


def editor(actor: Actor) -> None:
    """Saves as editors do: beside the file, then in its place."""
    while True:
        slug, word = f"edited/e-{actor.rng.randrange(8)}", actor.word()
        place = actor.root / f"{slug}.md"
        beside = place.with_name(f".{place.name}.swp")
        try:
            place.parent.mkdir(exist_ok=True)
            before = place.read_text(encoding="utf-8") if place.exists() else f"# {slug}\n\n"
            with beside.open("w", encoding="utf-8") as file:
                file.write(f"{before}By hand: {word}.\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(place)
        except OSError as error:
            actor.note("refused", code=f"errno {error.errno}", message=str(error))
            time.sleep(RETRY)
            continue
        actor.note("done", slug=slug, word=word)
        time.sleep(RETRY * actor.rng.random() * 4)


ROLES = {"writer": writer, "reader": reader, "editor": editor}

if __name__ == "__main__":
    role, notes, notebook, number = sys.argv[1:]
    ROLES[role](Actor(Path(notes), Path(notebook), int(number)))
