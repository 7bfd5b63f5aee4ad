"""What there is to say after a write."""

from __future__ import annotations

from typing import Any

from quaid.errors import QuaidError
from quaid.kb.gate import Written
from quaid.model.actor import present_actor
from quaid.operations.kb.app import KbApp

_TOLD = 5  # findings besides the answer: an agent pays for each


def notices_of(written: Written) -> tuple[str, ...]:
    """What a person should know besides the answer."""
    findings = [f"{each.path}:{each.line}: {each.message}" for each in written.findings[:_TOLD]]
    more = len(written.findings) - _TOLD
    findings += [f"{more} more findings; `ai-kb lint` lists them"] if more > 0 else []
    return (*written.notices, *findings)


def known_to_memory(app: KbApp, data: dict[str, Any]) -> dict[str, Any]:
    """Bring an open memory into step with what was committed. That it fails does not undo the commit."""
    follow = app.around.memories.follow
    if follow is None:
        return data
    try:
        follow(app, dict.fromkeys(data["paths"], present_actor()))
    except QuaidError as error:
        notice = f"the memory does not know of it yet: {error.message}"
        return data | {"notices": [*data.get("notices", ()), notice]}
    return data
