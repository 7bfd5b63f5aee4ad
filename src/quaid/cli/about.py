"""The commands that tell of the program."""

from __future__ import annotations

import platform
from pathlib import Path

import apsw

from quaid import __version__
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.store.migrations import SCHEMA_VERSION
from quaid.system import missing


def version(session: Session, given: Given) -> int:
    """Say which version of what runs."""
    facts: dict[str, object] = {
        "quaid": __version__,
        "schema": SCHEMA_VERSION,
        "sqlite": apsw.sqlite_lib_version(),
        "python": platform.python_version(),
    }
    lines = [f"{name:7} {value}" for name, value in facts.items()]
    lacking = missing()
    if lacking:
        facts["missing"] = list(lacking)
        lines += ["This system lacks:", *(f"  {what}" for what in lacking)]
    return session.console.answer(facts, "\n".join(lines))


def print_completion(session: Session, given: Given) -> int:
    """Print a script that completes commands, slugs, types and tags."""
    script = Path(__file__).with_name(f"completion.{given.values['shell']}").read_text(encoding="utf-8")
    return session.console.answer({"script": script}, script)
