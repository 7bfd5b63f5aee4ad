"""Vectors that lie as those of real texts do: around some centres, and mostly in few directions."""

from __future__ import annotations

from typing import Any

import numpy as np

CENTRES = 2000
SPREAD = 0.6  # of a vector around its centre, against the length of that
WIDTH = 384


class Clusters:
    """Vectors of unit length, the same for the same generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._scales = (1 / np.sqrt(1 + np.arange(WIDTH))).astype(np.float32)
        self._turned = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0].astype(np.float32)
        spread = rng.standard_normal((CENTRES, WIDTH), dtype=np.float32) * self._scales
        self._centres = unit(spread @ self._turned)

    def vectors(self, count: int) -> Any:
        """So many of them."""
        around = self._rng.standard_normal((count, WIDTH), dtype=np.float32) * self._scales @ self._turned
        return unit(self._centres[self._rng.integers(0, CENTRES, count)] + SPREAD * unit(around))


def unit(matrix: Any) -> Any:
    """Rows of length one."""
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
