"""Changing a line of a notebook: which one is meant, and the edit that changes it and no other byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from quaid.errors import Ambiguous, NotFound
from quaid.formats.document import TEXT
from quaid.formats.markdown import items, sections, structure
from quaid.formats.slugs import fold
from quaid.model.record import record, replace
from quaid.notebook import daily
from quaid.notebook.edits import Edit, Leaf
from quaid.routing import finder, lists, numerals, safeguards, sentences
from quaid.routing.amendments import LONGEST, Action, Amendment, readings, without_lead
from quaid.routing.decision import Reader, credible_fit, decision_on
from quaid.routing.exchange import Marker
from quaid.routing.finder import Fit, Line
from quaid.routing.likely_lines import likely
from quaid.routing.lists import SHOPPING
from quaid.routing.settlement import is_told, settlement, takes_too_much, what_holds_instead
from quaid.routing.shelf import DAILY

MOST_SENTENCES = 6
MOST_JOINED = 3
MOST_NAMED = 8
_ASKED = re.compile(r"(?:please\s+)?(?:can|could|would|will) (?:you|u)\b", re.IGNORECASE)
_MAY_SAY = re.compile(r"^[ \t]*(?:[-*+\d]|##)", re.MULTILINE)  # how items and the headings of sections begin
_PERHAPS = "perhaps this line is meant, which stays as it is"
_HOW_TO_CHOOSE = "Say which: pass its words as `line`, or name the file."


@record
class Change:
    """One line, what is done to it, and what it says from then on."""

    line: Line
    action: Action
    text: str = ""


@record
class Plan:
    """What is to be changed, and what is left of what was said."""

    changes: tuple[Change, ...]
    rest: str
    reason: str = ""  # why something that sounds like a correction is an addition
    more: tuple[str, ...] = ()  # sentences that say more than the lines do once they are changed


@record
class Amended:
    """What became of a line: where it stands or stood, and what it said before."""

    change: Change
    line: int
    nested: int = 0  # lines below a removed item that went with it


@record
class Desk:
    """What is at hand when something is said: lines, the day, and a network, if there is one.

    It reads lines, and marks the words that are exchanged.
    """

    lines: Callable[[], Sequence[Line]]
    today: date
    reader: Callable[[], Reader | None] = lambda: None
    marker: Callable[[], Marker | None] = lambda: None


@record
class _Reading:
    """What a sentence asks for: changes, the ways to read it, and a line that it may be about."""

    changes: tuple[Change, ...] = ()
    ways: tuple[Amendment, ...] = ()
    perhaps: Line | None = None


def plan(content: str, desk: Desk) -> Plan:
    """The changes that a text asks for; the sentences that ask for none are left."""
    pieces = sentences.sentences(content)
    if len(pieces) > MOST_SENTENCES or "\n" in content.strip():
        return Plan((), content)
    pieces = _whole_sentences(pieces)
    changes: list[Change] = []
    left: list[str] = []
    told: list[str] = []
    reason = ""
    whole: tuple[Change, ...] | None = None
    if len(pieces) > 1:
        # A part says too little by itself ("NOT 13"): the whole must speak of the line too.
        whole = _read(", ".join(piece.rstrip(" .!?") for piece in pieces), desk).changes
        if len(pieces) <= MOST_JOINED and whole and not any(_read(piece, desk).changes for piece in pieces):
            # "I got it wrong. It's Friday."
            return Plan(whole, "", more=_untold([content], whole, desk.today))
    for piece in pieces:
        read = _read(piece, desk)
        found, ways = read.changes, read.ways
        if whole is not None and desk.reader() and not any(way.certain or way.place for way in ways):
            found = tuple(each for each in found if each.line in [known.line for known in whole])
        if not found and any(way.certain for way in ways):
            raise NotFound(
                f"nothing in the notebook fits {piece!r}; nothing was changed",
                hint="Name the thing that is meant, in its own words.",
            )
        if not found and ways and ways[-1].recent:
            reason = "nothing was found that it corrects, so it is new"
        if read.perhaps:
            line = read.perhaps
            said = f"{line.text} ({line.path}, line {line.number})"
            reason = f"{_PERHAPS}: {said}; pass its words as `line` to change it"
        changes += [each for each in found if each.line not in {known.line for known in changes}]
        told += [piece] if found else []
        left += [] if found else [without_lead(piece)]
    rest = " ".join(left) if left != pieces else content
    return Plan(tuple(changes), rest, reason, _untold(told, changes, desk.today))


def _whole_sentences(pieces: Sequence[str]) -> list[str]:
    """The sentences, each with those after it that say nothing without it."""
    joined: list[str] = []
    for piece in pieces:
        if joined and safeguards.goes_on(numerals.in_digits(piece)):
            joined[-1] = f"{joined[-1].rstrip(' .!')}, {piece}"
        else:
            joined.append(piece)
    return joined


def _core(said: str) -> str:
    """What is meant by a sentence, with its numbers in digits."""
    return numerals.in_digits(sentences.core(said))


def _untold(told: Sequence[str], changes: Sequence[Change], today: date) -> tuple[str, ...]:
    """The sentences of which something would be lost by the changes that they make."""
    made = [(each.action, each.line, each.text) for each in changes]
    return tuple(each for each in told if not is_told(_core(each), made, today))


def _read(piece: str, desk: Desk) -> _Reading:
    """The changes that a sentence asks for, and the ways in which it can be read."""
    core = _core(piece)
    if _ASKED.match(piece):
        core = core.rstrip("? ")
    if sentences.is_question(core):
        return _Reading()
    ways, lines = tuple(readings(core)), desk.lines()
    if not lines:
        return _Reading(ways=ways)
    several = _several(ways, lines, desk.today)
    fit = None if several else credible_fit(finder.find(ways, lines, desk.today, core))
    # Whether the person says that something is changed, and the place or the words that go.
    is_sure = fit is not None and (fit.amendment.certain or bool(fit.amendment.place))
    reader = None if several or is_sure or len(core) > LONGEST else desk.reader()
    if reader is None:
        # The reading by which a line was found counts first.
        made = (
            _change(core, fit.amendment.action, (fit.amendment, *ways), _only(fit), desk)
            for fit in several or [each for each in (fit,) if each]
        )
        return _Reading(tuple(made), ways)
    open_lines = [each for each in lines if not each.done]
    found = likely(core, open_lines, lambda: fit.lines if fit else ())
    decision = decision_on(core, found, reader, fit, desk.today)
    if decision is None:
        return _Reading(ways=ways)
    if decision.doubtful:
        return _Reading(ways=ways, perhaps=decision.lines[0])
    if len(decision.lines) > 1:
        raise _ambiguous(core, decision.lines)
    is_told = safeguards.is_cued(core) or (fit is not None and decision.lines[0] in fit.lines)
    change = _change(
        core, decision.action, ways, decision.lines[0], desk, sure=decision.sure, strictly=not is_told
    )
    if change.action == "corrected" and change.text == change.line.text:
        return _Reading(ways=ways, perhaps=change.line)
    is_replaced = change.text == what_holds_instead(core, change.line, desk.today)
    if (
        change.action == "corrected"
        and not is_replaced
        and takes_too_much(core, change.line.text, change.text, desk.today)
    ):
        return _Reading(ways=ways, perhaps=change.line)
    return _Reading((change,), ways)


def _change(
    core: str,
    action: Action,
    ways: Sequence[Amendment],
    line: Line,
    desk: Desk,
    *,
    sure: bool = False,
    strictly: bool = False,
) -> Change:
    """What becomes of a line that is known to be meant, by whomever."""
    action, text = settlement(
        core, action, ways, line, desk.today, desk.marker(), sure=sure, strictly=strictly
    )
    return Change(line, action, " ".join(text.split()))


def plan_for_line(content: str, wanted: str, action: Action | None, desk: Desk) -> Plan:
    """The change of a line that the caller names by its words."""
    lines, today = desk.lines(), desk.today
    key = fold(wanted)
    known = [each for each in lines if fold(each.text) == key]
    known = known or [each for each in lines if key and key in fold(each.text)]
    if not known:
        raise NotFound(f"no line says {wanted!r}", hint="`quaid notebook read` shows the lines of a file.")
    if len({(each.path, fold(each.text)) for each in known}) > 1:
        raise _ambiguous(wanted, known)
    line = max(known, key=lambda each: (each.age, each.number))
    core = _core(content)
    ways = list(readings(core))
    fit = finder.find(ways, [line], today)
    change = (
        Change(line, action)
        if action
        else _change(core, fit.amendment.action if fit else "corrected", ways, line, desk)
    )
    return Plan((change,), "", more=_untold([content], [change], today))


def removal(content: str, lines: Sequence[Line], today: date) -> tuple[Change, ...]:
    """The removal of a line of any file."""
    ways = [Amendment("removed", sentences.core(content))]
    several = _several(ways, lines, today)
    fits = several or [fit for fit in [finder.find(ways, lines, today)] if fit]
    return tuple(Change(_only(fit), "removed") for fit in fits)


def _only(fit: Fit) -> Line:
    """The line that is meant, if it is one."""
    if len(fit.lines) > 1:
        raise _ambiguous(fit.amendment.about, fit.lines)
    return fit.lines[0]


def _several(ways: Sequence[Amendment], lines: Sequence[Line], today: date) -> list[Fit]:
    """The lines of things that are named in one breath, as in `stamps and envelopes`; all or none."""
    for way in ways:
        parts = lists.parts(way.about, SHOPPING) if way.action != "corrected" else ()
        found = [finder.find([replace(way, about=part)], lines, today) for part in parts]
        fits = [each for each in found if each and len(each.lines) == 1]
        if len(parts) > 1 and len({each.lines for each in fits}) == len(parts):
            return fits
    return []


def _ambiguous(about: str, lines: Sequence[Line]) -> Ambiguous:
    lines = sorted(lines, key=lambda each: (each.path, each.number))
    shown = [f"{each.text} ({each.path}, line {each.number})" for each in lines[:MOST_NAMED]]
    return Ambiguous(
        f"{about!r} fits {len(lines)} lines equally well; nothing was changed: {'; '.join(shown)}",
        hint=_HOW_TO_CHOOSE,
        candidates=[
            {"line": each.text, "path": each.path, "section": each.section, "number": each.number}
            for each in lines[:MOST_NAMED]
        ],
    )


# Lines of a text --------------------------------------------------------------------------------------


def lines_of(path: str, leaf: Leaf) -> list[Line]:
    """The lines of a file that say something: items, and what stands below headings."""
    text = leaf.text
    if not _MAY_SAY.search(text):
        return []
    if path.startswith(f"{DAILY}/"):
        return [
            Line(path, each.title, each.line, entry)
            for each in leaf.sections
            if (entry := daily.said_in(each.title))
        ]
    start, end = sections.bounds(text)
    found = items_of(path, leaf)
    for line in structure.lines(text[start:end]) if leaf.sections else ():
        place = start + line.start
        if line.kind == TEXT and not line.nested and (section := leaf.section_at(place)):
            words = text[place : start + line.end].strip()
            found.append((place, Line(path, section, line_at(text, place), words)))
    return [line for _, line in sorted(found, key=lambda each: each[0])]


def items_of(path: str, leaf: Leaf) -> list[tuple[int, Line]]:
    """The items of a file, and where each begins."""
    text = leaf.text
    return [
        (item.start, Line(path, leaf.section_at(item.start), line_at(text, item.start), item.text, item.done))
        for item in items.items(text, *sections.bounds(text))
        if item.text
    ]


def line_at(text: str, place: int) -> int:
    """The number of the line in which a character stands, as people count."""
    return text.count("\n", 0, place) + 1


def amending(changes: Sequence[Change], report: Callable[[list[Amended]], None]) -> Edit:
    """The edit that makes some changes of a file, if the lines are still there."""

    def edit(text: str) -> str:
        outcomes: list[Amended] = []
        for change in changes:
            text, outcome = _amendment(text, change)
            outcomes.append(outcome)
        report(outcomes)
        return text

    return edit


def _amendment(text: str, change: Change) -> tuple[str, Amended]:
    wanted = change.line
    same = [
        each
        for each in lines_of(wanted.path, Leaf(text))
        if each.text == wanted.text and each.section == wanted.section
    ]
    if not same:
        raise NotFound(
            f"{wanted.text!r} is no longer in {wanted.path}", hint="Somebody has changed the file: try again."
        )
    line = min(same, key=lambda each: abs(each.number - wanted.number))
    place = 0
    for _ in range(line.number - 1):
        place = text.index("\n", place) + 1
    end = text.find("\n", place) + 1 or len(text)
    item = next((each for each in items.items(text, *sections.bounds(text)) if each.start == place), None)
    if change.action == "corrected":
        words = text.rindex(line.text, place, end)
        new = f"{text[:words]}{change.text}{text[words + len(line.text) :]}"
        return new, Amended(change, line.number)
    if change.action == "done" and item:
        return items.ticked(text, item), Amended(change, line.number)
    if wanted.path.startswith(f"{DAILY}/"):
        entry = next(each for each in sections.sections(text) if each.start == place)
        return text[:place] + text[entry.end :], Amended(change, 0)
    if item is None:
        return text[:place] + text[end:], Amended(change, 0)
    below = sum(bool(line.strip()) for line in text[item.line_end : item.end].splitlines())
    return items.without(text, item), Amended(change, 0, below)
