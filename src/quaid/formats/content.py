"""A page's text and everything that is read out of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats import frontmatter, links, markdown, timeline
from quaid.formats.slugs import fold
from quaid.model.interval import Interval
from quaid.model.page import Claim, Content, Format, Problem, Reference, split_target
from quaid.model.types import type_for_slug, wing_for

_WIKI = re.compile(r"^!?\[\[([^\]|#]+)[^\]]*\]\]$")
_TAG_SEPARATOR = re.compile(r"[,\s]+")
_EXTENSION = re.compile(r"\.(?:md|markdown|org)\Z", re.IGNORECASE)
_ALIAS_SEPARATOR = re.compile(r"\s*,\s*")
ASSERTED_BY = ("agent", "manual", "import", "enrichment")


def read_page(text: str, slug: str, format: Format = "markdown", path: str | None = None) -> Content:
    """Read a page. Never fails: what cannot be understood is kept and listed in `problems`.

    `path` is that of its file, for a page that has one: relative links start there, and it names the page.
    """
    document = markdown.parse(text)
    values, problems = frontmatter.read(document.head) if document.head else ({}, ())
    found = list(problems)
    references = _typed_links(values.get("links"), found) + _text_links(document, path or slug)
    claims = _claims(values.get("assertions"), found)
    page_type = _word(values.get("type")).lower() or type_for_slug(slug)
    tags = _unique(tag.lstrip("#") for tag in _words(values.get("tags"), _TAG_SEPARATOR))
    aliases = _unique(_words(values.get("aliases", values.get("alias")), _ALIAS_SEPARATOR))
    summary = _word(values.get("summary"))
    return Content(
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=_word(values.get("title")) or markdown.title_of(document.truth) or _title_from(slug, path),
        summary=summary or markdown.summary_of(document.truth),
        wing=_word(values.get("wing")) or wing_for(page_type, slug),
        room=_word(values.get("room")) or _room(document.truth, slug),
        frontmatter=values,
        keywords="\n".join([*aliases, *tags, summary if summary not in document.truth else ""]).strip(),
        tags=tags,
        aliases=aliases,
        entries=timeline.entries(document.timeline),
        references=tuple(references),
        claims=claims,
        problems=tuple(found),
        uuid=_word(values.get("uuid") or values.get("id")) or None,
    )


def names_of(slug: str, content: Content, path: str | None = None) -> dict[str, int]:
    """Every name that the page answers to, folded, with its kind, as in the table page_names."""
    names: dict[str, int] = {}
    places = [slug, *([_EXTENSION.sub("", path)] if path else [])]
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


def _title_from(slug: str, path: str | None) -> str:
    if path:
        return " ".join(_EXTENSION.sub("", path.rsplit("/", 1)[-1]).split()) or slug
    words = slug.rsplit("/", 1)[-1].replace("-", " ").replace("_", " ").strip()
    return " ".join(word[:1].upper() + word[1:] for word in words.split(" ")) or slug


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


def _typed_links(value: Any, problems: list[Problem]) -> list[Reference]:
    references: list[Reference] = []
    for item in items_of(value):
        try:
            references.append(typed_link(item))
        except InvalidInput as error:
            problems.append(Problem("links", f"a link in the frontmatter is skipped: {error.message}"))
    return references


def typed_link(item: Any) -> Reference:
    """A link from an item of the frontmatter's `links`."""
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {"to": item}
    target = unwiki(_word(fields.get("to") or fields.get("target") or fields.get("slug")))
    if not target or not fold(split_target(target)[1]):
        raise InvalidInput("it names no page with `to:`")
    return Reference(
        target=target,
        relationship=_word(fields.get("relationship") or fields.get("type")) or "related",
        context=_word(fields.get("context")),
        source="frontmatter",
        valid=_interval(fields),
    )


def _claims(value: Any, problems: list[Problem]) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for item in items_of(value):
        try:
            claims.append(read_claim(item))
        except InvalidInput as error:
            problems.append(Problem("assertions", f"an assertion is skipped: {error.message}"))
    return tuple(claims)


def read_claim(item: Any) -> Claim:
    """An assertion from a mapping as frontmatter and callers write it."""
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {}
    parts = [_word(fields.get(name)) for name in ("subject", "predicate", "object")]
    if not all(parts):
        raise InvalidInput("an assertion needs subject, predicate and object")
    confidence = fields.get("confidence", 1.0)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        raise InvalidInput("confidence must be a number from 0 to 1")
    asserted_by = _word(fields.get("asserted_by")) or "manual"
    if asserted_by not in ASSERTED_BY:
        raise InvalidInput(f"asserted_by must be one of {', '.join(ASSERTED_BY)}")
    subject, predicate, object_ = parts
    return Claim(
        subject,
        predicate,
        object_,
        valid=_interval(fields),
        confidence=float(confidence),
        asserted_by=asserted_by,
        source=_word(fields.get("source_ref") or fields.get("source")),
        evidence=_word(fields.get("evidence_text") or fields.get("evidence")),
    )


def unwiki(text: str) -> str:
    """`people/alice` from `[[people/alice|Alice]]`; other text as it is."""
    match = _WIKI.match(text)
    return match.group(1).strip() if match else text


def _interval(fields: Mapping[str, Any]) -> Interval:
    return Interval.parse(_word(fields.get("valid_from")) or None, _word(fields.get("valid_until")) or None)


def items_of(value: Any) -> list[Any]:
    """The items of a frontmatter value that may be a list, a single item or nothing."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _words(value: Any, separator: re.Pattern[str]) -> list[str]:
    if isinstance(value, str):
        return separator.split(value)
    return [_word(item) for item in items_of(value)]


def _word(value: Any) -> str:
    """A scalar as one line of text; anything else as nothing."""
    if value is None or isinstance(value, (bool, list, dict)):
        return ""
    return " ".join(str(value).split())


def _unique(words: Any) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for word in words:
        if word.strip():
            seen.setdefault(word.strip().casefold(), word.strip())
    return tuple(seen.values())
