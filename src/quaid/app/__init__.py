"""The composition root: settings and a memory become an App."""

from quaid.app.app import App, Surroundings
from quaid.app.discovery import find_memory, user_memory
from quaid.app.entrance import open_app

__all__ = ["App", "Surroundings", "find_memory", "open_app", "user_memory"]
