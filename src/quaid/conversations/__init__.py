"""Conversations with agents: transcripts read into the memory, kept beside it, found again."""
