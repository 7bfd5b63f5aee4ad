"""Saving what a damaged memory still holds: as a new memory, and as files."""

from __future__ import annotations

from pathlib import Path

import apsw

from quaid.errors import Corrupt, NotFound
from quaid.model.record import record
from quaid.store import bare_pages, collections, integrity, seals
from quaid.store.connection import Store
from quaid.store.pager import DatabaseFile
from quaid.store.recovery import Loss, Recovered, recover
from quaid.transfer.export import Folder, export_pages, open_folder
from quaid.transfer.imports import Progress
from quaid.vault import soundness

MEMORY, PAGES, DAMAGED, VERSIONS, REPORT = "memory.db", "pages", "damaged", "versions", "report.md"


@record
class Rescued:
    """What was saved, and what is lost. Files whose bytes could be checked are in `pages`."""

    source: str
    directory: str
    pages: int
    damaged: tuple[str, ...]  # pages whose text is not what was written
    versions: int  # earlier ones, of pages that are lost
    rows: dict[str, int]
    lost: tuple[Loss, ...]
    anew: tuple[str, ...]  # what was damaged and is derived again


def rescue(source: Path, directory: Path, now: str, progress: Progress | None = None) -> Rescued:
    """Save all that can be read of a memory into a new directory. The memory is not touched."""
    if not source.is_file():
        raise NotFound(f"there is no memory at {source}", hint="Name one with --db.")
    try:
        read = DatabaseFile.at(source)
    except OSError as error:
        hint = "Check its permissions; a disk that fails is copied first, with ddrescue."
        raise Corrupt(f"{source} cannot be read: {error.strerror}", hint=hint) from error
    into = open_folder(directory, force=False)
    place = into.root / MEMORY
    recovered = recover(read, place)
    if not sum(recovered.rows.values()):
        place.unlink()
        into.root.rmdir()
        raise Corrupt(f"nothing of a memory was found in {source}", hint="Restore a backup.")
    store = Store.open(place)
    try:
        soundness.derive_all(store, now, progress)
        with store.read() as connection:
            rescued = _write(connection, into, recovered, source, progress)
        store.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        store.close()
    into.write(REPORT, report(rescued).encode())
    return rescued


def _write(
    connection: apsw.Connection, into: Folder, recovered: Recovered, source: Path, progress: Progress | None
) -> Rescued:
    broken = [page_id for page_id, _ in seals.broken_pages(connection)]
    exported = export_pages(
        connection, open_folder(into.root / PAGES, True), collections.names(connection), progress, broken
    )
    lost = [
        Loss("page", f"{each.path} was not written as a file: {each.reason}") for each in exported.skipped
    ]
    for page_id in broken:
        text, _ = seals.stored_text(connection, page_id)
        into.write(f"{DAMAGED}/{_file_name(bare_pages.slug(connection, page_id), page_id)}.md", text)
    for number, (slug, version, form, data) in enumerate(recovered.versions):
        suffix = "org" if form == "org" else "md"
        into.write(f"{VERSIONS}/{_file_name(slug, number)}.{version}.{suffix}", data)
    checks = (integrity.versions, integrity.raw_data, integrity.originals)
    lost += [Loss("damaged", finding.message) for check in checks for finding in check(connection)]
    return Rescued(
        source=str(source),
        directory=str(into.root),
        pages=exported.pages,
        damaged=tuple(bare_pages.slug(connection, page_id) for page_id in broken),
        versions=len(recovered.versions),
        rows=recovered.rows,
        lost=(*recovered.losses, *lost),
        anew=recovered.derived,
    )


def _file_name(slug: str, number: int) -> str:
    """A name for a file out of a slug that may be damaged."""
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in slug)
    return f"{plain[:80]}-{number}"


def report(rescued: Rescued) -> str:
    """What was saved and what is lost, as Markdown."""
    lines = ["# What was saved", "", f"From `{rescued.source}`, which was not changed.", ""]
    lines += [f"- {name}: {count:,} rows" for name, count in sorted(rescued.rows.items()) if count]
    lines += ["", "# What is lost", ""]
    lines += [f"- {each.what}: {each.detail}" for each in rescued.lost] or ["Nothing."]
    if rescued.damaged:
        lines += ["", "# Pages whose text is damaged", "", *(f"- {slug}" for slug in rescued.damaged)]
    if rescued.anew:
        lines += ["", "# What was damaged and is derived again", "", *(f"- {name}" for name in rescued.anew)]
    return "\n".join(lines) + "\n"
