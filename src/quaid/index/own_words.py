"""The arm of words over the word index of the memory itself."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.store import terms, units
from quaid.store.scope import Scope


class OwnWords:
    """Sections and turns by SQLite's word index."""

    def units(
        self, connection: apsw.Connection, words: Sequence[str], scope: Scope, count: int
    ) -> list[tuple[int, int, float]]:
        """Units, their documents and their shares of the highest BM25 that there could be."""
        return self._units(connection, words, scope, count)

    def newest(
        self, connection: apsw.Connection, words: Sequence[str], scope: Scope, count: int, of: int
    ) -> list[tuple[int, int, float]]:
        """The same, but only of so many that came last."""
        return self._units(connection, words, scope, count, units.last(connection, scope.units) - of)

    def _units(
        self, connection: apsw.Connection, words: Sequence[str], scope: Scope, count: int, above: int = 0
    ) -> list[tuple[int, int, float]]:
        query = terms.any_of(connection, scope.units.index, words)
        if not query:
            return []
        found = units.by_words(connection, query, scope, count, above)
        return [(unit, document, score / query.ceiling) for unit, document, score in found]
