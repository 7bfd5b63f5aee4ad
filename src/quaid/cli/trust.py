"""The command that accepts folders which came from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quaid.app.discovery import DATABASE, is_memory
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput, NotFound
from quaid.model.record import record
from quaid.operations.paths import given_path
from quaid.operations.results import plain
from quaid.operations.text import Style, columns, shown
from quaid.store.collections import stated_roots
from quaid.store.connection import glimpse
from quaid.trust import DIRECTORY, Accepted, Territory, Trust, real, stranger_among, subject
from quaid.vault.attachments import attachments_of


@record
class Offer:
    """What would be accepted: a folder or a memory's file, what is in it, and what it wants elsewhere."""

    path: Path
    memory: Path | None
    inside: tuple[Path, ...]
    outside: tuple[Path, ...]
    skills: tuple[str, ...]
    stranger: Path | None


def trust(session: Session, given: Given) -> int:
    """Accept a folder, list what was accepted, or take it back."""
    known = Trust(session.home)
    path = given.values.get("path")
    if given.values.get("list"):
        return _list(session, known.everything())
    if not path:
        raise InvalidInput("`trust` needs a folder", hint="`quaid trust --list` shows what you accepted.")
    if given.values.get("remove"):
        return _remove(session, known, given_path(path))
    folder = given_path(path)
    offer = _offer(known, folder)
    accepted = _is_wanted(session, offer, bool(given.values.get("yes")))
    if accepted:
        known.accept(offer.path, offer.outside)
        if folder.is_dir():  # with its skills, also where its memory is a single file
            known.accept(folder)
    if session.console.as_json:
        session.console.show_data({**plain(vars(offer)), "accepted": accepted})
    elif accepted:
        session.console.show(_text(offer, session.console.style(), "Accepted"))
    if not accepted:
        raise InvalidInput(f"{offer.path} was not accepted", hint="With --yes, nothing is asked.")
    return 0


def _offer(known: Trust, path: Path) -> Offer:
    """What there is at a path."""
    database = _memory(path)
    skills = tuple(sorted(each.parent.name for each in (path / "skills").glob("*/SKILL.md")))
    if database is None and not path.is_dir():
        raise NotFound(f"there is no folder {path}", hint="Name a folder, or a memory's file.")
    place = subject(database) if database else real(path)
    if place == real(known.home):
        raise InvalidInput("your home directory is not a folder to accept", hint="Name one that is in it.")
    roots = _roots(database) if database else []
    territory = Territory(known, database) if database else None
    inside = tuple(root for root in roots if territory and root.is_relative_to(place))
    outside = tuple(root for root in roots if root not in inside)
    beside = [place, *([database, database.parent] if database else [])]
    return Offer(place, database, inside, outside, skills, stranger_among(beside))


def _memory(path: Path) -> Path | None:
    """The memory of a folder, or the one that is named itself."""
    if path.is_file():
        return path
    return next((each for each in (path / DIRECTORY / DATABASE, path / DATABASE) if is_memory(each)), None)


def _roots(database: Path) -> list[Path]:
    """The folders that a memory names, in its file and in the description beside it."""
    stated = [each.root for each in attachments_of(database)]
    if database.is_file() and database.stat().st_size:
        with glimpse(database) as connection:
            stated += stated_roots(connection)
    return list(dict.fromkeys(real(database.parent / root) for root in stated))


def _is_wanted(session: Session, offer: Offer, sure: bool) -> bool:
    """Whether the person accepts it: to say so is enough where nothing lies outside."""
    if sure or not (offer.outside or offer.stranger):
        return True
    if not session.console.as_json:
        session.console.notify(_text(offer, session.console.style(), "This would accept"))
    return session.console.ask("Accept it?")


def _remove(session: Session, known: Trust, path: Path) -> int:
    database = _memory(path)
    places = dict.fromkeys([real(path), *([subject(database)] if database else [])])
    removed = [place for place in places if known.remove(place)]
    if not removed:
        raise NotFound(f"{path} was not accepted", hint="`quaid trust --list` shows what you accepted.")
    return session.console.answer(
        {"removed": [str(place) for place in removed]}, f"{removed[0]} is accepted no longer"
    )


def _list(session: Session, known: Sequence[Accepted]) -> int:
    data = [
        {"path": str(each.path), "outside": [str(root) for root in each.roots], "since": each.since}
        for each in known
    ]
    style = session.console.style()
    rows = [
        (style.name(shown(str(each.path))), each.since[:10], shown(", ".join(map(str, each.roots))))
        for each in known
    ]
    return session.console.answer({"accepted": data}, columns(rows) or "Nothing was accepted yet.")


def _text(offer: Offer, style: Style, first: str) -> str:
    lines = [f"{first} {style.name(shown(str(offer.path)))}"]
    lines += [f"  memory   {shown(str(offer.memory))}"] if offer.memory else []
    lines += [f"  folder   {shown(str(root))}" for root in offer.inside]
    lines += [style.warning(f"  outside  {shown(str(root))}") for root in offer.outside]
    if offer.skills:
        lines.append(f"  skills   {shown(', '.join(offer.skills))}")
    if offer.stranger:
        lines.append(style.warning(f"  {shown(str(offer.stranger))} belongs to another user"))
    return "\n".join(lines)
