"""What every format of pages can do: read a page, edit its text, find and change its links.

`page_format` is the one place where a format is chosen. Everything above asks its answer, and does not care
which format it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from quaid.formats.document import Document, Heading, Line
from quaid.formats.implied import Facts
from quaid.formats.markdown.format import MARKDOWN
from quaid.formats.markdown.links import TextLink
from quaid.model.page import Claim, Content, Format, Reference, TimelineEntry


class Syntax(Protocol):
    """How a text of the format is cut into parts."""

    heading: re.Pattern[str]  # at the beginning of a line
    marks: str  # around the text of a heading
    silent: frozenset[str]  # kinds of lines that say nothing on their own
    cut: re.Pattern[str]  # before a heading, the best place to cut a part that is too long

    @property
    def lines(self) -> Callable[[str], tuple[Line, ...]]: ...
    @property
    def headings(self) -> Callable[[str], Sequence[Heading]]: ...
    @property
    def plain(self) -> Callable[[str], str]: ...
    @property
    def readable(self) -> Callable[[str], str]:
        """What an embedder is to read of a text."""
        ...

    @property
    def not_prose(self) -> re.Pattern[str]:
        """Code, links, headings and marks: a name that stands there is no mention."""
        ...

    @property
    def timeline_end(self) -> Callable[[str], int]:
        """Where a timeline's entries end and other sections follow."""
        ...


class Editor(Protocol):
    """What can be changed about a page. Each answers with the changed text, and keeps every other byte."""

    def add_tag(self, text: str, tag: str) -> str: ...
    def remove_tag(self, text: str, tag: str) -> str: ...
    def add_link(self, text: str, link: Reference) -> str: ...
    def close_link(self, text: str, link: Reference, until: str) -> str: ...
    def remove_links(self, text: str, links: Sequence[Reference]) -> str: ...
    def remove_claims(self, text: str, claims: Collection[Claim]) -> str: ...
    def change_claim(self, text: str, claim: Claim, fields: Mapping[str, Any]) -> str: ...
    def repoint_links(self, text: str, targets: Mapping[str, str]) -> str: ...
    def append_item(self, text: str, key: str, item: Any) -> str: ...
    def set_fields(self, text: str, fields: Mapping[str, Any]) -> str: ...
    def set_field(self, text: str, path: tuple[str | int, ...], value: Any) -> str: ...
    def delete_field(self, text: str, path: tuple[str | int, ...]) -> str: ...
    def add_entry(self, text: str, entry: TimelineEntry) -> str: ...
    def remove_entry(self, text: str, entry: TimelineEntry) -> str: ...
    def append_timeline(self, text: str, addition: str) -> str: ...
    def replace_truth(self, text: str, truth: str) -> str: ...
    def add_to_section(self, text: str, title: str, addition: str) -> str: ...
    def replace_section(self, text: str, title: str, content: str) -> str: ...


class PageFormat(Protocol):
    """A format of pages. Reading never fails, on any text."""

    name: Format
    extension: str
    media_type: str
    by_default: bool  # pages that have no file are of this format

    @property
    def editor(self) -> Editor: ...
    @property
    def syntax(self) -> Syntax: ...

    def read(self, text: str, slug: str, path: str | None = None) -> Content:
        """Everything that is read out of a page."""
        ...

    def stated_facts(self, text: str) -> Facts:
        """The assertions and typed links that the fields of a page state in so many words."""
        ...

    def assertions(self, values: Mapping[str, Any]) -> list[Any]:
        """The assertions among a page's fields, each as a mapping."""
        ...

    def document(self, text: str) -> Document:
        """The verbatim parts of a page."""
        ...

    def entries(self, timeline: str) -> tuple[TimelineEntry, ...]:
        """The dated entries of a page's timeline; lines count from its first."""
        ...

    def split(self, text: str) -> tuple[str, str]:
        """The head and the rest."""
        ...

    def identity(self, text: str) -> str | None:
        """The id that a page's author gave it; only the head is read."""
        ...

    def stated_slug(self, text: str) -> object:
        """The slug that a page says it has."""
        ...

    def links(self, body: str) -> tuple[TextLink, ...]:
        """The links to pages in a text without its head."""
        ...

    def reference(self, link: TextLink, place: str) -> Reference:
        """What a link names on a page at a place: a slug or path."""
        ...

    def relative(self, path: str) -> str:
        """A relative path as it is read when a link has it: in some formats it means that place alone."""
        ...

    def follows(self, body: str, link: TextLink) -> bool:
        """Whether a link finds its page wherever that goes, so that nothing has to be changed."""
        ...

    def retarget(self, body: str, changes: Mapping[TextLink, str]) -> str:
        """The text with some links leading elsewhere."""
        ...

    def template(self, type_name: str, slug: str, title: str | None, today: str) -> str:
        """The text of a new page of a type."""
        ...


def page_format(name: Format) -> PageFormat:
    """The format of that name."""
    if name == "markdown":
        return MARKDOWN
    # Lazy for start-up time: a memory without org pages does without.
    from quaid.formats.org.format import ORG

    return ORG
