"""A page as the memory knows it, and what is read out of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from quaid.model.interval import Interval
from quaid.model.record import record

if TYPE_CHECKING:
    from quaid.model.statement import Statement  # whose patterns reading a page does not need

Format = Literal["markdown", "org"]
LinkSource = Literal["wiki_link", "markdown_link", "frontmatter", "assertion"]


@record
class Problem:
    """Something in a document that could not be understood; the text is kept as it is."""

    code: str
    message: str
    line: int = 0


@record
class TimelineEntry:
    """One dated line of evidence with its indented detail. `line` counts from 1 within the text given."""

    date: str
    summary: str
    source: str = ""
    detail: str = ""
    line: int = 0


@record
class Reference:
    """A link as a page's text or frontmatter states it; `target` is what the author wrote.

    A relative link has the path from the root as its target, and what the author wrote as `written`.
    """

    target: str
    relationship: str = "mentions"
    context: str = ""
    source: LinkSource = "wiki_link"
    valid: Interval = Interval()
    written: str = ""


@record
class Claim:
    """An assertion as a page's frontmatter states it."""

    subject: str
    predicate: str
    object: str
    valid: Interval = Interval()
    confidence: float = 1.0
    asserted_by: str = "manual"
    source: str = ""
    evidence: str = ""


@record
class Content:
    """A page's text, cut into verbatim parts, and everything that is derived from it.

    `head + truth + rule + timeline` is the text, to the character.
    """

    text: str
    head: str
    truth: str
    rule: str
    timeline: str
    type: str
    title: str
    summary: str
    wing: str
    room: str
    frontmatter: dict[str, Any]
    keywords: str = ""  # what a search should find besides the text
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()  # ids of the page and of its parts: names that links may use
    entries: tuple[TimelineEntry, ...] = ()
    references: tuple[Reference, ...] = ()
    claims: tuple[Claim, ...] = ()
    problems: tuple[Problem, ...] = ()
    stated: tuple[Statement, ...] = ()  # what its fields and facts say, as people ask for it
    fields: str = ""  # the same as lines in which words are looked for
    format: Format = "markdown"
    uuid: str | None = None  # that its author gave it, the same wherever the page goes


@record
class PageInfo:
    """A page as lists show it."""

    id: int
    collection: str
    slug: str
    type: str
    title: str
    summary: str
    wing: str
    room: str
    version: int
    created_at: str
    updated_at: str
    truth_updated_at: str
    timeline_updated_at: str
    format: Format
    path: str | None


@record
class Page:
    """A page with its text."""

    info: PageInfo
    text: str
    encoding: str
    frontmatter: dict[str, Any]
    tags: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


@record
class Link:
    """A typed link as the memory holds it; `to_slug` is empty while no page answers to `target`."""

    id: int
    from_slug: str
    to_slug: str
    target: str
    relationship: str
    context: str
    source: LinkSource
    valid: Interval
    from_title: str = ""
    to_title: str = ""


def format_of(path: str | None) -> Format:
    """The format of a page, which its file's name tells."""
    return "org" if path and path.lower().endswith(".org") else "markdown"


def split_target(target: str) -> tuple[str | None, str]:
    """`collection::slug` as its two parts."""
    collection, found, rest = target.partition("::")
    return (collection.strip() or None, rest) if found else (None, target)
