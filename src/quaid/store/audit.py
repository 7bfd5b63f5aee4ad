"""What is odd about pages and links: queries that find what a person may want to put right."""

from __future__ import annotations

import json

import apsw

from quaid.formats.encoding import UNKNOWN, odd_bytes
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.store.packing import BYTES
from quaid.store.rows import records, row, rows


@record
class OddPage:
    """A page, and what is odd about it."""

    slug: str
    remark: str


@record
class OddLink:
    """A link that leads nowhere, or fits several pages."""

    slug: str
    target: str
    leads_to: str = ""
    rivals: int = 0


def link_count(connection: apsw.Connection, collection_id: int) -> int:
    """How many links a collection's pages have."""
    sql = "SELECT count(*) FROM links l JOIN live_pages p ON p.id = l.from_page_id WHERE p.collection_id = ?"
    return int(row(connection, sql, (collection_id,))[0])


def problems(connection: apsw.Connection, collection_id: int) -> list[OddPage]:
    """Pages that are not wholly understood."""
    found = rows(
        connection,
        "SELECT slug, problems FROM live_pages WHERE collection_id = ? AND problems <> '[]' ORDER BY slug",
        (collection_id,),
    )
    return [
        OddPage(slug, "; ".join(each["message"] for each in json.loads(listed))) for slug, listed in found
    ]


def encodings(connection: apsw.Connection, collection_id: int) -> list[OddPage]:
    """Pages that are not UTF-8, or not throughout."""
    found = rows(
        connection,
        f"""SELECT slug, encoding, text FROM live_pages
           WHERE collection_id = ?1 AND (encoding <> 'utf-8'
               OR instr({BYTES.format("packed")}, x'f48f')) ORDER BY slug""",
        (collection_id,),
    )
    return [
        OddPage(slug, _encoding_text(encoding, odd_bytes(text)))
        for slug, encoding, text in found
        if not encoding.startswith("utf-") or odd_bytes(text)
    ]


def _encoding_text(encoding: str, odd: int) -> str:
    what = "the encoding is not known" if encoding == UNKNOWN else f"read as {encoding}"
    return what + (f", {odd:,} odd {'byte' if odd == 1 else 'bytes'}" if odd else "")


def dangling(connection: apsw.Connection, collection_id: int) -> list[OddLink]:
    """Links that lead nowhere."""
    sql = """SELECT p.slug, l.target FROM links l JOIN live_pages p ON p.id = l.from_page_id
        WHERE p.collection_id = ? AND l.to_page_id IS NULL ORDER BY p.slug, l.ordinal"""
    return records(OddLink, connection, sql, (collection_id,))


def ambiguous(connection: apsw.Connection, collection_id: int) -> list[OddLink]:
    """Links to a name that several pages have, in the same way."""
    return records(
        OddLink,
        connection,
        """WITH shared AS (
               SELECT name, count(*) AS rivals FROM page_names n
               WHERE kind = (SELECT min(kind) FROM page_names m WHERE m.name = n.name)
               GROUP BY name HAVING count(*) > 1)
           SELECT p.slug, l.target, coalesce(t.slug, ''), s.rivals FROM links l
           JOIN shared s ON s.name = l.target_name
           JOIN live_pages p ON p.id = l.from_page_id LEFT JOIN live_pages t ON t.id = l.to_page_id
           WHERE p.collection_id = ? ORDER BY p.slug, l.ordinal""",
        (collection_id,),
    )


def collisions(connection: apsw.Connection, collection_id: int) -> list[OddPage]:
    """Pages whose slug has a part that tells it from another's."""
    found = rows(
        connection,
        """SELECT p.slug, p.path FROM live_pages p WHERE p.collection_id = ?1 AND p.path IS NOT NULL
           AND p.slug GLOB '*-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
           AND EXISTS (SELECT 1 FROM live_pages q WHERE q.collection_id = ?1
                       AND q.slug = substr(p.slug, 1, length(p.slug) - 9)) ORDER BY p.slug""",
        (collection_id,),
    )
    return [
        OddPage(slug, f"the file {path}, whose name is like another's")
        for slug, path in found
        if slugify(path) != slug
    ]
