"""What a reader makes of a question and a passage."""

from __future__ import annotations

from typing import NamedTuple


class Reading(NamedTuple):
    """How much a passage has to do with a question, and whether it answers it.

    Of a long passage a part is read: it tells that much of whether the whole answers.
    """

    logit: float  # how much one has to do with the other
    answers: float  # the log odds that one answers the other
    share: float = 1.0  # of the passage, that was read
