"""Taking back what somebody did, as new versions, and leaving what others did since."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from quaid import operations
from quaid.app import App
from quaid.errors import FINDINGS_STATUS, Conflict, InvalidInput, NotFound, QuaidError
from quaid.model.actor import acting, present_actor
from quaid.model.page import split_target
from quaid.model.record import record, replace
from quaid.operations.actors import sessions_of
from quaid.operations.days import since_of
from quaid.operations.operation import Operation, flag, option
from quaid.operations.text import Style, columns, count_of, shown
from quaid.store import deeds, history, pages
from quaid.store.deeds import Deed
from quaid.store.history import OldVersion
from quaid.vault.collection import Collection
from quaid.vault.reversal import Past, Reversal, reversal

UNDOING = "undo-"  # how sessions begin in which something was taken back


@record
class Undo:
    session: str | None = option("What was done in this session; its beginning is enough.")
    actor: str | None = option("What this actor did: a name, or human, agent, program, edit.")
    since: str | None = option("Only since then: a day, a moment, or 24h, 7d, 2w.")
    page: str | None = option("Only of this page.", completes="slug")
    yes: bool = flag("Do it, and do not ask.")


@record
class UndonePage:
    """A page that is taken back: what becomes of it, and which version's text it has again."""

    slug: str
    collection: str
    what: tuple[str, ...]
    version: int
    to: int | None = None


@record
class Clash:
    """A page that is left as it is: why, its version, the last one of theirs, and what shows the change."""

    slug: str
    collection: str
    reason: str
    version: int
    theirs: int
    look: str


@record
class Undone:
    """What was taken back, or would be. `session` is that of taking it back, which can be taken back too."""

    by: tuple[str, ...]
    pages: tuple[UndonePage, ...]
    conflicts: tuple[Clash, ...]
    already: int  # pages of which everything was taken back before
    raw_data: tuple[str, ...]  # pages whose raw data stays: what it was is not kept
    dry_run: bool
    session: str | None = None


@record
class _Plan:
    """One page as it is, and what it is to become."""

    page_id: int
    collection: str
    now: OldVersion
    is_there: bool
    goal: Reversal
    has_raw: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        """What is to be done to the page, in this order."""
        goal = self.goal
        if goal.clash or not goal.is_there:
            return ("removed",) if self.is_there and not goal.clash else ()
        needed = {
            "restored": not self.is_there,
            "moved": goal.slug != self.now.slug,
            "merged" if goal.joined else "reverted": goal.text != self.now.text
            or (goal.exact is not None and goal.exact.encoding != self.now.encoding),
        }
        return tuple(step for step, is_needed in needed.items() if is_needed)


def undo(app: App, args: Undo) -> Undone:
    """Take back what somebody did in a session, or since a moment, as new versions.

    Pages that they created are removed, those that they removed or moved come back, and texts become what
    they were. What others did since stays: where they changed other lines, both are kept; where they changed
    the same, the page is left as it is and named, and the exit status is 11. Without --yes it only says what
    would be done; on a terminal, it asks.
    """
    with app.store.read():
        known = _deeds_meant(app, args)
        chosen = {page: made for page, made in known.items() if any(not each.undone_by for each in made)}
        plans = [_plan(app, page, made) for page, made in chosen.items()]
    plans.sort(key=lambda plan: (plan.collection, plan.now.slug, plan.page_id))
    result = Undone(
        by=tuple(dict.fromkeys(each.by.label for made in known.values() for each in made)),
        pages=tuple(_undone(each) for each in plans if each.steps),
        conflicts=tuple(_clash(each) for each in plans if each.goal.clash),
        already=len(known) - sum(bool(each.steps or each.goal.clash) for each in plans),
        raw_data=tuple(each.now.slug for each in plans if each.has_raw and "removed" not in each.steps),
        dry_run=True,
    )
    if not result.pages or not (args.yes or app.ask(f"Take back {count_of(len(result.pages), 'page')}?")):
        return result
    session = UNDOING + os.urandom(3).hex()
    with acting(replace(present_actor(), session=session)):
        done = [
            each
            for name, some in groupby(plans, key=lambda plan: plan.collection)
            for each in _taken_back(app, name, list(some))
        ]
    return replace(
        result,
        pages=tuple(each for each in done if isinstance(each, UndonePage)),
        conflicts=(*result.conflicts, *(each for each in done if isinstance(each, Clash))),
        dry_run=False,
        session=session,
    )


def _deeds_meant(app: App, args: Undo) -> dict[int, list[Deed]]:
    """What was done by whoever is meant, by page. Only its name means a session that took something back."""
    if bool(args.session) == bool(args.actor) or (args.actor and not args.since):
        raise InvalidInput(
            "whose changes are meant?", hint="Give --session, or --actor and --since; see `quaid activity`."
        )
    sessions = sessions_of(app, args.actor, args.session)
    if args.actor:
        sessions = {key: by for key, by in sessions.items() if not by.session.startswith(UNDOING)}
    since = since_of(app, args.since).moment if args.since else ""
    found: dict[int, list[Deed]] = {}
    for each in deeds.of_sessions(app.connection, sessions, since):
        found.setdefault(each.page_id, []).append(each)
    if args.page is None:
        return found
    named = {page.id for page in app.pages_called(args.page)}
    slug = split_target(args.page)[1]  # of one that is removed
    return {page: made for page, made in found.items() if page in named or made[-1].slug == slug}


def _plan(app: App, page_id: int, made: Sequence[Deed]) -> _Plan:
    now = history.current(app.connection, page_id)
    collection, is_there = pages.whereabouts(app.connection, page_id)
    texts = [now, *history.of_page(app.connection, page_id)]
    past = Past(deeds.of_page(app.connection, page_id), texts, is_there)
    versions = [each.version for each in made if not each.undone_by]
    goal = reversal(past, versions, lambda text: app.collection(collection).amended(text))
    has_raw = any(each.kind == "raw" for each in made)
    return _Plan(page_id, collection, now, is_there, goal, has_raw)


def _undone(plan: _Plan, version: int | None = None) -> UndonePage:
    exact = plan.goal.exact.version if plan.goal.exact and "reverted" in plan.steps else None
    slug = plan.goal.slug if plan.goal.is_there else plan.now.slug
    return UndonePage(slug, plan.collection, plan.steps, version or plan.now.version, exact)


def _clash(plan: _Plan, reason: str = "") -> Clash:
    theirs = plan.goal.versions[-1]
    before, after = plan.goal.told or (theirs, plan.now.version)
    look = f"quaid diff {plan.now.slug} --from {before} --to {after}"
    reason = reason or plan.goal.clash
    return Clash(plan.now.slug, plan.collection, reason, plan.now.version, theirs, look)


def _taken_back(app: App, name: str, plans: list[_Plan]) -> list[UndonePage | Clash]:
    """Take back what was done to the pages of one collection: all of it, or nothing."""
    ready = [each for each in plans if not each.goal.clash]
    try:
        return operations.through_gates(app, "Undo", app.store.write, lambda: _undo_all(app, name, ready))
    except QuaidError as error:  # such as a knowledge base that would not be sound any more
        return [_clash(each, error.message) for each in ready if each.steps]


def _undo_all(app: App, name: str, plans: list[_Plan]) -> list[UndonePage | Clash]:
    collection = app.collection(name)
    done: dict[int, UndonePage | Clash] = {}
    for plan in plans:
        with suppress(NotFound):
            if plan.is_there:  # what was done to its file since the plan is seen now
                collection.current(app.connection, plan.now.slug)
        if pages.version(app.connection, plan.page_id) != plan.now.version:
            done[plan.page_id] = _clash(plan, "it was changed meanwhile")
    for step in ("removed", "restored", "moved", "rewritten"):  # a place may have to become free first
        for plan in plans:
            try:
                if plan.page_id not in done:
                    _take(step, collection, plan)
            except (Conflict, NotFound) as error:
                done[plan.page_id] = _clash(plan, error.message)
    for plan in plans:
        if plan.page_id not in done:
            version = pages.version(app.connection, plan.page_id)
            deeds.mark_undone(app.connection, plan.page_id, plan.goal.versions, version)
            done[plan.page_id] = _undone(plan, version)
    return [done[plan.page_id] for plan in plans if plan.steps]


def _take(step: str, collection: Collection, plan: _Plan) -> None:
    """Do one step, if it is one of the page's; texts come last, because a move writes into them too."""
    goal, slug = plan.goal, plan.now.slug
    if step == "rewritten" and goal.is_there:
        if goal.exact and goal.exact != plan.now:
            collection.put(goal.slug, goal.text, goal.exact.encoding)
        elif plan.steps:
            collection.edit(goal.slug, lambda text: goal.text)
    elif step in plan.steps:
        if step == "removed":
            collection.remove(slug)
        elif step == "restored":
            collection.restore(slug, plan.page_id)
        else:
            collection.move(slug, goal.slug, path=goal.path)


# For people -----------------------------------------------------------------------------------------


def _text(result: Undone, style: Style) -> str:
    whose = f"what {shown(', '.join(result.by))} did" if result.by else "anything"
    if not (result.pages or result.conflicts):
        done = f"{whose} is taken back already" if result.already else f"there is not {whose}"
        return "\n".join([f"Nothing to undo: {done}.", *_raw_lines(result, style)])
    rows = [
        (style.name(each.slug), _becomes(each), style.dim(f"version {each.version}")) for each in result.pages
    ]
    lines = [columns(rows)] if rows else []
    lines += [
        f"{style.name(each.slug)} {style.warning('stays')}: {each.reason}; {style.name(each.look)}"
        for each in result.conflicts
    ]
    lines += _raw_lines(result, style)
    count = count_of(len(result.pages), "page")
    if not result.dry_run:
        lines.append(f"Taken back: {whose}, {count}. `quaid undo --session {result.session}` undoes this.")
    elif rows:
        lines += [f"This would take back {whose}: {count}.", "--yes does it."]
    return "\n".join(lines)


def _raw_lines(result: Undone, style: Style) -> Iterator[str]:
    if result.raw_data:
        yield style.warning(f"Raw data stays as it is: {', '.join(result.raw_data)}")


def _becomes(page: UndonePage) -> str:
    words = {
        "removed": "removed",
        "restored": "restored",
        "moved": "moved back",
        "merged": "without their changes",
        "reverted": f"text of version {page.to}",
    }
    return ", ".join(words[step] for step in page.what)


UNDO = Operation(
    "undo",
    undo,
    render=_text,
    effect="destructive",
    transaction="none",
    status=lambda result: FINDINGS_STATUS if result.conflicts else 0,
    looks="pages",
    for_people=True,
    examples=(
        "undo --session 3f2a",
        "undo --session 3f2a --page people/alice --yes",
        "undo --actor 'Claude Code' --since 2026-04-14T09:30",
    ),
)
