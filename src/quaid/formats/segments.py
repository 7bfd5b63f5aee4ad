"""CJK text as bigrams for SQLite's FTS5 (tokenizer `unicode61`), and what people type as MATCH expressions.

`unicode61` takes a whole Chinese sentence for one word. Runs of CJK characters are therefore stored as
overlapping bigrams between invisible separators, and shown again without them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from quaid.formats.encoding import without_odd_bytes
from quaid.model.record import record

SEP = "\u2063"
# A person does not type more; thousands of pasted words would only make the search slow.
MAX_TERMS = 128
MAX_LENGTH = 4_000

# Only characters that unicode61 takes for letters: radicals (U+2E80..) would split a bigram.
_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3031-\u3035\u303b\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001aff0-\U0001b16f\U00020000-\U000323af"
)
_RUN = re.compile(f"[{_CJK}]+")
_STOP_LIST = """
a about above after again all also am an and any are as at be because been before being below between both
but by can could did do does doing down during each few for from further had has have having he her here
hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or
other our ours out over own same she should so some such than that the their theirs them then there these
they this those through to too under until up us very was we were what when where which while who whom why
will with would you your yours
"""
_STOP_WORDS = frozenset(_STOP_LIST.split())
_ASCII_WORD = re.compile("[0-9A-Za-z]+")
_ITEM = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))(?P<star>\*)?')


@record
class _Term:
    """A word, a CJK run or a phrase as typed."""

    words: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False


def segment(text: str) -> str:
    """The text with every CJK run as overlapping bigrams. An odd byte parts words."""
    if text.isascii():
        return text
    text = without_odd_bytes(text)
    if not _RUN.search(text):
        return text
    return _RUN.sub(lambda run: f"{SEP}{SEP.join(_grams(run.group()))}{SEP}", text)


def unsegment(text: str, start_mark: str, end_mark: str) -> str:
    """The original of segmented text that FTS5 has marked and perhaps cut."""
    if SEP not in text:
        return text
    out = _Marked(start_mark, end_mark)
    position = 0
    for match in _pieces(start_mark, end_mark).finditer(text):
        out.add(text[position : match.start()])
        out.add_piece(match.group())
        position = match.end()
    out.add(text[position:])
    return "".join(out.parts)


def match_query(text: str, *, every: bool) -> str:
    """An FTS5 MATCH expression for what a person typed; empty when nothing in it can be searched."""
    terms = _terms(text)
    wanted = tuple(term for term in terms if not term.excluded)
    if not wanted:
        wanted, terms = terms, ()
    positive = [_phrase(term) for term in wanted] if every else _any_of(wanted)
    positive = list(dict.fromkeys(positive))[:MAX_TERMS]
    query = (" " if every else " OR ").join(positive)
    negative = list(dict.fromkeys(_phrase(term) for term in terms if term.excluded))[:MAX_TERMS]
    return f"({query}) NOT ({' OR '.join(negative)})" if negative else query


@lru_cache(maxsize=16)
def alternatives(text: str) -> tuple[str, ...]:
    """The words of a question as FTS5 expressions, any of which may match; stop words only if all are."""
    wanted = tuple(term for term in _terms(text) if not term.excluded)
    return tuple(dict.fromkeys(_any_of(wanted)))[:MAX_TERMS]


def _any_of(wanted: Sequence[_Term]) -> list[str]:
    kept = [
        term
        for term in wanted
        if term.prefix or len(term.words) > 1 or term.words[0].lower() not in _STOP_WORDS
    ] or wanted
    return [expression for term in kept for expression in _alternatives(term)]


class _Marked:
    """Output in the making: marks are drawn anew around the characters of a CJK run, and kept elsewhere."""

    def __init__(self, start_mark: str, end_mark: str) -> None:
        self.parts: list[str] = []
        self._start, self._end = start_mark, end_mark
        self._marks = re.compile(f"({_either(start_mark, end_mark)})")
        self._on = False
        self._after_separator = False

    def add(self, text: str) -> None:
        if text:
            self.parts.append(text.replace(SEP, ""))
            self._after_separator = False

    def add_piece(self, piece: str) -> None:
        if self._marks.fullmatch(piece):
            self._switch(self._turned(self._on, piece))
        else:
            self._add_run(piece)

    def _turned(self, on: bool, mark: str) -> bool:
        return not on if self._start == self._end else mark == self._start

    def _switch(self, on: bool) -> None:
        # Two tokens are adjacent when nothing but a separator stood between them: one mark covers both.
        if on and self._after_separator and self.parts and self.parts[-1] == self._end:
            self.parts.pop()
        else:
            self.parts.append(self._start if on else self._end)
        self._on, self._after_separator = on, False

    def _add_run(self, run: str) -> None:
        on, cells = self._on, list[tuple[str, bool]]()
        for piece in self._marks.split(run.replace(SEP, f"{SEP}{SEP}")):
            if self._marks.fullmatch(piece):
                on = self._turned(on, piece)
            else:
                cells += [(gram, on) for gram in piece.split(SEP) if gram]
        self._after_separator = self._after_separator or run.startswith(SEP)
        for char, marked in _overlaid(cells):
            if marked != self._on:
                self._switch(marked)
            self.parts.append(char)
            self._after_separator = False
        if on != self._on:
            self._switch(on)
        self._after_separator = run.endswith(SEP)


def _overlaid(cells: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The characters of overlapping bigrams; one is marked when any of its bigrams is."""
    chars: list[tuple[str, bool]] = []
    before = ""
    for gram, marked in cells:
        if len(before) == 2 and before[1] == gram[0]:
            chars[-1] = (gram[0], chars[-1][1] or marked)
            chars += [(char, marked) for char in gram[1:]]
        else:
            chars += [(char, marked) for char in gram]
        before = gram
    return chars


def _either(*marks: str) -> str:
    return "|".join(re.escape(mark) for mark in marks if mark) or "(?!)"


@lru_cache(maxsize=16)
def _pieces(start_mark: str, end_mark: str) -> re.Pattern[str]:
    cell = f"(?:{re.escape(start_mark)})?[{_CJK}]{{1,2}}(?:{re.escape(end_mark)})?"
    return re.compile(f"{SEP}?{cell}(?:{SEP}{cell})*{SEP}?|{_either(start_mark, end_mark)}")


def _grams(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run))]


@lru_cache(maxsize=16)  # each arm of a search asks for those of the same question
def _terms(text: str) -> tuple[_Term, ...]:
    terms: list[_Term] = []
    for item in _ITEM.finditer(text[:MAX_LENGTH]):
        word = item["word"] or ""
        atoms = _atoms(item["phrase"] or word)
        if not atoms:
            continue
        prefix = bool(item["star"]) or word.endswith("*")
        if item["minus"] and not word.startswith("-"):
            terms.append(_Term(tuple(atoms), prefix, excluded=True))
        elif item["phrase"]:
            terms.append(_Term(tuple(atoms), prefix))
        else:
            terms += [_Term((atom,)) for atom in atoms[:-1]]
            terms.append(_Term((atoms[-1],), prefix))
    return tuple(terms)


def _atoms(text: str) -> list[str]:
    """The parts that unicode61 sees as tokens, with CJK runs on their own."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    text = _RUN.sub(r" \g<0> ", text)
    spaced = "".join(char if _in_word(char) else " " for char in text)
    return [atom for atom in spaced.split() if any(map(_is_letter, atom))]


def _in_word(char: str) -> bool:
    # unicode61 breaks words at many vowel signs; kept inside one quoted string, the pieces form a phrase.
    return _is_letter(char) or unicodedata.category(char)[0] == "M"


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) == "Co"


def _phrase(term: _Term) -> str:
    *before, last = term.words
    tokens = [token for word in before for token in _tokens(word)]
    prefix = term.prefix
    if _RUN.match(last):
        # The run may go on in the text: its last character alone is only certain where it is all there is.
        prefix = len(last) == 1
        tokens += _tokens(last)[: max(1, len(last) - 1)]
    else:
        tokens.append(last)
    return f'"{" ".join(tokens)}"{"*" if prefix else ""}'


def _tokens(word: str) -> list[str]:
    return _grams(word) if _RUN.match(word) else [word]


def _alternatives(term: _Term) -> list[str]:
    word = term.words[0]
    if len(term.words) == 1 and len(word) > 1 and _RUN.match(word):
        return [f'"{gram}"' for gram in _grams(word)[:-1]]
    return [_phrase(term)]
