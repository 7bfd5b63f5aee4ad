"""Which type and wing a place implies."""

from __future__ import annotations

import pytest

from quaid.model.types import PAGE_TYPES, type_for_slug, wing_for


@pytest.mark.parametrize(
    ("slug", "type_name"),
    [
        ("people/alice", "person"),
        ("company/acme", "company"),
        ("01-projects/quaid", "project"),
        ("2_areas/health", "area"),
        ("meetings/2026/monday", "source"),
        ("elsewhere/alice", "concept"),
        ("01-community/people/alice", "person"),
        ("projects/acme/02-01-meetings/monday", "source"),
        ("people", "concept"),
    ],
)
def test_the_nearest_folder_that_is_known_implies_a_type(slug: str, type_name: str) -> None:
    assert type_for_slug(slug) == type_name


def test_every_type_has_a_folder_that_leads_to_it() -> None:
    for known in PAGE_TYPES:
        assert {type_for_slug(f"{folder}/x") for folder in known.folders} == {known.name}


def test_an_unknown_type_takes_its_wing_from_the_folder() -> None:
    assert wing_for("recipe", "kitchen/soup") == "kitchen"
    assert wing_for("recipe", "soup") == ""
    assert wing_for("person", "kitchen/cook") == "people"
