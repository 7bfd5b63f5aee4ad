"""Text that stands on many pages: footers, calls to action, what a plugin writes everywhere.

It is counted in the word index, which is kept up to date with every change, so that nothing else need be. The
addresses of links may differ from page to page; what a reader sees is the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import apsw

from quaid.formats.segments import segment

MANY = 20  # copies, from which on a text says nothing about its page
FEWEST_WORDS = 3  # fewer are a heading or a name
MOST_RUNS = 100  # between addresses: a text with more is a list of them
TRIED = 3  # words that are looked up before all that stands between them
_ADDRESS = re.compile(r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<?\b[a-z]{2,12}://\S+")
_WORD = re.compile(r"\w+")


def is_repeated(connection: apsw.Connection, text: str) -> bool:
    """Whether a part of a page, its addresses aside, stands in many other parts too."""
    runs = _runs(text)
    words = {word for run in runs for word in run.split()}
    if len(words) < FEWEST_WORDS or len(runs) > MOST_RUNS:
        return False
    rarest = sorted(words, key=lambda word: (-len(word), word))[:TRIED]  # by their length: that costs nothing
    return all(_stands_often(connection, [word]) for word in rarest) and _stands_often(connection, runs)


def _stands_often(connection: apsw.Connection, phrases: Sequence[str]) -> bool:
    match = " AND ".join(f'"{segment(phrase)}"' for phrase in phrases)
    sql = f"SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT {MANY}"
    return len(connection.execute(sql, (f"text : ({match})",)).fetchall()) == MANY


def without_addresses(text: str) -> str:
    """What all copies of a text have in common."""
    return " ".join(" ".join(_ADDRESS.split(text)).split())


def _runs(text: str) -> list[str]:
    """The runs of words between addresses."""
    runs = [" ".join(_WORD.findall(run)) for run in _ADDRESS.split(text)]
    return [run for run in runs if run]
