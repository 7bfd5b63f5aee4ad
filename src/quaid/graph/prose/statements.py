"""What the sentences of a page say: of whom, what, since when, and how surely.

Precision comes first: what is denied, asked, planned or supposed says nothing, and hearsay says `perhaps`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from quaid.formats.numerals import WORDS as NUMERALS
from quaid.formats.numerals import with_figures
from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import day_in
from quaid.graph.prose.caveats import Finding, is_hearsay, is_open, may_be_no_move, says_nothing
from quaid.graph.prose.phrasebook import Phrase, by_word, fitting, words
from quaid.graph.prose.relevance import Interest, is_wanted
from quaid.graph.prose.sentences import OPEN, WORD, Sentence, blocks, sentences
from quaid.graph.prose.slots import FIRM, NAME
from quaid.graph.prose.subjects import OWN, Kind, Voice, subject_of
from quaid.model.page import TimelineEntry
from quaid.model.record import record

_SLOTS = "org place day sum role post holder who2 target series mail np nth n"
# The slot that is the value of a predicate whose phrases have several.
_VALUES: Mapping[str, str] = {
    "role": "role np",
    "post": "holder",
    "owner": "holder",
    "stage": "series",
    "job": "new",
    "born_on": "day",
    "value": "sum",
    "round": "sum",
    "joined_on": "day",
    "founded_in": "day",
    "age": "n",
    "headcount": "n",
}
# What a value is that a phrase without a slot for it means.
_MEANT = {"headcount": "1"}
_NAMES = frozenset(("who", "who2", "holder", "target", "new", "org", "place"))
# What a page that is about one thing says of that thing, if it names no other.
_OF_THE_PAGE = frozenset(
    ("headcount", "value", "revenue", "round", "based_in", "founded_in", "date", "place")
)
_POSSESSIVE = re.compile(r"(?:his|her)\b", re.IGNORECASE)
_LAST_NAME = re.compile(rf"{NAME}(?!.*{NAME})")
_AT_FIRM = re.compile(rf"(?P<role>.+?)\s+(?:of|at|for|with)\s+(?:the\s+)?(?P<org>{FIRM})")
_THEN_FIRM = re.compile(rf"\s+(?:of|at|for|with)\s+(?:the\s+)?(?P<org>{FIRM})")
_LEADS = re.compile(r"(?:.*\b)?(?:head|vp|director|manager|president)$", re.IGNORECASE)
_Parts = Mapping[str, str | None]


@record
class Statement:
    """What a sentence says: of the page's own subject (""), or of one that it names.

    `mode` says how: it is so, became so, ended, never was; of a status, it is the state.
    """

    subject: str
    predicate: str
    mode: str
    value: str
    sentence: str
    day: str | None = None
    perhaps: bool = False
    entry: bool = False
    kinds: frozenset[str] = frozenset()
    role: str = ""
    org: str = ""
    year: str = ""
    text: str = ""  # its sentence as it was matched
    loose: bool = False  # of the page, if nobody knows what it names

    @property
    def change(self) -> bool:
        """Whether it tells of something that happened."""
        return self.mode not in ("is", "never", "yes", "no")


def statements(
    truth: str, entries: Sequence[TimelineEntry], voice: Voice, interest: Interest, today: str
) -> list[Statement]:
    """What a page's truth and timeline say that is of interest."""
    found: list[Statement] = []
    for block in blocks(truth):
        found += _in_block(block, None, voice, interest, today)
    for entry in entries:
        if entry.date <= today:
            for block in blocks(entry.summary):
                found += _in_block(block, entry.date, voice, interest, today)
    return found


def _in_block(
    block: str, day: str | None, voice: Voice, interest: Interest, today: str
) -> Iterator[Statement]:
    spoken = WORD.findall(block.lower())
    if by_word().keys().isdisjoint(spoken):
        return
    named = interest.names_others(spoken, block)
    if named or interest.predicates is None or interest.predicates:
        for sentence in sentences(block, day, by_word().keys()):
            yield from statements_in(sentence, voice, today, None if named else interest)


def statements_in(
    sentence: Sentence, voice: Voice, today: str, interest: Interest | None = None
) -> Iterator[Statement]:
    """What a sentence says; given an interest, nothing else is looked for."""
    if is_open(sentence):
        return
    predicates, kind = (interest.predicates, interest.kind) if interest else (None, "")
    taken: set[Statement] = set()
    for phrase, match in _matches(sentence.text, predicates, kind):
        statement = _statement(Finding(sentence, phrase, match), voice, today)
        if statement and statement not in taken:
            taken.add(statement)
            yield statement


@lru_cache(maxsize=2048)  # some sentences stand on very many pages
def _matches(
    text: str, predicates: frozenset[str] | None, kind: Kind
) -> tuple[tuple[Phrase, re.Match[str]], ...]:
    """The phrases of a sentence that say such things (None: anything) of a subject of a kind (empty: any)."""
    spoken = WORD.findall(text.lower())
    counted = not NUMERALS.isdisjoint(spoken)
    figures = with_figures(text) if counted else text
    return tuple(
        (phrase, match)
        for phrase in fitting(spoken, counted or any(map(str.isdigit, figures)))
        if is_wanted(phrase.predicate, phrase.kinds, predicates, kind)
        for match in phrase.expression.finditer(figures if phrase.numeric else text)
    )


def _statement(found: Finding, voice: Voice, today: str) -> Statement | None:
    phrase, sentence = found.phrase, found.sentence
    parts = {
        slot: _bare_name(each) if slot in _NAMES else each for slot, each in found.match.groupdict().items()
    }
    subject = _subject(found, parts, voice)
    loose = phrase.predicate in _OF_THE_PAGE and not _is_foreign(found.head, voice)
    subject = OWN if subject is None and loose else subject
    value = _value(phrase, parts)
    if subject is None or value is None or says_nothing(found, voice):
        return None
    if subject == OWN and phrase.kinds and voice.kind and voice.kind not in phrase.kinds:
        return None
    role, org = _post(parts, found.tail)
    day = _day(found, parts)
    if (day or sentence.day or "") > today or (phrase.mode == "until" and not _is_over(parts, today)):
        return None
    return Statement(
        subject=subject,
        predicate=phrase.predicate,
        mode="ended" if phrase.mode == "until" else phrase.mode,
        value=value,
        sentence=sentence.shown,
        day=day or sentence.day,
        perhaps=phrase.perhaps or is_hearsay(sentence.text) or may_be_no_move(found, value),
        entry=sentence.day is not None,
        kinds=phrase.kinds,
        role=role,
        org=org,
        year=parts.get("when") or "",
        text=found.match.string,
        loose=loose,
    )


def _subject(found: Finding, parts: _Parts, voice: Voice) -> str | None:
    """Whom a phrase is said of: whom it names, what it names as its object, or what stands before it."""
    named = parts.get("who")
    if named:
        spoken = fold(named).split()
        return OWN if spoken and all(word in voice.own for word in spoken) else named
    thing = parts.get("np") if found.phrase.predicate in ("status", "value", "place") else None
    if thing:
        return OWN if any(map(voice.calls, thing.split())) else thing.lower()
    if found.phrase.free:
        return OWN
    return (
        _possessor(found.head, voice)
        if _POSSESSIVE.match(found.matched_words)
        else subject_of(found.head, voice)
    )


def _possessor(head: str, voice: Voice) -> str:
    """Whose it is: of the page's subject, or where that is nobody, of whom the sentence spoke last."""
    last = _LAST_NAME.search(head)
    return last.group() if last and voice.kind != "person" else OWN


def _is_foreign(head: str, voice: Voice) -> bool:
    """Whether what stands before a phrase names others than the page's subject."""
    spoken = WORD.findall(head)
    if not words("other thing").isdisjoint(word.lower() for word in spoken):
        return True
    names = [word for word in spoken[1:] if word[:1].isupper() and fold(word) not in voice.own]
    return bool(names) or OPEN in head or "'s " in head


def _bare_name(found: str | None) -> str | None:
    """A name without the words in capitals that only begin its sentence: `Since May Robin`."""
    if not found or found.startswith(OPEN) or not found[0].isupper():
        return found
    spoken = found.split()
    while spoken and spoken[0].lower() in words("begins"):
        spoken.pop(0)
    return " ".join(spoken) or None


def _value(phrase: Phrase, parts: _Parts) -> str | None:
    """The value that a phrase names; "" where it names none."""
    slots = _VALUES.get(phrase.predicate, _SLOTS).split()
    found = next((value for slot in slots if (value := parts.get(slot))), None)
    if found is None:
        return _MEANT.get(phrase.predicate, "")
    value = found.strip().rstrip(" .,;:'-")
    return None if value.endswith("'s") else value


def _post(parts: _Parts, tail: str) -> tuple[str, str]:
    """Role and organisation of `chief executive of Marrow & Sons`; `head of Sales` is a role."""
    role, org = (parts.get("post") or parts.get("role") or "").strip(), (parts.get("org") or "").strip()
    if not role or org:
        return role, org
    inner, outer = _AT_FIRM.fullmatch(role), _THEN_FIRM.match(tail)
    if inner and not _LEADS.match(inner["role"]):
        return inner["role"], inner["org"]
    return role, outer["org"] if outer else ""


def _day(found: Finding, parts: _Parts) -> str | None:
    """The first day of the time of which a sentence tells."""
    until = parts.get("until")
    if until:
        return _fully(day_in(until))
    if kind_of(found.phrase.predicate) == "day":
        return None
    return _fully(day_in(found.tail) or day_in(found.head))


def _fully(day: str | None) -> str | None:
    return f"{day}-01-01"[:10] if day else None


def _is_over(parts: _Parts, today: str) -> bool:
    """Whether an `until` lies in the past; `until 2026` may still be to come while that year lasts."""
    day = day_in(parts.get("until") or "")
    return day is not None and day < today[: len(day)]
