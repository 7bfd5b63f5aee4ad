"""How often words occur, and what that makes of a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import apsw

from quaid.model.record import record
from quaid.store.rows import row, rows

EVERY = '"qxevery"'  # stands in every row of a word index
CEILING = 2.2  # k1 + 1 of FTS5's BM25: what a word can add at most is this times its rarity
COMMON_SHARE = 0.05
COMMON_ROWS = 1_000  # below this a scan costs nothing, and a small memory needs every word
MOST_ROWS = 12_000  # that are ranked for words that stand almost everywhere

Index = Literal["page", "chunk", "turn"]
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])


@record
class WordQuery:
    """An FTS5 expression, the highest score that a row could have, and how many rows it may bring."""

    match: str
    ceiling: float
    rows: int


def stems(connection: apsw.Connection, text: str) -> list[str]:
    """The words of a text as the word index keeps them."""
    tokens = tokenizer(connection)(
        text.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
    )
    return [str(token) for token in tokens]


def tokenizer(connection: apsw.Connection) -> Any:
    """What cuts texts into words for the word index."""
    return connection.fts5_tokenizer(*_TOKENIZER)


def any_of(connection: apsw.Connection, index: Index, words: Sequence[str]) -> WordQuery | None:
    """A query for rows with any of these expressions; None if no row has one.

    A word that many rows hold adds to the rank of a row, but brings none unless there is no rarer one.
    """
    total = size(connection, index)
    counts = {word: count for word, count in frequencies(connection, index, words).items() if count}
    if not counts:
        return None
    limit = max(COMMON_ROWS, COMMON_SHARE * total)
    rare = [word for word, count in counts.items() if count <= limit] or [min(counts, key=counts.__getitem__)]
    common = [word for word in counts if word not in rare]
    match = " OR ".join(rare)
    if common:
        match = f"({match}) AND ({' OR '.join([EVERY, *common])})"
    ceiling = CEILING * sum(rarity(count, total) for count in counts.values())
    return WordQuery(match, ceiling, sum(counts[word] for word in rare))


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
    """In how many rows each expression occurs; of a phrase, its rarest word."""
    found: dict[str, int] = {}
    for word in words:
        tokens = stems(connection, word.rstrip("*").strip('"'))
        counts = [_frequency(connection, index, token, prefix=word.endswith("*")) for token in tokens]
        found[word] = min(counts, default=0)
    return found


def beginning_with(connection: apsw.Connection, index: Index, beginning: str, limit: int) -> list[str]:
    """The words that begin so, the most frequent first."""
    sql = f"""SELECT term FROM {index}_terms WHERE term >= ?1 AND term < ?1 || char(1114111)
        ORDER BY doc DESC, term LIMIT ?2"""
    return [str(term) for (term,) in rows(connection, sql, (beginning, limit))]


def size(connection: apsw.Connection, index: Index) -> int:
    """How many rows a word index holds."""
    return int(row(connection, f"SELECT count(*) FROM {index}_fts_docsize")[0])


def _frequency(connection: apsw.Connection, index: Index, token: str, *, prefix: bool) -> int:
    if prefix:
        sql = f"SELECT coalesce(sum(doc), 0) FROM {index}_terms WHERE term >= ? AND term < ? || char(1114111)"
        return int(row(connection, sql, (token, token))[0])
    found = rows(connection, f"SELECT doc FROM {index}_terms WHERE term = ?", (token,))
    return int(found[0][0]) if found else 0
