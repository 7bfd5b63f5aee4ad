"""What the rules of routing are given, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Literal, get_args

from quaid.model.record import record
from quaid.routing import days

Category = Literal["lists", "reference", "knowledge"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
DAILY: Literal["daily"] = "daily"  # the folder of the logs


@record
class ShelfSection:
    """A section that the word index knows, and what stands in it."""

    path: str
    section: str
    text: str


@record
class Shelf:
    """What is in a notebook: its files, their sections, and a search over sections by words."""

    files: tuple[str, ...] = ()
    headings: Mapping[str, tuple[str, ...]] = {}
    find_sections: Callable[[str], Sequence[ShelfSection]] = lambda text: ()

    def under(self, category: str) -> tuple[str, ...]:
        """The files of a category."""
        return tuple(path for path in self.files if path.startswith(f"{category}/"))


@record
class Hints:
    """What the caller says of the place, and the day of the person on which it is said."""

    category: Category | None = None
    file: str | None = None
    section: str | None = None
    day: date | None = None


@record
class Route:
    """Where something goes: file and section, as which texts, and why."""

    category: Category | Literal["daily"]
    path: str
    section: str
    texts: tuple[str, ...]
    reasons: tuple[str, ...]
    is_list: bool = False


def log_route(text: str, day: date, reason: str) -> Route:
    """The log of a day, for what happened on it or not long before."""
    told = days.dated_news(text, day) if "\n" not in text else text
    return Route(DAILY, f"{DAILY}/{day.isoformat()}.md", "", (told,), (f"{DAILY}: {reason}",))


def where(path: str, section: str, shelf: Shelf) -> str:
    """What is at a place now, in a few words."""
    if path not in shelf.files:
        return f"{path} is new"
    if section and section not in shelf.headings.get(path, ()):
        return f"{section!r} is a new section of {path}"
    return f"{path} has that section" if section else f"{path} has no sections"
