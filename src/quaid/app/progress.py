"""How far the texts of a memory are embedded."""

from __future__ import annotations

from quaid.model.record import record


@record
class Progress:
    """How far the texts of a memory are embedded, and who goes on with it.

    `background` is `working`, `waiting` (for the next command that has it started), `off`, or why not.
    """

    texts: int
    embedded: int
    background: str
    worker: int | None = None  # the process that embeds now
    per_second: float | None = None
    seconds_left: int | None = None
    problem: str | None = None

    @property
    def text(self) -> str:
        """The same for people."""
        left = f", {time_left(self.seconds_left)}" if self.worker and self.seconds_left else ""
        return f"{self.share}{left}"

    @property
    def share(self) -> str:
        """How far it is, whether anybody goes on with it or not."""
        return f"{self.embedded:,} of {self.texts:,} texts embedded"


def time_left(seconds: int | None) -> str:
    """How long it will take, as people say it."""
    if seconds is None:
        return ""
    if seconds < 90:
        return "about a minute left" if seconds > 30 else "less than a minute left"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min left"
    return f"about {round(seconds / 3600)} h left"
