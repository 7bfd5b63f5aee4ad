"""Paths that a caller names."""

from __future__ import annotations

import os
from pathlib import Path

from quaid.errors import InvalidInput


def given_path(text: str) -> Path:
    """The place that is meant, absolute; whether something is there is another question."""
    try:
        path = Path(os.path.abspath(Path(text).expanduser()))
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError, RuntimeError) as error:
        shown = text if len(text) <= 60 else text[:59] + "…"
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"{shown!r} is not a path: {reason}") from None
    if not text.strip():
        raise InvalidInput("no path is named")
    return path
