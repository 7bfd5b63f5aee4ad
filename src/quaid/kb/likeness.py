"""Whether two nodes say the same, or the opposite: by their words, not by their meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil
from typing import Literal, Protocol, TypeVar

from quaid.kb.node import Node
from quaid.model.record import record

Kind = Literal["duplicate", "contradiction"]

SAME_TITLE = 0.75  # of the words of both titles together, how many they share
SAME_SUMMARY = 0.5
SAME_WORDS = 0.7  # of title, summary and body
NEAR = 0.35  # of title and summary: below it, the bodies are not compared
SAME_SUBJECT = 0.5  # of title and summary without what turns a statement round
REWORDED = 0.75  # of the shorter title and summary, by the stems of its words
LEAST_REWORDED = 4  # stems that both must have: fewer are shared by chance

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_ENDING = re.compile(r"(?:ing|ed|er|ers|ly|s)$")
_EMPTY = frozenset(
    """a an and are as at be been but by can do does for from had has have how i if in into is it its of on or
    our so such than that the their them then there these they this to was we were what when where which who
    why will with you your""".split()  # noqa: SIM905
)
_NEGATIONS = frozenset(
    """no not never none without avoid don't dont doesn't doesnt isn't isnt cannot can't cant won't wont
    shouldn't shouldnt mustn't mustnt stop refuse forbid disallow""".split()  # noqa: SIM905
)
_OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in """always/never use/avoid prefer/avoid enable/disable enabled/disabled tabs/spaces
    before/after allow/forbid allow/deny true/false on/off yes/no first/last increase/decrease
    public/private sync/async merge/rebase dark/light single/double required/optional manual/automatic
    start/stop accept/reject include/exclude""".split()  # noqa: SIM905
)
_TURNING = _NEGATIONS.union(*_OPPOSITES)


class Known(Protocol):
    """What is known of a node without its body."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def path(self) -> str: ...


K = TypeVar("K", bound=Known)


@record
class Likeness:
    """A node that says much the same as a new one, or the opposite of it."""

    node: Known
    kind: Kind
    score: float

    def as_data(self) -> dict[str, object]:
        node = self.node
        return {
            "id": node.id,
            "title": node.title,
            "path": node.path,
            "kind": self.kind,
            "score": round(self.score, 2),
        }


def words(text: str) -> list[str]:
    """The words of a text that carry something, folded."""
    return [word for word in _WORD.findall(text.casefold().replace("’", "'")) if word not in _EMPTY]


def normalised(title: str) -> str:
    """A title without what people write differently each time."""
    return " ".join(_WORD.findall(title.casefold()))


def shared(one: Iterable[str], other: Iterable[str]) -> float:
    """Of all the words of two texts, the share that both have."""
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second) if first or second else 0.0


def alike(title: str, summary: str, body: str, nodes: Sequence[Node], *, besides: str = "") -> list[Likeness]:
    """The nodes that a new one repeats or contradicts, the likest first; those superseded do not count."""
    return likenesses(Stated(title, summary, body), nodes, lambda node: node.body, besides)


def likenesses(
    stated: Stated, nodes: Iterable[K], body_of: Callable[[K], str], besides: str = ""
) -> list[Likeness]:
    """The same, of what is known of nodes; a body is asked for only where the rest is much alike."""
    found = []
    for node in nodes:
        if node.id == besides or node.status == "superseded":
            continue
        likeness = _compare(stated, node, body_of)
        if likeness:
            found.append(likeness)
    return sorted(found, key=lambda each: -each.score)


def may_be_alike(stated: Stated, title: str, summary: str) -> bool:
    """Whether two statements share as many words as any likeness takes: found out fast, for many nodes."""
    said = f"{title} {summary}".casefold()
    wanted = stated.least
    for probe in stated.probes:
        if probe in said:
            wanted -= 1
            if wanted <= 0:
                return True
    return bool(stated.name) and stated.name.split(" ", 1)[0] in said and stated.name == normalised(title)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """A word without its ending, so that *wraps*, *wrapped* and *wrapping* are one. For comparing only."""
    if len(word) < 4 or not word.isalpha():
        return word
    word = word[:-3] + "y" if word.endswith("ies") else word
    bare = _ENDING.sub("", word) if not word.endswith("ss") else word
    bare = bare.rstrip("e") if len(bare) > 3 else word.rstrip("e")
    return bare[:-1] if bare[-2:-1] == bare[-1:] else bare


def _stems(found: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_stem, found))


class Stated:
    """The words of a node, sorted out once."""

    def __init__(self, title: str, summary: str, body: str) -> None:
        self.name = normalised(title)
        self.title = frozenset(words(title))
        self.summary = frozenset(words(summary))
        self.stated = self.title | self.summary
        self.all = self.stated | frozenset(words(body))
        self.stems = _stems(self.stated)
        self.subject = _stems(self.title) & _stems(self.summary)
        # A stem begins every word that it is of, but for a last y, which stands for ies too.
        self.probes = tuple(stem.removesuffix("y") or stem for stem in self.stems)
        self.least = _least_shared(self.stated)


def _least_shared(stated: frozenset[str]) -> int:
    """How many stems of a statement another one has at least, if the two are alike in whatever way."""
    firm = [word for word in stated if word not in _TURNING and not word[0].isdigit()]
    wanted, stems = ceil(NEAR * len(firm)), 0
    for _, count in Counter(map(_stem, stated)).most_common():
        if wanted <= 0:
            break
        wanted, stems = wanted - count, stems + 1
    return max(1, min(LEAST_REWORDED, stems))


def _compare(told: Stated, node: K, body_of: Callable[[K], str]) -> Likeness | None:
    title, summary = frozenset(words(node.title)), frozenset(words(node.summary))
    stated = title | summary
    near = shared(told.stated, stated)
    turned = _turned(told.stated, stated)
    bare = shared(told.stated - turned, stated - turned)
    same_name = bool(told.name) and told.name == normalised(node.title)
    contrary = bool(turned) and bare >= (NEAR if same_name else SAME_SUBJECT)
    stems = _stems(stated)
    reworded = _reworded(told.stems, stems)
    if not same_name and near < NEAR and not reworded and not contrary:
        return None
    if not same_name and _apart(told, _stems(title) & _stems(summary), stems, _stems(turned)):
        return None
    if contrary:
        return Likeness(node, "contradiction", max(bare, float(same_name)))
    if same_name:
        return Likeness(node, "duplicate", 1.0)
    if shared(told.title, title) >= SAME_TITLE and shared(told.summary, summary) >= SAME_SUMMARY:
        return Likeness(node, "duplicate", near)
    whole = shared(told.all, stated | frozenset(words(body_of(node))))
    if whole >= SAME_WORDS or reworded:
        return Likeness(node, "duplicate", max(whole, reworded))
    return None


def _reworded(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter statement the other one says too; 0 if that is not enough to be the same."""
    both = len(one & other)
    share = both / max(1, min(len(one), len(other)))
    return share if both >= LEAST_REWORDED and share >= REWORDED else 0.0


def _apart(told: Stated, subject: frozenset[str], stems: frozenset[str], turned: frozenset[str]) -> bool:
    """Whether each is about something that the other does not name: the port of Redis, that of Postgres."""
    return bool(told.subject - stems - turned) and bool(subject - told.stems - turned)


def _turned(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """The words in which two statements differ such that they cannot both hold; none if they can."""
    differ = one ^ other
    if not differ:
        return frozenset()
    negated = differ & _NEGATIONS
    if negated and bool(one & _NEGATIONS) != bool(other & _NEGATIONS):
        return negated
    for pair in _OPPOSITES:
        if len(one & pair) == 1 and len(other & pair) == 1 and one & pair != other & pair:
            return pair
    mine, theirs = _numbers(one), _numbers(other)
    return (mine | theirs) if mine and theirs and not mine & theirs else frozenset()


def _numbers(found: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in found if word[0].isdigit())
