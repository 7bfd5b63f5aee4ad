"""What checks quote: truths of pages, their names, and lines of timelines."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

import apsw

from quaid.model.record import record
from quaid.store.rows import rows

_HEADING = re.compile(r"^\s*(?:#+\s.*|\*+\s.*|#\+\w+:.*)?$")
MOST_QUOTED = 160  # characters


@record
class Truth:
    """A page's compiled truth, and what the page is called. `written` is when the truth last changed."""

    id: int
    slug: str
    collection: str
    title: str
    names: tuple[str, ...]
    truth: str
    written: str

    @property
    def says_something(self) -> bool:
        """Whether there is more than headings."""
        return bool(self._lines)

    @property
    def summary(self) -> str:
        """How it begins, below the headings."""
        first = " ".join((self._lines or [""])[0].strip(" >*-").split())
        return first if len(first) <= MOST_QUOTED else first[: MOST_QUOTED - 1].rstrip() + "…"

    @property
    def _lines(self) -> list[str]:
        return [line for line in self.truth.splitlines() if not _HEADING.match(line)]


def truths(connection: apsw.Connection, page_ids: Collection[int]) -> Iterator[Truth]:
    """The compiled truths of some pages."""
    found = connection.execute(
        """SELECT p.id, p.slug, c.name, p.title, p.frontmatter ->> 'aliases', p.compiled_truth,
                  p.truth_updated_at
           FROM live_pages p JOIN collections c ON c.id = p.collection_id
           WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY p.id""",
        (json.dumps(sorted(page_ids)),),
    )
    for identity, slug, collection, title, aliases, truth, written in found:
        called = (slug.rsplit("/", 1)[-1], title, *re.findall(r"[\w-]+", aliases or ""))
        yield Truth(
            id=identity,
            slug=slug,
            collection=collection,
            title=title,
            names=called,
            truth=truth,
            written=written,
        )


def names(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """What pages are called: titles as they are written, and every folded name."""
    found = rows(
        connection,
        """SELECT id, title FROM live_pages WHERE id IN (SELECT value FROM json_each(?1))
           UNION ALL
           SELECT page_id, name FROM page_names WHERE page_id IN (SELECT value FROM json_each(?1))""",
        (json.dumps(sorted(page_ids)),),
    )
    called: dict[int, list[str]] = {}
    for page, name in found:
        called.setdefault(page, []).append(name)
    return {page: tuple(given) for page, given in called.items()}


def entries(connection: apsw.Connection, ids: Collection[int]) -> dict[int, tuple[str, str, str]]:
    """Lines of timelines: day, summary and source."""
    found = rows(
        connection,
        "SELECT id, date, summary, source FROM timeline_entries WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {identity: (date, summary, source) for identity, date, summary, source in found}
