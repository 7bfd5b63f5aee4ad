"""Searching a notebook: what it says, and what its daily logs say, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from quaid.model.record import record
from quaid.notebook.core_files import DAILY
from quaid.search import passages
from quaid.search.passages import Passage
from quaid.store.collections import CollectionRow
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.search.evidence import Meaning
    from quaid.search.voice import Voice

NOISE = 0.05  # the score that any passage may have by chance
BESIDE = 0.15  # what a weak passage must have to be shown beside a strong one


@record
class Lines:
    """Where a passage stands in its file; both lines belong to it."""

    start: int
    end: int


@record
class Recollection:
    """A passage that was found. `score` is from 0 to 1 and means the same for every question.

    `item` says what kind of line it is; a section has none. `weak` marks one below the lowest score that was
    wanted: among the nearest there are, and probably no answer.
    """

    path: str
    heading: str | None
    snippet: str
    score: float
    lines: Lines
    notebook: str
    item: str | None = None
    weak: bool | None = None


@record
class Groups:
    """What was found in the notebook, and in its daily logs; each from the best on."""

    notebook: tuple[Recollection, ...]
    daily: tuple[Recollection, ...]


def recall(
    connection: apsw.Connection,
    question: str,
    notebooks: Sequence[CollectionRow],
    most: int,
    least: float,
    meaning: Meaning | None = None,
    few: int = 0,
    voice: Voice | None = None,
) -> Groups:
    """The best passages of some notebooks; no group is preferred to the other.

    Where fewer than `few` have the least score, weaker ones make up for that: a person judges better by what
    is nearest than by nothing.
    """
    filters = [PageFilter(collection=row.name) for row in notebooks]
    lowest = min(least, NOISE) if few else least
    ranked = passages.find(connection, question, filters, most, meaning, least=lowest, voice=voice)
    strong = sum(each.score >= least for each in ranked)
    lowest = min(least, BESIDE) if strong else lowest
    found = [_recollection(each, least) for each in ranked[: max(strong, few)] if each.score >= lowest]
    logs = [each for each in found if each.path.startswith(f"{DAILY}/")]
    return Groups(tuple(each for each in found if each not in logs), tuple(logs))


def _recollection(passage: Passage, least: float) -> Recollection:
    info, row = passage.page.info, passage.row
    return Recollection(
        path=info.path or info.slug,
        heading=row.heading or None,
        snippet=passage.snippet,
        score=round(passage.score, 3),
        lines=Lines(row.line_start, row.line_end),
        notebook=info.collection,
        item=row.kind if row.is_line else None,
        weak=True if passage.score < least else None,
    )
