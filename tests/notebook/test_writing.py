"""Reading and writing the files of a notebook, and remembering."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from quaid.errors import Ambiguous, Conflict, InvalidInput, NotFound, QuaidError, ReadOnly, StorageFailed
from quaid.vault.changes import FileChanges
from tests.notebook.notebooks import FILES, Notes, made, notes
from tests.support import Clock, found, mounted, tolerating

__all__ = ["notes"]


# Remembering ------------------------------------------------------------------------------------------


def test_what_is_remembered_is_in_its_file_and_found(notes: Notes) -> None:
    place = notes.remember("add oat milk to shopping")
    assert (place["path"], place["section"], place["action"]) == (
        "lists/shopping.md",
        "Shopping list",
        "added",
    )
    assert notes["lists/shopping.md"] == FILES["lists/shopping.md"] + "- oat milk\n"
    assert place["line"] == 7
    assert found(notes.app, "oat milk") == ["lists/shopping"]
    assert place["etag"] == notes.call("notebook read", path="lists/shopping.md")["etag"]


def test_several_items_keep_the_style_of_the_list(notes: Notes) -> None:
    notes.remember("todos: mow the lawn, sweep the patio")
    assert notes["lists/todos.md"].endswith("- [x] Pay rent\n- [ ] mow the lawn\n- [ ] sweep the patio\n")


def test_what_is_there_is_not_written_twice(notes: Notes) -> None:
    before = notes.files()
    assert notes.remember("we need milk")["action"] == "already there"
    assert notes.remember("Remember that the boiler was replaced in 2019.")["action"] == "already there"
    again = notes.remember("the boiler was replaced in 2019", category="reference")
    assert (again["path"], again["action"]) == ("knowledge/facts.md", "already there")
    assert notes.files() == before


def test_an_item_that_was_ticked_is_open_again(notes: Notes) -> None:
    assert notes.remember("todo: pay rent")["action"] == "reopened"
    assert "- [ ] Pay rent\n" in notes["lists/todos.md"]


def test_a_new_section_is_made_where_none_fits(notes: Notes) -> None:
    assert notes.remember("Ana Silva's phone number is 555-0199")["section"] == "Ana Silva"
    assert notes["reference/contacts.md"].endswith(
        "\n\n## Ana Silva\n\n- Ana Silva's phone number is 555-0199\n"
    )
    notes.remember("Sarah's new mail is sarah@chen.example")
    assert (
        "- Phone: 555-1234\n- Sarah's new mail is sarah@chen.example\n\n## Ana"
        in notes["reference/contacts.md"]
    )


def test_of_two_sections_of_one_name_the_first_is_taken(notes: Notes) -> None:
    notes["knowledge/facts.md"] = "## House\n\n- Old\n\n## House\n\n- New\n"
    notes.remember("The boiler was replaced in 2020", file="facts", section="House")
    assert notes["knowledge/facts.md"].startswith(
        "## House\n\n- Old\n- The boiler was replaced in 2020\n\n## House"
    )


def test_files_and_folders_are_made_when_needed(notes: Notes) -> None:
    assert not (notes.root / "knowledge" / "patterns.md").exists()
    notes.remember("I usually have time after 3pm")
    assert notes["knowledge/patterns.md"] == "# Patterns\n\n## General\n\n- I usually have time after 3pm\n"
    notes.remember("never ping me before 9")
    assert "## Notifications\n\n- never ping me before 9\n" in notes["reference/standing-orders.md"]
    assert (notes.root / "reference" / "standing-orders.md").stat().st_mode & 0o777 == 0o600


def test_a_dry_run_says_the_same_and_writes_nothing(notes: Notes) -> None:
    before = notes.files()
    planned = notes.call("remember", content="we need bread", dry_run=True)
    assert notes.files() == before
    done = notes.call("remember", content="we need bread")
    assert planned["dry_run"]
    assert planned["message"] == done["message"]
    for each in (planned, done):
        place = each["places"][0]
        assert (place["path"], place["action"], place["reasons"]) == (
            "lists/shopping.md",
            "added",
            done["places"][0]["reasons"],
        )


def test_items_are_ticked_and_removed(notes: Notes) -> None:
    assert notes.remember("plumber", done=True)["texts"] == ["Call the plumber"]
    assert "- [x] Call the plumber\n" in notes["lists/todos.md"]
    assert notes.remember("eggs", remove=True)["path"] == "lists/shopping.md"
    assert notes["lists/shopping.md"] == "# Shopping\n\n## Shopping list\n\n- Milk\n"
    assert notes.remember("milk", done=True, file="shopping")["action"] == "done"
    assert notes["lists/shopping.md"].endswith("- [x] Milk\n")
    with pytest.raises(NotFound, match="caviar"):
        notes.remember("caviar", done=True)


def test_several_items_are_ticked_or_none(notes: Notes) -> None:
    before = notes.files()
    with pytest.raises(NotFound, match="caviar"):
        notes.remember("eggs and caviar", done=True)
    assert notes.files() == before
    done = notes.call("remember", content="eggs and call the plumber, please", done=True)
    assert [place["texts"] for place in done["places"]] == [["Eggs"], ["Call the plumber"]]
    assert notes["lists/shopping.md"].endswith("- Milk\n- [x] Eggs\n")
    notes["lists/shopping.md"] = "- salt and pepper\n- pepper\n"
    assert notes.remember("Salt and pepper", remove=True)["texts"] == ["salt and pepper"]
    assert notes["lists/shopping.md"] == "- pepper\n"


def test_what_goes_with_an_item_is_said(notes: Notes) -> None:
    notes["lists/shopping.md"] = "- Milk\n  - skimmed\n  - two\n- Eggs\n"
    assert "with 2 lines below it" in notes.remember("milk", remove=True)["reasons"]
    assert notes["lists/shopping.md"] == "- Eggs\n"


def test_an_item_that_could_be_several_is_refused_with_all_of_them(notes: Notes) -> None:
    notes["lists/todos.md"] = "- [ ] Call mum\n- [ ] Call dad\n"
    with pytest.raises(Ambiguous) as caught:
        notes.remember("call", remove=True)
    assert sorted(caught.value.data["candidates"]) == [
        "Call dad (lists/todos.md)",
        "Call mum (lists/todos.md)",
    ]  # type: ignore[call-overload]


def test_longer_texts_are_kept_as_they_are(notes: Notes) -> None:
    text = "Meeting with Ana\n\nShe wants:\n- blue\n- green\n\n# Later\n\n```\ncode\n```"
    notes.remember(text, file="facts", section="Talks")
    assert (
        "## Talks\n\nMeeting with Ana\n\nShe wants:\n- blue\n- green\n\n### Later\n\n```\ncode\n```\n"
        in notes["knowledge/facts.md"]
    )


@pytest.mark.parametrize("content", ["", "   \n", "x" * 70_000])
def test_nothing_and_too_much_are_refused(notes: Notes, content: str) -> None:
    with pytest.raises(InvalidInput):
        notes.remember(content)


def test_an_edit_by_hand_is_seen_and_kept(notes: Notes) -> None:
    for number in range(5):
        notes["lists/shopping.md"] = notes["lists/shopping.md"] + f"- by hand {number}\n"
        notes.remember(f"we need thing{number}")
    assert notes["lists/shopping.md"].count("by hand") == 5
    assert notes["lists/shopping.md"].count("thing") == 5


def test_an_edit_in_the_last_moment_is_kept(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody saves the file between the edit and the write: the edit is made again, of what is there."""
    prepare, saved = FileChanges.prepare, []

    def late(self: FileChanges, connection: object) -> None:
        if len(saved) < 3 and self.pending(notes.root):
            saved.append(1)
            place = notes.root / "lists" / "shopping.md"
            beside = place.with_suffix(".swp")
            beside.write_text(place.read_text() + f"- late {len(saved)}\n")
            beside.replace(place)
        prepare(self, connection)  # type: ignore[arg-type]

    monkeypatch.setattr(FileChanges, "prepare", late)
    notes.remember("we need bread")
    assert notes["lists/shopping.md"].endswith("- late 1\n- late 2\n- late 3\n- bread\n")


def test_a_file_in_another_encoding_stays_in_it(notes: Notes) -> None:
    text = "# Einkauf\r\n\r\n- Käse\r\n"
    notes["lists/shopping.md"] = text.encode("cp1252")
    notes.remember("add Müsli to shopping")
    assert (notes.root / "lists/shopping.md").read_bytes() == f"{text}- Müsli\r\n".encode("cp1252")


def test_odd_bytes_of_a_list_stay(notes: Notes) -> None:
    data = "# Shopping\n\n- 牛奶和面包\n- 鸡".encode() + b"\xe8\x9b\n- tea \xff\n"
    notes["lists/shopping.md"] = data
    notes.remember("add Müsli to shopping")
    assert (notes.root / "lists/shopping.md").read_bytes() == data + "- Müsli\n".encode()


# Files ------------------------------------------------------------------------------------------------


def test_a_file_is_read_in_whole_or_in_part(notes: Notes) -> None:
    whole = notes.tool("notebook_read", path="lists/shopping")
    assert whole["content"] == FILES["lists/shopping.md"]
    assert (whole["path"], whole["total_lines"]) == ("lists/shopping.md", 6)
    part = notes.tool("notebook_read", path="lists/shopping.md", start_line=5, lines=1)
    assert (part["content"], part["lines"], part["etag"]) == ("- Milk\n", 1, whole["etag"])
    with pytest.raises(InvalidInput, match="6 lines"):
        notes.tool("notebook_read", path="lists/shopping.md", start_line=7)
    with pytest.raises(NotFound):
        notes.tool("notebook_read", path="lists/none.md")


def test_a_section_is_replaced_with_the_etag_that_was_read(notes: Notes) -> None:
    etag = notes.tool("notebook_read", path="lists/todos.md")["etag"]
    values = {"path": "lists/todos.md", "content": "- [ ] Rest", "section": "## To do", "replace": True}
    written = notes.tool("notebook_write", **values, etag=etag)
    assert written["success"]
    assert (written["section"], written["line"]) == ("To do", 3)
    assert notes["lists/todos.md"] == "# To do\n\n## To do\n\n- [ ] Rest\n"
    with pytest.raises(Conflict) as caught:
        notes.tool("notebook_write", **values, etag=etag)
    assert caught.value.data["current_etag"] == written["etag"]
    assert notes.tool("notebook_write", **values, etag=written["etag"])["changed"] is False


def test_a_program_that_replaces_must_say_what_it_read(notes: Notes) -> None:
    with pytest.raises(InvalidInput, match="etag"):
        notes.tool("notebook_write", path="lists/todos.md", content="x", replace=True)
    assert notes.call("notebook write", path="lists/todos.md", content="x", replace=True)["changed"]
    assert notes["lists/todos.md"] == "x\n"


def test_a_stale_etag_changes_nothing_whoever_changed_the_file(notes: Notes) -> None:
    etag = notes.tool("notebook_read", path="lists/todos.md")["etag"]
    notes["lists/todos.md"] = "# By hand\n"
    before = notes.files()
    for stale in (etag, "", "0" * 16):
        with pytest.raises(Conflict) as caught:
            notes.tool("notebook_write", path="lists/todos.md", content="x", replace=True, etag=stale)
        assert caught.value.data["current_etag"]
        assert caught.value.data["expected_etag"] == stale
    assert notes.files() == before


def test_a_new_file_is_made_once(notes: Notes) -> None:
    first = notes.tool("notebook_write", path="knowledge/new", content="x", replace=True, etag="")
    assert (first["created"], first["path"]) == (True, "knowledge/new.md")
    with pytest.raises(Conflict, match="there already"):
        notes.tool("notebook_write", path="knowledge/new", content="y", replace=True, etag="")
    with pytest.raises(Conflict, match="not there"):
        notes.tool("notebook_write", path="knowledge/other", content="y", replace=True, etag=first["etag"])
    assert notes["knowledge/new.md"] == "x\n"


def test_additions_need_no_etag(notes: Notes) -> None:
    assert notes.tool("notebook_write", path="lists/shopping.md", content="Bread")["changed"]
    assert notes["lists/shopping.md"].endswith("- Eggs\n- Bread\n")
    made_now = notes.tool("notebook_write", path="lists/shopping.md", content="- Nails", section="Hardware")
    assert made_now["line"] == 9
    assert notes["lists/shopping.md"].endswith("- Bread\n\n## Hardware\n\n- Nails\n")


def test_sections_of_the_same_name_are_refused(notes: Notes) -> None:
    notes["lists/shopping.md"] = "## A\n- x\n\n## A\n- y\n"
    with pytest.raises(Ambiguous, match="lines 1, 4"):
        notes.tool("notebook_write", path="lists/shopping.md", content="- z", section="A")


OUTSIDE = [
    *("../x.md", "/etc/x.md", "~/x.md", "lists/../../x.md", "a//b.md", "", "x.txt", "lists/x.org", "x" * 300),
    *(".hidden.md", ".quaid/config.md", "lists/.secret/x.md", "C:\\x.md", "a\\b.md", "a\0b.md", "a\nb.md"),
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_are_confined_to_the_notebook(notes: Notes, tmp_path: Path, path: str) -> None:
    (tmp_path / "x.md").write_text("outside\n")
    before = notes.files()
    for name, values in (("notebook read", {}), ("notebook write", {"content": "x"})):
        with pytest.raises(InvalidInput) as caught:
            notes.call(name, path=path, **values)
        assert caught.value.hint
    assert notes.files() == before
    assert (tmp_path / "x.md").read_text() == "outside\n"


def test_links_are_not_followed(notes: Notes, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("secret\n")
    (notes.root / "lists" / "link.md").symlink_to(outside / "x.md")
    (notes.root / "linked").symlink_to(outside)
    (notes.root / "lists" / "folder.md").mkdir()
    for path in ("lists/link.md", "linked/x.md", "linked/new.md", "lists/folder.md", "lists/shopping.md/x"):
        for name, values in (("notebook read", {}), ("notebook write", {"content": "x"})):
            with pytest.raises(QuaidError):
                notes.call(name, path=path, **values)
    assert sorted(place.name for place in outside.iterdir()) == ["x.md"]
    assert (outside / "x.md").read_text() == "secret\n"


def test_a_name_that_another_file_could_be_confused_with_is_refused(notes: Notes) -> None:
    with pytest.raises(InvalidInput, match="confused"):
        notes.call("notebook write", path="lists/Shopping.md", content="x")


def test_what_is_left_out_of_the_notebook_is_not_written(notes: Notes) -> None:
    notes[".quaidignore"] = "drafts/\n"
    with pytest.raises(InvalidInput, match="left out"):
        notes.call("notebook write", path="drafts/x.md", content="x")


def test_sizes_are_bounded(notes: Notes) -> None:
    with pytest.raises(InvalidInput, match="at once"):
        notes.call("notebook write", path="lists/x.md", content="x" * 1_100_000)
    notes["knowledge/big.md"] = "word " * 100_000
    with pytest.raises(InvalidInput, match="too much"):
        notes.call("notebook read", path="knowledge/big.md")
    with pytest.raises(InvalidInput, match="nothing to write"):
        notes.call("notebook write", path="lists/x.md", content=" \n")


def test_files_are_listed_by_folder(notes: Notes) -> None:
    notes["daily/2026-04-12.md"] = "# 2026-04-12\n"
    notes["daily/2026-04-13.md"] = "# 2026-04-13\n"
    notes["top.md"] = "Top\n"
    listed = notes.call("notebook list", limit=1)
    assert [(each["folder"], each["files"]) for each in listed["folders"]] == [
        ("lists", 2),
        ("reference", 1),
        ("knowledge", 1),
        ("daily", 2),
        ("", 1),
    ]
    assert listed["folders"][3]["notes"][0]["path"] == "daily/2026-04-13.md"
    assert notes.call("notebook list", folder="lists")["folders"][0]["notes"][1]["title"] == "To do"
    with pytest.raises(InvalidInput, match="no files"):
        notes.call("notebook list", folder="none")


# Which notebook ---------------------------------------------------------------------------------------


def test_another_notebook_can_be_named_or_be_the_default(notes: Notes, tmp_path: Path) -> None:
    (tmp_path / "second" / "lists").mkdir(parents=True)
    notes.call("collection add", name="second", folder=str(tmp_path / "second"), profile="notebook")
    notes.call("remember", content="we need bread", notebook="second")
    assert "- bread" in (tmp_path / "second/lists/shopping.md").read_text()
    assert "bread" not in notes["lists/shopping.md"]
    notes.call("config set", key="notebook.default", value="second")
    app = notes.app.reread()
    assert Notes(notes.root, app).call("remember", content="we need salt")["notebook"] == "second"
    for bad in ("nobody", "wiki"):
        with pytest.raises(NotFound, match="no notebook"):
            notes.call("notebook list", notebook=bad)


def test_without_a_notebook_one_is_told_how_to_make_one(tmp_path: Path, clock: Clock) -> None:
    vault = made(tmp_path / "vault", {"a.md": "x"}, clock, profile="vault")
    with pytest.raises(NotFound) as caught:
        vault.call("remember", content="we need salt")
    assert "quaid init" in caught.value.hint
    vault.app.store.close()


def test_a_notebook_that_is_read_only_is_not_written(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "kept" / "lists").mkdir(parents=True)
    (tmp_path / "kept/lists/shopping.md").write_text("- Milk\n")
    vault = made(tmp_path / "vault", {"a.md": "x"}, clock, profile="vault")
    vault.call(
        "collection add", name="kept", folder=str(tmp_path / "kept"), profile="notebook", read_only=True
    )
    with pytest.raises(ReadOnly):
        vault.call("remember", content="we need salt")
    assert vault.call("remember", content="we need salt", dry_run=True)["dry_run"]
    assert vault.call("notebook read", path="lists/shopping.md")["content"] == "- Milk\n"
    vault.app.store.close()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, clock: Clock) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    with mounted(root / "lists") as place:
        notes = made(root, FILES, clock)
        before = notes.files()
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        with pytest.raises((ReadOnly, StorageFailed)) as caught:
            notes.remember("we need salt")
        assert caught.value.hint
        assert notes.files() == before
        assert notes.remember("Tom works at Siemens")["action"] == "added"
        notes.app.store.close()


def test_a_folder_that_is_gone_is_not_made_anew(notes: Notes) -> None:
    notes.root.rename(notes.root.with_name("elsewhere"))
    with tolerating("storage", "not_found", "corrupt", "internal", "read_only"):
        notes.remember("we need salt")
    assert not (notes.root / "lists").exists()
