"""Predicates that say the same, and what kind of value each of them has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from quaid.formats.fields import snake_case
from quaid.formats.phrase_files import sections

Kind = Literal["name", "place", "day", "amount", "count", "role"]

_WORDS = sections(Path(__file__).with_name("predicates.txt"))
SYNONYMS: Mapping[str, str] = {word: line.split()[0] for line in _WORDS["synonyms"] for word in line.split()}
_KINDS: Mapping[str, Kind] = {name: kind for kind in get_args(Kind) for name in _WORDS.get(kind, ())}

# What never changes: two values are a contradiction, whatever their days.
LASTING = frozenset(("born_on", "born_in", "died_on", "founded_in"))


def synonyms(listed: str) -> dict[str, str]:
    """The usual synonyms with what a setting lists: `hq=based_in, boss=reports_to`; `hq=` takes one away."""
    found = dict(SYNONYMS)
    for each in listed.split(","):
        name, equals, same = each.partition("=")
        if not equals or not name.strip():
            continue
        said = snake_case(name.strip())
        found.pop(said, None)
        if same.strip():
            found[said] = found.get(snake_case(same.strip()), snake_case(same.strip()))
    return found


def kind_of(predicate: str) -> Kind:
    """How values of a predicate, in its first spelling, are compared."""
    return _KINDS.get(predicate, "name")
