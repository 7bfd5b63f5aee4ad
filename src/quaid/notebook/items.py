"""Keeping what was routed: as an item of its list or section, once; ticking and removing items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from quaid.errors import Ambiguous, NotFound
from quaid.formats.markdown import items, sections
from quaid.formats.markdown.items import Item
from quaid.formats.slugs import fold
from quaid.model.record import record, replace
from quaid.notebook import daily
from quaid.notebook.amendments import line_at
from quaid.notebook.edits import Edit
from quaid.routing import lists, sentences
from quaid.routing.finder import Line
from quaid.routing.lists import SHOPPING, TODOS
from quaid.routing.shelf import DAILY, Route, ShelfSection

Action = Literal["added", "already there", "reopened", "logged"]


@record
class Outcome:
    """What became of one thing: where it stands, and what was done."""

    path: str
    section: str
    text: str
    action: Action
    line: int = 0


def editing(
    path: str, routes: Sequence[Route], moment: datetime, report: Callable[[list[Outcome]], None]
) -> Edit:
    """The edit that keeps all that goes to one file; `report` learns what it does to a text."""

    is_log = routes[0].category == DAILY

    def edit(text: str) -> str:
        text = text if is_log or text.strip() else f"# {_title(path)}\n"
        outcomes: list[Outcome] = []
        for route, said in ((one, each) for one in routes for each in one.texts):
            if is_log:
                text = daily.with_entry(text, moment, said)
                line = line_at(text, text.rfind(f"## {daily.heading_of(moment, said)}"))
                outcomes.append(Outcome(path, "", said, "logged", line))
            else:
                text, action = text_with(text, route, said)
                outcomes.append(Outcome(path, route.section, said, action))
        report(outcomes if is_log else [_placed(text, outcome) for outcome in outcomes])
        return text

    return edit


def text_with(text: str, route: Route, said: str) -> tuple[str, Action]:
    """A text in which something stands, and whether it did before."""
    same = _same(text, said)
    if same and route.is_list and same.done:
        return items.ticked(text, same, done=False), "reopened"
    if same or (not route.is_list and _stands_in(text, said)):
        return text, "already there"
    section = _section(text, route.section) if route.section else None
    content = _content(text, section, route, said)
    if section:
        return sections.appended(text, section, content), "added"
    if route.section:
        return sections.added(text, route.section, content), "added"
    return sections.appended_to_end(text, content), "added"


def _section(text: str, name: str) -> sections.Section | None:
    """The section of that name; of several, the first, as what is remembered must find a place."""
    try:
        return sections.find(text, name)
    except Ambiguous:
        title = sections.title_of(name)
        return next(each for each in sections.sections(text) if fold(each.title) == fold(title))


def known_elsewhere(route: Route, found: Sequence[ShelfSection]) -> Outcome | None:
    """The place where another file says the same already."""
    if route.is_list or len(route.texts) != 1:
        return None
    for each in found:
        if each.path != route.path and _stands_in(each.text, route.texts[0]):
            return Outcome(each.path, each.section, route.texts[0], "already there")
    return None


def several(said: str, entries: Sequence[Line]) -> tuple[str, ...]:
    """The items that are named in one breath, as in `eggs and bread`; one, if an item has all the words."""
    words = set(lists.key_of(said).split())
    if any(words <= set(lists.key_of(each.text).split()) for each in entries):
        return (said,)
    return lists.parts(sentences.core(said), SHOPPING) or (said,)


def one_of(said: str, entries: Sequence[Line], *, open_first: bool) -> Line:
    """The item of a list that somebody means."""
    found = (lists.match(said, entries, done=False) if open_first else []) or lists.match(said, entries)
    if not found:
        raise NotFound(
            f"no list has {said!r}", hint="`quaid notebook read lists/shopping.md` shows what a list has."
        )
    places = {(each.path, each.section, each.text) for each in found}
    if len(places) > 1:
        shown = [f"{each.text} ({each.path})" for each in found]
        raise Ambiguous(
            f"{said!r} fits {len(found)} items",
            hint=f"Name one of them: {'; '.join(shown)}.",
            candidates=shown,
        )
    return min(found, key=lambda each: each.done)


def _same(text: str, said: str) -> Item | None:
    """The item that says the same; one that is not ticked comes first."""
    key = lists.key_of(said)
    same = [each for each in items.items(text, *sections.bounds(text)) if lists.key_of(each.text) == key]
    return next((each for each in same if not each.done), same[0] if same else None)


def _stands_in(text: str, said: str) -> bool:
    """Whether a line or an item says the same."""
    wanted = fold(said)
    if not wanted:
        return False
    lines = (line.strip().lstrip("-*+> ") for line in text.splitlines())
    return any(fold(line) == wanted for line in lines if line)


def _content(text: str, section: sections.Section | None, route: Route, said: str) -> str:
    """How it is written: as an item, or as it is if it has several lines."""
    if "\n" in said.strip() and not route.is_list:
        return sections.demoted(said.strip())
    words = " ".join(said.split())
    start, end = (section.body, section.end) if section else sections.bounds(text)
    if items.items(text, start, end):
        return f"{items.BULLET} {words}"  # the list's own style is put on when it is added
    boxed = route.is_list and lists.kind_of(_title(route.path)) == TODOS
    return items.item_text(words, items.Style(boxed=boxed))


def _placed(text: str, outcome: Outcome) -> Outcome:
    """The outcome with the line at which the text has it."""
    key = lists.key_of(outcome.text)
    for item in items.items(text, *sections.bounds(text)):
        if lists.key_of(item.text) == key:
            return replace(outcome, line=line_at(text, item.start))
    return outcome


def _title(path: str) -> str:
    stem = path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ").replace("_", " ").strip()
    return stem[:1].upper() + stem[1:]
