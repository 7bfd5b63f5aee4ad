"""What a move does to texts that name the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.app import App
from tests.support import call, leads_to, version_of
from tests.vault.support import Vault

ALICE = "---\ntitle: Alice Example\naliases: [Al]\n---\n# Alice Example\n"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    (tmp_path / "v").mkdir()
    opened = Vault(tmp_path / "v", tmp_path / "m.db")
    yield opened
    opened.app.store.close()


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[file:sea.org::*x][the sea]]", "[[file:../notes/sea.org::*x][the sea]]"),
        ("[[./sea.org]]", "[[../notes/sea.org]]"),
        ("[[file:../people/alice.org]]", "[[file:../people/alice.org]]"),
        ("[[file:../team/bob.org]] [[../team/bob.org]]", "[[file:../team/bob.org]] [[../team/bob.org]]"),
        ("[[id:abc][x]] [[Title]] [[roam:x]]", "[[id:abc][x]] [[Title]] [[roam:x]]"),
        ("=[[file:sea.org]]=", "=[[file:sea.org]]="),
    ],
)
def test_the_own_links_of_an_org_page(vault: Vault, before: str, after: str) -> None:
    vault.write("notes/River.org", f"#+slug: notes/river\n\nSee {before}.\n")
    for path in ("notes/sea", "people/alice", "team/bob"):
        vault.write(f"{path}.org", "#+title: T\n")
    vault.sync()
    call(vault.app, "mv", slug="notes/river", to="team/river")
    assert (vault.root / "team/River.org").read_text() == f"#+slug: team/river\n\nSee {after}.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[file:../people/alice.org::*x][her]]", "[[file:../team/a.org::*x][her]]"),
        ("[[people/alice]]", "[[team/a]]"),
        ("[[roam:people/alice][her]]", "[[roam:team/a][her]]"),
        ("[[id:people/alice]]", "[[id:people/alice]]"),
        ("[[file:../people/bob.org]]", "[[file:../people/bob.org]]"),
    ],
)
def test_links_of_an_org_page_to_the_moved_one(vault: Vault, before: str, after: str) -> None:
    head = "#+relation: {to: people/alice, relationship: knows}\n#+relation: people/bob\n\n"
    vault.write("notes/day.org", f"{head}{before}\n")
    vault.write("people/alice.org", "#+title: T\n")
    vault.write("people/bob.org", "#+title: U\n")
    vault.sync()
    call(vault.app, "mv", slug="people/alice", to="team/a")
    assert (vault.root / "notes/day.org").read_text() == head.replace("people/alice", "team/a") + f"{after}\n"


def test_labels_in_the_frontmatter_stay(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "put", slug="c", content='---\ntype: company\nfounders: "[[people/alice|Al]]"\n---\n')
    call(app, "mv", slug="people/alice", to="team/a")
    assert call(app, "get", slug="c")["content"] == ('---\ntype: company\nfounders: "[[team/a|Al]]"\n---\n')


def test_a_file_that_only_goes_elsewhere_keeps_its_name(vault: Vault) -> None:
    vault.write("people/Alice Jones.md", "x\n")
    vault.write("note.md", "[[Alice Jones]] [[people/Alice Jones|her]]\n")
    vault.sync()
    call(vault.app, "mv", slug="people/alice-jones", to="team/alice-jones")
    assert (vault.root / "team/Alice Jones.md").read_text() == "x\n"
    assert (vault.root / "note.md").read_text() == "[[Alice Jones]] [[team/Alice Jones|her]]\n"


def test_links_that_the_moved_page_would_capture_stay_where_they_led(vault: Vault) -> None:
    vault.write("archive/2020/plan.md", "Old\n")
    vault.write("x/draft.md", "New\n")
    vault.write("x/note.md", "[[plan]] ![[plan#Part|that]] [p](plan.md)\n")
    vault.sync()
    moved = call(vault.app, "mv", slug="x/draft", to="x/plan")
    assert moved["rewritten"] == ["x/note"]
    assert (vault.root / "x/note.md").read_text() == (
        "[[2020/plan]] ![[2020/plan#Part|that]] [p](../archive/2020/plan.md)\n"
    )
