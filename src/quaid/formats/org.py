"""Org pages: everything that is read out of one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quaid.formats import fields, frontmatter, implied, org_links, org_text, org_timeline
from quaid.formats.addresses import Meaning, meaning_of
from quaid.formats.implied import Facts, Subject
from quaid.formats.markdown import Document
from quaid.formats.org_head import Field, Head, read_head
from quaid.formats.slugs import fold
from quaid.model.page import Content, Problem, Reference, split_target
from quaid.model.record import record
from quaid.model.types import type_for_slug, wing_for

RELATION, ASSERTION = "relation", "assertion"
TAG = re.compile(r"[^:,\s]+")

_ALIAS = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_ESCAPED = re.compile(r"\\(.)")


def read(text: str, slug: str, path: str | None = None) -> Content:
    """Read an org page. Never fails: what cannot be understood is kept and listed in `problems`."""
    document = org_text.parse(text)
    head = read_head(text)
    problems = list(head.problems)
    facts = stated_facts(text, problems)
    page_type = head.value("type").lower() or type_for_slug(slug)
    tags = fields.unique(tag for field in tag_fields(head) for tag in TAG.findall(field.value))
    aliases = fields.unique(aliases_of(head))
    stated = head.value("summary") or head.value("description")
    given = head.value("title") or org_text.keyword_of(document.truth, "title")
    title = org_text.plain(given) or _first_headline(document.truth) or fields.title_from(slug, path)
    subject = Subject(slug, page_type, title, aliases)
    values = head.values()
    yielded = implied.read_fields(values, subject, facts, _Linked(path or slug), problems)
    ids = [field.value for field in head.all("id", kind="property") if field.value]
    return Content(
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=title,
        summary=stated or org_text.summary_of(document.truth),
        wing=head.value("wing") or wing_for(page_type, slug),
        room=head.value("room") or _room(document.truth, slug, bool(given)),
        frontmatter=dict(values),
        keywords=fields.keywords_of(aliases, tags, stated, document.truth),
        tags=tags,
        aliases=aliases,
        anchors=fields.unique([*ids, *(i for part in _body(document) for i in org_text.ids_of(part))]),
        entries=org_timeline.entries(document.timeline),
        references=(*facts.links, *yielded.links, *_text_links(document, path or slug)),
        claims=(*facts.claims, *yielded.claims),
        problems=tuple(problems),
        format="org",
        uuid=ids[0] if ids else None,
    )


def stated_facts(text: str, problems: list[Problem]) -> Facts:
    """The assertions and typed links that stand in a page's head."""
    head = read_head(text)
    typed = fields.typed_links(_items(head, RELATION, "links", problems), problems)
    return Facts(fields.claims(_items(head, ASSERTION, "assertions", problems), problems), tuple(typed))


def tag_fields(head: Head) -> list[Field]:
    """The fields that give a page its tags."""
    return [
        *head.all("filetags", kind="keyword"),
        *head.all("tags", "roam_tags", kind="property"),
        *head.all("roam_tags", kind="keyword"),
    ]


def aliases_of(head: Head) -> list[str]:
    """The aliases of a page: words, or several in quotation marks."""
    found: list[str] = []
    for field in head.all("roam_aliases", "aliases", "roam_alias"):
        for match in _ALIAS.finditer(field.value):
            quoted = match.group(1)
            alias = match.group(2) if quoted is None else _ESCAPED.sub(r"\1", quoted)
            found.append(alias.strip().strip('"').strip())
    return found


def flow_value(text: str) -> tuple[Any, tuple[Problem, ...]]:
    """What a keyword says whose value is YAML on one line."""
    values, problems = frontmatter.read(f"---\na: {text}\n---\n")
    return values.get("a"), problems


def flow_items(values: Mapping[str, Any]) -> list[Any]:
    """The assertions of a page, from the fields of its head."""
    return [flow_value(str(line))[0] for line in fields.items_of(values.get(ASSERTION))]


@record
class _Linked:
    """Finds the pages to which links in a text lead, from the place of its page."""

    place: str

    def __call__(self, text: str) -> list[str]:
        return [org_links.stated(link, self.place)[0] for link in org_links.find(text)]


def _items(head: Head, key: str, code: str, problems: list[Problem]) -> list[Any]:
    items: list[Any] = []
    for field in head.all(key, kind="keyword"):
        value, broken = flow_value(field.value)
        if broken:
            problems.append(Problem(code, f"a line #+{key}: is skipped: {broken[0].message}"))
        else:
            items.append(value)
    return items


def _body(document: Document) -> tuple[str, str]:
    return document.truth, document.timeline


def _first_headline(truth: str) -> str:
    return next((org_text.plain(heading.text) for heading in org_text.headings(truth) if heading.text), "")


def _room(truth: str, slug: str, titled: bool) -> str:
    """The middle of the slug, else the first headline that is not the title."""
    middle = slug.split("/")[1:-1]
    if middle:
        return "/".join(middle)
    found = [heading.text for heading in org_text.headings(truth) if heading.text]
    return next(iter(found if titled else found[1:]), "")


def _text_links(document: Document, place: str) -> list[Reference]:
    """One reference for each page and relationship, from its first mention.

    A mere mention of a page adds nothing where a label says what the page is to this one.
    """
    found: dict[Meaning, dict[str, Reference]] = {}
    for part in _body(document):
        for link in org_links.find(part):
            target, written = org_links.stated(link, place)
            if fold(split_target(target)[1]):
                relation = org_links.relation_of(part, link)
                reference = Reference(target, relation, link.context, link.kind, written=written)
                found.setdefault(meaning_of(reference), {}).setdefault(relation, reference)
    return [
        reference
        for known in found.values()
        for relation, reference in known.items()
        if relation != "mentions" or len(known) == 1
    ]
