"""What a line says after a correction: other values, names or words in the places of its own.

Nothing is decided here about which line is meant. A text keeps all that is not corrected; None means that it
is not clear what stands for what.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby

from quaid.model.record import replace
from quaid.routing import days, values
from quaid.routing.clauses import clauses
from quaid.routing.notation import HOURS, value_text
from quaid.routing.patterns import grammar
from quaid.routing.spellings import NAMES
from quaid.routing.stems import base_of, stem, stems
from quaid.routing.values import CODES, DAY, DAYS, NUMBER, TIME, Value, values_of
from quaid.routing.words import words_of

FARTHEST = 0.5  # of two numbers that may be of the same thing, as a power of e
HHMM = 4  # digits of a time
MONTHLY = len("2026-11")
_PART = re.compile(r"[^,;:]+")
BESIDE = 2  # words before and after a value that tell it from others
_NOTED = r"\s*\(\d{4}(?:-\d\d){0,2}\)"
_WORD = re.compile(r"[^\s,;:.!?()]+(?:[.:]\w+)*")
_REFUSED = grammar("wordings", r"\b{REFUSED}(?:\s+(?:the|a|an|at|on|in|to))*\s*$")
_REFUTED = grammar("wordings", r"\s*{REFUTED}\b")
_INSTEAD = grammar("wordings", r"\b{INSTEAD}\s+")
MOST_SWAPPED = 4  # words
_BREAK = re.compile(r"[,;:.!?()–—]")
LEAD = grammar("wordings", r"{LEAD}")
_VERB = grammar("words", r"{VERB}|{AFTER SUBJECT}")
_SUBJECT_END = re.compile(r"['’](?:s|re|ll|ve|m|d)$|[,;:.]$")
_IMPERATIVE = re.compile(r"[a-z]+\s(?:me|us|him|them|it)\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"['’](?:s|re|ll|ve|m|d)$")
_ARTICLE = grammar("wordings", r"{ARTICLE}")
_DETERMINER = grammar("wordings", r"^{ARTICLE}\s+(?=\S)")
_SINCE = grammar("wordings", r"[\s,]+(?:{SINCE})[.!]*$")
_BEFORE = grammar("wordings", r"^(?:(?:{BEFORE})[\s,:]+)+(?=\S)")


def exchanged(text: str, now: str, today: date | None, *, as_said: bool = False) -> str | None:
    """A text with the values of `now` for its own of the same kinds; None if that is not clear.

    They are written as those were (`17:30`, where somebody says half five), or `as_said`. What is refused
    takes no place: `8.40, not 9`, where it says 9.00.
    """
    said, old = values_of(now, today), values_of(text, today)
    known = {(each.kind, each.key) for each in old}
    refused = {each for each in said if re.search(r"\bnot (?:at |on )?$", now[: each.start], re.IGNORECASE)}
    new = [each for each in said if (each.kind, each.key) not in known and each not in refused]
    if not new:
        return None
    changes: list[tuple[Value, str]] = []
    for value in new:
        place = _counterpart(value, now, said, text, old)
        if place is None or any(each is place for each, _ in changes):
            return None
        written = value.text if as_said else value_text(value, place, today)
        changes.append(_counted_thing(place, text, value, now) or (place, written))
    for value, written in sorted(changes, key=lambda each: each[0].start, reverse=True):
        text = f"{text[: value.start]}{written}{text[value.end :]}"
    return text


def _counted_thing(old: Value, text: str, new: Value, now: str) -> tuple[Value, str] | None:
    """A number with the thing that is counted, where one has it in the plural: `one sugar`, `two sugars`."""
    mine, theirs = re.match(r"\s(\w+)", text[old.end :]), re.match(r"\s(\w+)", now[new.end :])
    if old.kind != NUMBER or not mine or not theirs or mine[1] == theirs[1]:
        return None
    if stem(mine[1].lower()) != stem(theirs[1].lower()):
        return None
    return replace(old, end=old.end + mine.end()), f"{new.text}{theirs[0]}"


def _counterpart(
    value: Value, now: str, said: Sequence[Value], text: str, old: Sequence[Value]
) -> Value | None:
    """The value of a text whose place a new one takes."""
    same = [each for each in old if each.kind == value.kind]
    times = [each for each in old if each.kind == TIME]
    if value.kind == NUMBER and times and (_is_hour(value, now) or (not same and len(value.key) <= HHMM)):
        same = times
    for kin in (CODES, DAYS):
        if not same and value.kind in kin:
            same = [each for each in old if each.kind in kin]
    if value.kind == DAY and len(value.key) == MONTHLY:
        same = [each for each in same if len(each.key) <= MONTHLY]  # "this month" is no day of it
    spoken = {(each.kind, each.key) for each in said}
    named = [each for each in same if (each.kind, each.key) in spoken]
    others = [each for each in same if each not in named]
    if len(named) == 1 and (not others or _is_taken_back(now, named[0], said)):
        return named[0]  # "502, I wrote 205"
    same = others if named and others else same  # "204 has code 4911": 204 says which one
    if len(same) > 1:
        near = [(len(_beside(text, each) & _beside(now, value)), each) for each in same]
        most = max(count for count, _ in near)
        same = [each for count, each in near if count == most]
    if len(same) > 1:
        same = _nearest(value, same) or _about(now, text, same)
    return same[0] if len(same) == 1 else None


def _is_hour(value: Value, now: str) -> bool:
    """Whether a number at the end of a clause may be a time of day: `so 6`."""
    return value.key.isdigit() and int(value.key) < HOURS and not re.match(r"\s*[\w%€$£]", now[value.end :])


def _nearest(value: Value, among: Sequence[Value]) -> list[Value]:
    """Of some numbers, the one that is nearest to a new one, if no other is as near."""
    new = _amount(value)
    known = sorted(
        (abs(math.log(new / amount)), each.start, each) for each in among if new and (amount := _amount(each))
    )
    if not known or known[0][0] > FARTHEST or (known[1:] and known[1][0] < 2 * known[0][0]):
        return []
    return [known[0][2]]


def _amount(value: Value) -> float:
    digits = re.sub(r"[^\d.]|(?<=\d),(?=\d{3})", "", value.key)
    return float(digits) if value.kind == NUMBER and re.fullmatch(r"\d+(?:\.\d+)?", digits) else 0.0


def _about(now: str, text: str, among: Sequence[Value]) -> list[Value]:
    """Of some values, the one in whose part of a text stand the words that are said."""
    asked = stems(now)
    parts = [(each.start(), each.end(), len(asked & stems(each[0]))) for each in _PART.finditer(text)]
    counts = [max((n for start, end, n in parts if start <= each.start < end), default=0) for each in among]
    most = max(counts)
    return [each for each, count in zip(among, counts, strict=True) if most and count == most]


def _is_taken_back(now: str, old: Value, said: Sequence[Value]) -> bool:
    """Whether a sentence names an old value as one that does not hold any more."""
    place = next(each for each in said if (each.kind, each.key) == (old.kind, old.key))
    return bool(_REFUSED.search(now[: place.start]) or _REFUTED.match(now[place.end :]))


def _beside(text: str, value: Value) -> set[str]:
    """The words before and after a value."""
    before, after = text[: value.start].lower().split(), text[value.end :].lower().split()
    return {f"<{word}" for word in before[-1:]} | {f">{stem(word)}" for word in after[:BESIDE]}


def substituted(text: str, was: str, now: str, today: date | None) -> str | None:
    """A text with other words in the place of some of its own; None if it does not have them."""
    place = re.search(rf"(?<!\w){re.escape(was)}(?!\w)(?P<noted>{_NOTED})?", text, re.IGNORECASE)
    bare = _DETERMINER.without(was)
    if not place and bare != was:
        return substituted(text, bare, _DETERMINER.without(now), today)
    if not place and was.endswith("s") and now.endswith("s"):
        return substituted(text, was[:-1], now[:-1], today)  # "Thursdays instead of Fridays", of every Friday
    if not place or not was:
        return None
    written = days.dated(now, today, dates=True) if today and place["noted"] else now
    return f"{text[: place.start()]}{written}{text[place.end() :]}"


def substituted_end(text: str, was: str, now: str, today: date | None) -> str | None:
    """A text with other words for the end of some of its own: `walnuts` for `allergic to peanuts`."""
    leads = [each for each in _WORD.finditer(was) if LEAD.fullmatch(each[0])]
    end = was[leads[-1].end() :].strip() if leads else ""
    return substituted(text, end, _DETERMINER.without(now), today) if end else None


def aligned(line: str, now: str, was: str) -> str | None:
    """The words of a sentence that stand where a line has others: those that the line has not.

    Of several runs of new words, the one before the same word as what goes; None if that is not clear.
    """
    words = plain(now).split()
    if len(words) <= len(was.split()) + 1 and not set(map(stem, words)) & stems(line):
        return " ".join(words)
    new, old = values_of(" ".join(words)), values_of(was)
    if len(old) == 1 and values.is_bare(was):
        same = [each for each in new if each.kind == old[0].kind]
        if len(same) == 1:
            return was[: old[0].start] + same[0].text + was[old[0].end :]
    known = set(line.lower().split())
    after = line.lower().partition(was.lower())[2].split()
    runs = [list(run) for is_new, run in groupby(words, key=lambda word: word.lower() not in known) if is_new]
    followed = [
        run
        for run in runs
        if after and words[-1:] != run[-1:] and words[words.index(run[-1]) + 1].lower() == after[0]
    ]
    if len(followed) == 1:
        return " ".join(followed[0])
    named = re.search(rf"(?:[A-Z][\w'-]*\s)*{re.escape(was)}(?:\s[A-Z][\w'-]*)*", " ".join(words))
    if named and named[0] != was:
        return named[0]
    if len(runs) == 1:
        return " ".join(runs[0])
    end = words[-len(was.split()) :]
    return " ".join(end) if not known & {word.lower() for word in end} else None


def anchored(text: str, now: str, *, names: bool = False) -> str | None:
    """A text with other words (or names) after a word that both have: `in Coimbra`, and `in Porto` now."""
    said = list(_WORD.finditer(plain(now)))
    known = {stem(each[0].lower()) for each in _WORD.finditer(text)}
    for place in range(len(said) - 1, len(subject(now).split()), -1):
        anchor = said[place - 1]
        run = _run(plain(now), said, place)
        fresh = [
            each for each in run if stem(each[0].lower()) not in known and not _ARTICLE.fullmatch(each[0])
        ]
        if not fresh or _ARTICLE.fullmatch(anchor[0]) or stem(anchor[0].lower()) not in known:
            continue
        own = [each for each in run if not _ARTICLE.fullmatch(each[0])]
        if own[0] is not fresh[0] or not words_of(" ".join(each[0] for each in fresh)):
            continue
        new = plain(now)[run[0].start() : run[-1].end()]
        if names and not NAMES.fullmatch(new):
            continue
        made = _after(text, anchor[0], new)
        if made:
            return made
    return None


def _run(text: str, words: Sequence[re.Match[str]], start: int) -> list[re.Match[str]]:
    """The words from one on, as far as they belong together."""
    run = [words[start]]
    for before, word in zip(words[start:], words[start + 1 :], strict=False):
        if _BREAK.search(text[before.end() : word.start()]) or LEAD.fullmatch(word[0]):
            break
        run.append(word)
    return run


def _after(text: str, anchor: str, new: str) -> str | None:
    """A text with other words after a certain one; None if that stands there twice, or before a value."""
    words = list(_WORD.finditer(text))
    places = [n for n, word in enumerate(words[:-1]) if stem(word[0].lower()) == stem(anchor.lower())]
    taken = values_of(text)
    runs = [_run(text, words, place + 1) for place in places if not LEAD.fullmatch(words[place + 1][0])]
    free = [
        run
        for run in runs
        if not any(run[0].start() < each.end and each.start < run[-1].end() for each in taken)
    ]
    if len(free) != 1:
        return None
    start, end = free[0][0].start(), free[0][-1].end()
    if NAMES.fullmatch(new):
        name = NAMES.match(text, start)
        end = name.end() if name else end
    return f"{text[:start]}{new}{text[end:]}"


def subject(text: str) -> str:
    """What stands before the verb of a text."""
    found: list[str] = []
    if _IMPERATIVE.match(plain(text)):
        return ""
    for word in plain(text).split():
        if _VERB.fullmatch(word) or base_of(word.lower().strip(",;:.")):
            break
        found.append(_CONTRACTED.sub("", word).rstrip(",;:."))
        if _SUBJECT_END.search(word):
            break
    return " ".join(found)


def renamed(text: str, now: str) -> str | None:
    """A text with another name, where both are said: `goes to Mona, Tariq has too much on`."""
    told = {
        name[0].removesuffix("'s"): place
        for place, part in enumerate(clauses(now)[0])
        for name in NAMES.finditer(part)
    }
    told.pop("I", None)
    own = {name: re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in told}
    new = [each for each in told if not own[each]]
    old = [each for each in told if own[each] and new and told[each] != told[new[0]]]
    if len(new) != 1 or len(old) != 1:
        return None
    return re.sub(rf"(?<!\w){re.escape(old[0])}(?!\w)", new[0], text)


def swaps(text: str, now: str, refused: frozenset[str]) -> Iterator[str]:
    """A text with other words in the place of those that are said not to hold."""
    places = [each for each in _WORD.finditer(text) if stem(each[0].lower().removesuffix("'s")) in refused]
    if not places:
        return
    start, end = places[0].start(), places[-1].end()
    name = NAMES.match(text, start)
    end = max(end, name.end()) if name else end
    for found in _INSTEAD.finditer(now):
        words = list(_WORD.finditer(now, found.end()))
        run = _run(now, words, 0)[:MOST_SWAPPED] if words else []
        new = now[run[0].start() : run[-1].end()] if run else ""
        if new and not stems(new) & refused:
            bare = new if _DETERMINER.match(text[start:]) else _DETERMINER.without(new)
            yield f"{text[:start]}{bare}{text[end:]}"
    for name in NAMES.finditer(now):
        if name[0] not in text and not stems(name[0]) & refused and name.start():
            yield f"{text[:start]}{name[0]}{text[end:]}"


def added(text: str, now: str, today: date | None) -> str | None:
    """A text with a time that it did not have, after its day."""
    new = [each for each in values_of(now, today) if each.kind == TIME]
    old = values_of(text, today)
    day = [each for each in old if each.kind == DAY]
    if len(new) != 1 or len(day) != 1 or any(each.kind == TIME for each in old):
        return None
    return f"{text[: day[0].end]} at {new[0].text}{text[day[0].end :]}"


def plain(sentence: str) -> str:
    """A sentence without what says that it was otherwise before: `now`, `instead`, `after all`."""
    said = _BEFORE.without(sentence.strip())
    for _ in range(3):
        shorter = _SINCE.without(said)
        if shorter == said:
            break
        said = shorter
    return said.strip() or sentence.strip()
