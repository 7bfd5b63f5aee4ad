"""Sentences that change what was said before: corrections, removals, things that are done.

A sentence may be read in several ways. Which of them is meant, what the notebook holds decides: `finder.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from quaid.model.record import record
from quaid.routing import values
from quaid.routing.clauses import clauses
from quaid.routing.lists import APPOINTMENTS, READING, SHOPPING, TODOS, WATCHLIST
from quaid.routing.patterns import forms, grammar, ways
from quaid.routing.stems import base_of
from quaid.routing.words import words_of

Action = Literal["corrected", "removed", "done"]
LONGEST = 300  # characters of a sentence that changes something
LISTS, ORDERS, CONTACTS = "lists/", "standing-orders", "contacts"
PACKING = ("lists/packing", "lists/luggage")
MOST_WITHOUT = 4  # words of what there is none of, as in "no playdate"
_LEAD = grammar(
    "amendments",
    r"^(?:{LEAD}\s*[,:;.!–—-]+\s*|{BARE LEAD}\s+)(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_UPDATE = grammar(
    "amendments",
    r"^(?:{UPDATE}(?:\s+about\s+(?P<about>[^,:;]+))?\s*[,:;.!–—-]+\s*|{BARE UPDATE}\s+)(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MEANT = grammar("amendments", r"^{MEANT}\s+(?=\S)")
# It speaks of what was just said; "it's" alone may speak of anything.
_POINTED = re.compile(
    r"(?:make (?:that|it|this)|let's make|i meant?\b|(?:that|it) should\b|should (?:be|read|say)|"
    r"call (?:that|it)|the (?:right|correct)\b|better\b)",
    re.IGNORECASE,
)
_SOFTENER = grammar("amendments", r"^(?:{SOFTENER}\s+)+(?=\S)")
_ASIDE = grammar("amendments", r"{ASIDE}[.!]*")
_ASIDE_END = grammar("amendments", r"[,;.–—-]+\s*{ASIDE}$|\s+\({ASIDE}\)$")
_ASIDE_START = grammar("amendments", r"^{ERRED}[,;:.–—\s-]+(?=\S)")
_EXCHANGE = forms("amendments", "exchange")
_CONTRAST = forms("amendments", "contrast")
_CHANGE = forms("amendments", "change")
_CHANGE_BY = forms("amendments", "change by")
_CHANGED = ways("amendments", "changed", anywhere=True)
_TAKEN_BACK = grammar("removals", r"{TAKEN BACK}")
_WITH_IT = forms("removals", "with it")
_NO_NEED = forms("removals", "no need to buy")
_FROM = forms("removals", "from")
_REMOVE_NOTED = forms("removals", "remove what is noted")
_REMOVE = forms("removals", "remove")
_REMOVE_OR_DO = forms("removals", "remove or do")
_OVER = forms("removals", "over")
_ABSENCE = forms("removals", "absence")
_UNNEEDED = forms("removals", "unneeded")
_WITHOUT = forms("removals", "without")
_PERMISSION = forms("removals", "permission")
_STOP = forms("removals", "stop")
_CALLED_DONE = forms("completions", "called done")
_IT_IS_DONE = grammar("completions", r"{IT IS DONE}[.!]*")
_DONE = forms("completions", "done")
_BOUGHT = forms("completions", "bought")
_PACKED = forms("completions", "packed")
_TITLE = forms("completions", "title")
_UNDONE = re.compile(r"\b(?:not|\w+n't|never|no longer|any ?more|haven't|hasn't|yet)\b", re.IGNORECASE)
_TO_COME = re.compile(r"\b(?:will|should|need|needs|must|has to|have to|going to|to be|'ll)\b", re.IGNORECASE)
_LIST_WORD = re.compile(r"\s*\b(?:list|file|notes?|page)\b\s*", re.IGNORECASE)
_ORDER = re.compile(r"(?:always|never(?! ?mind)|when|if|from now on)\b", re.IGNORECASE)
_BACK = re.compile(
    r"(?:(?:it|that|this|them|those|these|him|her|em|'em|one|ones|he|she|they|his|hers|its|their|theirs|the|of|"
    r"again|off|out|please|now|then|too|all|so|just|and)(?:'s|'re)?\s*)*",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"(?:his|her|its|their)\b|(?:the|that|this)\s(?:link|note|item|entry|one|code|rule|idea|line|number|"
    r"appointment|reminder|todo|task|contact|email|address|card|info|details|page)s?$",
    re.IGNORECASE,
)
_PLAN = grammar("removals", r"{PLAN}\b")
_REASON = grammar("removals", r"^(?P<about>.{3,60}?)\s+(?:(?:the|my|our)\s+)?[\w'’-]+\s+{REASON VERB}\b.*$")
_QUOTES = "\"“”'‘’« »"


@record
class Amendment:
    """One way to read a sentence that changes something."""

    action: Action
    about: str = ""  # words that say which line is meant; none: what was just said
    now: str = ""  # what it says from now on
    was: str = ""  # the wording that goes
    place: str = ""  # the list or the file that is named
    kinds: tuple[str, ...] = ()  # the files in which it can be, by their stems; none: all
    certain: bool = False  # it can mean nothing else: without a line to change, that is a mistake
    recent: bool = False  # it speaks of what was just said: of equals, the newest is meant
    whole: bool = False  # `now` takes the place of all that the line says
    partly: bool = False  # `now` is a sentence, of which some words stand for those that go
    lenient: bool = False  # words that no line has do not speak against a line
    positive: bool = False  # a line that forbids something is not meant
    cued: bool = False  # words say that something was otherwise before
    strict: bool = False  # it could be a chore of its own: every word must be known
    deed: str = ""  # what was done, as a list has it: a line without that verb is not meant
    said: str = ""  # all that is said: where it has another value for the line, that is corrected


def readings(sentence: str) -> Iterator[Amendment]:
    """The ways to read a sentence as a change, the likeliest first."""
    said = sentence.strip().rstrip(" .!")
    if not said or len(said) > LONGEST or "\n" in said:
        return
    if _TAKEN_BACK.fullmatch(said):
        yield Amendment("removed", recent=True, certain=True)
        return
    plain = _ASIDE_END.without(said).strip()
    cuts = clauses(plain)
    for each in dict.fromkeys((plain, *cuts[0])) if cuts else (plain,):
        yield from _exchanges(_SOFTENER.without(each), led=False, recent=False)
    for each in dict.fromkeys((plain, _SOFTENER.without(plain))):
        yield from _named_place(each)
    for parts in cuts:
        for place, part in enumerate(parts):
            before = [each for each in parts[:place] if not _ASIDE.fullmatch(each)]
            after = [each for each in parts[place + 1 :] if not _ASIDE.fullmatch(each)]
            yield from _withdrawals(part, before, after, plain)
            yield from _completions(part, [*before, *after])
    yield from _corrections(_SOFTENER.without(plain), plain != said)


# Removals ---------------------------------------------------------------------------------------------


def _named_place(said: str) -> Iterator[Amendment]:
    for gaps in _FROM.fillings(said):
        yield Amendment(
            "removed", _bare(gaps["about"]), place=_place(gaps), certain="list" in gaps["place"].lower()
        )


def _withdrawals(part: str, before: Sequence[str], after: Sequence[str], said: str) -> Iterator[Amendment]:
    """What a clause takes back; the others may name it."""
    others = [*before, *after]
    plans = [each for each in others if _PLAN.match(each)]
    if plans:
        yield from _replacements(part, plans[0], said)
        return
    lead = _LEAD.match(part)
    part = lead["rest"] if lead else part
    plain = _SOFTENER.without(part)
    if _ORDER.match(plain):
        return
    for gaps in _FROM.fillings(plain):
        about = _bare(gaps["about"])
        yield Amendment("removed", _with(about, others), place=_place(gaps), lenient=_is_back(about))
        yield Amendment("removed", f"{_with(about, others)} {_place(gaps)}", strict=True)
    for _ in _WITH_IT.fillings(part):
        if before:  # "scratch that, it's Friday" corrects
            yield Amendment("removed", " ".join(before), lenient=True, said=said)
            break
    for _ in _NO_NEED.fillings(part):
        if before:
            yield Amendment("removed", " ".join(before), kinds=(LISTS,), lenient=True, said=said)
            break
    for gaps in _REMOVE_NOTED.fillings(plain):
        yield Amendment("removed", _bare(gaps["about"]), lenient=True)
    for pattern, kinds, strict in (
        (_REMOVE, (), False),
        (_REMOVE_OR_DO, (), True),
        (_UNNEEDED, (LISTS, CONTACTS, ORDERS), False),
        (_OVER, (), False),
    ):
        for gaps in pattern.fillings(plain):
            about = _bare(gaps["about"])
            back = _is_back(about) or (bool(_WHOSE.match(about)) and bool(others))
            about = _with(about, before if _is_back(about) else others)
            for each in dict.fromkeys((about, _before_reason(about))):
                if each:
                    yield Amendment("removed", each, kinds=kinds, lenient=back, strict=strict, said=said)
    for gaps in _ABSENCE.fillings(plain):
        yield Amendment("removed", _with(gaps["about"], others), kinds=(APPOINTMENTS,), said=said)
    for gaps in _WITHOUT.fillings(plain):
        if len(gaps["about"].split()) <= MOST_WITHOUT:
            yield Amendment("removed", _bare(gaps["about"]), kinds=(LISTS,), strict=True, said=said)
    for gaps in _PERMISSION.fillings(part):
        yield Amendment("removed", gaps["about"], kinds=(ORDERS,))
    for gaps in _STOP.fillings(plain):
        yield Amendment("removed", _bare(gaps["about"]), kinds=(ORDERS,), positive=True)


def _replacements(part: str, plan: str, said: str) -> Iterator[Amendment]:
    """What is not done any more, and what is done instead: the line says the new plan."""
    for gaps in (*_OVER.fillings(part), *_REMOVE.fillings(part), *_UNNEEDED.fillings(part)):
        yield Amendment("corrected", _bare(gaps["about"]), plan, whole=True, cued=True, said=said)


def _before_reason(about: str) -> str:
    """What is named before a reason that no comma parts from it: `the sleepover jacob has strep`."""
    found = _REASON.match(about)
    return found["about"] if found else about


def _is_back(about: str) -> bool:
    """Whether words only point back, as `that one` does."""
    return _BACK.fullmatch(about.strip(" '")) is not None


def _with(about: str, others: Sequence[str]) -> str:
    """What is named; where a clause only points back, or says whose it is, with what the others name."""
    if _is_back(about):
        return " ".join(others)
    return f"{others[0]} {about}" if others and _WHOSE.match(about) else about


# Completions ------------------------------------------------------------------------------------------


def _completions(part: str, others: Sequence[str]) -> Iterator[Amendment]:
    if _IT_IS_DONE.fullmatch(part):
        if others:
            yield from _completions(" ".join(others), ())
            yield Amendment("done", " ".join(others), kinds=(LISTS,), lenient=True)
        return
    plain = _SOFTENER.without(part)
    for gaps in _CALLED_DONE.fillings(plain):
        place = _place(gaps)
        yield Amendment("done", _bare(gaps["about"]), place=place, kinds=() if place else (LISTS,))
    if _UNDONE.search(plain) or _TO_COME.search(plain):
        return
    yield from _deeds(plain)
    for pattern, kinds in (
        (_BOUGHT, (SHOPPING,)),
        (_PACKED, PACKING),
        (_TITLE, (READING, WATCHLIST)),
        (_DONE, (LISTS,)),
    ):
        for gaps in pattern.fillings(plain):
            if not _is_back(gaps["about"]):
                yield Amendment("done", _bare(gaps["about"]), kinds=kinds)


def _deeds(said: str) -> Iterator[Amendment]:
    """`Passport renewed`, `the flights are booked`, `I called the bank`: a chore to renew, book, call."""
    words = said.split()
    for word in words:
        base = base_of(word.lower().strip(",.!;:"))
        if base and len(words) > 1:
            yield Amendment("done", said, kinds=(TODOS,), deed=base)


# Corrections ------------------------------------------------------------------------------------------


def _corrections(said: str, aside: bool) -> Iterator[Amendment]:
    lead = _LEAD.match(said) or _ASIDE_START.match(said)
    update = None if lead else _UPDATE.match(said)
    rest = said
    if lead:
        rest = lead["rest"] if "rest" in lead.re.groupindex else said[lead.end() :]
    elif update:
        rest = update["rest"]
    rest = _SOFTENER.without(rest.strip())
    led = bool(lead or update or aside)
    if rest != said:
        yield from _exchanges(rest, led=led, recent=bool(lead))
    now = _bare(_MEANT.without(rest))
    if update and update["about"]:
        yield Amendment("corrected", update["about"], now, recent=False, whole=True, cued=True)
        return
    if (led or now != rest) and values.is_bare(now):
        yield Amendment("corrected", "", now, recent=True, certain=led)
        return
    yield from _changes(rest, recent=bool(lead))
    pointed = bool(_POINTED.match(rest))
    cued = led or pointed or now != rest or bool(_CHANGED.search(rest))
    yield from _statements(now if pointed else rest, recent=bool(lead) or aside or pointed, cued=cued)


def _exchanges(said: str, *, led: bool, recent: bool) -> Iterator[Amendment]:
    """What was and what is, both said."""
    for gaps in _EXCHANGE.fillings(said):
        about, now = _bare(gaps["was"]), _bare(gaps["now"])
        # "Move lunch to Friday": what is named is not what goes.
        named = values.is_bare(now) and not values.is_bare(about)
        was = gaps.get("old", "") or ("" if named else about)
        yield Amendment("corrected", about, now, was, _place(gaps), certain=led, recent=recent, cued=True)
    for gaps in _CONTRAST.fillings(said):
        was, now = _bare(gaps.get("was", "")), _bare(_MEANT.without(gaps["now"]))
        about = gaps.get("about") or now
        yield Amendment("corrected", about, now, was, recent=recent, partly=bool(was), cued=True)
        if "about" in gaps or values.values_of(now):
            yield Amendment("corrected", now, now, recent=recent or "about" in gaps, cued=True)


def _changes(said: str, *, recent: bool) -> Iterator[Amendment]:
    """What was moved or became something else: another value, or else all that is said."""
    for gaps in _CHANGE_BY.fillings(said):
        if values.is_bare(gaps["now"]):
            about = f"{gaps['who']} {gaps['about']}" if _WHOSE.match(gaps["about"]) else gaps["about"]
            yield Amendment("corrected", about, gaps["now"], recent=recent, cued=True)
    for gaps in _CHANGE.fillings(said):
        if values.is_bare(gaps["now"]) or gaps.get("old"):
            yield Amendment(
                "corrected", gaps["about"], gaps["now"], gaps.get("old") or "", recent=recent, cued=True
            )


def _statements(said: str, *, recent: bool, cued: bool) -> Iterator[Amendment]:
    """A sentence that says of something known what it is: as a whole, and each of its clauses."""
    wholes: list[str] = []
    for parts in clauses(said):
        kept = [each for each in parts if not _ASIDE.fullmatch(each)]
        aside = len(kept) < len(parts)
        for each in (", ".join(kept), *kept) if kept else ():
            if each not in wholes and (words_of(each) or values.values_of(each)):
                wholes.append(each)
                yield Amendment(
                    "corrected", each, each, recent=recent or aside, cued=cued or aside, said=", ".join(kept)
                )


def without_lead(sentence: str) -> str:
    """A sentence without `actually` and the like."""
    lead = _LEAD.match(sentence.strip())
    return lead["rest"] if lead and " " in lead["rest"].strip() else sentence


def _bare(words: str) -> str:
    return words.strip().strip(_QUOTES).strip()


def _place(gaps: dict[str, str]) -> str:
    place = gaps.get("place", "")
    return _LIST_WORD.sub(" ", place).strip() or ""
