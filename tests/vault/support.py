"""A folder of notes with the memory that it is attached to, as tests of collections use them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quaid.app import App
from quaid.formats.encoding import encode
from quaid.store import collections, digest
from quaid.vault.sync import Report
from tests.support import call, open_memory

NAME = "notes"


class Vault:
    """A folder, and a memory with the collection `notes` that is derived from it."""

    def __init__(self, root: Path, database: Path, now: Any = None) -> None:
        self.root = root
        self.app: App = open_memory(database, now)
        self.app.territory.annex(root)
        with self.app.store.write() as connection:
            collections.insert(connection, NAME, str(root), "vault")

    def sync(self, **options: Any) -> Report:
        """Bring the memory into step with the folder."""
        return self.app.sync(self.app.collection_row(NAME)).run(**options)

    def write(self, path: str, data: bytes | str) -> Path:
        """Write a file as another program does."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.encode() if isinstance(data, str) else data)
        return place

    def rename(self, old: str, new: str) -> None:
        """Move a file or folder as another program does."""
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def files(self) -> dict[str, bytes]:
        """Every file of the folder."""
        return {
            place.relative_to(self.root).as_posix(): place.read_bytes()
            for place in sorted(self.root.rglob("*"))
            if place.is_file()
        }

    def pages(self) -> dict[str, bytes]:
        """What the memory holds of each page's file."""
        found = self.app.connection.execute(
            f"""SELECT path, text, encoding FROM live_pages
                WHERE collection_id = {self.row.id}"""
        )
        return {path: encode(text, encoding) for path, text, encoding in found}

    @property
    def row(self) -> collections.CollectionRow:
        return self.app.collection_row(NAME)

    def slugs(self) -> dict[str, str]:
        """The slug of each file's page."""
        return dict(
            self.app.connection.execute(
                f"SELECT path, slug FROM live_pages WHERE collection_id = {self.row.id}"
            )
        )

    def ids(self) -> dict[str, int]:
        """The page of each file."""
        return dict(
            self.app.connection.execute(
                f"SELECT path, id FROM live_pages WHERE collection_id = {self.row.id}"
            )
        )

    def versions(self) -> dict[str, int]:
        """The version of each file's page."""
        return dict(
            self.app.connection.execute(
                f"SELECT path, version FROM live_pages WHERE collection_id = {self.row.id}"
            )
        )

    def digest(self) -> str | None:
        """The fingerprint of what the memory holds."""
        return digest.of_collection(self.app.connection, self.row.id)

    def findings(self) -> Any:
        """What `validate --all` finds."""
        return call(self.app, "validate", all=True)["findings"]

    def close(self) -> None:
        self.app.store.close()


def vault_of(directory: Path, files: Mapping[str, bytes | str] | None = None) -> Vault:
    """A vault with some files, read once."""
    root = directory / "notes"
    root.mkdir()
    made = Vault(root, directory / "vault.db")
    for path, data in (files or {}).items():
        made.write(path, data)
    made.sync(accept_empty=True)
    return made


def fresh_digest(root: Path, database: Path) -> str | None:
    """The digest of a memory that sees a folder for the first time."""
    for leftover in (database, *database.parent.glob(database.name + "-*")):
        leftover.unlink(missing_ok=True)
    made = Vault(root, database)
    try:
        made.sync(accept_empty=True)
        return made.digest()
    finally:
        made.close()


def is_root() -> bool:
    """Whether permissions do not hold for this process."""
    return os.name == "posix" and os.geteuid() == 0
