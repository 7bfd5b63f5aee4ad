"""What sentences say of a page's subject: where it is, how large, since when, by when, what somebody does.

Each pattern is a verb with its grammar: what may stand before it is judged by `sentences.subject_of`, what
stands after
it is the value. Precision comes first: a sentence that can be read otherwise says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import day_in, is_place
from quaid.graph.sentences import Sentence, is_denied, sentences, subject_of
from quaid.graph.states import BEGUN, PARTIAL, TOLD, may_tell
from quaid.graph.verbs import Pattern, patterns_for
from quaid.model.page import TimelineEntry
from quaid.model.record import record, replace

# Words that say that a value is of another time.
_PAST = re.compile(
    r"\b(?:was|were|had|previously|formerly|originally|initially|at\s+first|used\s+to|back\s+then|once|until|till"
    r"|in\s+those\s+days|at\s+the\s+time|earlier|before)\b",
    re.IGNORECASE,
)
_STATIVE = frozenset(("based_in", "lives_in", "headcount", "value", "role"))
_PARTLY = re.compile(
    r"\b(?:of\s+(?:its|their|our|the)|board|part|instalment|deposit|draft|each|per)\b", re.IGNORECASE
)
_BACK = re.compile(
    r"\b(?:came\s+back|returned|is\s+back|moved\s+back|back\s+in|again|reversed)\b", re.IGNORECASE
)
RECENT = 180  # days for which a line of the timeline speaks of what is


@record
class Statement:
    """What a sentence says: of the page's own subject (""), or of one that it names."""

    subject: str
    predicate: str
    value: str
    sentence: str
    day: str | None = None
    perhaps: bool = False
    change: bool = False
    entry: bool = False


def statements(
    truth: str, entries: Sequence[TimelineEntry], own: Collection[str], today: str
) -> list[Statement]:
    """What a page's truth and timeline say. Of changes, the last of each kind counts."""
    found: list[Statement] = []
    for sentence in sentences(truth):
        found += _said(sentence, own, today)
    for entry in entries:
        if entry.date <= today:
            for sentence in sentences(entry.summary, entry.date):
                found += _said(sentence, own, today)
    return _latest(found)


def _latest(found: Sequence[Statement]) -> list[Statement]:
    """Of what changes in time, only what is said last; what has no day is said now."""
    newest: dict[tuple[str, str], str] = {}
    for each in found:
        key = (each.subject, each.predicate)
        newest[key] = max(newest.get(key, ""), each.day or ("" if each.change else "9999"))
    return [
        each
        for each in found
        if not (each.change or each.entry or each.predicate == "status")
        or (each.day or "9999") >= newest[each.subject, each.predicate]
    ]


def _said(sentence: Sentence, own: Collection[str], today: str) -> Iterator[Statement]:
    if sentence.asks:
        return
    taken: set[tuple[int, str]] = set()
    for pattern in patterns_for(sentence.text):
        for match in pattern.verb.finditer(sentence.text):
            statement = _statement(sentence, pattern, match, own, today)
            if statement and (match.start("value"), pattern.predicate) not in taken:
                taken.add((match.start("value"), pattern.predicate))
                yield statement
    yield from _states(sentence, own, today)


def _statement(
    sentence: Sentence, pattern: Pattern, match: re.Match[str], own: Collection[str], today: str
) -> Statement | None:
    text = sentence.text
    head, tail = text[: match.start()], text[match.end() :]
    value = match["value"].rstrip(" .,;:'’-")
    subject = "" if pattern.free else _subject(pattern, head, own)
    if subject is None or is_denied(f"{head} {match.group()}") or _BACK.search(tail):
        return None
    if pattern.predicate in _STATIVE and not pattern.change and _is_past(pattern, head, match.group(), tail):
        return None
    if pattern.predicate in ("headcount", "value") and _PARTLY.search(f"{head[-20:]} {tail[:12]}"):
        return None
    if pattern.predicate in ("works_at", "owned_by") and re.match(r"['’]s\b", tail):
        return None
    if "’s" in value or "'s" in value:
        return None
    day = None if kind_of(pattern.predicate) == "day" else day_in(tail) or day_in(head)
    day = _fully(day) if day else sentence.day
    if day and day > today:
        return None
    unsure = sentence.perhaps or not pattern.sure
    if pattern.predicate == "lives_in" and pattern.change:
        unsure = unsure or not is_place(value)
    return Statement(
        subject=subject,
        predicate=pattern.predicate,
        value=value,
        sentence=text,
        day=day,
        perhaps=unsure,
        change=pattern.change,
        entry=sentence.day is not None,
    )


_THING = re.compile(
    r"(?:^|\b(?:the|our|this|its|their|is\s+an?)\s+)(?:[\w-]+\s+)?(?:company|firm|startup|start-up|team|deal|contract|deadline|task"
    r"|project|order|everything|all|submission|due\s+date|headquarters|hq|business|investment|round|date|value|price"
    r"|agreement|headcount)\s*(?:has|have|is|was)?\s*$",
    re.IGNORECASE,
)


def _subject(pattern: Pattern, head: str, own: Collection[str]) -> str | None:
    """Whom a sentence is about; a thing may be called by its kind, or by a part of its name."""
    subject = subject_of(head, own)
    if pattern.predicate in _PERSONAL:
        return subject
    if subject != "" and _THING.search(head):
        return ""
    if subject is not None and fold(subject) not in ("their", "its", "our"):
        return subject
    words = re.findall(r"[\w'’-]+", head)
    others = [word for word in words[1:] if word[:1].isupper() and fold(word) not in own]
    if others or _OWNED.search(head):
        return None
    named = any(fold(word) in own for word in words if len(word) > 2) and not PARTIAL.search(head)
    return "" if named or subject is not None or pattern.predicate in _OF_THE_PAGE else None


_PERSONAL = frozenset(
    (
        "born_on",
        "died_on",
        "reports_to",
        "joined_on",
        "role",
        "works_at",
        "died",
        "lives_in",
        "retired",
        "ended_role",
    )
)
_OF_THE_PAGE = frozenset(("headcount", "value", "based_in", "founded_in"))
_OWNED = re.compile(
    r"['’]s\b|\b(?:her|his|my|another|other|competitors?|customers?|suppliers?|partners?|parent|sister|brother|father"
    r"|mother|subsidiary|branch|site|factory|plant|event|conference|meeting|town|city|village|invited|with|like|than"
    r"|compared|unlike|whose|department|budget|target|goal|hopes?|aims?|old|former|previous|earlier|last\s+year's)\b",
    re.IGNORECASE,
)


def _is_past(pattern: Pattern, head: str, verb: str, tail: str) -> bool:
    """Whether a sentence tells of what was."""
    if _PAST.search(f"{head} {verb}") and pattern.predicate != "value":
        return True
    return bool(
        re.search(r"\b(?:until|till|before|back\s+then|at\s+the\s+time|from\s+\d{4})\b", tail, re.IGNORECASE)
    ) or (pattern.predicate == "headcount" and day_in(tail) is not None)


def _fully(day: str) -> str:
    return day if len(day) == 10 else f"{day}-01" if len(day) == 7 else f"{day}-01-01"


def _states(sentence: Sentence, own: Collection[str], today: str) -> Iterator[Statement]:
    """The state of which a sentence tells, if it is that of the whole thing."""
    text = sentence.text
    if not may_tell(text):
        return
    told = [(state, match) for state, verb in TOLD for match in verb.finditer(text)]
    if sentence.day:
        told += [(state, match) for state, verb in BEGUN if (match := verb.match(text))]
    for state, match in told[:1]:
        head, tail = text[: match.start()], text[match.end() :]
        denied = (is_denied(head) and state != "open") or bool(_OWNED.search(head))
        about = _subject(_ANY, head, own)
        noun = match.groupdict().get("noun")
        if noun is not None and fold(noun) not in own and not _THING.search(f"the {noun}"):
            continue
        if noun or match.group()[:1].isupper() or re.match(r"(?i)we\b|they\b|both\b", match.group()):
            about = ""
        if denied or about is None or PARTIAL.search(head) or PARTIAL.search(f"{match.group()} {tail[:24]}"):
            continue
        if _BACK.search(tail) or re.search(
            r"\b(?:would|if|unless|resumed|reopened|until)\b", tail, re.IGNORECASE
        ):
            continue
        day = day_in(tail) or day_in(head)
        day = _fully(day) if day else sentence.day
        if day and day > today:
            continue
        found = Statement(about, "status", state, text, day, sentence.perhaps, change=True)
        yield replace(found, entry=sentence.day is not None)


_ANY = Pattern("status", re.compile(""))
