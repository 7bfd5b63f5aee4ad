"""A knowledge base: a git repository of org nodes with one safe way to write."""
