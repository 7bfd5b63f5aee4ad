"""What a move does to texts that name the page."""

from __future__ import annotations

import pytest

from quaid.app import App
from tests.support import call, leads_to, version_of

ALICE = "---\ntitle: Alice Example\naliases: [Al]\n---\n# Alice Example\n"


def moved(app: App, text: str, new: str = "team/alice-example", slug: str = "notes/day") -> str:
    """A page's text after the page that it names has moved."""
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "put", slug=slug, content=text)
    call(app, "mv", slug="people/alice", to=new)
    return str(call(app, "get", slug=slug)["content"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[people/alice]]", "[[team/alice-example]]"),
        ("[[people/alice|her]]", "[[team/alice-example|her]]"),
        ("[[people/alice#Early life]]", "[[team/alice-example#Early life]]"),
        ("[[people/alice#Early life|then]]", "[[team/alice-example#Early life|then]]"),
        ("![[people/alice]]", "![[team/alice-example]]"),
        ("[[alice]]", "[[alice-example]]"),
        ("[[People/Alice]]", "[[team/alice-example]]"),
        ("[her](../people/alice.md)", "[her](../team/alice-example.md)"),
        ("[her](../people/alice.md#life)", "[her](../team/alice-example.md#life)"),
        ('[her](../people/alice.md "Her page")', '[her](../team/alice-example.md "Her page")'),
        ("[her](../people/alice)", "[her](../team/alice-example)"),
        ("[[Alice Example]]", "[[Alice Example]]"),
        ("[[Al|her]]", "[[Al|her]]"),
        ("`[[people/alice]]`", "`[[people/alice]]`"),
        ("\n```\n[[people/alice]]\n```\n", "\n```\n[[people/alice]]\n```\n"),
        ("people/alice in words", "people/alice in words"),
    ],
)
def test_links_in_a_text(app: App, before: str, after: str) -> None:
    assert moved(app, f"Before {before} after.\r\n") == f"Before {after} after.\r\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("links: [people/alice]", "links: [team/alice-example]"),
        ("links: people/alice", "links: team/alice-example"),
        (
            "links:\n  - to: people/alice  # hers\n    relationship: knows",
            "links:\n  - to: team/alice-example  # hers\n    relationship: knows",
        ),
        (
            "links:\n- {to: bob}\n- {target: alice, relationship: x}",
            "links:\n- {to: bob}\n- {target: alice-example, relationship: x}",
        ),
        ("links: ['Alice Example']", "links: ['Alice Example']"),
        ("other: people/alice", "other: people/alice"),
    ],
)
def test_links_in_the_frontmatter(app: App, before: str, after: str) -> None:
    assert moved(app, f"---\n{before}\n---\nText\n") == f"---\n{after}\n---\nText\n"


def test_links_still_lead_to_the_page_and_keep_their_ids(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    text = "---\nlinks: [{to: people/alice, relationship: knows}]\n---\n[[alice]] [[Alice Example]]\n"
    call(app, "put", slug="note", content=text)
    assert leads_to(app, "note") == ["people/alice"] * 3
    result = call(app, "mv", slug="people/alice", to="team/a")
    assert result["rewritten"] == ["note"]
    assert leads_to(app, "note") == ["team/a"] * 3
    assert len(call(app, "backlinks", slug="team/a")["links"]) == 3
    assert not call(app, "validate", all=True)["findings"]


def test_a_page_that_names_it_by_title_only_is_not_touched(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "put", slug="note", content="[[Alice Example]]\n")
    assert call(app, "mv", slug="people/alice", to="team/a")["rewritten"] == []
    assert version_of(app, "note") == 1
    assert leads_to(app, "note") == ["team/a"]


@pytest.mark.parametrize(
    ("new", "after"),
    [
        ("people/lead/alice", "[b](../bob.md) [r](../../companies/river.md) [[people/bob]]"),
        ("alice", "[b](people/bob.md) [r](companies/river.md) [[people/bob]]"),
        ("people/al", "[b](bob.md) [r](../companies/river.md) [[people/bob]]"),
    ],
)
def test_its_own_relative_links_lead_where_they_led(app: App, new: str, after: str) -> None:
    call(app, "put", slug="people/bob", content="x\n")
    call(app, "put", slug="companies/river", content="x\n")
    before = "[b](bob.md) [r](../companies/river.md) [[people/bob]]"
    call(app, "put", slug="people/alice", content=before + "\n")
    call(app, "mv", slug="people/alice", to=new)
    assert call(app, "get", slug=new)["content"] == after + "\n"
    assert set(leads_to(app, new)) == {"people/bob", "companies/river"}


def test_a_page_that_names_itself(app: App) -> None:
    call(app, "put", slug="people/alice", content="---\nslug: people/alice\n---\nI am [[people/alice]].\n")
    call(app, "mv", slug="people/alice", to="team/a")
    assert call(app, "get", slug="team/a")["content"] == "---\nslug: team/a\n---\nI am [[team/a]].\n"
    assert leads_to(app, "team/a") == ["team/a"]


def test_links_to_a_page_that_takes_over_the_name_are_rewritten(app: App) -> None:
    """[[alice]] meant the page that moves; another page of that name must not capture it."""
    call(app, "put", slug="people/alice", content="x\n")
    call(app, "put", slug="archive/old/alice", content="x\n")
    call(app, "put", slug="note", content="[[alice]]\n")
    assert leads_to(app, "note") == ["people/alice"]
    call(app, "mv", slug="people/alice", to="people/bob")
    assert call(app, "get", slug="note")["content"] == "[[bob]]\n"
    assert leads_to(app, "note") == ["people/bob"]


def test_removed_pages_are_not_rewritten_but_come_back_sound(app: App) -> None:
    call(app, "put", slug="people/alice", content="x\n")
    call(app, "put", slug="note", content="[[people/alice]]\n")
    call(app, "rm", slug="note")
    call(app, "mv", slug="people/alice", to="team/a")
    call(app, "restore", slug="note")
    assert leads_to(app, "note") == [""]
    assert not call(app, "validate", all=True)["findings"]
