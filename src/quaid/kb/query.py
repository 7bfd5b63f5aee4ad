"""Questions to a knowledge base by words.

A node's score is the sum of the weights of the fields that match, each counted once; how often a word occurs
does not matter. Between equal scores the node that was updated last comes first. The answer comes from the
nodes themselves; raw/ is named as the source of a node and never found itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quaid.errors import FINDINGS_STATUS, InvalidInput, NotFound
from quaid.kb.node import RAW, UUID, Node, is_index, parse
from quaid.kb.reading import Texts, texts
from quaid.model.record import record

if TYPE_CHECKING:
    from pathlib import Path  # for its name only, as in reading.py

WEIGHTS = {"title": 100, "tag": 50, "project": 50, "status": 50, "summary": 20, "body": 5}
FOUND_STATUS = 0
NO_MATCH_STATUS = NotFound.exit_status
STALE_STATUS = FINDINGS_STATUS
LIMIT = 10

_WORD = re.compile(r"[^\W_]+(?:[-_.'’+#][^\W_]+)*[+#]*")
_ID = re.compile(rf":ID:[ \t]+({UUID.pattern})", re.IGNORECASE)
_LISTED = re.compile(rf"\(({UUID.pattern})\) \[")
_SHORT = 3  # shorter words must be whole: `go` is not `good`
# Words of a question that say nothing about what is asked for.
_EMPTY = frozenset(
    """a an and are as at be but by can do does for from has have how i if in into is it its me my not of on
    or our should so that the their there these this to use was we what when where which who why will with
    you your""".split()  # noqa: SIM905
)


@record
class Filters:
    """What a node must be, besides what it says. `every` asks for all words instead of some."""

    project: str | None = None
    tag: str | None = None
    status: str | None = None
    type: str | None = None
    limit: int = LIMIT
    every: bool = False


@record
class Hit:
    """A node that was found, and why."""

    node: Node
    score: int
    reasons: tuple[str, ...]


@record
class Answer:
    """What was found; `status` is that of the process, and `notices` say what is wrong with the base."""

    hits: tuple[Hit, ...]
    total: int
    status: int
    notices: tuple[str, ...] = ()


def answer(root: Path, text: str, filters: Filters | None = None) -> Answer:
    """Ask a knowledge base on disk."""
    chosen = filters or Filters()
    terms = words_of(text)
    found = texts(root)
    nodes = [parse(each, path) for path, each in _candidates(found.nodes, terms)]
    hits = _ranked(nodes, terms, chosen)
    notices = _notices(found)
    status = FOUND_STATUS if hits else NO_MATCH_STATUS
    shown = hits[: chosen.limit] if chosen.limit else hits
    return Answer(tuple(shown), len(hits), STALE_STATUS if notices else status, notices)


def search(nodes: Iterable[Node], text: str, filters: Filters | None = None) -> list[Hit]:
    """The nodes in which one of the words occurs, best first."""
    chosen = filters or Filters()
    hits = _ranked(nodes, words_of(text), chosen)
    return hits[: chosen.limit] if chosen.limit else hits


def data(hit: Hit) -> dict[str, Any]:
    """A hit as programs see it."""
    node = hit.node
    return {
        "title": node.title,
        "id": node.id,
        "summary": node.summary,
        "projects": list(node.projects),
        "status": node.status,
        "updated": node.updated,
        "path": node.path,
        "match": list(hit.reasons),
        "score": hit.score,
        "type": node.type,
        "tags": list(node.tags),
        "source": source_of(node),
    }


def told(question: str, found: Answer) -> dict[str, Any]:
    """An answer as programs see it."""
    hits = [data(hit) for hit in found.hits]
    return {"query": question, "total": found.total, "results": hits, "notices": list(found.notices)}


def line(hit: Hit) -> str:
    """A hit on one line."""
    node = hit.node
    parts = (
        f"{node.title} ({node.id})",
        node.summary,
        " ".join(node.projects),
        node.status,
        node.updated,
        node.path,
        ", ".join(hit.reasons),
    )
    return " | ".join(" ".join(part.split()) for part in parts)


def source_of(node: Node) -> str:
    """The captured source of a node, if it has one."""
    return node.source if node.source.startswith(f"{RAW}/") else ""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a question, without those that say nothing; they stay where there are no others."""
    if UUID.fullmatch(text.strip()):
        return (text.strip().lower(),)
    found = tuple(dict.fromkeys(match.group().casefold() for match in _WORD.finditer(text)))
    if not found:
        raise InvalidInput(
            "the question has no words", hint="Say what you look for: ai-kb query release notes"
        )
    return tuple(word for word in found if word not in _EMPTY) or found


def _ranked(nodes: Iterable[Node], terms: Sequence[str], filters: Filters) -> list[Hit]:
    hits = [hit for node in nodes if _passes(node, filters) for hit in _hits(node, terms, filters.every)]
    hits.sort(key=lambda hit: (hit.node.title.casefold(), hit.node.path))
    hits.sort(key=lambda hit: (hit.score, hit.node.updated), reverse=True)
    return hits


def _hits(node: Node, terms: Sequence[str], every: bool) -> Iterator[Hit]:
    matched: dict[str, set[str]] = {}
    for field, said in _fields(node):
        whole = field in ("tag", "project", "status")
        found = {term for term in terms if (_names(said, term) if whole else _says(said, term))}
        if found:
            matched[field] = found
    if matched and (not every or set().union(*matched.values()) >= set(terms)):
        score = sum(WEIGHTS[field] for field in matched)
        yield Hit(node, score, tuple(f"matched-{field}" for field in matched))


def _fields(node: Node) -> Iterator[tuple[str, str]]:
    """The fields of a node and what they say. Properties without a weight of their own count as body."""
    weighted = ("SUMMARY", "STATUS", "PROJECTS")
    rest = [value for key, value in node.properties.items() if key not in weighted]
    yield "title", node.title.casefold()
    yield "tag", " ".join(node.tags).casefold()
    yield "project", " ".join(node.projects).casefold()
    yield "status", node.status.casefold()
    yield "summary", node.summary.casefold()
    yield "body", "\n".join((node.body, *rest)).casefold()


def _names(said: str, term: str) -> bool:
    """Whether one of the names is the word."""
    return term in said.split()


def _says(said: str, term: str) -> bool:
    """Whether a word of the text begins with the term; a short one must be the whole word."""
    place = said.find(term)
    while place >= 0:
        end = place + len(term)
        begins = place == 0 or not said[place - 1].isalnum() or not term.isascii()
        if begins and (
            len(term) >= _SHORT or end == len(said) or not said[end].isalnum() or not term.isascii()
        ):
            return True
        place = said.find(term, place + 1)
    return False


def _passes(node: Node, filters: Filters) -> bool:
    return (
        (filters.project is None or filters.project.casefold() in node.projects)
        and (filters.tag is None or filters.tag.casefold() in (tag.casefold() for tag in node.tags))
        and (filters.status is None or filters.status == node.status)
        and (filters.type is None or filters.type in node.tags)
    )


def _candidates(nodes: Mapping[str, str], terms: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The nodes whose text contains one of the words at all: the others need not be read."""
    for path, text in nodes.items():
        folded = text.casefold()
        if any(term in folded for term in terms):
            yield path, text


def _notices(found: Texts) -> tuple[str, ...]:
    notices = [f"{path} {why}; `ai-kb lint` says more." for path, why in sorted(found.odd.items())]
    missing = _missing(found)
    return (*notices, *([missing] if missing else []))


def _missing(found: Texts) -> str:
    """What is wrong with the index, as far as a quick look shows it."""
    indexes = [text for path, text in found.files.items() if is_index(path)]
    listed = {each.lower() for text in indexes for each in _LISTED.findall(text)}
    known: set[str] = set()
    for path, text in found.nodes.items():
        match = _ID.search(text, 0, 2000)
        if match is None:
            return f"{path} has no id and is not listed; `ai-kb lint` says more."
        known.add(match.group(1).lower())
    if not indexes and known:
        return "there is no index; `ai-kb index` makes it."
    if listed != known:
        return "the index does not list the nodes that there are; see `ai-kb index` and `ai-kb lint`."
    return ""
