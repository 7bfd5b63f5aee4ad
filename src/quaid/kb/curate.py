"""What a person should look at: duplicates, orphans, contests, what is too broad, too old or too large.

It only reports. `mark` stamps the nodes that were looked at, so that the next pass begins with others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from quaid.errors import InvalidInput
from quaid.kb import edits
from quaid.kb.base import Base
from quaid.kb.due import HORIZON_DAYS, horizon, is_due, last_touch
from quaid.kb.facts import source_of
from quaid.kb.gate import Proposal, Written
from quaid.kb.likeness import Stated, likenesses, normalised, words
from quaid.kb.lint import LARGE_RAW
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import write
from quaid.kb.repository import Kb
from quaid.model.record import field, record
from quaid.store.nodes import NodeRow
from quaid.sync.repository import plural

ROTATION = 10  # nodes to look at in one pass
BROAD_WORDS = 1_500
BROAD_SECTIONS = 8
_COMMON = 40  # a word that more nodes have does not lead to a duplicate
_PARTNERS = 20  # of one node, that are compared with it


@record
class Pair:
    """Two nodes that say much the same, or the opposite. `by` says how that was found."""

    one: str
    other: str
    titles: tuple[str, str]
    kind: str
    score: float
    by: str = "words"


@record
class Item:
    """One thing to look at."""

    path: str
    title: str
    id: str
    why: str


@record
class Curation:
    """All that a pass should look at."""

    nodes: int
    due: bool
    duplicates: tuple[Pair, ...] = ()
    orphans: tuple[Item, ...] = ()
    contested: tuple[Item, ...] = ()
    superseded: tuple[Item, ...] = ()
    stale: tuple[Item, ...] = ()
    broad: tuple[Item, ...] = ()
    raw_without_node: tuple[Item, ...] = ()
    large_raw: tuple[Item, ...] = ()
    next: tuple[Item, ...] = field(default=())


def curation(
    base: Base,
    nodes: Sequence[NodeRow],
    today: str,
    *,
    horizon_days: int = HORIZON_DAYS,
    by_meaning: Sequence[Pair] = (),
) -> Curation:
    """Look at everything once."""
    found = duplicates(nodes, partial(_body, base))
    known = {frozenset((pair.one, pair.other)) for pair in found}
    found += [pair for pair in by_meaning if frozenset((pair.one, pair.other)) not in known]
    return Curation(
        nodes=len(nodes),
        due=is_due(nodes, today),
        duplicates=tuple(found),
        orphans=tuple(_item(node, "nothing links to it, and it links to nothing") for node in orphans(nodes)),
        contested=tuple(_item(node, "two nodes disagree") for node in nodes if node.status == "contested"),
        superseded=tuple(
            _item(node, "another node has taken its place") for node in nodes if node.status == "superseded"
        ),
        stale=tuple(_stale(nodes, horizon(today, horizon_days))),
        broad=tuple(_broad(base, nodes)),
        raw_without_node=tuple(_unused_raw(base, nodes)),
        large_raw=tuple(
            Item(file.path, "", "", f"{file.size // 1024:,} KB") for file in base.raw if file.size > LARGE_RAW
        ),
        next=tuple(_rotation(nodes)),
    )


def orphans(nodes: Sequence[NodeRow]) -> list[NodeRow]:
    """Nodes that no other links to and that link to no other. The index is no link."""
    linked: set[str] = set()
    linking: set[str] = set()
    known = {node.id.lower() for node in nodes}
    for node in nodes:
        targets = ({*node.targets.split()} - {node.id.lower()}) & known
        linked |= targets
        if targets:
            linking.add(node.path)
    return [node for node in nodes if node.path not in linking and node.id.lower() not in linked]


def duplicates(nodes: Sequence[NodeRow], body_of: Callable[[NodeRow], str]) -> list[Pair]:
    """Pairs that say much the same, by their words. Only nodes that share rare words are compared."""
    alive = [node for node in nodes if node.status != "superseded"]
    holding: dict[str, list[int]] = defaultdict(list)
    for place, node in enumerate(alive):
        for word in {*words(node.title), *words(node.summary), "=" + normalised(node.title)}:
            holding[word].append(place)
    partners: dict[int, Counter[int]] = defaultdict(Counter)
    for places in holding.values():
        if 1 < len(places) <= _COMMON:
            for number, place in enumerate(places):
                partners[place].update(places[number + 1 :])
    found: list[Pair] = []
    for place, counted in partners.items():
        node = alive[place]
        others = [alive[other] for other, _ in counted.most_common(_PARTNERS)]
        stated = Stated(node.title, node.summary, body_of(node))
        for likeness in likenesses(stated, others, body_of, besides=node.id):
            other = likeness.node
            titles = (node.title, other.title)
            found.append(Pair(node.id, other.id, titles, likeness.kind, round(likeness.score, 2)))
    return sorted(found, key=lambda pair: (-pair.score, pair.one, pair.other))


def mark(kb: Kb, names: Sequence[str], offline: bool = False) -> Written:
    """Stamp nodes as looked at today."""
    if not names:
        raise InvalidInput("no node is named", hint="Name those that were looked at.")

    def plan(nodes: Nodes) -> Proposal:
        chosen = {node.path: node for node in (nodes.find(name) for name in names)}
        texts = {
            path: edits.set_property(node.text, "LAST_CURATED", kb.today) for path, node in chosen.items()
        }
        return Proposal(texts, f"Curate {len(chosen)} {plural('node', len(chosen))}")

    return write(kb, plan, offline=offline)


def _item(node: NodeRow, why: str) -> Item:
    return Item(node.path, node.title, node.id, why)


def _stale(nodes: Iterable[NodeRow], before: str) -> list[Item]:
    old = sorted((node for node in nodes if last_touch(node) < before), key=last_touch)
    return [_item(node, f"untouched since {last_touch(node)}") for node in old]


def _body(base: Base, node: NodeRow) -> str:
    return base.nodes[node.path].removeprefix("\ufeff")[node.body_start :].replace("\r\n", "\n")


def _broad(base: Base, nodes: Iterable[NodeRow]) -> list[Item]:
    found = []
    for node in nodes:
        body = _body(base, node)
        count = len(body.split())
        sections = sum(1 for line in body.splitlines() if line.startswith("* "))
        if count > BROAD_WORDS:
            found.append(_item(node, f"{count:,} words"))
        elif sections >= BROAD_SECTIONS:
            found.append(_item(node, f"{sections} sections"))
    return found


def _unused_raw(base: Base, nodes: Iterable[NodeRow]) -> list[Item]:
    """Captures that no node names. A file kept whole is used if its stub is."""
    texts = "\n".join(base.nodes.values())
    small = (file for file in base.raw if file.path.endswith(".org") and file.size <= LARGE_RAW)
    stubs = {file.path: (base.root / file.path).read_text("utf-8", "replace") for file in small}
    sources = {source_of(node) for node in nodes}  # most are found there, and that fast
    used = {file.path for file in base.raw if file.path in sources or file.path in texts}
    used |= {kept for stub, text in stubs.items() if stub in used for kept in _paths_in(text, base)}
    return [
        Item(file.path, "", "", "no node has it as its source")
        for file in base.raw
        if file.path not in used and not file.path.rsplit("/", 1)[-1].startswith(".")
    ]


def _paths_in(text: str, base: Base) -> list[str]:
    stated = {
        line.partition(":")[2].strip()
        for line in text.splitlines()[:10]
        if line.lower().startswith("#+file:")
    }
    return [file.path for file in base.raw if file.path in stated]


def _rotation(nodes: Sequence[NodeRow]) -> list[Item]:
    """The nodes that nobody has changed or looked at for the longest time."""
    waiting = sorted(nodes, key=lambda node: (last_touch(node), node.curated, node.path))
    return [_item(node, f"last looked at {node.curated or 'never'}") for node in waiting[:ROTATION]]
