"""Sentences that are told to a real notebook, and what a person would expect of it afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from quaid.app import App, open_app
from quaid.errors import QuaidError
from quaid.formats.slugs import fold
from quaid.model.record import record
from quaid.notebook import starter
from quaid.operations.collections import attach
from quaid.operations.remember import Remember, Remembered, remember
from quaid.routing import lists
from quaid.settings import Layer, Settings
from quaid.store import history, pages
from quaid.store.connection import Store
from quaid.store.filters import PageFilter
from quaid.vault.attachments import Attachment

# Where each place of the labels may be: of several files, any.
PLACES: Mapping[str, tuple[str, ...]] = {
    "appointments": ("lists/appointments.md", "lists/calendar.md"),
    "contacts": ("reference/contacts.md",),
    "ideas": ("lists/ideas.md",),
    "links": ("lists/links.md", "lists/bookmarks.md"),
    "reading": ("lists/reading.md",),
    "preferences": ("reference/preferences.md",),
    "standing-orders": ("reference/standing-orders.md",),
    "daily-log": ("daily/",),
    "projects": ("knowledge/projects.md", "lists/projects.md"),
    # What is looked up and what was learned are told apart by no two people alike.
    "reference": ("reference/", "knowledge/"),
    "knowledge": ("knowledge/",),
}
OWN_FILES = tuple(
    each[0] for name, each in PLACES.items() if each[0].startswith("reference/") and name != "reference"
)
AMENDED = ("correction", "removal")


@record
class Verdict:
    """What was right about one case; None where it does not apply."""

    kind: str
    said: str
    file: bool | None
    line: bool | None
    amended: bool | None
    ambiguous: bool | None
    lost: tuple[str, ...]
    answer: str


class Clock:
    """The moment at which something is said."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC)

    def __call__(self) -> str:
        return self.moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def judged(case: Mapping[str, Any], root: Path) -> Verdict:
    """Tell a new notebook what a case says, and look at it afterwards."""
    clock = Clock()
    app = _notebook(root, clock, case["timezone"])
    noon = datetime.combine(datetime.fromisoformat(case["day"]), time(12), ZoneInfo(case["timezone"]))
    clock.moment = noon - timedelta(days=1)
    for sentence in case["before"]:
        remember(app, Remember(sentence))
        clock.moment += timedelta(minutes=5)
    before = _files(root)
    clock.moment = datetime.fromisoformat(case["instant"]) if "instant" in case else noon
    answer: Remembered | QuaidError
    try:
        answer = remember(app, Remember(case["said"]))
    except QuaidError as error:
        answer = error
    after = _files(root)
    lost = _lost(app, before, after)
    app.store.close()
    return _verdict(case, before, after, answer, lost)


def _notebook(root: Path, clock: Clock, zone: str) -> App:
    root.mkdir()
    starter.furnish(root)
    database = root / ".quaid" / "memory.db"
    Store.create(database).close()
    settings = Settings(Layer("flag", "flag", {"time.zone": zone}))
    app = App(open_app(database, settings).store, settings, clock)
    attach(app, Attachment("notes", "..", "notebook", default=True))
    return app


def _files(root: Path) -> dict[str, str]:
    return {
        place.relative_to(root).as_posix(): place.read_text(encoding="utf-8")
        for place in sorted(root.rglob("*.md"))
        if ".quaid" not in place.parts
    }


def _lost(app: App, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Lines that stand nowhere any more, not even in what is kept of the past."""
    known = set("\n".join(after.values()).splitlines())
    for page in pages.listing(app.connection, PageFilter(), "slug", 1000, 0):
        for version in history.of_page(app.connection, page.id):
            known.update(version.text.splitlines())
    return tuple(line for text in before.values() for line in text.splitlines() if line not in known)


def _verdict(
    case: Mapping[str, Any],
    before: Mapping[str, str],
    after: Mapping[str, str],
    answer: Remembered | QuaidError,
    lost: tuple[str, ...],
) -> Verdict:
    said = answer.message if isinstance(answer, Remembered) else f"{answer.message} {answer.hint}"
    kind = case["kind"]
    if case.get("ambiguous"):
        named = all(each.casefold() in said.casefold() for each in case["candidates"])
        return Verdict(kind, case["said"], None, None, None, named and before == after, lost, said)
    there = {path: text for path, text in after.items() if _is_at(case, path)}
    placed = isinstance(answer, Remembered) and any(_is_at(case, each.path) for each in answer.places)
    lines = [line for text in there.values() for line in text.splitlines()]
    held = all(any(all(part in line for part in parts) for line in lines) for parts in case["holds"])
    gone = not any(_stands(each, lines) for each in case.get("gone", ()))
    right = placed and held and gone
    return Verdict(
        kind, case["said"], placed, held and placed, right if kind in AMENDED else None, None, lost, said
    )


def _is_at(case: Mapping[str, Any], path: str) -> bool:
    for place in (case["place"], *case.get("also", ())):
        if place == "lists":
            if path.startswith("lists/") and _is_list(case.get("list"), Path(path).stem):
                return True
        elif path.startswith(PLACES.get(place, (f"knowledge/{place}", f"reference/{place}"))):
            return not (place == "reference" and path in OWN_FILES)
    return False


def _is_list(wanted: str | None, stem: str) -> bool:
    """Whether a file is the list of that name, as people name lists."""
    if wanted is None or fold(wanted) == fold(stem.replace("-", " ")):
        return True
    kind = lists.kind_of(wanted)
    return kind is not None and kind == lists.kind_of(stem)


def _stands(fragment: str, lines: Sequence[str]) -> bool:
    """Whether a line, other than a heading, still says something, neither ticked nor struck out."""
    return any(
        fragment.casefold() in line.casefold()
        and not line.startswith("#")
        and "[x]" not in line
        and "~~" not in line
        for line in lines
    )


def share(values: Sequence[bool | None]) -> str:
    """How many of those to which it applies are right."""
    told = [value for value in values if value is not None]
    return f"{sum(told):3} of {len(told):3}" if told else "          "


def table(verdicts: Sequence[Verdict]) -> str:
    """A line for each kind, and one for all."""
    kinds = [*Counter(each.kind for each in verdicts), "all"]
    rows = [f"{'kind':16} {'file':>10} {'line':>10} {'amended':>10} {'ambiguous':>10} {'lost':>5}"]
    for kind in kinds:
        these = [each for each in verdicts if kind in (each.kind, "all")]
        columns = (
            share([each.file for each in these]),
            share([each.line for each in these]),
            share([each.amended for each in these]),
            share([each.ambiguous for each in these]),
        )
        rows.append(
            f"{kind:16} "
            + " ".join(f"{each:>10}" for each in columns)
            + f" {sum(len(each.lost) for each in these):5}"
        )
    return "\n".join(rows)
