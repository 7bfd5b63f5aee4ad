"""Questions to a knowledge base by words.

A node's score is the sum of the weights of the fields that match, each counted once; how often a word occurs
does not matter. Between equal scores the node that was updated last comes first. The answer comes from the
nodes themselves; raw/ is named as the source of a node and never found itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from quaid.errors import FINDINGS_STATUS, InvalidInput, NotFound
from quaid.files import read_own
from quaid.formats.org.lines import plain_lines
from quaid.formats.patterns import Pattern
from quaid.kb.node import RAW, UUID, Node, is_index, parse
from quaid.kb.repository import text_of
from quaid.model.record import record
from quaid.store import nodes
from quaid.store.file_state import problems
from quaid.sync.repository import UNFINISHED, path_list

if TYPE_CHECKING:
    from quaid.kb.repository import Kb, Memory
    from quaid.store.nodes import Searched

WEIGHTS = {"title": 100, "tag": 50, "project": 50, "status": 50, "summary": 20, "body": 5}
FOUND_STATUS = 0
NO_MATCH_STATUS = NotFound.exit_status
STALE_STATUS = FINDINGS_STATUS
LIMIT = 10

_WORD = re.compile(r"[^\W_]+(?:[-_.'’+#][^\W_]+)*[+#]*")
_ID = Pattern(rf":ID:[ \t]+({UUID.pattern})", re.IGNORECASE)
_LISTED = Pattern(rf"\(({UUID.pattern})\) \[")
_NAMING = ("tag", "project", "status")  # fields of which a word must be the whole
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

    @property
    def chooses(self) -> bool:
        """Whether some nodes are left out whatever they say."""
        return (self.project, self.tag, self.status, self.type) != (None, None, None, None)


@record
class Hit:
    """A node that was found, and why."""

    node: Node
    score: float
    reasons: tuple[str, ...]


@record
class Answer:
    """What was found; `status` is that of the process, and `notices` say what is wrong with the base."""

    hits: tuple[Hit, ...]
    total: int
    status: int
    notices: tuple[str, ...] = ()
    unsound: frozenset[str] = frozenset()  # files that were left out, since a merge is not finished


class _Match(NamedTuple):
    """A node that was found: its score and reasons, what orders it, and where it is."""

    score: int
    reasons: tuple[str, ...]
    updated: str
    title: str
    path: str
    node: Callable[[], Node]


def answer(kb: Kb, text: str, filters: Filters | None = None) -> Answer:
    """Ask a knowledge base: its rows, after a look at its files."""
    chosen = filters or Filters()
    terms = words_of(text)
    memory = kb.memory
    memory.refresh()
    begun = _under_way(kb)
    unsound = memory.unsound() if begun else frozenset()
    matches: list[_Match] = []
    has_unread = False
    memory.store.map_file()
    with memory.store.read():
        # SQLite knows the cases of ASCII only.
        plain = terms if all(term.isascii() for term in terms) else ()
        # One text at a time: all of them would be much to hold.
        for row in nodes.candidates(memory.connection, memory.row.id, memory.rules.mark, plain):
            has_unread = has_unread or row.body_start is None
            if row.path not in unsound:
                matches += _matches_of_row(memory, row, terms, chosen)
        hits = _best_hits(matches, chosen.limit)
    if has_unread:  # no writer has come to read them yet
        memory.rows()
    without = f", without {path_list(sorted(unsound))}" if unsound else ""
    unfinished = f"a {begun} is under way: this is from what is sound{without}; finish it with git."
    notices = (unfinished,) if begun else _notices(kb)
    status = FOUND_STATUS if matches else NO_MATCH_STATUS
    return Answer(hits, len(matches), STALE_STATUS if notices else status, notices, unsound)


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


def has_every_word(node: Node, text: str) -> bool:
    """Whether a node has every word of a question."""
    return any(_matches_of_node(node, words_of(text), Filters(every=True)))


def reasons(node: Node, text: str) -> tuple[str, ...]:
    """Where words of a question stand in a node."""
    return next((each.reasons for each in _matches_of_node(node, words_of(text), Filters())), ())


def answer_data(question: str, found: Answer) -> dict[str, Any]:
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


def _best_hits(matches: list[_Match], limit: int) -> tuple[Hit, ...]:
    first = sorted(matches, key=_rank, reverse=True)
    if 0 < limit < len(first):  # titles decide among equals only, of which few are among the first
        last = _rank(first[limit - 1])
        first = [match for match in first if _rank(match) >= last]
    first.sort(key=lambda match: (match.title.casefold(), match.path))
    first.sort(key=_rank, reverse=True)
    return tuple(Hit(match.node(), match.score, match.reasons) for match in first[: limit or None])


def _rank(match: _Match) -> tuple[int, str]:
    return match.score, match.updated


def _matches_of_row(
    memory: Memory, row: Searched, terms: Sequence[str], filters: Filters
) -> Sequence[_Match]:
    if not row.encoding.startswith("utf-8") or row.body_start is None:
        return _matches_of_node(parse(text_of(row), row.path), terms, filters)
    if filters.chooses and not passes(row.projects.split(), row.tags.split(), row.status, filters):
        return ()
    body = plain_lines(row.text)[row.body_start :]
    names = (row.tags, row.projects, row.status)
    fields = _fields_of((row.title, *names, row.summary, body, row.rest), terms, filters.every)
    if not fields:
        return ()
    node = partial(memory.node, row.page_id)
    return (_Match(*_score(fields), row.updated, row.title, row.path, node),)


def _matches_of_node(node: Node, terms: Sequence[str], filters: Filters) -> Sequence[_Match]:
    if not passes(node.projects, node.tags, node.status, filters):
        return ()
    rest = [value for key, value in node.properties.items() if key not in ("SUMMARY", "STATUS", "PROJECTS")]
    names = (" ".join(node.tags), " ".join(node.projects), node.status)
    said = (node.title, *names, node.summary, node.body, "\n".join(rest))
    fields = _fields_of(said, terms, filters.every)
    return (_Match(*_score(fields), node.updated, node.title, node.path, lambda: node),) if fields else ()


def _fields_of(said: Sequence[str], terms: Sequence[str], every: bool) -> tuple[int, ...]:
    """Which fields one of the words is in; none if every word is wanted, and one is nowhere.

    `said` is what a node says in each of the fields that have a weight, in their order; then what stands in
    other properties, which count as body.
    """
    folded = [text.casefold() for text in said]
    met = [
        tuple([place for place, text in enumerate(folded) if term in text and _FIELDS[place][1](text, term)])
        for term in terms
    ]
    if len(met) == 1:
        return met[0]
    return tuple(sorted(set().union(*met))) if all(met) or not every else ()


@cache  # there are few sets of fields, and many nodes
def _score(matched: tuple[int, ...]) -> tuple[int, tuple[str, ...]]:
    """Score and reasons."""
    fields = tuple(dict.fromkeys(_FIELDS[place][0] for place in matched))
    return sum(WEIGHTS[field] for field in fields), tuple(f"matched-{field}" for field in fields)


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


_FIELDS = tuple((field, _names if field in _NAMING else _says) for field in (*WEIGHTS, "body"))


def passes(projects: Sequence[str], tags: Sequence[str], status: str, filters: Filters) -> bool:
    """Whether a node is what was asked for, besides what it says."""
    return (
        (filters.project is None or filters.project.casefold() in projects)
        and (filters.tag is None or filters.tag.casefold() in (tag.casefold() for tag in tags))
        and (filters.status is None or filters.status == status)
        and (filters.type is None or filters.type in tags)
    )


def _under_way(kb: Kb) -> str:
    """What a person has begun with git and not ended; found out without git where nothing hints at it."""
    inside = os.path.join(kb.root, ".git")
    if not os.path.lexists(inside) or (
        os.path.isdir(inside) and UNFINISHED.keys().isdisjoint(os.listdir(inside))
    ):
        return ""
    return kb.git.under_way()


def _notices(kb: Kb) -> tuple[str, ...]:
    memory = kb.memory
    at = memory.connection, memory.row.id
    known = nodes.identities(*at, memory.rules.mark)  # page, path, id and oddity of each
    odd = {path: why for _, path, _, why in known if why}
    odd |= {path: why for path, why in problems(*at).items() if why.startswith("cannot be read")}
    notices = [f"{path} {why}; `ai-kb lint` says more." for path, why in sorted(odd.items())]
    missing = _missing(kb, known)
    return (*notices, *([missing] if missing else []))


def _missing(kb: Kb, found: Sequence[tuple[int, str, str, str]]) -> str:
    """What is wrong with the index, as far as a quick look shows it."""
    indexes = _indexes(kb)
    # The ids that are listed where nothing else stands between such brackets, as is usual.
    quickly = {each[-36:].lower() for text in indexes for each in text.split(") [")[:-1]}
    if quickly and quickly == {id.lower() for _, _, id, _ in found}:
        return ""  # as it mostly is
    known: set[str] = set()
    for page_id, path, id, _ in sorted(found, key=lambda node: node[1]):
        if not UUID.fullmatch(id):
            match = _ID.search(kb.memory.node(page_id).text, 0, 2000)
            if match is None:
                return f"{path} has no id and is not listed; `ai-kb lint` says more."
            id = match.group(1)
        known.add(id.lower())
    if not indexes and known:
        return "there is no index; `ai-kb index` makes it."
    if quickly != known:
        listed = {each.group(1).lower() for text in indexes for each in _LISTED.finditer(text)}
        if listed != known:
            return "the index does not list the nodes that there are; see `ai-kb index` and `ai-kb lint`."
    return ""


def _indexes(kb: Kb) -> list[str]:
    """The texts of the files of the index."""
    texts: list[str] = []
    for name in sorted(each for each in os.listdir(kb.root) if each.startswith("index")):
        if is_index(name):
            with suppress(OSError):
                texts.append(read_own(kb.root / name).decode(errors="replace"))
    return texts
