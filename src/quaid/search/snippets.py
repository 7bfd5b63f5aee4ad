"""The passage of a text that matches best, with the words that matched marked.

FTS5 has a function for this, which takes quadratic time in the number of matches within a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import apsw

from quaid.formats.segments import segment, unsegment
from quaid.store import pages, terms

START, END = "\x02", "\x03"
WORDS = 32
STRETCH = 20_000  # characters that are looked through at a time
LONGEST = 600  # characters of a passage
LONGEST_WORD = 200  # so that one at the end of a stretch is seen whole

_MARKED = re.compile(f"{START}(.*?){END}", re.DOTALL)

Token = tuple[int, int, bool]  # start, end, whether it matches


class Snippets:
    """Passages for one query."""

    def __init__(self, connection: apsw.Connection, words: Sequence[str]) -> None:
        self._connection = connection
        self._tokens = terms.tokenizer(connection)
        stems = terms.stems(self._tokens, words)
        self._stems = {stem for word in words if not word.endswith("*") for stem in stems[word]}
        self._beginnings = tuple(stem for word in words if word.endswith("*") for stem in stems[word])

    def of_page(self, page_id: int) -> str:
        """The passage with most of the words: of the text, of a field, or of aliases and tags.

        The beginning of the text, where only the name matches.
        """
        truth, timeline, fields, keywords = pages.searched_text(self._connection, page_id)
        best, most = "", 0
        for text in filter(None, (truth, timeline, *self._telling(fields), keywords)):
            found = self.of_text(text)
            words = self._count(found)
            if words > most:
                best, most = found, words
        return best or self.of_text(truth)

    def _telling(self, fields: str) -> list[str]:
        """The field that has most of the words, if one has any."""
        counts = {line: len(self._stems_in(line)) for line in fields.splitlines()} if fields else {}
        line = max(counts, key=counts.__getitem__, default="")
        return [line] if line and counts[line] else []

    def _count(self, marked: str) -> int:
        """How many different words are marked in a passage."""
        return len({each.casefold() for each in _MARKED.findall(marked)})

    def _stems_in(self, text: str) -> set[str]:
        return {stem for _, _, stem in self._read(segment(text)) if stem}

    def of_text(self, text: str) -> str:
        """The passage with the most of the words that are looked for; the beginning, if there is none."""
        for start in range(0, max(1, len(text)), STRETCH):
            part = segment(text[start : start + STRETCH + LONGEST_WORD])
            tokens = self._read(part)
            if any(token[2] for token in tokens):
                return unsegment(self._marked(part, tokens, before=start > 0), START, END)
        part = segment(text[: 2 * STRETCH // 10])
        return unsegment(self._marked(part, self._read(part), before=False), START, END)

    def around(self, text: str, words: int) -> str:
        """So many words of a text, where most of those stand that are looked for, else its beginning."""
        part = segment(text[:STRETCH])
        tokens = self._read(part)
        first = _best_window([stem for _, _, stem in tokens], words)
        window = tokens[first : first + words]
        shown = part.encode()[window[0][0] : window[-1][1]].decode(errors="ignore") if window else part
        return unsegment(shown, START, END).strip()

    def _read(self, text: str) -> list[tuple[int, int, str]]:
        """Start, end and stem (empty where it does not matter) of each word, in bytes."""
        found = self._tokens(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
        known, beginnings = self._stems, self._beginnings
        return [
            (start, end, stem if stem in known or stem.startswith(beginnings) else "")
            for start, end, stem in found
        ]

    def _marked(self, text: str, tokens: Sequence[tuple[int, int, str]], *, before: bool) -> str:
        data = text.encode()
        first = _best_window([stem for _, _, stem in tokens], WORDS)
        window = tokens[first : first + WORDS]
        if not window:
            return text.strip()
        place = window[0][0] if first else 0
        last = window[-1][1] if first + WORDS < len(tokens) else len(data)
        parts: list[bytes] = []
        for start, end, stem in window:
            if stem:
                parts += (data[place:start], START.encode(), data[start:end], END.encode())
                place = end
        parts.append(data[place:last])
        shown = b"".join(parts).decode(errors="ignore").strip()
        start = max(0, shown.find(START) - LONGEST // 3) if len(shown) > LONGEST else 0
        cut = shown[start : start + LONGEST]
        return (
            ("…" if first or before or start else "")
            + cut
            + (END if cut.count(START) > cut.count(END) else "")
            + ("…" if last < len(data) or start + LONGEST < len(shown) else "")
        )


def _best_window(stems: Sequence[str], size: int) -> int:
    """Where the stretch of words begins that holds most different matches, then most matches."""
    best, best_start = (0, 0), 0
    inside: Counter[str] = Counter()
    matches = 0
    for place, stem in enumerate(stems):
        if stem:
            inside[stem] += 1
            matches += 1
        gone = stems[place - size] if place >= size else ""
        if gone:
            inside[gone] -= 1
            matches -= 1
            if not inside[gone]:
                del inside[gone]
        if (len(inside), matches) > best:
            best, best_start = (len(inside), matches), max(0, place - size + 1)
    if len(stems) <= size:
        return 0
    matching = [place for place in range(best_start, min(len(stems), best_start + size)) if stems[place]]
    if not matching:
        return best_start
    # A little of what comes before the first match, more of what follows, and all of the matches.
    return max(0, matching[0] - size // 4, matching[-1] - size + 1)
