"""Places of pages on a map, kept in a file beside the memory as long as the links are the same.

The file has numbers only, of which the memory is made up again: it may be deleted at any time.

    32 bytes  hash of the pages and links that the places are for
    rows      x and y of each page, as float32
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.files import PRIVATE_FILE, read_own, replace_file
from quaid.graph.layout import Links, positions
from quaid.store.graph import Edge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ENDING = ".map"
WORTH_KEEPING = 300  # pages, below which places are made as quickly as they are read
RULES = b"1"  # raised when the same graph is to be arranged otherwise


def page_places(database: Path, page_ids: Sequence[int], edges: Sequence[Edge]) -> Floats:
    """A place for each page, between -1 and 1."""
    import numpy as np  # heavy, and only for maps

    number = {page: place for place, page in enumerate(page_ids)}
    pairs = {tuple(sorted((number[edge.from_id], number[edge.to_id]))) for edge in edges}
    links = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    if len(page_ids) < WORTH_KEEPING:
        return positions(len(page_ids), Links(links[:, 0], links[:, 1]))
    state = hashlib.sha256(RULES + np.array(page_ids, "<i8").tobytes() + b"|" + links.tobytes()).digest()
    file = database.with_name(database.name + ENDING)
    with suppress(OSError):
        known = read_own(file)
        if known.startswith(state) and len(known) == len(state) + 8 * len(page_ids):
            return np.frombuffer(known, "<f4", offset=len(state)).reshape(-1, 2).astype(float)
    made = positions(len(page_ids), Links(links[:, 0], links[:, 1]))
    with suppress(OSError):  # a memory that cannot be written has a map all the same
        replace_file(file, state + made.astype("<f4").tobytes())
        file.chmod(PRIVATE_FILE)
    return made
