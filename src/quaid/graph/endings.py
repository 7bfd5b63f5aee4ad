"""Sentences that say that something has ended: `left RiverAI in 2025`, `CEO of RiverAI until 2024`.

Precision comes first: a sentence counts only if it is about the page's own subject, says so plainly, and
links or names exactly what it has ended with. What is denied, asked, wished for or yet to come does not
count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from quaid.formats.slugs import fold
from quaid.model.record import record

# Words of which a page must have one, as the word index finds them, to say that something has ended.
WORDS = (
    "left",
    "quit",
    "resigned",
    "departed",
    "retired",
    "former",
    "formerly",
    "previously",
    "ex",
    "until",
    "till",
    "longer",
    "stepped",
    "fired",
    "laid",
    "ausgeschieden",
    "verließ",
    "ehemalige",
    "ehemaliger",
    "ehemals",
    "bis",
    "mehr",
)

# Relationships that such sentences end; one cannot leave what one has founded.
_ENDABLE = re.compile(
    r"work|employ|member|advis|board|(?:^|_)c[etfo]o(?:_|$)|lead|head|manag|affiliat|consult|contribut|maintain"
    r"|live|stud|chair|volunteer|intern|belong|serves|arbeit|mitglied"
)

_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
_LINK = re.compile(
    r"!?\[\[(?P<wiki>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\]"
    r"|\[\[(?P<org>[^\[\]\n]+)\]\[(?P<label>[^\[\]\n]*)\]\]"
    r"|\[(?P<text>[^\[\]\n]*)\]\((?P<path>[^()\s]+)\)"
)
_EXTENSION = re.compile(r"\.(?:md|markdown|org)\Z", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\n.!?]*(?:[.!?](?!\s|$)[^\n.!?]*)*[.!?]?")
_LEAD = re.compile(r"^[\s>*+#-]*(?:\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?")
_MARKS = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}")
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
        rf"\b(?:left|quit)\s+(?:(?:her|his|their|the)\s+(?:job|role|post|position)\s+(?:at|with)\s+)?{_T}",
        rf"\b(?:resigned|departed|retired|stepped\s+down)\s+(?:as\s+{_ROLE}|from\s+(?:{_ROLE})?){_T}",
        rf"\bdeparted\s+{_T}",
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
_DOUBT = re.compile(
    r"\b(?:not|never|nearly|almost|if|whether|would|could|might|may|should|will|plans?|wants?|hopes?|rumou?rs?"
    r"|allegedly|before|had\s+wanted|nie|wenn|würde|wird)\b|n['’]t\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"^(?:and|but|then|later|finally|recently|also|already|eventually|since|has|have|had|is|was|are|were|been|a|an"
    rf"|the|who|in|on|by|around|early|late|mid|end|of|as|role|position|status|note|update|history|career|{_MONTH}"
    r"|(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|\d{1,2}(?:st|nd|rd|th)?|[-–—:,;().|]+)$",
    re.IGNORECASE,
)
_SELF = frozenset(("he", "she", "they", "i", "we", "er", "sie", "ich", "wir"))


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


def endings(truth: str, own_names: Collection[str], bonds: Sequence[Bond], today: str) -> list[Ending]:
    """The bonds that a compiled truth says have ended, each once."""
    spoken = fold(truth.replace("/", " "))
    endable = [bond for bond in bonds if _ENDABLE.search(bond.relationship) and _is_named(bond, spoken)]
    if not endable:
        return []
    own = frozenset(word for name in own_names for word in fold(name).replace("/", " ").split())
    plain = [(bond, _finder(bond)) for bond in endable]
    found: dict[int, Ending] = {}
    for sentence in _sentences(_CODE.sub(" ", truth)):
        for bond, finder in plain:
            if bond.key in found:
                continue
            said = _said(sentence, bond, finder, own, today)
            if said:
                found[bond.key] = said
    return list(found.values())


def _is_named(bond: Bond, spoken: str) -> bool:
    """Whether a folded text has one of the names at all: most have none, and need no closer look."""
    return any(fold(name).replace("/", " ") in spoken for name in bond.names)


def _said(
    sentence: str, bond: Bond, finder: re.Pattern[str] | None, own: frozenset[str], today: str
) -> Ending | None:
    """What a sentence says about the end of a bond."""
    marked = _marked(sentence, bond, finder)
    if _TARGET not in marked or marked.rstrip().endswith("?"):
        return None
    for match in (each for phrase in _PHRASES for each in phrase.finditer(marked)):
        day = _first_day(_A_DATE.search(marked, match.end()) or _A_DATE.search(marked[: match.start()]))
        if _is_about(marked[: match.start()], own) and _fits(day, bond.since, today):
            return Ending(bond.key, _shown(sentence), day)
    for match in _UNTIL.finditer(marked):
        day = _first_day(_A_DATE.search(match["end"]))
        # `until 2026` may still be to come while that year lasts.
        over = day is not None and (day[:4] < today[:4] or (len(match["end"]) > 4 and day[:7] < today[:7]))
        if over and _is_about(marked[: match.start()], own) and _fits(day, bond.since, today):
            return Ending(bond.key, _shown(sentence), day)
    return None


def _fits(day: str | None, since: str | None, today: str) -> bool:
    """Whether an end at that time is one of what holds since then: who came back has not left."""
    return day is None or (day <= today and (since is None or since < day))


def _is_about(head: str, own: frozenset[str]) -> bool:
    """Whether what stands before a phrase makes the page's own subject the one who does it."""
    if _DOUBT.search(head) or _TARGET in head:
        return False
    words = head.replace(",", " , ").split()
    while words and _FILLER.match(words[-1]):
        words.pop()
    if not words:
        return True
    last = fold(words[-1])
    if last in _SELF:
        return True
    return last in own and not (len(words) > 1 and words[-2].lower() in ("with", "by", "of", "and", "to"))


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines():
        line = _MARKS.sub("", _LEAD.sub("", line))
        for match in _SENTENCE.finditer(_shielded(line)):
            sentence = line[match.start() : match.end()].strip()
            if sentence:
                yield sentence


def _shielded(line: str) -> str:
    """The line with the dots inside links and after single capitals hidden: they end no sentence."""
    line = _LINK.sub(lambda match: "x" * len(match.group()), line)
    return re.sub(r"(?<=\b[A-Z])\.", "x", line)


def _marked(sentence: str, bond: Bond, finder: re.Pattern[str] | None) -> str:
    """The sentence with every mention of the target as one mark, and other links as their labels."""
    names = frozenset(fold(name) for name in bond.names)

    def mark(match: re.Match[str]) -> str:
        target = match["wiki"] or match["org"] or match["path"] or ""
        label = match["alias"] or match["label"] or match["text"] or target
        bare = _EXTENSION.sub("", target.split("#")[0].removeprefix("file:").replace("%20", " "))
        called = {fold(bare), fold(bare.rsplit("/", 1)[-1]), fold(label)}
        return _TARGET if called & names else label

    marked = _LINK.sub(mark, sentence)
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


def _shown(sentence: str) -> str:
    def label(match: re.Match[str]) -> str:
        return match["alias"] or match["label"] or match["text"] or match["wiki"] or match["org"] or ""

    return " ".join(_LINK.sub(label, sentence).split())
