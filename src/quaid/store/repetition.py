"""Text that stands on many pages: footers, calls to action, what a plugin writes everywhere.

It is counted in the word index, which is kept up to date with every change, so that nothing else need be. The
addresses of links may differ from page to page; what a reader sees is the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import apsw

from quaid.formats.segments import segment
from quaid.store.passages import excerpts
from quaid.store.rows import column
from quaid.store.scope import PAGES

MANY = 20  # copies, from which on a text says nothing about its page
FEWEST_WORDS = 3  # fewer are a heading or a name
MOST_RUNS = 100  # between addresses: a text with more is a list of them
RAREST = 4  # words by which copies are looked for: a phrase with common words takes long to find
LOOKED_AT = 3 * MANY  # texts with these words, of which many must be copies
_ADDRESS = re.compile(r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<?\b[a-z]{2,12}://\S+")
_WORD = re.compile(r"\w+")


def is_repeated(connection: apsw.Connection, text: str) -> bool:
    """Whether a part of a page, its addresses aside, stands in many other parts too."""
    runs = _runs(text)
    words = {word for run in runs for word in run.split()}
    if len(words) < FEWEST_WORDS or len(runs) > MOST_RUNS:
        return False
    rarest = sorted(words, key=lambda word: (-len(word), word))[:RAREST]  # by length: it costs nothing
    match = " AND ".join(f'"{segment(word)}"' for word in rarest)
    sql = f"SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT {LOOKED_AT}"
    alike = column(connection, sql, (f"text : ({match})",))
    return len(alike) >= MANY and _copies(connection, runs, alike) >= MANY


def _copies(connection: apsw.Connection, runs: Sequence[str], alike: Sequence[int]) -> int:
    """How many of these parts hold all runs of words."""
    found = (_words(each.text) for each in excerpts(connection, PAGES, alike).values())
    wanted = [f" {run} ".casefold() for run in runs]
    return sum(all(run in text for run in wanted) for text in found)


def _words(text: str) -> str:
    return f" {' '.join(run for run in _runs(text))} ".casefold()


def without_addresses(text: str) -> str:
    """What all copies of a text have in common."""
    return " ".join(" ".join(_ADDRESS.split(text)).split())


def _runs(text: str) -> list[str]:
    """The runs of words between addresses."""
    runs = [" ".join(_WORD.findall(run)) for run in _ADDRESS.split(text)]
    return [run for run in runs if run]
