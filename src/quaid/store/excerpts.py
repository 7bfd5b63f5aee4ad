"""The texts of single units, with what stands above them."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.model.record import record
from quaid.store.rows import rows
from quaid.store.scope import Units

# What stands for the fields of a page is what it begins with, and then the fields without their syntax: a
# page that is found by its name and its tags alone is about what it says first.
_PAGES = """SELECT u.id, p.title, u.heading,
        CASE u.kind WHEN 'fields'
        THEN part(p.packed, p.truth_start, min(p.truth_start + 400, p.rule_start)) || char(10) || p.fields
        ELSE part(p.packed, u.start, u.start + u.length) END
    FROM {} u JOIN pages p ON p.id = u.page_id WHERE u.id IN (SELECT value FROM json_each(?))"""
_CONVERSATIONS = "SELECT u.id, '', u.role, u.text FROM turns u WHERE u.id IN (SELECT value FROM json_each(?))"


@record
class Excerpt:
    """A unit: its text, the title of its document, and the heading or the speaker above it."""

    title: str
    heading: str
    text: str


def of_units(connection: apsw.Connection, units: Units, ids: Collection[int]) -> dict[int, Excerpt]:
    """The texts of these units."""
    sql = _PAGES.format(units.table) if units.kind == "page" else _CONVERSATIONS
    found = rows(connection, sql, (json.dumps(list(ids)),))
    return {unit: Excerpt(title, heading, text) for unit, title, heading, text in found}
