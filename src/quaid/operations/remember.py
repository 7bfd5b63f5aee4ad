"""Remembering: things that find their place in the notebook by themselves, and the daily log."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Literal
from zoneinfo import ZoneInfo

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.notebook import daily, items
from quaid.notebook.core_files import is_orders
from quaid.notebook.edits import Edit, Notebook
from quaid.notebook.holdings import entries, shelf_of
from quaid.notebook.items import Outcome
from quaid.operations.notebook import opened
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, counted, shown
from quaid.routing.router import route
from quaid.routing.shelf import CATEGORIES, Category, Hints, Route, Shelf

UNAPPROVED = "it binds nobody until the person approves it"
MAX_CONTENT = 64 * 1024  # characters


@record
class Remember:
    """Arguments of `remember`."""

    content: str = arg("What to remember, in your words.", positional=True, rest=True)
    category: Category | None = arg("Where it belongs; otherwise its words decide.", default=None)
    file: str | None = arg("The file within the category, such as contacts.", default=None)
    section: str | None = arg("The H2 section under which it goes.", default=None)
    done: bool = arg("Tick this item of a list instead of adding it.", default=False)
    remove: bool = arg("Remove this item of a list instead of adding it.", default=False)
    dry_run: bool = arg("Say where it would go, and why; write nothing.", default=False)
    notebook: str | None = arg(
        "The notebook; otherwise the default one.", default=None, completes="collection"
    )


@record
class Place:
    """Where something went: file and section, what was done, and why there."""

    path: str
    action: str
    texts: tuple[str, ...]
    section: str | None = None
    line: int | None = None
    etag: str | None = None
    reasons: tuple[str, ...] = ()


@record
class Remembered:
    """What became of what was to be remembered."""

    success: bool
    message: str
    places: tuple[Place, ...]
    notebook: str
    dry_run: bool = False


def remember(app: App, args: Remember) -> Remembered:
    """Remember something: its words and what the notebook holds decide on file and section.

    Things to buy, to do or to read go to lists; contacts, tastes and standing orders to reference; what was
    learned to knowledge. What is there already is not written twice. The answer says where it is, and why.
    """
    if len(args.content) > MAX_CONTENT:
        raise InvalidInput(
            f"more than {MAX_CONTENT:,} characters at once", hint="`notebook write` takes longer texts."
        )
    if args.done and args.remove:
        raise InvalidInput("an item is either ticked or removed", hint="Give done or remove.")
    notebook = opened(app, args.notebook)
    if app.settings.text("sync.on_read") != "never":
        app.sync(notebook.row).run_at(CATEGORIES)
    shelf = shelf_of(notebook, app.connection)
    hints = Hints(args.category, args.file or None, args.section or None)
    if args.done or args.remove:
        places = _crossed(notebook, shelf, args)
    else:
        places = _kept(notebook, shelf, route(args.content, hints, shelf), dry_run=args.dry_run)
    return Remembered(True, "; ".join(map(_said, places)), tuple(places), notebook.name, args.dry_run)


def _kept(notebook: Notebook, shelf: Shelf, routes: tuple[Route, ...], *, dry_run: bool) -> list[Place]:
    """Write what is not there yet, all or nothing; the places in the order of the routes."""
    elsewhere = {
        each: known
        for each in routes
        if not each.is_list and (known := items.known_elsewhere(each, shelf.find_sections(each.texts[0])))
    }
    outcomes: dict[str, list[Outcome]] = {}
    edits: dict[str, Edit] = {}
    for path in {each.path: None for each in routes if each not in elsewhere}:
        mine = [each for each in routes if each.path == path and each not in elsewhere]
        edits[path] = items.editing(path, mine, partial(outcomes.__setitem__, path))
    etags: dict[str, str] = {}
    if dry_run:
        for path, edit in edits.items():
            edit(notebook.peek(path))
    elif edits:
        etags = {kept.path: kept.etag for kept in notebook.write_all(edits)}
    places: list[Place] = []
    for each in routes:
        if each in elsewhere:
            known = elsewhere[each]
            places.append(
                Place(
                    path=known.path,
                    action=known.action,
                    texts=each.texts,
                    section=known.section,
                    line=None,
                    etag=None,
                    reasons=each.reasons,
                )
            )
            continue
        told = [one for one in outcomes[each.path] if one.text in each.texts]
        for action in dict.fromkeys(one.action for one in told):
            these = [one for one in told if one.action == action]
            places.append(
                Place(
                    path=each.path,
                    action=action,
                    texts=tuple(one.text for one in these),
                    section=each.section or None,
                    line=these[0].line or None,
                    etag=etags.get(each.path),
                    reasons=(*each.reasons, *([UNAPPROVED] if is_orders(each.path) else [])),
                )
            )
    return places


def _crossed(notebook: Notebook, shelf: Shelf, args: Remember) -> list[Place]:
    """Tick or remove the items that are meant: all of them, or none."""
    only = route(args.content, Hints("lists", args.file), shelf)[0].path if args.file else None
    known = entries(notebook, shelf, only)
    meant = dict.fromkeys(
        items.one_of(each, known, open_first=args.done) for each in items.several(args.content, known)
    )
    action: Literal["done", "removed"] = "done" if args.done else "removed"
    outcomes: dict[str, list[Outcome]] = {}
    edits: dict[str, Edit] = {
        path: items.crossing(
            [each for each in meant if each.path == path], action, partial(outcomes.__setitem__, path)
        )
        for path in dict.fromkeys(each.path for each in meant)
    }
    etags: dict[str, str] = {}
    if args.dry_run:
        for path, edit in edits.items():
            edit(notebook.peek(path))
    else:
        etags = {kept.path: kept.etag for kept in notebook.write_all(edits)}
    return [_gone(each, etags.get(path)) for path, told in outcomes.items() for each in told]


def _gone(outcome: Outcome, etag: str | None) -> Place:
    below = (f"with {counted(outcome.nested, 'line')} below it",) if outcome.nested else ()
    reasons = ("lists: the item that is meant", *below)
    section, line = outcome.section or None, outcome.line or None
    return Place(
        path=outcome.path,
        action=outcome.action,
        texts=(outcome.text,),
        section=section,
        line=line,
        etag=etag,
        reasons=reasons,
    )


def _said(place: Place) -> str:
    """What was done, in a few words."""
    texts = ", ".join(text if len(text) <= 60 else text[:59] + "…" for text in place.texts)
    where = f"{place.path}, section {place.section}" if place.section else place.path
    verbs = {"added": "added to", "already there": "already in", "reopened": "open again in"}
    verbs |= {"done": "ticked in", "removed": "removed from"}
    return f"{verbs[place.action]} {where}: {' '.join(texts.split())}"


def _text(result: Remembered, style: Style) -> str:
    lines = []
    for number, place in enumerate(result.places, 1):
        said = shown(_said(place))
        lines.append(f"would be {said}" if result.dry_run and place.action != "already there" else said)
        after = result.places[number : number + 1]
        if not after or after[0].reasons != place.reasons:
            lines += [style.dim(f"  {shown(reason)}") for reason in place.reasons]
            if UNAPPROVED in place.reasons and not result.dry_run:
                lines.append(style.dim("  `quaid context approve` shows and approves it"))
    return "\n".join(lines)


REMEMBER = Operation(
    "remember",
    Remember,
    remember,
    render=_text,
    effect="write",
    transaction="none",
    looks="nothing",
    examples=(
        "remember add oat milk to shopping",
        'remember "Sarah\'s new number is 555-9876"',
        "remember oat milk --done",
        'remember --dry-run "never ping me before 9"',
    ),
    tool_name="remember",
    brief="Store a fact, preference, contact, standing order or list item; it finds its place.",
    told=("content", "category", "file", "section", "done: tick a list item", "remove: a list item"),
    unneeded=("notebook",),
)


@record
class DailyLog:
    """Arguments of `daily-log`."""

    entry: str = arg("What happened; the first line becomes the heading.", positional=True, rest=True)
    notebook: str | None = arg(
        "The notebook; otherwise the default one.", default=None, completes="collection"
    )


@record
class Logged:
    """Where an entry of the log stands."""

    success: bool
    message: str
    path: str
    heading: str
    line: int
    etag: str
    notebook: str


def daily_log(app: App, args: DailyLog) -> Logged:
    """Add an entry to today's log, with the time. Nothing that is there changes."""
    said = daily.checked(args.entry)
    moment = _here(app)
    path = daily.path_of(moment)
    notebook = opened(app, args.notebook)
    written = notebook.write(path, lambda text: daily.with_entry(text, moment, said))
    title = daily.heading_of(moment, said)
    line = written.text.count("\n", 0, written.text.rfind(f"## {title}")) + 1
    return Logged(
        success=True,
        message=f"logged in {path}: {title}",
        path=path,
        heading=title,
        line=line,
        etag=written.etag,
        notebook=notebook.name,
    )


def _here(app: App) -> datetime:
    """This moment in the person's zone."""
    app.today()  # which refuses a zone that is not known
    zone = app.settings.text("time.zone")
    moment = datetime.fromisoformat(app.now()).astimezone(UTC)
    return moment.astimezone(ZoneInfo(zone) if zone else None)


DAILY_LOG = Operation(
    "daily-log",
    DailyLog,
    daily_log,
    render=lambda result, style: shown(result.message),
    effect="write",
    idempotent=False,
    transaction="none",
    looks="nothing",
    examples=('daily-log "Called Sarah about the project"',),
    tool_name="daily_log",
    brief="Add an entry to today's log.",
    told=("entry",),
    unneeded=("notebook",),
)
