"""Set a client up: its server, its hooks and its skills; and take exactly that away again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from quaid.agents.setup.clients import Around, Client, Places, Scope, places
from quaid.agents.setup.entries import (
    Wanted,
    entry_of,
    memory_of,
    with_hooks,
    with_server,
    without_hooks,
    without_server,
    words_of,
)
from quaid.agents.setup.files import Draft, Moved, write
from quaid.agents.setup.receipts import Keys, Receipts, alone
from quaid.agents.skills import library as skills
from quaid.errors import Busy, InvalidInput
from quaid.model.record import record
from quaid.trust import confine

Did: TypeAlias = Literal["added", "changed", "unchanged", "removed", "absent"]
Name: TypeAlias = Literal["server", "hooks", "plugin", "skills"]

PREFIX = "quaid-"
MARK = "// Written by `quaid setup opencode`"  # how the plugin begins that stands for hooks there
ATTEMPTS = 5


@record
class Choice:
    """Which parts a person wants, and whether they come or go."""

    scope: Scope = "user"
    remove: bool = False
    hooks: bool = True
    skills: bool = True


@record
class Step:
    """What became of one part, and where; `kept` are skills that a person has edited."""

    part: Name
    did: Did
    path: Path
    count: int = 1
    kept: int = 0
    backup: Path | None = None


@record
class Outcome:
    """What became of one client; `diff` says what changes in its files."""

    client: Client
    scope: Scope
    steps: tuple[Step, ...]
    diff: str

    @property
    def changed(self) -> bool:
        return any(step.did in ("added", "changed", "removed") for step in self.steps)


@record
class Part:
    """A part that is written in a file: how it gets in and out, and the objects that hold it."""

    name: Name
    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    containers: tuple[Keys, ...] = ()


class Plan:
    """The drafts of the files of one client. Nothing is written until `apply`."""

    def __init__(self, client: Client, wanted: Wanted, choice: Choice, around: Around) -> None:
        if choice.scope not in client.scopes:
            raise InvalidInput(
                f"{client.title} has no configuration of a project", hint="Leave --scope project out."
            )
        self._client, self._wanted, self._choice = client, wanted, choice
        self._receipts = Receipts(around.home)
        self._owner = f"{client.name} {wanted.name}"
        self._places = places(client, choice.scope, around)
        if choice.scope == "project":  # whose files may be somebody else's
            for place in (self._places.servers, self._places.hooks, self._places.skills, self._places.plugin):
                if place:
                    confine(place, [around.here])
        self._drafts: dict[Path, Draft] = {}
        self._steps = [self._edit(part) for part in self._parts(self._places)]
        for draft in self._drafts.values():
            if choice.remove and draft.changed:
                draft.take_back(self._owner)

    def outcome(self) -> Outcome:
        """What would become of the client."""
        steps = [Step(part.name, did, part.path) for part, did, _ in self._steps]
        folder = self._skills_folder
        if folder:
            missing = [each for each in skills.embedded_names() if not (folder / (PREFIX + each)).exists()]
            there = len(skills.embedded_names()) - len(missing)
            if self._choice.remove:
                steps.append(Step("skills", "removed" if there else "absent", folder, there))
            else:
                count = len(missing) or there
                steps.append(Step("skills", "added" if missing else "unchanged", folder, count))
        return self._outcome(steps)

    def apply(self) -> Outcome:
        """Write what is planned."""
        leaving = self._choice.remove
        backups = {}
        for draft in self._drafts.values():
            if draft.changed:
                backups[draft.path] = write(draft, self._receipts, self._owner, leaving)
        steps = [
            Step(part.name, did, part.path, backup=backups.get(draft.path))
            for part, did, draft in self._steps
        ]
        folder = self._skills_folder
        if folder:
            steps.append(self._uninstall(folder) if leaving else self._install(folder))
        if leaving:
            self._receipts.tidy()
        self._receipts.save()
        return self._outcome(steps)

    def _outcome(self, steps: list[Step]) -> Outcome:
        diff = "".join(draft.diff() for draft in self._drafts.values() if draft.changed)
        return Outcome(self._client, self._choice.scope, tuple(steps), diff)

    @property
    def _skills_folder(self) -> Path | None:
        return self._places.skills if self._choice.skills else None

    def _draft(self, path: Path) -> Draft:
        new = Draft(path, self._receipts.files.get)
        return self._drafts.setdefault(new.path, new)

    def _parts(self, where: Places) -> Iterator[Part]:
        client, wanted = self._client, self._wanted
        config = self._draft(where.servers)
        entry = config.look(lambda text: entry_of(client, text, wanted.name))
        # Hooks belong to this set-up if they are about its memory, or about the one that it had.
        memories = {str(wanted.memory), memory_of(words_of(entry)) or ""} - {""}
        yield Part(
            "server",
            where.servers,
            lambda text: with_server(client, text, wanted),
            lambda text: without_server(client, text, wanted.name),
            (client.keys,),
        )
        if where.hooks and self._choice.hooks:
            yield Part(
                "hooks",
                where.hooks,
                lambda text: with_hooks(client, text, wanted, memories),
                lambda text: without_hooks(client, text, memories),
                (("hooks",), *(("hooks", event) for event, _ in client.events)),
            )
        if where.plugin and self._choice.hooks:
            path = where.plugin / f"{wanted.name}.js"
            source = _plugin(wanted.program, wanted.memory)
            yield Part(
                "plugin",
                path,
                lambda text: _replaced(path, text, source),
                lambda text: _replaced(path, text, ""),
            )

    def _edit(self, part: Part) -> tuple[Part, Did, Draft]:
        draft = self._draft(part.path)
        was, without = draft.text, draft.look(part.take)
        found = without != was
        if self._choice.remove:
            draft.become(without)
            return part, "removed" if found else "absent", draft
        draft.become(draft.look(part.put))
        draft.note(found, part.containers)
        changed = draft.text != was
        return part, ("changed" if found else "added") if changed else "unchanged", draft

    def _install(self, folder: Path) -> Step:
        owners = self._receipts.skills.setdefault(str(folder), [])
        if self._owner not in owners:
            owners.append(self._owner)
        # Saved before the skills are written: whoever is killed in between can still take them away.
        self._receipts.make_folder(folder)
        self._receipts.save()
        done = [each.did for each in skills.install(folder, prefix=PREFIX)]
        kept = done.count("kept")
        for did, word in (("written", "added"), ("updated", "changed")):
            if did in done:
                return Step("skills", word, folder, done.count(did), kept)  # type: ignore[arg-type]
        return Step("skills", "unchanged", folder, len(done) - kept, kept)

    def _uninstall(self, folder: Path) -> Step:
        owners = [each for each in self._receipts.skills.get(str(folder), []) if each != self._owner]
        if owners:  # another set-up of this client needs them
            self._receipts.skills[str(folder)] = owners
            return Step("skills", "absent", folder, 0)
        known = folder.exists()
        done = [each.did for each in skills.uninstall(folder, prefix=PREFIX)]
        if known and not folder.exists() and str(folder) not in self._receipts.folders:
            folder.mkdir()  # it was there before us
        self._receipts.skills.pop(str(folder), None)
        removed = done.count("removed")
        return Step("skills", "removed" if removed else "absent", folder, removed, done.count("kept"))


def preview(client: Client, wanted: Wanted, choice: Choice, around: Around) -> Outcome:
    """What setting a client up would change."""
    return Plan(client, wanted, choice, around).outcome()


def set_up(client: Client, wanted: Wanted, choice: Choice, around: Around) -> Outcome:
    """Set a client up, or take that away. A file that changes meanwhile is read again."""
    with alone(around.home):
        for _ in range(ATTEMPTS):
            try:
                return Plan(client, wanted, choice, around).apply()
            except Moved:
                continue
    raise Busy(f"{client.title} changes its configuration all the time", hint="Quit it, then try again.")


def _plugin(program: tuple[str, ...], memory: Path) -> str:
    """The text of the plugin of OpenCode.

    It joins what the memory says to the first part of the system prompt: many models accept only one.
    """
    command = json.dumps([*program, "--db", str(memory), "hook"], ensure_ascii=False)
    plugin = Path(__file__).with_name("opencode.js").read_text(encoding="utf-8")
    return plugin.replace("const COMMAND = []", f"const COMMAND = {command}", 1)


def _replaced(path: Path, text: str, source: str) -> str:
    """The source, in place of a text that is ours; another plugin of that name is not touched."""
    if text and not text.startswith(MARK):
        raise InvalidInput(
            f"{path} is another plugin", hint="Choose another name: --name quaid-memory, or use --no-hooks."
        )
    return source
