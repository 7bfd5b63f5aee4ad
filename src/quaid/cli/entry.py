"""Where `quaid` and `ai-kb` begin: a command that a model answers is run by the process that stands by."""

from __future__ import annotations

import os
import sys

from quaid import standby

PROGRAMS = {"quaid": "quaid.cli.main", "ai-kb": "quaid.cli.ai_kb"}


def quaid() -> int:
    """The `quaid` command."""
    return _run("quaid")


def ai_kb() -> int:
    """The `ai-kb` command."""
    return _run("ai-kb")


def _run(name: str) -> int:
    words = sys.argv[1:]
    meant = standby.is_meant(words)
    if meant:
        try:
            status = standby.ran(name, words)
        except KeyboardInterrupt:
            from quaid.errors import INTERRUPTED_STATUS  # whoever is answered pays for no other import

            return INTERRUPTED_STATUS
        if status is not None:
            os._exit(status)  # nothing was written here, so nothing is left to tidy up
    from importlib import import_module  # all the rest, for those who run here

    status = int(import_module(PROGRAMS[name]).main())
    if meant and _is_typed():
        from quaid.cli.standby import launch  # only after a question of a person

        launch()
    return status


def _is_typed() -> bool:
    """Whether a person asks at a terminal, as far as our streams tell."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
