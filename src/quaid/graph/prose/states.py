"""States of things, companies and people, as fields name them, and which of them exclude each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quaid.formats.slugs import fold
from quaid.graph.prose.phrasebook import sections

# What cannot hold with what: a field's state, and those that sentences may tell of.
_APART: Mapping[str, frozenset[str]] = {
    "planned": frozenset(("begun", "done", "won", "dead")),
    "open": frozenset(("done", "won", "dead", "paused")),
    "talks": frozenset(("done", "won", "dead")),
    "paused": frozenset(("begun", "done", "won", "dead")),
    "done": frozenset(("open", "dead")),
    "won": frozenset(("open", "dead")),
    "dead": frozenset(("open", "done", "won", "begun")),
    "alive": frozenset(("dead",)),
    "independent": frozenset(("dead",)),
}


@cache
def _families() -> Mapping[str, str]:
    return {fold(line): family for family, lines in sections("fields") for line in lines}


def state_of(text: str) -> str | None:
    """The state that a field names."""
    families, plain = _families(), fold(text)
    if plain in families:
        return families[plain]
    spoken = plain.split()
    known = {families[word] for word in spoken if word in families}
    return known.pop() if len(known) == 1 and len(spoken) <= 3 else None


def are_apart(field: str, told: str, kind: str) -> bool:
    """Whether a field's state and one that is told of a thing of this kind cannot both be."""
    state = state_of(field)
    if kind == "company" and state == "open":
        state = "alive"
    return told in _APART.get(state or "", ())
