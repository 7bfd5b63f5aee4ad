"""Values within a text: times, days, addresses, numbers; and a text with other values in their places."""

from __future__ import annotations

import re
from datetime import date
from itertools import groupby

from quaid.model.record import record
from quaid.routing import days
from quaid.routing.contacts import STREET
from quaid.routing.occasions import ANY_DAY
from quaid.routing.words import words_of

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TIME = re.compile(
    r"\b\d{1,2}[:.]\d\d(?:\s?(?:am|pm))?\b|\b\d{1,2}\s?(?:am|pm|o'clock)\b|\b(?:noon|midnight)\b"
    r"|(?<=\bat )\d{1,2}\b|(?<=before )\d{1,2}\b|(?<=after )\d{1,2}\b|(?<=until )\d{1,2}\b",
    re.IGNORECASE,
)
_PHONE = re.compile(r"\+?\d[\d ()/-]{4,18}\d")
_TOKEN = re.compile(r"[€$£]?[\w./:+-]*\d[\w./:%+-]*(?<![.:/])")
_NOTED = re.compile(r"\s*\(\d{4}(?:-\d\d){0,2}\)")
_AROUND = re.compile(
    r"\b(?:at|on|in|by|from|to|for|around|about|until|till|till|the|is|it|now|instead|then|euros?|dollars?|"
    r"pounds?|and|not|next|this|coming)\b",
    re.IGNORECASE,
)


@record
class Value:
    """A value: where it stands, of which kind it is, and how it is written."""

    start: int
    end: int
    kind: str
    text: str


def values_of(text: str) -> list[Value]:
    """The values of a text, in their order; a day has the date that stands beside it."""
    found: list[Value] = []

    def add(start: int, end: int, kind: str) -> None:
        if not any(each.start < end and start < each.end for each in found):
            found.append(Value(start, end, kind, text[start:end]))

    for pattern, kind in ((_URL, "url"), (_MAIL, "mail")):
        for match in pattern.finditer(text):
            add(match.start(), match.end(), kind)
    for match in STREET.finditer(text):
        add(match.start(), match.end(), "street")
    for mention in days.mentions(text, ANY_DAY):
        noted = _NOTED.match(text, mention.end)
        add(mention.start, noted.end() if noted else mention.end, "day")
    for pattern, kind in ((_TIME, "time"), (_PHONE, "token"), (_TOKEN, "token")):
        for match in pattern.finditer(text):
            add(match.start(), match.end(), kind)
    return _joined(text, sorted(found, key=lambda each: each.start))


def _joined(text: str, found: list[Value]) -> list[Value]:
    """The values, with `Saturday, 21 November` as one day."""
    joined: list[Value] = []
    for value in found:
        last = joined[-1] if joined else None
        if last and last.kind == value.kind == "day" and not text[last.end : value.start].strip(" ,"):
            joined[-1] = Value(last.start, value.end, "day", text[last.start : value.end])
        else:
            joined.append(value)
    return joined


def _beside(text: str, value: Value) -> set[str]:
    """The words before and after a value."""
    before, after = text[: value.start].lower().split(), text[value.end :].lower().split()
    return {f"<{word}" for word in before[-1:]} | {f">{word}" for word in after[:1]}


def without_values(text: str) -> str:
    """What a text says besides its values."""
    for value in reversed(values_of(text)):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def is_bare(text: str) -> bool:
    """Whether a text is nothing but values, as in `Thursday at 5pm`."""
    return bool(values_of(text)) and not words_of(_AROUND.sub(" ", without_values(text)))


def aligned(line: str, now: str, was: str) -> str | None:
    """The words of a sentence that stand where a line has others: those that the line has not.

    Of several runs of new words, the one before the same word as what goes; None if that is not clear.
    """
    words = re.sub(r"\s+(?:now|instead|from now on)$", "", now, flags=re.IGNORECASE).split()
    if len(words) <= len(was.split()) + 1:
        return " ".join(words)
    new, old = values_of(" ".join(words)), values_of(was)
    if len(old) == 1 and is_bare(was):
        same = [each for each in new if each.kind == old[0].kind]
        if len(same) == 1:
            return was[: old[0].start] + same[0].text
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


def exchanged(text: str, now: str, today: date | None) -> str | None:
    """A text with the values of `now` for its own of the same kinds; None if that is not clear."""
    old, new = values_of(text), values_of(now)
    if not new:
        return None
    changes: list[tuple[Value, str]] = []
    for value in new:
        same = [each for each in old if each.kind == value.kind]
        if len(same) > 1:
            same = [each for each in same if _beside(text, each) & _beside(now, value)]
        if len(same) != 1 or any(each is same[0] for each, _ in changes):
            return None
        written = (
            days.dated(value.text, today, dates=_NOTED.search(same[0].text) is not None)
            if today
            else value.text
        )
        changes.append((same[0], written))
    for value, written in sorted(changes, key=lambda each: each[0].start, reverse=True):
        text = f"{text[: value.start]}{written}{text[value.end :]}"
    return text


def substituted(text: str, was: str, now: str, today: date | None) -> str | None:
    """A text with other words in the place of some of its own; None if it does not have them."""
    place = re.search(rf"(?<!\w){re.escape(was)}(?!\w)(?P<noted>{_NOTED.pattern})?", text, re.IGNORECASE)
    if not place or not was:
        return None
    written = days.dated(now, today, dates=bool(place["noted"])) if today else now
    return f"{text[: place.start()]}{written}{text[place.end() :]}"
