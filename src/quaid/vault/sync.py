"""Bringing a folder's pages into step with its files: walk, plan, act.

Every action is a transaction of its own within a larger one that is committed every moment. A file that
fails is reported, and tried again the next time; the others go on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import islice
from types import MappingProxyType

import apsw

from quaid.errors import Busy, NotFound, QuaidError, ReadOnly, StorageFailed
from quaid.formats.encoding import decode
from quaid.formats.format import page_format
from quaid.model.actor import EDIT, Actor, acting
from quaid.model.page import format_of
from quaid.model.record import fill, record
from quaid.store import collections, file_state, pages, stocks
from quaid.store.connection import Store
from quaid.store.failures import NOT_WRITTEN
from quaid.store.file_state import FileState
from quaid.store.log import seldom_folded
from quaid.store.names import Doubts
from quaid.vault import folder, readers
from quaid.vault.folder import Skipped, Walk
from quaid.vault.mirror import Effect, Mirror, Outcome
from quaid.vault.plan import Action, Look, LookAtRaw, Move, Print, Remove, Survey, plan, survey
from quaid.vault.readings import Folder, Newcomer, Reading, Task

Progress = Callable[[int, int], None]
Storing = Callable[..., Sequence[Outcome]]
Step = tuple[Action, Newcomer | Reading | None]
KEPT = 20  # files whose bytes are kept from the plan to the act; of more, they are read again
COMMIT_EVERY = 0.25  # seconds, so that others can write too
FEW = 20  # files that are read one by one, when they are looked at
AT_ONCE = 160  # files whose pages are stored together
COUNTED: tuple[Effect, ...] = ("added", "changed", "moved", "removed", "returned")


@record
class PageProblem:
    """Something in a file that could not be understood; its page holds all of it nevertheless."""

    path: str
    message: str
    line: int = 0


@record
class Report:
    """What a sync did."""

    collection: str
    paths: Collection[str] = ()  # of all files that were seen
    effects: Mapping[str, int] = MappingProxyType({})
    slugs: tuple[str, ...] = ()  # of the pages that were added, changed, moved or removed
    failed: tuple[Skipped, ...] = ()
    skipped: tuple[Skipped, ...] = ()  # that were not known before
    problems: tuple[PageProblem, ...] = ()
    left: int = 0  # actions that were not run, because there were too many

    @property
    def files(self) -> int:
        """How many of the files are pages."""
        return sum(folder.is_page(path) for path in self.paths)

    @property
    def other_files(self) -> int:
        return len(self.paths) - self.files

    @property
    def changed(self) -> bool:
        return any(self.effects.values())


class Sync:
    """One run."""

    def __init__(
        self,
        store: Store,
        mirror: Mirror,
        now: Callable[[], str],
        writer: Callable[[str], Actor] | None = None,
    ) -> None:
        """`writer` says who wrote the file at a path, where that is known; else somebody edited it."""
        self._store = store
        self._writer = writer or (lambda path: EDIT)
        self._mirror = mirror
        self._row = mirror.row
        self._patterns = folder.left_out_of(mirror.row)
        self._now = now
        self._effects: dict[str, int] = {}
        self._slugs: list[str] = []
        self._failed: list[Skipped] = []
        self._fresh: list[Skipped] = []  # what could not be read, and was not known before
        self._problems: list[PageProblem] = []

    def run(
        self,
        *,
        accept_empty: bool = False,
        thorough: bool = False,
        most: int | None = None,
        progress: Progress | None = None,
        found: Survey | None = None,
    ) -> Report:
        """Look at the whole folder; thoroughly, at the content of every file.

        If there is more to do than `most`, nothing is done. `found` is what somebody saw who looked just now.
        """
        walked = self._walk(accept_empty, found.walk if found else None)
        if found is None:
            known = file_state.known_files(self._store.connection, self._row.id)
            if thorough:
                known = {path: state._replace(seen_ns=0) for path, state in known.items()}
            found = survey(walked, known)
        actions, idle = self._plan(found)
        if most is not None and len(actions) - idle > most:
            return self._report(walked, (), len(actions) - idle)
        self._act(actions, found.known, progress, partial(self._note_failures, walked, explicit=most is None))
        return self._report(walked, self._fresh, 0)

    def run_at(self, paths: Iterable[str]) -> Report:
        """Look at some files and directories, and at nothing else, unless one of them has gone.

        Then it may be elsewhere now, or all of them may be gone.
        """
        paths = set(paths)
        paths |= {folder.owner_of(path) for path in paths if folder.is_sidecar(path)}
        walked = folder.glance(self._mirror.root, paths, self._patterns)
        found = survey(walked, file_state.known_at(self._store.connection, self._row.id, paths))
        if found.missing:
            return self.run()
        self._act(self._plan(found)[0], found.known)
        return self._report(walked, self._failed, 0)

    def _walk(self, accept_empty: bool, seen: Walk | None) -> Walk:
        """The folder; where it is gone or suddenly empty, the alarm is raised and nothing changes."""
        try:
            walked = seen or folder.walk(self._mirror.root, self._patterns)
        except StorageFailed as error:
            self._halt(error.message)
            raise
        if not accept_empty and not any(folder.is_page(path) for path in walked.files):
            had = file_state.count(self._store.connection, self._row.id)
            if had:
                self._halt(f"no page is left of {had:,} files")
                raise StorageFailed(
                    f"{self._mirror.root} has no pages any more; it had {had:,} files",
                    hint="Is it mounted? Nothing was changed. If the files are meant to be gone: "
                    f"quaid collection sync {self._row.name} --accept-empty.",
                )
        if self._row.state == "halted":
            with self._store.write() as connection:
                collections.set_state(connection, self._row.id, "active", "")
        return walked

    def _halt(self, alarm: str) -> None:
        if self._row.state != "halted":
            with self._store.write() as connection:
                collections.set_state(connection, self._row.id, "halted", alarm)

    def _plan(self, found: Survey) -> tuple[tuple[Action, ...], int]:
        """What is to be done, and how much of it is about files that hold what they held."""
        known = found.known
        lost = bool(found.missing) or any(path in known for path in found.fresh)
        prints = self._prints(found) if lost else {}
        idle = sum(path in known and known[path].hash == each.hash for path, each in prints.items())
        return plan(found, prints), idle

    def _prints(self, found: Survey) -> dict[str, Print]:
        prints: dict[str, Print] = {}
        for path in found.fresh:
            read_at = time.time_ns()
            try:
                data = folder.read(self._mirror.root, path)
            except (OSError, QuaidError):
                continue  # reading it is an action too, and reports why it cannot be read
            if len(found.fresh) <= KEPT:
                self._mirror.keep(Reading(found.walk.files[path], read_at, data))
            is_alone = len(found.fresh) == 1 and not found.missing  # so that no page can have moved
            identity = None if is_alone else page_format(format_of(path)).identity(decode(data)[0])
            prints[path] = Print(sha256(data).hexdigest(), identity)
        return prints

    def _act(
        self,
        actions: Sequence[Action],
        known: Mapping[str, FileState],
        progress: Progress | None = None,
        finish: Callable[[], None] = lambda: None,
    ) -> None:
        """Run the actions; `finish` belongs to the last transaction."""
        moves = {action.old for action in actions if isinstance(action, Move)}
        entangled = any(isinstance(action, Move) and action.path in moves for action in actions)
        doubts = self._mirror.doubts = Doubts()
        waiting: deque[Step] = deque(
            (action, None) for action in actions if isinstance(action, (Move, Remove))
        )
        done = 0
        haste = seldom_folded(self._store) if len(actions) >= readers.LEAST else self._store.hasty()
        with haste, closing(self._read(actions[len(waiting) :], known)) as read:
            while done < len(actions):
                waiting.extend(islice(read, max(0, AT_ONCE - len(waiting))))  # others may write meanwhile
                until = time.monotonic() + COMMIT_EVERY
                with self._store.write() as connection:
                    newcomers = [said for _, said in waiting if isinstance(said, Newcomer)]
                    doubtful = self._mirror.in_need_of_care(connection, newcomers) if newcomers else set()
                    while waiting:
                        together = entangled and isinstance(waiting[0][0], (Move, Remove))
                        done += self._do_next(waiting, doubtful)
                        if time.monotonic() > until and not together:
                            break
                    if moves:
                        with acting(EDIT):
                            for page_id in pages.parked_pages(connection, self._row.id):
                                self._mirror.give_up(connection, page_id)
                    doubts.settle(connection)
                    if done == len(actions):
                        finish()
                if progress:
                    progress(done, len(actions))
        if not actions:
            finish()

    def _read(self, actions: Sequence[Action], known: Mapping[str, FileState]) -> Generator[Step, None, None]:
        """What the files say, of many files; of a few, that is found out when they are looked at."""
        looks = [action for action in actions if isinstance(action, Look)]
        if len(looks) <= FEW:
            yield from ((action, None) for action in actions)
            return
        home = Folder(str(self._mirror.root), self._row.id, self._now(), self._stock(looks))
        tasks = [Task(look.path, look.path not in known) for look in looks]
        with closing(readers.read_all(home, tasks)) as results:
            for look, result in zip(looks, results, strict=True):
                if isinstance(result, Reading):
                    self._mirror.keep(result)
                yield look, result
        yield from ((action, None) for action in actions[len(looks) :])

    def _stock(self, looks: Sequence[Look]) -> bytes:
        """What texts are packed against; for a folder of many files that has nothing yet, it is made."""
        known = stocks.of_collection(self._store.connection, self._row.id)
        if known or len(looks) < readers.LEAST or self._row.profile == "kb":
            return known
        made = stocks.stock_of([look.path for look in looks], self._text)
        with self._store.write() as connection:
            if not stocks.of_collection(connection, self._row.id):  # somebody else may have been quicker
                stocks.put(connection, self._row.id, made)
            return stocks.of_collection(connection, self._row.id)

    def _text(self, path: str) -> str:
        try:
            return decode(folder.read(self._mirror.root, path))[0] if folder.is_page(path) else ""
        except (OSError, QuaidError):
            return ""  # looking at it says why it cannot be read

    def _do_next(self, waiting: deque[Step], doubtful: set[str]) -> int:
        """Run the next actions at once, or one by one where that fails; the answer is how many."""
        count, store = self._next_batch(waiting, doubtful)
        actions = [waiting.popleft()[0] for _ in range(count or 1)]
        if not count:
            self._do(actions[0])
            return 1
        try:
            with self._store.attempt() as connection:
                outcomes = store(connection, actors=[self._writer(action.path) for action in actions])
        except (Busy, StorageFailed, ReadOnly, *NOT_WRITTEN):
            raise
        except Exception:  # surface: one by one, the file that is to blame fails alone
            for action in actions:
                self._do(action)
        else:
            for action, outcome in zip(actions, outcomes, strict=True):
                self._count(action, outcome)
        return count

    def _next_batch(self, waiting: deque[Step], doubtful: set[str]) -> tuple[int, Storing]:
        """How many of the next pages are simply new, or have simply changed, and what stores them."""
        new: list[Newcomer] = []
        read: list[Reading] = []
        for action, said in waiting:
            if isinstance(said, Newcomer) and not read and action.path not in doubtful:
                new.append(said)
            elif isinstance(said, Reading) and not new:
                read.append(said)
            else:
                break
        if new:
            return len(new), partial(self._mirror.add_all, newcomers=new)
        changed = self._mirror.simply_changed(self._store.connection, read) if read else ()
        return len(changed), partial(self._mirror.change_all, changed=changed)

    def _do(self, action: Action) -> None:
        try:
            with acting(self._writer(action.path)), self._store.attempt() as connection:
                outcome = self._outcome(connection, action)
        except (Busy, StorageFailed, ReadOnly, *NOT_WRITTEN):
            raise  # not the file's fault; whoever holds the transaction puts it into our words
        except NotFound:
            return
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
        except Exception as error:  # surface: one bad file must not stop the others
            reason = error.message if isinstance(error, QuaidError) else f"{type(error).__name__}: {error}"
        else:
            self._count(action, outcome)
            return
        self._failed.append(Skipped(action.path, reason))

    def _count(self, action: Action, outcome: Outcome) -> None:
        if outcome.effect in COUNTED:
            self._effects[outcome.effect] = self._effects.get(outcome.effect, 0) + 1
            self._slugs.append(outcome.slug)
        self._problems += [fill(PageProblem, each, path=action.path) for each in outcome.problems]
        self._failed += [outcome.unread] if outcome.unread else []

    def _outcome(self, connection: apsw.Connection, action: Action) -> Outcome:
        mirror = self._mirror
        if isinstance(action, Move):
            return mirror.move(connection, action.page_id, action.hash, action.old, action.path)
        if isinstance(action, Remove):
            if not action.replaced and folder.glance(mirror.root, [action.path], self._patterns).files:
                return Outcome("nothing")  # it has come back meanwhile
            return mirror.remove(connection, action.path)
        if isinstance(action, LookAtRaw):
            return mirror.look_at_raw(connection, action.path)
        return mirror.look(connection, action.path)

    def _note_failures(self, walked: Walk, *, explicit: bool) -> None:
        """Remember what could not be read, and which of it was not known before."""
        now = self._now()
        failures = (*walked.skipped, *self._failed)
        wrong = {each.path: each.reason for each in failures}
        before = file_state.problems(self._store.connection, self._row.id)
        if before == wrong and not self._effects and not explicit:
            return
        self._fresh = [each for each in failures if before.get(each.path) != each.reason]
        with self._store.write() as connection:
            file_state.forget_problems(connection, self._row.id, before.keys() - wrong.keys())
            for path, reason in wrong.items():
                if before.get(path) != reason:
                    file_state.note_problem(connection, self._row.id, path, reason, now)
            collections.note_sync(connection, self._row.id, now)

    def _report(self, walked: Walk, fresh: Sequence[Skipped], left: int) -> Report:
        return Report(
            collection=self._row.name,
            paths=walked.files.keys(),
            effects=self._effects,
            slugs=tuple(self._slugs),
            failed=tuple(self._failed),
            skipped=tuple(fresh),
            problems=tuple(self._problems),
            left=left,
        )
