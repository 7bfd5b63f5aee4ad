"""The command that sets the programs up in which agents run."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from quaid.agents.setup.client_setup import Choice, Outcome, Step, preview, set_up
from quaid.agents.setup.clients import BY_NAME, NAMES, Around, Client
from quaid.agents.setup.entries import Wanted
from quaid.agents.setup.overview import Found, found_clients
from quaid.app import user_memory
from quaid.app.discovery import is_memory
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput, NotFound
from quaid.model import spelling
from quaid.operations.foundation import note_made
from quaid.operations.text import Style, columns, count_of
from quaid.store.connection import Store

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_TOOLS = re.compile(r"[a-z0-9_-]+(,[a-z0-9_-]+)*")


def setup(session: Session, given: Given) -> int:
    """Set clients up, show what that would change, take it away, or list them."""
    name = given.values.get("name") or "quaid"
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} is no name for a server",
            hint="Use up to 32 letters, digits, - and _, such as quaid-work.",
        )
    around = Around(session.home, session.here, session.environment)
    if given.values.get("list"):
        return _list(session, found_clients(around, name))
    clients = _clients(given.values.get("clients") or [])
    choice = Choice(
        scope=given.values.get("scope") or "user",
        remove=bool(given.values.get("remove")),
        hooks=not given.values.get("no_hooks"),
        skills=not given.values.get("no_skills"),
    )
    wanted = Wanted(name, program(), _memory(session), _tools(given.values.get("tools")))
    _check_text(wanted.server)
    dry = bool(given.values.get("dry_run"))
    # All are planned before one is touched: what is wrong with the last should not leave the first half done.
    planned = [preview(client, wanted, choice, around) for client in clients]
    made = not choice.remove and not is_memory(wanted.memory)
    if made and not dry:
        Store.create(wanted.memory, session.settings.number("store.busy_timeout")).close()
        note_made(wanted.memory, session.surroundings)
    done = planned if dry else [set_up(client, wanted, choice, around) for client in clients]
    text = _text(session.console.style(), wanted, made, done, dry)
    return session.console.answer(_data(wanted, made, done, dry), text)


def program() -> tuple[str, ...]:
    """The words that run this program from anywhere."""
    started = sys.argv[0]
    found = started if os.path.dirname(started) else shutil.which(started)
    if found and Path(found).stem.lower() == "quaid" and os.access(found, os.X_OK) and os.path.isfile(found):
        return (os.path.abspath(found),)
    return (sys.executable, "-m", "quaid")


def _clients(names: list[str]) -> list[Client]:
    if not names:
        raise InvalidInput(
            "`setup` needs a client", hint=f"There are: {', '.join(NAMES)}. `quaid setup --list` shows them."
        )
    for name in names:
        if name not in BY_NAME:
            hint = spelling.hint(name, NAMES, f"There are: {', '.join(NAMES)}.")
            raise NotFound(f"no client {name!r}", hint=hint)
    return [BY_NAME[name] for name in dict.fromkeys(names)]


def _memory(session: Session) -> Path:
    try:
        path = Path(os.path.abspath(session.memory))
    except NotFound:
        path = user_memory(session.home)
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder, not a memory", hint=f"Make one of it: quaid init {path}.")
    return path


def _check_text(words: tuple[str, ...]) -> None:
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise InvalidInput(
                f"{word!r} is not text in UTF-8", hint="Move it; configurations hold text only."
            ) from None


def _tools(chosen: str | None) -> str | None:
    if chosen is not None and not _TOOLS.fullmatch(chosen):
        raise InvalidInput(
            f"{chosen!r} is no set of tools",
            hint="Name a set, such as core, full or kb, or tools with commas between them.",
        )
    return chosen


def _list(session: Session, found: tuple[Found, ...]) -> int:
    data = [
        {
            "client": each.client.name,
            "title": each.client.title,
            "found": each.found or None,
            "set_up": list(each.set_up),
            "path": str(each.path),
            **({"problem": each.problem} if each.problem else {}),
        }
        for each in found
    ]
    style = session.console.style()
    rows = [tuple(style.bold(word) for word in ("CLIENT", "FOUND", "SET UP", "CONFIGURATION"))]
    rows += [
        (
            style.name(each.client.name),
            "yes" if each.found else style.dim("no"),
            ", ".join(each.set_up) or style.dim("no"),
            style.warning(each.problem) if each.problem else str(each.path),
        )
        for each in found
    ]
    return session.console.answer(data, columns(rows))


def _data(wanted: Wanted, made: bool, done: list[Outcome], dry: bool) -> dict[str, Any]:
    return {
        "dry_run": dry,
        "memory": {"path": str(wanted.memory), "created": made and not dry},
        "command": list(wanted.server),
        "clients": [
            {
                "client": each.client.name,
                "scope": each.scope,
                "changed": each.changed,
                "parts": [_step_data(step) for step in each.steps],
                **({"diff": each.diff} if dry else {}),
                "next": each.client.next if each.changed else None,
            }
            for each in done
        ],
    }


def _step_data(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"part": step.part, "did": step.did, "path": str(step.path)}
    if step.part == "skills":
        data |= {"count": step.count, "kept": step.kept}
    return {**data, "backup": str(step.backup)} if step.backup else data


def _text(style: Style, wanted: Wanted, made: bool, done: list[Outcome], dry: bool) -> str:
    parts = [f"{'Would make' if dry else 'Made'} a memory: {wanted.memory}"] if made else []
    for each in done:
        if not each.changed:
            removed = all(step.did == "absent" for step in each.steps)
            parts.append(f"{style.bold(each.client.title)} is {'not' if removed else 'already'} set up")
        else:
            rows = [_row(style, step) for step in each.steps if step.did != "absent"]
            lines = columns(rows).split("\n")
            parts.append("\n".join([style.bold(each.client.title), *(f"  {line}" for line in lines)]))
        if dry and each.diff:
            parts.append(each.diff.rstrip("\n"))
    if dry:
        return "\n".join([*parts, "Nothing was changed."])
    return "\n".join([*parts, *_closing(style, done)])


def _closing(style: Style, done: list[Outcome]) -> list[str]:
    """What a person should know after it, and do."""
    steps = [step for each in done for step in each.steps]
    lines = []
    if any(step.kept for step in steps):
        lines.append("Skills that you have edited were left as they are.")
    backups = sorted({str(step.backup) for step in steps if step.backup})
    lines += [style.dim(f"Before: {each}") for each in backups]
    for each in done:
        if each.changed and any(step.did != "removed" for step in each.steps):
            lines.append(f"Next, {each.client.title}: {each.client.next}")
    return lines


def _row(style: Style, step: Step) -> tuple[str, ...]:
    what = count_of(step.count, "skill") if step.part == "skills" else step.part
    return (style.dim(step.did) if step.did == "unchanged" else step.did, what, str(step.path))
