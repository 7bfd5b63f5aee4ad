"""The person's home directory."""

from __future__ import annotations

import os

NO_HOME = os.path.join(os.devnull, "home")  # where not even root could make anything


def home_directory() -> str:
    """The person's home directory; for a user who has none, one that is not there."""
    home = os.path.expanduser("~")
    return home if os.path.isabs(home) else NO_HOME
