"""Sentences of pages as a careful reader takes them: whom they are about, and how sure they are.

What is denied, asked, wished for, supposed or yet to come says nothing about what is. What is known by
hearsay
says `perhaps`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from quaid.formats.slugs import fold
from quaid.model.interval import MONTHS
from quaid.model.record import record

_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
LINK = re.compile(
    r"!?\[\[(?P<wiki>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\]"
    r"|\[\[(?P<org>[^\[\]\n]+)\]\[(?P<label>[^\[\]\n]*)\]\]"
    r"|\[(?P<text>[^\[\]\n]*)\]\((?P<path>[^()\s]+)\)"
)
_SENTENCE = re.compile(r"[^\n.!?;]*(?:[.!?](?!\s|$)[^\n.!?;]*)*[.!?;]?")
_LEAD = re.compile(r"^[\s>*+#-]*(?:\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?")
_MARKS = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}")
_ABBREVIATED = re.compile(
    r"(?<=\b[A-Z])\.|(?<=\b(?:Dr|Mr|St|No|Nr|ca|vs))\.|(?<=\b(?:Mrs|Inc|Ltd|Jan|Feb|Sep|Oct|Nov|Dec))\."
)

_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS)
_DENIED = re.compile(
    r"\b(?:not|never|no|nobody|nearly|almost|if|whether|unless|would|could|should|will|shall|plans?|planned|wants?"
    r"|wanted|hopes?|hoped|expects?|expected|intends?|considers?|considering|thinking|thinks?\s+(?:of|about)|aims?"
    r"|before|until|once|when|wishes|tries|tried|trying|in\s+talks|negotiates|about\s+to|going\s+to|due\s+to|set\s+to"
    r"|supposed|asked|offered|refused|declined|suggested|proposed|target|goal|draft|example|used\s+to|dreams?|dreamt"
    r"|nie|nicht|wenn|würde|wird|will|falls|ob)\b|n['’]t\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:rumou?rs?|apparently|seems?|seemed|seemingly|allegedly|reportedly|supposedly|maybe|perhaps|might|(?-i:may)(?!\s+\d)"
    r"|possibly|probably|presumably|likely|unconfirmed|unclear|not\s+sure|unsure|i\s+think|i\s+believe|i\s+heard"
    r"|heard\s+(?:that|from)|word\s+is|they\s+say|people\s+say|said\s+to|claims?|claimed|according\s+to|told\s+me"
    r"|tells\s+me|says\s+that|mentioned\s+that|guess|angeblich|vielleicht|wohl|vermutlich|gerüchte\w*"
    r"|double[- ]check"
    r"|to\s+be\s+confirmed|tbc)\b|\(\?\)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"^(?:and|but|then|later|finally|recently|also|already|eventually|since|has|have|had|is|was|are|were|been|got|a|an"
    rf"|the|in|on|by|around|early|late|mid|end|of|as|role|position|status|note|update|history|career|now|currently"
    rf"|today|just|{_MONTH}|(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|\d{{1,2}}(?:st|nd|rd|th)?|last|this|year|month|week"
    r"|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\W+)$",
    re.IGNORECASE,
)
_SELF = frozenset(["he", "she", "they", "i", "we", "it", "this", "er", "sie", "ich", "wir", "es"])
_OBJECTS = frozenset(("it", "this", "es", "sie"))
_OTHERS = frozenset(["with", "by", "of", "and", "to", "for", "from", "about", "than", "after", "at", "whose"])
_JOINED = re.compile(
    r"(?:,|\band|\bbut|\bthen|\bwho)\s*(?:(?:has|have|then|later|now|is)\s*)*$", re.IGNORECASE
)


@record
class Sentence:
    """A sentence with the labels of its links, and the day of the timeline's line in which it stands."""

    text: str
    day: str | None = None

    @property
    def perhaps(self) -> bool:
        """Whether it leaves open what it says."""
        return is_hearsay(self.text)

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip().endswith("?")


def sentences(text: str, day: str | None = None) -> Iterator[Sentence]:
    """The sentences of a text, without code."""
    for line in _CODE.sub(" ", text).splitlines():
        for raw in raw_sentences(line):
            yield Sentence(shown_text(raw), day)


@lru_cache(maxsize=2048)  # a page's lines are looked at for each of its links and facts
def raw_sentences(line: str) -> tuple[str, ...]:
    """The sentences of a line as they are written, links and all."""
    line = _MARKS.sub("", _LEAD.sub("", line))
    found = (line[match.start() : match.end()].strip() for match in _SENTENCE.finditer(_shielded(line)))
    return tuple(sentence for sentence in found if sentence)


def without_code(text: str) -> str:
    """A text without what is quoted as code, and without comments."""
    return _CODE.sub(" ", text)


def _shielded(line: str) -> str:
    """The line with the dots inside links and after abbreviations hidden: they end no sentence."""
    line = LINK.sub(lambda match: "x" * len(match.group()), line)
    return _ABBREVIATED.sub("x", line)


def shown_text(sentence: str) -> str:
    """A sentence as it is quoted: links by their labels."""

    def label(match: re.Match[str]) -> str:
        return match["alias"] or match["label"] or match["text"] or match["wiki"] or match["org"] or ""

    return " ".join(LINK.sub(label, sentence).split())


def is_denied(text: str) -> bool:
    """Whether a part of a sentence says that something is not so, or not yet."""
    return bool(_DENIED.search(text))


def is_hearsay(text: str) -> bool:
    """Whether a sentence leaves it open."""
    return bool(_HEARSAY.search(text))


def own_words(names: Collection[str]) -> frozenset[str]:
    """The words by which a page's text calls its subject."""
    return frozenset(word for name in names for word in fold(name).replace("/", " ").split() if len(word) > 1)


def subject_of(head: str, own: Collection[str]) -> str | None:
    """Whom the words before a verb are about: "" for the page's own subject, a name, or None if that is
    unclear."""
    head = _HEARSAY.sub(" ", head).replace(" that ", " ")
    words = [word for word in re.split(r"[\s,;:()–—]+", head) if word]
    while words and _FILLER.match(words[-1]):
        words.pop()
    leading = list(words)
    while leading and _FILLER.match(leading[0]):
        leading.pop(0)
    if not leading:
        return ""
    last = fold(words[-1])
    before = fold(words[-2]) if len(words) > 1 else ""
    if last in _SELF and not (last in _OBJECTS and before in _OTHERS):
        return ""
    if last in own and before not in _OTHERS and not _possessed(words[:-1]):
        return ""
    first = fold(leading[0].removesuffix("'s").removesuffix("’s"))
    # `Bo sold the house and moved to Oslo` is about Bo; `Bo met Ana, who moved` is not.
    if _JOINED.search(head) and not head.rstrip(" ,").lower().endswith("who") and first in (*own, *_SELF):
        return "" if not leading[0].endswith(("'s", "’s")) else None
    if all(word[:1].isupper() or word.isdigit() for word in leading) and len(leading) <= 5:
        return " ".join(leading)
    return None


def _possessed(words: list[str]) -> bool:
    return any(
        word.endswith(("'s", "’s")) or fold(word) in ("her", "his", "their", "my", "our") for word in words
    )
