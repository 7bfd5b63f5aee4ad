"""What was looked at, how it is, and what to do about it."""

from __future__ import annotations

from typing import Literal

from quaid.model.record import field, record

Grade = Literal["ok", "warning", "problem"]


@record
class Check:
    """One thing that was looked at."""

    name: str
    grade: Grade
    message: str
    hint: str = field(default="")  # what mends it
