"""Vectors as whole numbers of eight bits, each vector with its own scale: a quarter of the space of float32.

A cosine computed from them is off by about a thousandth. That tells which vectors can be among the
nearest; the memory has them in full.
"""

from __future__ import annotations

from typing import Any

HIGHEST = 127
NUMBERS_AT_ONCE = 2**18  # as floats they fit into a core's cache, and BLAS starts no threads for so few


def row_type(width: int, *more: tuple[str, str]) -> Any:
    """The type of a row that has a vector of that width, and more."""
    import numpy as np  # heavy, and only for meaning

    return np.dtype([("codes", "i1", (width,)), ("scale", "<f4"), *more])


def code(rows: Any, vectors: Any) -> None:
    """Write vectors into rows."""
    import numpy as np

    highest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = np.where(highest > 0, highest, 1.0).astype("<f4") / np.float32(HIGHEST)
    rows["scale"] = scales
    rows["codes"] = np.rint(vectors / scales[:, None])


def decoded(rows: Any) -> Any:
    """The vectors of rows, as float32."""
    return rows["codes"].astype("<f4") * rows["scale"][:, None]


def products(rows: Any, query: Any) -> Any:
    """The product of each vector with a question."""
    import numpy as np

    found = np.empty(len(rows), np.float32)
    step = max(1, NUMBERS_AT_ONCE // len(query))
    floats = np.empty((min(step, len(rows)), len(query)), np.float32)
    codes, asked = np.asarray(rows["codes"]), np.ascontiguousarray(query, np.float32)
    for start in range(0, len(rows), step):
        some = codes[start : start + step]
        part = floats[: len(some)]
        np.copyto(part, some)
        np.dot(part, asked, out=found[start : start + step])
    found *= rows["scale"]
    return found
