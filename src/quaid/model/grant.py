"""What somebody who asks over a network may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from quaid.errors import Forbidden
from quaid.model.record import record

Right = Literal["read", "write", "own"]
RIGHTS: tuple[Right, ...] = get_args(Right)  # each has what those before it have


@record
class Grant:
    """A token's name and rights; without collections, it is about all of them."""

    name: str
    can: Right
    collections: tuple[str, ...] = ()

    def covers(self, right: Right) -> bool:
        """Whether it has a right."""
        return RIGHTS.index(right) <= RIGHTS.index(self.can)

    def demand(self, right: Right, what: str) -> None:
        """Refuse an operation for which it lacks the right."""
        if not self.covers(right):
            raise Forbidden(
                f"`{what}` needs a token that may {right}; this one ({self.name}) may {self.can}",
                hint=f"The owner of the memory makes one: `quaid token add NAME --can {right}`.",
            )


OWN = Grant("", "own")  # of whoever needs no token


class Visit:
    """One request: what its token allows, and the operation that it turns out to call."""

    KEY = "quaid.visit"  # of the request's scope

    def __init__(self, grant: Grant) -> None:
        self.grant = grant
        self.operation = ""
        self.is_valid: Callable[[], bool] = lambda: True  # still: an answer may go on for days
