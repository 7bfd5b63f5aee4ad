"""Patterns that are compiled when they are first used: whoever needs few does not wait for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """A regular expression. Only what is asked of it here is known of it."""

    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    sub: Callable[..., str]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in ("match", "search", "finditer", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
