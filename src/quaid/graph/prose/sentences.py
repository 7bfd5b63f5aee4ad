"""Sentences of pages: where they begin and end, what they link, and what they only quote.

A sentence is matched with its links marked and its contractions spelled out, and quoted as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from quaid.model.record import record

_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
LINK = re.compile(
    r"!?\[\[(?P<wiki>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\]"
    r"|\[\[(?P<org>[^\[\]\n]+)\]\[(?P<label>[^\[\]\n]*)\]\]"
    r"|\[(?P<text>[^\[\]\n]*)\]\((?P<path>[^()\s]+)\)"
)
_SENTENCE = re.compile(r"[^\n.!?;]*(?:[.!?](?!\s|$)[^\n.!?;]*)*[.!?;]?")
_LEAD = re.compile(r"^[\s>*+-]*(?:\d{1,3}[.)]\s+)?")
_NEW_BLOCK = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s|#|\||>|$|[A-Z][\w -]{0,24}:\s)")
_SKIPPED = re.compile(r"\s*(?:#{1,6}\s|\*+\s+(?:TODO|DONE)\b|#\+|\||[-*+]\s+\[[ xX-]\]|:[\w-]+:)")
_MARKS = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}")
_ABBREVIATED = re.compile(
    r"(?<=\b[A-Z])\.|(?<=\b(?:Dr|Mr|St|No|Nr|ca|vs))\.|(?<=\b(?:Mrs|Inc|Ltd|Jan|Feb|Sep|Oct|Nov|Dec|Mio|Mrd|est))\."
    r"|(?<=\bSept)\.|(?<=\b(?:e\.g|i\.e))\.|(?<=\d)\.(?=\s+(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober"
    r"|November|Dezember)\b)"
)
UPPER = "A-ZÀ-ÖØ-Þ" + "".join(chr(code) for code in range(0x100, 0x180) if chr(code).isupper())
# A link stands as its target and its label between signs that no text has.
OPEN, BAR, CLOSE = "\ue000", "\ue002", "\ue001"
LINKED = rf"{OPEN}[^{CLOSE}]*{CLOSE}"
_LINKED = re.compile(rf"{OPEN}(?P<target>[^{CLOSE}{BAR}]*)(?:{BAR}(?P<label>[^{CLOSE}]*))?{CLOSE}")
_QUOTED = re.compile(r"[\"“„«](?P<said>[^\"”“»\n]*)[\"”“»]")
_SPELLED = (
    (re.compile(r"[’ʼ]"), "'"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\w)'ve\b", re.IGNORECASE), " have"),
    (re.compile(r"(?<=\w)'ll\b", re.IGNORECASE), " will"),
    (re.compile(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (re.compile(r"(?<=\bI)'m\b", re.IGNORECASE), " am"),
    (
        re.compile(r"(?<=\b(?:he|we|it|my))'d\b|(?<=\b(?:she|you))'d\b|(?<=\bthey)'d\b", re.IGNORECASE),
        " would",
    ),
    (
        re.compile(
            r"(?<=\b(?:it|he))'s\b|(?<=\bshe)'s\b|(?<=\b(?:that|what|here))'s\b|(?<=\bthere)'s\b",
            re.IGNORECASE,
        ),
        " is",
    ),
    (re.compile(r"\bex-(?=\w)", re.IGNORECASE), "ex "),
)
_ADDED = re.compile(r"\s*\((?=(?:until|till|since|from|now)\b)", re.IGNORECASE)
WORD = re.compile(r"\w+")


@record
class Sentence:
    """A sentence as it is matched, as it is quoted, and the day of the timeline's line in which it stands."""

    text: str
    shown: str
    day: str | None = None
    after: str = ""  # what follows it in its paragraph

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip().endswith("?")


def blocks(text: str) -> Iterator[str]:
    """The paragraphs and items of a text, each on one line; headings, tables, tasks and code say nothing."""
    block: list[str] = []
    for line in without_code(text).splitlines():
        if _NEW_BLOCK.match(line):
            if block:
                yield " ".join(block)
            block = []
        if _SKIPPED.match(line):
            continue
        if line.strip():
            block.append(line.strip())
    if block:
        yield " ".join(block)


def sentences(block: str, day: str | None = None, telling: Collection[str] = ()) -> Iterator[Sentence]:
    """The sentences of a block; given words that tell something, only those that have one of them."""
    raw = raw_sentences(block)
    for place, each in enumerate(raw):
        if telling and len(raw) > 1 and not any(word in telling for word in WORD.findall(each.lower())):
            continue
        yield Sentence(spelled(marked(each)), shown_text(each), day, " ".join(raw[place + 1 : place + 3]))


def raw_sentences(line: str) -> tuple[str, ...]:
    """The sentences of a line as they are written, links and all."""
    line = _LEAD.sub("", line)
    line = _MARKS.sub("", line) if "*" in line or "_" in line else line
    found = (line[match.start() : match.end()].strip() for match in _SENTENCE.finditer(_shielded(line)))
    return tuple(sentence for sentence in found if sentence)


def without_code(text: str) -> str:
    """A text without what is quoted as code, and without comments."""
    return _CODE.sub(" ", text) if "`" in text or "~~~" in text or "<!--" in text else text


def _shielded(line: str) -> str:
    """The line with the dots inside links and after abbreviations hidden: they end no sentence."""
    if "[" in line:
        line = LINK.sub(lambda match: "x" * len(match.group()), line)
    return _ABBREVIATED.sub("x", line) if "." in line else line


def shown_text(sentence: str) -> str:
    """A sentence as it is quoted: links by their labels."""

    def label(match: re.Match[str]) -> str:
        return match["alias"] or match["label"] or match["text"] or match["wiki"] or match["org"] or ""

    return " ".join((LINK.sub(label, sentence) if "[" in sentence else sentence).split())


def marked(sentence: str) -> str:
    """A sentence with its links as targets with labels, between signs that no text has."""

    def mark(match: re.Match[str]) -> str:
        target = match["wiki"] or match["org"] or match["path"] or ""
        label = match["alias"] or match["label"] or match["text"] or ""
        return f"{OPEN}{target.strip()}{BAR + label.strip() if label else ''}{CLOSE}"

    return LINK.sub(mark, sentence) if "[" in sentence else sentence


def spelled(sentence: str) -> str:
    """A sentence without what it quotes of others, its contractions spelled out."""
    sentence = _ADDED.sub(", ", sentence) if "(" in sentence else sentence
    if "'" in sentence or "’" in sentence or "ex-" in sentence.lower() or "cannot" in sentence.lower():
        for pattern, wording in _SPELLED:
            sentence = pattern.sub(wording, sentence)
    if _QUOTE.search(sentence):
        sentence = _QUOTED.sub(_short_quote, sentence)
    return " ".join(sentence.split())


_QUOTE = re.compile('["“„«]')


def _short_quote(match: re.Match[str]) -> str:
    """A quotation that is a name or a word; what others said at length is not the page's word."""
    return match.group() if len(match["said"].split()) < 4 else " “” "


def link_target(name: str) -> tuple[str, str] | None:
    """Target and label of a marked link; None for a name in plain text."""
    match = _LINKED.fullmatch(name.strip())
    return (match["target"], match["label"] or match["target"]) if match else None


def plain(text: str) -> str:
    """A matched text without marks: links by their labels."""
    return _LINKED.sub(lambda match: match["label"] or match["target"], text)


def link_targets(text: str) -> list[str]:
    """The targets of the links of a matched text."""
    return [match["target"] for match in _LINKED.finditer(text)] if OPEN in text else []


def is_quotation(sentence: str) -> bool:
    """Whether most of a sentence is what somebody else has said."""
    own, every = len(_QUOTED.sub(" ", sentence).split()), len(sentence.split())
    return own < every / 2
