"""What a page states in a field or a fact."""

from __future__ import annotations

import re
from functools import lru_cache

from quaid.model.interval import Interval
from quaid.model.record import record

LONGEST_VALUE = 60  # characters of a value that are embedded
LEAST_DIGITS = 7  # of a number that people type without what groups it

_SEPARATORS = re.compile(r"[\s_./-]+")
_NUMBER = re.compile(r"\+?[\w()][\w ()/.-]*", re.ASCII)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+\Z|\S+@\S+\Z", re.IGNORECASE)
_CODE = re.compile(r"(?=\S*\d)[\w.:/-]{9,}\Z|[0-9a-f]{8,}\Z", re.ASCII)
_IDENTITY = re.compile(r"(?:\b|_)(?:id|uid|uuid|key|hash|url|uri|link)s?\Z|[a-z]I[dD]\Z")
_DIGITS = re.compile(r"\d[\d.,]*")
_DAY = re.compile(r"\d{4}-\d\d(?:-\d\d)?\Z")


@record
class Statement:
    """One thing that a page states. `subject` is what it is about, where that is not the page itself."""

    name: str
    value: str
    valid: Interval = Interval()
    subject: str = ""
    fact: bool = False

    @property
    def words(self) -> str:
        """What a question is compared with to see whether this is what it asks for.

        One day and one number stand for all: so the fields of many pages share their vectors.
        """
        if not self.is_telling:
            return self._name
        typical = "2026-01-01" if _DAY.match(self.value) else _DIGITS.sub("100", self._short)
        return f"{self._name}: {typical}"

    @property
    def sentence(self) -> str:
        """As a person would say it."""
        return f"{self._name}: {self._short}"

    @property
    def line(self) -> str:
        """As a line in which words are looked for. A long number stands there without blanks too."""
        joined = _joined_number(self.value)
        return f"{self.subject} {self.name}: {self.value}{f' ({joined})' if joined else ''}".strip()

    @property
    def _name(self) -> str:
        return " ".join(f"{self.subject} {_SEPARATORS.sub(' ', self.name)}".split())

    @property
    def _short(self) -> str:
        if len(self.value) <= LONGEST_VALUE:
            return self.value
        return self.value[:LONGEST_VALUE].rsplit(" ", 1)[0]

    @property
    def is_telling(self) -> bool:
        """Whether its value means something by itself: an address or a code does not."""
        if _DAY.match(self.value):
            return True
        code = _ADDRESS.match(self.value) or _CODE.match(self.value) or _joined_number(self.value)
        return not (code or _IDENTITY.search(self.name))


@lru_cache(maxsize=256)  # the lines, the chunk and the items of one page ask for those of its values
def _joined_number(value: str) -> str:
    """A number of a telephone, an account or the like as people type it who leave out what groups it."""
    if not _NUMBER.fullmatch(value) or _DAY.match(value):
        return ""
    joined = "".join(character for character in value if character.isalnum())
    digits = sum(character.isdigit() for character in joined)
    return joined if digits >= LEAST_DIGITS and joined != value else ""
