"""The checks of a single node: can Org read it, and does it say what every node must say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice

from quaid.formats.document import CODE, COMMENT, FENCE
from quaid.formats.org.drawer import PROPERTY_LINE, value_of
from quaid.formats.org.elements import elements
from quaid.formats.org.lines import line_of, plain_lines
from quaid.formats.secrets import masked
from quaid.kb.findings import Finding, finding
from quaid.kb.node import (
    CONFIDENCES,
    CREATORS,
    LABELS,
    PROJECT,
    REQUIRED,
    STATUSES,
    TYPES,
    UUID,
    VISIBILITIES,
    Node,
    slug_of_project,
)
from quaid.kb.render import is_date
from quaid.store.nodes import NodeRow

MAX_NODE = 32_000  # bytes; a larger node is probably about more than one thing
MAX_TITLE, MAX_SUMMARY = 120, 300
MAX_FINDINGS = 50  # of one node: whoever corrects these will see the others

_DRAWER_LINE = re.compile(r"^[ \t]*:PROPERTIES:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MISSPELT = re.compile(
    r"^[ \t]*(?::?PROPERT(?:Y|IES)?:?|:?PROPERITES:?|:?PROPRETIES:?|:?PROPETIES:?|:?PROPERTES:?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(r"^[ \t]*:END:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_HEADLINE = re.compile(r"^\*+[ \t]", re.MULTILINE)
_EMPTY_TITLE = re.compile(r"^[ \t]*#\+title:[ \t]*$", re.IGNORECASE | re.MULTILINE)
_PROJECTS = re.compile(r"(?::[^\s:]+)+:")
_TAG = re.compile(r"[\w@#%]+")
_FILE = re.compile(r"(?:\d{14}-)?[a-z0-9][a-z0-9_-]*\.org")
_LABEL = re.compile(r"(?<![\w-])([A-Z]{2,30}(?:_[A-Z]{2,30}){1,3}):? \Z")
_SILENT = (CODE, COMMENT, FENCE)  # kinds of lines in which a link is none
_PROPERTY_LIKE = re.compile(r"[ \t]*:\S")


def check_node(node: Node, creators: Collection[str] = CREATORS) -> Iterator[Finding]:
    """What can be seen in one node on any day, up to a limit."""
    return islice(_check(node, creators), MAX_FINDINGS)


def check_days(node: NodeRow, latest: str) -> Iterator[Finding]:
    """Whether a node names a day after the last one that a day may be."""
    later = max(node.created, node.updated) > latest
    if later and is_date(node.created) and is_date(node.updated):
        yield finding(node.path, 0, "style", "a day is in the future", "Correct it.")


def tomorrow() -> str:
    """The last day that a node may name: a machine further east may have written it."""
    return (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")


def _check(node: Node, creators: Collection[str]) -> Iterator[Finding]:
    text = plain_lines(node.text)
    if not text.strip():
        yield finding(node.path, 1, "org", "the file is empty", "Write the node, or remove the file.")
        return
    if "\0" in text:
        line = line_of(text, text.index("\0"))
        yield finding(node.path, line, "org", "a NUL byte; this is no text", "Remove it.")
    after = node.drawer_end
    if after:
        drawer = text[:after]
        if not _is_fine(node, drawer, creators):
            yield from _properties(node, drawer, creators)
    else:
        yield _drawer(node.path, text)
    if not node.title:
        where = _EMPTY_TITLE.search(text)
        what = "`#+title:` is empty" if where else "there is no line `#+title:`"
        yield finding(
            node.path, line_of(text, where.start()) if where else 1, "title", what, "Give the node a title."
        )
    for fault in node.faults:
        if after or fault.check != "drawer":  # one broken drawer is enough to say
            yield finding(node.path, fault.line, fault.check, fault.message, fault.hint)
    yield from _links(node, text)
    yield from _style(node)


def _drawer(path: str, text: str) -> Finding:
    """Why Org sees no property drawer on top."""
    opened = _DRAWER_LINE.search(text)
    if opened is None:
        odd = _MISSPELT.search(text)
        if odd:
            message = f"the property drawer begins with `{odd.group().strip()}`, not with `:PROPERTIES:`"
            return finding(path, line_of(text, odd.start()), "drawer", message, "Correct the line.")
        hint = "A node begins with the line `:PROPERTIES:`. `ai-kb remember` writes it."
        return finding(path, 1, "drawer", "there is no property drawer", hint)
    line = line_of(text, opened.start())
    lead = [each for each in text[: opened.start()].split("\n")[:-1] if not re.match(r"#(?:[ \t]|\Z)", each)]
    if lead:
        hint = "Nothing but comments may stand above it; the title comes after it."
        return finding(path, line, "drawer", "the property drawer is not at the very top of the file", hint)
    headline = _HEADLINE.search(text, opened.end())
    limit = headline.start() if headline else len(text)
    end = _END.search(text, opened.end(), limit)
    inner = text[opened.end() : end.start() if end else limit].split("\n")[1:]
    for number, each in enumerate(inner[:-1] if end else inner, start=line + 1):
        if not PROPERTY_LINE.match(each) and (end or each.strip()):
            what = "an empty line" if not each.strip() else "a line that is no property"
            hint = "Every line has the form `:NAME: value`; a value stands on one line."
            if not end and not _PROPERTY_LIKE.match(each):
                break
            return finding(path, number, "drawer", f"{what} in the property drawer", hint)
    return finding(
        path, line, "drawer", "the property drawer has no line `:END:`", "Add it below the last one."
    )


def _is_fine(node: Node, drawer: str, creators: Collection[str]) -> bool:
    """Whether all properties are as they should be. Nearly all nodes are, so that is found out fast."""
    said = node.properties
    return (
        drawer.count("\n") == len(said) + 2
        and all(said.get(key) for key in REQUIRED)
        and all(said[key] in allowed for key, allowed in _CHOICES.items())
        and said["CREATED_BY"] in creators
        and is_date(said["CREATED"])
        and is_date(said["UPDATED"])
        and UUID.fullmatch(said["ID"]) is not None
        and not any(_project("", 0, said["PROJECTS"]))
    )


def _properties(node: Node, drawer: str, creators: Collection[str]) -> Iterator[Finding]:
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(drawer.split("\n"), start=1):
        match = PROPERTY_LINE.match(line)
        if match is None or match.group(2) or match.group(1).upper() in ("PROPERTIES", "END"):
            continue
        key, written = match.group(1).upper(), (match.group(3) or "").strip()
        if key in found and key in REQUIRED:
            check = "id" if key == "ID" else "property"
            yield finding(node.path, number, check, f"`:{key}:` is given twice", "Keep one of the lines.")
        found.setdefault(key, (number, value_of(key, written)))
    last = drawer.rstrip("\n").count("\n") + 1
    for key in REQUIRED:
        place, value = found.get(key, (last, ""))
        if not value:
            what = "is empty" if key in found else "is missing"
            check = "id" if key == "ID" else "property"
            yield finding(node.path, place, check, f"`:{key}:` {what}", _HINTS.get(key, ""))
        else:
            yield from _value(node.path, place, key, value, creators)


def _value(path: str, line: int, key: str, value: str, creators: Collection[str]) -> Iterator[Finding]:
    allowed = creators if key == "CREATED_BY" else _CHOICES.get(key)
    if allowed is not None and value not in allowed:
        hint = _HINTS[key] if key != "CREATED_BY" else f"One of {', '.join(creators)}. {_MORE_AGENTS}"
        yield finding(path, line, "property", f"`:{key}:` cannot be {_shown(value)}", hint)
    elif key in ("CREATED", "UPDATED") and not is_date(value):
        yield finding(path, line, "property", f"`:{key}:` is not a day: {_shown(value)}", _HINTS[key])
    elif key == "ID" and not UUID.fullmatch(value):
        yield finding(path, line, "id", f"`:ID:` is not a UUID: {_shown(value)}", _HINTS[key])
    elif key == "PROJECTS":
        yield from _project(path, line, value)


def _project(path: str, line: int, value: str) -> Iterator[Finding]:
    for word in value.split():
        if not _PROJECTS.fullmatch(word):
            hint = f"Write `:{slug_of_project(word.strip(':'))}:`."
            yield finding(path, line, "project", f"{_shown(word)} is not a project between colons", hint)
            continue
        for slug in word.strip(":").split(":"):
            if not re.fullmatch(PROJECT, slug):
                hint = f"Write `:{slug_of_project(slug)}:`: lower-case letters, digits and -."
                yield finding(path, line, "project", f"{_shown(slug)} is not the slug of a project", hint)


def _shown(value: str) -> str:
    """A value in a message: not all of a long one, and never a secret."""
    return repr(masked(value[:200])[:80])


def _links(node: Node, text: str) -> Iterator[Finding]:
    """Links that are not closed, and labels that say nothing to anybody else."""
    place = text.find("[[id:")
    kinds = elements(text).kinds if place >= 0 else []
    while place >= 0:
        end = text.find("\n", place)
        closed = text.find("]", place, end if end >= 0 else len(text))
        line = line_of(text, place)
        if kinds[line - 1] not in _SILENT:
            if closed < 0:
                hint = "Its address ends with `]` on the same line, the link with `]]`."
                yield finding(node.path, line, "link", "a link is not closed", hint)
            label = _LABEL.search(text, max(0, place - 100), place)
            if label and label.group(1) not in LABELS:
                message, hint = f"{label.group(1)} is no label of a relation", f"Known: {', '.join(LABELS)}."
                yield finding(node.path, line, "relation", message, hint)
        place = text.find("[[id:", place + 5)


def _style(node: Node) -> Iterator[Finding]:
    path = node.path
    types = [tag for tag in node.tags if tag in TYPES]
    if len(types) != 1:
        what = f"is of several types: {', '.join(types)}" if types else "has no tag that says its type"
        yield finding(path, 0, "type", f"the node {what}", f"`#+filetags:` has one of {', '.join(TYPES)}.")
    odd = [tag for tag in node.tags if not _TAG.fullmatch(tag)]
    if odd:
        yield finding(
            path, 0, "style", f"{_shown(odd[0])} is not a tag of Org", "Letters, digits, _, @, # and %."
        )
    if node.updated < node.created and is_date(node.created) and is_date(node.updated):
        yield finding(path, 0, "style", "it was updated before it was created", "Correct one of the days.")
    if len(node.title) > MAX_TITLE or len(node.summary) > MAX_SUMMARY:
        yield finding(path, 0, "style", "the title or the summary is long", "Say it in one short sentence.")
    if not _FILE.fullmatch(path.rpartition("/")[2]):
        yield finding(path, 0, "style", "an unusual file name", "YYYYMMDDHHMMSS-slug.org, or slug.org.")
    if "\r\n" in node.text:
        yield finding(path, 0, "style", "line endings of Windows", "Save it with those of Unix.")
    if not node.text.endswith("\n"):
        yield finding(path, 0, "style", "the last line has no end", "Add a newline.")
    if len(node.text) > MAX_NODE:
        yield finding(path, 0, "size", f"{len(node.text):,} characters", "Split it: one node, one thing.")


_MORE_AGENTS = "A line `#+agents: NAME` in AGENT_CONTRACT.org allows others."
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "CONFIDENCE": CONFIDENCES,
    "VISIBILITY": VISIBILITIES,
    "STATUS": STATUSES,
}
_HINTS: Mapping[str, str] = {
    "ID": "`uuidgen` makes one; nothing else stands on the line.",
    "PROJECTS": "Such as `:general:` or `:emacs: :deploy:`.",
    "CREATED": "Such as 2026-05-24.",
    "UPDATED": "Such as 2026-05-24.",
    "CREATED_BY": f"One of {', '.join(CREATORS)}. {_MORE_AGENTS}",
    "CONFIDENCE": f"One of {', '.join(CONFIDENCES)}.",
    "VISIBILITY": f"One of {', '.join(VISIBILITIES)}.",
    "SOURCE": "Say where it comes from, such as `chat 2026-05-24` or a path below raw/.",
    "STATUS": f"One of {', '.join(STATUSES)}.",
    "SUMMARY": "One sentence, by which the node is found.",
}
