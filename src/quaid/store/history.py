"""What pages were before each change of their text."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from quaid.errors import Corrupt
from quaid.formats.encoding import decode_as, encode
from quaid.model.page import Format
from quaid.model.record import record
from quaid.store import seals
from quaid.store.rows import records, row, rows

SETTLED_DAYS = 7  # for which a clock must have shown a time before the past is measured by it
# After which another session went on: what that one did can be taken back, however often it wrote.
_ENDS_SESSION = """
    (SELECT session_id FROM deeds d WHERE d.page_id = h.page_id AND d.version <= h.version AND d.rewrites
     ORDER BY d.version DESC LIMIT 1) IS NOT
    (SELECT session_id FROM deeds d WHERE d.page_id = h.page_id AND d.version > h.version AND d.rewrites
     ORDER BY d.version LIMIT 1)"""
# A clock that is far ahead for once must not cost the past. So age is counted to the last change that is
# some days old by now, not to this moment: a jump is believed after it has been the time for those days.
_EXPIRE = """DELETE FROM history WHERE page_id = ?4 AND replaced_at < (
    SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(replaced_at), ?2) FROM history
    WHERE replaced_at <= strftime('%Y-%m-%dT%H:%M:%SZ', ?1, ?3))"""
_NEW_SEAL = "seal(id, version, CAST(slug AS BLOB), CAST(?3 AS BLOB), CAST(format AS BLOB), ?2)"
_FIELDS = "version, slug, bytes, encoding, format, written_at, replaced_at"


@record
class Keeping:
    """How much of a page's past is kept."""

    versions: int = 10
    days: int = 90


@record
class OldVersion:
    """A page as it was; one that nothing has replaced yet has no `replaced_at`."""

    version: int
    slug: str
    data: bytes
    encoding: str
    format: Format
    written_at: str
    replaced_at: str

    @property
    def text(self) -> str:
        """Its text, to the character."""
        return decode_as(self.data, self.encoding)


def keep(
    connection: apsw.Connection, page_id: int, data: bytes, encoding: str, now: str, keeping: Keeping
) -> None:
    """Keep what a page is now, because it is about to change; what is too old goes."""
    keep_all(connection, [(page_id, data, encoding)], now, keeping)


def keep_all(
    connection: apsw.Connection, kept: Sequence[tuple[int, bytes, str]], now: str, keeping: Keeping
) -> None:
    """Keep what pages are now: of each its id, its bytes and their encoding."""
    if not keeping.versions:
        return
    connection.executemany(
        f"""INSERT OR REPLACE INTO history
               (page_id, version, slug, bytes, encoding, format, written_at, replaced_at, seal)
           SELECT id, version, slug, ?2, ?3, format, updated_at, ?4, {_NEW_SEAL} FROM pages WHERE id = ?1""",
        [(*each, now) for each in kept],
    )
    ids = [page_id for page_id, _, _ in kept]
    connection.executemany(
        f"""DELETE FROM history WHERE page_id = ?1
            AND id NOT IN (SELECT id FROM history WHERE page_id = ?1 ORDER BY version DESC LIMIT ?2)
            AND id NOT IN (SELECT id FROM history h WHERE page_id = ?1 AND {_ENDS_SESSION}
                           ORDER BY version DESC LIMIT ?2)""",
        [(page_id, keeping.versions) for page_id in ids],
    )
    age, settled = f"-{keeping.days} days", f"-{min(keeping.days, SETTLED_DAYS)} days"
    connection.executemany(_EXPIRE, [(now, age, settled, page_id) for page_id in ids])


def of_page(connection: apsw.Connection, page_id: int) -> list[OldVersion]:
    """All that is kept of a page, newest first, but for what is damaged."""
    sql = f"SELECT {_FIELDS} FROM history WHERE page_id = ? AND seal IS {seals.VERSION} ORDER BY version DESC"
    return records(OldVersion, connection, sql, (page_id,))


def one(connection: apsw.Connection, page_id: int, version: int) -> OldVersion | None:
    """One version of a page, if it is kept."""
    sql = f"SELECT seal IS {seals.VERSION}, {_FIELDS} FROM history WHERE page_id = ? AND version = ?"
    found = rows(connection, sql, (page_id, version))
    if not found:
        return None
    is_sound, *fields = found[0]
    if not is_sound:
        raise Corrupt(
            f"version {version} of the page is damaged in the memory",
            hint="Go back to another version, or restore the memory from a backup.",
        )
    return OldVersion(*fields)


def current(connection: apsw.Connection, page_id: int) -> OldVersion:
    """A page as it is now, or as it was when it was removed."""
    sql = "SELECT version, slug, whole(packed), encoding, format, updated_at FROM pages WHERE id = ?"
    version, slug, text, encoding, *rest = row(connection, sql, (page_id,))
    return OldVersion(*(version, slug, encode(text, encoding), encoding, *rest, ""))


def forget(connection: apsw.Connection, page_id: int) -> int:
    """Forget all that is kept of a page; the answer is how many versions that were."""
    connection.execute("DELETE FROM history WHERE page_id = ?", (page_id,))
    return connection.changes()
