"""A node of a knowledge base: one org file with its properties, title, tags and links.

Reading never fails: what is wrong with a node is said by quaid.kb.lint.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from quaid.kb.structure import DRAWER, Section, Structure, display, properties, scan
from quaid.model.record import record

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

CONTRACT = "AGENT_CONTRACT.org"
NOT_NODES = ("README.org", CONTRACT)
RAW = "raw"

UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
PROJECT = r"[a-z0-9]+(?:-[a-z0-9]+)*"

_COMMENTS = r"(?:#(?:[ \t][^\n]*)?\n)*"
_KEYWORDS = re.compile(
    r"(?:[ \t]*(?:#\+(?!begin|end|caption:|name:|attr_)[^\s:]+:[^\n]*|#(?:[ \t][^\n]*)?)?\n)*", re.IGNORECASE
)
_KEYWORD = re.compile(r"^[ \t]*#\+(title|filetags):([^\n]*)$", re.IGNORECASE | re.MULTILINE)
_SEPARATOR = re.compile(r"[:\s]+")
# These are compiled when they are first used: a question about a few nodes does not wait for them.
_LINK = (  # begins with plain letters, which are found fast
    r"id:(?:(?<=\[\[id:)([^\[\]\n]{1,500})\](?:\[((?:(?!\n[ \t]*\n)[\s\S]){1,500}?)\])?\]"
    r"|(?<![\w:]id:)([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![\w-]))"
)
_LABEL = r"(?:^|[\s(*_/\-])(SUPERSEDES|CONTRADICTS|RELATES_TO|IMPLEMENTS|DERIVED_FROM)[*_/]?:{0,2}[ \t]*\Z"
_LISTED = (
    r"(?i)[ \t]*[-+*][ \t]+[*_/]?(supersedes|contradicts|relates[_ ]to|implements|derived[_ ]from)[*_/]?"
    r"[ \t]+::[ \t]*(?:\[\[[^\[\]\n]+\](?:\[[^\[\]\n]*\])?\][ \t]*,?[ \t]*(?:and[ \t]+)?)*\Z"
)
_MARKED = (
    r"(?<![^\s\-({'\"\[])([=~])(?=\S)(?:(?!\n[ \t]*\n)[\s\S]){1,500}?(?<=\S)\1(?=[\s\-.,:;!?'\")}\[\]\\]|\Z)"
)
_ASIDE = r"[ \t]*(?:#[ \t]|:[ \t])"


@record
class Link:
    """A link to another node. `label` is one of LABELS, or nothing."""

    target: str
    label: str
    description: str
    line: int


@record
class Node:
    """What a file says. `properties` have no comments in them; `body` begins on line `body_line`."""

    path: str
    text: str
    properties: dict[str, str]
    title: str
    tags: tuple[str, ...]
    drawer_end: int  # 0 where Org sees no drawer on top
    body_start: int

    @property
    def id(self) -> str:
        return self.properties.get("ID", "")

    @property
    def summary(self) -> str:
        return self.properties.get("SUMMARY", "")

    @property
    def status(self) -> str:
        return self.properties.get("STATUS", "")

    @property
    def created(self) -> str:
        return self.properties.get("CREATED", "")

    @property
    def updated(self) -> str:
        return self.properties.get("UPDATED", "")

    @property
    def source(self) -> str:
        return self.properties.get("SOURCE", "")

    @property
    def projects(self) -> tuple[str, ...]:
        return _words(self.properties.get("PROJECTS", ""))

    @property
    def type(self) -> str:
        """The first tag that names a type."""
        return next((tag for tag in self.tags if tag in TYPES), "")

    @property
    def body(self) -> str:
        return self._plain[self.body_start :]

    @property
    def body_line(self) -> int:
        return self._plain.count("\n", 0, self.body_start) + 1

    @cached_property
    def structure(self) -> Structure:
        """Blocks, drawers and faults of the body."""
        return scan(self._plain, self.body_start, self.body_line)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The headlines that are nodes of their own."""
        return self.structure.sections if ":ID:" in self.body.upper() else ()

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links to nodes, in the order of the text; also those in properties, which Org-roam counts."""
        if "id:" not in self.text:
            return ()
        return tuple(_links(self._plain, self.body_start, Spans(self.structure.hidden)))

    @property
    def _plain(self) -> str:
        return plain_lines(self.text)


def parse(text: str, path: str) -> Node:
    """Read a node. A text that is none has no properties."""
    text = text.removeprefix("\ufeff")
    lines = plain_lines(text)
    place, found = read_drawer(lines)
    keywords = _KEYWORDS.match(lines, place)
    start = keywords.end() if keywords else place
    titles, tags = _keywords(lines, place, start)
    title = next((" ".join(each.split()) for each in titles if each), "")
    return Node(path, text, found, display(title), tags, place, start)


def read_drawer(text: str) -> tuple[int, dict[str, str]]:
    """Where the drawer on top ends, and its properties; nothing where Org does not see one."""
    plain = _plain_drawer(text)
    if plain:
        return plain
    comments = re.match(_COMMENTS, text)
    drawer = DRAWER.match(text, comments.end() if comments else 0)
    if drawer is None:
        return 0, {}
    found: dict[str, str] = {}
    for key, value in properties(drawer.group(1)):
        found.setdefault(key, value_of(key, value))
    return drawer.end(), found


def _plain_drawer(text: str) -> tuple[int, dict[str, str]] | None:
    """The drawer on top if it is written as usual: that takes a third of the time that patterns take."""
    end = text.find("\n:END:\n", 0, 10_000) if text.startswith(":PROPERTIES:\n") else -1
    if end < 0:
        return None
    found: dict[str, str] = {}
    for line in text[13:end].split("\n"):
        edge, _, rest = line.partition(":")
        key, _, value = rest.partition(": ")
        if edge or not key.isidentifier():
            return None
        found.setdefault(key.upper(), value_of(key.upper(), value.strip()))
    return end + 7, found


def value_of(key: str, written: str) -> str:
    """The value of a property, without the comment behind it.

    A summary is prose and has none; nor has an id, of which Org takes the whole line.
    """
    if key in ("SUMMARY", "ID") or ";" not in written:
        return written
    place = written.find(";")
    while place > 0 and written[place - 1] not in " \t":
        place = written.find(";", place + 1)
    return written if place < 0 else written[:place].rstrip()


def plain_lines(text: str) -> str:
    """The text with the line endings of Unix."""
    return text.replace("\r\n", "\n") if "\r" in text else text


def is_node(path: str) -> bool:
    """Whether a file of that path, seen from the root, is a node."""
    *folders, name = path.split("/")
    if not name.lower().endswith(".org") or name.startswith(".") or is_index(name):
        return False
    if is_raw(path) or any(folder.startswith(".") for folder in folders):
        return False
    return bool(folders) or name not in NOT_NODES


def is_index(path: str) -> bool:
    """Whether a file of that path belongs to the index: the beginning `index` is kept for it."""
    name = path.rpartition("/")[2]
    return name.startswith("index") and name.endswith(".org")


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
        hidden = Spans(scan(text, end).hidden)
        matches += [match for match in _KEYWORD.finditer(text, end) if match.start() not in hidden]
    titles = [match.group(2).strip() for match in matches if match.group(1).lower() == "title"]
    tags = [_words(match.group(2)) for match in matches if match.group(1).lower() != "title"]
    return titles, tuple(dict.fromkeys(tag for each in tags for tag in each))


def _words(value: str) -> tuple[str, ...]:
    return tuple(word for word in _SEPARATOR.split(value) if word)


def _links(text: str, body: int, hidden: Spans) -> Iterator[Link]:
    verbatim, known_until = Spans(()), body
    place, line = 0, 1
    for match in re.finditer(_LINK, text):
        start = match.start() - 2 if match.group(1) else match.start()
        if start >= known_until:
            begin = max(body, text.rfind("\n\n", 0, start))
            known_until = text.find("\n\n", start)
            known_until = len(text) if known_until < 0 else known_until
            verbatim = _verbatim(text, begin, known_until)
        if _is_aside(text, start) or (start >= body and (start in hidden or start in verbatim)):
            continue
        line += text.count("\n", place, start)
        place = start
        target = (match.group(1) or match.group(3)).partition("::")[0].strip()
        yield Link(target, _label(text, start), " ".join((match.group(2) or "").split()), line)


def _verbatim(text: str, begin: int, end: int) -> Spans:
    """What stands between = or ~ in a paragraph."""
    if text.find("=", begin, end) < 0 and text.find("~", begin, end) < 0:
        return Spans(())
    return Spans([each.span() for each in re.compile(_MARKED).finditer(text, begin, end)])


def _is_aside(text: str, place: int) -> bool:
    """Whether a place is in a comment or in a line of fixed width."""
    return re.compile(_ASIDE).match(text, text.rfind("\n", 0, place) + 1) is not None


def _label(text: str, start: int) -> str:
    before = text[max(text.rfind("\n", 0, start) + 1, start - 500) : start]
    match = re.search(_LABEL, before[-40:]) or re.match(_LISTED, before)
    return match.group(1).upper().replace(" ", "_") if match else ""


class Spans:
    """Parts of a text, in order, none within another."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]
