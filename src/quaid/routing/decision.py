"""Which line a sentence changes, by what a network says of each: a few, read together with the sentence.

What the rules find counts too, and what the safeguards forbid is not done. Where the network is not sure, a
sentence is something new: that costs less than a line that is changed by mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import get_args

from quaid.model.record import record
from quaid.routing import days, manners, safeguards
from quaid.routing.amendments import ORDERS, Action
from quaid.routing.finder import Fit, Line
from quaid.routing.likely_lines import Likely
from quaid.routing.lists import APPOINTMENTS, key_of

ACTIONS: tuple[Action, ...] = get_args(Action)
# How probable it must be that a line is meant: by the network alone, and where the rules say so too.
ALONE, AGREED = 0.7, 0.15
FURTHER = 0.85  # where a sentence says that it adds something
OVERRULED = 0.9  # where the rules say that another line is meant
ENDED = 0.75  # where what is agreed is to go, though the rules do not say so
LEAST = 1e-4  # of a share by which something is divided
EQUAL = 0.6  # a line that is meant as much as that, beside the one that is meant best, is meant as well

Odds = Sequence[float]  # of a line: that it is unrelated, and of each action
Reader = Callable[[str, Sequence[str]], Sequence[Odds | None]]


@record
class Decision:
    """What is done to a line; of several, it is not clear which is meant."""

    action: Action
    lines: tuple[Line, ...]


@record
class _Meant:
    likely: Likely
    action: Action
    odds: float


def decided(
    said: str, found: Sequence[Likely], reader: Reader, fit: Fit | None, today: date | None
) -> Decision | None:
    """What a sentence does to which of the likely lines; `fit` is what the rules make of it."""
    known = key_of(said)
    if (safeguards.is_addition(said) and not fit) or any(key_of(each.line.text) == known for each in found):
        return None
    order = manners.is_order(said)
    allowed = {
        each: [
            action
            for action in ACTIONS
            if safeguards.allows(said, action, each.line.text, today)
            and not (order and action == "corrected" and each.line.stem != ORDERS)
        ]
        for each in found
    }
    asked = [each for each in found if allowed[each]]
    if not asked:
        return None
    told = zip(asked, reader(said, [each.shown for each in asked]), strict=True)
    meant = sorted(
        _weighed([(each, allowed[each], odds) for each, odds in told if odds], fit),
        key=lambda each: each.odds,
        reverse=True,
    )
    agreed = [each for each in meant if fit and each.likely.line in fit.lines and each.odds >= AGREED]
    if fit and len(fit.lines) > 1 and len(agreed) > 1:
        return Decision(fit.amendment.action, fit.lines)
    equals = _equals(meant, fit)
    least = FURTHER if safeguards.is_further(said) else ALONE
    sure = meant[:1] if meant and sum(each.odds for each in equals) >= least else []
    if agreed and sure and sure[0] not in agreed and sure[0].odds < OVERRULED:
        sure = []
    best = sure or agreed[:1]
    if not best:
        return None
    action = best[0].action
    if fit and best[0].likely.line in fit.lines and "corrected" not in (action, fit.amendment.action):
        action = fit.amendment.action  # whether it is ticked or goes, words tell best
    lines = tuple(each.likely.line for each in equals) if sure else (best[0].likely.line,)
    return Decision(action, lines)


def _weighed(told: Sequence[tuple[Likely, Sequence[Action], Odds]], fit: Fit | None) -> Iterator[_Meant]:
    """How probable it is that each line is meant, of all of them and none."""
    ratios = [(1 - odds[0]) / max(odds[0], LEAST) for _, _, odds in told]
    whole = 1 + sum(ratios)
    for (likely, allowed, odds), ratio in zip(told, ratios, strict=True):
        each = {
            action: odds[1 + ACTIONS.index(action)] / max(1 - odds[0], LEAST) * ratio / whole
            for action in allowed
        }
        ending = {
            action: share
            for action, share in each.items()
            if action == "corrected" or _may_end(likely.line, fit, share)
        }
        if ending:
            yield _Meant(likely, max(ending, key=lambda action: ending[action]), sum(ending.values()))


def _may_end(line: Line, fit: Fit | None, share: float) -> bool:
    """Whether a line may go by what the network says: what is to be done ends, what is known does not."""
    if fit is not None and line in fit.lines:
        return True
    return line.path.startswith("lists/") and (line.stem != APPOINTMENTS or share >= ENDED)


def _equals(meant: Sequence[_Meant], fit: Fit | None) -> Sequence[_Meant]:
    """The line that is meant best, with one that is meant about as well."""
    best = meant[:1]
    if not best or (not best[0].likely.shared and best[0].likely.just_said):
        return best  # it names nothing, and speaks of what was just said
    if fit and fit.lines == (best[0].likely.line,):
        return best
    top = [each for each in meant if each.odds >= EQUAL * best[0].odds and each.odds >= AGREED]
    same = {key_of(days.undated(each.likely.line.text)) for each in top}
    return top if len(same) > 1 else best
