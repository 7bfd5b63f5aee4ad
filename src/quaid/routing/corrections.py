"""Whether a sentence corrects a line, and what the line says then."""

from __future__ import annotations

import re
from datetime import date

from quaid.routing import days, manners, values, wordings
from quaid.routing.amendments import Amendment
from quaid.routing.patterns import grammar, ways
from quaid.routing.spellings import respelt
from quaid.routing.stems import fillers, stems
from quaid.routing.values import COLOUR, PART, TIME, values_of
from quaid.routing.wordings import plain
from quaid.routing.words import all_words

ENOUGH = 0.5
_NEGATIVE = re.compile(r"\b(?:not|no|never|\w+n't|dont|without)\b", re.IGNORECASE)
_SPELLING = ways("amendments", "spelling", anywhere=True)
_FUNCTIONAL = grammar("amendments", r"(?<!\w){FUNCTIONAL}\b")
# Who says what holds instead, which is no part of it.
_TELLER = re.compile(
    r"^(?:[\w'’.-]+\s+){1,3}(?:says?|said|reckons?|insists?)\s+(?:that\s+)?(?=\w)", re.IGNORECASE
)
_ADDITION = ways("amendments", "addition")


def takes(text: str, now: str, today: date | None) -> bool:
    """Whether a text has places for the values that are said anew."""
    return _with_values(text, now, today) is not None


def _with_values(text: str, now: str, today: date | None) -> str | None:
    return wordings.exchanged(text, now, today) or wordings.added(text, now, today)


def is_statement(amendment: Amendment) -> bool:
    """Whether all that is said is said of the line, and not a part of it a value for it."""
    return amendment.about == amendment.now


def corrects(amendment: Amendment, path: str, text: str, names: frozenset[str], today: date | None) -> bool:
    """Whether a statement says of the same thing as a line what it is from now on."""
    said = amendment.about
    if not _is_news(said, text, today):
        return False
    own = stems(text) | names
    core = _core(said) or stems(values.without_values(said))
    subject = _core(wordings.subject(said))
    if not (subject <= own or (amendment.recent and subject & own and subject == core)):
        return False
    if not core & own and not (stems(said) & own and (amendment.recent or _is_same_phrase(said, text))):
        return False
    if not amendment.cued:
        return _corrects_unsaid(amendment, path, text, core <= own, today)
    if _with_values(text, said, today) or _with_values(text, amendment.said or said, today):
        return True
    made = _with_words(amendment, text)
    if made:
        return core - stems(made) <= own
    return _is_replaced(amendment, path, text, core, own)


def _with_words(amendment: Amendment, text: str) -> str | None:
    """A line with another name, or other words in the place of its own."""
    now = amendment.now
    name = respelt(text, now) if _is_spelling(amendment) else None
    return name or wordings.anchored(text, now) or wordings.renamed(text, amendment.said or now)


def _is_replaced(
    amendment: Amendment, path: str, text: str, core: frozenset[str], own: frozenset[str]
) -> bool:
    """Whether all that is said takes the place of all that a line says."""
    kinds = {each.kind for each in values_of(text)} - {COLOUR, PART}
    if not amendment.recent and (path.startswith("lists/") or (kinds and not values_of(amendment.about))):
        return False  # a number must not go where none is said
    if not amendment.recent and not _is_of_kind(path, amendment.about):
        return False
    mine = _core(days.undated(text)) or stems(text)
    same = _core(wordings.subject(amendment.about)) & _core(wordings.subject(text))
    if same and _FUNCTIONAL.search(amendment.about) and _FUNCTIONAL.search(text):
        return True
    covered = len(mine & core) / len(mine) if mine else 0.0
    return covered >= ENOUGH or (core <= own and bool(core & mine))


def _is_of_kind(path: str, said: str) -> bool:
    """Whether a sentence that takes the place of a line is of the kind that its file has."""
    if path.endswith("standing-orders.md"):
        return manners.is_order(said)
    if path.endswith("preferences.md"):
        return manners.is_taste(said)
    return not manners.is_order(said)


def _is_news(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence says anything that a line does not."""
    known = {(each.kind, each.key) for each in values_of(text, today)}
    if any((each.kind, each.key) not in known for each in values_of(said, today)):
        return True
    mine, theirs = all_words(plain(said)), all_words(text)
    return not mine <= theirs or bool(_NEGATIVE.search(said)) != bool(_NEGATIVE.search(text))


def _corrects_unsaid(amendment: Amendment, path: str, text: str, is_known: bool, today: date | None) -> bool:
    """Whether a sentence has another value for the same thing as a line, although it does not say so."""
    said = amendment.about
    if _ADDITION.match(said):
        return False
    mine, core = _core(days.undated(text)), _core(said)
    if is_known and core and len(mine & core) / max(len(mine), 1) >= ENOUGH:
        made = wordings.exchanged(text, said, today)
        new = {each.kind for each in values_of(said, today)}
        if path.startswith("lists/"):
            return made is not None and new == {TIME}
        return made is not None
    if path.startswith("lists/"):
        return False
    if not _FUNCTIONAL.search(said) or not _FUNCTIONAL.search(text) or not wordings.anchored(text, said):
        return False
    whose = _core(wordings.subject(said))
    return whose == _core(wordings.subject(text)) and (bool(whose) or _is_same_phrase(said, text))


def _is_same_phrase(said: str, text: str) -> bool:
    """Whether both have words that one thing has once, and the same ones: `call me`."""
    mine, theirs = _FUNCTIONAL.search(said), _FUNCTIONAL.search(text)
    return bool(mine and theirs and mine[0].lower() == theirs[0].lower())


def reworded(amendment: Amendment, text: str, today: date | None) -> str:
    """What a line says from now on."""
    now = amendment.now
    if amendment.was:
        now = _TELLER.sub("", now)
        words = wordings.aligned(text, now, amendment.was) if amendment.partly else now
        new = wordings.substituted(text, amendment.was, words, today) if words else None
        if new:
            return new
    if amendment.whole:
        return stated(plain(now), today)
    new = _with_values(text, now, today) or (
        _with_values(text, amendment.said, today) if amendment.said else None
    )
    if new:
        return (wordings.anchored(new, now, names=True) if is_statement(amendment) else None) or new
    new = _with_words(amendment, text) if is_statement(amendment) else respelt(text, now)
    if new:
        return new
    if values.is_bare(now):
        return f"{text}, {stated(now, today)}"
    return stated(plain(amendment.said or now), today)


def _is_spelling(amendment: Amendment) -> bool:
    """Whether a name may have been written wrongly."""
    return amendment.recent or _SPELLING.search(amendment.said or amendment.now) is not None


def stated(now: str, today: date | None) -> str:
    """A sentence as it is written down."""
    return days.dated(now, today) if today else now


def _core(text: str) -> frozenset[str]:
    """The words that say what a text is about, besides its values."""
    return stems(values.without_values(text)) - fillers()
