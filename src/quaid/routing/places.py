"""The kind of place of something new, by what was learnt from sentences of many people.

The rules know phrases; what people note in a few words of their own ("PVA glue", "another stall, sat 12 dec")
they take for facts. A linear model weighs what a network makes of a sentence, what the rules say of it, and
some signs. `tools/fit_places.py` fits it to the sentences of `bench/labelled`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quaid.model.record import record
from quaid.routing import lists
from quaid.routing.lists import APPOINTMENTS, IDEAS, LINKS, READING, SHOPPING, TODOS, WATCHLIST
from quaid.routing.shelf import DAILY, Route
from quaid.routing.stems import base_of
from quaid.routing.values import values_of

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix, Vector

FILE = Path(__file__).with_name("places.json")
LIST, FACTS, CONTACTS, PREFERENCES, ORDERS = "list", "facts", "contacts", "preferences", "standing-orders"
LOG, PROJECTS = "daily-log", "projects"
USUAL = (SHOPPING, TODOS, APPOINTMENTS, IDEAS, READING, LINKS)  # lists
KINDS = (*USUAL, LIST, CONTACTS, PREFERENCES, ORDERS, FACTS, LOG, PROJECTS)
_NAMED = re.compile(r"'.*' is named")
# What the words of a sentence tell better than those of others.
_CERTAIN = re.compile(
    r": (?:it is (?:a link|an idea|to be packed|news of a project)|something to read or watch)$"
)
_VALUES = ("day", "time", "number", "token", "phone", "url", "mail", "street")
_SIGNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^[^:\s][^:]{1,30}:\s",
        r"^\W*(?:also|and|oh|plus|another)\b|\b(?:too|as well|also)\b",
        r"\b(?:today|tonight|yesterday|last night|this (?:morning|afternoon|evening)|ago|just now)\b",
        r"\b(?:was|were|had|went|came|said|told|got|did|saw|made|took|left|\w{3,}ed)\b",
        r"\b(?:is|are|has|needs?|\w+['’]s)\b",
        r"\b(?:will|gonna|going to|\w+['’]ll)\b",
        r"\b(?:maybe|perhaps|could|would|might|wonder|if|idea)\b",
        r"\b(?:i|i['’]m|i['’]ve|i['’]d|me|my|we|our|us)\b",
        r"\b(?:you|your)\b",
        r"\b(?:never|always|don['’]?t|do not|only|no|please)\b",
        r"^(?:\S+\s+){0,2}\S+$",
        r"^(?:\S+\s+){3,5}\S+$",
        r"^(?:\S+\s+){14,}",
        r"\b(?:x\s?\d|\d+\s?(?:x|kg|g|l|ml|cm|mm|m|bags?|boxes|box|packs?|rolls?|bottles?|tins?))\b",
        r"\bfor\b",
        r"[.!]$",
        r"^[^,]{2,40}(?:,[^,]{2,40}){2,}$",  # things in a row
        r"(?-i:(?<=\w )[A-Z][\w'’]+ (?:[a-z]{1,4} )?[A-Z])",  # a title or a full name
        r"\b(?:book|novel|film|movie|documentary|series|podcast|paper|article|album|read|watch|one)\b",
        r"\b(?:maybe|perhaps)[.!]*$",
        r"\?",
        r"\bfor (?:the |my |our )?[a-z]+$",
    )
)

Reading = Callable[[str], "Vector | None"]  # what a network makes of a sentence


@record
class Weights:
    """What was learnt: what the rules may say, and how much each number counts for each kind."""

    votes: tuple[str, ...]
    weights: Matrix
    bias: Vector


def kind_of(path: str) -> str:
    """The kind of place that a file is."""
    folder, _, file = path.partition("/")
    stem = file.removesuffix(".md")
    if folder == DAILY:
        return LOG
    if folder != "lists":
        return stem if stem in KINDS else FACTS
    kind = lists.kind_of(stem)
    return READING if kind == WATCHLIST else kind if kind in USUAL else LIST


def is_named(route: Route) -> bool:
    """Whether the person names the list."""
    return _NAMED.search(route.reasons[0]) is not None


def is_told(route: Route) -> bool:
    """Whether the person names the place, or the words say for certain which it is."""
    return is_named(route) or _CERTAIN.search(route.reasons[0]) is not None


def vote_of(route: Route) -> str:
    """What the rules say: the kind of place, and why."""
    return f"{kind_of(route.path)} because {route.reasons[0]}"


def numbers(said: str, vote: str, votes: Sequence[str], reading: Vector, today: date | None) -> Vector:
    """All that is weighed of a sentence."""
    import numpy as np  # 65 ms that only those pay who remember something

    found = {each.kind for each in values_of(said, today)}
    return np.array(
        [
            *reading,
            *(float(vote == each) for each in votes),
            *(float(vote.startswith(f"{kind} because")) for kind in KINDS),
            *(float(kind in found) for kind in _VALUES),
            *(float(sign.search(said) is not None) for sign in _SIGNS),
            *_past_signs(said),
        ],
        np.float32,
    )


def _past_signs(said: str) -> tuple[float, float]:
    """Whether it begins with a verb of the past, or with one after `I` or `we`."""
    first, second = (*said.lower().split()[:2], "", "")[:2]
    return float(bool(base_of(first))), float(first in ("i", "we") and bool(base_of(second)))


def learnt(said: str, route: Route, reading: Reading, today: date | None) -> str | None:
    """The kind of place where a sentence belongs, if it is another than the one that the rules found."""
    if is_told(route):
        return None
    read = reading(said)
    if read is None:
        return None
    known = _weights()
    sums = numbers(said, vote_of(route), known.votes, read, today) @ known.weights + known.bias
    kind = KINDS[int(sums.argmax())]
    return kind if kind != kind_of(route.path) else None


@cache
def _weights() -> Weights:
    import numpy as np

    held: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return Weights(
        tuple(held["votes"]), np.array(held["weights"], np.float32).T, np.array(held["bias"], np.float32)
    )
