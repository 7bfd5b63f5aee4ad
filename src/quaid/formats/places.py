"""Cities and countries that everybody knows, folded: those of `places.txt`."""

from __future__ import annotations

from pathlib import Path

from quaid.formats.phrase_files import sections
from quaid.formats.slugs import fold

_SECTIONS = sections(Path(__file__).with_name("places.txt"))


def _names(kind: str) -> frozenset[str]:
    """Names of one word, of which a line has many, and longer ones, of which it has one."""
    return frozenset(map(fold, (*" ".join(_SECTIONS[kind]).split(), *_SECTIONS[f"long {kind}"])))


COUNTRIES = _names("countries")
CITIES = _names("cities")
