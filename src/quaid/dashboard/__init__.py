"""The dashboard: the memory in the person's browser."""
