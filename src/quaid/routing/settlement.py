"""What is done to the line that is meant, held to what is said: whoever chose the line, rules or a network.

What was to be done and is said to have been done is ticked, whatever else it was taken for. A line for which
a sentence has another value does not go: it is corrected. What a sentence says beyond that is not lost:
`is_told` says whether a notebook has it all then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from quaid.routing import days, exchange, finder, safeguards, values
from quaid.routing.amendments import Action, Amendment
from quaid.routing.clauses import clauses
from quaid.routing.conservation import denials, losses, news, stale, unsaid_clauses
from quaid.routing.corrections import stated
from quaid.routing.exchange import Marker
from quaid.routing.finder import Line
from quaid.routing.manners import is_taste
from quaid.routing.meanings import meaning
from quaid.routing.patterns import grammar
from quaid.routing.patterns import ways as ways_of
from quaid.routing.places import ORDERS, PREFERENCES, PROJECTS
from quaid.routing.rewording import reworded
from quaid.routing.shifts import shifts
from quaid.routing.stems import base_of, fillers, stem, stems
from quaid.routing.values import DAY, PART, TIME, WEEKDAY
from quaid.routing.wordings import plain, substituted

LISTS = "lists/"
_COMMAND = ways_of("conservation", "command")
FIRST = 4  # words in which a deed is told
MOST_LOST = 2  # words of a line that may go without being spoken of
HALF_A_WEEK = timedelta(days=3)
_COMPARED = re.compile(
    r"i(?:['’]d| would)?\s+(?:\w+\s+)?(?:prefer|like|love|rather|sooner)\s[^,;.]+\s(?:to|over|than)\s",
    re.IGNORECASE,
)
_PLANNED = ways_of("removals", "plan")
_REFUSED = grammar("removals", r"\b{REFUSED}\b")
_FROM_THE_LINE = grammar("days", r"(?:{WEEKDAY}|(?:the\s+)?\d{1,2}(?:st|nd|rd|th))")
_WHEN = (DAY, TIME, PART, WEEKDAY)  # when something ended is not what is told


def settlement(
    said: str,
    action: Action,
    ways: Sequence[Amendment],
    line: Line,
    today: date | None,
    marker: Marker | None = None,
    *,
    sure: bool = False,
    strictly: bool = False,
) -> tuple[Action, str]:
    """What is done to a line, and what it says then; a `marker` says which words are exchanged.

    If it is `sure` that a line goes, only another value of a kind that it has speaks against that.
    `strictly`: it says what it said if no wording is good.
    """
    today = seen_from(said, line.text, today)
    if action == "corrected" and is_deed(said, line, today):
        return "done", ""
    if any(True for _ in shifts(said, line.text, today)):
        action = "corrected"  # what is pushed back by an hour is not over
    ended = action != "corrected" and not safeguards.is_called_off(said, line.text, today)
    if ended and has_value_for(said, ways, line, today):
        action = "corrected" if not sure or stale(line.text, line.text, said, today) else action
    if (action == "corrected" or ended) and (instead := what_holds_instead(said, line, today)):
        return "corrected", instead
    if action != "corrected":
        return action, ""
    gone = denials(said, line.text)
    own = [way for way in ways if way.action == action]
    told = any(way.was and substituted(line.text, way.was, way.now, today) for way in own)
    marks = exchange.marks_of(said, line.text, marker) if marker and not told else None
    if marks and gone:
        marks = exchange.with_gone(marks, line.text, gone)
    recurs = line.stem in (ORDERS, PREFERENCES) and days.undated(line.text) == line.text
    return action, reworded(said, own, line.text, None if recurs else today, marks, strictly=strictly)


def what_holds_instead(said: str, line: Line, today: date | None) -> str:
    """The clause of a sentence that says what is liked or planned in place of what a line says; or "".

    `No more coffee for me, I drink tea now`: the taste is another one, and not only gone. `I prefer blues to
    jazz` says itself what it stands against.
    """
    if line.stem not in (PREFERENCES, PROJECTS) or not clauses(said):
        return ""
    if line.stem == PREFERENCES and _COMPARED.match(said):
        return stated(plain(said), today)
    parts = clauses(said)[0]
    is_own = is_taste if line.stem == PREFERENCES else _PLANNED.match
    fresh = [each for each in parts if is_own(each) and not _REFUSED.search(each)]
    is_refused = any(_REFUSED.search(each) and stems(each) & stems(line.text) - fillers() for each in parts)
    if not is_refused or len(fresh) != 1 or not news(fresh[0], line.text, today):
        return ""
    return stated(plain(fresh[0]), today)


def takes_too_much(said: str, text: str, made: str, today: date | None) -> bool:
    """Whether a line would lose more by a new wording than a sentence speaks of.

    `Tech starts at noon` says nothing of the day on which it is: the line is better left as it is.
    """
    values_gone, words_gone = losses(text, made, said, today)
    return words_gone > MOST_LOST or bool(values_gone and words_gone)


def seen_from(said: str, text: str, today: date | None) -> date | None:
    """The day from which the days of a sentence count that speaks of a dated line.

    What is on the 24th and moves to "Thursday" moves to that of its own week, or to "the 3rd" of its month or
    the next. `Tomorrow`, `next Friday` and the like count from today, and so does a day of a named month.
    """
    if today is None:
        return None
    told = [said[each.start : each.end] for each in days.mentions(said, today)]
    if not told or not all(_FROM_THE_LINE.fullmatch(each) for each in told):
        return today
    known = [each.key for each in values.values_of(text, today) if each.kind == DAY and values.is_dated(each)]
    future = [each for each in known if len(each) == days.DAY and each > today.isoformat()]
    return max(today, date.fromisoformat(min(future)) - HALF_A_WEEK) if future else today


def is_told(said: str, changes: Sequence[tuple[Action, Line, str]], today: date | None) -> bool:
    """Whether all that a sentence says stands in the lines as they are after some changes, or did before."""
    known = " ".join(
        f"{text} {line.text} {line.section} {' '.join(finder.names_of(line))}" for _, line, text in changes
    )
    for _, line, _ in changes:
        said = meaning(said, line.text, today).said
    left = {each for clause in unsaid_clauses(said, known, today) for each in news(clause, known, today)}
    if any(action == "corrected" for action, _, _ in changes):
        return not left
    deeds = {f"word:{stem(word)}" for word in said.lower().split() if base_of(word.strip(",.!;:"))}
    return not {each for each in left - deeds if each.partition(":")[0] not in _WHEN}


def is_deed(said: str, line: Line, today: date | None) -> bool:
    """Whether a sentence tells that what an open line of a list asks for was done."""
    if line.done or not line.path.startswith(LISTS) or safeguards.is_cued_strongly(said):
        return False
    asked = stems(values.without_values(line.text))
    told = [word.lower().strip(",.!;:") for word in values.without_values(said).split()[:FIRST]]
    deeds = {stem(base) for word in told if (base := base_of(word))} & asked
    others = (stems(values.without_values(said)) - deeds - fillers()) & asked
    return bool(deeds) and (bool(others) or not asked - deeds - fillers())


def has_value_for(said: str, ways: Sequence[Amendment], line: Line, today: date | None) -> bool:
    """Whether a sentence says what holds instead of what is known, and is no order that it be forgotten."""
    told = any(way.action != "corrected" and (way.certain or way.place) for way in ways)
    if told or line.path.startswith(LISTS) or _COMMAND.match(said):
        return False
    return any(each.partition(":")[0] not in _WHEN for each in news(said, line.text, today))
