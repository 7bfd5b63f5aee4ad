"""Numbers in words as figures: `one hundred and seventy-five thousand` is 175000."""

from __future__ import annotations

import re
from functools import partial

from quaid.formats.figures import NUMBER_WORDS, TENS

_SCALES = {"hundred": 100, "dozen": 12, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    **{f"{word}th": number for word, number in NUMBER_WORDS.items()},
    **{f"{word[:-1]}ieth": NUMBER_WORDS[word] for word in TENS},
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
    "hundredth": 100,
}
_WORD = "|".join(sorted((*NUMBER_WORDS, *_SCALES), key=len, reverse=True))
_RUN = re.compile(
    rf"\b(?:an?\s+(?=hundred|thousand|million|billion|dozen))?(?:{_WORD})"
    rf"(?:(?:[\s-]+|\s+and\s+)(?:{_WORD}))*\b",
    re.IGNORECASE,
)
_HALVES = (
    (re.compile(r"\bthree\s+quarters?\s+of\s+an?\s+(thousand|million|billion)\b", re.IGNORECASE), "0.75 {}"),
    (
        re.compile(r"\b(?:a\s+|one\s+)?quarter\s+of\s+an?\s+(thousand|million|billion)\b", re.IGNORECASE),
        "0.25 {}",
    ),
    (re.compile(r"\bhalf\s+an?\s+(hundred|thousand|million|billion|dozen)\b", re.IGNORECASE), "0.5 {}"),
    (
        re.compile(r"\b([\w-]+)\s+and\s+a\s+half\s+(thousand|million|billion)\b", re.IGNORECASE),
        "{}.5 {}",
    ),
)
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(TENS)})[\s-])?(?P<last>{'|'.join(_ORDINALS)})\b|\b(?P<figure>\d+)(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
WORDS = frozenset((*NUMBER_WORDS, *_SCALES)) - {"one"}


def with_figures(text: str) -> str:
    """A text with its numbers in figures. A lone `one` may be anybody."""
    for pattern, wording in _HALVES:
        text = pattern.sub(partial(_half, wording), text)
    return _RUN.sub(_figure, text)


def ordinal(text: str) -> int | None:
    """The number that an ordinal names: `tenth`, `twenty-fifth`, `25th`."""
    match = _ORDINAL.search(text)
    if match is None:
        return None
    if match["figure"]:
        return int(match["figure"])
    return NUMBER_WORDS.get((match["tens"] or "zero").lower(), 0) + _ORDINALS[match["last"].lower()]


def _half(wording: str, match: re.Match[str]) -> str:
    words = [with_figures(word) if word.lower() != "one" else "1" for word in match.groups()[:-1]]
    numeric = all(word.isdigit() for word in words)
    return wording.format(*words, match.groups()[-1]) if numeric else match.group()


def _figure(match: re.Match[str]) -> str:
    words = re.findall(r"[a-z]+", match.group().lower())
    if words == ["one"]:
        return match.group()
    total = current = 0
    for word in words:
        scale = _SCALES.get(word)
        if scale is None:
            current += NUMBER_WORDS.get(word, 0)
        elif scale < 1_000:
            current = max(1, current) * scale
        else:
            total, current = total + max(1, current) * scale, 0
    # A scale alone belongs to figures before it: `1.1 million`.
    return match.group() if len(words) == 1 and words[0] in _SCALES else str(total + current)
