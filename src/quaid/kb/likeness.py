"""The nodes that a new one repeats or contradicts: by words and, where a model is at hand, by meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

from quaid.kb.statement import Statement, apart, beyond, canonical, probes, statement
from quaid.kb.verdict import Judgement, Kind, verdict
from quaid.model.record import record
from quaid.store.nodes import NodeRow

SAME_TEXT = 0.7  # of the words of title, summary and body together, how many both have
CANDIDATES = 12  # nodes that are compared: a model takes some milliseconds for each
ENOUGH = 2  # topics of a summary that speaks for itself
NEAR = 0.35  # of the words of title and summary: below it, the bodies are not compared

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_EMPTY = frozenset(
    """a an and are as at be been but by can do does for from had has have how i if in into is it its of on or
    our so such than that the their them then there these they this to was we were what when where which who
    why will with you your""".split()  # noqa: SIM905
)
# Nodes of a series are told apart by a number after such a word, or by an ordinal with which they begin.
_SERIES = re.compile(
    r"(?P<before>.*\b(?:notes?|part|chapter|episode|week|sprint|release|meeting|session|lesson|step|volume|issue|batch"
    r"|round|entry|draft|day|minutes|retro|review|log|no|number))\s*[.#]?\s*(?P<number>\d{1,4})\s*(?P<after>(?:[:–—(-].*)?)"
    r"|(?P<ordinal>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)

Judge = Callable[[str, Sequence[str]], Sequence[Judgement | None]]  # what a text is to each of others


@record
class Likeness:
    """A node that says much the same as a new one, or the opposite of it."""

    node: NodeRow
    kind: Kind
    score: float
    reason: str = ""  # in what the two differ

    def as_data(self) -> dict[str, object]:
        told = {name: getattr(self.node, name) for name in ("id", "title", "path")}
        told |= {"kind": self.kind, "score": round(self.score, 2)}
        return told | ({"reason": self.reason} if self.reason else {})


def words(text: str) -> list[str]:
    """The words of a text that carry something, folded."""
    return [word for word in _WORD.findall(text.casefold().replace("’", "'")) if word not in _EMPTY]


def normalised(title: str) -> str:
    """A title without what people write differently each time."""
    return " ".join(_WORD.findall(title.casefold()))


def place_in_series(title: str) -> tuple[str, str] | None:
    """The name of a series, and the number that a title has in it."""
    found = _SERIES.fullmatch(title.strip())
    if not found:
        return None
    if found["ordinal"]:
        return normalised(found["rest"]), found["ordinal"].casefold()
    return normalised(found["before"]), str(int(found["number"]))


def share(one: Iterable[str], other: Iterable[str]) -> float:
    """Of all the words of two texts, the share that both have."""
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second) if first or second else 0.0


def sentence(title: str, summary: str) -> str:
    """Title and summary as one text; a title of which the summary has every word adds nothing."""
    more = beyond(statement(title).topics, statement(summary).words)
    return f"{title.rstrip('.')}. {summary}" if more or not summary else summary


def stated_by(title: str, summary: str) -> Statement:
    """What a node states. Its title counts where the summary says little."""
    stated = statement(summary)
    return stated if len(stated.topics) >= ENOUGH else statement(sentence(title, summary))


class Stated:
    """What a new node states, sorted out once."""

    def __init__(self, title: str, summary: str, body: str) -> None:
        self.name = normalised(title)
        self.place = place_in_series(title)
        self.text = sentence(title, summary)
        self.body = body
        self.statement = stated_by(title, summary)
        self.stems = _stems(f"{title} {summary}")
        self._probes = tuple({probe for word in statement(self.text).topics for probe in probes(word.stem)})

    def may_be_like(self, title: str, summary: str) -> bool:
        """Whether a node has a word of this one: found out fast, for many nodes."""
        said = f"{title} {summary}".casefold()
        return any(probe in said for probe in self._probes) or self.name == normalised(title)


def likenesses(
    stated: Stated,
    nodes: Iterable[NodeRow],
    body_of: Callable[[NodeRow], str],
    besides: str = "",
    judge: Judge | None = None,
) -> list[Likeness]:
    """The nodes that are like it, the likest first; a body is asked for only where the rest is much alike."""
    near = [
        (_common(stated, node), node)
        for node in nodes
        if node.id != besides and node.status != "superseded" and stated.may_be_like(node.title, node.summary)
    ]
    likest = [node for _, node in nlargest(CANDIDATES, near, key=lambda each: each[0])]
    texts = [sentence(node.title, node.summary) for node in likest]
    judged = judge(stated.text, texts) if judge else [None] * len(likest)
    found = (_compare(stated, node, body_of, opinion) for node, opinion in zip(likest, judged, strict=True))
    return sorted((each for each in found if each), key=lambda each: -each.score)


def _common(stated: Stated, node: NodeRow) -> float:
    """How much the words of two nodes overlap; a node of the same name is nearer than any other."""
    if stated.name and stated.name == normalised(node.title):
        return 2.0
    return share(stated.stems, _stems(f"{node.title} {node.summary}"))


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(canonical, words(text)))


def _compare(
    stated: Stated, node: NodeRow, body_of: Callable[[NodeRow], str], judged: Judgement | None
) -> Likeness | None:
    place = place_in_series(node.title)
    if stated.place and place and stated.place[0] == place[0] and stated.place[1] != place[1]:
        return None  # two of a series, however alike
    other = stated_by(node.title, node.summary)
    found = verdict(stated.statement, other, judged)
    same_name = bool(stated.name) and stated.name == normalised(node.title)
    if found and (found.kind == "contradiction" or not same_name):
        return Likeness(node, found.kind, max(found.score, float(same_name)), found.reason)
    if same_name:
        return Likeness(node, "duplicate", 1.0)
    if not stated.body or share(stated.statement.stems, other.stems) < NEAR or apart(stated.statement, other):
        return None
    whole = share(
        words(f"{stated.text} {stated.body}"), words(f"{node.title} {node.summary} {body_of(node)}")
    )
    return Likeness(node, "duplicate", whole) if whole >= SAME_TEXT else None
