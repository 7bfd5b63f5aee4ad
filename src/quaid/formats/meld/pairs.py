"""Which parts of three texts are the same one: by name, or rewritten in place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from quaid.formats.document import HEADING, ITEM, QUOTE, TABLE, TEXT
from quaid.formats.meld.lines import LIKE, likeness
from quaid.formats.meld.parts import DRAWER, FIELD, KEYWORD, PROPERTY, ROW, Part, sections_of

_VERY_LIKE = 0.7  # as much as must be the same where it was moved too
_REACH, _NEAR = 40, 4  # places in a gap between which parts are compared; at least, where there are many
_EFFORT = 20_000  # comparisons in a gap
_ONLY_ONE = frozenset((TEXT, QUOTE, HEADING, TABLE, "code", "fence"))  # rewritten, if alone in its place
_NAMED = frozenset((DRAWER, FIELD, PROPERTY, ROW))  # what another name makes another part

Pairs = dict[int, int]


class Triple(NamedTuple):
    """The places of one part in the base and on both sides; None where it is not."""

    base: int | None
    newer: int | None
    older: int | None


def triples(base: Sequence[Part], newer: Sequence[Part], older: Sequence[Part]) -> list[Triple]:
    """Every part of three texts, once."""
    to_newer, to_older = _same(base, newer), _same(base, older)
    both = _same(newer, older, _without_partner(newer, to_newer), _without_partner(older, to_older))
    like_newer, like_older = _alike(base, newer, to_newer), _alike(base, older, to_older)
    _agree(both, like_newer, like_older, set(to_newer) | set(to_older))
    to_newer |= like_newer
    to_older |= like_older
    more_newer, more_older = (
        _through(older, newer, to_older, to_newer),
        _through(newer, older, to_newer, to_older),
    )
    to_newer |= more_newer
    to_older |= more_older
    found = [Triple(place, to_newer.get(place), to_older.get(place)) for place in range(len(base))]
    known_newer, known_older = set(to_newer.values()), set(to_older.values())
    for place in range(len(newer)):
        if place not in known_newer:
            other = both.get(place)
            found.append(Triple(None, place, None if other in known_older else other))
            known_older |= {other} if other is not None else set()
    found += [Triple(None, None, place) for place in range(len(older)) if place not in known_older]
    return found


def _same(
    one: Sequence[Part],
    other: Sequence[Part],
    left_one: Iterable[int] | None = None,
    left_other: Iterable[int] | None = None,
) -> Pairs:
    """Parts of the same name: first those in the same section, then those that were moved."""
    found: Pairs = {}
    mine = list(range(len(one)) if left_one is None else left_one)
    others = list(range(len(other)) if left_other is None else left_other)
    names = _names(one), _names(other)
    for level in (0, 1):  # with the section, without it
        free: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place in others:
            free[names[1][place][level:]].append(place)
        for places in free.values():
            places.reverse()
        for place in mine:
            places = free.get(names[0][place][level:], [])
            if places:
                found[place] = places.pop()
        taken = set(found.values())
        mine = [place for place in mine if place not in found]
        others = [place for place in others if place not in taken]
    return found


def _names(parts: Sequence[Part]) -> list[tuple[str, ...]]:
    sections = sections_of(parts)
    titles = (parts[above].key if above is not None else "" for above in sections)
    return [(title, part.kind, part.key) for title, part in zip(titles, parts, strict=True)]


def _alike(base: Sequence[Part], side: Sequence[Part], known: Pairs) -> Pairs:
    """Parts that were rewritten: they stand after the same part, and share most of their words."""
    back = {theirs: mine for mine, theirs in known.items()}
    old = _by_gap(base, known, lambda place: place)
    new = _by_gap(side, back, lambda place: back[place])
    found: Pairs = {}
    for anchor, mine in old.items():
        theirs = new.get(anchor, [])
        pairs = _best(base, side, mine, theirs, LIKE)
        taken = set(pairs.values())
        left = (
            [place for place in mine if place not in pairs],
            [place for place in theirs if place not in taken],
        )
        found |= pairs | _alone(base, side, *left)
    # Last, what was rewritten a little and put elsewhere.
    mine = [place for place in range(len(base)) if place not in known and place not in found]
    return found | _best(base, side, mine, _without_partner(side, known | found), _VERY_LIKE)


def _without_partner(side: Sequence[Part], known: Pairs) -> list[int]:
    """The parts of a side that have no partner yet."""
    taken = set(known.values())
    return [place for place in range(len(side)) if place not in taken]


def _through(one: Sequence[Part], other: Sequence[Part], to_one: Pairs, to_other: Pairs) -> Pairs:
    """What one side made of a part of the base, where the other has something like it and not that part."""
    free = {side: base for base, side in to_one.items() if base not in to_other}
    pairs = _best(one, other, sorted(free), _without_partner(other, to_other), _VERY_LIKE)
    return {free[mine]: theirs for mine, theirs in pairs.items()}


def _best(
    base: Sequence[Part], side: Sequence[Part], mine: list[int], theirs: list[int], least: float
) -> Pairs:
    """The parts that are most like each other, each of them once."""
    reach = min(_REACH, max(_NEAR, _EFFORT // max(1, len(mine))))
    words = {place: _words(side[place]) for place in theirs}
    ranked = sorted(
        (-value, one, other)
        for row, one in enumerate(mine)
        for own in [_words(base[one])]
        for other in theirs[max(0, row - reach) : row + reach]
        if _may_become(base[one], side[other]) and (value := likeness(own, words[other])) >= least
    )
    found: Pairs = {}
    taken: set[int] = set()
    for _, one, other in ranked:
        if one not in found and other not in taken:
            found[one] = other
            taken.add(other)
    return found


def _alone(base: Sequence[Part], side: Sequence[Part], mine: list[int], theirs: list[int]) -> Pairs:
    """The one part of its kind in a place, and the one that stands there now, whatever it says."""
    counts = Counter(base[place].kind for place in mine), Counter(side[place].kind for place in theirs)
    single = {kind for kind in _ONLY_ONE if counts[0][kind] == counts[1][kind] == 1}
    placed = {side[place].kind: place for place in theirs}
    return {place: placed[base[place].kind] for place in mine if base[place].kind in single}


def _by_gap(
    parts: Sequence[Part], known: Mapping[int, int], named: Callable[[int], int]
) -> dict[int, list[int]]:
    """The parts that have no partner, by the part above them that has one."""
    gaps: dict[int, list[int]] = defaultdict(list)
    anchor = -1
    for place in range(len(parts)):
        if place in known:
            anchor = named(place)
        else:
            gaps[anchor].append(place)
    return gaps


def _may_become(one: Part, other: Part) -> bool:
    """Whether a part can be what another was, if they are alike."""
    if one.kind != other.kind or one.kind in _NAMED:
        return False
    return one.kind != KEYWORD or one.key.split(" ", 1)[0] == other.key.split(" ", 1)[0]


def _words(part: Part) -> Counter[str]:
    return Counter((part.key if part.kind == ITEM else part.own).split())  # bullets and boxes say nothing


def _agree(both: Pairs, to_newer: Pairs, to_older: Pairs, settled: set[int]) -> None:
    """What stands on both sides alike is the same part, whatever each of them resembles."""
    from_newer = {side: base for base, side in to_newer.items()}
    from_older = {side: base for base, side in to_older.items()}
    for newer, older in both.items():
        bases = {from_newer.pop(newer, None), from_older.pop(older, None)} - {None}
        for base in bases:
            if base is not None and to_newer.get(base) == newer:
                del to_newer[base]
            if base is not None and to_older.get(base) == older:
                del to_older[base]
        free = sorted(base for base in bases if base is not None and base not in settled)
        if free:
            from_newer.pop(to_newer.get(free[0], -1), None)
            from_older.pop(to_older.get(free[0], -1), None)
            to_newer[free[0]], to_older[free[0]] = newer, older
            from_newer[newer], from_older[older] = free[0], free[0]
