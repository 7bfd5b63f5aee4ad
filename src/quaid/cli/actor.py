"""Who uses the command line, as far as can be told."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from quaid.model.actor import Actor
from quaid.trust import agent_of, session_of

NAME = "QUAID_ACTOR"

shell = ""  # the number of the shell in whose name this process runs a command; empty: its own


def typist(environment: Mapping[str, str]) -> Actor:
    """An agent whose program says so, a program that has a name, else a person if there is a terminal."""
    session = session_of(environment) or _shell()
    agent, name = agent_of(environment), environment.get(NAME, "")
    if agent:
        return Actor("agent", agent, session=session)
    if not name and _has_terminal():
        return Actor("human", session=session)
    return Actor("program", name, session=session)


def _has_terminal() -> bool:
    """Whether somebody may sit there: what is typed or told goes through a terminal."""
    return any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _shell() -> str:
    """The shell from which commands come, on one day: its number may be another's on the next."""
    number = shell or (os.getsid(0) if hasattr(os, "getsid") else os.getppid())
    return f"{time.strftime('%Y%m%d', time.gmtime())}-{number}"
