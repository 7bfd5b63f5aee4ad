"""By which rules the nodes of a knowledge base are read and checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from quaid.files import read_own
from quaid.kb.node import CREATORS
from quaid.kb.place import CONTRACT

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 1_000_000  # of a contract that are read
VERSION = 4  # raised when the same text is to be read or checked otherwise


class Rules(NamedTuple):
    """Who may write nodes: those who are known, and those whom the contract names."""

    creators: tuple[str, ...] = CREATORS

    @property
    def mark(self) -> str:
        """What tells these rules from others."""
        return " ".join((str(VERSION), *self.creators[len(CREATORS) :]))


def stated_in(contract: str) -> Rules:
    """The rules of a contract, which names agents by `#+agents:`."""
    more = re.findall(r"(?im)^[ \t]*#\+agents:(.*)$", contract) if "#+" in contract else []
    return Rules((*CREATORS, *(name for line in more for name in line.replace(",", " ").split())))


def of(root: Path) -> Rules:
    """The rules of a knowledge base."""
    try:
        return stated_in(read_own(root / CONTRACT, MOST_BYTES).decode(errors="replace"))
    except OSError:
        return Rules()
