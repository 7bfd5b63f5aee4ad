"""Checks of the whole memory, and the repairs that lose nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

import apsw

from quaid.errors import Corrupt, QuaidError
from quaid.formats.encoding import decode
from quaid.index.chunk_rows import record_chunks
from quaid.index.chunks import RULES
from quaid.store import assertions, bare_pages, file_state, integrity, names, pages, seals
from quaid.store.connection import Store
from quaid.store.drafts import Draft
from quaid.store.failures import translation
from quaid.store.integrity import Finding
from quaid.store.names import Doubts
from quaid.store.remake import is_whole, remake
from quaid.store.rows import row, rows
from quaid.store.scratch import scratch
from quaid.vault import folder
from quaid.vault import rows as page_rows
from quaid.vault.mirror import Mirror

CHECKS = ("database", "words", "texts", "pages", "files", "links", "assertions", "embeddings")
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
_ANEW = "It can be derived anew."


def check(
    connection: apsw.Connection,
    chosen: frozenset[str],
    folders: Callable[[], Sequence[Callable[[], Mirror]]] = tuple,
) -> Iterator[Finding]:
    """What the chosen checks find. One that cannot run is a finding itself, and the others go on."""
    checks: tuple[tuple[str, Callable[[apsw.Connection], Iterator[Finding]]], ...] = (
        ("database", integrity.database),
        ("database", integrity.references),
        ("database", integrity.schema),
        ("words", integrity.word_index),
        ("texts", integrity.texts),
        ("texts", integrity.versions),
        ("texts", integrity.raw_data),
        ("texts", integrity.originals),
        ("pages", out_of_step),
        ("pages", integrity.section_index),
        ("files", partial(_unlike_folders, folders=folders)),
        ("links", integrity.links),
        ("assertions", integrity.assertions),
        ("embeddings", integrity.embeddings),
    )
    for name, findings in checks:
        if name in chosen:
            yield from _guarded_findings(name, findings, connection)


def _guarded_findings(
    name: str, findings: Callable[[apsw.Connection], Iterator[Finding]], connection: apsw.Connection
) -> Iterator[Finding]:
    try:
        yield from findings(connection)
    except (Exception, apsw.Error) as error:  # surface: what stops a check is damage too
        broken = isinstance(error, apsw.Error | Corrupt | UnicodeDecodeError)
        repair = integrity.REMAKE if broken else getattr(error, "hint", "")
        reason = error.message if isinstance(error, QuaidError) else f"{type(error).__name__}: {error}"
        yield Finding(name, f"the check of {name} stopped: {reason}", repair, broken)


def derive_all(
    store: Store, now: str, progress: Callable[[int, int], None] | None = None
) -> tuple[int, tuple[str, ...]]:
    """Make all rows and indexes anew from the texts of the pages.

    The answer is how many pages there are, and the slugs of those whose text is damaged, which stay as they
    are.
    """
    damaged: list[str] = []
    with store.write() as connection, scratch() as sound:
        listed = pages.all_live(connection)
        doubts = Doubts()  # all links are resolved at the end
        for place, page_id in enumerate(listed, 1):
            slug = bare_pages.slug(connection, page_id)
            if not seals.is_page_sound(connection, page_id):
                damaged.append(slug)
            else:
                _derive(store, page_id, now, sound, doubts)
            if progress and (place % 100 == 0 or place == len(listed)):
                progress(place, len(listed))
        integrity.rebuild_word_index(connection)
        integrity.mend_section_index(connection)
        names.resolve_all(connection)
        assertions.chain_all(connection)
    return len(listed), tuple(damaged)


def _derive(store: Store, page_id: int, now: str, sound: apsw.Connection, doubts: Doubts) -> None:
    """Let the rows of a page say what its text says; they keep their ids unless they are damaged."""
    page = bare_pages.one(store.connection, page_id)
    draft = page_rows.draft_of(page, now)
    if not differences(store.connection, page_id, draft, sound):
        if not is_cut(store.connection, page_id):
            record_chunks(store.connection, page_id, draft.content)
        return
    try:
        with store.attempt() as connection:
            pages.rederive(connection, page_id, draft.content)
            page_rows.derive(connection, page_id, draft, doubts)
            if not differences(connection, page_id, draft, sound):
                return
    except (UnicodeDecodeError, apsw.Error):
        pass  # what is damaged is not kept
    page_rows.correct(store.connection, page_id, draft, doubts)


def repair(store: Store, findings: Sequence[Finding], now: str, syncing: Callable[[], None]) -> None:
    """Do what is safe about the findings: everything that is derived is derived anew.

    Where the file itself is too damaged for that, it is made anew first; Corrupt if that would lose
    something.
    """
    if is_whole(store.connection):
        with suppress(Corrupt), translation(store.path):  # what is derived may stand in the way of its repair
            _repair(store, findings, now, syncing)
            return
    remake(store)
    syncing()
    derive_all(store, now)


def _repair(store: Store, findings: Sequence[Finding], now: str, syncing: Callable[[], None]) -> None:
    checks = {finding.check for finding in findings if finding.repairable}
    if checks & {"texts", "files"}:
        syncing()
    with store.write() as connection:
        if checks & {"pages", "texts", "files"}:
            derive_all(store, now)
        if "words" in checks:
            integrity.rebuild_word_index(connection)
            integrity.mend_section_index(connection)
        if "links" in checks:
            names.resolve_all(connection)
        if "assertions" in checks:
            assertions.chain_all(connection)
        if "embeddings" in checks:
            integrity.remove_unsound_chunks(connection)


def out_of_step(connection: apsw.Connection) -> Iterator[Finding]:
    """Pages whose rows do not say what their text says."""
    with scratch() as sound:
        for page_id in pages.all_live(connection):
            yield from _guarded_findings(
                "pages", partial(_page_out_of_step, page_id=page_id, sound=sound), connection
            )


def _page_out_of_step(connection: apsw.Connection, page_id: int, sound: apsw.Connection) -> Iterator[Finding]:
    if not seals.is_page_sound(connection, page_id):
        return  # which another check finds; nothing can be compared with a damaged text
    page = bare_pages.one(connection, page_id)
    wrong = differences(connection, page.id, page_rows.draft_of(page, ""), sound)
    if wrong:
        yield Finding("pages", f"{page.slug}: {', '.join(wrong)} out of step with the text", _ANEW, True)


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


def _unlike_folders(
    connection: apsw.Connection, folders: Callable[[], Sequence[Callable[[], Mirror]]]
) -> Iterator[Finding]:
    """Each folder on its own: one that is not there does not hide what is wrong with the others."""
    for opened in folders():
        yield from _guarded_findings("files", partial(_unlike_files, opened=opened), connection)


def _unlike_files(connection: apsw.Connection, opened: Callable[[], Mirror]) -> Iterator[Finding]:
    """Pages whose rows do not say what their file says, and files of which something wrong is known.

    What was done to a file since it was read is no damage: the next command sees it.
    """
    mirror = opened()
    known = file_state.known_files(connection, mirror.row.id)
    for page_id, path in bare_pages.with_paths(connection, mirror.row.id):
        state = known.pop(path, None)
        if state is None or state.page_id != page_id:
            yield Finding("files", f"{path}: what is known of the file is wrong", _SYNC, True)
            continue
        seen = folder.look(mirror.root, path)
        if seen is None:
            continue
        data = folder.read(mirror.root, path)
        text, encoding = decode(data)
        if sha256(data).hexdigest() != state.hash:
            if seen[1:4] == state[1:4]:
                yield Finding("files", f"{path}: what is known of the file is wrong", _SYNC, True)
        elif seals.stored_text(connection, page_id) != (text.encode(), encoding.encode()):
            yield Finding("files", f"{path}: its page says something else than the file", _SYNC, True)
    for path in known:
        if not folder.is_sidecar(path):
            yield Finding("files", f"{path} has no page", _SYNC, True)


_SYNC = "It can be read anew: quaid collection sync --thorough."
