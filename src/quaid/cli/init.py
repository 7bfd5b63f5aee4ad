"""The command that makes a memory."""

from __future__ import annotations

import os
from pathlib import Path

from quaid.app import user_memory
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.operations.foundation import make_memory
from quaid.operations.results import as_data
from quaid.operations.sync import next_step, synced_text

NEXT = "Next: `quaid collection add notes ~/notes` attaches a folder, `quaid setup --list` connects an agent."


def init(session: Session, given: Given) -> int:
    """Make a memory."""
    wanted = given.values.get("path") or session.db or session.environment.get("QUAID_DB")
    path = Path(os.path.expanduser(wanted)) if wanted else user_memory(session.home)
    made = make_memory(path, session.settings, session.surroundings, given.values.get("profile"))
    data = {"path": str(made.path), "created": made.created}
    first = f"Made a memory: {made.path}" if made.created else f"{made.path} is a memory already"
    if not made.collections:
        return session.console.answer(
            data, f"{first}\n{NEXT}" if made.created else f"{first}; nothing changed"
        )
    style = session.console.style()
    after = [next_step(each) for each in made.collections if made.created]
    return session.console.answer(
        data | {"collections": as_data(made.collections)},
        "\n".join([first, *(synced_text(each, style) for each in made.collections), *after]),
    )
