"""Org as a format of pages."""

from __future__ import annotations

import re

from quaid.formats.document import BLANK
from quaid.formats.implied import Facts
from quaid.formats.markdown.links import TextLink
from quaid.formats.org import edits, page, structure, targets
from quaid.formats.org import timeline as dated
from quaid.formats.org.areas import DRAWER
from quaid.formats.org.elements import lines
from quaid.formats.org.head import read_head
from quaid.formats.org.template import org_template
from quaid.model.page import Format, Reference, TimelineEntry

_NOT_PROSE = (
    r"^[ \t]*#\+begin_(?P<block>\w+)(?:.*?^[ \t]*#\+end_(?P=block)|.*\Z)|^\*+[ \t][^\n]*"
    r"|^[ \t]*#[+ ][^\n]*|^[ \t]*:[\w-]+:[^\n]*|\[\[[^\[\]\n]*\](?:\[[^\[\]\n]*\])?\]"
    r"|\[cite[^\[\]\n]*\]|[=~](?=\S)[^=~\n]*[=~]"
)


class OrgSyntax:
    """How an org text is cut into parts."""

    heading = re.compile(r"\*+ ")
    marks = "* \t\r"
    silent = frozenset((BLANK, DRAWER))
    cut = re.compile(r"\n(?=\*+ )")
    lines = staticmethod(lines)
    headings = staticmethod(structure.headings)
    plain = staticmethod(structure.plain)
    readable = staticmethod(structure.readable)
    timeline_end = staticmethod(structure.section_end)

    @property
    def not_prose(self) -> re.Pattern[str]:
        return re.compile(_NOT_PROSE, re.MULTILINE | re.DOTALL | re.IGNORECASE)


class Org:
    """Pages with a property drawer and keywords on top, and a headline above their timeline."""

    name: Format = "org"
    extension = "org"
    media_type = "text/x-org"
    by_default = False
    editor = edits
    syntax = OrgSyntax()
    read = staticmethod(page.read)
    assertions = staticmethod(page.flow_items)
    document = staticmethod(structure.parse)
    links = staticmethod(targets.find)
    relative = staticmethod(targets.relative)
    follows = staticmethod(targets.is_id)
    retarget = staticmethod(targets.retarget)
    template = staticmethod(org_template)

    def stated_facts(self, text: str) -> Facts:
        return page.stated_facts(text, [])

    def entries(self, timeline: str) -> tuple[TimelineEntry, ...]:
        return dated.entries(timeline)

    def split(self, text: str) -> tuple[str, str]:
        end = read_head(text).end
        return text[:end], text[end:]

    def identity(self, text: str) -> str | None:
        return read_head(text).seen.get("ID", "") or None

    def stated_slug(self, text: str) -> object:
        return read_head(text).value("slug")

    def reference(self, link: TextLink, place: str) -> Reference:
        target, written = targets.target_and_form(link, place)
        return Reference(target, source=link.kind, written=written)


ORG = Org()
