"""A page's text and everything that is read out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quaid.formats import fields, implied
from quaid.formats.fields import Superseded
from quaid.formats.format import page_format
from quaid.formats.slugs import PAGE_EXTENSION, fold
from quaid.model.page import Claim, Content, Format, Reference

ALIAS = 3  # the kind of name that only the text says


def read_page(text: str, slug: str, format: Format = "markdown", path: str | None = None) -> Content:
    """Read a page. Never fails: what cannot be understood is kept and listed in `problems`.

    `path` is that of its file, for a page that has one: relative links start there, and it names the page.
    """
    return page_format(format).read(text, slug, path)


def implied_by(
    text: str, slug: str, format: Format = "markdown", path: str | None = None
) -> dict[Claim | Reference, str]:
    """The facts and typed links that a page's fields yield and its text does not state, each with its field.

    They change with their field alone.
    """
    content = read_page(text, slug, format, path)
    stated = page_format(format).stated_facts(text)
    typed = [link for link in content.references if link.source == "frontmatter"]
    yielded: tuple[Claim | Reference, ...] = (
        *content.claims[len(stated.claims) :],
        *typed[len(stated.links) :],
    )
    return {each: implied.field_of(each) for each in yielded}


def successions(values: Mapping[str, Any], format: Format = "markdown") -> list[tuple[Claim, Superseded]]:
    """The assertions of a page's fields that take the place of others, and those that they replace."""
    found: list[tuple[Claim, Superseded]] = []
    for item in page_format(format).assertions(values):
        before = fields.supersession(item)
        claims = fields.claims([item], []) if before else ()
        found += [(claim, before) for claim in claims if before]
    return found


def names_of(slug: str, content: Content, path: str | None = None) -> dict[str, int]:
    """Every name that the page answers to, folded, with its kind, as in the table page_names."""
    return folded_names(slug, path, content.title, (*content.aliases, *content.anchors))


def folded_names(slug: str, path: str | None, title: str, aliases: Iterable[str]) -> dict[str, int]:
    """The same of a page of which that much is known."""
    names: dict[str, int] = {}
    place = PAGE_EXTENSION.sub("", path) if path else slug
    ranked = [(place, 0), *((suffix, 1) for suffix in _suffixes(place))]
    ranked += [(title, 2), *((alias, ALIAS) for alias in aliases)]
    if slug != place:
        ranked += [(each, 4) for each in (slug, *_suffixes(slug))]
    for name, kind in ranked:
        folded = fold(name)
        if folded:
            names.setdefault(folded, kind)
    return names


def _suffixes(slug: str) -> list[str]:
    parts = slug.split("/")
    return ["/".join(parts[start:]) for start in range(1, len(parts))]
