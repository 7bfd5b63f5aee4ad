"""What every importer does, and the plainest one: a folder whose texts are pages as they are.

An importer is told which files there are, cuts files of several pages into pieces, and makes a page of each
piece or file. Text is kept to the character where it is Markdown already.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats import encoding
from quaid.formats.slugs import PAGE_EXTENSION
from quaid.model.record import field, record

PIECE = "//"  # between a file and the piece of it that is meant; no path holds it


@record
class Part:
    """What becomes one page: a file, or a piece of one, which then has its bytes here."""

    file: str
    path: str  # where the page stands
    key: str = ""  # of a piece: the same in every export
    data: bytes | None = None
    slug: str | None = None  # where it says so itself
    place: str = ""  # of a piece within its file, for people

    @property
    def kept_as(self) -> str:
        """The name under which its bytes are kept."""
        return f"{self.file}{PIECE}{self.key}" if self.key else self.file

    @property
    def label(self) -> str:
        """Its name for people."""
        return f"{self.file}, {self.place}" if self.place else self.file


@record
class Refusal:
    """A file or a piece of one that is no page, and why."""

    path: str
    reason: str


@record
class Draft:
    """A page as an importer makes it. `raw` is what sources said about it, `fetched` when they did."""

    text: str
    encoding: str = "utf-8"
    raw: Mapping[str, Any] = field(default={})
    fetched: Mapping[str, str] = field(default={})
    problems: tuple[str, ...] = ()


class Importer:
    """Markdown and org files, each a page as it is."""

    name = "markdown"

    def __init__(self, files: Collection[str]) -> None:
        self.files = files

    def ignores(self, file: str) -> bool:
        """Whether a file is left out altogether."""
        return False

    def splits(self, file: str) -> bool:
        """Whether a file is cut into pieces."""
        return False

    def pieces(self, file: str, data: bytes) -> Iterator[Part | Refusal]:
        """The pieces of a file that is cut."""
        return iter(())

    def part(self, file: str) -> Part | None:
        """The page that a whole file is; None for one that is none."""
        return Part(file, file) if is_page(file) else None

    def identity(self, kept_as: str) -> str | None:
        """What tells the page of a file or piece wherever an export lies; None if only its place does."""
        return None

    def draft(self, part: Part, data: bytes) -> Draft:
        """The page that a part becomes."""
        return Draft(*encoding.decode(data))


class PieceImporter(Importer):
    """Files that hold many pages, each known by a key of its own; no file is a page as a whole."""

    def part(self, file: str) -> Part | None:
        """The other files of such an export are no pages."""
        return None

    def identity(self, kept_as: str) -> str | None:
        """The key of the piece."""
        return kept_as.partition(PIECE)[2] or None


class Obsidian(Importer):
    """An Obsidian vault: Markdown as it is."""

    name = "obsidian"


def is_page(file: str) -> bool:
    """Whether a file is Markdown or org by its name."""
    return PAGE_EXTENSION.search(file) is not None


def distinct(wanted: Iterable[tuple[str, str]], tail: Callable[[str], str]) -> dict[str, str]:
    """New paths by old ones; of those that would be the same, all but the first have a tail of their own."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for old, new in sorted(wanted):
        if new.casefold() in taken:
            stem, dot, suffix = new.rpartition(".")
            new = f"{stem} {tail(old)}{dot}{suffix}"
        taken.add(new.casefold())
        given[old] = new
    return given


def read_json(text: str) -> Any:
    """A JSON value."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is not JSON: {error}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def piece_data(value: Any) -> bytes:
    """A piece of a JSON file as bytes that are the same whenever it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def piece_value(data: bytes) -> Any:
    """The JSON value of such bytes."""
    return json.loads(data.decode("utf-8", "surrogatepass"))
