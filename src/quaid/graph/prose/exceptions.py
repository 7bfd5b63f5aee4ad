"""What a page says of all, and an exception that it names: carried unanimously, and two who voted against it.

Each such word has few that stand against it, so no network is asked. Both must speak of one thing: they share
words, or the sentence before shares one with the exception.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from quaid.graph.prose.candidates import stems
from quaid.graph.prose.caveats import is_hearsay, is_open
from quaid.graph.prose.holdings import Source
from quaid.graph.prose.sentences import Sentence, blocks, is_quotation, raw_sentences, shown_text
from quaid.store.doubts import Truth

_I = re.IGNORECASE
_SHARED = 2  # words that two sentences of one thing have in common
_AGREED = re.compile(r"\b(?:unanimous(?:ly)?|without\s+(?:a\s+)?(?:dissent|vote\s+against))\b", _I)
_AGAINST = re.compile(r"\b(?:voted\s+(?:against|no)|abstained|dissented|opposed\s+it)\b", _I)
_ALL = re.compile(
    r"\b(?:there\s+are|allows?|knows?|has|have|makes?|with)\s+no\s+exceptions?\b|\bwithout\s+(?:any\s+)?exceptions?\b"
    r"|\bno\s+exceptions?\s*[.!]?$",
    _I,
)
_EXEMPT = re.compile(
    r"\b(?:is|are|was|were)\s+(?:exempt(?:ed)?|excepted|excused)\b|\b(?:an|the\s+only|one)\s+exception\b", _I
)
_INCLUDING = re.compile(
    r"\b(?:everybody|everyone|all|each|anybody|anyone)\b[^.;:]*\bincluding\s+(?:the\s+)?(?P<who>\w{4,})\b", _I
)
_NOT_BOUND = r"\b{}\s+(?:is|are)\s+(?:not\s+(?:bound|included|covered|affected)|exempt|excused|excluded)\b"
_DENIED = re.compile(
    r"\b(?:nobody|no\s+one|none|not|never|neither|had|until|till|was\s+lifted)\b|n['’]t\b", _I
)


def exceptions(pages: Iterable[Truth]) -> Iterator[tuple[Source, Source]]:
    """The sentences that name an exception, each with the one of its page that knows none."""
    for page in pages:
        if _AGREED.search(page.truth) or _ALL.search(page.truth) or _INCLUDING.search(page.truth):
            said = [
                shown
                for block in blocks(page.truth)
                for shown in map(shown_text, raw_sentences(block))
                if not (is_open(Sentence(shown, shown)) or is_hearsay(shown) or is_quotation(shown))
            ]
            for place, rule in enumerate(said):
                found = next(
                    (each for each in said if _is_exception(rule, said[place - 1 : place], each)), None
                )
                if found:
                    yield Source(page, "text", found), Source(page, "text", rule)


def _is_exception(rule: str, before: Iterable[str], other: str) -> bool:
    """Whether a sentence names an exception from a rule; what stands before that says of what it is one."""
    included = _INCLUDING.search(rule)
    if included and re.search(_NOT_BOUND.format(re.escape(included["who"])), other, _I):
        return True
    if rule == other or _DENIED.search(other):
        return False
    spoken = stems(other)
    if _AGREED.search(rule) and _AGAINST.search(other):
        return len(stems(rule) & spoken) >= _SHARED
    if _ALL.search(rule) and _EXEMPT.search(other):
        return bool(frozenset().union(stems(rule), *map(stems, before)) & (spoken - {"excep", "exemp"}))
    return False
