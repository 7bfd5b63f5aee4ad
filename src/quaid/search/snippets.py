"""The passage of a text that matches best, with the words that matched marked.

FTS5 has a function for this, which takes quadratic time in the number of matches within a page.
"""

from __future__ import annotations

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

Token = tuple[int, int, bool]  # start, end, whether it matches


class Snippets:
    """Passages for one query."""

    def __init__(self, connection: apsw.Connection, words: Sequence[str]) -> None:
        self._connection = connection
        self._tokens = terms.tokenizer(connection)
        self._stems = {
            stem
            for word in words
            if not word.endswith("*")
            for stem in terms.stems(connection, word.strip('"'))
        }
        self._beginnings = tuple(
            stem for word in words if word.endswith("*") for stem in terms.stems(connection, word.strip('*"'))
        )

    def of_page(self, page_id: int) -> str:
        """A passage of the text, or of aliases and tags; the beginning, where only the name matches."""
        truth, timeline, keywords = pages.searched_text(self._connection, page_id)
        for text in (truth, timeline, keywords):
            found = self.of_text(text)
            if START in found:
                return found
        return self.of_text(truth)

    def of_text(self, text: str) -> str:
        """The passage with the most of the words that are looked for; the beginning, if there is none."""
        for start in range(0, max(1, len(text)), STRETCH):
            part = segment(text[start : start + STRETCH + LONGEST_WORD])
            tokens = self._read(part)
            if any(token[2] for token in tokens):
                return unsegment(self._marked(part, tokens, before=start > 0), START, END)
        part = segment(text[: 2 * STRETCH // 10])
        return unsegment(self._marked(part, self._read(part), before=False), START, END)

    def _read(self, text: str) -> list[tuple[int, int, str]]:
        """Start, end and stem (empty where it does not matter) of each word, in bytes."""
        found = self._tokens(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
        return [(start, end, stem if self._wanted(stem) else "") for start, end, stem in found]

    def _wanted(self, stem: str) -> bool:
        return stem in self._stems or bool(self._beginnings and stem.startswith(self._beginnings))

    def _marked(self, text: str, tokens: Sequence[tuple[int, int, str]], *, before: bool) -> str:
        data = text.encode()
        first = _best_window([stem for _, _, stem in tokens])
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


def _best_window(stems: Sequence[str]) -> int:
    """Where the stretch of words begins that holds most different matches, then most matches."""
    best, best_start = (0, 0), 0
    inside: Counter[str] = Counter()
    matches = 0
    for place, stem in enumerate(stems):
        if stem:
            inside[stem] += 1
            matches += 1
        gone = stems[place - WORDS] if place >= WORDS else ""
        if gone:
            inside[gone] -= 1
            matches -= 1
            if not inside[gone]:
                del inside[gone]
        if (len(inside), matches) > best:
            best, best_start = (len(inside), matches), max(0, place - WORDS + 1)
    if len(stems) <= WORDS:
        return 0
    matching = [place for place in range(best_start, min(len(stems), best_start + WORDS)) if stems[place]]
    if not matching:
        return best_start
    # A little of what comes before the first match, more of what follows, and all of the matches.
    return max(0, matching[0] - WORDS // 4, matching[-1] - WORDS + 1)
