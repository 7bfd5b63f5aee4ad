"""Rules about wording that can be read: one way of saying something on each line.

A space stands for any white space (` ?` for one or none), parentheses group without capturing, a name in
braces stands for some words, and a line that ends in a backslash goes on. All else is a regular expression.
"""

from __future__ import annotations

import re
from functools import cached_property

_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_CONTINUED = re.compile(r"\\\n\s*")
_CLASS = re.compile(r"\{([A-Z]+)\}")
CLASSES = {
    "DAY": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "MONTH": r"(?:january|february|march|april|may|june|july|august|september|october|november|december)",
    "PART": r"(?:morning|afternoon|evening|night|weekend|week|month|quarter|year|day|hour|spring|summer|"
    r"autumn|winter)",
    "MUST": r"(?:need to|needs to|have to|has to|had to|got to|gotta|must|should|ought to|had better|"
    r"'d better)",
    "WE": r"(?:i|we)",
    "VERY": r"(?:really|absolutely|strongly|personally|also|still|much|just|simply|rather|definitely|"
    r"quite|kind of|"
    r"sort of|very much|usually|generally|probably|finally|at some point)",
    "NOT": r"(?:don't|dont|do not|never|not|no longer)",
    "ONCE": r"(?:tonight|today|tomorrow|this (?:morning|afternoon|evening|week|weekend))",
    "PERSON": r"(?:i|we|you|he|she|it|they|the|my|our|your|his|her|their|this|that)",
    "FINITE": r"(?:is|are|was|were|has|had|will|does|did|needs|uses|runs|starts|ends|works|costs|takes|"
    r"went|got|means)",
}


class Ways:
    """Ways of saying something; the pattern is made when it is first asked for."""

    def __init__(self, text: str, anywhere: bool) -> None:
        self._text = text
        self._start = "" if anywhere else "^"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        whole = _CONTINUED.sub("", self._text)
        lines = [_CLASS.sub(lambda found: CLASSES[found[1]], line.strip()) for line in whole.splitlines()]
        made = [_GROUP.sub("(?:", line).replace(" ?", r"\s?").replace(" ", r"\s+") for line in lines if line]
        return re.compile(f"{self._start}(?:{'|'.join(made)})", re.IGNORECASE)

    def match(self, said: str) -> re.Match[str] | None:
        """Whether a sentence begins like that."""
        return self._pattern.match(said)

    def search(self, said: str) -> re.Match[str] | None:
        """Whether it is said in a sentence."""
        return self._pattern.search(said)

    def without(self, said: str) -> str:
        """A sentence without the first place where it is said."""
        return self._pattern.sub("", said, count=1)


def ways(text: str, *, anywhere: bool = False) -> Ways:
    """What fits any of the lines, at the beginning of a sentence or anywhere in it."""
    return Ways(text, anywhere)
