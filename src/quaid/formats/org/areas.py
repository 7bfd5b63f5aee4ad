"""Where the text of an org file has a meaning, and what its headlines are."""

from __future__ import annotations

from typing import NamedTuple

DRAWER, KEYWORD = "drawer", "keyword"  # kinds of lines, besides those of every page
PROSE, CELL, VALUE = "prose", "cell", "value"  # kinds of areas
VERBATIM = frozenset(("src", "example", "export", "comment"))  # blocks whose text is not Org


class Area(NamedTuple):
    """A stretch of text in which links count: of prose, a cell of a table, or the value of a field."""

    start: int
    end: int
    kind: str
    key: str = ""  # of a field, in lower case


class Headline(NamedTuple):
    """A headline: its stars, the text behind them, its line, and the lines of the drawer below it, if any."""

    level: int
    start: int
    end: int
    number: int  # counts from 0
    drawer: tuple[int, int] | None
