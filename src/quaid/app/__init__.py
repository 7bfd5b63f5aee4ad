"""The composition root: settings and a memory become an App."""

from quaid.app.app import App, Surroundings, open_app
from quaid.app.discovery import Place, find_memory, user_memory

__all__ = ["App", "Place", "Surroundings", "find_memory", "open_app", "user_memory"]
