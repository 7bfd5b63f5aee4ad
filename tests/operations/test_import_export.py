"""The commands as people see them."""

from __future__ import annotations

from pathlib import Path

from quaid.app import App
from quaid.operations.arguments import parameters
from quaid.operations.export import EXPORT
from quaid.operations.fields import Nothing
from quaid.operations.imports import IMPORT, IMPORTS, Import
from quaid.operations.memory import VALIDATE, Validate
from quaid.operations.text import Style
from tests.foreign.importers.support import imported, write
from tests.support import call, open_memory


def said(app: App, path: Path, **values: object) -> tuple[str, int]:
    result = IMPORT.run(app, Import(str(path), **values))  # type: ignore[arg-type]
    return IMPORT.render(result, Style()), IMPORT.status(result)


def test_an_import_says_what_it_did(app: App, tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"people/a.md": "x", "people/b.md": "y", "c.png": b"z"})
    text, status = said(app, folder, dry_run=True)
    assert text == (
        "Would import 2 pages (markdown) into default: 2 created\n"
        "  2 person\n"
        "  1 other file would be kept as it is"
    )
    text, status = said(app, folder)
    assert text.startswith("Imported 2 pages (markdown) into default: 2 created\n  2 person\n")
    assert text.split("\n")[-1].startswith("Import 2026-04-14T12-00-00-")
    assert status == 0


def test_a_conflict_is_told_and_gives_status_11(app: App, tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {"a.md": "x"})
    imported(app, folder)
    call(app, "tag", slug="a", tag="t")
    write(folder, {"a.md": "y"})
    text, status = said(app, folder)
    assert "conflict: a.md: the page a was changed here since its import" in text
    assert "--force" in text
    assert status == 11


def test_long_lists_are_cut(app: App, tmp_path: Path) -> None:
    folder = write(tmp_path / "in", {f"{n}.md": "---\n: {\n---\n" for n in range(14)})
    text, _ = said(app, folder)
    assert text.count("problem: ") == 10
    assert "… and 4 more" in text


def test_imports_are_listed_the_last_one_first(app: App, tmp_path: Path) -> None:
    assert IMPORTS.render(IMPORTS.run(app, Nothing()), Style()) == "Nothing was imported."
    for name in ("one", "two"):
        imported(app, write(tmp_path / name, {f"{name}.md": "x"}))
    listed = IMPORTS.render(IMPORTS.run(app, Nothing()), Style()).split("\n")
    assert [line.rsplit("/", 1)[-1] for line in listed] == ["two", "one"]
    assert "1 page" in listed[0]


def test_two_folders_are_compared(app: App, tmp_path: Path) -> None:
    one, other = (write(tmp_path / name, {"a.md": name}) for name in ("one", "other"))
    same = VALIDATE.run(app, Validate(original=str(one), exported=str(one)))
    assert VALIDATE.render(same, Style()) == "The same: pages, frontmatter, truth, timeline, raw data."
    differing = VALIDATE.run(app, Validate(original=str(one), exported=str(other)))
    assert VALIDATE.render(differing, Style()).startswith("truth: a.md: the compiled truth differs")
    assert (VALIDATE.status(same), VALIDATE.status(differing)) == (0, 11)


def test_every_argument_is_described() -> None:
    for operation in (IMPORT, IMPORTS, EXPORT, VALIDATE):
        assert operation.help.endswith(".")
        assert all(each.facts.help.endswith(".") for each in parameters(operation.arguments))


def test_a_page_states_its_slug_where_its_path_is_none(app: App, tmp_path: Path) -> None:
    stated = "---\nslug: people/alice\n---\n# A\n"
    folder = write(
        tmp_path / "in",
        {
            "Friends/Alice Example.md": stated,
            "Friends/Alice Again.md": stated,
            "Friends/Bad Slug.md": "---\nslug: Not A Slug\n---\n",
            "notes/tea.md": "---\nslug: drinks/tea\n---\n",
        },
    )
    imported(app, folder)
    assert {each["slug"] for each in call(app, "list")["pages"]} == {
        "people/alice",
        "friends/alice-example",  # the one of the two that comes later by its path
        "friends/bad-slug",
        "notes/tea",
    }
    assert imported(app, folder)["unchanged"] == 4


def test_pages_with_a_stated_slug_come_back_as_they_were(app: App, tmp_path: Path) -> None:
    imported(app, write(tmp_path / "in", {"My Notes/Tea.md": "---\nslug: drinks/tea\n---\n# Tea\n"}))
    call(app, "put", slug="people/bob", content="---\nslug: people/robert\n---\n# Bob\n")
    call(app, "export", directory=str(tmp_path / "out"))
    other = open_memory(tmp_path / "other.db")
    imported(other, tmp_path / "out")
    assert call(other, "digest") == call(app, "digest")
