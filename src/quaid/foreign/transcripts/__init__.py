"""Transcripts of conversations with agents: what clients write -> turns. No I/O, and nothing raises."""
