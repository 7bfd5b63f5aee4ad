"""What a page's sentences are read for: what could stand against something, and whom they may name.

Most pages say nothing that stands against anything. To look for every phrase there would take long.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from quaid.graph.prose.subjects import Kind, Voice
from quaid.model.record import record

_JOBS = frozenset(("works_at", "is_ceo_of", "is_cto_of", "is_cfo_of", "is_coo_of", "member_of", "role"))
_STATED = frozenset(("status", "stage"))
_OWNED = frozenset(("owner", "owned_by", "assigned_to", "lead", "assignee", "responsible", "status"))
_PLACES = frozenset(("based_in", "lives_in", "place", "venue"))
_SUMS = frozenset(("value", "price", "round"))
# For each thing that sentences say, the facts against which it may stand; for others, facts of the same name.
_AGAINST: Mapping[str, frozenset[str]] = {
    "status": _STATED,
    "died": _JOBS | _PLACES | _STATED | {"reports_to", "attended"},
    "retired": _JOBS | _STATED,
    "tie": _JOBS | {"board_member_of", "advises", "affiliated_with", "studies_at"},
    "job": _JOBS,
    "works_at": _JOBS,
    "role": _JOBS,
    "post": frozenset(("ceo", "cto", "cfo", "coo", "chair", "president", "treasurer")),
    "based_in": _PLACES,
    "lives_in": _PLACES,
    "place": _PLACES,
    "value": _SUMS,
    "round": _SUMS,
    "owner": _OWNED,
    "owned_by": _OWNED,
    "attends": frozenset(("attended_by",)),
    "boss": frozenset(("reports_to",)),
    "contact": frozenset(("email", "phone")),
    "age": frozenset(("born_on",)),
    "anniversary": frozenset(("founded_in",)),
    "married_to": frozenset(("married_to", "marital_status", "status")),
    "owns": frozenset(("owns", "has", "car", "drives", "pets", "pet", "property")),
}
_EVERY_TEXT = frozenset(("person", "company"))  # of these, texts are set against each other
_WORDS = re.compile(r"\w+")


@record
class Interest:
    """What may be said of a page's own subject that matters (None for everything), and of whom else."""

    kind: Kind
    own: frozenset[str]
    predicates: frozenset[str] | None
    people: People | None  # None for anybody

    def names_others(self, spoken: Collection[str], text: str) -> bool:
        """Whether a text of these words may speak of another page."""
        return self.people is None or self.people.are_named(spoken, text, self.own)


def is_wanted(predicate: str, kinds: Collection[str], wanted: frozenset[str] | None, kind: Kind) -> bool:
    """Whether it matters what is said by a predicate, of things of these kinds."""
    if kind and kinds and kind not in kinds:
        return False
    return wanted is None or predicate.split(".")[0] in wanted


@record
class People:
    """Names of the pages of which others may tell, by their first words."""

    by_first: Mapping[str, tuple[frozenset[str], ...]]

    def are_named(self, spoken: Collection[str], text: str, besides: frozenset[str]) -> bool:
        """Whether a text of these words has all words of a name besides those of its own subject."""
        words = set(spoken)
        for word in words & self.by_first.keys():
            for name in self.by_first[word]:
                if name <= words and not name <= besides and (len(name) > 1 or _as_name(word, text)):
                    return True
        return False


def _as_name(word: str, text: str) -> bool:
    """Whether a single word stands as a name somewhere: in capitals, or in a link."""
    return word.capitalize() in text or word.upper() in text or "[[" in text


def people(names: Iterable[str]) -> People:
    """The people and things that these names are of."""
    found: dict[str, set[frozenset[str]]] = {}
    for name in names:
        words = _WORDS.findall(name.lower())[-6:]
        if words and len("".join(words)) > 3:
            found.setdefault(words[0], set()).add(frozenset(words))
    return People({first: tuple(each) for first, each in found.items()})


def matter(held: Collection[str], spoken: Collection[str]) -> bool:
    """Whether sentences can stand against one of these facts."""
    return any(not _AGAINST.get(predicate, frozenset((predicate,))).isdisjoint(held) for predicate in spoken)


def interest(voice: Voice, held: Collection[str], spoken: Collection[str], others: People | None) -> Interest:
    """What is read out of a page of which these facts hold; `spoken` are all things that can be said."""
    if voice.kind in _EVERY_TEXT:
        return Interest(voice.kind, voice.own, None, others)
    against = {
        predicate.split(".")[0]
        for predicate in spoken
        if not _AGAINST.get(predicate, frozenset((predicate,))).isdisjoint(held)
    }
    return Interest(voice.kind, voice.own, frozenset(against), others)
