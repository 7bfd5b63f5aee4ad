"""Searching notebooks."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.notebook import places
from quaid.notebook import recall as notebook
from quaid.notebook.recall import Recollection
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, count_of, shown

MOST = 200
FEW = 5  # that are shown, however weak, unless the caller names the lowest score


@record
class Recall:
    query: str = arg("What you want to know, or some words.", positional=True, rest=True)
    max_results: int | None = option("How many passages at most; 15 unless set otherwise.", least=1)
    min_score: float | None = option("The lowest score, from 0 to 1; 0.25 unless set otherwise.")
    notebook: str | None = option("Only this notebook; otherwise all.", completes="collection")


@record
class Recalled:
    """Passages that fit a question: of the notebook, and of its daily logs. Look at the first group first.

    Scores mean the same in both groups and for every question.
    """

    query: str
    notebook: tuple[Recollection, ...]
    daily: tuple[Recollection, ...]
    notices: tuple[str, ...] = ()


def recall(app: App, args: Recall) -> Recalled:
    """Search notebooks and their daily logs, by words and by meaning.

    The answer has two groups: NOTEBOOK (lists, reference, knowledge and other folders) and DAILY. Each
    passage says its file, lines and heading. One whose score is below 0.25 is marked as weak: it is among the
    nearest there are, and probably no answer.
    """
    if not args.query.strip():
        raise InvalidInput("nothing is asked", hint="Give a question or some words.")
    least = app.settings.number("recall.min_score") if args.min_score is None else args.min_score
    if not 0 <= least <= 1:
        raise InvalidInput(f"a score is from 0 to 1, not {least:g}", hint="Such as 0.25.")
    most = args.max_results or app.settings.integer("recall.max_results")
    rows = [] if args.notebook else places.notebooks(app.connection)
    rows = rows or [places.notebook_row(app.connection, app.settings, args.notebook)]
    meaning, notices = app.models.meaning(args.query)
    voice, unheard = app.models.voice()
    notices += unheard
    with app.store.read() as connection:
        few = min(FEW, most) if args.min_score is None else 0
        found = notebook.recall(
            connection, args.query, rows, min(most, MOST), least, meaning, few=few, voice=voice
        )
    notices += app.models.trouble(notices)
    if not found.notebook and not found.daily:
        notices.append("Not known: nothing here is near to this question; a lower score shows what there is.")
    return Recalled(args.query, found.notebook, found.daily, tuple(notices))


def _text(result: Recalled, style: Style) -> str:
    everything = (*result.notebook, *result.daily)
    names = {each.notebook for each in everything}
    parts = []
    if everything and all(each.weak for each in everything):
        parts.append("Not known; nearest:")
    for heading, group in (("NOTEBOOK", result.notebook), ("DAILY", result.daily)):
        if group:
            parts.append(style.bold(f"{heading} ({count_of(len(group), 'result')})"))
            parts += [_block(each, style, named=len(names) > 1) for each in group]
    return "\n".join([*parts, *(style.warning(notice) for notice in result.notices)])


def _block(each: Recollection, style: Style, *, named: bool) -> str:
    lines = f"{each.lines.start}-{each.lines.end}" if each.lines.end > each.lines.start else each.lines.start
    place = f"{each.notebook}::{each.path}:{lines}" if named else f"{each.path}:{lines}"
    heading = f"  {style.dim(shown(each.heading))}" if each.heading else ""
    score = style.dim(f"{each.score:.2f}") if each.weak else f"{each.score:.2f}"
    return f"  {score}  {style.name(shown(place))}{heading}\n        {shown(each.snippet)}"


RECALL = Operation(
    "recall",
    recall,
    render=_text,
    transaction="none",
    brief="Search notebook and daily logs alone.",
    told=("query", "max_results", "min_score: 0-1, default 0.25"),
    unneeded=("query",),
    examples=("recall sarah phone", 'recall "what did we decide about the cache?" --max-results 5'),
)
