"""A node of a knowledge base: one org file with its properties, title, tags and links.

Reading never fails: what is wrong with a node is said by quaid.kb.lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from quaid.formats.org.drawer import own_drawer, value_of
from quaid.formats.org.lines import line_of, plain_lines
from quaid.kb.place import CONTRACT
from quaid.model.record import record

if TYPE_CHECKING:
    from quaid.formats.org.faults import Fault
    from quaid.formats.org.outline import Section
    from quaid.kb.body import Link

REQUIRED = (
    "ID",
    "PROJECTS",
    "CREATED",
    "UPDATED",
    "CREATED_BY",
    "CONFIDENCE",
    "VISIBILITY",
    "SOURCE",
    "STATUS",
    "SUMMARY",
)
TYPES = ("principle", "preference", "procedure", "observation", "reference")
LABELS = ("SUPERSEDES", "CONTRADICTS", "RELATES_TO", "IMPLEMENTS", "DERIVED_FROM")
CREATORS = ("claude-code", "codex", "ollama", "human")
CONFIDENCES = ("user-stated", "observed", "inferred", "external")
VISIBILITIES = ("personal", "work-private")
STATUSES = ("current", "contested", "superseded")
GENERAL = "general"  # the project of what belongs to none

NOT_NODES = ("README.org", CONTRACT)
RAW = "raw"

UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
PROJECT = r"[a-z0-9]+(?:-[a-z0-9]+)*"

_KEYWORDS = re.compile(
    r"(?:[ \t]*(?:#\+(?!begin|end|caption:|name:|attr_)[^\s:]+:[^\n]*|#(?:[ \t][^\n]*)?)?\n)*", re.IGNORECASE
)
_KEYWORD = re.compile(r"^[ \t]*#\+(title|filetags):([^\n]*)$", re.IGNORECASE | re.MULTILINE)
_SEPARATOR = re.compile(r"[:\s]+")


@record
class Node:
    """What a file says. `properties` have no comments in them; `body` begins on line `body_line`."""

    path: str
    text: str
    properties: dict[str, str]
    id: str  # a property as the next five are; "" where the node does not state it
    summary: str
    status: str
    created: str
    updated: str
    source: str
    title: str
    tags: tuple[str, ...]
    drawer_end: int  # 0 where Org sees no drawer on top
    body_start: int

    @cached_property
    def projects(self) -> tuple[str, ...]:
        return _words(self.properties.get("PROJECTS", ""))

    @cached_property
    def type(self) -> str:
        """The first tag that names a type."""
        return next((tag for tag in self.tags if tag in TYPES), "")

    @property
    def body(self) -> str:
        return self.text[self.body_start :].replace("\r\n", "\n")

    @property
    def body_line(self) -> int:
        return self._plain.count("\n", 0, self.body_start) + 1

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps Org from reading the body as it was meant."""
        from quaid.kb import body

        return body.faults(self._plain, self.body_start, self.body_line)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The headlines that are nodes of their own."""
        if ":ID:" not in self.body.upper():
            return ()
        from quaid.kb import body

        return tuple(section for section in body.sections(self._plain) if not section.excluded)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links to nodes, in the order of the text; also those in properties, which Org-roam counts."""
        if "id:" not in self.text:
            return ()
        from quaid.kb import body

        return tuple(body.links(self._plain, LABELS))

    @cached_property
    def _plain(self) -> str:
        return plain_lines(self.text)


def parse(text: str, path: str) -> Node:
    """Read a node. A text that is none has no properties."""
    text = text.removeprefix("\ufeff")
    lines = plain_lines(text)
    place, written = own_drawer(lines)
    found = {key: value_of(key, value) if ";" in value else value for key, value in written.items()}
    keywords = _KEYWORDS.match(lines, place)
    start = keywords.end() if keywords else place
    titles, tags = _keywords(lines, place, start)
    title = next((" ".join(each.split()) for each in titles if each), "")
    if "[[" in title:
        from quaid.kb import body

        title = body.shown(title)
    return Node(
        path=path,
        text=text,
        properties=found,
        id=found.get("ID", ""),
        summary=found.get("SUMMARY", ""),
        status=found.get("STATUS", ""),
        created=found.get("CREATED", ""),
        updated=found.get("UPDATED", ""),
        source=found.get("SOURCE", ""),
        title=title,
        tags=tags,
        drawer_end=place,
        body_start=start,
    )


def etag(text: str) -> str:
    """A mark of a node's text, by which a writer says which one it has read."""
    from hashlib import sha256  # it loads OpenSSL, which a question does without

    return sha256(text.encode()).hexdigest()[:16]


def places_of(node: Node) -> Iterator[tuple[str, int]]:
    """Every id in a node, its own and those of headlines, with its line."""
    if node.id:
        yield node.id, line_of(node.text, max(node.text.find(node.id), 0))
    for section in node.sections:
        yield section.id, section.line


def is_node(path: str) -> bool:
    """Whether a file of that path, seen from the root, is a node."""
    *folders, name = path.split("/")
    if not name.lower().endswith(".org") or name.startswith(".") or is_index(name):
        return False
    if is_raw(path) or any(folder.startswith(".") for folder in folders):
        return False
    return bool(folders) or name not in NOT_NODES


def is_index(path: str) -> bool:
    """Whether the name of a file is kept for the index, as its beginning `index` is: then it is no node."""
    name = path.rpartition("/")[2]
    return name.startswith("index") and name.endswith(".org")


def is_generated(path: str) -> bool:
    """Whether the index is written to that path: in the root only, so that nothing else is overwritten."""
    return "/" not in path and is_index(path)


def is_raw(path: str) -> bool:
    """Whether a file of that path is a captured source."""
    return f"/{RAW}/" in f"/{path}"


def slug_of_project(directory: str) -> str:
    """The slug of a project, from the name of its directory: the same from every agent.

    Dots in front and the endings `.d` and `.git` go, letters become lower-case, and all that is no letter or
    digit becomes one `-`: `~/.emacs.d` is `emacs`.
    """
    name = directory.rstrip("/\\").replace("\\", "/").rpartition("/")[2].lstrip(".").lower()
    for ending in (".git", ".d"):
        name = name.removesuffix(ending)
    if not name.isascii():
        # Lazy for start-up time: most names are ASCII.
        from anyascii import anyascii

        name = anyascii(name).lower()
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-") or GENERAL


def _keywords(text: str, place: int, end: int) -> tuple[list[str], tuple[str, ...]]:
    """Titles and tags from the keywords on top, and from those further below that are not in a block."""
    matches = [*_KEYWORD.finditer(text, place, end)]
    lower = text.lower()
    if lower.find("#+title:", end) >= 0 or lower.find("#+filetags:", end) >= 0:
        from quaid.kb import body

        matches += body.keywords(text, _KEYWORD.finditer(text, end))
    titles = [match.group(2).strip() for match in matches if match.group(1).lower() == "title"]
    tags = [_words(match.group(2)) for match in matches if match.group(1).lower() != "title"]
    return titles, tuple(dict.fromkeys(tag for each in tags for tag in each))


def _words(value: str) -> tuple[str, ...]:
    return tuple(word for word in _SEPARATOR.split(value) if word)
