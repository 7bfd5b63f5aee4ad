"""Patterns that are compiled when they are first used: whoever needs few does not wait for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """A regular expression, or what makes its source. Only what is asked of it here is known of it."""

    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, source: str | Callable[[], str], flags: int = 0) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        source = self._source if isinstance(self._source, str) else self._source()
        compiled = re.compile(source, self._flags)
        for method in ("match", "fullmatch", "search", "finditer", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
