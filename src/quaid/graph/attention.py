"""What needs a person's attention: what is due, names and tags that are nearly the same, open threads.

Pure: rows come from `quaid.store.attention`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Literal

from quaid.errors import InvalidInput
from quaid.formats.slugs import fold
from quaid.model.interval import parse_day
from quaid.model.record import record
from quaid.store.attention import DueRow

State = Literal["open", "in_progress", "waiting", "done", "cancelled"]

MIN_ALIKE = 6  # letters of tags and names that may differ by one
MOST_SIMILAR = 3  # pages that a name may mean
OLD_DAYS = 30  # a thread that rests longer is listed

# What people write as `status`, and the state that it means. Anything else is open.
STATES: dict[State, str] = {
    "open": "open, todo, to do, new, next, active, planned, pending, proposed, backlog, not started, idea, "
    "shifted, overdue, prospect, unread",
    "in_progress": "in progress, doing, started, wip, under way, underway, ongoing, current, negotiation, "
    "qualified, reading",
    "waiting": "waiting, blocked, on hold, hold, paused, deferred, someday, delegated, stalled",
    "done": "done, complete, completed, closed, finished, fulfilled, kept, resolved, shipped, delivered, "
    "won, true, yes, 1, x",
    "cancelled": "cancelled, canceled, dropped, abandoned, rejected, superseded, reversed, obsolete, "
    "archived, lost, wontfix, won t do",
}
FINISHED: frozenset[State] = frozenset(("done", "cancelled"))

_STATE_OF = {word: state for state, known in STATES.items() for word in known.split(", ")}
_BRACKETS = re.compile(r"[\[\]<>]")
_LABELLED = re.compile(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]")
_THREAD = re.compile(
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \][ \t]+(\S[^\n]*)|^\*+[ \t]+TODO[ \t]+(\S[^\n]*)",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(r"\[[^\[\]]*\]\s*\Z")
_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3}|~{3})[^\n]*\n(?:.*?^[ \t]*(?P=fence)|.*\Z)", re.MULTILINE | re.DOTALL
)
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_AGO = re.compile(r"(\d{1,6})\s*([hdw])\Z")
_DIGITS = re.compile(r"\d")


@record
class DueItem:
    """Something that is due, or would be: `days` from today, below zero when it is overdue.

    `due` is None where no day is given, or where `unreadable` says what is written instead.
    """

    slug: str
    type: str
    title: str
    state: State
    due: str | None = None
    days: int | None = None
    revisit: bool | None = None  # it is not due, but to be looked at again
    unreadable: str | None = None
    status: str | None = None  # as it is written, where that says more than `state`
    owner: tuple[str, ...] = ()
    priority: str | None = None
    overdue: bool = False  # its day has passed, and it is not finished


def state_of(status: str) -> State:
    """The state that a status means."""
    return _STATE_OF.get(fold(status).replace("/", " "), "open")


def due_items(rows: Iterable[DueRow], today: str) -> list[DueItem]:
    """What pages say of their day and state: those with a day first, by day; then what cannot be read."""
    items = [_due_item(row, date.fromisoformat(today)) for row in rows]
    return sorted(items, key=lambda each: (each.due or "~", each.unreadable is None, each.slug))


def _due_item(row: DueRow, today: date) -> DueItem:
    status = " ".join(texts_of(row.status))
    state = state_of(status)
    written, revisit = next(
        ((value, again) for value, again in ((row.due, False), (row.revisit, True)) if texts_of(value)),
        (None, False),
    )
    text = _BRACKETS.sub("", " ".join(texts_of(written))).strip()
    day = _day(text)
    days = (date.fromisoformat(day) - today).days if day else None
    return DueItem(
        slug=row.slug,
        type=row.type,
        title=row.title,
        state=state,
        due=day,
        days=days,
        revisit=True if revisit and text else None,
        unreadable=text if text and not day else None,
        status=status if status and fold(status) != state.replace("_", " ") else None,
        owner=tuple(texts_of(row.owner)),
        priority=" ".join(texts_of(row.priority)) or None,
        overdue=days is not None and days < 0 and state not in FINISHED,
    )


def _day(text: str) -> str | None:
    try:
        return parse_day(text) if text else None
    except InvalidInput:
        return None


def texts_of(value: Any) -> list[str]:
    """The texts of a field as SQL gives it: a scalar, or a list as JSON. Links count as what they lead to."""
    if isinstance(value, str) and value[:1] == "[" and value[:2] != "[[":
        try:
            value = json.loads(value)
        except ValueError:
            value = [value]
    values = value if isinstance(value, list) else [value]
    found = (_LABELLED.sub(r"\1", " ".join(str(each).split())) for each in values if each is not None)
    return [text for text in found if text]


def hours_of(text: str) -> int | None:
    """How many hours `24h`, `7d` or `2w` are; None for anything else, such as a day."""
    ago = _AGO.match(text.strip().lower())
    return int(ago.group(1)) * {"h": 1, "d": 24, "w": 24 * 7}[ago.group(2)] if ago else None


# Names and tags that are nearly the same ---------------------------------------------------------


@record
class TagFamily:
    """Tags that seem to be one: the one to keep, and the others with the number of pages that carry them."""

    keep: str
    count: int
    others: tuple[tuple[str, int], ...]


def tag_families(counts: Iterable[tuple[str, int]]) -> list[TagFamily]:
    """Tags that differ by case, `-`, `_`, plural, or one letter of long ones; the most used one is kept."""
    used = dict(counts)
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for tag in used:
        groups[_singular(tag)].add(tag)
    parents = {key: key for key in groups}
    for one, other in _one_apart(groups):
        if not _DIGITS.search(one + other):
            parents[_root(parents, one)] = _root(parents, other)
    families: defaultdict[str, set[str]] = defaultdict(set)
    for key, tags in groups.items():
        families[_root(parents, key)] |= tags
    found: list[TagFamily] = []
    for tags in families.values():
        first, *others = sorted(tags, key=lambda tag: (-used[tag], tag != tag.lower(), tag))
        if others:
            found.append(TagFamily(first, used[first], tuple((tag, used[tag]) for tag in others)))
    return sorted(found, key=lambda each: (-sum(count for _, count in each.others), each.keep))


def _singular(tag: str) -> str:
    """The key under which spellings of one tag are equal."""
    bare = "/".join("".join(fold(part).split()) for part in tag.split("/")) or tag.casefold()
    if len(bare) > 4 and bare.endswith("ies"):
        return bare[:-3] + "y"
    if len(bare) > 3 and bare.endswith("s") and not bare.endswith(("ss", "us", "is")):
        return bare[:-1]
    return bare


def _root(parents: dict[str, str], key: str) -> str:
    while parents[key] != key:
        parents[key] = parents[parents[key]]
        key = parents[key]
    return key


def _one_apart(keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of long keys that differ by one letter, found by what is left when a letter goes."""
    shapes: defaultdict[str, list[str]] = defaultdict(list)
    for key in keys:
        if len(key) >= MIN_ALIKE and key.isascii():
            for shape in _shapes(key):
                yield from ((key, other) for other in shapes[shape] if is_one_apart(key, other))
                shapes[shape].append(key)


def _shapes(key: str) -> set[str]:
    return {key, *(key[:place] + key[place + 1 :] for place in range(len(key)))}


def is_one_apart(one: str, other: str) -> bool:
    """Whether one letter, not the first, was added, left out, replaced, or changed places with the next."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1 or one == other or one[:1] != other[:1]:
        return False
    start = next((place for place, letter in enumerate(one) if letter != other[place]), len(one))
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    swapped = one[start : start + 2] == other[start : start + 2][::-1]
    return one[start + 1 :] == other[start + 1 :] or (swapped and one[start + 2 :] == other[start + 2 :])


@record
class Similar:
    """Pages that a name may mean; `sure` if it is hardly misspelt and there is only one."""

    pages: tuple[str, ...]
    sure: bool


def similar_names(targets: Iterable[str], names: Iterable[tuple[str, str]]) -> dict[str, Similar]:
    """Pages whose names are like some folded targets that lead nowhere: the best of each, if they are few.

    Best are the same letters, then one letter apart, then a name of which the target is the beginning or end.
    All names are read once.
    """
    wanted = set(targets)
    letters: defaultdict[str, set[str]] = defaultdict(set)
    shapes: defaultdict[str, set[str]] = defaultdict(set)
    for target in wanted:
        last = target.rpartition("/")[2]
        letters[last.replace(" ", "")].add(target)
        if len(last) >= MIN_ALIKE:
            for shape in _shapes(last):
                shapes[shape].add(target)
    found: defaultdict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, page in names:
        last = name.rpartition("/")[2]
        for target in letters.get(last.replace(" ", ""), ()):
            found[target][0].add(page)
        if len(last) >= MIN_ALIKE and not shapes.keys().isdisjoint(near := _shapes(last)):
            for target in {each for shape in near for each in shapes.get(shape, ())}:
                if is_one_apart(last, target.rpartition("/")[2]) and not _DIGITS.search(last):
                    found[target][1].add(page)
        for part in _ends(last):
            if part in wanted:
                found[part][2].add(page)
    best = {target: (min(ranks), sorted(ranks[min(ranks)])) for target, ranks in found.items()}
    return {
        target: Similar(tuple(pages), rank < 2 and len(pages) == 1)
        for target, (rank, pages) in best.items()
        if len(pages) <= MOST_SIMILAR
    }


def _ends(name: str) -> Iterator[str]:
    """The beginnings and ends of a name of several words, by words."""
    words = name.split(" ")[:8]
    for cut in range(1, len(words)):
        yield " ".join(words[:cut])
        yield " ".join(words[cut:])


# Open threads ------------------------------------------------------------------------------------


@record
class Thread:
    """Something that a text leaves open, and its line in that text."""

    text: str
    line: int
    day: str | None = None  # the first day that it names


def open_threads(text: str) -> list[Thread]:
    """Items `- [ ]` and org headlines `TODO` outside code; what a template left to be filled in is none."""
    visible = _CODE.sub(lambda match: "\n" * match.group().count("\n"), text)
    found: list[Thread] = []
    line, seen = 1, 0
    for match in _THREAD.finditer(visible):
        line, seen = line + visible.count("\n", seen, match.start()), match.start()
        item = (match.group(1) or match.group(2)).strip()
        if not _PLACEHOLDER.match(item):
            day = _DAY.search(item)
            found.append(Thread(item, line, _day(day.group()) if day else None))
    return found
