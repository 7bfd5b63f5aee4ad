"""What a search asks of an index: texts that have words of a question, and texts that are near to it.

This is all that the search knows of where words and vectors are kept. What is kept with the memory
(`index/own_words.py`, `index/own_vectors.py`) is the default. Every other one passes the same tests
(`tests/contract/arms.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import apsw

from quaid.store import units
from quaid.store.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

ENOUGH = 4  # of so many that are wanted, one at least must be the scope's; otherwise it is looked up first
Owners = Callable[[Sequence[bytes]], Mapping[bytes, Sequence[int]]]


class Words(Protocol):
    """The arm of words."""

    def units(
        self, connection: apsw.Connection, words: Sequence[str], scope: Scope, count: int
    ) -> list[tuple[int, int, float]]:
        """Units of a scope that have some of the words, best first, with their documents and their shares.

        A share is from 0 to 1: how much of what these words could give at most.
        """


class Vectors(Protocol):
    """The arm of meaning: the vectors of one kind of text."""

    def near(self, connection: apsw.Connection, query: Vector) -> Near:
        """How near the texts are to a question."""


class Near(ABC):
    """How near the texts of one kind are to one question. A text is known by its hash."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @property
    @abstractmethod
    def size(self) -> int:
        """How many texts have a vector."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """The mean of all cosines."""

    @property
    @abstractmethod
    def deviation(self) -> float:
        """Their standard deviation."""

    @abstractmethod
    def nearest(self, count: int, scope: Scope | None = None) -> Sequence[tuple[bytes, float]]:
        """The nearest texts with their cosines, best first: of all, or of those that a scope holds."""

    @abstractmethod
    def of_documents(self, documents: Collection[int]) -> list[tuple[int, int, float]]:
        """Document, unit and cosine of every embedded unit of these documents."""

    @abstractmethod
    def of_units(self, ids: Collection[int]) -> dict[int, float]:
        """The cosines of those of these units that are embedded."""

    @abstractmethod
    def of_texts(self, hashes: Collection[bytes]) -> dict[bytes, float]:
        """The cosines of those of these texts that are embedded."""

    @abstractmethod
    def coverage(self, scope: Scope) -> float:
        """Which share of the texts of a scope is embedded, judged by a sample."""

    def standing(self, cosine: float) -> float:
        """How far a cosine stands out from those of all texts, in standard deviations."""
        return (cosine - self.mean) / self.deviation if self.deviation else 0.0

    def nearest_documents(self, scope: Scope, count: int) -> dict[int, float]:
        """The documents of a scope that are nearest, with the cosines of their nearest texts, best first."""
        found: dict[int, float] = {}
        owners: Owners = lambda hashes: units.documents_of_texts(self._connection, hashes, scope)  # noqa: E731
        for cosine, owned in self._nearest_owners(owners, scope, count):
            for document in owned:
                found.setdefault(document, cosine)
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:count])

    def nearest_units(self, scope: Scope, count: int) -> dict[int, float]:
        """The units of a scope that are nearest, with their cosines, best first."""
        owners: Owners = lambda hashes: units.units_of_texts(self._connection, hashes, scope)  # noqa: E731
        found = {
            unit: cosine for cosine, owned in self._nearest_owners(owners, scope, count) for unit in owned
        }
        return dict(islice(found.items(), count))

    def _nearest_owners(self, owners: Owners, scope: Scope, count: int) -> list[tuple[float, Sequence[int]]]:
        """Texts from the nearest on: their cosines, and whose they are.

        A filter that many texts pass is applied to what was found; one that few pass is looked up first.
        """
        most = 2 * count
        found = self._with_owners(owners, self.nearest(most))
        if sum(1 for _, owned in found if owned) < count // ENOUGH and self.size > most:
            found = self._with_owners(owners, self.nearest(most, scope))
        return found

    @staticmethod
    def _with_owners(
        owners: Owners, nearest: Sequence[tuple[bytes, float]]
    ) -> list[tuple[float, Sequence[int]]]:
        owned = owners([digest for digest, _ in nearest])
        return [(cosine, owned.get(digest, ())) for digest, cosine in nearest]
