"""Where the pages of a map stand: those that are linked near each other, all of them apart.

Every page pushes every other away, links pull. What all push together is read from a grid: their weight is
spread over it and folded with the push of one weight, by a Fourier transform, so that a step costs as much as
there are pages and links, and not their square. The start is where the slowest waves over the links put each
page, so that few steps are needed. The same graph has the same map: nothing depends on chance or time.

The places are kept in a file beside the memory as long as the links are the same. It has numbers only,
which are made anew from the memory: it may be deleted at any time.

    32 bytes  hash of the pages and links that the places are for
    rows      x and y of each page, as float32
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quaid.files import PRIVATE_FILE, read_own, replace_file
from quaid.store.graph import Edge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

FEW = 300  # pages, of which each is compared with each
COARSE, FINE = 128, 256  # cells on a side: of most steps, and of the last ones
FINE_FROM = 0.7  # of the steps
WAVES = 60  # rounds in which a page takes the mean of its neighbours, for the start
STEPS = 140
STEPS_OF_MANY = 60  # above so many pages
MANY = 20_000
SOFT = 0.25  # square of the distance, in cells, that no two pages are below
REST = 2.0  # how long a link is that neither pulls nor pushes, of the usual distance between pages
GRAVITY = 0.15  # towards the middle, so that what is not connected stays near
LAST = 0.02  # of the first step's length, which is what the last one may have
GOLDEN = 2.399963229728653  # radians: a turn that no two pages of a disc share
ROOM = 1.08  # of the reach of pages with links, where those without begin
PER_PAGE = 0.9  # how far apart pages without links stand, of the usual distance

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
        return positions(len(page_ids), *links.T)
    state = hashlib.sha256(RULES + np.array(page_ids, "<i8").tobytes() + b"|" + links.tobytes()).digest()
    file = database.with_name(database.name + ENDING)
    with suppress(OSError):
        known = read_own(file)
        if known.startswith(state) and len(known) == len(state) + 8 * len(page_ids):
            return np.frombuffer(known, "<f4", offset=len(state)).reshape(-1, 2).astype(float)
    made = positions(len(page_ids), *links.T)
    with suppress(OSError):  # a memory that cannot be written has a map all the same
        replace_file(file, state + made.astype("<f4").tobytes())
        file.chmod(PRIVATE_FILE)
    return made


def positions(pages: int, one: Places, other: Places) -> Floats:
    """A place for each page, of which some are linked, one with another: rows of x and y, around zero."""
    import numpy as np

    placed = np.zeros((pages, 2))
    degree = np.bincount(one, minlength=pages) + np.bincount(other, minlength=pages)
    linked = np.flatnonzero(degree)
    number = np.zeros(pages, np.int64)
    number[linked] = np.arange(len(linked))
    if len(linked):
        placed[linked] = _arrangement(len(linked), number[one], number[other])
    alone = np.flatnonzero(degree == 0)
    _surround(placed, linked, alone)
    reach = np.abs(placed).max(initial=0.0)
    return placed / reach if reach else placed


def _arrangement(pages: int, one: Places, other: Places) -> Floats:
    """Places for pages that all have links."""
    import numpy as np

    degree = (np.bincount(one, minlength=pages) + np.bincount(other, minlength=pages)).astype(float)
    placed: Floats = _waves(pages, one, other, degree) * np.sqrt(pages)
    weight = 1.0 + degree
    # A page with hundreds of links must not hold all of them in its fist.
    pull = 1.0 / np.sqrt(np.minimum(degree[one], degree[other]))
    steps = STEPS if pages <= MANY else STEPS_OF_MANY
    length = np.sqrt(pages)
    for step in range(steps):
        grid = 0 if pages <= FEW else COARSE if step < FINE_FROM * steps else FINE
        pushed = _pushed(placed, weight, grid) if grid else _pushed_by_each(placed, weight)
        force = pushed - GRAVITY * weight[:, None] * placed
        apart = placed[other] - placed[one]
        # A link that is shorter than pages usually are apart pushes: a grid does not see what is so near.
        usual = REST * float(placed.std()) / np.sqrt(pages)
        slack = 1.0 - usual / np.maximum(np.hypot(apart[:, 0], apart[:, 1]), 0.1 * usual)
        along = apart * (pull * slack)[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(one, along[:, axis], pages)
            force[:, axis] -= np.bincount(other, along[:, axis], pages)
        force /= weight[:, None]
        size = np.hypot(force[:, 0], force[:, 1])
        most = length * 0.3 * (LAST ** (step / steps))
        placed += force * (most / np.maximum(size, most))[:, None]
    return placed


def _waves(pages: int, one: Places, other: Places, degree: Floats) -> Floats:
    """Two slow waves over the links: pages that many ways connect have similar heights."""
    import numpy as np

    turn = np.arange(pages) * GOLDEN
    waves = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    root = np.sqrt(degree)
    ground = root / np.linalg.norm(root)  # the wave that is everywhere the same, which says nothing
    for _ in range(WAVES):
        scaled = waves / root[:, None]
        means = np.stack(
            [
                np.bincount(one, scaled[other, axis], pages) + np.bincount(other, scaled[one, axis], pages)
                for axis in (0, 1)
            ],
            axis=1,
        )
        waves = 0.5 * (waves + means / root[:, None])
        waves -= ground[:, None] * (ground @ waves)
        waves[:, 0] /= np.linalg.norm(waves[:, 0]) or 1.0
        waves[:, 1] -= waves[:, 0] * (waves[:, 0] @ waves[:, 1])
        waves[:, 1] /= np.linalg.norm(waves[:, 1]) or 1.0
    # Pages that no wave tells apart stand beside each other, and not in one point.
    spread = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.sqrt((np.arange(pages) + 1) / pages)[:, None]
    heights = waves / root[:, None]
    heights /= np.abs(heights).max(axis=0, initial=1e-12)
    return heights + 0.3 * spread


def _pushed_by_each(placed: Floats, weight: Floats) -> Floats:
    """How the others push each page: the nearer, the more, in proportion to one by the distance."""
    across, along = placed.T
    square = (across[:, None] - across) ** 2 + (along[:, None] - along) ** 2
    shares = weight / (square + SOFT * _cell(placed, FINE) ** 2)
    pushed: Floats = (placed * shares.sum(axis=1)[:, None] - shares @ placed) * weight[:, None]
    return pushed


def _pushed(placed: Floats, weight: Floats, grid: int) -> Floats:
    """The same for many pages, by way of a grid; the plane is no ring, so its waves are twice as wide."""
    import numpy as np

    wide = 2 * grid
    cell = _cell(placed, grid)
    spot = (placed - placed.min(axis=0)) / cell
    corner = np.minimum(spot.astype(np.int64), grid - 2)
    part = spot - corner
    density = np.zeros((wide, wide))
    shares = []
    for right in (0, 1):
        for up in (0, 1):
            share = np.abs(1 - right - part[:, 0]) * np.abs(1 - up - part[:, 1])
            place = (corner[:, 0] + right) * wide + corner[:, 1] + up
            density += np.bincount(place, share * weight, wide * wide).reshape(wide, wide)
            shares.append((place, share))
    spectrum = np.fft.rfft2(density)
    force = np.empty_like(placed)
    for axis, kernel in enumerate(_kernels(wide)):
        field = np.fft.irfft2(spectrum * kernel, s=(wide, wide)).ravel()
        force[:, axis] = sum(field[place] * share for place, share in shares) * weight / cell
    return force


def _cell(placed: Floats, grid: int) -> float:
    """How wide a cell is."""
    return max(float((placed.max(axis=0) - placed.min(axis=0)).max()), 1e-9) / (grid - 2)


@lru_cache(2)
def _kernels(wide: int) -> tuple[Any, Any]:
    """The push of one weight on every cell around it, along each axis, as waves."""
    import numpy as np

    steps = np.fft.fftfreq(wide, 1 / wide)
    across, along = np.meshgrid(steps, steps, indexing="ij")
    square = across**2 + along**2 + SOFT
    return np.fft.rfft2(across / square), np.fft.rfft2(along / square)


def _surround(placed: Floats, linked: Places, alone: Places) -> None:
    """Pages without links stand around the others, in the order in which they come."""
    import numpy as np

    if not len(alone):
        return
    inner, gap = 0.0, 1.0
    if len(linked):
        middle = placed[linked].mean(axis=0)
        placed[linked] -= middle
        away = np.sort(np.hypot(placed[linked, 0], placed[linked, 1]))
        inner = float(away[-1]) * ROOM
        gap = float(away[int(0.9 * (len(away) - 1))]) / np.sqrt(len(linked)) * PER_PAGE or 1.0
    order = np.arange(1, len(alone) + 1)
    radius = np.sqrt(inner**2 + (gap**2) * order)
    turn = order * GOLDEN
    placed[alone] = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
