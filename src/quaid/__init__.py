"""Quaid: a local-first memory of pages for agents and for the person who owns it."""

__version__ = "0.1.0"
