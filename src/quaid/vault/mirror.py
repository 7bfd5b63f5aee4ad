"""The rows of a folder's pages: each file is read, and its page's rows say what it says.

Every function works in the transaction of its caller, and looks at the file as it is at that moment.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal

import apsw

from quaid.errors import InvalidInput
from quaid.files import read_own
from quaid.formats.encoding import decode, encode
from quaid.formats.slugs import MAX_LENGTH, slugify, slugs_of
from quaid.model.actor import Actor
from quaid.model.page import Page, Problem
from quaid.model.record import record
from quaid.store import bare_pages, file_state, history, pages, raw
from quaid.store.bare_pages import StoredText
from quaid.store.collections import CollectionRow
from quaid.store.drafts import Draft
from quaid.store.file_state import FileState
from quaid.store.history import Keeping
from quaid.store.names import Doubts
from quaid.vault import folder, rows
from quaid.vault.folder import Seen, Skipped
from quaid.vault.readings import SUFFIX, Newcomer, Reading, stamp
from quaid.vault.sidecars import Sidecar, read_sidecar

Effect = Literal["added", "changed", "moved", "removed", "returned", "touched", "nothing"]


@record
class Outcome:
    """What became of a file's page."""

    effect: Effect
    slug: str = ""
    problems: tuple[Problem, ...] = ()
    unread: Skipped | None = None  # raw data that cannot be understood


class Mirror:
    """The rows of one folder."""

    def __init__(
        self,
        row: CollectionRow,
        root: Path,
        now: Callable[[], str],
        keeping: Callable[[], Keeping] | None = None,
    ) -> None:
        self.row = row
        self.root = root
        self._now = now
        self._keeping = keeping or Keeping
        self._readings: dict[str, Reading] = {}
        self.doubts: Doubts | None = None  # of whoever reads many files and settles their links together

    def look(
        self,
        connection: apsw.Connection,
        path: str,
        *,
        transient: bool = False,
        reading: Reading | None = None,
    ) -> Outcome:
        """Bring the rows into step with one file, whatever has happened to it.

        A file that was found unchanged is remembered as such, unless the look is transient. `reading` is what
        the caller has read just now.
        """
        state = file_state.one(connection, self.row.id, path)
        reading = reading or self._reading(path)
        if reading is None:
            return self.remove(connection, path) if state else Outcome("nothing")
        seen, read_at, data = reading.seen, reading.at, _within_bounds(reading.data)
        digest = sha256(data).hexdigest()
        if state is None:
            return self._add(connection, seen, data, digest, read_at)
        page_id = bare_pages.at_path(connection, self.row.id, path) or state.page_id
        outcome = self._compare(connection, page_id, reading)
        if (
            outcome.effect == "touched"
            and transient
            and (digest, *seen[1:4], page_id) == (state.hash, *state[1:4], state.page_id)
        ):
            return Outcome("nothing")
        file_state.put(connection, self.row.id, FileState(*seen, read_at, digest, page_id, None))
        return outcome

    def in_need_of_care(self, connection: apsw.Connection, newcomers: Sequence[Newcomer]) -> set[str]:
        """The paths of those that are not simply new: they changed since, came back, or share a slug."""
        slugs = {each.page.slug for each in newcomers}
        taken = pages.with_rivals(connection, self.row.id, slugs)
        files = {each.seen.path: each.hash for each in newcomers}
        root = os.fspath(self.root)
        found = file_state.known_paths(connection, self.row.id, files)
        for each in newcomers:
            path = each.seen.path
            if each.page.slug in taken or folder.look_at(f"{root}/{folder.spelt(path)}", path) != each.seen:
                found.add(path)
            taken.add(each.page.slug)
        return found

    def add_all(
        self, connection: apsw.Connection, newcomers: Sequence[Newcomer], actors: Sequence[Actor]
    ) -> list[Outcome]:
        """The pages of files that are simply new, and who wrote each."""
        made = [each.page for each in newcomers]
        known = rows.insert_all(connection, self.row.id, made, actors, self.doubts)
        states = [
            FileState(*each.seen, each.at, each.hash, page_id, None)
            for each, (page_id, _) in zip(newcomers, known, strict=True)
        ]
        file_state.put_all(connection, self.row.id, states)
        return [Outcome("added", each.page.slug, each.problems) for each in newcomers]

    def simply_changed(
        self, connection: apsw.Connection, readings: Sequence[Reading]
    ) -> list[tuple[Reading, StoredText]]:
        """The first of some known files that say something else now, as long as nothing is odd about them."""
        stored = bare_pages.stored_at(connection, self.row.id, (each.seen.path for each in readings))
        found: list[tuple[Reading, StoredText]] = []
        for reading in readings:
            known = stored.get(reading.seen.path)
            if known is None or not self._is_simple(reading, known):
                break
            found.append((reading, known))
        return found

    def _is_simple(self, reading: Reading, known: StoredText) -> bool:
        path, draft = reading.seen.path, reading.draft
        return (
            known.is_sound
            and draft is not None
            and reading.row is not None
            and draft.slug.encode() == known.slug
            and (draft.content.text.encode(), draft.encoding.encode()) != (known.data, known.encoding)
            and folder.look_at(f"{os.fspath(self.root)}/{folder.spelt(path)}", path) == reading.seen
        )

    def change_all(
        self,
        connection: apsw.Connection,
        changed: Sequence[tuple[Reading, StoredText]],
        actors: Sequence[Actor],
    ) -> list[Outcome]:
        """The pages of files that have simply changed, and who wrote each."""
        past = [known.original for _, known in changed]
        history.keep_all(connection, past, self._now(), self._keeping())
        drafts = [(known.page_id, each.draft, each.row) for each, known in changed if each.draft and each.row]
        rows.update_all(connection, drafts, actors, self.doubts)
        states = [
            FileState(*each.seen, each.at, sha256(each.data).hexdigest(), known.page_id, None)
            for each, known in changed
        ]
        file_state.put_all(connection, self.row.id, states)
        for each, _ in changed:
            self._readings.pop(each.seen.path, None)
        return [Outcome("changed", page.slug, page.content.problems) for _, page, _ in drafts]

    def keep(self, reading: Reading) -> None:
        """Remember what was read of a file that will be looked at next."""
        self._readings[reading.seen.path] = reading

    def _reading(self, path: str) -> Reading | None:
        """What a file holds, if it is there; it was read already if it looks as it did then."""
        kept = self._readings.pop(path, None)
        place = folder.found(self.root, path)
        seen = folder.look_at(place, path) if place else None
        if seen is None or place is None:
            return None
        return kept if kept and kept.seen == seen else Reading(seen, time.time_ns(), read_own(place))

    def _compare(self, connection: apsw.Connection, page_id: int, reading: Reading) -> Outcome:
        """Let a page's row say what its file says.

        A row that was damaged says nothing of value: it is no earlier version.
        """
        path = reading.seen.path
        text, encoding = decode(reading.data)
        stored = bare_pages.stored_text(connection, page_id)
        is_same = (stored.data, stored.encoding) == (text.encode(), encoding.encode())
        if not stored.is_sound:
            rivals = self._rivals(connection, slugify(path))
            slug = slugs_of([path, *(other for each, _, other in rivals if each != page_id)])[path]
            draft = rows.draft(text, encoding, slug, path, self._now())
            rows.correct(connection, page_id, draft, self.doubts)
            if not is_same:
                rows.touch(connection, page_id, self._now(), rewrites=True)
            return Outcome("changed", slug, draft.content.problems)
        if is_same:
            return Outcome("touched")
        ready, slug = reading.draft, stored.slug.decode()
        if ready is None or ready.slug != slug:
            ready = rows.draft(text, encoding, slug, path, stamp(reading.seen, self._now()))
        self._rewrite(connection, stored.original, ready)
        return Outcome("changed", slug, ready.content.problems)

    def move(self, connection: apsw.Connection, page_id: int, digest: str, old: str, new: str) -> Outcome:
        """A page's file, which held something of that hash, has another path; it stays the same page."""
        seen = folder.look(self.root, new)
        page = pages.find(connection, page_id)
        if seen is None or page is None:
            return Outcome("nothing")
        occupant = file_state.one(connection, self.row.id, new)
        if occupant and occupant.page_id != page_id:
            pages.retire_page(connection, occupant.page_id)
            pages.park(connection, occupant.page_id)
        data = self._read(new)
        slug = self.slug_for(connection, new, page)
        problems: tuple[Problem, ...] = ()
        if sha256(data).hexdigest() == digest:
            self._place(connection, page_id, rows.draft(*decode(data), slug, new, self._now()))
        else:
            pages.retire(connection, self.row.id, page.info.slug, page.info.version)
            draft = rows.draft(*decode(data), slug, new, stamp(seen, self._now()))
            self._rewrite(connection, (page_id, encode(page.text, page.encoding), page.encoding), draft)
            problems = draft.content.problems
        for place in (old, folder.sidecar_of(old)):
            left = file_state.one(connection, self.row.id, place)
            if left and left.page_id == page_id:
                file_state.remove(connection, self.row.id, place)
        self.note(connection, seen, data, page_id)
        self.settle(connection, old)
        return Outcome("moved", slug, problems, self.look_at_raw(connection, new).unread)

    def give_up(self, connection: apsw.Connection, page_id: int) -> None:
        """Quarantine a page whose place was taken and whose own file was not found."""
        rows.hide(connection, page_id, self._now(), self.doubts)
        file_state.remove_of_page(connection, page_id)
        pages.unpark(connection, page_id)

    def remove(self, connection: apsw.Connection, path: str) -> Outcome:
        """A page's file is gone: the page goes into quarantine with all that belongs to it."""
        state = file_state.one(connection, self.row.id, path)
        if state is None:
            return Outcome("nothing")
        info = pages.info(connection, state.page_id)
        rows.hide(connection, state.page_id, self._now(), self.doubts)
        file_state.depart(connection, self.row.id, state.hash, state.page_id)
        for place in (path, folder.sidecar_of(path)):
            file_state.remove(connection, self.row.id, place)
        self.settle(connection, path)
        return Outcome("removed", info.slug)

    def look_at_raw(self, connection: apsw.Connection, path: str) -> Outcome:
        """Bring a page's raw data into step with the file beside it.

        One that cannot be understood says nothing; it is read again the next time.
        """
        page_state = file_state.one(connection, self.row.id, path)
        if page_state is None:
            return Outcome("nothing")
        page_id = page_state.page_id
        file_state.remove(connection, self.row.id, folder.sidecar_of(path))
        said, seen, unread = self._sidecar(connection, path, page_id)
        if not self._say(connection, page_id, said, seen):
            return Outcome("touched", unread=unread)
        rows.touch(connection, page_id, self._now())
        return Outcome("changed", pages.info(connection, page_id).slug, unread=unread)

    def note(self, connection: apsw.Connection, seen: Seen, data: bytes, page_id: int) -> None:
        """Remember what was just written."""
        digest = sha256(data).hexdigest()
        file_state.put(connection, self.row.id, FileState(*seen, time.time_ns(), digest, page_id, None))

    def settle(self, connection: apsw.Connection, path: str) -> None:
        """A file has come or gone: those whose slug is like its own get the slugs that they would have."""
        left = self._rivals(connection, slugify(path))
        if left:
            self._give(connection, left, slugs_of(path for _, _, path in left))

    def _add(
        self, connection: apsw.Connection, seen: Seen, data: bytes, digest: str, read_at: int
    ) -> Outcome:
        slug = self.slug_for(connection, seen.path, None)
        departed = self._departed_page(connection, data, digest)
        when = self._now() if departed else stamp(seen, self._now())
        draft = rows.draft(*decode(data), slug, seen.path, when)
        if departed:
            page_id = departed
            pages.relocate(connection, page_id, draft)
            rows.show(connection, page_id, draft, self.doubts)
            file_state.note_return(connection, page_id)
        else:
            page_id, _ = rows.insert(connection, self.row.id, draft, self.doubts)
        file_state.put(connection, self.row.id, FileState(*seen, read_at, digest, page_id, None))
        unread = self._read_raw(connection, seen.path, page_id, is_new=not departed)
        return Outcome("returned" if departed else "added", slug, draft.content.problems, unread)

    def _departed_page(self, connection: apsw.Connection, data: bytes, digest: str) -> int | None:
        """The page in quarantine that surely had this file, and still says what it says."""
        found = file_state.departed_pages(connection, self.row.id, digest) if data else []
        if len(found) != 1:
            return None
        text, encoding, _ = pages.quarantined_text(connection, found[0])
        return found[0] if encode(text, encoding) == data else None

    def _read_raw(
        self, connection: apsw.Connection, path: str, page_id: int, *, is_new: bool
    ) -> Skipped | None:
        """Read the raw data beside a page's file; the answer is why that was not possible."""
        try:
            said, seen, unread = self._sidecar(connection, path, page_id)
        except InvalidInput as error:  # it is too large
            return Skipped(folder.sidecar_of(path), error.message)
        except OSError as error:
            return Skipped(folder.sidecar_of(path), f"cannot be read: {error.strerror or error}")
        if not unread and (seen or not is_new):
            self._say(connection, page_id, said, seen)
        return unread

    def _sidecar(
        self, connection: apsw.Connection, path: str, page_id: int
    ) -> tuple[Sidecar, Seen | None, Skipped | None]:
        """The raw data beside a page's file, that file, and why it cannot be understood."""
        place = folder.sidecar_of(path)
        seen = folder.look(self.root, place)
        if seen is None:
            return Sidecar({}), None, None
        data = self._read(place)
        try:
            said = read_sidecar(data)
        except InvalidInput as error:
            return Sidecar({}), seen, Skipped(place, error.message)
        self.note(connection, seen, data, page_id)
        return said, seen, None

    def _say(self, connection: apsw.Connection, page_id: int, said: Sidecar, seen: Seen | None) -> bool:
        """Keep what the file beside a page says; whether that is something else than before."""
        before = raw.of_page(connection, page_id)
        when = stamp(seen, self._now()) if seen else self._now()
        raw.replace(connection, page_id, said.sources, when, said.fetched)
        return {name: data for name, (data, _) in before.items()} != dict(said.sources)

    def _rewrite(self, connection: apsw.Connection, before: tuple[int, bytes, str], draft: Draft) -> None:
        history.keep_all(connection, [before], self._now(), self._keeping())
        rows.update(connection, before[0], draft, self.doubts)

    def slug_for(self, connection: apsw.Connection, path: str, page: Page | None) -> str:
        """The slug of a path, after others that have to give way have done so."""
        own, slug = page.info.id if page else None, slugify(path)
        others = [each for each in self._rivals(connection, slug) if each[0] != own]
        if not others:
            return slug
        given = slugs_of([path, *(other for _, _, other in others)])
        if page and page.info.slug in {given[other] for _, _, other in others}:
            draft = rows.draft(page.text, page.encoding, given[path], page.info.path, self._now())
            pages.relocate(connection, page.info.id, draft)
        self._give(connection, others, given)
        return given[path]

    def _rivals(self, connection: apsw.Connection, slug: str) -> list[tuple[int, str, str]]:
        """Pages whose path gives that slug: id, slug and path."""
        found = {
            each
            for known in {slug, slug[: MAX_LENGTH - SUFFIX]}  # long ones are cut before they are told apart
            for each in pages.rivals(connection, self.row.id, known)
        }
        return sorted(each for each in found if slugify(each[2]) == slug)

    def _give(
        self, connection: apsw.Connection, others: list[tuple[int, str, str]], given: dict[str, str]
    ) -> None:
        moving = [each for each in others if given[each[2]] != each[1]]
        for page_id, _, path in moving:
            page = pages.load(connection, page_id)
            draft = rows.draft(page.text, page.encoding, given[path], path, self._now())
            self._place(connection, page_id, draft)

    def _place(self, connection: apsw.Connection, page_id: int, page: Draft) -> None:
        """Give a page another slug or path; its bytes stay."""
        pages.relocate(connection, page_id, page)
        rows.derive(connection, page_id, page, self.doubts)

    def _read(self, path: str) -> bytes:
        return _within_bounds(folder.read(self.root, path))


def _within_bounds(data: bytes) -> bytes:
    if len(data) > folder.MAX_BYTES:
        raise InvalidInput("larger than 32 MB", hint="Split it.")
    return data
