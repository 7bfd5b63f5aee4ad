"""Names of pages, and what links lead to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from quaid.formats.addresses import Address, Place, split_extension
from quaid.formats.slugs import fold

INSERT_NAME = "INSERT INTO page_names (name, page_id, kind) VALUES (?, ?, ?)"
_PLACE = "INSERT INTO page_places (page_id, collection_id, name, folder, extension, path, length)"
INSERT_PLACE = f"{_PLACE} VALUES (?, ?, ?, ?, ?, ?, ?)"
BY_SLUG = 4  # the kind of name that a slug is, as in page_names


class Doubts:
    """Links that may lead elsewhere now: to these names or file names, or from these pages.

    Pages that come together are resolved together, so that no link is looked at once for each of them.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.files: set[str] = set()
        self.origins: set[int] = set()
        self.unresolved: set[int] = set()  # pages whose links that lead nowhere are in doubt

    def moved(self, page_id: int, names: Iterable[str], places: Iterable[Place]) -> None:
        """A page has come, gone or moved, between these places."""
        self.names.update(names)  # pages of one title are told apart by their places
        for place in places:
            self.files |= {place.name, split_extension(place.name)[0]}
        self.origins.add(page_id)

    def settle(self, connection: apsw.Connection) -> None:
        """Let these links lead to the page that answers best now."""
        doubtful: tuple[set[Any], ...] = (self.names, self.files, self.origins, self.unresolved)
        if any(doubtful):
            lists = [json.dumps(list(each), ensure_ascii=False) for each in doubtful]
            connection.execute(_RESOLVE_DOUBTS, lists)
        for each in doubtful:
            each.clear()


def replace(
    connection: apsw.Connection, page_id: int, names: Mapping[str, int], place: Place | None, doubts: Doubts
) -> None:
    """Make these the page's names and its place; a page that is removed has none."""
    before = of_page(connection, page_id)
    changed = {name for name in before.keys() | names.keys() if before.get(name) != names.get(name)}
    gone = [(name, page_id) for name in changed if name in before]
    come = [(name, page_id, names[name]) for name in changed if name in names]
    connection.executemany("DELETE FROM page_names WHERE name = ? AND page_id = ?", gone)
    connection.executemany(INSERT_NAME, come)
    doubts.names |= changed
    old = place_of_page(connection, page_id)
    if old != place:
        _put(connection, page_id, place)
        doubts.moved(page_id, names, [each for each in (old, place) if each])
    doubts.unresolved.add(page_id)


def of_page(connection: apsw.Connection, page_id: int) -> dict[str, int]:
    """A page's names and their kinds."""
    return dict(connection.execute("SELECT name, kind FROM page_names WHERE page_id = ?", (page_id,)))


def place_of_page(connection: apsw.Connection, page_id: int) -> Place | None:
    """Where a page is; None if it is removed."""
    sql = "SELECT name, folder, extension, path, length FROM page_places WHERE page_id = ?"
    found = connection.execute(sql, (page_id,)).fetchone()
    return Place(*found) if found else None


def resolve_all(connection: apsw.Connection) -> None:
    """Let every link lead to the page that answers best."""
    connection.execute(_RESOLVE_ALL)


def misled(connection: apsw.Connection) -> list[int]:
    """Links of live pages that do not lead to the page that answers best."""
    return [link_id for (link_id,) in connection.execute(_MISLED)]


def lead(connection: apsw.Connection, origin: int, collection: str | None, address: Address) -> int | None:
    """The id of the page to which a link on a page would lead."""
    bindings = (origin, collection, *address, fold(address.spelling))
    found = connection.execute(_LEAD, bindings).fetchone()
    return found[0] if found else None


def _put(connection: apsw.Connection, page_id: int, place: Place | None) -> None:
    connection.execute("DELETE FROM page_places WHERE page_id = ?", (page_id,))
    if place:
        connection.execute(
            f"{_PLACE} SELECT id, collection_id, ?, ?, ?, ?, ? FROM pages WHERE id = ?", (*place, page_id)
        )


# What is asked of each link `l`: `home` is the collection that is searched first, `own` the folder of the
# page that it is on, if that page is in it.
_ASKED = """
    SELECT l.*, coalesce(l.target_spelling, l.target) AS spelling,
           iif(l.target_collection IS NULL, o.collection_id, c.id) AS home,
           iif(l.target_collection IS NULL OR c.id = o.collection_id, o.folder, NULL) AS own
    FROM {links} l JOIN page_places o ON o.page_id = l.from_page_id
    LEFT JOIN collections c ON c.name = l.target_collection WHERE {condition}"""

_FITS = """p.name = a.target_file AND (a.target_extension = '' OR p.extension IN ('', a.target_extension))"""
_ENDS = """(p.folder = a.target_folder OR a.target_folder = ''
    OR substr(p.folder, -1 - length(a.target_folder)) = '/' || a.target_folder)"""
_NEAREST = "p.length, substr(p.path, -length(a.spelling)) <> a.spelling, p.path"
_INSIDE = "p.folder > a.own || '/' AND p.folder < a.own || '0'"
_NEAR = f"(p.folder = a.own OR a.own = '' OR ({_INSIDE}))"


# A slug is made from a path and may spell another name: that of C++ is c. So it counts only as it is.
_IS_SLUG = """EXISTS (SELECT 1 FROM pages s WHERE s.id = n.page_id
    AND substr('/' || s.slug, -1 - length(a.spelling)) = '/' || a.spelling)"""


def _file(condition: str) -> str:
    """The file of the link's own collection that is nearest, among some."""
    return f"""(SELECT p.page_id FROM page_places p WHERE {_FITS} AND p.collection_id = a.home
        AND {condition} ORDER BY {_NEAREST} LIMIT 1)"""


# A name such as mailbox.org may end like a page's file: mailbox.org.md is meant if there is no other.
_WHOLE_NAME = f"""(SELECT p.page_id FROM page_places p
    WHERE a.target_extension <> '' AND p.name = a.target_file || '.' || a.target_extension
      AND p.collection_id = a.home AND (p.folder = a.target_beside OR {_ENDS})
    ORDER BY p.folder IS NOT a.target_beside, p.folder IS NOT a.target_folder,
             NOT coalesce({_NEAR}, 0), {_NEAREST} LIMIT 1)"""


def _named(condition: str, order: str) -> str:
    """The page with the best name, folded; a part of a path that is spelled as it is written is better."""
    return f"""(SELECT n.page_id FROM page_names n CROSS JOIN page_places p ON p.page_id = n.page_id
        WHERE n.name = a.target_name AND {condition}
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

_UPDATE = f"""
    UPDATE links SET to_page_id = found.page FROM (
        SELECT a.id, a.to_page_id AS before, {_ANSWER} AS page FROM ({_ASKED}) a) found
    WHERE links.id = found.id AND found.page IS NOT found.before"""
_MISLED = f"""
    SELECT found.id FROM (SELECT a.id, a.to_page_id AS before, {_ANSWER} AS page FROM ({_ASKED}) a) found
    WHERE found.page IS NOT found.before""".format(
    links="links", condition="l.from_page_id IN (SELECT id FROM live_pages)"
)
_RESOLVE_ALL = _UPDATE.format(links="links", condition="TRUE")
# The unary plus: of all links that lead nowhere there may be very many, of one page there are few.
_RESOLVE_DOUBTS = _UPDATE.format(
    links="links",
    condition="""l.id IN (
        SELECT id FROM links WHERE target_name IN (SELECT value FROM json_each(?1))
        UNION SELECT id FROM links WHERE target_file IN (SELECT value FROM json_each(?2))
        UNION SELECT id FROM links WHERE from_page_id IN (SELECT value FROM json_each(?3))
        UNION SELECT id FROM links WHERE from_page_id IN (SELECT value FROM json_each(?4))
                     AND +to_page_id IS NULL)""",
)
_LEAD = f"SELECT {_ANSWER} FROM ({_ASKED}) a".format(
    links="""(SELECT ? AS from_page_id, ? AS target_collection, ? AS target_file, ? AS target_folder,
        ? AS target_beside, ? AS target_extension, ? AS target_spelling, ? AS target_name,
        NULL AS target)""",
    condition="TRUE",
)
