"""Which of the things that hold of a subject a sentence contradicts, for each thing that sentences say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import cast

from quaid.formats.predicates import kind_of
from quaid.formats.slugs import fold
from quaid.formats.values import rivals, role_of
from quaid.graph.prose import Statement
from quaid.graph.states import State, are_apart
from quaid.store.checks import Standing

Names = Mapping[int, tuple[str, ...]]  # what pages are called
_STAGES = ("pre-seed", "seed", "series a", "series b", "series c", "series d", "series e", "series f", "ipo")
_ALIVE = (
    "works_at",
    "is_ceo_of",
    "is_cto_of",
    "is_cfo_of",
    "lives_in",
    "status",
    "role",
    "member_of",
    "reports_to",
)

_Rule = Callable[[Statement, Sequence[Standing], "int | None", Names], "Standing | None"]


def _value_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    """The fact whose value cannot be that of the sentence; none if any fact fits."""
    wanted = _COMPARED.get(statement.predicate, (statement.predicate,))
    facts = [each for each in held if each.predicate in wanted and not _is_later(each, statement)]
    if not facts:
        return None
    kind = kind_of(statement.predicate)
    spelled = [(each, (each.text, *called.get(each.object_page or 0, ()))) for each in facts]
    if any(not rivals(kind, name, statement.value) for _, names in spelled for name in names):
        return None
    return facts[0]


_COMPARED = {
    "based_in": ("based_in", "lives_in"),
    "lives_in": ("lives_in", "based_in"),
    "value": ("value", "price"),
    "owner": ("owner", "owned_by"),
}


def _is_later(standing: Standing, statement: Statement) -> bool:
    """Whether a fact began after the day of which a sentence tells: then that is history."""
    return bool(standing.since and statement.day and standing.since >= statement.day)


def _employer_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    facts = [each for each in held if each.predicate == "works_at" and not _is_later(each, statement)]
    every = [each for each in held if each.predicate in ("works_at", "member_of", "is_ceo_of", "advises")]
    value = tokens(statement.value)
    for each in every:
        names = (each.text, each.key, *called.get(each.object_page or 0, ()))
        if (each.object_page == meant and meant) or any(_overlap(value, tokens(name)) for name in names):
            return None
    return facts[0] if facts else None


def _owner_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    value = tokens(statement.value)
    for each in held:
        if each.predicate == "status" and fold(each.text) in ("independent", "private", "bootstrapped"):
            return each
        if each.predicate != "owned_by" or _is_later(each, statement):
            continue
        names = (each.text, each.key, *called.get(each.object_page or 0, ()))
        if each.object_page != meant and not any(_overlap(value, tokens(name)) for name in names):
            return each
    return None


def _state_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    for each in held:
        stated = each.predicate == "status" or (each.predicate == "stage" and not _round(each.text))
        if stated and not _is_later(each, statement) and are_apart(each.text, cast(State, statement.value)):
            return each
    return None


def _round(text: str) -> int:
    """Which round of funding a text names, from 1; 0 for none."""
    plain = fold(text).replace("-", " ").replace("pre seed", "pre-seed")
    found = [place for place, name in enumerate(_STAGES, 1) if re.search(rf"(?<![\w-]){name}\b", plain)]
    return max(found, default=0)


def _stage_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    """A stage that a later round has left behind."""
    for each in held:
        if each.predicate == "stage" and 0 < _round(each.text) < _round(statement.value):
            return each
    return None


def _death_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    alive = [each for each in held if each.predicate in _ALIVE and not _is_later(each, statement)]
    told = ("deceased", "dead", "died", "late")
    if any(each.predicate == "status" and fold(each.text) in told for each in held):
        return None
    return min(alive, key=lambda each: _ALIVE.index(each.predicate), default=None)


def _retirement_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    """The one job that somebody has given up who says no more than that."""
    jobs = [each for each in held if each.predicate == "works_at" and not _is_later(each, statement)]
    return jobs[0] if len({each.object_page or each.key for each in jobs}) == 1 else None


def _role_end_clash(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    """The role that a sentence says somebody has given up."""
    offices = {f"is_{role_of(statement.value)}_of", f"{role_of(statement.value)}_of"}
    for each in held:
        same = each.predicate == "role" and _is_role(each.text, statement.value)
        if (same or each.predicate in offices) and not _is_later(each, statement):
            return each
    return None


def _is_role(one: str, other: str) -> bool:
    first, second = role_of(one).split(), role_of(other).split()
    return bool(first) and (set(first) <= set(second) or set(second) <= set(first))


_RULES: Mapping[str, _Rule] = {
    "retired": _retirement_clash,
    "ended_role": _role_end_clash,
    "works_at": _employer_clash,
    "owned_by": _owner_clash,
    "status": _state_clash,
    "stage": _stage_clash,
    "died": _death_clash,
}


def spellings(names: Sequence[str]) -> tuple[str, ...]:
    """Names as texts may spell them: a slug by its last part, a company without its legal form, or its
    first word."""
    found = dict.fromkeys(names)
    for name in names:
        bare = _LEGAL.sub("", name.rsplit("/", 1)[-1].replace("-", " ").replace("_", " ")).strip()
        found[bare] = None
        first = bare.split()[0] if bare.split() else ""
        if len(first) > 3 and fold(first) not in _COMMON:
            found[first] = None
    return tuple(each for each in found if each)


_LEGAL = re.compile(
    r"[\s,]+(?:gmbh|ag|inc|ltd|llc|plc|corp|co|se|bv|sarl|oy|ab|as|kg|e\.?v)\.?$", re.IGNORECASE
)
_COMMON = frozenset(
    [
        "the",
        "city",
        "north",
        "south",
        "east",
        "west",
        "blue",
        "green",
        "black",
        "white",
        "open",
        "first",
        "great",
        "grand",
        "royal",
        "national",
        "general",
        "united",
        "global",
        "data",
        "club",
        "river",
        "stone",
        "free",
        "smart",
        "deep",
        "high",
        "good",
        "best",
        "american",
        "european",
        "german",
        "british",
    ]
)


def tokens(name: str) -> Collection[str]:
    """The words of a name."""
    return [word for word in fold(name.rsplit("/", 1)[-1]).replace("-", " ").split() if len(word) > 1]


def _overlap(one: Collection[str], other: Collection[str]) -> bool:
    joined = {"".join(one), "".join(other)}
    return bool(set(one) & set(other)) or len(joined) == 1


def contradicted(
    statement: Statement, held: Sequence[Standing], meant: int | None, called: Names
) -> Standing | None:
    """Which of the things that hold a sentence contradicts; `meant` is the page that its value names."""
    return _RULES.get(statement.predicate, _value_clash)(statement, held, meant, called)
