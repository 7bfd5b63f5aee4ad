"""Org pages: everything that is read out of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from quaid.formats import fields, implied
from quaid.formats.addresses import Meaning, meaning_of
from quaid.formats.fields import snake_case
from quaid.formats.implied import NO_FACTS, Facts, Subject
from quaid.formats.markdown import frontmatter
from quaid.formats.org import structure, targets, timeline
from quaid.formats.org.drawer import quoted_words
from quaid.formats.org.head import Field, Head, read_head
from quaid.formats.org.links import label_of
from quaid.formats.org.outline import sections, shown
from quaid.formats.slugs import fold
from quaid.formats.statements import statements
from quaid.model.page import Content, Problem, Reference, split_target
from quaid.model.types import type_for_slug, wing_for

RELATION, ASSERTION = "relation", "assertion"
TAG = re.compile(r"[^:,\s]+")


def read(text: str, slug: str, path: str | None = None) -> Content:
    """Read an org page. Never fails: what cannot be understood is kept and listed in `problems`."""
    document = structure.parse(text)
    head = read_head(text)
    problems = list(head.problems)
    facts = stated_facts(text, problems)
    page_type = head.value("type").lower() or type_for_slug(slug)
    tags = fields.unique(tag for field in tag_fields(head) for tag in TAG.findall(field.value))
    named = head.all("roam_aliases", "aliases", "roam_alias")  # words, or several in quotation marks
    aliases = fields.unique(word.strip().strip('"') for field in named for word in quoted_words(field.value))
    stated = head.value("summary") or head.value("description")
    given = head.first("title") or structure.keyword_of(text, "title") or head.value("title")
    title = (
        shown(given)
        or next((each.plain for each in structure.headings(document.truth) if each.text), "")
        or fields.title_from(slug, path)
    )

    def pages_linked(text: str) -> list[str]:
        """The pages to which links in a text of this page lead."""
        return [targets.target_and_form(link, path or slug)[0] for link in targets.find(text)]

    subject = Subject(slug, page_type, title, aliases)
    values = head.values()
    yielded = implied.read_fields(values, subject, facts, pages_linked, problems)
    uuid = head.seen.get("ID", "")
    typed = (*facts.links, *yielded.links)
    claims = (*facts.claims, *yielded.claims)
    telling = statements(values, claims, (title, slug, *aliases)) if values else ()
    return Content(
        text=text,
        head=document.head,
        truth=document.truth,
        rule=document.rule,
        timeline=document.timeline,
        type=page_type,
        title=title,
        summary=stated or structure.summary_of(document.truth),
        wing=head.value("wing") or wing_for(page_type, slug),
        room=head.value("room") or _room(document.truth, slug, bool(given)),
        frontmatter=dict(values),
        keywords=fields.keywords_of(aliases, tags, stated, document.truth),
        tags=tags,
        aliases=aliases,
        anchors=fields.unique([uuid, *(section.id for section in sections(text))]),
        entries=timeline.entries(document.timeline),
        references=(*typed, *_text_links(text, path or slug, {each.target for each in typed})),
        claims=claims,
        stated=telling,
        fields="\n".join(each.line for each in telling),
        problems=tuple(problems),
        format="org",
        uuid=uuid or None,
    )


def stated_facts(text: str, problems: list[Problem]) -> Facts:
    """The assertions and typed links that stand in a page's head."""
    head = read_head(text)
    relations = _items(head, RELATION, "links", problems)
    assertions = _items(head, ASSERTION, "assertions", problems)
    if not relations and not assertions:
        return NO_FACTS
    links = fields.typed_links(relations, problems)
    return Facts(fields.claims(assertions, problems), links)


def tag_fields(head: Head) -> list[Field]:
    """The fields that give a page its tags."""
    return [
        *head.all("filetags", kind="keyword"),
        *head.all("tags", "roam_tags", kind="property"),
        *head.all("roam_tags", kind="keyword"),
    ]


def flow_value(text: str) -> tuple[Any, tuple[Problem, ...]]:
    """What a keyword says whose value is YAML on one line."""
    values, problems = frontmatter.read(f"---\na: {text}\n---\n")
    return values.get("a"), problems


def flow_items(values: Mapping[str, Any]) -> list[Any]:
    """The assertions of a page, from the fields of its head."""
    return [flow_value(str(line))[0] for line in fields.items_of(values.get(ASSERTION))]


def _items(head: Head, key: str, code: str, problems: list[Problem]) -> list[Any]:
    items: list[Any] = []
    for field in head.all(key, kind="keyword"):
        value, broken = flow_value(field.value)
        if broken:
            problems.append(Problem(code, f"a line #+{key}: is skipped: {broken[0].message}"))
        else:
            items.append(value)
    return items


def _room(truth: str, slug: str, titled: bool) -> str:
    """The middle of the slug, else the first headline that is not the title."""
    middle = "/".join(slug.split("/")[1:-1])
    found = [] if middle else [heading.text for heading in structure.headings(truth) if heading.text]
    return middle or next(iter(found if titled else found[1:]), "")


def _text_links(text: str, place: str, typed: Collection[str]) -> list[Reference]:
    """One reference for each page and relationship, from its first mention.

    A mere mention of a page adds nothing where a label or a field says what the page is to this one.
    """
    found: dict[Meaning, dict[str, Reference]] = {}
    end = read_head(text).end
    for link in targets.find(text):
        target, written = targets.target_and_form(link, place)
        if fold(split_target(target)[1]) and not (link.start < end and target in typed):
            relation = snake_case(label_of(text, link.start)) or targets.MENTIONS
            reference = Reference(target, relation, link.context, link.kind, written=written)
            found.setdefault(meaning_of(target, written), {}).setdefault(relation, reference)
    return [
        reference
        for known in found.values()
        for relation, reference in known.items()
        if relation != targets.MENTIONS or len(known) == 1
    ]
