"""States of things, companies and people, as fields name them, and which of them exclude each other."""

from __future__ import annotations

import re
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
    "broken": frozenset(),
}
# States that another one's words may mean, too: a machine that is dead is broken.
_ALSO: Mapping[str, frozenset[str]] = {"broken": frozenset(("dead",))}
# A word of these families says no less than another one; a shop that is open need not be one that is running.
_FINAL = frozenset(("paused", "done", "won", "dead", "gone", "broken"))
_DENIED = re.compile(
    r"\b(?:no|not|never|until|till|was|were|if|used\s+to|nor|far\s+from|ought|should|would|says?|said|supposed\w*"
    r"|nothing|nobody|hardly|marked|listed|without)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:()–—]|\b(?:and|but|so|because|while|whereas|although|though)\b", re.IGNORECASE)


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


def says_state(field: str, text: str) -> bool:
    """Whether the last state that a sentence names is the one of a field, and is not denied."""
    families, own = _families(), state_of(field)
    named: tuple[str, str] = ("", "")
    for clause in _CLAUSE.split(text) if own else ():
        known = [word for word in re.findall(r"\w+", clause.lower()) if word in families]
        if known:
            named = ("", "") if _DENIED.search(clause) else (known[-1], families[known[-1]])
    word, state = named
    return bool(state) and (word == fold(field) or (own in _FINAL and state in {own, *_ALSO.get(own, ())}))
