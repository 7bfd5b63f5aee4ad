"""What files say, read without a look at the memory: by this process, or by others while this one stores it.

Whatever is out of the ordinary is left to a careful look, which knows what to say of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from quaid.errors import QuaidError
from quaid.files import read_own
from quaid.formats.encoding import decode
from quaid.formats.slugs import MAX_LENGTH, slugify
from quaid.index.chunk_rows import cut, new_page
from quaid.model.page import Problem
from quaid.model.record import replace
from quaid.store.drafts import Draft, PageRow
from quaid.store.new_pages import NewPage
from quaid.vault import folder, rows
from quaid.vault.folder import Seen

SUFFIX = 9  # characters that tell a slug from another
LARGEST = 256 * 1024  # bytes of a file that is read ahead


class Reading(NamedTuple):
    """The bytes of a file, how it looked when they were read, and the page that they would make."""

    seen: Seen
    at: int  # nanoseconds
    data: bytes
    draft: Draft | None = None
    row: PageRow | None = None


class Newcomer(NamedTuple):
    """A file that is not known yet, and all that the tables will hold of its page."""

    seen: Seen
    at: int  # nanoseconds
    hash: str
    page: NewPage
    problems: tuple[Problem, ...]


class Folder(NamedTuple):
    """What a reader must know of a folder."""

    root: str
    collection_id: int
    now: str
    stock: bytes = b""  # against which texts are packed


class Task(NamedTuple):
    """A file to be read, and whether it has no page yet."""

    path: str
    is_new: bool


Result = Reading | Newcomer | None


def read_ahead(home: Folder, tasks: Iterable[Task]) -> Iterator[Result]:
    """What the files say, in their order; nothing of those that need a careful look."""
    directories: dict[str, str] = {}
    for task in tasks:
        parent, _, name = task.path.rpartition("/")
        try:
            if parent not in directories:
                directories[parent] = os.path.dirname(folder.real(Path(home.root), task.path))
            yield _read(home, task, os.path.join(directories[parent], folder.spelt(name)))
        except (OSError, QuaidError):
            yield None


def _read(home: Folder, task: Task, place: str) -> Result:
    path = task.path
    seen = folder.look_at(place, path)
    slug = slugify(path)
    if seen is None or seen.size > LARGEST or len(slug) > MAX_LENGTH - SUFFIX:
        return None
    at = time.time_ns()
    data = read_own(place)
    draft = rows.draft(*decode(data), slug, path, stamp(seen, home.now))
    if not task.is_new:
        return Reading(seen, at, data, replace(draft, cut=cut(draft.content)), draft.row(home.stock))
    if os.path.lexists(os.path.join(home.root, folder.spelt(folder.sidecar_of(path)))):
        return None
    made = new_page(home.collection_id, draft, home.stock)
    return Newcomer(seen, at, sha256(data).hexdigest(), made, draft.content.problems)


def stamp(seen: Seen, now: str) -> str:
    """When a file was written, as far as that can be."""
    written = _moment(seen.mtime_ns // 1_000_000_000)
    return min(written, now) if len(written) == len(now) else now


@lru_cache(maxsize=256)  # a checkout writes many files in one second
def _moment(seconds: int) -> str:
    """A time as it is kept; nothing if no calendar has it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""
