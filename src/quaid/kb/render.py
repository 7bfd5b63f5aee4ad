"""A new node as text: properties in their order, title, tags, body."""

from __future__ import annotations

import re
from datetime import date, datetime

from quaid.errors import InvalidInput
from quaid.formats.slugs import slugify
from quaid.kb.edits import plain
from quaid.kb.node import (
    CONFIDENCES,
    GENERAL,
    LABELS,
    PROJECT,
    STATUSES,
    TYPES,
    UUID,
    VISIBILITIES,
    slug_of_project,
)
from quaid.model.record import record

MAX_SLUG = 60  # characters of a file name behind its date

_TAG = re.compile(r"[\w@#%]+")
_AGENT = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_BREAKS = re.compile(r"[\s\0]+")


@record
class Draft:
    """What a new node is to say. Dates are `YYYY-MM-DD`; a relation is label, id and title."""

    id: str
    title: str
    summary: str
    body: str = ""
    type: str = "observation"
    projects: tuple[str, ...] = (GENERAL,)
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    created_by: str = "human"
    confidence: str = "user-stated"
    visibility: str = "personal"
    source: str = ""
    status: str = "current"
    relations: tuple[tuple[str, str, str], ...] = ()


def render(draft: Draft) -> str:
    """The text of a node; what cannot stand in one is refused."""
    _check(draft)
    created = draft.created or draft.updated
    source = re.sub(r" +;", ";", _line(draft.source))  # a space before it would begin a comment
    properties = {
        "ID": draft.id,
        "PROJECTS": " ".join(f":{project}:" for project in draft.projects),
        "CREATED": created,
        "UPDATED": draft.updated or created,
        "CREATED_BY": draft.created_by,
        "CONFIDENCE": draft.confidence,
        "VISIBILITY": draft.visibility,
        "SOURCE": source,
        "STATUS": draft.status,
        "SUMMARY": _line(draft.summary),
    }
    tags = dict.fromkeys((draft.type, *draft.tags))
    lines = [
        ":PROPERTIES:",
        *(f":{key}: {value}" for key, value in properties.items()),
        ":END:",
        f"#+title: {_line(draft.title)}",
        f"#+filetags: :{':'.join(tags)}:",
    ]
    related = [
        f"{label} [[id:{target}][{plain(title) or 'node'}]]" for label, target, title in draft.relations
    ]
    parts = [part for part in (_body(draft.body), "\n".join(related)) if part]
    return "\n".join([*lines, *(f"\n{part}" for part in parts)]) + "\n"


def file_name(title: str, when: datetime) -> str:
    """The name of a new node's file: its date and a slug of its title."""
    slug = slugify(title.replace("/", " ")).replace("_", "-")
    if len(slug) > MAX_SLUG:
        slug = slug[:MAX_SLUG].rpartition("-")[0] or slug[:MAX_SLUG]
    return f"{when:%Y%m%d%H%M%S}-{slug.strip('-')}.org"


def is_date(text: str) -> bool:
    """Whether a text is a day, written as year, month and day."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-" or not text.isascii():
        return False  # Python reads other forms as well
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check(draft: Draft) -> None:
    for name, value, choices in (
        ("type", draft.type, TYPES),
        ("confidence", draft.confidence, CONFIDENCES),
        ("visibility", draft.visibility, VISIBILITIES),
        ("status", draft.status, STATUSES),
    ):
        if value not in choices:
            raise InvalidInput(f"the {name} {value!r} is none of {', '.join(choices)}")
    for name, value in (("title", draft.title), ("summary", draft.summary), ("source", draft.source)):
        if not _line(value):
            raise InvalidInput(f"the {name} is missing", hint="A node needs it to be found and trusted.")
    if not UUID.fullmatch(draft.id):
        raise InvalidInput(f"{draft.id!r} is not a UUID")
    for value in (draft.created or draft.updated, draft.updated or draft.created):
        if not is_date(value):
            raise InvalidInput(f"{value!r} is not a day such as 2026-05-24")
    if not _AGENT.fullmatch(draft.created_by):
        raise InvalidInput(f"{draft.created_by!r} is not the name of an agent", hint="Such as claude-code.")
    if not draft.projects:
        raise InvalidInput("a node needs a project", hint=f"What belongs to none is of {GENERAL!r}.")
    for project in draft.projects:
        if not re.fullmatch(PROJECT, project):
            raise InvalidInput(
                f"{project!r} is not the slug of a project", hint=f"Use {slug_of_project(project)}."
            )
    for tag in draft.tags:
        if not _TAG.fullmatch(tag):
            raise InvalidInput(f"{tag!r} is not a tag: letters, digits, _, @, # and % only")
    for label, target, _ in draft.relations:
        if label not in LABELS or not UUID.fullmatch(target):
            raise InvalidInput(f"{label} {target!r} is not a relation", hint=f"Labels: {', '.join(LABELS)}.")


def _line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


def _body(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip("\n").rstrip()
