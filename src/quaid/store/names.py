"""Names of pages, and what links lead to."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from quaid.formats.addresses import Meaning, Place, meaning_of, split_extension
from quaid.formats.content import ALIAS, folded_names
from quaid.formats.slugs import fold
from quaid.store.keys import name_key
from quaid.store.rows import column, first, rows

INSERT_NAME = "INSERT INTO page_names (name, page_id, kind, alias) VALUES (?, ?, ?, ?)"
_PLACE = "INSERT INTO page_places (page_id, collection_id, name, folder, extension, path, spelling, length)"
INSERT_PLACE = f"{_PLACE} VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
# Places `p` with their pages, and how their paths are spelled, without extension.
PLACED = "page_places p CROSS JOIN pages g ON g.id = p.page_id"
SPELLED = """coalesce(p.path, substr(coalesce(g.path, g.slug), 1,
    length(coalesce(g.path, g.slug)) - length(p.extension) - (p.extension <> '')))"""
BY_SLUG = 4  # the kind of name that a slug is, as in page_names
_AT_ONCE = 2_000  # links that are resolved together, so that what they ask for takes little memory

Name = tuple[int, int, str | None]  # the key of a page's name, its kind and, of an alias, the name


class Doubts:
    """Links that may lead elsewhere now: to the keys of these names or file names, or from these pages.

    Pages that come together are resolved together, so that no link is looked at once for each of them.
    """

    def __init__(self) -> None:
        self.names: set[int] = set()
        self.files: set[int] = set()
        self.origins: set[int] = set()
        self.unresolved: set[int] = set()  # pages whose links that lead nowhere are in doubt

    def note_move(self, page_id: int, names: Iterable[Name], places: Iterable[Place]) -> None:
        """A page has come, gone or moved, between these places."""
        self.names.update(name for name, *_ in names)  # pages of one title are told apart by their places
        for place in places:
            self.files |= {name_key(name) for name in {place.name, split_extension(place.name)[0]}}
        self.origins.add(page_id)

    def settle(self, connection: apsw.Connection) -> None:
        """Let these links lead to the page that answers best now."""
        doubtful = (self.names, self.files, self.origins, self.unresolved)
        if any(doubtful):
            found = rows(connection, _DOUBTFUL, [json.dumps(list(each)) for each in doubtful])
            if found:
                _resolve(connection, found)
        for each in doubtful:
            each.clear()


def names_with_keys(names: Mapping[str, int]) -> list[Name]:
    """What the table holds of a page's names."""
    return [(name_key(name), kind, name if kind == ALIAS else None) for name, kind in names.items()]


def replace(
    connection: apsw.Connection, page_id: int, names: Mapping[str, int], place: Place | None, doubts: Doubts
) -> None:
    """Make these the page's names and its place; a page that is removed has none."""
    wanted = set(names_with_keys(names))
    before = set(rows(connection, "SELECT name, kind, alias FROM page_names WHERE page_id = ?", (page_id,)))
    gone, come = before - wanted, wanted - before
    connection.executemany(
        "DELETE FROM page_names WHERE name = ? AND page_id = ?", [(name, page_id) for name, *_ in gone]
    )
    connection.executemany(INSERT_NAME, [(name, page_id, kind, alias) for name, kind, alias in come])
    doubts.names.update(name for name, *_ in gone | come)
    old = place_of_page(connection, page_id)
    if old != place:
        _put(connection, page_id, place)
        doubts.note_move(page_id, wanted, [each for each in (old, place) if each])
    doubts.unresolved.add(page_id)


def of_page(connection: apsw.Connection, page_id: int) -> dict[str, int]:
    """A live page's names, folded, and their kinds."""
    return next((names for _, _, names in of_pages(connection, [page_id])), {})


def of_pages(
    connection: apsw.Connection, page_ids: Collection[int] | None = None
) -> Iterator[tuple[int, str, dict[str, int]]]:
    """Ids, slugs and folded names of live pages, of some or of all; the table has only aliases as texts."""
    chosen = "" if page_ids is None else "AND p.id IN (SELECT value FROM json_each(?1))"
    found = connection.execute(
        f"""SELECT p.id, p.slug, p.path, p.title,
               (SELECT json_group_array(n.alias) FROM page_names n
                WHERE n.page_id = p.id AND n.kind = {ALIAS})
            FROM pages p WHERE p.quarantined_at IS NULL {chosen}""",
        () if page_ids is None else (json.dumps(list(page_ids)),),
    )
    for page_id, slug, path, title, aliases in found:
        yield page_id, slug, folded_names(slug, path, title, json.loads(aliases))


def name_of(target: str, written: str) -> str:
    """What a link looks for, folded."""
    return fold(meaning_of(target, written)[1].spelling)


def place_of_page(connection: apsw.Connection, page_id: int) -> Place | None:
    """Where a page is; None if it is removed."""
    sql = "SELECT name, folder, extension, path, spelling, length FROM page_places WHERE page_id = ?"
    found = connection.execute(sql, (page_id,)).fetchone()
    return Place(*found) if found else None


def resolve_all(connection: apsw.Connection) -> None:
    """Let every link lead to the page that answers best."""
    _resolve(connection, rows(connection, f"SELECT {_LINK} FROM links"))


def misled_links(connection: apsw.Connection) -> list[int]:
    """Links of live pages that do not lead to the page that answers best."""
    live = f"SELECT {_LINK} FROM links WHERE from_page_id IN (SELECT id FROM live_pages)"
    asked = _asked_rows(rows(connection, live))
    return [link_id for each in asked for link_id in column(connection, _MISLED, (each,))]


def lead(connection: apsw.Connection, origin: int, meaning: Meaning) -> int | None:
    """The id of the page to which a link on a page would lead."""
    collection, address = meaning
    asked = (0, origin, collection, *address, name_key(fold(address.spelling)))
    found: int | None = first(connection, _LEAD, (json.dumps([asked], ensure_ascii=False),))
    return found


def _resolve(connection: apsw.Connection, links: Sequence[tuple[Any, ...]]) -> None:
    for asked in _asked_rows(links):
        connection.execute(_UPDATE, (asked,))


def _asked_rows(links: Sequence[tuple[Any, ...]]) -> Iterator[str]:
    """What links ask for; each of them is what _LINK says."""
    for start in range(0, len(links), _AT_ONCE):
        asked: list[tuple[Any, ...]] = []
        for link, origin, target, written, name in links[start : start + _AT_ONCE]:
            collection, address = meaning_of(target, written)
            asked.append((link, origin, collection, *address, name))
        yield json.dumps(asked, ensure_ascii=False)


def _put(connection: apsw.Connection, page_id: int, place: Place | None) -> None:
    connection.execute("DELETE FROM page_places WHERE page_id = ?", (page_id,))
    if place:
        connection.execute(
            f"{_PLACE} SELECT id, collection_id, ?, ?, ?, ?, ?, ? FROM pages WHERE id = ?", (*place, page_id)
        )


_LINK = "id, from_page_id, target, written, target_name"

# What each link `l` asks for is made of its target when it is resolved (`_asked`). `home` is the
# collection that is searched first, `own` the folder of the page that it is on, if that page is in it.
_ASKED = """
    SELECT l.*, iif(l.target_collection IS NULL, o.collection_id, c.id) AS home,
           iif(l.target_collection IS NULL OR c.id = o.collection_id, o.folder, NULL) AS own
    FROM (SELECT value ->> 0 AS id, value ->> 1 AS from_page_id, value ->> 2 AS target_collection,
                 value ->> 3 AS target_file, value ->> 4 AS target_folder, value ->> 5 AS target_beside,
                 value ->> 6 AS target_extension, value ->> 7 AS spelling, value ->> 8 AS target_name
          FROM json_each(?1)) l
    JOIN page_places o ON o.page_id = l.from_page_id
    LEFT JOIN collections c ON c.name = l.target_collection"""

_FITS = """p.name = a.target_file AND (a.target_extension = '' OR p.extension IN ('', a.target_extension))"""
_ENDS = """(p.folder = a.target_folder OR a.target_folder = ''
    OR substr(p.folder, -1 - length(a.target_folder)) = '/' || a.target_folder)"""
_NEAREST = f"p.length, substr({SPELLED}, -length(a.spelling)) <> a.spelling, {SPELLED}"
_INSIDE = "p.folder > a.own || '/' AND p.folder < a.own || '0'"
_NEAR = f"(p.folder = a.own OR a.own = '' OR ({_INSIDE}))"


# A slug is made from a path and may spell another name: that of C++ is c. So it counts only as it is.
_IS_SLUG = """EXISTS (SELECT 1 FROM pages s WHERE s.id = n.page_id
    AND substr('/' || s.slug, -1 - length(a.spelling)) = '/' || a.spelling)"""


def _file(condition: str) -> str:
    """The file of the link's own collection that is nearest, among some."""
    return f"""(SELECT p.page_id FROM {PLACED} WHERE {_FITS} AND p.collection_id = a.home
        AND {condition} ORDER BY {_NEAREST} LIMIT 1)"""


# A name such as mailbox.org may end like a page's file: mailbox.org.md is meant if there is no other.
_WHOLE_NAME = f"""(SELECT p.page_id FROM {PLACED}
    WHERE a.target_extension <> '' AND p.name = a.target_file || '.' || a.target_extension
      AND p.collection_id = a.home AND (p.folder = a.target_beside OR {_ENDS})
    ORDER BY p.folder IS NOT a.target_beside, p.folder IS NOT a.target_folder,
             NOT coalesce({_NEAR}, 0), {_NEAREST} LIMIT 1)"""


def _named(condition: str, order: str) -> str:
    """The page with the best name, folded; a part of a path that is spelled as it is written is better."""
    return f"""(SELECT n.page_id FROM page_names n CROSS JOIN page_places p ON p.page_id = n.page_id
        CROSS JOIN pages g ON g.id = n.page_id WHERE n.name = a.target_name AND {condition}
          AND (a.target_folder IS NOT NULL OR n.kind = 0) AND (n.kind < {BY_SLUG} OR {_IS_SLUG})
        ORDER BY iif({_FITS} AND {_ENDS}, -1, n.kind), {order}{_NEAREST}, p.collection_id LIMIT 1)"""


# The choice depends on the pages alone, never on the order in which they came, and each step but the last
# three asks an index for one row. Obsidian's order: the path itself, the folder of the link's own page, what
# lies below that, the shortest path; before it for relative links that path, after it other names, and
# other collections.
_ANSWER = f"""coalesce(
    {_file("p.folder = a.target_beside")},
    {_file("p.folder = a.target_folder")},
    {_file("p.folder = trim(a.own || '/' || a.target_folder, '/')")},
    {_file(f"a.target_folder = '' AND a.own <> '' AND {_INSIDE}")},
    {_file("a.target_folder = ''")},
    {_WHOLE_NAME},
    {_named("p.collection_id = a.home", f"NOT coalesce({_NEAR}, 0), ")},
    {_named("p.collection_id IS NOT a.home AND a.target_collection IS NULL", "")})"""

# Materialised, or SQLite would look for each answer once to compare it and once to write it down.
_FOUND = f"""(WITH asked AS MATERIALIZED ({_ASKED}),
    answers AS MATERIALIZED (SELECT a.id, {_ANSWER} AS page FROM asked a) SELECT * FROM answers) found"""
_UPDATE = f"""UPDATE links SET to_page_id = found.page FROM {_FOUND}
    WHERE links.id = found.id AND found.page IS NOT links.to_page_id"""
_MISLED = f"SELECT id FROM links JOIN {_FOUND} USING (id) WHERE found.page IS NOT links.to_page_id"
_LEAD = f"SELECT found.page FROM {_FOUND}"
# The unary plus: of all links that lead nowhere there may be very many, of one page there are few.
_DOUBTFUL = f"""SELECT {_LINK} FROM links WHERE id IN (
    SELECT id FROM links WHERE target_name IN (SELECT value FROM json_each(?1))
    UNION SELECT id FROM links WHERE target_file IN (SELECT value FROM json_each(?2))
    UNION SELECT id FROM links WHERE from_page_id IN (SELECT value FROM json_each(?3))
    UNION SELECT id FROM links WHERE from_page_id IN (SELECT value FROM json_each(?4))
                 AND +to_page_id IS NULL)"""
