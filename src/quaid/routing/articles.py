"""`a` or `an`, before a word that has taken another's place."""

from __future__ import annotations

import re

_ARTICLE = re.compile(r"(\ban?|^An?)( +)(?=(\w+))")
# Words that do not sound as their first letter does: a union, an hour, an 8.
_VOWEL = re.compile(
    r"(?!uni|us[aeiu]|ut[ei]|eu|one|once)[aeiou]|hour|hono|heir|honest|8|1[18]\b", re.IGNORECASE
)


def with_articles(made: str, *known: str) -> str:
    """A text with the articles that its words ask for, except where a known text has the two together."""
    said = {_pair(each) for text in known for each in _ARTICLE.finditer(text)}

    def article(found: re.Match[str]) -> str:
        if _pair(found) in said:
            return found[0]
        right = "an" if _VOWEL.match(found[3]) else "a"
        return (right.capitalize() if found[1][0].isupper() else right) + found[2]

    return _ARTICLE.sub(article, made)


def _pair(found: re.Match[str]) -> tuple[str, str]:
    return found[1].lower(), found[3].lower()
