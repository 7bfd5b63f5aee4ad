"""Sentences that change what was said before: corrections, removals, things that are done.

A sentence may be read in several ways. Which of them is meant, what the notebook holds decides: `finder.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from quaid.model.record import record
from quaid.routing import values
from quaid.routing.lists import READING, SHOPPING, TODOS, WATCHLIST
from quaid.routing.patterns import Forms, forms, grammar
from quaid.routing.phrase_files import sections

Action = Literal["corrected", "removed", "done"]
MOST_PARTS, MOST_WORDS = 3, 10
LONGEST = 300  # characters of a sentence that changes something
ORDERS, CONTACTS = "standing-orders", "contacts"
PACKING = ("lists/packing", "lists/luggage")
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
_EXCHANGE = forms("amendments", "exchange")
_CONTRAST = forms("amendments", "contrast")
_CHANGE = forms("amendments", "change")
_CHANGE_BY = forms("amendments", "change by")
_RENEWAL = forms("amendments", "renewal")
_REMOVAL_FROM = forms("amendments", "removal from")
_REMOVAL = forms("amendments", "removal")
_UNNEEDED = forms("amendments", "unneeded")
_PERMISSION = forms("amendments", "permission")
_COMPLETION = forms("amendments", "completion")
_PURCHASE = forms("amendments", "purchase")
_PACKING = forms("amendments", "packing")
_TITLE = forms("amendments", "title")
_TAKEN_BACK = grammar("amendments", r"{TAKEN BACK}")
_SOFTENER = grammar("amendments", r"^(?:{SOFTENER}\s+)+(?=\S)")
_ASIDE = grammar("amendments", r"[,;.–—-]+\s*{ASIDE}$|\s+\({ASIDE}\)$")
_STOP = forms("amendments", "stop")
_PART = re.compile(
    r"\s*[,;–—]\s+(?:so |and |but )?|\s+-\s+|\s+so\s+(?=forget|drop|delete|remove|take)", re.IGNORECASE
)
_REMOVES = re.compile(
    r"(?:forget|drop|delete|remove|scrap|scratch|strike|erase|cancel|take|cross|bin|ditch|kill)\b",
    re.IGNORECASE,
)
_WITH_IT: tuple[tuple[Forms, Action], ...] = (
    (forms("amendments", "with it"), "removed"),
    (forms("amendments", "tick it"), "done"),
)
_PARTICIPLE = re.compile(
    r"(?P<about>\S.{0,100}?)\s+(?:(?:is|are|has been|have been|was|were|got)\s+"
    r"(?:already\s+|now\s+|finally\s+|all\s+)*)?"
    r"(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_DOER = grammar(
    "amendments", r"^{DOER}{ALREADY}(?P<verb>[a-z]+)\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL
)
_TO_COME = re.compile(r"\b(?:will|should|need|needs|must|has to|have to|going to)\b|,", re.IGNORECASE)
_UNDONE = re.compile(r"\b(?:not|n't|never|no longer|any ?more)\b", re.IGNORECASE)
_LIST_WORD = re.compile(r"\s*\b(?:list|file|notes?|page)\b\s*", re.IGNORECASE)
_ORDER = re.compile(r"(?:always|never(?! ?mind)|don't|do not|when|if|from now on)\b", re.IGNORECASE)
_THAT = re.compile(r"(?:that|it|this)\s*[,;:.–—-]", re.IGNORECASE)
_WHOSE = re.compile(
    r"(?:his|her|its|their)\b|(?:the|that|this)\s(?:link|note|item|entry|one|code|rule|idea|line|number|"
    r"appointment|reminder|todo|task|contact|email|address)$",
    re.IGNORECASE,
)
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


def readings(sentence: str) -> Iterator[Amendment]:
    """The ways to read a sentence as a change, the likeliest first."""
    said = sentence.strip().rstrip(" .!")
    if not said or len(said) > LONGEST or "\n" in said:
        return
    plain = _ASIDE.without(said).strip()
    yield from _completions(plain)
    for each in dict.fromkeys((plain, _SOFTENER.without(plain))):
        yield from _removals(each)
    yield from _in_parts(plain)
    yield from _corrections(_SOFTENER.without(plain))
    if plain != said:
        yield Amendment("corrected", plain, plain, recent=True)


def _in_parts(said: str) -> Iterator[Amendment]:
    """A sentence of several parts: one tells what is to be done with what another names."""
    parts = [part.strip() for part in _PART.split(said) if part.strip()]
    if not 1 < len(parts) <= MOST_PARTS:
        return
    for place, part in enumerate(parts):
        others = parts[:place]
        for pattern, action in _WITH_IT:
            if others and any(True for _ in pattern.fillings(part)):
                yield from _completions(others[-1])
                yield Amendment(action, others[-1], lenient=True)
    for part in parts:
        plain = _SOFTENER.without(part)
        for gaps in _REMOVAL_FROM.fillings(plain):
            yield Amendment("removed", _bare(gaps["about"]), place=_place(gaps))
        if _REMOVES.match(plain):
            for gaps in _REMOVAL.fillings(plain):
                about = _bare(gaps["about"])
                whose = _WHOSE.match(about) and part != parts[0]
                about = f"{parts[0]} {about}" if whose else about
                yield Amendment("removed", about, lenient=bool(whose))


def _corrections(said: str) -> Iterator[Amendment]:
    lead = _LEAD.match(said)
    update = None if lead else _UPDATE.match(said)
    rest = (lead or update or {"rest": said})["rest"].strip()
    led = bool(lead or update)
    for each in dict.fromkeys((said, rest)):
        yield from _exchanges(each, led=led, recent=bool(lead))
    if led:
        about = (update["about"] or "") if update else ""
        yield from _led(rest, about, recent=bool(lead))
        return
    meant = _MEANT.without(said)
    if meant != said and said.lower().startswith(("make ", "i meant", "that should", "it should", "call ")):
        yield from _led(said, "", recent=True)
    yield from _changed(said, recent=False)
    for _ in _RENEWAL.fillings(said):
        yield Amendment("corrected", said, said)
        break


def _exchanges(said: str, *, led: bool, recent: bool) -> Iterator[Amendment]:
    """What was and what is, both said."""
    for gaps in _EXCHANGE.fillings(said):
        about, now = _bare(gaps["was"]), _bare(gaps["now"])
        # "Move lunch to Friday": what is named is not what goes.
        named = values.is_bare(now) and not values.is_bare(about)
        was = gaps.get("old", "") or ("" if named else about)
        yield Amendment("corrected", about, now, was, _place(gaps), certain=led, recent=recent)
    for gaps in _CONTRAST.fillings(said):
        was, now = _bare(gaps.get("was", "")), _bare(_MEANT.without(gaps["now"]))
        about = gaps.get("about") or now
        yield Amendment("corrected", about, now, was, recent=recent, partly=bool(was))
        if was and "about" not in gaps and values.values_of(now):
            yield Amendment("corrected", now, now, recent=recent)


def _led(rest: str, about: str, *, recent: bool) -> Iterator[Amendment]:
    """What follows `actually` and the like: a value alone, or a sentence."""
    now = _bare(_MEANT.without(rest))
    if about:
        yield Amendment("corrected", about, now, recent=recent, whole=True)
        return
    if values.is_bare(now):
        yield Amendment("corrected", "", now, recent=True, certain=True)
        return
    yield from _changed(rest, recent=recent)
    yield Amendment("corrected", now, now, recent=recent)


def _changed(said: str, *, recent: bool) -> Iterator[Amendment]:
    """What was moved or became something else: another value, or else all that is said."""
    for gaps in _CHANGE_BY.fillings(said):
        if values.is_bare(gaps["now"]):
            about = f"{gaps['who']} {gaps['about']}" if _WHOSE.match(gaps["about"]) else gaps["about"]
            yield Amendment("corrected", about, gaps["now"], recent=recent)
    for gaps in _CHANGE.fillings(said):
        is_value = values.is_bare(gaps["now"]) or bool(gaps.get("old"))
        yield Amendment(
            "corrected",
            gaps["about"],
            gaps["now"] if is_value else said,
            gaps.get("old") or "",
            recent=recent,
            whole=not is_value,
        )


def _removals(said: str) -> Iterator[Amendment]:
    if _TAKEN_BACK.fullmatch(said):
        yield Amendment("removed", recent=True, certain=True)
        return
    lead = _LEAD.match(said)
    for each in (said, lead["rest"]) if lead else (said,):
        for gaps in _REMOVAL_FROM.fillings(each):
            place = _place(gaps)
            yield Amendment("removed", _bare(gaps["about"]), place=place, certain=_is_list(gaps["place"]))
        for gaps in _PERMISSION.fillings(each):
            yield Amendment("removed", gaps["about"], kinds=(ORDERS,))
        for gaps in _UNNEEDED.fillings(each):
            yield Amendment("removed", _bare(gaps["about"]), kinds=("lists/", CONTACTS))
        for gaps in _STOP.fillings(each):
            yield Amendment("removed", _bare(gaps["about"]), kinds=(ORDERS,), positive=True)
        for gaps in () if _ORDER.match(each) else _REMOVAL.fillings(each):
            if not _THAT.match(gaps["about"]):  # "scratch that, …" corrects
                yield Amendment("removed", _bare(gaps["about"]))


def _completions(said: str) -> Iterator[Amendment]:
    for gaps in _COMPLETION.fillings(said):
        place = _place(gaps)
        yield Amendment("done", _bare(gaps["about"]), place=place, kinds=() if place else ("lists/",))
    if _UNDONE.search(said):
        return
    for gaps in _PURCHASE.fillings(said):
        yield Amendment("done", _bare(gaps["about"]), kinds=(SHOPPING,))
    for gaps in _PACKING.fillings(said):
        yield Amendment("done", _bare(gaps["about"]), kinds=PACKING)
    for gaps in _TITLE.fillings(said):
        yield Amendment("done", _bare(gaps["about"]), kinds=(READING, WATCHLIST))
    yield from _participles(said)
    deed = _DOER.match(said)
    base = _base(deed["verb"].lower()) if deed else ""
    if deed and base:
        yield Amendment("done", f"{base} {deed['rest']}", kinds=(TODOS,))
    words = said.split()
    if len(words) > MOST_WORDS or _TO_COME.search(said):
        return
    for number, word in enumerate(words[1:], 1):
        base = _base(word.lower())
        if base:
            yield Amendment("done", " ".join([base, *words[:number], *words[number + 1 :]]), kinds=(TODOS,))


def _participles(said: str) -> Iterator[Amendment]:
    """`Passport renewed`, `the flights are booked`: the chore to renew or to book."""
    found = _PARTICIPLE.fullmatch(said)
    base = _base(found["verb"].lower()) if found else ""
    if found and found["verb"].lower() in ("cancelled", "canceled"):
        yield Amendment("removed", found["about"])
    elif found and base:
        yield Amendment("done", f"{base} {found['about']}", kinds=(TODOS,))
        seen = found["verb"].lower() in ("read", "watched", "seen", "finished")
        kinds = PACKING if base == "packed" else (READING, WATCHLIST) if seen else (SHOPPING,)
        yield Amendment("done", found["about"], kinds=kinds)


@cache
def _irregular() -> dict[str, str]:
    return dict(line.split() for line in sections("amendments")["past"])


def _base(verb: str) -> str:
    """What a verb of the past is on a list; nothing if it is none."""
    known = _irregular().get(verb)
    if known:
        return known
    return verb if verb.endswith("ed") and len(verb) > 4 else ""


def without_lead(sentence: str) -> str:
    """A sentence without `actually` and the like."""
    lead = _LEAD.match(sentence.strip())
    return lead["rest"] if lead and " " in lead["rest"].strip() else sentence


def _bare(words: str) -> str:
    return words.strip().strip(_QUOTES).strip()


def _place(gaps: dict[str, str]) -> str:
    place = gaps.get("place", "")
    return _LIST_WORD.sub(" ", place).strip() or ""


def _is_list(place: str) -> bool:
    return "list" in place.lower()
