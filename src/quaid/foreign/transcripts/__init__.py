"""Transcripts of conversations with agents: what clients write -> turns. No I/O, and nothing raises."""

from __future__ import annotations

from quaid.foreign.transcripts.turn import Context, Parsed, Turn

__all__ = ["Context", "Parsed", "Turn"]
