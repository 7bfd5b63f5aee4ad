"""What a line says after a correction: other values, names or words in the places of its own.

Nothing is decided here about which line is meant. A text keeps all that is not corrected; None means that it
is not clear what stands for what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from difflib import SequenceMatcher
from itertools import groupby

from quaid.formats.slugs import fold
from quaid.model.record import replace
from quaid.routing import days, values
from quaid.routing.clauses import clauses
from quaid.routing.patterns import grammar
from quaid.routing.stems import base_of, stem, stems
from quaid.routing.values import CODES, DAY, NUMBER, TIME, Value, values_of

ALIKE, CLOSE = 0.65, 0.7  # of names: those of several words, and those of one
BESIDE = 2  # words before and after a value that tell it from others
_NOTED = r"\s*\(\d{4}(?:-\d\d){0,2}\)"
_WORD = re.compile(r"[^\s,;:.!?()]+(?:[.:]\w+)*")
_NAMES = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?:\s[A-ZÀ-ÖØ-Þ][\w'’-]*)*")
_BREAK = re.compile(r"[,;:.!?()–—]")
_LEAD = grammar("wordings", r"{LEAD}")
_VERB = grammar("words", r"{VERB}|{AFTER SUBJECT}")
_SUBJECT_END = re.compile(r"['’](?:s|re|ll|ve|m|d)$|[,;:.]$")
_IMPERATIVE = re.compile(r"[a-z]+\s(?:me|us|him|them|it)\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"['’](?:s|re|ll|ve|m|d)$")
_ARTICLE = grammar("wordings", r"{ARTICLE}")
_DETERMINER = grammar("wordings", r"^{ARTICLE}\s+(?=\S)")
_SINCE = grammar("wordings", r"[\s,]+(?:{SINCE})[.!]*$")
_BEFORE = grammar("wordings", r"^(?:(?:{BEFORE})[\s,:]+)+(?=\S)")


def exchanged(text: str, now: str, today: date | None) -> str | None:
    """A text with the values of `now` for its own of the same kinds; None if that is not clear."""
    said, old = values_of(now, today), values_of(text, today)
    known = {(each.kind, each.key) for each in old}
    new = [each for each in said if (each.kind, each.key) not in known]
    if not new:
        return None
    changes: list[tuple[Value, str]] = []
    for value in new:
        place = _counterpart(value, now, said, text, old)
        if place is None or any(each is place for each, _ in changes):
            return None
        dated = days.dated(value.text, today, dates=values.is_dated(place)) if today else value.text
        changes.append(_counted(place, text, value, now) or (place, dated))
    for value, written in sorted(changes, key=lambda each: each[0].start, reverse=True):
        text = f"{text[: value.start]}{written}{text[value.end :]}"
    return text


def _counted(old: Value, text: str, new: Value, now: str) -> tuple[Value, str] | None:
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
    if not same and value.kind == NUMBER:
        same = [each for each in old if each.kind == TIME]
    if not same and value.kind in CODES:
        same = [each for each in old if each.kind in CODES]
    spoken = {(each.kind, each.key) for each in said}
    named = [each for each in same if (each.kind, each.key) in spoken]
    if len(named) == 1:
        return named[0]  # "502, I wrote 205"
    if len(same) > 1:
        near = [(len(_beside(text, each) & _beside(now, value)), each) for each in same]
        most = max(count for count, _ in near)
        same = [each for count, each in near if most and count == most]
    return same[0] if len(same) == 1 else None


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


def respelt(text: str, now: str) -> str | None:
    """A text with a name as it is spelt now: one that looks much the same, or has a part in common."""
    said = [each[0].removesuffix("'s") for each in _NAMES.finditer(now)]
    own = [(each.start(), each.end(), each[0].removesuffix("'s")) for each in _NAMES.finditer(text)]
    best: tuple[float, int, int, str, str] = (0.0, 0, 0, "", "")
    for new in said:
        if re.search(rf"(?<!\w){re.escape(new)}(?!\w)", text):
            continue
        for start, _, old in own:
            for first, last in _runs(old, len(new.split())):
                part = old[first:last]
                best = max(best, (_likeness(part, new), start + first, start + last, part, new))
    likeness, start, end, old, new = best
    if likeness < (ALIKE if " " in new else CLOSE):
        return None
    return f"{text[:start]}{new}{text[end:]}"


def _runs(name: str, count: int) -> list[tuple[int, int]]:
    """Where so many words of a name stand next to each other."""
    places = [(each.start(), each.end()) for each in re.finditer(r"\S+", name)]
    return [(places[n][0], places[n + count - 1][1]) for n in range(len(places) - count + 1)]


def _likeness(old: str, new: str) -> float:
    if fold(old) == fold(new):
        return 1.0
    shared = set(old.split()) & set(new.split())
    return 0.9 if shared else SequenceMatcher(None, old.lower(), new.lower()).ratio()


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
        if len(fresh) < len([each for each in run if not _ARTICLE.fullmatch(each[0])]):
            continue
        new = plain(now)[run[0].start() : run[-1].end()]
        if names and not _NAMES.fullmatch(new):
            continue
        made = _after(text, anchor[0], new)
        if made:
            return made
    return None


def _run(text: str, words: Sequence[re.Match[str]], start: int) -> list[re.Match[str]]:
    """The words from one on, as far as they belong together."""
    run = [words[start]]
    for before, word in zip(words[start:], words[start + 1 :], strict=False):
        if _BREAK.search(text[before.end() : word.start()]) or _LEAD.fullmatch(word[0]):
            break
        run.append(word)
    return run


def _after(text: str, anchor: str, new: str) -> str | None:
    """A text with other words after a certain one; None if that stands there twice, or before a value."""
    words = list(_WORD.finditer(text))
    places = [n for n, word in enumerate(words[:-1]) if stem(word[0].lower()) == stem(anchor.lower())]
    taken = values_of(text)
    runs = [_run(text, words, place + 1) for place in places if not _LEAD.fullmatch(words[place + 1][0])]
    free = [
        run
        for run in runs
        if not any(run[0].start() < each.end and each.start < run[-1].end() for each in taken)
    ]
    if len(free) != 1:
        return None
    start, end = free[0][0].start(), free[0][-1].end()
    if _NAMES.fullmatch(new):
        name = _NAMES.match(text, start)
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
        for name in _NAMES.finditer(part)
    }
    told.pop("I", None)
    own = {name: re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in told}
    new, old = [each for each in told if not own[each]], [each for each in told if own[each]]
    if len(new) != 1 or len(old) != 1 or told[new[0]] == told[old[0]]:
        return None
    return re.sub(rf"(?<!\w){re.escape(old[0])}(?!\w)", new[0], text)


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
