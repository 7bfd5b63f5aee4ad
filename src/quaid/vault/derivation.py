"""What the rows of a page should be, made of its text in a memory that is nowhere, against what they are."""

from __future__ import annotations

from typing import Any

import apsw

from quaid.index.chunks import RULES
from quaid.store.drafts import Draft
from quaid.store.rows import row, rows
from quaid.vault import rows as page_rows

_PARTS = {
    "fields": """SELECT type, format, uuid, title, summary, frontmatter,
        keywords, wing, room, problems, fields,
        truth_start, rule_start, timeline_start, has_tasks, whole(packed) FROM pages WHERE id = ?""",
    "tags": "SELECT lower(tag) FROM tags WHERE page_id = ? ORDER BY 1",
    "timeline": """SELECT date, summary, summary_hash, source, detail, line FROM timeline_entries
        WHERE page_id = ? ORDER BY 1, 2""",
    "links": """SELECT target, written, target_name, target_file, relationship, context, context_start,
        context_length, source_kind, valid_from, valid_until, ordinal FROM links
        WHERE from_page_id = ? ORDER BY ordinal""",
    "assertions": """SELECT subject, predicate, object, subject_name, object_name, subject_key,
        object_key, valid_from, valid_until,
        confidence, asserted_by, source_ref, evidence_text, ordinal FROM assertions
        WHERE page_id = ? ORDER BY ordinal""",
    "names": "SELECT name, kind, alias FROM page_names WHERE page_id = ? ORDER BY name",
    "place": "SELECT name, folder, extension, path, spelling, length FROM page_places WHERE page_id = ?",
    "chunks": """SELECT kind, ordinal, heading, date, start, length, line_start, line_end, hash FROM chunks
        WHERE page_id = ? ORDER BY ordinal""",
    "items": """SELECT kind, ordinal, heading, start, length, line_start, line_end, hash FROM items
        WHERE page_id = ? ORDER BY ordinal""",
}
_CUT = ("chunks", "items")


def differences(connection: apsw.Connection, page_id: int, page: Draft, sound: apsw.Connection) -> list[str]:
    """The parts of a page's rows that do not say what its text says. `sound` is an empty memory."""
    sound.execute("SAVEPOINT page")
    try:
        made, _ = page_rows.insert(sound, 1, page)
        return [
            name
            for name, sql in _PARTS.items()
            if (name not in _CUT or is_cut(connection, page_id))
            and _read(connection, sql, page_id) != rows(sound, sql, (made,))
        ]
    finally:
        sound.execute("ROLLBACK TO page; RELEASE page")


def is_cut(connection: apsw.Connection, page_id: int) -> bool:
    """Whether a page's chunks were made by today's rules."""
    return bool(row(connection, "SELECT chunked_by = ? FROM pages WHERE id = ?", (RULES, page_id))[0])


def _read(connection: apsw.Connection, sql: str, page_id: int) -> list[tuple[Any, ...]] | None:
    try:
        return rows(connection, sql, (page_id,))
    except UnicodeDecodeError:  # what was derived is text that is no UTF-8 any more
        return None
