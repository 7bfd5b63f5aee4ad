"""What a page states in its fields and facts: names with values, as people ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from quaid.formats.fields import unwiki, word
from quaid.formats.implied import field_of
from quaid.formats.slugs import fold
from quaid.model.page import Claim
from quaid.model.statement import Statement

MOST = 60  # of one page: more is a table that happens to stand in a head
LONGEST = 300  # characters of a value
DEEPEST = 3  # levels of mappings

# Fields that say how a page is kept or called, or that are read in another way.
_SILENT = """
title type tags tag aliases alias summary description slug id uuid links assertions assertion relation
relations wing room publish draft layout permalink cssclass cssclasses created updated modified created_at
updated_at date_created date_modified createtime updatetime filetags roam_aliases roam_alias roam_tags
roam_refs startup options property export_file_name setupfile bibliography header_args
"""
SILENT = frozenset(_SILENT.split())
_SEPARATORS = re.compile(r"[\s_./-]+")


def statements(
    values: Mapping[str, Any], claims: Iterable[Claim], names: Iterable[str]
) -> tuple[Statement, ...]:
    """What a page of these names says in its fields, and its facts; what a field yields is not said again."""
    fields = fields_of(values)
    known = {each.name for each in fields}
    own = {fold(name) for name in names}
    facts = [
        _fact(claim, own) for claim in claims if claim.asserted_by != "import" or field_of(claim) not in known
    ]
    return (*facts, *fields)[:MOST]


def fields_of(values: Mapping[str, Any]) -> list[Statement]:
    """What the fields of a page say, in their order."""
    return [
        stated
        for key, value in values.items()
        if _SEPARATORS.sub("_", key.strip().casefold()) not in SILENT
        for stated in _flat(key.strip(), value, 0)
    ]


def _fact(claim: Claim, own: set[str]) -> Statement:
    subject = (
        "" if fold(claim.subject).rsplit("/", 1)[-1] in own or fold(claim.subject) in own else claim.subject
    )
    return Statement(claim.predicate, claim.object[:LONGEST], claim.valid, subject, fact=True)


def _flat(name: str, value: Any, depth: int) -> list[Statement]:
    if isinstance(value, Mapping):
        inside = value.items() if depth < DEEPEST else ()
        return [stated for key, inner in inside for stated in _flat(f"{name}.{key}", inner, depth + 1)]
    if not isinstance(value, list):
        said = _scalar(value)
        return [Statement(name, _shortened(said))] if said else []
    parts = [_scalar(each) for each in value if not isinstance(each, (Mapping, list))]
    said = ", ".join(part for part in parts if part)
    found = [Statement(name, _shortened(said))] if said else []
    for each in value:
        if isinstance(each, Mapping) and depth < DEEPEST:
            pairs = (f"{key} {text}" for key, inner in each.items() if (text := _scalar(inner)))
            found.append(Statement(name, _shortened(", ".join(pairs))))
    return found


def _scalar(value: Any) -> str:
    return unwiki(word(value))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
