"""What a page is, by its type or its folder."""

from __future__ import annotations

import pytest

from quaid.graph.prose.kinds import is_subject, kind_named
from quaid.store.doubts import Truth


def page(slug: str, page_type: str = "concept") -> Truth:
    return Truth(1, slug, "notes", "Old Mill", ("Old Mill",), "", "2026-01-01", type=page_type)


@pytest.mark.parametrize(
    ("slug", "kind"),
    [
        ("venues/old-mill", "venue"),
        ("recipes/old-mill", "recipe"),
        ("work/companies/old-mill", "company"),
        ("boxes/old-mill", "box"),
        ("classes/old-mill", "class"),
        ("houses/old-mill", "house"),
        ("company/old-mill", "company"),
    ],
)
def test_a_page_without_a_type_is_what_its_folder_is_called(slug: str, kind: str) -> None:
    assert kind_named(page(slug)) == kind
    assert is_subject(page(slug))


@pytest.mark.parametrize(
    "slug",
    ["old-mill", "notes/old-mill", "docs/old-mill", "04-guides/old-mill", "bus/old-mill", "yongjiubiji/x"],
)
def test_some_folders_say_nothing_of_what_is_in_them(slug: str) -> None:
    assert kind_named(page(slug)) == "concept"
    assert not is_subject(page(slug))


def test_a_type_that_says_what_a_page_is_comes_before_its_folder() -> None:
    assert kind_named(page("venues/old-mill", "company")) == "company"
    assert kind_named(page("meetings/old-mill", "source")) == "meeting"
    assert kind_named(page("notes/old-mill", "animal")) == "animal"
