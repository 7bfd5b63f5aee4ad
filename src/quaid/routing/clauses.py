"""The clauses of a sentence: what is said, and what is said besides, such as the reason for it."""

from __future__ import annotations

import re

MOST = 6
_PUNCTUATED = re.compile(
    r"\s*[,;–—]\s+(?:(?:so|and|but|as|because|since|cos|which|though|then)\s+)*|\s+-\s+|\s*[.!?]+\s+(?=\S)|:\s+(?=\w+\s\w)"
    r"|\s+(?:so|because|cos|since|seeing as|as)\s+"
    r"(?=(?:i|we|you|he|she|they|it|that|the|this|there|please|no|forget|drop|delete|remove|take|strike|scratch|"
    r"my|our)\b)",
    re.IGNORECASE,
)
# Somebody who dictates says no commas: "skip the cream we found some".
_DICTATED = re.compile(
    r"(?<!\bthat)(?<!\bwhat)(?<!\bwhich)(?<!\bwho)(?<!\bif)(?<!\bwhen)(?<!\bthan)(?<!\bsaid)(?<!\bas)(?<!\bhow)"
    r"(?<!\bwhere)(?<!\bthink)(?<!\bif)\s+(?:and\s+)?"
    r"(?=(?:i|we|they|he|she|it's|its|they're|there's|that's)\s+(?:[\w']+\s)*[\w'])|\s+and\s+(?=\S+\s\S)",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[list[str]]:
    """The clauses of a sentence, by its punctuation, and where it can also be cut without any."""
    plain = [each.strip() for each in _PUNCTUATED.split(sentence) if each.strip()]
    finer = [part.strip() for each in plain for part in _DICTATED.split(each) if part and part.strip()]
    return [each for each in ([plain, finer] if finer != plain else [plain]) if len(each) <= MOST]
