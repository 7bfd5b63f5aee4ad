"""How often words occur, and what that makes of a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

import apsw

from quaid.model.record import record
from quaid.store.rows import column, first, row, rows

CEILING = 2.2  # k1 + 1 of FTS5's BM25: what a word can add at most is this times its rarity
COMMON_SHARE = 0.05
COMMON_ROWS = 1_000  # below this a scan costs nothing, and a small memory needs every word
MOST_ROWS = 8_000  # that the words of a question may bring together; each of them is ranked

Index = Literal["page", "chunk", "turn"]
MOST_COUNTED = 1_000  # words whose frequencies are kept
_SUMS = 1  # the record of FTS5 that begins with the number of rows
_SEGMENTS = 10  # … that names the parts of the index, and is another after every change
_COUNTED: WeakKeyDictionary[apsw.Connection, dict[str, tuple[Any, dict[str, int]]]] = WeakKeyDictionary()
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])


@record
class WordQuery:
    """An FTS5 expression, the highest score that a row could have, and how many rows it may bring.

    `further` finds those of its rows that have more common words as well, and what these add to their rank.
    """

    match: str
    ceiling: float
    rows: int
    further: str = ""

    def within(self, condition: str) -> WordQuery:
        """The rows that pass another expression, too."""
        match, further = (f"({each}) AND {condition}" if each else "" for each in (self.match, self.further))
        return WordQuery(match, self.ceiling, self.rows, further)


def stems(connection: apsw.Connection, text: str) -> list[str]:
    """The words of a text as the word index keeps them."""
    found: list[str] = tokenizer(connection)(
        text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
    )
    return found


def tokenizer(connection: apsw.Connection) -> Any:
    """What cuts texts into words for the word index."""
    return connection.fts5_tokenizer(*_TOKENIZER)


def any_of(connection: apsw.Connection, index: Index, words: Sequence[str]) -> WordQuery | None:
    """A query for rows with any of these expressions; None if no row has one.

    A word that many rows hold adds to the rank of a row, but brings none unless there is no rarer one. The
    same holds for the most frequent of words that bring more rows together than can be ranked.
    """
    total = size(connection, index)
    counts = {word: count for word, count in frequencies(connection, index, words).items() if count}
    if not counts:
        return None
    rare = _rare(counts, max(COMMON_ROWS, COMMON_SHARE * total))
    common = [
        word for word, count in counts.items() if word not in rare and count < total / 2
    ]  # others add 0
    match = " OR ".join(rare)
    ceiling = CEILING * sum(rarity(count, total) for count in counts.values())
    further = f"({match}) AND ({' OR '.join(common)})" if common else ""
    return WordQuery(match, ceiling, sum(counts[word] for word in rare), further)


def _rare(counts: Mapping[str, int], limit: float) -> list[str]:
    """The words that bring rows: the rarest one in any case, and others as long as they are few enough."""
    rarest, *others = sorted(counts, key=counts.__getitem__)
    taken = {rarest}
    rows = counts[rarest]
    for word in others:
        rows += counts[word]
        if counts[word] > limit or rows > MOST_ROWS:
            break
        taken.add(word)
    return [word for word in counts if word in taken]


def all_of(connection: apsw.Connection, index: Index, words: Sequence[str], match: str) -> WordQuery:
    """A query for rows with all of these expressions."""
    counts = frequencies(connection, index, words).values()
    return WordQuery(match, 1.0, min(counts, default=0))


def rarity(count: int, total: int) -> float:
    """The weight of a word as FTS5 computes it; the words of a prefix may be in more rows than there are."""
    count = min(count, total)
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))


def weight(count: int, total: int) -> float:
    """How much a word says: the rarer, the more. Unlike FTS5's own, it is never below zero."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def frequencies(connection: apsw.Connection, index: Index, words: Iterable[str]) -> dict[str, int]:
    """In how many rows each expression occurs; of a phrase, its rarest word.

    To count a common word takes long, and one question counts its words several times.
    """
    known = _counts(connection, index)
    found: dict[str, int] = {}
    for word in words:
        if word not in known:
            tokens = stems(connection, word.rstrip("*").strip('"'))
            counts = [_frequency(connection, index, token, prefix=word.endswith("*")) for token in tokens]
            known[word] = min(counts, default=0)
        found[word] = known[word]
    return found


def _counts(connection: apsw.Connection, index: Index) -> dict[str, int]:
    """What was counted since a word index was last changed, by whomever."""
    state = (
        connection.total_changes(),
        *rows(connection, f"SELECT block FROM {index}_fts_data WHERE id IN ({_SUMS}, {_SEGMENTS})"),
    )
    counted = _COUNTED.setdefault(connection, {})
    if index not in counted or counted[index][0] != state or len(counted[index][1]) > MOST_COUNTED:
        counted[index] = (state, {})
    return counted[index][1]


def beginning_with(connection: apsw.Connection, index: Index, beginning: str, limit: int) -> list[str]:
    """The words that begin so, the most frequent first."""
    sql = f"""SELECT term FROM {index}_terms WHERE term >= ?1 AND term < ?1 || char(1114111)
        ORDER BY doc DESC, term LIMIT ?2"""
    return column(connection, sql, (beginning, limit))


def size(connection: apsw.Connection, index: Index) -> int:
    """How many rows a word index holds, as it has noted it itself: to count them takes long."""
    return _varint(first(connection, f"SELECT block FROM {index}_fts_data WHERE id = {_SUMS}") or b"")


def _varint(data: bytes) -> int:
    """The first number of what FTS5 writes: seven bits to a byte, the highest first."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def _frequency(connection: apsw.Connection, index: Index, token: str, *, prefix: bool) -> int:
    if prefix:
        sql = f"SELECT coalesce(sum(doc), 0) FROM {index}_terms WHERE term >= ? AND term < ? || char(1114111)"
        return int(row(connection, sql, (token, token))[0])
    return first(connection, f"SELECT doc FROM {index}_terms WHERE term = ?", (token,)) or 0
