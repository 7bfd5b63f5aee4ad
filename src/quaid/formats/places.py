"""Cities and countries that everybody knows, folded: those of `places.txt`."""

from __future__ import annotations

from pathlib import Path

from quaid.formats.phrase_files import sections
from quaid.formats.slugs import fold


def _names(kind: str) -> frozenset[str]:
    """Names of one word, of which a line has many, and longer ones, of which it has one."""
    known = sections(Path(__file__).with_name("places.txt"))
    return frozenset(map(fold, (*" ".join(known[kind]).split(), *known[f"long {kind}"])))


COUNTRIES = _names("countries")
CITIES = _names("cities")
