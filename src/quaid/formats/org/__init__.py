"""Org pages and nodes: one parser, for the engine and for knowledge bases."""
