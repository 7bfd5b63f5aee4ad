"""Sentences that say that something has ended: `left RiverAI in 2025`, `CEO of RiverAI until 2024`.

Precision comes first: a sentence counts only if it is about the page's own subject, says so plainly, and
links or names exactly what it has ended with. What is denied, asked, wished for or yet to come does not
count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from quaid.formats.slugs import PAGE_EXTENSION, fold
from quaid.graph.sentences import (
    LINK,
    is_denied,
    is_hearsay,
    own_words,
    raw_sentences,
    shown_text,
    subject_of,
    without_code,
)
from quaid.model.page import TimelineEntry
from quaid.model.record import record

# Words of which a sentence must have one to say that something has ended.
_WORD_LIST = """
left quit resigned departed retired former formerly previously ex until till longer stepped fired laid last
parted dismissed sacked redundant notice goodbye stopped ended dropped moved departed let any anymore
leaves quits resigns handed finished cancelled canceled nicht ehemaligen ehemaliges ehemalig
ausgeschieden verließ ehemalige ehemaliger ehemals bis mehr
"""
WORDS = frozenset(_WORD_LIST.split())
_WORD = re.compile(r"[^\W\d_]+")

# Relationships that such sentences end; one cannot leave what one has founded.
_ENDABLE = re.compile(
    r"work|employ|member|advis|board|(?:^|_)c[etfo]o(?:_|$)|lead|head|manag|affiliat|consult|contribut|maintain"
    r"|live|stud|chair|volunteer|intern|belong|serves|arbeit|mitglied"
)

_TARGET = "\ue000"  # stands for the target in a sentence

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = (
    rf"(?:(?:{_MONTH}\.?\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?(?:{_MONTH}\.?,?\s+)?(?:of\s+)?(?:19|20)\d\d"
    r"(?:-\d\d(?:-\d\d)?)?)"
)
_A_DATE = re.compile(_DATE, re.IGNORECASE)
_ROLE = r"(?:(?:the|a|an|her|his|their|our|my)\s+)?(?:[\w&/-]+\s+){0,4}?(?:at|of|with|for|from)\s+(?:the\s+)?"
_T = rf"(?:the\s+)?{_TARGET}(?!['’]s\s)"
# `The former head of X is a friend` and `former X people` are about somebody else.
_NO_OTHERS = r"(?!,?\s+(?:is|was|has|had|are|were|and|who|says?|said|told|people|staff|team|\w+s\b))"

# What a sentence may say between its subject and the target.
_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:left|quit)\s+(?:(?:her|his|their|the)\s+(?:[\w-]+\s+)?(?:job|role|post|position)\s+(?:at|with|in)\s+)?{_T}",
        rf"\b(?:parted\s+ways\s+with|moved\s+on\s+from|(?:was|been)\s+dismissed\s+(?:from|by)|(?:was|been)\s+sacked\s+by"
        rf"|(?:was|been)\s+made\s+redundant\s+(?:at|by)|(?:gave|handed\s+in)\s+(?:her|his|their)\s+notice\s+(?:at|to)"
        rf"|said\s+goodbye\s+to|finished\s+at|stopped\s+working\s+(?:at|for)|ended\s+(?:her|his|their)\s+(?:time|contract"
        rf"|internship|job|work)\s+(?:at|with)|dropped\s+out\s+of|cancel+ed\s+(?:her|his|their)\s+membership\s+(?:of|in|at)"
        rf"|moved\s+(?:away\s+|out\s+)?(?:from|of))\s+{_T}",
        rf"\b(?:resigned|departed|retired|stepped\s+(?:down|back|aside))\s+(?:as\s+{_ROLE}|from\s+(?:{_ROLE})?){_T}",
        rf"\bdeparted\s+{_T}",
        rf"^(?:leaves|quits|resigns\s+from)\s+(?:the\s+)?{_T}",
        rf"\bhanded\s+over\s+as\s+{_ROLE}{_T}",
        rf"\b(?:(?:her|his|their|my)\s+)?last\s+(?:working\s+)?day\s+(?:at|with|for)\s+{_T}",
        rf"\b(?:no\s+longer|not\s+any\s*more)\s+(?:(?:work\w*|employed|active|involved|{_ROLE})\s*)?"
        rf"(?:(?:at|with|for|by|of|in|on)\s+)?{_T}",
        rf"\b(?:former|formerly|previously|ex-?)\s*(?:{_ROLE})?{_T}{_NO_OTHERS}",
        rf"\b(?:was\s+)?(?:fired|laid\s+off|let\s+go)\s+(?:from|by)\s+{_T}",
        rf"\bverließ\s+{_T}",
        rf"\b(?:arbeitet\s+)?nicht\s+mehr\s+(?:bei|für|in)\s+{_T}",
        rf"\b(?:ehemals|ehemalige[rns]?\s+[\w-]+)\s+(?:bei|von|der|des)\s+{_T}",
    )
)
_UNTIL = re.compile(
    rf"(?:\b(?:work(?:ed|s)|was|employed|served)\s+)?(?:as\s+)?(?:{_ROLE})?{_T},?\s*\(?(?:from\s+{_DATE}\s+)?"
    rf"(?:until|till|bis)\s+(?:the\s+end\s+of\s+)?(?P<end>{_DATE})",
    re.IGNORECASE,
)
_RETURN = re.compile(
    r"\b(?:came\s+back|comes\s+back|returned|rejoined|re-?hired|is\s+back|back\s+(?:at|with|in)|hired\s+again|hired"
    r"|changed\s+(?:her|his|their)\s+mind|now\s+(?:a|an|the)\s)",
    re.IGNORECASE,
)
# `left X a voicemail`, `left X on Monday`, `left X at five`: another sense of the word.
_GIVEN = re.compile(
    r"\s+(?:(?:a|an|the|some|his|her|their|our|my|its|several|two|three|\d+)\s+(?!years?\b|months?\b|weeks?\b)[a-z]"
    r"|(?:on|last|this)\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day|at\s+(?:\d|noon|five|six|seven)|out\b|off\b"
    r"|with\s+(?:a|an|the)\b|alone\b|behind\b|early\b|(?:for|after|before)\s+(?:lunch|dinner|the\s+(?:day|weekend|night)"
    r"|a\s+(?:day|week|trip|holiday|meeting|conference)|holidays?)|today\b|yesterday\b|tonight\b|this\s+morning)",
    re.IGNORECASE,
)


@record
class Bond:
    """Something that holds between a page and another: what the other is called, and since when it holds."""

    key: int
    relationship: str
    names: tuple[str, ...]
    since: str | None = None


@record
class Ending:
    """A sentence that says that a bond has ended, and the first day of the time that it names."""

    key: int
    sentence: str
    day: str | None
    perhaps: bool = False


def endings(
    truth: str,
    own_names: Collection[str],
    bonds: Sequence[Bond],
    today: str,
    entries: Sequence[TimelineEntry] = (),
) -> list[Ending]:
    """The bonds that a compiled truth or a timeline says have ended, each once; sure ones come first."""
    dated = [(None, truth), *((entry.date, entry.summary) for entry in entries if entry.date <= today)]
    spoken = fold("\n".join(text for _, text in dated).replace("/", " "))
    endable = [bond for bond in bonds if _ENDABLE.search(bond.relationship) and _is_named(bond, spoken)]
    if not endable:
        return []
    own = own_words(own_names)
    plain = [(bond, _finder(bond)) for bond in endable]
    found: dict[int, Ending] = {}
    for day, text in dated:
        for line in without_code(text).splitlines():
            for sentence in raw_sentences(line):
                # Most sentences tell of no end; what stands for it in a sentence is dear to look for.
                if WORDS.isdisjoint(_WORD.findall(sentence.lower())):
                    continue
                for bond, finder in plain:
                    said = _said(_Written(sentence, day), bond, finder, own, today)
                    if said and (bond.key not in found or (found[bond.key].perhaps and not said.perhaps)):
                        found[bond.key] = said
    returned = {bond.key for bond, finder in plain if _has_returned(dated, bond, finder, found.get(bond.key))}
    return [each for each in found.values() if each.key not in returned]


def _has_returned(
    dated: Sequence[tuple[str | None, str]], bond: Bond, finder: re.Pattern[str] | None, ending: Ending | None
) -> bool:
    """Whether another sentence says that the bond began anew since."""
    if ending is None:
        return False
    for day, text in dated:
        if day and ending.day and day < ending.day:
            continue
        for line in without_code(text).splitlines():
            if any(_AGAIN.search(_marked(sentence, bond, finder)) for sentence in raw_sentences(line)):
                return True
    return False


_AGAIN = re.compile(
    rf"\b(?:re-?joined|returned\s+to|came\s+back\s+to|went\s+back\s+to|re-?hired\s+by|(?:is\s+)?back\s+(?:at|with|in))"
    rf"\s+(?:the\s+)?{_TARGET}",
    re.IGNORECASE,
)


@record
class _Written:
    """A sentence as it is written, and the day of its line in a timeline."""

    text: str
    day: str | None = None


def _is_named(bond: Bond, spoken: str) -> bool:
    """Whether a folded text has one of the names at all: most have none, and need no closer look."""
    return any(fold(name).replace("/", " ") in spoken for name in bond.names)


def _said(
    sentence: _Written, bond: Bond, finder: re.Pattern[str] | None, own: frozenset[str], today: str
) -> Ending | None:
    """What a sentence says about the end of a bond."""
    marked = _marked(sentence.text, bond, finder)
    if _TARGET not in marked or marked.rstrip().endswith("?"):
        return None
    perhaps = is_hearsay(shown_text(marked))
    for match in (each for phrase in _PHRASES for each in phrase.finditer(marked)):
        tail = marked[match.end() :]
        if _RETURN.search(tail) or (match.group()[:4].lower() == "left" and _GIVEN.match(tail)):
            continue
        day = _first_day(_A_DATE.search(tail) or _A_DATE.search(marked[: match.start()])) or sentence.day
        if _is_about(marked[: match.start()], own) and _fits(day, bond.since, today):
            # Who left a town may come home in the evening.
            away = "live" in bond.relationship and match.group()[:4].lower() == "left"
            return Ending(bond.key, shown_text(sentence.text), day, perhaps or away)
    for match in _UNTIL.finditer(marked):
        day = _first_day(_A_DATE.search(match["end"]))
        # `until 2026` may still be to come while that year lasts.
        over = day is not None and (day[:4] < today[:4] or (len(match["end"]) > 4 and day[:7] < today[:7]))
        if over and _is_about(marked[: match.start()], own) and _fits(day, bond.since, today):
            return Ending(bond.key, shown_text(sentence.text), day, perhaps)
    return None


def _fits(day: str | None, since: str | None, today: str) -> bool:
    """Whether the end lies between the bond's first day and today."""
    return day is None or (day <= today and (since is None or day > since))


def _is_about(head: str, own: frozenset[str]) -> bool:
    """Whether what stands before an ending is about the page's own subject, and nothing but that."""
    return not is_denied(head) and _TARGET not in head and subject_of(head, own) == ""


def _marked(sentence: str, bond: Bond, finder: re.Pattern[str] | None) -> str:
    """The sentence with every mention of the target as one mark, and other links as their labels."""
    names = frozenset(fold(name) for name in bond.names)

    def mark(match: re.Match[str]) -> str:
        target = match["wiki"] or match["org"] or match["path"] or ""
        label = match["alias"] or match["label"] or match["text"] or target
        bare = PAGE_EXTENSION.sub("", target.split("#")[0].removeprefix("file:").replace("%20", " "))
        called = {fold(bare), fold(bare.rsplit("/", 1)[-1]), fold(label)}
        return _TARGET if called & names else label

    marked = LINK.sub(mark, sentence)
    return finder.sub(_TARGET, marked) if finder else marked


def _finder(bond: Bond) -> re.Pattern[str] | None:
    """What finds the target's names in plain text, as whole words; short ones and paths do not count."""
    names = sorted({name for name in bond.names if len(name) > 2 and "/" not in name}, key=len, reverse=True)
    if not names:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)


def _first_day(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    text = match.group().lower()
    iso = re.search(r"((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?", text)
    if iso is None:
        return None
    year, month, day = iso.groups()
    named = re.search(_MONTH, text)
    if named:
        month = f"{_MONTHS.index(named.group()[:3]) + 1:02}"
        number = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)", text.replace(year, ""))
        day = f"{int(number[1]):02}" if number else None
    return f"{year}-{month or '01'}-{day or '01'}"
