"""What checks quote: truths of pages, their names, and lines of timelines."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any

import apsw

from quaid.model.page import TimelineEntry
from quaid.model.record import record
from quaid.store.keys import name_key
from quaid.store.names import of_pages
from quaid.store.rows import rows

_HEADING = re.compile(r"^\s*(?:#+\s.*|\*+\s.*|#\+\w+:.*)?$")
# `- **2026-10-02** | mail — It is signed.`: the day, who or what says so, and what is said.
_DATED = re.compile(
    r"^\s*(?:[-*+]\s+|#+\s+)?(?:\*\*|\[)?(?P<day>\d{4}-\d\d-\d\d)(?:\*\*|\])?\s*"
    r"(?:\|\s*[^\n|]{1,60}?\s[–—-]\s+|[:|,–—-]+\s*|\s+)(?P<text>\S.*)$",
    re.MULTILINE,
)
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
    entries: tuple[TimelineEntry, ...] = ()
    fields: Mapping[str, Any] = {}
    type: str = ""

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


def truths(
    connection: apsw.Connection, page_ids: Collection[int], *, timelines: bool = False
) -> Iterator[Truth]:
    """The compiled truths of some pages, with their timelines if those are asked for."""
    found = connection.execute(
        """SELECT p.id, p.slug, c.name, p.title, p.frontmatter ->> 'aliases', p.compiled_truth,
                  p.truth_updated_at,
                  (SELECT json_group_array(json_array(e.date, e.summary)) FROM timeline_entries e
                   WHERE ?2 AND e.page_id = p.id),
                  iif(?2, p.frontmatter, '{}'), p.type
           FROM live_pages p JOIN collections c ON c.id = p.collection_id
           WHERE p.id IN (SELECT value FROM json_each(?1)) ORDER BY p.id""",
        (json.dumps(sorted(page_ids)), timelines),
    )
    for identity, slug, collection, title, aliases, truth, written, lines, fields, type_ in found:
        entries = [TimelineEntry(day, summary) for day, summary in json.loads(lines)]
        if timelines:
            # A page may keep its dated lines above the rule, or have none: they are a timeline all the same.
            entries += [TimelineEntry(line["day"], line["text"]) for line in _DATED.finditer(truth)]
            truth = _DATED.sub("", truth)
        called = (slug.rsplit("/", 1)[-1], title, *re.findall(r"[\w-]+", aliases or ""))
        yield Truth(
            id=identity,
            slug=slug,
            collection=collection,
            title=title,
            names=called,
            truth=truth,
            written=written,
            fields=json.loads(fields),
            type=type_,
            entries=tuple(sorted(entries, key=lambda entry: entry.date)),
        )


def pages_called(connection: apsw.Connection, names: Collection[str]) -> dict[str, int]:
    """The pages that folded names mean; a name of several pages means none of them."""
    keys = {name_key(name): name for name in names}
    found = rows(
        connection,
        """SELECT n.name, min(n.page_id) FROM page_names n JOIN live_pages p ON p.id = n.page_id
           WHERE n.name IN (SELECT value FROM json_each(?)) GROUP BY n.name HAVING count(*) = 1""",
        (json.dumps(list(keys)),),
    )
    return {keys[key]: page for key, page in found}


def days_between(one: str, other: str) -> int:
    """How many days lie between two days."""
    return (date.fromisoformat(other) - date.fromisoformat(one)).days


def names(connection: apsw.Connection, page_ids: Collection[int]) -> dict[int, tuple[str, ...]]:
    """What pages are called: titles as they are written, and every folded name."""
    sql = "SELECT id, title FROM live_pages WHERE id IN (SELECT value FROM json_each(?))"
    titles = dict(rows(connection, sql, (json.dumps(sorted(page_ids)),)))
    return {
        page: (titles[page], *sorted(called)) for page, _, called in of_pages(connection, sorted(page_ids))
    }


def entries(connection: apsw.Connection, ids: Collection[int]) -> dict[int, tuple[str, str, str]]:
    """Lines of timelines: day, summary and source."""
    sql = (
        "SELECT id, date, summary, source FROM timeline_entries WHERE id IN (SELECT value FROM json_each(?))"
    )
    return {entry: (*said,) for entry, *said in rows(connection, sql, (json.dumps(sorted(ids)),))}
