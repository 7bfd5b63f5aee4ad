"""The nodes that a new one repeats or contradicts: by words and, where a model is at hand, by meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

from quaid.kb.node import Node
from quaid.kb.statement import Statement, probes, statement
from quaid.kb.verdict import LEAST_SHARED, Kind, apart, verdict
from quaid.model.record import record

SAME_TEXT = 0.7  # of the words of title, summary and body together, how many both have
CANDIDATES = 12  # nodes whose meaning is compared: each costs some milliseconds
NEAR = 0.35  # of the words of title and summary: below it, the bodies are not compared

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_EMPTY = frozenset(
    """a an and are as at be been but by can do does for from had has have how i if in into is it its of on or
    our so such than that the their them then there these they this to was we were what when where which who
    why will with you your""".split()  # noqa: SIM905
)

Nearness = Callable[[str, Sequence[str]], Sequence[float]]  # of a text to others, as cosines


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


@lru_cache(maxsize=16_384)  # whoever looks for duplicates compares each with many
def stated_by(title: str, summary: str) -> Statement:
    """What a node states. What its summary is about counts; its title counts where that is little."""
    whole = statement(sentence(title, summary))
    if normalised(title) in normalised(summary):
        return whole
    # The summary stands behind the title: its words are those that come after as many tokens.
    begin = len(statement(f"{title.rstrip('.')}.").order)
    topics = frozenset(word.stem for word in whole.words if word.topical and word.place >= begin)
    return whole._replace(topics=topics) if len(topics) >= LEAST_SHARED else whole


def sentence(title: str, summary: str) -> str:
    """Title and summary as one text; a title that only repeats the summary adds nothing."""
    return summary if normalised(title) in normalised(summary) else f"{title.rstrip('.')}. {summary}"


class Stated:
    """What a new node states, sorted out once."""

    def __init__(self, title: str, summary: str, body: str) -> None:
        self.name = normalised(title)
        self.text = sentence(title, summary)
        self.body = body
        self.statement = stated_by(title, summary)
        self._probes = tuple({probe for topic in statement(self.text).topics for probe in probes(topic)})

    def may_be_like(self, title: str, summary: str) -> bool:
        """Whether a node has a word of this one: found out fast, for many nodes."""
        said = f"{title} {summary}".casefold()
        return any(probe in said for probe in self._probes) or self.name == normalised(title)


def alike(title: str, summary: str, body: str, nodes: Sequence[Node], *, besides: str = "") -> list[Likeness]:
    """The nodes that a new one repeats or contradicts, the likest first; those superseded do not count."""
    return likenesses(Stated(title, summary, body), nodes, lambda node: node.body, besides)


def likenesses(
    stated: Stated,
    nodes: Iterable[K],
    body_of: Callable[[K], str],
    besides: str = "",
    nearness: Nearness | None = None,
) -> list[Likeness]:
    """The same, of what is known of nodes; a body is asked for only where the rest is much alike."""
    near = [
        node
        for node in nodes
        if node.id != besides and node.status != "superseded" and stated.may_be_like(node.title, node.summary)
    ]
    cosines: dict[str, float] = {}
    if nearness is not None:
        likest = sorted(near, key=lambda node: -_common(stated, node))[:CANDIDATES]
        measured = nearness(stated.text, [sentence(node.title, node.summary) for node in likest])
        cosines = {node.path: cosine for node, cosine in zip(likest, measured, strict=True)}
    found = (_compare(stated, node, body_of, cosines.get(node.path)) for node in near)
    return sorted((each for each in found if each), key=lambda each: -each.score)


def _common(stated: Stated, node: K) -> float:
    return shared(stated.statement.stems, stated_by(node.title, node.summary).stems)


def _compare(stated: Stated, node: K, body_of: Callable[[K], str], cosine: float | None) -> Likeness | None:
    found = verdict(stated.statement, stated_by(node.title, node.summary), cosine)
    same_name = bool(stated.name) and stated.name == normalised(node.title)
    if found and (found.kind == "contradiction" or not same_name):
        return Likeness(node, found.kind, max(found.score, float(same_name)))
    if same_name:
        return Likeness(node, "duplicate", 1.0)
    other = stated_by(node.title, node.summary)
    if (
        not stated.body
        or shared(stated.statement.stems, other.stems) < NEAR
        or apart(stated.statement, other)
    ):
        return None
    whole = shared(
        words(f"{stated.text} {stated.body}"), words(f"{node.title} {node.summary} {body_of(node)}")
    )
    return Likeness(node, "duplicate", whole) if whole >= SAME_TEXT else None
