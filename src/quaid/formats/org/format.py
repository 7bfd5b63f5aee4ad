"""Org as a format of pages: a property drawer and keywords on top, and a headline above the timeline."""

from __future__ import annotations

import re

from quaid.formats.document import BLANK
from quaid.formats.format import PageFormat, Syntax
from quaid.formats.org import edits, elements, page, structure, targets, timeline
from quaid.formats.org.areas import DRAWER
from quaid.formats.org.head import read_head
from quaid.formats.org.template import org_template

ORG = PageFormat(
    name="org",
    extension="org",
    media_type="text/x-org",
    by_default=False,
    editor=edits,
    syntax=Syntax(
        heading=re.compile(r"\*+ "),
        marks="* \t\r",
        silent=frozenset((BLANK, DRAWER)),
        cut=re.compile(r"\n(?=\*+ )"),
        not_prose=r"(?ims)^[ \t]*#\+begin_(?P<block>\w+)(?:.*?^[ \t]*#\+end_(?P=block)|.*\Z)|^\*+[ \t][^\n]*"
        r"|^[ \t]*#[+ ][^\n]*|^[ \t]*:[\w-]+:[^\n]*|\[\[[^\[\]\n]*\](?:\[[^\[\]\n]*\])?\]"
        r"|\[cite[^\[\]\n]*\]|[=~](?=\S)[^=~\n]*[=~]",
        lines=elements.lines,
        headings=structure.headings,
        plain=structure.plain,
        readable=structure.readable,
        timeline_end=structure.section_end,
    ),
    read=page.read,
    stated_facts=lambda text: page.stated_facts(text, []),
    assertions=page.flow_items,
    document=structure.parse,
    entries=timeline.entries,
    split=structure.split,
    identity=lambda text: read_head(text).seen.get("ID") or None,
    stated_slug=lambda text: read_head(text).value("slug"),
    links=targets.find,
    target_and_form=targets.target_and_form,
    relative=targets.relative,
    follows=targets.is_id,
    retarget=targets.retarget,
    template=org_template,
)
