"""Markdown as a format of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quaid.formats import fields
from quaid.formats.document import BLANK
from quaid.formats.implied import Facts
from quaid.formats.markdown import edits, frontmatter, links, page, structure
from quaid.formats.markdown import timeline as dated
from quaid.formats.markdown.links import TextLink
from quaid.formats.templates import fill_template
from quaid.model.page import Format, Reference, TimelineEntry

# Compiled when it is first asked for: few commands look for names in texts.
_NOT_PROSE = (
    r"^[ \t]*(?P<fence>`{3}|~{3})[^\n]*\n(?:.*?^[ \t]*(?P=fence)|.*\Z)"
    r"|\A\s*\+\+\+\n.*?\n\+\+\+$|^#{1,6}[ \t][^\n]*|<!--(?:.*?-->|.*\Z)|`[^`\n]*`|%%[^%\n]*%%"
    r"|\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])"
    r"|<[a-zA-Z/!][^<>\n]*>|(?<![\w&])#[\w/-]+|^\[[^\]\n]+\]:[^\n]*"
)


class MarkdownSyntax:
    """How a Markdown text is cut into parts."""

    heading = re.compile(r"#{1,6}(?=\s|\Z)")
    marks = "# \t\r"
    silent = frozenset((BLANK,))
    cut = re.compile(r"\n(?=#{1,6} )")
    lines = staticmethod(structure.lines)
    headings = staticmethod(structure.headings)
    plain = staticmethod(structure.plain)
    readable = staticmethod(structure.readable)
    timeline_end = staticmethod(len)

    @property
    def not_prose(self) -> re.Pattern[str]:
        return re.compile(_NOT_PROSE, re.MULTILINE | re.DOTALL)


class Markdown:
    """Pages with YAML on top, and a rule above their timeline."""

    name: Format = "markdown"
    extension = "md"
    media_type = "text/markdown"
    by_default = True
    editor = edits
    syntax = MarkdownSyntax()
    read = staticmethod(page.read)
    document = staticmethod(structure.parse)
    split = staticmethod(frontmatter.split)
    template = staticmethod(fill_template)

    def stated_facts(self, text: str) -> Facts:
        return page.stated_facts(frontmatter.read(frontmatter.split(text)[0])[0], [])

    def assertions(self, values: Mapping[str, Any]) -> list[Any]:
        return fields.items_of(values.get("assertions"))

    def entries(self, timeline: str) -> tuple[TimelineEntry, ...]:
        return dated.entries(timeline)

    def identity(self, text: str) -> str | None:
        head = frontmatter.split(text)[0]
        return page.identity(frontmatter.read(head)[0]) if head else None

    def stated_slug(self, text: str) -> object:
        return frontmatter.read(frontmatter.split(text)[0])[0].get("slug")

    def links(self, body: str) -> tuple[TextLink, ...]:
        return links.find(body)

    def reference(self, link: TextLink, place: str) -> Reference:
        target, written = links.target_and_form(link, place)
        return Reference(target, source=link.kind, written=written)

    def relative(self, path: str) -> str:
        return path

    def follows(self, body: str, link: TextLink) -> bool:
        return False

    def retarget(self, body: str, changes: Mapping[TextLink, str]) -> str:
        return links.retarget(body, changes)


MARKDOWN = Markdown()
