"""Whether two statements say the same, or cannot both hold.

They are about one thing unless each names something that the other does not. Of one thing, another number,
day, name or a denial makes a contradiction; without any, they say the same. How near they are in meaning,
where a model has said so, takes the place of counting the words that both have.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from quaid.kb import lexicon
from quaid.kb.statement import COMMON as _COMMON
from quaid.kb.statement import VERBS, Statement, Word, beyond, canonical, is_same, stem

Kind = Literal["duplicate", "contradiction"]

SAME_WORDS = 0.75  # of the topics of the shorter statement, how many the other has
ONE_THING = 0.6  # the same, where a value differs
SAME_MEANING = 0.87  # cosine of two statements of which one names nothing of its own
OTHER_VERBS = 0.93  # and where each has verbs of its own
SAME_VALUE = 0.88  # and where both state the same value besides
OTHER_WORDS = 0.94  # and where each names something of its own
OTHER_SUBJECT = 0.9  # and where each names something of its own, in another order
FAR = 0.82  # below it, shared words are chance
DENIED = 0.67  # of the words of a denial, how many the other one must have
ONE_SUBJECT = 0.86  # cosine at which a value that differs is one of the same thing
LEAST_SHARED = 2  # topics and values
LONGEST_SLOT = 3  # words in the place of others

_OPPOSITES = tuple(frozenset(map(stem, pair)) for pair in lexicon.OPPOSITES)
_ALTERNATIVES = {canonical(word): group for word, group in lexicon.ALTERNATIVES.items()}


class Verdict(NamedTuple):
    """What two statements are to each other, and how sure that is."""

    kind: Kind
    score: float


def verdict(one: Statement, other: Statement, nearness: float | None = None) -> Verdict | None:
    """What two statements are to each other; None if both can stand side by side."""
    opposed = _opposed(one, other)
    rivals = _rivals(_alternatives(one), _alternatives(other)) | opposed
    own, others = _own(one, other) - rivals, _own(other, one) - rivals
    share = _share(one.topics - rivals, own, other.topics - rivals, others)
    clash = bool(rivals) or _clash(one, other)
    turned = _turned(one, other)
    score = nearness if nearness is not None else share
    things = bool(own - _verbs(one)) and bool(others - _verbs(other))
    if clash or turned:
        # Another value of the opposite is no contradiction: it opens at nine and closes at six.
        twice = bool(opposed) and _clash(one, other)
        confined = _confined(one, own) or _confined(other, others)
        reworded = nearness is not None and nearness >= OTHER_SUBJECT and _is_moved(one, other)
        more = max(len(own - _verbs(one)), len(others - _verbs(other))) > 1
        narrower = more and (nearness or 0.0) < OTHER_VERBS
        excused = twice or confined or narrower or (things and not reworded)
        contrary = clash != turned and not excused and _is_near(share, nearness)
        return Verdict("contradiction", score) if contrary else None
    if own and others and _is_near(share, nearness) and _replaced(one, other, own, others):
        return Verdict("contradiction", score)
    same = _is_same(one, other, (own, others), nearness, things=things)
    return Verdict("duplicate", score) if same else None


def _confined(stated: Statement, own: frozenset[str]) -> bool:
    """Whether a statement holds for something only that the other does not name."""
    return any(
        word.stem in own and (word.stem in _SCOPES or _leading(stated, (word,)) in lexicon.CONFINING)
        for word in stated.words
        if not word.verb
    )


def apart(one: Statement, other: Statement) -> bool:
    """Whether each is about something that the other does not name: the port of Redis, that of Postgres."""
    return bool(_own(one, other)) and bool(_own(other, one))


def _is_near(share: float, nearness: float | None) -> bool:
    """Whether two statements are of one thing, so that they cannot differ."""
    if nearness is None:
        return share >= ONE_THING
    return share > 0 and (nearness >= ONE_SUBJECT or (nearness >= FAR and share >= ONE_THING))


def _is_same(
    one: Statement,
    other: Statement,
    rest: tuple[frozenset[str], frozenset[str]],
    nearness: float | None,
    *,
    things: bool,
) -> bool:
    """Whether two statements that nothing turns against each other say one thing."""
    own, others = rest
    parted = bool(own) and bool(others)
    said = 0.0 if parted else _repeated(one, other, own, others)
    if one.values.keys() - other.values.keys() and other.values.keys() - one.values.keys():
        return False
    if nearness is None:
        return said >= SAME_WORDS
    if things:
        return nearness >= OTHER_WORDS and _is_moved(one, other)
    if parted:
        agreed = bool(_values(one) & _values(other))
        return nearness >= (SAME_VALUE if agreed else OTHER_VERBS)
    return nearness >= SAME_MEANING or (nearness >= FAR and said >= SAME_WORDS)


def _is_moved(one: Statement, other: Statement) -> bool:
    """Whether the words that both have stand in another order: a word that is replaced moves no other."""
    stems = [word.stem for word in one.words], [word.stem for word in other.words]
    first = [each for each in stems[0] if each in stems[1]]
    return first != [each for each in stems[1] if each in stems[0]]


def _own(one: Statement, other: Statement) -> frozenset[str]:
    """The topics of a statement that the other names in no way."""
    return beyond(one.topics, (word.stem for word in other.words))


def _verbs(stated: Statement) -> frozenset[str]:
    return frozenset(word.stem for word in stated.words if word.verb)


def _share(
    topics: frozenset[str], own: frozenset[str], more: frozenset[str], others: frozenset[str]
) -> float:
    """Of the topics of the statement that has fewer, how many the other one has too."""
    size, missing = min((len(topics), len(own)), (len(more), len(others)))
    return (size - missing) / size if size else 0.0


def _values(stated: Statement) -> set[tuple[str, str]]:
    return {(kind, value) for kind, found in stated.values.items() for value in found}


def _repeated(one: Statement, other: Statement, own: frozenset[str], others: frozenset[str]) -> float:
    """Of all that the shorter statement says, how much the other one says too; 0 if that is but a word."""
    shares = []
    for each, missing, against in ((one, own, other), (other, others, one)):
        size = len(each.topics) + len(_values(each))
        both = len(each.topics - missing) + len(_values(each) & _values(against))
        shares.append((size, both))
    size, both = min(shares)
    return both / size if both >= LEAST_SHARED else 0.0


def _alternatives(stated: Statement) -> dict[str, str]:
    """The words of a statement of which one excludes others, by their group; not what it is about."""
    subjects, place = set(), -2
    for word in stated.words:
        begins = place == -2 or any(stated.order[n] in ".:;" for n in range(place, word.place))
        subjects |= {word.stem} if begins else set()
        place = word.place
    stems = {word.stem for word in stated.words if word.topical} - subjects
    return {each: _ALTERNATIVES[each] for each in stems if each in _ALTERNATIVES}


def _rivals(mine: dict[str, str], theirs: dict[str, str]) -> frozenset[str]:
    """The alternatives in which two statements differ."""
    found: set[str] = set()
    for group in set(mine.values()) & set(theirs.values()):
        first = {word for word, each in mine.items() if each == group}
        second = {word for word, each in theirs.items() if each == group}
        if not first & second:
            found |= first | second
    return frozenset(found)


def _clash(one: Statement, other: Statement) -> bool:
    """Whether the two state another number or day of one kind."""
    for mine, theirs in ((one.values, other.values), (other.values, one.values)):
        if "weekday" in mine and "day" in theirs.get("frequency", ()) and "weekday" not in theirs:
            return True
    for kind in one.values.keys() & other.values.keys():
        pairs = [(a, b) for a in one.values[kind] for b in other.values[kind]]
        if any(_equal(a, b) for a, b in pairs):
            continue
        if kind != "count" or any(_anchored(one.anchors[a], other.anchors[b]) for a, b in pairs):
            return True
    return False


def _anchored(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two numbers are of one thing, by the words beside them."""
    return not one or not other or any(is_same(a, b) for a in one for b in other)


def _opposed(one: Statement, other: Statement) -> frozenset[str]:
    """The two words that exclude each other, of which each statement has one."""
    for pair in _OPPOSITES:
        mine, theirs = one.stems & pair, other.stems & pair
        if len(mine) == 1 and len(theirs) == 1 and mine != theirs:
            directed = "befor" in pair
            if not directed or _followed(one, *mine) == _followed(other, *theirs):
                return pair
    return frozenset()


def _followed(stated: Statement, word: str) -> str:
    """The first word that carries something after another."""
    place = next(number for number, each in enumerate(stated.order) if stem(each) == word)
    after = (each for each in stated.order[place + 1 :] if each not in lexicon.EMPTY)
    return canonical(next(after, ""))


def _equal(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _turned(one: Statement, other: Statement) -> bool:
    """Whether one denies what the other says."""
    mine, theirs = ({each for clause in stated.denied for each in clause} for stated in (one, other))
    if any(is_same(a, b) for a in mine for b in theirs if a not in _COMMON):
        return False
    ways = [
        any(_meets(clause, said) for clause in denying.denied)
        for denying, said in ((one, other), (other, one))
        if denying.denied
    ]
    return bool(ways) and all(ways)


def _meets(denied: frozenset[str], stated: Statement) -> bool:
    """Whether a statement speaks of what is denied."""
    said = {word.stem for word in stated.words} | {f"{kind}:{value}" for kind, value in _values(stated)}
    firm = [each for each in denied if each not in _COMMON] or [*denied]
    met = [each for each in firm if any(is_same(each, word) for word in said)]
    return len(met) >= DENIED * len(firm)


def _replaced(one: Statement, other: Statement, own: frozenset[str], others: frozenset[str]) -> bool:
    """Whether the two differ only in what stands in one place that holds one thing at a time."""
    slots = _slot(one, own), _slot(other, others)
    if not all(slots):
        return False
    first, second = slots
    if one.denied or other.denied:
        return False
    rest = _rest(one, first)
    alone = _is_last_word(one, first) and _is_last_word(other, second) and rest == _rest(other, second)
    if alone and rest & _VERBAL and not rest & _ADDITIVE:
        return True
    if all(_is_there(s, slot) for s, slot in ((one, first), (other, second))):
        return True
    verbs = {word.stem for word in one.words} & {word.stem for word in other.words}
    if verbs & _PLACED and all(_is_placed(s, slot) for s, slot in ((one, first), (other, second))):
        return True
    if verbs & _DONE_BY_ONE and all(_does(s, slot) for s, slot in ((one, first), (other, second))):
        return True
    if all(_leading(s, slot) in _USING for s, slot in ((one, first), (other, second))):
        return "for" in one.order and "for" in other.order and len(first) == len(second) == 1
    return bool(verbs & _ONLY_ONE) and all(_is_said_to_be(slot) for slot in slots)


_ADDITIVE = frozenset(map(canonical, lexicon.ADDITIVE))
_VERBAL = VERBS | _COMMON | frozenset(map(canonical, lexicon.PLACED))
_SCOPES = frozenset(map(canonical, lexicon.SCOPES))
_PLACED = frozenset(map(canonical, lexicon.PLACED)) | frozenset(map(stem, lexicon.PLACED))
_DONE_BY_ONE = frozenset(map(canonical, lexicon.DONE_BY_ONE)) | frozenset(map(stem, lexicon.DONE_BY_ONE))
_ONLY_ONE = frozenset(map(canonical, lexicon.ONLY_ONE)) | frozenset(map(stem, lexicon.ONLY_ONE))


def _slot(stated: Statement, stems: frozenset[str]) -> tuple[Word, ...]:
    """The words of a statement that stand in one place; none if others stand between them."""
    topical = [word for word in stated.words if word.topical]
    places = [number for number, word in enumerate(topical) if word.stem in stems]
    if not places or len(places) > LONGEST_SLOT or places[-1] - places[0] >= len(places):
        return ()
    found = tuple(topical[number] for number in places)
    between = stated.order[found[0].place : found[-1].place]
    return () if lexicon.PREPOSITIONS.intersection(between) else found


def _is_placed(stated: Statement, slot: tuple[Word, ...]) -> bool:
    return _leading(stated, slot) in lexicon.PREPOSITIONS


def _is_last_word(stated: Statement, slot: tuple[Word, ...]) -> bool:
    return stated.words[-1] == slot[-1]


def _rest(stated: Statement, slot: tuple[Word, ...]) -> frozenset[str]:
    """All that a statement says besides what stands in one place."""
    return frozenset(word.stem for word in stated.words if word not in slot)


def _is_there(stated: Statement, slot: tuple[Word, ...]) -> bool:
    """Whether those are where something is."""
    place = next((n for n in range(slot[0].place - 1, -1, -1) if stated.order[n] not in _ARTICLES), 0)
    return (
        place > 0 and stated.order[place] in lexicon.PREPOSITIONS and stated.order[place - 1] in {"is", "are"}
    )


def _leading(stated: Statement, slot: tuple[Word, ...]) -> str:
    """The word before a slot, articles and the like left out."""
    place = slot[0].place
    return next((each for each in reversed(stated.order[:place]) if each not in _ARTICLES), "")


_USING = frozenset(("use", "uses", "using", "used"))
_ARTICLES = frozenset("a an the our its their my his her own".split())  # noqa: SIM905


def _does(stated: Statement, slot: tuple[Word, ...]) -> bool:
    """Whether those are who does it: before the verb, or after *by*."""
    verb = next((word.place for word in stated.words if word.stem in _DONE_BY_ONE), -1)
    return _leading(stated, slot) == "by" or slot[-1].place < verb


def _is_said_to_be(slot: tuple[Word, ...]) -> bool:
    return slot[0].before in {"is", "are", "named", "called"}
