"""The collections that a memory has, as the config.toml beside it names them: a lost memory is made anew.

Each is a table `[[collection]]`. All else in the file is the person's, and stays as it is.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import apsw

from quaid.errors import InvalidInput
from quaid.files import left_behind, replace_file
from quaid.model.record import fields_of, fill, record
from quaid.store import collections
from quaid.store.collections import CollectionRow
from quaid.store.connection import Store
from quaid.trust import settings_file

MEMORY = "memory.db"
REBUILT = 1_000_000  # how far versions are raised by each rebuild from nothing
_BLOCK = re.compile(r"^[ \t]*\[\[collection\]\].*?(?=^[ \t]*\[|\Z)", re.MULTILINE | re.DOTALL)


@record
class Attachment:
    """A collection of files as config.toml describes it."""

    name: str
    root: str
    profile: str = "vault"
    read_only: bool = False
    default: bool = False
    first_version: int = 1
    ignore: tuple[str, ...] = ()


def attachments_of(database: Path) -> list[Attachment]:
    """The collections that config.toml describes for a memory."""
    return [each for owner, each in _tables(settings_file(database)) if owner == database.name]


def record_all(connection: apsw.Connection, database: Path) -> None:
    """Write down the collections of files that the memory has now."""
    path = settings_file(database)
    others = [(owner, each) for owner, each in _tables(path) if owner != database.name]
    first = collections.default(connection).id
    own = [
        fill(
            Attachment,
            row,
            root=row.root or "",
            default=row.id == first,
            first_version=collections.first_version(connection, row.id),
            ignore=tuple(row.settings.get("ignore", ())),
        )
        for row in collections.of_files(connection)
    ]
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    kept = _BLOCK.sub(_remarks, text).rstrip()
    blocks = [_block(*each) for each in (*others, *((database.name, each) for each in own))]
    new = "\n\n".join([*([kept] if kept else []), *blocks]) + "\n" if kept or blocks else ""
    for place in left_behind(path.parent, f"{path.name}-"):
        place.unlink(missing_ok=True)
    if new != text:
        replace_file(path, new.encode(), f"{path.name}-")


def make_anew(database: Path, busy_timeout: float) -> Store | None:
    """A memory in place of one that is lost, with the collections that it had; None if it had none."""
    attachments = attachments_of(database)
    if not attachments:
        return None

    def begin(connection: apsw.Connection) -> None:
        for each in attachments:
            insert(connection, each, each.first_version + REBUILT)
        record_all(connection, database)

    return Store.create(database, busy_timeout, begin)


def insert(connection: apsw.Connection, attachment: Attachment, first_version: int = 1) -> CollectionRow:
    """The row of a collection; the default one takes the place of the empty one that a new memory has."""
    if attachment.default:
        collections.delete(connection, collections.default(connection).id)
    settings: dict[str, Any] = {"ignore": list(attachment.ignore)} if attachment.ignore else {}
    return collections.insert(
        connection=connection,
        name=attachment.name,
        root=attachment.root,
        profile=attachment.profile,
        read_only=attachment.read_only,
        settings=settings,
        first_version=first_version,
        identity=1 if attachment.default else None,
    )


def _remarks(block: re.Match[str]) -> str:
    """What stays of a table that is written anew: the person's comments."""
    lines = [line for line in block[0].splitlines(keepends=True) if line.lstrip().startswith("#")]
    return "".join(lines)


def _block(owner: str, attachment: Attachment) -> str:
    """Its table, with the profile, and what is not as it is by default."""
    values = {each: getattr(attachment, each.name) for each in fields_of(Attachment)}
    said = {
        each.name: value for each, value in values.items() if value != each.default or each.name == "profile"
    }
    memory = {"memory": owner} if owner != MEMORY else {}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in (memory | said).items()]
    return "\n".join(["[[collection]]", *lines]).replace("\x7f", "\\u007f")


def _tables(path: Path) -> list[tuple[str, Attachment]]:
    if not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text).get("collection", []) if "collection" in text else []
        return [(str(each.get("memory", MEMORY)), _attachment(each)) for each in tables]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}", hint="Correct it; it is a TOML file.") from None


def _attachment(table: dict[str, Any]) -> Attachment:
    return Attachment(
        name=str(table["name"]),
        root=str(table["root"]),
        profile=str(table.get("profile", "vault")),
        read_only=bool(table.get("read_only", False)),
        default=bool(table.get("default", False)),
        first_version=int(table.get("first_version", 1)),
        ignore=tuple(str(each) for each in table.get("ignore", ())),
    )
