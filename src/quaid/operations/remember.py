"""Remembering: things that find their place in the notebook by themselves, and corrections of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Literal

from quaid.app import App
from quaid.embed.judge import CHANGES, Judge, open_judge
from quaid.errors import InvalidInput, NotFound
from quaid.formats import secrets
from quaid.model.record import record, replace
from quaid.notebook import amendments, items
from quaid.notebook.amendments import Amended, Change, Desk, Plan
from quaid.notebook.core_files import is_orders
from quaid.notebook.edits import Edit, Kept, Notebook
from quaid.notebook.holdings import entries, lines, shelf_of
from quaid.notebook.items import Outcome
from quaid.operations.notebook import open_notebook
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import Style, count_of, shown
from quaid.routing.decision import Reader
from quaid.routing.exchange import Marker
from quaid.routing.finder import Line
from quaid.routing.router import named_file, route
from quaid.routing.shelf import CATEGORIES, DAILY, Category, Hints, Route, Shelf, log_route

if TYPE_CHECKING:
    from quaid.embed.embedder import Vector

IN_PLAIN_TEXT = "; it looks like a secret, stands there in plain text, and agents are shown it"
UNAPPROVED = "it binds nobody until the person approves it"
MAX_CONTENT = 64 * 1024  # characters
MOST_SHOWN = 100  # characters of a text in a message


@record
class Remember:
    content: str = arg("What to remember, in your words.", positional=True, rest=True)
    category: Category | None = option("Where it belongs; otherwise its words decide.")
    file: str | None = option("The file within the category, such as contacts.")
    section: str | None = option("The H2 section under which it goes.")
    done: bool = flag("Tick this item of a list instead of adding it.")
    remove: bool = flag("Remove this item or line instead of adding it.")
    line: str | None = option("The line that this corrects, in its words.")
    dry_run: bool = flag("Say where it would go, and why; write nothing.")
    notebook: str | None = option("The notebook; otherwise the default one.", completes="collection")


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
    was: str | None = None  # what a line said before it was changed or removed
    undo: str | None = None  # the command that gives the file its former text


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
    learned to knowledge; appointments, ideas and links have lists of their own. What is there already is not
    written twice. The answer says where it is, and why.

    What corrects, takes back or finishes something ("actually it's 5pm", "take eggs off the list", "I called
    the bank") changes the line that is meant, and no other. The answer says what it was, and how to undo it.
    Nothing that is said is lost: what the line does not take in, and what happened, goes to the day's log.
    Where two lines fit equally well, both are named and nothing changes.
    """
    if len(args.content) > MAX_CONTENT:
        raise InvalidInput(
            f"more than {MAX_CONTENT:,} characters at once", hint="`notebook write` takes longer texts."
        )
    if args.done and args.remove:
        raise InvalidInput("an item is either ticked or removed", hint="Give done or remove.")
    notebook = open_notebook(app, args.notebook)
    seen = None
    if app.settings.text("sync.on_read") != "never":
        seen = app.sync(notebook.row, notebook.mirror).run_at(CATEGORIES).paths
    shelf = shelf_of(notebook, app.connection, seen)
    call = _Call(app, notebook, shelf, args, app.days.local(app.now()))
    places = _places_of_named(call) if args.done or args.remove or args.line else _places_of_all(call)
    message = "; ".join(map(_place_text, places)) + (IN_PLAIN_TEXT if secrets.find(args.content) else "")
    return Remembered(True, message, tuple(places), notebook.name, args.dry_run)


@record
class _Call:
    """What is to be remembered, in which notebook, at which moment where the person is."""

    app: App
    notebook: Notebook
    shelf: Shelf
    args: Remember
    moment: datetime

    @property
    def day(self) -> date:
        """The day of the person."""
        return self.moment.date()

    @property
    def hints(self) -> Hints:
        """What the caller says of the place."""
        args = self.args
        return Hints(args.category, args.file or None, args.section or None, self.day)

    @property
    def scope(self) -> str | None:
        """The file or the folder in which a line is looked for; None for all."""
        return named_file(self.hints, self.shelf) if self.args.file else self.args.category

    def lines(self) -> list[Line]:
        """The lines among which one may be meant."""
        return lines(self.notebook, self.app.connection, self.shelf, self.scope, self.day)

    @property
    def desk(self) -> Desk:
        """What is at hand for a correction; the network is opened when a line may be meant."""
        return Desk(cache(self.lines), self.day, self._reader, self._marker)

    def reading(self, said: str) -> Vector | None:
        """What a network makes of a sentence, if it is here."""
        judge = self._judge()
        return judge.summary(said) if judge else None

    def _reader(self) -> Reader | None:
        judge = self._judge()
        return judge.judge if judge else None

    def _marker(self) -> Marker | None:
        judge = self._judge()
        return judge.marks if judge else None

    def _judge(self) -> Judge | None:
        return open_judge(self.app.models.context, CHANGES)


def _places_of_all(call: _Call) -> list[Place]:
    """Change what is corrected, and keep the rest."""
    notebook, args = call.notebook, call.args
    plan = Plan((), args.content) if args.section else amendments.plan(args.content, call.desk)
    routes = route(plan.rest, call.hints, call.shelf, call.reading) if plan.rest or not plan.changes else ()
    if plan.reason:
        routes = tuple(replace(each, reasons=(*each.reasons, plan.reason)) for each in routes)
    places = _amended_places(notebook, plan.changes, dry_run=args.dry_run) if plan.changes else []
    return [*places, *_kept_places(call, (*routes, *_logs(call, plan)))]


def _logs(call: _Call, plan: Plan) -> list[Route]:
    """The log, for sentences that say more than the lines do that they change."""
    return [log_route(each, call.day, "it says more than the line does now") for each in plan.more]


def _places_of_named(call: _Call) -> list[Place]:
    """Change the line that the caller names, or tick or remove what is named."""
    notebook, args = call.notebook, call.args
    if args.line:
        action: Literal["done", "removed"] | None = (
            "done" if args.done else "removed" if args.remove else None
        )
        plan = amendments.plan_for_line(args.content, args.line, action, call.desk)
        places = _amended_places(notebook, plan.changes, dry_run=args.dry_run)
        return [*places, *_kept_places(call, _logs(call, plan))]
    try:
        return _crossed_places(notebook, call.shelf, args)
    except NotFound:
        found = () if args.done else amendments.removal(args.content, call.lines(), call.day)
        if not found:
            raise
        return _amended_places(notebook, found, dry_run=args.dry_run)


def _amended_places(notebook: Notebook, changes: tuple[Change, ...], *, dry_run: bool) -> list[Place]:
    """Change lines, all or none."""
    outcomes: dict[str, list[Amended]] = {}
    edits: dict[str, Edit] = {
        path: amendments.amending(
            [each for each in changes if each.line.path == path], partial(outcomes.__setitem__, path)
        )
        for path in dict.fromkeys(each.line.path for each in changes)
    }
    written = _kept_files(notebook, edits, dry_run=dry_run)
    return [_amended_place(each, written.get(path)) for path, told in outcomes.items() for each in told]


def _kept_files(notebook: Notebook, edits: dict[str, Edit], *, dry_run: bool) -> dict[str, Kept]:
    """Make edits of files, all or none; in a dry run, of what they hold, and nothing is kept."""
    if not dry_run:
        return {kept.path: kept for kept in notebook.write_all(edits)} if edits else {}
    for path, edit in edits.items():
        edit(notebook.peek(path).text)
    return {}


def _amended_place(outcome: Amended, kept: Kept | None) -> Place:
    """What became of a line, and the way back."""
    change, line = outcome.change, outcome.change.line
    below = (f"with {count_of(outcome.nested, 'line')} below it",) if outcome.nested else ()
    waits = (UNAPPROVED,) if is_orders(line.path) and change.action == "corrected" else ()
    category = line.path.partition("/")[0]
    undo = f"quaid revert {kept.slug} --to {kept.replaced}" if kept and kept.replaced else None
    return Place(
        path=line.path,
        action=change.action,
        texts=(change.text or line.text,),
        section=line.section or None,
        line=outcome.line or None,
        etag=_etag(kept),
        reasons=(f"{category}: the line that is meant", *below, *waits),
        was=line.text,
        undo=undo,
    )


def _kept_places(call: _Call, routes: Sequence[Route]) -> list[Place]:
    """Write what is not there yet, all or nothing; the places in the order of the routes."""
    notebook, shelf = call.notebook, call.shelf
    elsewhere = {
        each: known
        for each in routes
        if not each.is_list
        and each.category != DAILY
        and (known := items.known_elsewhere(each, shelf.find_sections(each.texts[0])))
    }
    outcomes: dict[str, list[Outcome]] = {}
    edits: dict[str, Edit] = {}
    for path in {each.path: None for each in routes if each not in elsewhere}:
        mine = [each for each in routes if each.path == path and each not in elsewhere]
        edits[path] = items.editing(path, mine, call.moment, partial(outcomes.__setitem__, path))
    written = _kept_files(notebook, edits, dry_run=call.args.dry_run)
    places: list[Place] = []
    for each in routes:
        if each in elsewhere:
            known = elsewhere[each]
            places.append(Place(known.path, known.action, each.texts, known.section, reasons=each.reasons))
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
                    etag=_etag(written.get(each.path)),
                    reasons=(*each.reasons, *([UNAPPROVED] if is_orders(each.path) else [])),
                )
            )
    return places


def _crossed_places(notebook: Notebook, shelf: Shelf, args: Remember) -> list[Place]:
    """Tick or remove the items that are meant: all of them, or none."""
    only = route(args.content, Hints("lists", args.file), shelf)[0].path if args.file else None
    known = entries(notebook, shelf, only)
    meant = dict.fromkeys(
        items.one_of(each, known, open_first=args.done) for each in items.several(args.content, known)
    )
    changes = tuple(Change(each, "done" if args.done else "removed") for each in meant)
    return [
        replace(each, reasons=("lists: the item that is meant", *each.reasons[1:]), was=None, undo=None)
        for each in _amended_places(notebook, changes, dry_run=args.dry_run)
    ]


def _etag(kept: Kept | None) -> str | None:
    return kept.etag if kept else None


def _place_text(place: Place) -> str:
    """What was done, in a few words."""
    texts = ", ".join(map(_short, place.texts))
    where = f"{place.path}, section {place.section}" if place.section else place.path
    verbs = {
        "added": "added to",
        "already there": "already in",
        "reopened": "open again in",
        "logged": "logged in",
        "done": "ticked in",
        "removed": "removed from",
        "corrected": "corrected in",
    }
    if place.action == "corrected" and place.was:
        texts = f"{_short(place.was)} → {texts}"
    return f"{verbs[place.action]} {where}: {' '.join(texts.split())}"


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _text(result: Remembered, style: Style) -> str:
    shown_lines: list[str] = []
    for number, place in enumerate(result.places, 1):
        said = shown(_place_text(place))
        shown_lines.append(f"would be {said}" if result.dry_run and place.action != "already there" else said)
        after = result.places[number : number + 1]
        if not after or after[0].reasons != place.reasons:
            shown_lines += [style.dim(f"  {shown(reason)}") for reason in place.reasons]
            shown_lines += [style.dim(f"  `{place.undo}` undoes it")] if place.undo else []
            if UNAPPROVED in place.reasons and not result.dry_run:
                shown_lines.append(style.dim("  `quaid context approve` shows and approves it"))
    return "\n".join(shown_lines)


REMEMBER = Operation(
    "remember",
    remember,
    render=_text,
    effect="write",
    transaction="own",
    examples=(
        "remember add oat milk to shopping",
        'remember "Sarah\'s new number is 555-9876"',
        "remember oat milk --done",
        'remember "Correction: the port is 9443"',
        'remember --dry-run "never ping me before 9"',
    ),
    brief="Store, correct or take back a fact, preference, contact, appointment, order or list item.",
    told=(
        "content",
        "category",
        "file",
        "section",
        "done: tick a list item",
        "remove: a line",
        "line: the words of the line to correct",
    ),
    unneeded=("notebook",),
)
