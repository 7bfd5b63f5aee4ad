"""The kinds of page that Quaid knows, where they live, and what they are for.

A page may have any other type as well; these have a template and a default wing.
"""

from __future__ import annotations

import re

from quaid.model.record import record

DEFAULT_TYPE = "concept"


@record
class PageType:
    """One kind of page. `folders` are the first slug segments that imply it."""

    name: str
    wing: str
    meaning: str
    folders: tuple[str, ...]


PAGE_TYPES: tuple[PageType, ...] = (
    PageType("person", "people", "Individual humans", ("people", "person", "persons")),
    PageType("company", "companies", "Organisations, vendors, customers", ("companies", "company")),
    PageType("deal", "deals", "Business opportunities and sales cycles", ("deals", "deal")),
    PageType("project", "projects", "Work with an end", ("projects", "project", "ideas")),
    PageType("area", "areas", "Lasting responsibilities", ("areas", "area")),
    PageType("resource", "resources", "Reference material", ("resources", "resource")),
    PageType("archive", "archives", "Inactive material", ("archives", "archive")),
    PageType("concept", "concepts", "Ideas, terms, frameworks", ("concepts", "concept")),
    PageType("original", "originals", "The owner's own thinking", ("originals", "original")),
    PageType(
        "source",
        "sources",
        "External material attributed to a source",
        ("sources", "source", "meetings", "meeting", "programs", "program"),
    ),
    PageType("media", "media", "Articles, podcasts, videos", ("media",)),
    PageType("decision", "decisions", "Decisions, with their reasons", ("decisions", "decision")),
    PageType("commitment", "commitments", "What was promised to others", ("commitments", "commitment")),
    PageType(
        "action_item",
        "actions",
        "To-dos with an owner",
        ("actions", "action", "action-items", "action-item", "action_items", "action_item"),
    ),
    PageType("journal", "journal", "Daily entries", ("journal", "journals", "daily")),
)

_BY_NAME = {known.name: known for known in PAGE_TYPES}
_BY_FOLDER = {folder: known.name for known in PAGE_TYPES for folder in known.folders}
_BY_FOLDER.update({"yc": "yc", "civic": "civic"})
_NUMBER_PREFIX = re.compile(r"^(?:\d+[-_.]+)+")


def type_for_slug(slug: str) -> str:
    """The type that the nearest of a page's folders implies that implies one."""
    for folder in reversed(slug.split("/")[:-1]):
        found = _BY_FOLDER.get(_NUMBER_PREFIX.sub("", folder))
        if found:
            return found
    return DEFAULT_TYPE


def type_for_folder(name: str) -> str | None:
    """The type that the name of a folder implies: people implies person."""
    return _BY_FOLDER.get(name)


def wing_for(type_name: str, slug: str) -> str:
    """The default wing: the type's, else the first folder."""
    known = _BY_NAME.get(type_name)
    if known:
        return known.wing
    folder, _, rest = slug.partition("/")
    return folder if rest else ""


def page_type(name: str) -> PageType | None:
    """The known type of that name."""
    return _BY_NAME.get(name)
