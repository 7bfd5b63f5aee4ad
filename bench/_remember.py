"""Sentences that are told to a real notebook, and what a person would expect of it afterwards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from quaid.app import App, open_app
from quaid.errors import QuaidError
from quaid.formats.slugs import fold
from quaid.model.record import record, replace
from quaid.notebook import places
from quaid.operations.collections import attach
from quaid.operations.remember import Remember, Remembered, remember
from quaid.routing import days, lists
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
_MARK = re.compile(r"^(?:[-*+]|\d+[.)])\s+(?:\[ \]\s+)?")
OWN_FILES = tuple(
    each[0] for name, each in PLACES.items() if each[0].startswith("reference/") and name != "reference"
)
A_DAY = "2026-11-17"  # on which sentences are told that say nothing of their day
AMENDED = {
    "correction": "corrections",
    "removal": "removals",
    "completion": "completions",
    "change of mind": "changes of mind",
}


@record
class Verdict:
    """What was right about one case; None where it does not apply."""

    kind: str
    said: str
    answer: str
    lost: tuple[str, ...]  # lines that are gone without being meant
    file: bool | None = None
    line: bool | None = None
    amended: bool | None = None
    ambiguous: bool | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether anything is not as a person expects it."""
        return bool(self.lost) or False in (self.file, self.line, self.amended, self.ambiguous)


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
        _note(app, sentence)
        clock.moment += timedelta(minutes=5)
    before = _files(root)
    clock.moment = datetime.fromisoformat(case["instant"]) if "instant" in case else noon
    answer: Remembered | QuaidError
    try:
        answer = remember(app, Remember(case["said"]))
    except QuaidError as error:
        answer = error
    after = _files(root)
    lost = (*_forgotten(app, before, after), *_unmeant(case, before, after))
    app.store.close()
    return _verdict(case, before, after, answer, lost)


def _note(app: App, sentence: str) -> None:
    """Tell a notebook what is to stand there; where it refuses, as somebody who names the place."""
    try:
        remember(app, Remember(sentence))
    except QuaidError:
        remember(app, Remember(sentence, section="General"))


def ordinary(sentences: Sequence[Mapping[str, Any]], root: Path) -> list[tuple[str, str]]:
    """Tell a new notebook sentences one after another: those that changed a line or were refused, and how."""
    clock = Clock()
    app = _notebook(root, clock, "Europe/London")
    found: list[tuple[str, str]] = []
    for each in sentences:
        clock.moment = datetime.combine(datetime.fromisoformat(each["day"]), time(12), UTC)
        try:
            answer = remember(app, Remember(each["said"]))
        except QuaidError as error:
            found.append((each["said"], error.message))
            continue
        if any(place.action in ("corrected", "removed", "done") for place in answer.places):
            found.append((each["said"], answer.message))
    app.store.close()
    return found


def notebooks_of(labelled: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """The ordinary sentences of a set, by the notebook to which they are told; some sets have several."""
    if "notebooks" not in labelled:
        return [labelled["sentences"]]
    return [
        [{"said": said, "day": A_DAY} for said in notebook["sentences"]] for notebook in labelled["notebooks"]
    ]


def _notebook(root: Path, clock: Clock, zone: str) -> App:
    root.mkdir()
    places.furnish(root)
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


def _forgotten(app: App, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Lines that stand nowhere any more, not even in what is kept of the past."""
    known = set("\n".join(after.values()).splitlines())
    for page in pages.listing(app.connection, PageFilter(), "slug", 1000, 0):
        for version in history.of_page(app.connection, page.id):
            known.update(version.text.splitlines())
    return tuple(line for text in before.values() for line in text.splitlines() if line not in known)


def _unmeant(case: Mapping[str, Any], before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Lines that stood before and do not any more, although nobody meant them."""
    standing = Counter(_open_lines(after.values()))
    gone = [] if case.get("ambiguous") else [each.casefold() for each in case.get("gone", ())]
    found: list[str] = []
    for line in _open_lines(before.values()):
        standing[line] -= 1
        meant = any(each in line.casefold() or line.casefold() in each for each in gone)
        if standing[line] < 0 and not meant:
            found.append(line)
    # A correction of which no words are said to go still has one line that becomes another.
    return tuple(found[1:] if case["kind"] in AMENDED and not gone and not case.get("ambiguous") else found)


def _open_lines(texts: Iterable[str]) -> list[str]:
    """What lines say that are no headings, without bullets and dates; neither ticked nor struck out."""
    lines = (line for text in texts for line in text.splitlines())
    return [
        _said_in(line)
        for line in lines
        if line.strip() and not line.startswith("#") and "[x]" not in line and "~~" not in line
    ]


def _said_in(line: str) -> str:
    return days.undated(_MARK.sub("", line.strip()))


def _verdict(
    case: Mapping[str, Any],
    before: Mapping[str, str],
    after: Mapping[str, str],
    answer: Remembered | QuaidError,
    lost: tuple[str, ...],
) -> Verdict:
    said = answer.message if isinstance(answer, Remembered) else f"{answer.message} {answer.hint}"
    verdict = Verdict(case["kind"], case["said"], said, lost)
    if case.get("ambiguous"):
        return replace(verdict, ambiguous=_both_named(case, answer) and before == after)
    there = {path: text for path, text in after.items() if _is_at(case, path)}
    placed = isinstance(answer, Remembered) and any(_is_at(case, each.path) for each in answer.places)
    lines = [line for text in there.values() for line in text.splitlines()]
    stood = set(_open_lines(before.values()))
    # A line that nobody meant may stand in any file, as long as it still does.
    lines += [line for line in _open_lines(after.values()) if line in stood]
    held = all(any(_holds(line, parts) for line in lines) for parts in case["holds"])
    gone = not any(_stands(each, there, stood) for each in case.get("gone", ()))
    amended = placed and held and gone and not lost if case["kind"] in AMENDED else None
    return replace(verdict, file=placed, line=held and placed, amended=amended)


def _holds(line: str, parts: Sequence[str]) -> bool:
    """Whether a line has all of some words, however large its letters are."""
    return all(part.casefold() in line.casefold() for part in parts)


def _both_named(case: Mapping[str, Any], answer: Remembered | QuaidError) -> bool:
    """Whether a refusal names all lines that may be meant: each stands in what was said of it."""
    if isinstance(answer, Remembered) or not isinstance(answer.data.get("candidates"), list):
        return False
    named = [_said_in(str(each["line"])).casefold() for each in answer.data["candidates"]]
    wanted = [each.casefold().rstrip(".") for each in case["candidates"]]
    return all(any(line.rstrip(".") in each or each in line for line in named) for each in wanted)


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


def _stands(fragment: str, texts: Mapping[str, str], stood: Set[str]) -> bool:
    """Whether a line still says something; one that stood before, also where it is a part of that."""
    wanted = fragment.casefold()
    return any(
        wanted in line.casefold() or (line in stood and line.casefold() in wanted)
        for line in _open_lines(texts.values())
    )


def share(values: Sequence[bool | None]) -> str:
    """How many of those to which it applies are right."""
    told = [value for value in values if value is not None]
    return f"{sum(told):3} of {len(told):3}" if told else "          "


def table(verdicts: Sequence[Verdict]) -> str:
    """A line for each kind and one for all; below it what was amended, by what was asked for."""
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
    rows.append(f"file right {share([each.file for each in verdicts])}")
    for kind, name in AMENDED.items():
        these = [each for each in verdicts if each.kind == kind]
        rows += [f"{name} {share([each.amended for each in these])}"] if these else []
    both = [each.amended for each in verdicts if each.kind in ("correction", "removal")]
    rows.append(f"corrections and removals {share(both)}")
    rows.append(f"ambiguous {share([each.ambiguous for each in verdicts])}")
    rows.append(f"lost lines {sum(len(each.lost) for each in verdicts)}")
    return "\n".join(rows)
