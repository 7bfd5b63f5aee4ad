"""Which client wrote a file."""

from __future__ import annotations

from typing import Literal

from quaid.foreign.transcripts.turn import parsed_line

Client = Literal["claude", "codex", "opencode", "plain", "markdown"]
_LOOKED_AT = 20  # lines


def client_of(name: str, beginning: bytes) -> Client | None:
    """The client whose transcript a file is, by its name and its first lines; None if it is none."""
    lowered = name.lower()
    if lowered.endswith((".md", ".markdown")):
        return "markdown"
    if not lowered.endswith((".jsonl", ".ndjson", ".jsonl.zst")):
        return None
    for line in beginning.split(b"\n")[:_LOOKED_AT]:
        found = parsed_line(line)
        if found is None:
            continue
        if "payload" in found or found.get("record_type") == "state":
            return "codex"
        if "sessionId" in found or "parentUuid" in found or found.get("type") == "summary":
            return "claude"
        if "role" in found or "content" in found or "message" in found:
            return "plain"
    if lowered.startswith("rollout-"):
        return "codex"
    return "plain" if lowered.endswith((".jsonl", ".ndjson")) else None
