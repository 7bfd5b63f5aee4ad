"""Pages of one title in one folder: mails of one subject, messages of one chat, parts of one text.

What answers a question often shares no word with it, because these stand in the mail before, and more than
one of them may answer. So each lends some of the belief in it to those that stand beside it. A page of its
own title gains and loses nothing by that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import apsw

from quaid.store import names

LENT = 0.1  # of the belief in a page, to the next one on either side; half of that to the second, and so on
REACH = 3  # pages on either side
LOOKED_AT = 100  # the likeliest pages: of a series, those beside one another may have others between them
TITLE = 2  # the kind of name that a title is, as in page_names
_NUMBER = re.compile(r"([0-9]+)")

Order = list[str | int]


def series_of(connection: apsw.Connection, scores: Mapping[int, float]) -> list[list[int]]:
    """The likeliest pages that share folder and title with another one, each series in its order."""
    likeliest = sorted(scores, key=lambda page: (-scores[page], page))[:LOOKED_AT]
    found: dict[tuple[str, str], list[tuple[Order, int]]] = {}
    for page, slug, known in names.of_pages(connection, likeliest):
        title = next((name for name, kind in known.items() if kind == TITLE), None)
        if title is not None:
            folder = slug.rpartition("/")[0]
            found.setdefault((folder, title), []).append((_order(slug), page))
    return [[page for _, page in sorted(each)] for each in found.values() if len(each) > 1]


def lent_shares(scores: Mapping[int, float], series: Sequence[Sequence[int]]) -> dict[int, float]:
    """Shares of belief after the pages of a series have lent to one another; all are one together again."""
    lent = dict(scores)
    for pages in series:
        for distance in range(1, REACH + 1):
            for one, other in zip(pages, pages[distance:], strict=False):
                lent[one] += LENT / distance * scores[other]
                lent[other] += LENT / distance * scores[one]
    whole = sum(lent.values())
    return {page: share / whole for page, share in lent.items()} if whole else lent


def _order(slug: str) -> Order:
    """What slugs are sorted by: `mail-9` comes before `mail-10`."""
    return [int(part) if place % 2 else part for place, part in enumerate(_NUMBER.split(slug))]
