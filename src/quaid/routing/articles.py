"""`a` or `an`, before a word that has taken another's place.

Other languages have an `a` that is no article (`il a oublié`, `voy a Oviedo`): nothing is done where no word
says that this is English, nor to somebody who writes otherwise (`an hotel`).
"""

from __future__ import annotations

import re

_ARTICLE = re.compile(r"(\ban?|^An?)( +)(?=(\w+))")
# Words that do not sound as their first letter does: a union, an hour, an 8.
_VOWEL = re.compile(
    r"(?!uni(?![mnd])|us[aeu]|ut[ei]|eu|one\b|once\b)[aeiou]|hour|hono|heir|honest|8|1[18](?!\d)",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|and|with|about|this|that|from|not|is)\b", re.IGNORECASE)


def with_articles(made: str, line: str, said: str = "") -> str:
    """A new wording of a line with the articles that its new words ask for."""
    own = [*_ARTICLE.finditer(line)]
    if not _ENGLISH.search(f"{line} {said}") or not all(each[1].lower() == _right(each) for each in own):
        return made
    known = {(each[1].lower(), each[3].lower()) for each in (*own, *_ARTICLE.finditer(said))}

    def article(found: re.Match[str]) -> str:
        if (found[1].lower(), found[3].lower()) in known:
            return found[0]
        right = _right(found)
        return (right.capitalize() if found[1][0].isupper() else right) + found[2]

    return _ARTICLE.sub(article, made)


def _right(found: re.Match[str]) -> str:
    """The article that belongs there; of capitals (MRI, NASA) nobody knows how they are spoken."""
    article, _, word = found.groups()
    if len(word) > 1 and word.isupper():
        return str(article).lower()
    return "an" if _VOWEL.match(word) else "a"
