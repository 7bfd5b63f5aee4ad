"""What an answer costs whoever reads it: all that is delivered counts, the JSON around the texts too."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from quaid.app import App
from quaid.embed.tokens import estimate_tokens
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

R = TypeVar("R")
CLOSE = 16  # tokens: no closer to the budget is looked for


def delivery(app: App, operation: Operation[Any, Any], result: Any) -> str:
    """A result as the surface writes it out; JSON where it does not say."""
    if app.spelled:
        return app.spelled(operation, result)
    import json  # a surface that writes text does without

    return json.dumps(as_data(result), ensure_ascii=False)


def largest_fit(made: Callable[[int], R], budget: int, size: Callable[[R], int]) -> R:
    """The largest of some answers whose size is within a budget; the least one where none is.

    `made` makes an answer whose texts have so many tokens in all.
    """
    answer = made(budget)
    cost = size(answer)
    if cost <= budget:
        return answer
    best, low, high = made(0), 0, budget
    room = max(1, budget - (cost - budget))
    while high - low > CLOSE or (low == 0 and high > 1):
        answer = made(room)
        cost = size(answer)
        if cost <= budget:
            best, low = answer, room
        else:
            high = room
        room = (low + high) // 2
    return best


@lru_cache(256)
def text_tokens(text: str) -> int:
    """About how many tokens a text has within an answer: as JSON writes it, whose marks are tokens too."""
    return estimate_tokens(text) + sum(map(text.count, '\n"\\'))


def counter(app: App, operation: Operation[Any, Any]) -> Callable[[Any], int]:
    """Counts the tokens of a result as it is delivered."""
    return lambda result: estimate_tokens(delivery(app, operation, result))
