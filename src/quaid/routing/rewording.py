"""What a line says after a correction: of all that it could say, the wording that keeps the most.

Nothing that is said anew may be lost, nothing that the line holds besides, and nothing may stay that is said
to be otherwise. Each way to write the line is weighed by that (`conservation.py`), and by whether it is whole
(`soundness.py`); the lightest is taken, and what it still does not say is added to it as a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from quaid.model.record import record, replace
from quaid.routing import corrections, days, exchange, ranges, safeguards, wordings
from quaid.routing.amendments import Amendment
from quaid.routing.articles import with_articles
from quaid.routing.clauses import clauses
from quaid.routing.conservation import denials, denied_values, losses, news, stale, unsaid_clauses
from quaid.routing.exchange import Marks, Span
from quaid.routing.meanings import Meaning, meaning
from quaid.routing.patterns import grammar
from quaid.routing.soundness import faults, is_as_said
from quaid.routing.spellings import respelt
from quaid.routing.stems import fillers, stems
from quaid.routing.values import CODES, DAY, NUMBER, TIME, kinds, values_of, without_values

# What each way to write a line costs by itself: the less it leaves of the line's own words, the more.
VALUES, AS_SAID, WORDS, WHOLE, CLAUSE, PARTLY, REMARK = 0.0, 0.1, 0.35, 1.7, 2.0, 2.0, 6.0
# What a word and a value cost that are said and missing, those of the line that are gone, and those that stay
# although others are said, or that they do not hold.
MISSING, MISSING_VALUE, DROPPED, DROPPED_VALUE, STALE, DENIED = 0.42, 0.9, 0.05, 0.3, 6.0, 4.0
MARKED, SURPRISE = 0.0, 0.3  # what a network marks; how much each bit counts of what it does not expect
UNKEPT = 1.5  # a word that both have and that is gone, where no words are said to go
WORDY = 0.002  # of each character: of two that say the same, the shorter
FAULT = 5.0  # a word torn out, or one that stands without what it belongs to
KEPT = 6.0  # a value stays that is said not to hold
HOPELESS = 12.0  # what costs more is no way to write a line: what is said takes its place as it is
STRAINED = 5.0  # what costs more is better not written where no word says that anything changes
ALIEN = 0.8  # has no word of the line: nobody would know what it is about
MOST_WAYS = 12
_TORN = re.compile(r"\s+([,;:.])|(?<=[,;:])\s*[,;:]")
_ARTICLE_FIRST = grammar("wordings", r"{ARTICLE}\s+\S")
_ARTICLE_LAST = grammar("wordings", r"\b{ARTICLE}\s+$")
_ABOUT = re.compile(r"(?:about|regarding|re)\b", re.IGNORECASE)


# What a way to write a line costs, the line, and the same with values as they were said, if they are not.
_Way = tuple[float, str, str]


@record
class _Wording:
    text: str
    cost: float


def reworded(
    said: str,
    ways: Sequence[Amendment],
    text: str,
    today: date | None,
    marks: Marks | None = None,
    *,
    strictly: bool = False,
) -> str:
    """What a line says from now on. Clauses of their own become a remark in it.

    `strictly`: a line of which no wording is good stays as it is.
    """
    meant = meaning(said, text, today)
    best = min(_weighed_wordings(meant, said, ways, text, today, marks), key=lambda each: each.cost)
    if strictly and best.cost > STRAINED:
        return text
    made = best.text if best.cost < HOPELESS else corrections.stated(wordings.plain(said), today)
    made = with_articles(made, text, said)
    if today and days.undated(text) != text and days.undated(made) == made:
        made = days.dated(made, today, dates=True)
    replaced = news(text, made, today)
    remarks = [
        each
        for each in unsaid_clauses(meant.said, f"{text} {made}", today)
        if is_remark(each, text, made, replaced, today)
    ]
    if not remarks:
        return made
    remark = corrections.stated(meant.as_said(", ".join(remarks)), today)
    return f"{made}; {remark}" if "(" in remark else f"{made} ({remark})"


def is_remark(clause: str, text: str, made: str, replaced: frozenset[str], today: date | None) -> bool:
    """Whether a clause stands by itself: it neither makes the change nor speaks of what is gone."""
    fresh = news(clause, text, today)
    return fresh == news(clause, f"{text} {made}", today) and not replaced & news(clause, made, today)


def _weighed_wordings(
    meant: Meaning, told: str, ways: Sequence[Amendment], text: str, today: date | None, marks: Marks | None
) -> Iterator[_Wording]:
    said = meant.said
    fresh = news(said, text, today)
    refused, gone = denials(said, text), denied_values(said, text, today)
    shared = (stems(without_values(said)) & stems(without_values(text))) - fillers()
    seen: set[str] = set()
    found = (*_marked_wordings(told, meant, text, today, marks), *_wordings(meant, told, ways, text, today))
    for cost, made, as_said in found:
        made = " ".join(made.split())
        if not made or made in seen or made == text:
            continue
        seen.add(made)
        lacking = fresh - news(made, text, today) - _within(fresh, made)
        lacking &= news(said, made, today)
        cost += sum(MISSING if each.startswith("word:") else MISSING_VALUE for each in lacking)
        values_gone, words_gone = losses(text, made, said, today)
        cost += DROPPED_VALUE * values_gone + DROPPED * words_gone
        cost += STALE * stale(text, made, said, today)
        cost += KEPT * len(gone & {(each.kind, each.key) for each in values_of(made, today)})
        kept = len(refused & stems(made))
        cost += DENIED * (min(kept, 1) if is_as_said(made, said) else kept) + WORDY * len(made)
        cost += FAULT * faults(text, made, said, today)
        cost += 0.0 if _is_akin(made, text) else ALIEN
        cost += UNKEPT * len(shared - refused - stems(made)) if marks else 0.0
        cost += (
            SURPRISE * exchange.surprise(told, text, meant.as_said(as_said or made), marks) if marks else 0.0
        )
        yield _Wording(made, cost)


def _is_akin(made: str, text: str) -> bool:
    """Whether two texts have a word of weight in common, or begin alike: `I prefer`."""
    return bool(stems(made) & stems(text)) or _begins_as(made, text)


def _begins_as(made: str, text: str) -> bool:
    return made.lower().split()[:2] == text.lower().split()[:2]


def _within(fresh: frozenset[str], made: str) -> frozenset[str]:
    """News that stands in a text in other letters."""
    low = made.casefold()
    return frozenset(each for each in fresh if each.partition(":")[2] in low)


def _wordings(
    meant: Meaning, told: str, ways: Sequence[Amendment], text: str, today: date | None
) -> Iterator[_Way]:
    """The ways to write a line, and what each costs by itself."""
    said, plain = meant.said, wordings.plain(told)
    for each in ways[:MOST_WAYS]:
        way = replace(each, now=meant.of(each.now)) if meant.heard else each
        made = corrections.reworded(way, text, today)
        shorter = _positive(made, text)
        yield PARTLY if way.whole else WORDS, shorter if _is_akin(shorter, text) else made, ""
        if way.was and (other := wordings.substituted_end(text, way.was, way.now, today)):
            yield WORDS, other, ""
    for part in dict.fromkeys((said, *(part for parts in clauses(said) for part in parts))):
        exchanged = wordings.exchanged(text, part, today) or wordings.added(text, part, today)
        if exchanged:
            yield VALUES, exchanged, wordings.exchanged(text, part, today, as_said=True) or ""
            yield from ((VALUES, each, "") for each in _qualified_wordings(exchanged, part, text, today))
        if other := wordings.anchored(text, part):
            yield WORDS, other, ""
    if hours := ranges.hours_texts(text, said):
        yield VALUES, *hours
    for other in (wordings.renamed(text, said), respelt(text, said)):
        if other:
            yield WORDS, other, ""
    yield from ((WORDS, each, "") for each in wordings.swaps(text, said, denials(said, text)))
    stated = corrections.stated(_positive(plain, text), today)
    for made in _clause_replaced(text, stated):
        yield CLAUSE, made, ""
    yield WHOLE, stated, ""
    yield REMARK, f"{text} ({stated})", ""


def _marked_wordings(
    said: str, meant: Meaning, text: str, today: date | None, marks: Marks | None
) -> Iterator[_Way]:
    """A line with the words of a sentence that a network marks in the places of its own."""
    restated = marks and _begins_as(corrections.stated(_positive(wordings.plain(said), text), today), text)
    for spans in exchange.wordings(said, text, marks) if marks else ():
        if restated and not any(each.text for each in spans):
            continue  # "I prefer the window" does not only take words away
        as_said = plain = values = text
        for start, end, words in reversed(spans):
            words = wordings.plain(words)
            if not words:
                start, end = _whole_codes(text, start, end)
            if _ARTICLE_FIRST.match(words) and (article := _ARTICLE_LAST.search(text[:start])):
                start = article.start()
            first, last = _whole_value(text, start, end)
            new = next(
                filter(
                    None,
                    (wordings.exchanged(text[first:last], each, today) for each in (meant.of(words), words)),
                ),
                None,
            )
            as_said = f"{as_said[:start]}{words}{as_said[end:]}"
            plain = f"{plain[:start]}{corrections.stated(words, today)}{plain[end:]}"
            if new:
                values = f"{values[:first]}{new}{values[last:]}"
            else:
                values = f"{values[:start]}{corrections.stated(words, today)}{values[end:]}"
        cost = MARKED if _is_rid(spans, text, today) else STALE
        # What is said in other words than the line has is no surprise.
        yield cost, _whole(values), _whole(as_said)
        if plain != values:
            yield cost + AS_SAID, _whole(plain), _whole(as_said)


def _whole(made: str) -> str:
    """A wording without what is left at the ends of words that were cut out."""
    return _TORN.sub(r"\1", made).strip(" ,;")


def _whole_codes(text: str, start: int, end: int) -> tuple[int, int]:
    """Where words stand that go, with all of a number of several parts of which they are some."""
    for each in values_of(text):
        if each.kind in CODES and each.start < end and start < each.end:
            start, end = min(start, each.start), max(end, each.end)
    return start, end


def _whole_value(text: str, start: int, end: int) -> tuple[int, int]:
    """Where words stand, with all of a time or an amount of money of which they are some: `4`, of `4 pm`."""
    for each in values_of(text):
        is_one = each.kind == TIME or (each.kind == NUMBER and not each.text[0].isdigit())
        if is_one and each.start < end and start < each.end:
            start, end = min(start, each.start), max(end, each.end)
    return start, end


def _is_rid(spans: Sequence[Span], text: str, today: date | None) -> bool:
    """Whether a line loses a day if it is given another, and a time."""
    kept = text
    for start, end, _ in reversed(spans):
        kept = f"{kept[:start]} {kept[end:]}"
    new, gone, old = (
        kinds(part, today) & {DAY, TIME}
        for part in (
            " ".join(each.text for each in spans),
            " ".join(text[start:end] for start, end, _ in spans),
            kept,
        )
    )
    return not (new - gone) & old


def _qualified_wordings(made: str, part: str, text: str, today: date | None) -> Iterator[str]:
    """A line with what follows a new value in a clause, such as `in winter`."""
    known = {(each.kind, each.key) for each in values_of(text, today)}
    new = [each for each in values_of(part, today) if (each.kind, each.key) not in known]
    tail = wordings.plain(part[new[-1].end :]) if len(new) == 1 else ""
    place = made.find(new[0].text) if tail else -1
    if place >= 0 and wordings.LEAD.match(tail) and news(tail, text, today):
        end = place + len(new[0].text)
        yield f"{made[:end]} {tail}{made[end:]}"


def _positive(said: str, text: str) -> str:
    """A sentence without clauses that only say that what a line says does not hold."""
    parts = clauses(said)[0] if clauses(said) else [said]
    kept = [
        each
        for each in parts
        if news(each, text, None)
        or not (denials(each, text) or safeguards.is_cued(each) or _ABOUT.match(each))
    ]
    return ", ".join(kept) if kept and len(kept) < len(parts) else said


def _clause_replaced(text: str, stated: str) -> Iterator[str]:
    """A line with the one of its clauses replaced of which a sentence speaks."""
    parts = [each for each in text.split(", ") if each]
    asked = stems(stated)
    shared = [len(asked & stems(each)) for each in parts]
    if len(parts) < 2 or not max(shared) or shared.count(max(shared)) > 1:
        return
    place = shared.index(max(shared))
    yield ", ".join([*parts[:place], stated, *parts[place + 1 :]])
