"""Which fields and facts of a page answer a question, and which of its words are no longer true.

A fact speaks for itself by the question's words that are not the page's own name, by its meaning, and by
being of the kind that is asked for: a day for "when", a number for "how many".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from quaid.model.chunk import text_hash
from quaid.model.record import record
from quaid.model.statement import Statement

MOST = 3  # facts beside a result
LEAST_WORDS = 0.3  # of the question's words besides the page's name, by weight
LEAST_STANDING = 1.9  # standard deviations by which a fact's meaning stands out from that of all lines
LEAST_LIKELY = 0.3  # … where the kind of answer fits, and the passage says little
SAID = 0.5  # of the question's words in a passage: then nothing is added because of its kind alone
MEANING_WEIGHT = 0.15
KIND_WEIGHT = 0.3
TAIL = 0.5  # of the best fact's weight, for another to stand beside it

_MONTH = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DAY = re.compile(rf"\d{{4}}-\d\d|\d{{1,2}}[./]\d{{1,2}}\.|\b(?:{_MONTH})[a-z]*\b", re.IGNORECASE)
_NUMBER = re.compile(r"\A\d[\d.,\s]*\Z")
_AMOUNT = re.compile(r"\d")
_NAME = re.compile(r"(?=[^\d]*\Z).*\b[A-Z][^\W\d_]+")
_CONTACT = re.compile(r"\S@\S|\+?\d[\d ()/-]{6,}\d")
_KINDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(rf"\b(?:{asked})\b", re.IGNORECASE), answer)
    for asked, answer in (
        (r"when|until when|by when|which day|what day|what date|deadline|due", _DAY),
        (r"how many|number of", _NUMBER),
        (
            r"how much|how large|how big|how high|how long|how old|worth|costs?|charges?|pays?|price|rate",
            _AMOUNT,
        ),
        (r"who|whom|whose", _NAME),
        (r"reach|contact|call|phone|telephone|e-?mail|mail|write to", _CONTACT),
    )
)

Span = tuple[int, int]
Share = Callable[[str], float]
Nearness = Callable[[bytes], float | None]


@record
class Fact:
    """A fact or field that is shown with a page. `current` is whether it holds today."""

    name: str
    value: str
    valid_from: str | None
    valid_to: str | None
    current: bool
    subject: str | None = None


@record
class Superseded:
    """A value in a page's text that no longer holds, where it stands, and the value that does."""

    name: str
    value: str
    valid_from: str | None
    valid_to: str | None
    now: str | None
    line: int


class Asked(NamedTuple):
    """A question as facts are weighed by it.

    `share` is how much of its words a text has, `standing` how far a text stands out by its meaning.
    """

    question: str
    share: Share
    standing: Nearness
    today: str


def answering(
    asked: Asked, title: str, passage: str, stated: Sequence[Statement], *, forced: bool = False
) -> list[Fact]:
    """The facts of a page that answer a question, best first; where one took another's place, the last.

    With `forced`, fields are what was found: then the best is shown whatever its weight.
    """
    own = asked.share(title)
    said = _beyond(asked.share(f"{title}\n{passage}"), own)
    wanted = [answer for pattern, answer in _KINDS if pattern.search(asked.question)]
    weighed: list[tuple[float, Statement]] = []
    rest: list[tuple[float, Statement]] = []
    for each in stated:
        words = _beyond(asked.share(f"{title}\n{each.name} {each.value}"), own)
        standing = asked.standing(text_hash(each.words)) or 0.0
        fits = any(answer.search(each.value) for answer in wanted)
        weight = words + MEANING_WEIGHT * max(0.0, standing) + KIND_WEIGHT * fits
        telling = (
            words >= LEAST_WORDS
            or standing >= LEAST_STANDING
            or (fits and standing >= LEAST_LIKELY and said < SAID)
            or (fits and said < 1.0 and _standing(each.value, passage, (0, len(passage))) is not None)
        )
        (weighed if telling else rest).append((weight, each))
    if not weighed and forced:
        weighed = sorted(rest, key=lambda pair: -pair[0])[:1]
    best = max((weight for weight, _ in weighed), default=0.0)
    chosen = sorted((pair for pair in weighed if pair[0] >= TAIL * best), key=lambda pair: -pair[0])
    return latest([each for _, each in chosen], stated, asked.today)


def superseded_values(
    text: str, body: Span, passage: Span, stated: Sequence[Statement], facts: Sequence[Fact], today: str
) -> list[Superseded]:
    """Values in the body of a text whose place another value took.

    Of a fact that is asked for, wherever it stands; of another, if the passage speaks of it.
    """
    asked = {fact.name for fact in facts}
    shown = text[slice(*passage)]
    current = {each.name: each.value for each in stated if is_current(each, today)}
    values = {(each.name, each.value) for each in stated if is_current(each, today)}
    found: dict[tuple[str, str], Superseded] = {}
    for each in stated:
        over = each.valid.until is not None and each.valid.until <= today
        if not over or (each.name, each.value) in values:
            continue
        place = body if each.name in asked else passage if _speaks_of(each.name, shown) else (0, 0)
        match = _standing(each.value, text, place)
        if match:
            found[each.name, each.value] = Superseded(
                name=each.name,
                value=each.value,
                valid_from=each.valid.since,
                valid_to=each.valid.until,
                now=current.get(each.name),
                line=text.count("\n", 0, match.start()) + 1,
            )
    return list(found.values())[:MOST]


def fact_list(stated: Iterable[Statement], today: str) -> list[Fact]:
    """Facts as they are shown, each once: those that say since when before fields that say the same."""
    seen: dict[tuple[str, str, str], Fact] = {}
    for each in stated:
        fact = Fact(
            name=each.name,
            value=each.value,
            valid_from=each.valid.since,
            valid_to=each.valid.until,
            current=is_current(each, today),
            subject=each.subject or None,
        )
        seen.setdefault((each.subject, each.name, each.value), fact)
    return list(seen.values())


def is_current(stated: Statement, today: str) -> bool:
    """Whether something holds today."""
    return stated.valid.holds_on(today)


def latest(chosen: Sequence[Statement], stated: Sequence[Statement], today: str) -> list[Fact]:
    """What holds today in place of what held before; what is over stays only where nothing took its place."""
    now: Mapping[str, list[Statement]] = _by_name(each for each in stated if is_current(each, today))
    kept: list[Statement] = []
    for each in chosen:
        kept += [each] if is_current(each, today) else now.get(each.name, [each])
    return fact_list(kept, today)[:MOST]


def _by_name(stated: Iterable[Statement]) -> dict[str, list[Statement]]:
    named: dict[str, list[Statement]] = {}
    for each in stated:
        named.setdefault(each.name, []).append(each)
    return named


def _beyond(share: float, own: float) -> float:
    """The share of what a page's name leaves of a question."""
    return (share - own) / (1 - own) if own < 1 else 0.0


def _standing(value: str, text: str, place: Span) -> re.Match[str] | None:
    """Where a value of two characters or more stands as a whole: `84` does not in `1984` or `84.5`."""
    wanted = value.split()
    if len(value.strip()) < 2:
        return None
    pattern = r"(?<![\w.,])" + r"\s+".join(map(re.escape, wanted)) + r"(?![\w]|[.,]\d)"
    return re.compile(pattern, re.IGNORECASE).search(text, *place)


def _speaks_of(name: str, text: str) -> bool:
    """Whether a text has a word of a fact's name."""
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if len(word) > 3]
    lower = text.casefold()
    return any(word[: max(4, len(word) - 2)] in lower for word in words)
