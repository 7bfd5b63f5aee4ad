"""A page's text and everything that is read out of it."""

from __future__ import annotations

import re

from quaid.formats import fields, frontmatter, links, markdown, org, timeline
from quaid.formats.fields import PAGE_EXTENSION, word
from quaid.formats.slugs import fold
from quaid.model.page import Content, Format, Reference, split_target
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
    references = fields.typed_links(values.get("links"), found) + _text_links(document, path or slug)
    claims = fields.claims(values.get("assertions"), found)
    page_type = word(values.get("type")).lower() or type_for_slug(slug)
    tags = fields.unique(tag.lstrip("#") for tag in fields.words(values.get("tags"), _TAG_SEPARATOR))
    aliases = fields.unique(fields.words(values.get("aliases", values.get("alias")), _ALIAS_SEPARATOR))
    summary = word(values.get("summary"))
    return Content(
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=word(values.get("title")) or markdown.title_of(document.truth) or fields.title_from(slug, path),
        summary=summary or markdown.summary_of(document.truth),
        wing=word(values.get("wing")) or wing_for(page_type, slug),
        room=word(values.get("room")) or _room(document.truth, slug),
        frontmatter=values,
        keywords=fields.keywords_of(aliases, tags, summary, document.truth),
        tags=tags,
        aliases=aliases,
        entries=timeline.entries(document.timeline),
        references=tuple(references),
        claims=claims,
        problems=tuple(found),
        uuid=word(values.get("uuid") or values.get("id")) or None,
    )


def names_of(slug: str, content: Content, path: str | None = None) -> dict[str, int]:
    """Every name that the page answers to, folded, with its kind, as in the table page_names."""
    names: dict[str, int] = {}
    places = [slug, *([PAGE_EXTENSION.sub("", path)] if path else [])]
    ranked = [(place, 0) for place in places]
    ranked += [(suffix, 1) for place in places for suffix in _suffixes(place)]
    ranked += [(content.title, 2), *((alias, 3) for alias in (*content.aliases, *content.anchors))]
    for name, kind in ranked:
        folded = fold(name)
        if folded:
            names.setdefault(folded, kind)
    return names


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
    found: dict[tuple[str | None, str], Reference] = {}
    for part in (document.truth, document.timeline):
        for link in links.find(part):
            target = link.target
            if link.kind == "markdown_link":
                target = links.resolve_relative(target, slug)
            collection, name = split_target(target)
            key = (collection, fold(name))
            if key[1]:
                found.setdefault(key, Reference(target, "mentions", link.context, link.kind))
    return list(found.values())
