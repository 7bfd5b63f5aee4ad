"""New org pages, made from the templates of Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.markdown import frontmatter, structure
from quaid.formats.markdown.timeline import entries
from quaid.formats.org import edits
from quaid.formats.templates import fill_template
from quaid.model.page import TimelineEntry

_HEADING = re.compile(r"(#{2,6}) (.*)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")


def org_template(type_name: str, slug: str, title: str | None, today: str) -> str:
    """The text of a new page: fields that hold text, headlines one level up, the timeline."""
    document = structure.parse(fill_template(type_name, slug, title, today))
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
