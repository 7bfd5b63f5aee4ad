"""One resolver: whatever finds a page for `get` finds it for `put` and the others, wherever it lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.errors import Ambiguous, Conflict, InvalidInput, NotFound
from tests.support import call, leads_to, quick, tool
from tests.vault.support import NAME, Vault

LANGUAGES = ("C", "C++", "C#", "Rust ?", "日本語", "🦀", "End.", "mailbox.org")


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    (tmp_path / "v").mkdir()
    opened = Vault(tmp_path / "v", tmp_path / "m.db")
    yield opened
    opened.app.store.close()


def slugs(vault: Vault) -> list[str]:
    """All pages, with their collections."""
    return sorted(f"{page['collection']}::{page['slug']}" for page in call(vault.app, "list")["pages"])


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_file_is_reached_by_its_name(vault: Vault, name: str) -> None:
    for each in LANGUAGES:
        vault.write(f"langs/{each}.md", f"The text of {each}\n")
    vault.sync()
    for called in (name, f"{name}.md", f"langs/{name}.md", f"langs/{name}", f"./langs/{name}.md"):
        assert call(vault.app, "get", slug=called)["content"] == f"The text of {name}\n", called
    call(vault.app, "put", slug=f"{name}.md", content="New\n")
    assert (vault.root / f"langs/{name}.md").read_text() == "New\n"
    assert len(slugs(vault)) == len(LANGUAGES)
    call(vault.app, "put", slug=f"{NAME}::from", content=f"[[{name.replace('#', '')}]]\n")
    goal = call(vault.app, "get", slug=f"{name.replace('#', '')}.md")["slug"]
    assert leads_to(vault.app, "from") == [goal]


def test_capitals_matter_only_where_two_files_differ_by_them(vault: Vault) -> None:
    vault.write("Log.md", "Great\n")
    vault.write("log.md", "Small\n")
    vault.write("x/Only.md", "Only\n")
    vault.sync()
    assert call(vault.app, "get", slug="Log.md")["content"] == "Great\n"
    assert call(vault.app, "get", slug="log.md")["content"] == "Small\n"
    assert call(vault.app, "get", slug="ONLY.MD")["content"] == "Only\n"


def test_what_is_read_is_written_back_where_it_lives(vault: Vault) -> None:
    vault.write("people/Alice Jones.md", "Old\n")
    vault.sync()
    for name in ("people/alice-jones", f"{NAME}::people/alice-jones", "Alice Jones.md", "Alice Jones"):
        call(vault.app, "put", slug=name, content=f"By {name}\n")
        assert (vault.root / "people/Alice Jones.md").read_text() == f"By {name}\n"
    assert slugs(vault) == [f"{NAME}::people/alice-jones"]


def test_a_shell_pipe_changes_the_page_that_it_read(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "plan.md").write_text("The old plan\n")
    db = tmp_path / "m.db"
    assert quick("init", str(db)).status == 0
    assert quick("collection", "add", "notes", str(folder), db=db).status == 0
    text = quick("get", "plan", db=db).out.replace("old", "new")
    assert quick("put", "plan", input=text, db=db).status == 0
    assert (folder / "plan.md").read_text() == "The new plan\n"
    assert [page["slug"] for page in quick("list", "--json", db=db).json["pages"]] == ["plan"]


def test_a_new_page_that_is_there_is_a_conflict_that_says_where(vault: Vault) -> None:
    vault.write("plan.md", "Here\n")
    vault.sync()
    with pytest.raises(Conflict, match=f"{NAME}::plan") as refused:
        tool(vault.app, "put", slug="plan", content="There\n", expected_version=0)
    assert refused.value.data["current_version"] == call(vault.app, "get", slug="plan")["version"]
    with pytest.raises(Conflict, match=f"{NAME}::plan"):
        call(vault.app, "new", type="concept", slug="plan")
    assert (vault.root / "plan.md").read_text() == "Here\n"
    assert slugs(vault) == [f"{NAME}::plan"]


def test_a_name_of_several_pages_is_refused(vault: Vault) -> None:
    vault.write("plan.md", "Here\n")
    vault.sync()
    call(vault.app, "put", slug="default::plan", content="There\n")
    with pytest.raises(Ambiguous) as refused:
        call(vault.app, "put", slug="plan", content="Which\n")
    assert refused.value.data["candidates"] == ["default::plan", f"{NAME}::plan"]
    vault.write("a/Two.md", "One\n")
    vault.write("b/Two.md", "Two\n")
    vault.sync()
    with pytest.raises(Ambiguous):
        call(vault.app, "put", slug="Two.md", content="Which\n")


def test_a_title_writes_no_page(vault: Vault) -> None:
    call(vault.app, "put", slug="people/al", content="# Alice Example\n")
    with pytest.raises(InvalidInput, match="people/al"):
        call(vault.app, "put", slug="Alice Example", content="Another\n")
    assert call(vault.app, "get", slug="Alice Example")["content"] == "# Alice Example\n"


@pytest.mark.parametrize("name", ["Alice Example", "al", "Ally", "people/al", "default::people/al"])
def test_what_any_name_reads_is_changed_by_that_name(vault: Vault, name: str) -> None:
    text = "---\naliases: [Ally]\n---\n# Alice Example\n\nShe likes tea in the morning.\n"
    call(vault.app, "put", slug="people/al", content=text)
    read = call(vault.app, "get", slug=name)["content"]
    call(vault.app, "put", slug=name, content=read.replace("tea", "coffee"))
    assert call(vault.app, "get", slug="people/al")["content"] == text.replace("tea", "coffee")
    assert slugs(vault) == ["default::people/al"]


def test_who_says_that_there_is_none_makes_a_page_beside_one_that_is_alike(vault: Vault) -> None:
    text = "# Alice\n\nShe likes tea in the morning.\n"
    call(vault.app, "put", slug="people/alice", content=text)
    call(vault.app, "put", slug="alice", content=text, expected_version=0)
    assert slugs(vault) == ["default::alice", "default::people/alice"]


def test_who_read_a_version_means_the_page_that_has_it(vault: Vault) -> None:
    call(vault.app, "put", slug="people/alice", content="A person\n")
    call(vault.app, "put", slug="alice", content="Somebody\n", expected_version=1)
    assert call(vault.app, "get", slug="people/alice")["content"] == "Somebody\n"
    assert slugs(vault) == ["default::people/alice"]


def test_a_slug_that_no_page_has_is_a_new_page(vault: Vault) -> None:
    call(vault.app, "put", slug="people/alice", content="A person\n")
    call(vault.app, "put", slug="alice", content="A ship\n")
    assert slugs(vault) == ["default::alice", "default::people/alice"]


def test_new_pages_go_where_the_person_chose(vault: Vault) -> None:
    call(vault.app, "config set", key="put.collection", value=NAME)
    app = vault.app.reread()
    call(app, "put", slug="first", content="One\n")
    call(app, "new", type="concept", slug="second")
    assert {"first.md", "second.md"} <= set(vault.files())
    call(app, "put", slug="default::third", content="Three\n")
    assert "third.md" not in vault.files()
    call(app, "config set", key="put.collection", value="nowhere")
    with pytest.raises(NotFound, match="nowhere"):
        call(app.reread(), "put", slug="fourth", content="Four\n")


def test_new_pages_go_into_the_folder_in_which_the_person_stands(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    db = tmp_path / "m.db"
    assert quick("init", str(db)).status == 0
    assert quick("collection", "add", "notes", str(folder), db=db).status == 0
    assert quick("put", "a", input="A\n", db=db, cwd=folder / "deep").status == 0
    assert quick("new", "concept", "b", db=db, cwd=folder).status == 0
    assert quick("put", "c", input="C\n", db=db, cwd=tmp_path).status == 0
    assert (folder / "a.md").read_text() == "A\n"
    assert (folder / "b.md").is_file()
    assert not (folder / "c.md").exists()


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_typed_link_leads_to_the_page_that_was_named(vault: Vault, name: str) -> None:
    for each in LANGUAGES:
        vault.write(f"langs/{each}.md", "Text\n")
    vault.write("me.md", "Me\n")
    vault.sync()
    call(vault.app, "link", **{"from": "me", "to": f"{name}.md"})
    assert leads_to(vault.app, "me") == [call(vault.app, "get", slug=f"{name}.md")["slug"]]
    assert call(vault.app, "unlink", **{"from": "me", "to": f"{name}.md"})["removed"] == 1
