"""The files of a notebook that belong into every conversation, read from its folder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import apsw

from quaid.errors import InvalidInput, StorageFailed
from quaid.formats.encoding import decode
from quaid.model.record import record, replace
from quaid.notebook.context import Kind, Source
from quaid.store import passages
from quaid.store.collections import CollectionRow
from quaid.vault import folder

DAILY = "daily"
ORDERS = "standing-orders"
OLDER = ("runtime/standing-orders.md", "runtime/external-communications.md")  # beside an older notebook
MOST_BYTES = 1_000_000  # of a file that is read; of a larger one, hardly anything could be shown
MOST_DAYS = 31


@record
class Choice:
    """Which files are always loaded."""

    reference: str
    today: str
    days: int

    @property
    def logs(self) -> list[str]:
        """The paths of the logs without their suffix, the newest first."""
        last = date.fromisoformat(self.today)
        window = min(self.days, MOST_DAYS, last.toordinal())
        return [f"{DAILY}/{last - timedelta(days=back)}" for back in range(window)]


def from_files(row: CollectionRow, root: Path, choice: Choice) -> list[Source]:
    """The files as they are now, whoever wrote them. Links are not followed."""
    if not root.is_dir():
        raise StorageFailed(f"the folder {root} is not there", hint="Is the disk or the share mounted?")
    ignored = folder.left_out_of(row)
    found = [_read(root, path, size, _kind(path)) for path, size in _reference(row, root, choice.reference)]
    for log in choice.logs:
        for suffix in folder.PAGE_SUFFIXES:
            seen_log = folder.look(root, log + suffix)
            if seen_log and not folder.leaves_out(root, log + suffix, ignored):
                found.append(_read(root, log + suffix, seen_log.size, "daily"))
    if not any(each.kind == "orders" for each in found):
        found += older_orders(root)
    return found


def orders(row: CollectionRow, root: Path, reference: str) -> list[Source]:
    """The files with standing orders alone, as they are now; none where the folder is not there."""
    found = [
        _read(root, path, size, "orders")
        for path, size in _reference(row, root, reference)
        if is_orders(path)
    ]
    return found or older_orders(root)


def _reference(row: CollectionRow, root: Path, reference: str) -> Iterator[tuple[str, int]]:
    """The files of reference and their sizes; none where no folder is named."""
    named = [each for each in [reference.strip("/")] if each]
    for path, seen in folder.glance(root, named, folder.left_out_of(row)).files.items():
        if folder.is_page(path):
            yield path, seen.size


def from_rows(connection: apsw.Connection, row: CollectionRow, choice: Choice) -> list[Source]:
    """The files as the memory knows them, for a memory whose folders are not to be looked at."""
    wanted = tuple(log + suffix for log in choice.logs for suffix in folder.PAGE_SUFFIXES)
    reference = f"{choice.reference.strip('/')}/"
    return [
        Source(path, "daily" if path in wanted else _kind(path), text)
        for path, text in passages.texts_of_paths(connection, row.id, reference, wanted)
    ]


def older_orders(root: Path) -> list[Source]:
    """Standing orders where older versions of a notebook had them."""
    seen = [(path, folder.look(root.parent, path)) for path in OLDER]
    found = [_read(root.parent, path, each.size, "orders") for path, each in seen if each]
    return [replace(each, path=f"../{each.path}") for each in found]


def _read(root: Path, path: str, size: int, kind: Kind) -> Source:
    """A file; without its text if it is too large or cannot be read."""
    if size <= MOST_BYTES:
        try:
            return Source(path, kind, decode(folder.read(root, path))[0], size)
        except (OSError, InvalidInput):
            pass  # it is named as missing, so that somebody can look
    return Source(path, kind, None, size)


def is_orders(path: str) -> bool:
    """Whether a file, or a page by its slug, has standing orders."""
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0].lower() == ORDERS


def _kind(path: str) -> Kind:
    return "orders" if is_orders(path) else "reference"
