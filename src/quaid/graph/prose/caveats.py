"""What a sentence takes back: denials, plans, conditions, hearsay, parts of a thing, other senses of a word.

A phrase that is found says nothing if its sentence denies it, means only a part, or goes on to undo it.
"""

from __future__ import annotations

import re
from functools import cache

from quaid.formats.slugs import fold
from quaid.formats.values import is_place
from quaid.graph.prose.phrasebook import Phrase, words
from quaid.graph.prose.sentences import LINKED, WORD, Sentence
from quaid.graph.prose.subjects import Voice
from quaid.model.record import record

_CLAUSE = re.compile(
    r"[,;:()–—]|\b(?:and|but|so|because|while|whereas|although|though|which|who|since|after)\b", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"^(?:if|unless|should|were|suppose|imagine|assuming|provided|in\s+case)\b", re.IGNORECASE
)
_MISTAKE = re.compile(
    r"\b(?:which|that|this)(?:\s+is|\s+was|['’]s)\s+(?:wrong|false|untrue|not\s+true|a\s+mistake|an\s+error|incorrect)\b"
    r"|\b(?:wrongly|mistakenly|erroneously|slips?\s+of\s+the\s+pen|typo|misprint|clerical\s+error)\b",
    re.IGNORECASE,
)
_OPENING_DAYS = re.compile(
    r"\b(?:closed|opens?)\s+(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided\s+that|in\s+case|should\s+\w+\s+not|would)\b", re.IGNORECASE
)
_RETURN = re.compile(
    r"\b(?:came\s+back|comes\s+back|returned|is\s+back|are\s+back|rejoined|re-joined|re-?hired|re-?opened"
    r"|resumed|restarted|back\s+(?:at|with|in|home|on)|running\s+again|reinstated|revived|un-?cancelled"
    r"|after\s+all)\b",
    re.IGNORECASE,
)
# What somebody may do with a name without leaving it: `left Acme a voicemail`, `left Berlin on Monday`.
_GIVEN = re.compile(
    r"\s+(?:(?:a|an|the|some|his|her|their|our|my|its|several|two|three|\d+)\s+"
    r"(?!years?\b|months?\b|weeks?\b|few\b)[a-z]"
    r"|(?:on|last|this)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day|at\s+(?:\d|noon|five|six|seven)|out\b|off\b"
    r"|with\s+(?:a|an|the)\b|alone\b|behind\b|early\b|today\b|yesterday\b|tonight\b|this\s+morning"
    r"|(?:for|after|before)\s+(?:lunch|dinner|the\s+(?:day|weekend|night)"
    r"|a\s+(?:day|week|trip|holiday|meeting|conference)|holidays?)"
    r"|in\s+(?:peace|charge|the\s+(?:dark|lurch|morning|evening)))",
    re.IGNORECASE,
)
# `Joined Acme for lunch`: in their company, not in their firm.
_COMPANY = re.compile(
    r"\s+(?:for|at|on|in)\s+(?:lunch|dinner|breakfast|drinks|coffee|a|an|the)\b", re.IGNORECASE
)
# `The former head of X is a friend` and `former X people` are about somebody else.
_FORMER = re.compile(r"(?:former|formerly|previously|ex|erstwhile|past)\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    r",?\s+(?:is|was|has|had|are|were|and|who|says?|said|told|people|staff|team|\w+s\b)", re.IGNORECASE
)
_BEFORE_NOW = re.compile(
    r"\b(?:was|were|had|previously|formerly|originally|initially|at\s+first|used\s+to|back\s+then|once|until|till"
    r"|in\s+those\s+days|at\s+the\s+time|earlier|before)\b",
    re.IGNORECASE,
)
_ENDED_THEN = re.compile(r"\b(?:until|till|before|back\s+then|at\s+the\s+time)\b", re.IGNORECASE)
_FOR_A_TIME = re.compile(r"\b(?:until|till|once\s+before|before\s+that|last\s+time)\b", re.IGNORECASE)
# `Last year's was on the 25th` tells of another fair, meeting or race.
_ANOTHER_ONE = re.compile(
    r"\b(?:last|previous)\s+(?:year|season|month|time)['’]s\b|\bthe\s+previous\s+one\b", re.IGNORECASE
)
_AT_TIMES = re.compile(
    r"\b(?:as\s+an?\s+(?:child|student|boy|girl|teenager|kid|young)|used\s+to|until|till|up\s+to|back\s+then"
    r"|years\s+ago|formerly|once|youth|childhood|when\s+(?:he|she|they)\s+(?:was|were)|together|earlier|by\s+then"
    r"|(?:first|second)\s+(?:marriage|wife|husband|doctorate)|at\s+first|exception|except)\b",
    re.IGNORECASE,
)
_HOME = re.compile(
    r"\b(?:for\s+good|permanently|famil\w+|house|flat|home|head\s*quarters|head\s+office|hq|offices?|relocated"
    r"|with\s+(?:his|her|their)|wife|husband|kids|children|emigrated|settled|seat|base|village|town|city|farm"
    r"|apartment|boat|lease)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\s+(?:the|its|their|our|one|two|three|a|an)\s+(?:[\w'-]+\s+)?(?P<noun>[\w'-]+)"
    r"(?=\s*(?:[.,;:]|$|in\b|on\b|at\b))"
)
_OVER = frozenset(("ended", "until", "never", "dead", "paused"))
_NOW_ONLY = frozenset(("based_in", "lives_in", "headcount", "role", "works_at", "owner", "post", "tie"))
# Which words say that not the whole is meant.
_PARTIAL = {
    "status": "partial",
    "attends": "partial",
    "value": "partial value",
    "round": "partial value",
    "revenue": "partial value",
    "headcount": "partial headcount",
    "due": "partial due",
    "date": "partial due",
    "founded_in": "partial founded",
}


@record
class Finding:
    """A phrase that was found in a sentence, with what stands before and after it."""

    sentence: Sentence
    phrase: Phrase
    match: re.Match[str]

    @property
    def matched_words(self) -> str:
        """The words that fit the phrase."""
        return self.match.group()

    @property
    def head(self) -> str:
        """What stands before them."""
        return self.match.string[: self.match.start()]

    @property
    def tail(self) -> str:
        """What stands after them."""
        return self.match.string[self.match.end() :]


def is_open(sentence: Sentence) -> bool:
    """Whether a sentence only asks or supposes, tells of a mistake, or says when a door is open."""
    said = sentence.text
    if sentence.asks or _SUPPOSED.match(said):
        return True
    return is_mistake(said) or _OPENING_DAYS.search(said) is not None


def is_mistake(text: str) -> bool:
    """Whether a sentence says of something that it is wrong."""
    return _MISTAKE.search(text) is not None


def says_nothing(found: Finding, voice: Voice) -> bool:
    """Whether a sentence takes back what a phrase in it says."""
    return (
        _is_denied(found, voice)
        or _CONDITION.search(found.tail) is not None
        or _is_partial(found, voice)
        or _is_undone(found)
        or _is_past(found)
    )


@cache
def _words_and_phrases(single: str, several: str) -> tuple[frozenset[str], re.Pattern[str]]:
    phrases = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in words(several))
    return words(single), re.compile(rf"(?<!\w)(?:{phrases})(?!\w)", re.IGNORECASE)


def is_hearsay(text: str) -> bool:
    """Whether a sentence leaves open what it says."""
    single, phrases = _words_and_phrases("hearsay", "hearsay phrase")
    return not single.isdisjoint(WORD.findall(text.lower())) or phrases.search(text) is not None


def _is_denied(found: Finding, voice: Voice) -> bool:
    """Whether the clause says that it is not so, or not yet. What the phrase itself denies is meant so."""
    denied, phrases = _words_and_phrases("denied", "denied phrase")
    ends = [each.end() for each in _CLAUSE.finditer(found.head)]
    clause = found.head[ends[-1] :] if ends else found.head
    if len(ends) > 1 and not clause.strip():
        clause = found.head[ends[-2] :]
    spoken = (set(WORD.findall(clause.lower())) | _between(found)) - voice.own
    return not denied.isdisjoint(spoken) or phrases.search(clause) is not None


def _between(found: Finding) -> set[str]:
    """The words inside a phrase that are not its own."""
    return set(WORD.findall(found.matched_words.lower())) - found.phrase.words


def _is_partial(found: Finding, voice: Voice) -> bool:
    """Whether only a part of the thing is meant, or another thing that stands as the object of the verb."""
    predicate = found.phrase.predicate
    if predicate not in _PARTIAL or (predicate == "founded_in" and "who" in found.match.groupdict()):
        return False
    clause = re.sub(LINKED, "", _CLAUSE.split(found.head)[-1])
    near = {*WORD.findall(clause.lower()), *_between(found), *_following(found.tail)}
    if any(fold(word) not in voice.own for word in near & words(_PARTIAL[predicate])):
        return True
    after = _OBJECT.match(found.tail)
    return predicate == "status" and after is not None and not voice.calls(after["noun"])


def _following(tail: str) -> list[str]:
    """The words that belong to a phrase's end: up to a sign, and not what is said of time and place."""
    near = re.split(r"[,;:.()–—]|\b(?:to|in|at|on|because|after|since|before|and|but)\b", tail, maxsplit=1)[0]
    return WORD.findall(near.lower())[:5]


def _is_undone(found: Finding) -> bool:
    """Whether the sentence goes on to take it back, or means something else by the verb."""
    phrase, tail = found.phrase, found.tail
    if phrase.mode in _OVER and (_RETURN.search(tail) or _RETURN.search(found.sentence.after)):
        return True
    if phrase.predicate == "works_at":
        return _COMPANY.match(tail) is not None
    if phrase.predicate == "tie" and found.matched_words[:4].lower() == "left":
        return _GIVEN.match(tail) is not None
    if phrase.predicate in ("tie", "role") and _FORMER.match(found.matched_words):
        return _SOMEBODY.match(tail) is not None
    if phrase.predicate == "status" and phrase.mode not in ("open", "begun", "paused"):
        return _FOR_A_TIME.search(tail) is not None
    return False


def _is_past(found: Finding) -> bool:
    """Whether it was so at another time, where only the present counts."""
    predicate = found.phrase.predicate
    if predicate.startswith("trait.") or predicate in ("children", "acquired"):
        return _AT_TIMES.search(found.sentence.text) is not None
    if predicate in ("date", "due"):
        return _ANOTHER_ONE.search(found.sentence.text) is not None
    if found.phrase.mode != "is" or predicate not in _NOW_ONLY:
        return False
    before = f"{found.head[-40:]} {found.matched_words}"
    return _BEFORE_NOW.search(before) is not None or _ENDED_THEN.search(found.tail[:40]) is not None


def may_be_no_move(found: Finding, value: str) -> bool:
    """Whether something other than a place may be meant: one moves to Postgres, too."""
    moved = found.phrase.predicate in ("lives_in", "based_in", "place") and found.phrase.mode == "became"
    return moved and not is_place(value) and _HOME.search(found.match.string) is None
