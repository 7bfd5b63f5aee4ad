"""Templates of new pages, one for each known type."""

from __future__ import annotations

from pathlib import Path

from quaid.errors import InvalidInput
from quaid.formats.markdown import edits, frontmatter
from quaid.formats.markdown.page import read as read_page
from quaid.model.types import PAGE_TYPES, page_type


def fill_template(type_name: str, slug: str, title: str | None, today: str) -> str:
    """The text of a new page."""
    if page_type(type_name) is None:
        known = ", ".join(known.name for known in PAGE_TYPES)
        raise InvalidInput(f"no page type {type_name!r}", hint=f"The types are: {known}.")
    wanted = " ".join((title or read_page("", slug).title).split())
    template = Path(__file__).parent.joinpath("templates", f"{type_name}.md").read_text(encoding="utf-8")
    text = edits.set_field(template.replace("{today}", today), ("title",), wanted)
    head, body = frontmatter.split(text)
    return head + body.replace("{title}", wanted)
