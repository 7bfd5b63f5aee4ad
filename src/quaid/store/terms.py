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
_COUNTED: WeakKeyDictionary[apsw.Connection, dict[str, tuple[Any, int, dict[str, int]]]] = WeakKeyDictionary()
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


def stems(cut: Any, words: Iterable[str]) -> dict[str, list[str]]:
    """The words of each of some expressions, as the word index keeps them; `cut` is its tokenizer."""
    query = apsw.FTS5_TOKENIZE_QUERY
    return {
        word: cut(word.strip('*"').encode(), query, None, include_offsets=False, include_colocated=False)
        for word in words
    }


def tokenizer(connection: apsw.Connection) -> Any:
    """What cuts texts into words for the word index."""
    return connection.fts5_tokenizer(*_TOKENIZER)


def any_of(connection: apsw.Connection, index: Index, words: Sequence[str]) -> WordQuery | None:
    """A query for rows with any of these expressions; None if no row has one.

    A word that many rows hold adds to the rank of a row, but brings none unless there is no rarer one. The
    same holds for the most frequent of words that bring more rows together than can be ranked.
    """
    total, found = word_counts(connection, index, words)
    counts = {word: count for word, count in found.items() if count}
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
    counts = word_counts(connection, index, words)[1].values()
    return WordQuery(match, 1.0, min(counts, default=0))


def rarity(count: int, total: int) -> float:
    """The weight of a word as FTS5 computes it; the words of a prefix may be in more rows than there are."""
    count = min(count, total)
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))


def weights(connection: apsw.Connection, index: Index, words: Iterable[str]) -> dict[str, tuple[int, float]]:
    """How often each expression occurs, and how much it says: the rarer, the more.

    Unlike FTS5's own weight, it is never below zero.
    """
    total, found = word_counts(connection, index, words)
    return {
        word: (count, math.log(1 + (total - count + 0.5) / (count + 0.5))) for word, count in found.items()
    }


def word_counts(
    connection: apsw.Connection, index: Index, words: Iterable[str] = ()
) -> tuple[int, dict[str, int]]:
    """How many rows a word index has, and in how many each expression occurs; of a phrase, its rarest word.

    To count a common word takes long, and one question counts its words several times. So what was counted is
    kept until the word index is changed, by whomever.
    """
    sql = f"SELECT id, block FROM {index}_fts_data WHERE id IN ({_SUMS}, {_SEGMENTS})"
    blocks = dict(rows(connection, sql))
    state = (connection.total_changes(), blocks)
    memory = _COUNTED.setdefault(connection, {})
    if index not in memory or memory[index][0] != state or len(memory[index][2]) > MOST_COUNTED:
        # The index has noted its size itself: to count its rows takes long.
        memory[index] = (state, _varint(blocks.get(_SUMS, b"")), {})
    _, total, known = memory[index]
    given = list(words)
    new = [word for word in given if word not in known]
    for word, tokens in stems(tokenizer(connection), new).items() if new else ():
        counts = [_frequency(connection, index, token, prefix=word.endswith("*")) for token in tokens]
        known[word] = min(counts, default=0)
    return total, {word: known[word] for word in given}


def beginning_with(connection: apsw.Connection, index: Index, beginning: str, limit: int) -> list[str]:
    """The words that begin so, the most frequent first."""
    sql = f"""SELECT term FROM {index}_terms WHERE term >= ?1 AND term < ?1 || char(1114111)
        ORDER BY doc DESC, term LIMIT ?2"""
    return column(connection, sql, (beginning, limit))


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
