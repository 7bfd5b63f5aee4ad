"""Facts that the fields of a page say without being asked: who works where, who owns what, by when.

They are read out of the fields and never written into the text. To change one is to change its field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from quaid.errors import InvalidInput
from quaid.formats.fields import items_of, unwiki, word
from quaid.formats.slugs import fold
from quaid.model.interval import Interval, parse_day
from quaid.model.page import Claim, Problem, Reference, split_target
from quaid.model.record import record

Kind = Literal["page", "value", "day"]
MOST_CHARACTERS = 200  # a longer value is prose, not a name


@record
class Rule:
    """What a field says. Without `types`, it says so on pages of any type."""

    predicate: str
    kind: Kind = "value"
    types: tuple[str, ...] = ()
    several: bool = False  # one text may name several, with commas between them


_WORKS = Rule("works_at", "page", ("person",))
_FOUNDED = Rule("founded_by", "page", ("company",), several=True)
_ATTENDED = Rule("attended_by", "page", several=True)
_BASED = Rule("based_in", types=("company",))
RULES: Mapping[str, Rule] = {
    "affiliations": _WORKS,
    "affiliation": _WORKS,
    "company": _WORKS,
    "employer": _WORKS,
    "role": Rule("role", types=("person",)),
    "roles": Rule("role", types=("person",), several=True),
    "reports_to": Rule("reports_to", "page", ("person",)),
    "manager": Rule("reports_to", "page", ("person",)),
    "founders": _FOUNDED,
    "founder": _FOUNDED,
    "investors": Rule("funded_by", "page", ("company",), several=True),
    "owner": Rule("owned_by", "page"),
    "assignee": Rule("assigned_to", "page"),
    "decided_by": Rule("decided_by", "page"),
    "stakeholders": Rule("concerns", "page", ("decision",), several=True),
    "to": Rule("promised_to", "page", ("commitment",)),
    "parties": Rule("involves", "page", ("deal",), several=True),
    "attendees": _ATTENDED,
    "participants": _ATTENDED,
    "sender": Rule("sent_by", "page", ("source",)),
    "recipients": Rule("sent_to", "page", ("source",), several=True),
    "author": Rule("written_by", "page", ("source", "media")),
    "status": Rule("status"),
    "stage": Rule("stage", types=("company", "deal")),
    "hq": _BASED,
    "headquarters": _BASED,
    "headcount": Rule("headcount", types=("company",)),
    "employees": Rule("headcount", types=("company",)),
    "founded": Rule("founded_in", types=("company",)),
    "domain": Rule("domain", types=("company",)),
    "value": Rule("value", types=("deal",)),
    "expected_close": Rule("expected_close", "day", ("deal",)),
    "made_at": Rule("made_on", "day", ("decision", "commitment")),
    "revisit_at": Rule("revisit_on", "day", ("decision", "commitment")),
    "due": Rule("due", "day"),
    "deadline": Rule("due", "day"),
}

_SINCE = ("valid_from", "from", "since", "start")
_UNTIL = ("valid_until", "until", "to", "end")
_NAME = ("company", "organization", "organisation", "employer", "slug", "page", "name", "person")
_ALWAYS = Interval()
_STILL = frozenset(("present", "now", "today", "current", "ongoing"))
_BLANKS = re.compile(r"[\s-]+")
_COMMA = re.compile(r"\s*[,;]\s*")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:(?!:)\S|\S+@\S+\.\S+", re.IGNORECASE)


@record
class Subject:
    """The page that the fields are about: where it is, its type, and what it is called."""

    slug: str
    type: str
    title: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The folded names by which its own text may call it."""
        last = self.slug.rsplit("/", 1)[-1]
        return frozenset(fold(name) for name in (self.slug, last, self.title, *self.aliases))


@record
class Facts:
    """Facts, and the typed links that those about pages make."""

    claims: tuple[Claim, ...] = ()
    links: tuple[Reference, ...] = ()


NO_FACTS = Facts()


def read_fields(
    values: Mapping[str, Any],
    subject: Subject,
    stated: Facts,
    linked: Callable[[str], Sequence[str]],
    problems: list[Problem],
) -> Facts:
    """What the fields say besides what is stated. `linked` finds the pages to which links in a value lead.

    A text that is no page yet says nothing, for lack of a subject.
    """
    fields = _rules_of(values, subject.type) if subject.slug else {}
    if not fields:
        return NO_FACTS
    known = _known_facts(subject, stated)
    claims: list[Claim] = []
    links: list[Reference] = []
    for key, rule in fields.items():
        for name, item in _named_things(values[key], rule, linked):
            try:
                claim = _claim(key, name, item, rule, subject.slug)
            except InvalidInput as error:
                problems.append(Problem("fields", f"{key} yields no fact: {error.message}"))
                continue
            if _is_new(known, "fact", claim):
                claims.append(claim)
            if rule.kind == "page" and _is_page(name) and _is_new(known, "link", claim):
                links.append(Reference(name, rule.predicate, claim.evidence, "frontmatter", claim.valid))
    return Facts(tuple(claims), tuple(links))


def field_of(yielded: Claim | Reference) -> str:
    """The field that yields a fact or a link: its evidence begins with it."""
    said = yielded.evidence if isinstance(yielded, Claim) else yielded.context
    return said.partition(":")[0]


def _rules_of(fields: Iterable[str], page_type: str) -> dict[str, Rule]:
    """What the fields of a page of this type say, of those that say anything."""
    rules = {key: RULES.get(_BLANKS.sub("_", key.strip().casefold())) for key in fields}
    return {key: rule for key, rule in rules.items() if rule and (not rule.types or page_type in rule.types)}


def pages_named(values: Mapping[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    """Where fields name pages, on a page of whatever type: the path of each text, and the text."""
    found: list[tuple[tuple[str | int, ...], str]] = []
    for key, value in values.items():
        rule = RULES.get(_BLANKS.sub("_", key.strip().casefold()))
        for place, item in enumerate(items_of(value) if rule and rule.kind == "page" else ()):
            path: tuple[str | int, ...] = (key, place) if isinstance(value, list) else (key,)
            if isinstance(item, dict):
                name = next((name for name in _NAME if word(item.get(name))), "")
                path, item = (*path, name), item.get(name)
            if isinstance(item, str):
                found.append((path, item))
    return found


_Known = dict[tuple[str, str, str], list[Interval]]


def _known_facts(subject: Subject, stated: Facts) -> _Known:
    known: _Known = {}
    names = subject.names
    for claim in stated.claims:
        if fold(claim.subject) in names:
            known.setdefault(("fact", claim.predicate, _tail(claim.object)), []).append(claim.valid)
    for link in stated.links:
        known.setdefault(("link", link.relationship, _tail(link.target)), []).append(link.valid)
    return known


def _is_new(known: _Known, kind: str, claim: Claim) -> bool:
    """Whether nothing says so for these times, and note it. What has ended does not say what holds."""
    spans = known.setdefault((kind, claim.predicate, _tail(claim.object)), [])
    valid = claim.valid
    # One that goes on says all that a mere present does.
    is_present = valid == _ALWAYS
    if any(
        other in (valid, _ALWAYS) or other.overlaps(valid) or (is_present and other.until is None)
        for other in spans
    ):
        return False
    spans.append(valid)
    return True


def _tail(name: str) -> str:
    """A name as far as spellings of one page agree: `companies/river-ai` is `River AI`, and `RiverAI`."""
    return fold(split_target(name)[1]).rsplit("/", 1)[-1].replace(" ", "")


def _is_page(name: str) -> bool:
    return not _ADDRESS.match(name) and bool(fold(split_target(name)[1]))


def _named_things(
    value: Any, rule: Rule, linked: Callable[[str], Sequence[str]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What a field names, with all that is said about each."""
    for item in items_of(value):
        fields: Mapping[str, Any] = item if isinstance(item, dict) else {}
        names: Sequence[str] = [word(item)]
        if rule.kind == "page":
            text = next((word(fields[key]) for key in _NAME if word(fields.get(key))), "") or names[0]
            names = linked(text) if "[" in text else ()
            names = names or (_COMMA.split(text) if rule.several else [text])
        for name in names:
            bare = unwiki(name).removeprefix("@").strip()
            if bare and len(bare) <= MOST_CHARACTERS:
                yield bare, fields


def _claim(key: str, name: str, item: Mapping[str, Any], rule: Rule, slug: str) -> Claim:
    role = word(item.get("role") or item.get("title"))
    evidence = f"{key}: {name}, {role}" if role else f"{key}: {name}"
    object_ = (_day(name) or name) if rule.kind == "day" else name
    return Claim(slug, rule.predicate, object_, _interval(item), asserted_by="import", evidence=evidence)


def _interval(item: Mapping[str, Any]) -> Interval:
    """When an item of a field holds. An unreadable beginning is unknown; an unreadable end is an error."""
    if not item:
        return _ALWAYS
    since = next((word(item[key]) for key in _SINCE if word(item.get(key))), "")
    until = next((word(item[key]) for key in _UNTIL if word(item.get(key))), "")
    end = parse_day(until, "its end") if until and until.casefold() not in _STILL else None
    return Interval(_day(since), end)


def _day(text: str) -> str | None:
    try:
        return parse_day(text)
    except InvalidInput:
        return None
