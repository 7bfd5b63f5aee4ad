"""Org as a format of pages: a property drawer and keywords on top, and a headline above the timeline."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.document import BLANK
from quaid.formats.format import PageFormat, Syntax
from quaid.formats.markdown import frontmatter
from quaid.formats.markdown import structure as markdown
from quaid.formats.markdown.timeline import entries
from quaid.formats.org import edits, elements, page, structure, targets, timeline
from quaid.formats.org.areas import DRAWER
from quaid.formats.org.head import read_head
from quaid.formats.templates import fill_template
from quaid.model.page import TimelineEntry

_HEADING = re.compile(r"(#{2,6}) (.*)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")


def org_template(type_name: str, slug: str, title: str | None, today: str) -> str:
    """The text of a new page: fields that hold text, headlines one level up, the timeline."""
    document = markdown.parse(fill_template(type_name, slug, title, today))
    values = frontmatter.read(document.head)[0]
    text = "".join(f"{line}\n" for line in _lines(document.truth)).strip("\n") + "\n"
    head = {key: value for key, value in values.items() if isinstance(value, str) and value}
    made = edits.set_fields("", head) + "\n" + text
    for entry in entries(document.timeline):
        made = edits.add_entry(made, TimelineEntry(entry.date, entry.summary, entry.source, entry.detail))
    return made


def _lines(truth: str) -> Iterator[str]:
    for line in truth.splitlines():
        heading = _HEADING.match(line)
        if heading:
            yield f"{'*' * (len(heading.group(1)) - 1)} {heading.group(2)}"
        elif line.startswith("> "):
            yield from ("#+begin_quote", line[2:], "#+end_quote")
        elif not line.startswith("# "):
            yield _BOLD.sub(r"*\1*", line)


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
    # An id, which its page keeps wherever it goes.
    follows=lambda text, link: text[max(0, link.target_start - 3) : link.target_start] == "id:",
    retarget=targets.retarget,
    template=org_template,
)
