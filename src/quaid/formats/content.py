"""A page's text and everything that is read out of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quaid.formats import fields, frontmatter, implied, links, markdown, org, timeline
from quaid.formats.addresses import Meaning, meaning_of
from quaid.formats.fields import PAGE_EXTENSION, Superseded, word
from quaid.formats.implied import Facts, Subject
from quaid.formats.slugs import fold
from quaid.model.page import Claim, Content, Format, Problem, Reference, split_target
from quaid.model.record import record
from quaid.model.types import type_for_slug, wing_for

_TAG_SEPARATOR = re.compile(r"[,\s]+")
_ALIAS_SEPARATOR = re.compile(r"\s*,\s*")


def read_page(text: str, slug: str, format: Format = "markdown", path: str | None = None) -> Content:
    """Read a page. Never fails: what cannot be understood is kept and listed in `problems`.

    `path` is that of its file, for a page that has one: relative links start there, and it names the page.
    """
    if format == "org":
        return org.read(text, slug, path)
    document = markdown.parse(text)
    values, problems = frontmatter.read(document.head) if document.head else ({}, ())
    found = list(problems)
    stated = _stated(values, found)
    page_type = word(values.get("type")).lower() or type_for_slug(slug)
    tags = fields.unique(tag.lstrip("#") for tag in fields.words(values.get("tags"), _TAG_SEPARATOR))
    aliases = fields.unique(fields.words(values.get("aliases", values.get("alias")), _ALIAS_SEPARATOR))
    summary = word(values.get("summary"))
    title = word(values.get("title")) or markdown.title_of(document.truth) or fields.title_from(slug, path)
    subject = Subject(slug, page_type, title, aliases)
    yielded = implied.read_fields(values, subject, stated, _Linked(path or slug), found)
    return Content(
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=title,
        summary=summary or markdown.summary_of(document.truth),
        wing=word(values.get("wing")) or wing_for(page_type, slug),
        room=word(values.get("room")) or _room(document.truth, slug),
        frontmatter=values,
        keywords=fields.keywords_of(aliases, tags, summary, document.truth),
        tags=tags,
        aliases=aliases,
        entries=timeline.entries(document.timeline),
        references=(*stated.links, *yielded.links, *_text_links(document, path or slug)),
        claims=(*stated.claims, *yielded.claims),
        problems=tuple(found),
        uuid=word(values.get("uuid") or values.get("id")) or None,
    )


def implied_by(
    text: str, slug: str, format: Format = "markdown", path: str | None = None
) -> dict[Claim | Reference, str]:
    """The facts and typed links that a page's fields yield and its text does not state, each with its field.

    They change with their field alone.
    """
    content = read_page(text, slug, format, path)
    stated = org.stated_facts(text, []) if format == "org" else _stated(content.frontmatter, [])
    typed = [link for link in content.references if link.source == "frontmatter"]
    yielded: tuple[Claim | Reference, ...] = (
        *content.claims[len(stated.claims) :],
        *typed[len(stated.links) :],
    )
    return {each: implied.field_of(each) for each in yielded}


def successions(values: Mapping[str, Any], format: Format = "markdown") -> list[tuple[Claim, Superseded]]:
    """The assertions of a page's fields that take the place of others, and those that they replace."""
    items = org.flow_items(values) if format == "org" else fields.items_of(values.get("assertions"))
    found: list[tuple[Claim, Superseded]] = []
    for item in items:
        before = fields.superseded(item)
        claims = fields.claims([item], []) if before else ()
        found += [(claim, before) for claim in claims if before]
    return found


def names_of(slug: str, content: Content, path: str | None = None) -> dict[str, int]:
    """Every name that the page answers to, folded, with its kind, as in the table page_names."""
    names: dict[str, int] = {}
    place = PAGE_EXTENSION.sub("", path) if path else slug
    ranked = [(place, 0), *((suffix, 1) for suffix in _suffixes(place))]
    ranked += [(content.title, 2), *((alias, 3) for alias in (*content.aliases, *content.anchors))]
    ranked += [(each, 4) for each in (slug, *_suffixes(slug))]
    for name, kind in ranked:
        folded = fold(name)
        if folded:
            names.setdefault(folded, kind)
    return names


def _stated(values: dict[str, Any], problems: list[Problem]) -> Facts:
    typed = fields.typed_links(values.get("links"), problems)
    return Facts(fields.claims(values.get("assertions"), problems), tuple(typed))


@record
class _Linked:
    """Finds the pages to which links in a text lead, from the place of its page."""

    place: str

    def __call__(self, text: str) -> list[str]:
        return [links.stated(link, self.place)[0] for link in links.find(text)]


def _suffixes(slug: str) -> list[str]:
    parts = slug.split("/")
    return ["/".join(parts[start:]) for start in range(1, len(parts))]


def _room(truth: str, slug: str) -> str:
    middle = slug.split("/")[1:-1]
    if middle:
        return "/".join(middle)
    return next((heading.text for heading in markdown.headings(truth) if heading.level == 2), "")


def _text_links(document: markdown.Document, slug: str) -> list[Reference]:
    """One reference for each page that the text mentions, from its first mention."""
    found: dict[Meaning, Reference] = {}
    for part in (document.truth, document.timeline):
        for link in links.find(part):
            target, written = links.stated(link, slug)
            if fold(split_target(target)[1]):
                reference = Reference(target, "mentions", link.context, link.kind, written=written)
                found.setdefault(meaning_of(reference), reference)
    return list(found.values())
