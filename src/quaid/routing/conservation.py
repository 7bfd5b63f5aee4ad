"""What must not be lost when a sentence changes a line: what is said anew, and what the line holds besides.

News are the values, names and words of a sentence that neither stand in the line nor only say that something
changes or ends. Whoever made a change, rules or a network, is held to the same.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache

from quaid.routing import days, values
from quaid.routing.clauses import clauses
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import sections
from quaid.routing.stems import fillers, stem, stems
from quaid.routing.values import CODES, DAYS, NUMBER, Value, values_of

_DENIED = grammar("wordings", r"\b{REFUSED}\s+(?P<after>[^,;:.!?]+)|(?P<before>[\w'’-]+)\s+{REFUTED}\b")
_NOT = grammar("wordings", r"\b{REFUSED}\s*$")
_INSTEAD = grammar("wordings", r"\b{INSTEAD}\b")
_LEAD = grammar("wordings", r"\b{LEAD}\b")
_CLAUSE_END = re.compile(r"^[\s,;:.!?–—-]+|[\s,;:.!–—-]+$")


def news(said: str, known: str, today: date | None) -> frozenset[str]:
    """What a sentence says that a text does not, as `kind:value` or `word:stem`."""
    held = {(each.kind, each.key) for each in values_of(known, today)}
    low = days.undated(known).casefold()
    found = {
        f"{each.kind}:{each.key}"
        for each in values_of(said, today)
        if (each.kind, each.key) not in held and not _is_written(each, low)
    }
    own = stems(known)
    words = stems(values.without_values(days.undated(said))) - own - fillers() - _cues()
    return frozenset(found | {f"word:{word}" for word in words if not _is_part(word, own)})


def _is_written(value: Value, known: str) -> bool:
    """Whether a value stands in a text as it is said, or in digits if it is said in words: `x6` for `six`."""
    if re.search(rf"(?<!\d){re.escape(value.text.casefold())}(?!\d)", known):
        return True
    is_word = value.kind == NUMBER and value.key.isdigit() and not value.text[0].isdigit()
    return is_word and re.search(rf"(?<![\d.,]){value.key}(?![\d.,]?\d)", known) is not None


def _is_part(word: str, known: frozenset[str]) -> bool:
    """Whether a word stands in a text within another: `stairs` in `stairwell`."""
    return len(word) > 3 and any(word in each for each in known)


def unsaid_clauses(said: str, known: str, today: date | None) -> list[str]:
    """The clauses of a sentence that say something that a text does not."""
    parts = clauses(said)[0] if clauses(said) else [said]
    return [_CLAUSE_END.sub("", each) for each in parts if news(each, known, today)]


def losses(text: str, made: str, said: str, today: date | None) -> tuple[int, int]:
    """How many values and words of a line are gone that a sentence does not say otherwise."""
    fresh = Counter(_group(each.split(":")[0]) for each in news(said, text, today))
    held = {(each.kind, each.key) for each in values_of(made, today)}
    gone = Counter(
        _group(each.kind)
        for each in values_of(text, today)
        if (each.kind, each.key) not in held and each.text.casefold() not in made.casefold()
    )
    values_gone = sum(max(0, count - fresh[kind]) for kind, count in gone.items())
    left = stems(made)
    words = stems(values.without_values(days.undated(text))) - left
    return values_gone, len({each for each in words if not _is_part(each, left)})


def stale(text: str, made: str, said: str, today: date | None) -> int:
    """How many values stay in a line of which a sentence has others."""
    fresh = {_group(each.split(":")[0]) for each in news(said, text, today)} - {"word"}
    old = {(each.kind, each.key) for each in values_of(text, today) if _group(each.kind) in fresh}
    kept = {(each.kind, each.key) for each in values_of(made, today)}
    spoken = {(each.kind, each.key) for each in values_of(said, today)}
    told = denied_values(said, text, today) - kept
    kinds = {_group(kind) for kind, _ in old} - {_group(kind) for kind, _ in told}
    return sum(
        all(each in kept for each in old if _group(each[0]) == kind and each not in spoken)
        and any(_group(each[0]) == kind and each not in spoken for each in old)
        for kind in kinds
    )


def denials(said: str, text: str) -> frozenset[str]:
    """Words of a line that a sentence says do not hold."""
    found: set[str] = set()
    for match in _DENIED.finditer(said):
        after = _INSTEAD.split(match["after"] or "", maxsplit=1)[0]
        first = next(iter(values_of(after)), None)
        if first and not stems(after[: first.start]) - fillers():
            after = ""  # "not 28 mm but 40": of that, the number alone
        leads = [each.end() for each in _LEAD.finditer(after)]
        # "Not allergic to peanuts": of that, the peanuts.
        found |= stems(after[leads[-1] :] if leads else after) | stems(match["before"] or "")
    return frozenset(found & stems(text)) - fillers()


def denied_values(said: str, text: str, today: date | None) -> frozenset[tuple[str, str]]:
    """Values of a line that a sentence says do not hold: `4 cells, not 2`."""
    known = {(each.kind, each.key) for each in values_of(text, today)}
    told = [each for each in values_of(said, today) if _NOT.search(said[: each.start])]
    return frozenset((each.kind, each.key) for each in told if (each.kind, each.key) in known)


def _group(kind: str) -> str:
    return "code" if kind in CODES else "day" if kind in DAYS else kind


@cache
def _cues() -> frozenset[str]:
    return frozenset(stem(word) for line in sections("conservation")["cue"] for word in line.split())
