"""What the memory says to an agent at moments of its session."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from quaid.app import App
from quaid.graph import upkeep as judgement
from quaid.graph.upkeep import FINISHED
from quaid.operations.kb_place import nudge_line
from quaid.operations.text import counted, shown
from quaid.store import statistics, upkeep

DAYS_AHEAD = 7
NAMED = 3  # items of a kind
MANY = 20_000  # pages; among more, looking for what is due takes longer than a session's start may
MOST = 9_000  # characters; what is longer does not reach a model as it is

# What clients call these moments, folded.
_CLIENT_NAMES = {
    "sessionstart": "session-start",
    "userpromptsubmit": "prompt",
    "beforeagent": "prompt",
    "precompact": "pre-compact",
    "precompress": "pre-compact",
    "stop": "stop",
    "afteragent": "stop",
    "sessionend": "session-end",
}
EVENTS = tuple(dict.fromkeys(_CLIENT_NAMES.values()))


def event_of(name: str | None, given: dict[str, Any]) -> str:
    """Which event is meant: as it was named, or as the client's own input calls it; empty if none is."""
    for word in (name, given.get("hook_event_name")):
        if isinstance(word, str):
            known = (
                word if word in EVENTS else _CLIENT_NAMES.get(word.replace("-", "").replace("_", "").lower())
            )
            if known:
                return known
    return ""


def read_input(data: bytes) -> dict[str, Any]:
    """What a client has said; nothing if that cannot be understood."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def answer(event: str, given: dict[str, Any], open_memory: Callable[[], App]) -> dict[str, Any]:
    """What a client is told."""
    if event != "session-start":
        return {}
    text = opening(open_memory())
    called = given.get("hook_event_name")
    name = called if isinstance(called, str) and called else "SessionStart"
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text[:MOST]}}


def opening(app: App) -> str:
    """What an agent should know of its memory when a session begins."""
    with app.store.read() as connection:
        pages = statistics.page_count(connection)
        count, doubts = upkeep.contradictions(connection, NAMED)
        rows = upkeep.due(connection) if pages <= MANY else []
    items = [
        each
        for each in judgement.due_items(rows, app.today())
        if each.state not in FINISHED and each.days is not None and each.days <= DAYS_AHEAD
    ]
    held = counted(pages, "page") if pages else "no page yet"
    lines = [
        f"You have a memory, Quaid, with {held}: people, projects, decisions, facts and when they were true.",
        "Look there before you answer from general knowledge or ask the person: memory_query finds pages by "
        "meaning, memory_search by words, memory_get reads one. Keep what will matter later, with its "
        "source: memory_put, memory_timeline_add.",
    ]
    if items:
        named = "; ".join(
            f"{shown(each.title)} ({each.due}{', overdue' if each.overdue else ''})" for each in items[:NAMED]
        )
        lines.append(f"Due within {DAYS_AHEAD} days: {_listed(named, len(items))}.")
    if count:
        named = "; ".join(shown(each.description) for each in doubts)
        lines.append(f"Contested: {_listed(named, count)}.")
    lines += filter(None, [nudge_line(app)])
    return "\n".join(lines)


def _listed(named: str, count: int) -> str:
    return named if count <= NAMED else f"{named}; and {count - NAMED:,} more"
