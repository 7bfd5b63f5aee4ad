"""What every format of pages can do: read a page, edit its text, find and change its links.

`page_format` is the one place where a format is chosen. Everything above asks its answer, and does not care
which format it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from quaid.formats.document import BLANK, Document, Heading, Line
from quaid.formats.fields import items_of
from quaid.formats.implied import Facts
from quaid.formats.markdown import edits, frontmatter, links, page, structure, timeline
from quaid.formats.markdown.links import TextLink
from quaid.formats.templates import fill_template
from quaid.model.page import Claim, Content, Format, Reference, TimelineEntry
from quaid.model.record import record


@record
class Syntax:
    """How a text of the format is cut into parts."""

    heading: re.Pattern[str]  # at the beginning of a line
    marks: str  # around the text of a heading
    silent: frozenset[str]  # kinds of lines that say nothing on their own
    cut: re.Pattern[str]  # before a heading, the best place to cut a part that is too long
    # Code, links, headings and marks: a name that stands there is no mention. Few commands look for names.
    not_prose: str
    lines: Callable[[str], tuple[Line, ...]]
    headings: Callable[[str], Sequence[Heading]]
    plain: Callable[[str], str]
    readable: Callable[[str], str]  # what an embedder is to read of a text
    timeline_end: Callable[[str], int]  # where a timeline's entries end and other sections follow


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


@record
class PageFormat:
    """A format of pages. Reading never fails, on any text."""

    name: Format
    extension: str
    media_type: str
    by_default: bool  # pages that have no file are of this format
    editor: Editor
    syntax: Syntax
    read: Callable[[str, str, str | None], Content]  # a page's text, its slug and its path
    stated_facts: Callable[[str], Facts]  # those that the fields of a page state in so many words
    assertions: Callable[[Mapping[str, Any]], list[Any]]  # among a page's fields, each as a mapping
    document: Callable[[str], Document]  # the verbatim parts of a page
    entries: Callable[[str], tuple[TimelineEntry, ...]]  # of a timeline; lines count from its first
    split: Callable[[str], tuple[str, str]]  # the head and the rest
    identity: Callable[[str], str | None]  # the id that a page's author gave it; only the head is read
    stated_slug: Callable[[str], object]  # the slug that a page says it has
    links: Callable[[str], tuple[TextLink, ...]]  # to pages, in a text without its head
    # The target of a link on a page at a slug or path, and what is written if that is relative to it.
    target_and_form: Callable[[TextLink, str], tuple[str, str]]
    relative: Callable[
        [str], str
    ]  # a relative path as a link has it: in some formats it means that place alone
    follows: Callable[[str, TextLink], bool]  # whether a link finds its page wherever that goes
    retarget: Callable[[str, Mapping[TextLink, str]], str]  # the text with some links leading elsewhere
    template: Callable[[str, str, str | None, str], str]  # of a new page: its type, slug, title and day

    def reference(self, link: TextLink, place: str) -> Reference:
        """What a link names on a page at a place: a slug or path."""
        target, written = self.target_and_form(link, place)
        return Reference(target, source=link.kind, written=written)


MARKDOWN = PageFormat(
    name="markdown",
    extension="md",
    media_type="text/markdown",
    by_default=True,
    editor=edits,
    syntax=Syntax(
        heading=re.compile(r"#{1,6}(?=\s|\Z)"),
        marks="# \t\r",
        silent=frozenset((BLANK,)),
        cut=re.compile(r"\n(?=#{1,6} )"),
        not_prose=r"(?ms)^[ \t]*(?P<fence>`{3}|~{3})[^\n]*\n(?:.*?^[ \t]*(?P=fence)|.*\Z)"
        r"|\A\s*\+\+\+\n.*?\n\+\+\+$|^#{1,6}[ \t][^\n]*|<!--(?:.*?-->|.*\Z)|`[^`\n]*`|%%[^%\n]*%%"
        r"|\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])"
        r"|<[a-zA-Z/!][^<>\n]*>|(?<![\w&])#[\w/-]+|^\[[^\]\n]+\]:[^\n]*",
        lines=structure.lines,
        headings=structure.headings,
        plain=structure.plain,
        readable=structure.readable,
        timeline_end=len,
    ),
    read=page.read,
    stated_facts=lambda text: page.stated_facts(frontmatter.values_of(text), []),
    assertions=lambda values: items_of(values.get("assertions")),
    document=structure.parse,
    entries=timeline.entries,
    split=frontmatter.split,
    identity=lambda text: page.identity(frontmatter.values_of(text)),
    stated_slug=lambda text: frontmatter.values_of(text).get("slug"),
    links=links.find,
    target_and_form=links.target_and_form,
    relative=str,
    follows=lambda body, link: False,
    retarget=links.retarget,
    template=fill_template,
)


@cache
def page_format(name: Format) -> PageFormat:
    """The format of that name; it is looked for once."""
    if name == "markdown":
        return MARKDOWN
    # Lazy for start-up time: a memory without org pages does without.
    from quaid.formats.org.format import ORG

    return ORG
