"""Markdown pages: everything that is read out of one."""

from __future__ import annotations

import re
from typing import Any

from quaid.formats import fields, implied
from quaid.formats.addresses import Meaning, meaning_of
from quaid.formats.document import Document
from quaid.formats.fields import word
from quaid.formats.implied import NO_FACTS, Facts, Subject
from quaid.formats.markdown import frontmatter, links, structure, timeline
from quaid.formats.placeholders import without_placeholders
from quaid.formats.slugs import fold
from quaid.formats.statements import statements
from quaid.model.page import Content, Problem, Reference, split_target
from quaid.model.types import type_for_slug, wing_for

_WORDS = ("type", "title", "summary", "wing", "room")  # fields that are a line of text
_TAG_SEPARATOR = re.compile(r"[,\s]+")
_ALIAS_SEPARATOR = re.compile(r"\s*,\s*")


def read(text: str, slug: str, path: str | None = None) -> Content:
    """Read a Markdown page. Never fails: what cannot be understood is kept and listed in `problems`."""
    document = structure.parse(text)
    values, problems = frontmatter.read(document.head) if document.head else ({}, ())
    found = list(problems)
    stated = stated_facts(values, found)
    said = {name: word(values[name]) for name in _WORDS if name in values}
    page_type = said.get("type", "").lower() or type_for_slug(slug)
    tags = tags_of(values)
    named = values.get("aliases", values.get("alias"))
    aliases = fields.unique(fields.words(named, _ALIAS_SEPARATOR)) if named is not None else ()
    summary = said.get("summary", "")
    title = said.get("title") or structure.title_of(document.truth) or fields.title_from(slug, path)

    def pages_linked(text: str) -> list[str]:
        """The pages to which links in a text of this page lead."""
        return [links.target_and_form(link, path or slug)[0] for link in links.find(text)]

    yielded = NO_FACTS
    if values:
        subject = Subject(slug, page_type, title, aliases)
        yielded = implied.read_fields(values, subject, stated, pages_linked, found)
    claims = (*stated.claims, *yielded.claims)
    telling = statements(values, claims, (title, slug, *aliases)) if values else ()
    return Content(
        text=text,
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=title,
        summary=summary or structure.summary_of(without_placeholders(document.truth)),
        wing=said.get("wing") or wing_for(page_type, slug),
        room=said.get("room") or _room(document.truth, slug),
        frontmatter=values,
        keywords=fields.keywords_of(aliases, tags, summary, document.truth),
        tags=tags,
        aliases=aliases,
        entries=timeline.entries(document.timeline),
        references=(*stated.links, *yielded.links, *_text_links(document, path or slug)),
        claims=claims,
        stated=telling,
        fields="\n".join(each.line for each in telling),
        problems=tuple(found),
        uuid=identity(values),
    )


def tags_of(values: dict[str, Any]) -> tuple[str, ...]:
    """The tags of a page, from its fields."""
    if "tags" not in values:
        return ()
    return fields.unique(tag.lstrip("#") for tag in fields.words(values["tags"], _TAG_SEPARATOR))


def identity(values: dict[str, Any]) -> str | None:
    """The id that a page's author gave it, from the fields of the page."""
    return word(values.get("uuid") or values.get("id")) or None


def stated_facts(values: dict[str, Any], problems: list[Problem]) -> Facts:
    """The assertions and typed links that stand in a page's frontmatter."""
    if "links" not in values and "assertions" not in values:
        return NO_FACTS
    links = fields.typed_links(values.get("links"), problems)
    return Facts(fields.claims(values.get("assertions"), problems), links)


def _room(truth: str, slug: str) -> str:
    return "/".join(slug.split("/")[1:-1]) or next(
        (heading.text for heading in structure.headings(truth) if heading.level == 2), ""
    )


def _text_links(document: Document, slug: str) -> list[Reference]:
    """One reference for each page that the text mentions, from its first mention."""
    found: dict[Meaning, Reference] = {}
    for part in filter(None, (document.truth, document.timeline)):
        for link in links.find(part):
            target, written = links.target_and_form(link, slug)
            if fold(split_target(target)[1]):
                reference = Reference(target, "mentions", link.context, link.kind, written=written)
                found.setdefault(meaning_of(target, written), reference)
    return list(found.values())
