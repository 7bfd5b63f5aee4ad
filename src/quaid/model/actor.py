"""Who does something to the memory: a person, an agent, a program; or whoever edits files beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from quaid.model.record import record

Kind = Literal["human", "agent", "program", "token", "edit", "git", "import"]
LONGEST = 60  # characters of a name, a version or a session


@record
class Actor:
    """Somebody, in a session of theirs.

    `human` is a person at a terminal, `agent` a program that says that an agent runs in it, `program` any
    other one, `token` whoever has that token of a server, `edit` a hand in the files, `git` the author of a
    commit that brought a file, `import` somebody who copied pages in.
    """

    kind: Kind
    name: str = ""
    version: str = ""
    session: str = ""

    @property
    def label(self) -> str:
        """What people call them."""
        name = f"{self.name} {self.version}".strip()
        if self.kind in ("agent", "program"):
            return name or self.kind
        return f"{self.kind} {name}".strip()

    @property
    def is_person(self) -> bool:
        """Whether a person's own hand wrote."""
        return self.kind in ("human", "edit")


EDIT = Actor("edit")
_acting: ContextVar[Actor] = ContextVar("actor", default=Actor("program"))  # noqa: B039  # it is frozen


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Let what is done in the block be done by somebody."""
    token = _acting.set(actor)
    try:
        yield
    finally:
        _acting.reset(token)


def present_actor() -> Actor:
    """Who acts now; a program without a name where nobody says so."""
    return _acting.get()
