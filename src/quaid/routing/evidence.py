"""How probable it is that a sentence changes a line: what a network says, weighed with what rules say.

A linear model weighs them. `tools/fit_changes.py` fits it to sentences of authors whom the network has not
read; `changes.json` has its weights.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from quaid.routing import conservation, manners, safeguards, wordings
from quaid.routing.amendments import ORDERS
from quaid.routing.finder import Fit, names_of
from quaid.routing.likely_lines import Likely
from quaid.routing.lists import APPOINTMENTS
from quaid.routing.patterns import grammar
from quaid.routing.stems import fillers, stems
from quaid.routing.values import without_values

FILE = Path(__file__).with_name("changes.json")
LEAST = 1e-4  # of a share by which something is divided
_WHEN = grammar("days", r"\b{NEAR}\b")
FARTHEST = 6.0  # of a logarithm of odds

Odds = Sequence[float]  # of a line: that it is unrelated, and of each action


def shares(told: Sequence[Odds]) -> list[float]:
    """How probable it is that each of some lines is meant, of all of them and none, by the network alone."""
    ratios = [(1 - odds[0]) / max(odds[0], LEAST) for odds in told]
    whole = 1 + sum(ratios)
    return [ratio / whole for ratio in ratios]


def all_signs(
    said: str, found: Sequence[Likely], told: Sequence[Odds], fit: Fit | None, today: date | None
) -> list[list[float]]:
    """All that is weighed of a sentence and each of some lines."""
    own = shares(told)
    return [
        signs(said, each, odds, share, fit, today) for each, odds, share in zip(found, told, own, strict=True)
    ]


def signs(
    said: str, likely: Likely, odds: Odds, share: float, fit: Fit | None, today: date | None
) -> list[float]:
    """All that is weighed of a sentence and a line."""
    line = likely.line
    asked, own = stems(without_values(said)) - fillers(), stems(without_values(line.text)) - fillers()
    shared = asked & (own | names_of(line))
    fresh = conservation.news(said, line.text, today)
    words = sum(each.startswith("word:") for each in fresh)
    is_list = line.path.startswith("lists/")
    fits = fit is not None and line in fit.lines
    cued = safeguards.is_cued(said)
    ended = safeguards.ends(said)
    ending = odds[2] + odds[3]
    exchange = wordings.exchanged(line.text, said, today) is not None
    strong = safeguards.is_cued_strongly(said)
    # Without a word of change, or with more than another value, it takes more to change a line.
    objected = float(ending <= odds[1] and not safeguards.is_correction(said, line.text, today))
    unsaid = float(ending > odds[1] and not ended)
    return [
        1.0,
        _logit(share),
        _logit(1 - odds[0]),
        _logit(ending / max(odds[1] + ending, LEAST)),
        float(fits),
        float(fits and fit is not None and len(fit.lines) == 1),
        float(fit is not None and not fits),
        float(cued),
        float(ended),
        unsaid,
        float(ending <= odds[1] and not cued and not exchange),
        float(ending <= odds[1] and exchange),
        float(safeguards.is_further(said)),
        float(safeguards.is_addition(said)),
        float(manners.is_order(said) and line.stem != ORDERS),
        float(not safeguards.shares_names(said, line.text)),
        float(safeguards.is_appointment(said, today)),
        float(likely.just_said),
        float(is_list),
        float(is_list and ending <= odds[1] and line.stem != APPOINTMENTS and not cued and not fits),
        float(is_list and manners.is_taste(said) and not fits),
        float(line.stem == APPOINTMENTS),
        float(ending > odds[1] and not is_list),
        len(shared) / max(len(asked), 1),
        len(shared & own) / max(len(own), 1),
        float(not shared),
        min(words, 8) / 4,
        min(len(fresh) - words, 3) / 2,
        min(len(said.split()), 20) / 10,
        float(strong),
        float(not strong and not ended and words > 0),
        float(not cued and words > 0),
        float(not strong and _WHEN.search(said) is not None),
        float(not strong and safeguards.has_rival(said, line.text)),
        float(not strong and exchange and len(fresh) - words > 1),
        objected,
        objected * _logit(share),
        unsaid * _logit(share),
    ]


def probability(found: Sequence[float]) -> float:
    """How probable a change is by its signs."""
    total = sum(one * weight for one, weight in zip(found, _weights(), strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def _logit(share: float) -> float:
    share = min(1 - LEAST, max(LEAST, share))
    return max(-FARTHEST, min(FARTHEST, math.log(share / (1 - share))))


@cache
def _weights() -> tuple[float, ...]:
    held: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(held["weights"])
