"""Syncs of real folders: any bytes are survivable, and each is told once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Conflict, InvalidInput, NotFound, StorageFailed
from quaid.formats.encoding import encode
from quaid.formats.slugs import slugs_of
from quaid.store import pages as page_table
from quaid.vault import folder
from tests.support import call, examples, leads_to, tolerating
from tests.vault.support import NAME, Vault, fresh_digest, vault_of

BOMB = b"---\na: &a [x, x]\n" + b"".join(
    b"%c: &%c [*%c, *%c, *%c, *%c]\n" % (98 + n, 98 + n, 97 + n, 97 + n, 97 + n, 97 + n) for n in range(24)
)
ODD: dict[str, bytes] = {
    "bom.md": b"\xef\xbb\xbf---\ntitle: Marked\n---\nx\n",
    "crlf.md": b"---\r\ntitle: Windows\r\n---\r\nx\r\n",
    "mixed.md": b"a\r\nb\nc\rd\x0be\x0cf\xc2\x85g",
    "utf16-le.md": b"\xff\xfe" + "---\ntitle: Weit\n---\nä\n".encode("utf-16-le"),
    "utf16-be.md": b"\xfe\xff" + "# Ä\n".encode("utf-16-be"),
    "utf16-odd.md": b"\xff\xfea",
    "latin.md": b"caf\xe9 \x81\x8d\n",
    "nul.md": b"a\0b\0\0c",
    "line.md": b"word " * 600_000,
    "broken-yaml.md": b"---\ntitle: [\n: :\n---\nbody\n",
    "unclosed.md": b"---\ntitle: x\n",
    "bomb.md": BOMB + b"---\nbody\n",
    "tag.md": b"---\nx: !!python/object/apply:os.system [touch owned]\ny: !local z\n---\nbody\n",
    "empty.md": b"",
    "newline.md": b"\n",
    "Alice.md": b"# Big Alice\n",
    "alice.md": b"# Small Alice\n",
    "x.md": b"# X\n",
    "x.org": b"#+title: X\n\n* Heading\n",
    "x.markdown": b"X\n",
    "UPPER.MD": b"upper\n",
    "plain.org": b"no keyword at all \xff\xfe",
    ".hidden.md": b"hidden\n",
    "deep/" * 20 + "er.md": b"deep\n",
    "y.md": bytes(range(256)),
}


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = vault_of(tmp_path)
    yield made
    made.close()


def check(vault: Vault, tmp_path: Path) -> None:
    """Memory and folder agree, a fresh memory would say the same, and a second sync has nothing to do."""
    assert vault.pages() == {p: data for p, data in vault.files().items() if folder.is_page(p)}
    again = vault.sync()
    assert not again.changed
    assert not again.skipped
    assert not again.problems
    assert vault.digest() == fresh_digest(vault.root, tmp_path / "fresh.db")
    assert not vault.findings()


# Any bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ODD)
def test_any_bytes_become_a_page_and_stay_as_they_are(vault: Vault, tmp_path: Path, name: str) -> None:
    vault.write(name, ODD[name])
    report = vault.sync()
    assert report.effects == {"added": 1}
    assert not report.failed
    assert vault.pages() == {name: ODD[name]}
    check(vault, tmp_path)
    assert vault.files() == {name: ODD[name]}
    assert not (tmp_path / "owned").exists()


def test_all_of_them_together(vault: Vault, tmp_path: Path) -> None:
    for name, data in ODD.items():
        vault.write(name, data)
    report = vault.sync()
    assert report.effects == {"added": len(ODD)}
    assert {each.path for each in report.problems} >= {"broken-yaml.md"}
    assert vault.slugs() == slugs_of(ODD)
    check(vault, tmp_path)


@given(data=st.binary(max_size=300))
@examples(10, 200)
def test_random_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    directory = tmp_path_factory.mktemp("random")
    vault = vault_of(directory, {"a.md": data, "b.org": data})
    try:
        assert vault.pages() == {"a.md": data, "b.org": data}
        check(vault, directory)
        with tolerating("invalid_input"):
            call(vault.app, "tag", slug=f"{NAME}::a", tag="new")
        check(vault, directory)
    finally:
        vault.close()
        shutil.rmtree(directory)


def test_names_of_any_kind(vault: Vault, tmp_path: Path) -> None:
    names = [
        b"line\nbreak.md",
        b"  spaces  .md",
        "Ångström.md".encode(),
        "A\u030angstro\u0308m.md".encode(),
        "学习.md".encode(),
        "🦭.md".encode(),
        b"caf\xe9.md",
        b"-dash.md",
        b"#hash.md",
        b"a:b?c*.md",
        b".md",
        b"...md",
        "Ω/ω.md".encode(),
        "\u202eright.md".encode(),
    ]
    for number, name in enumerate(names):
        place = os.path.join(os.fsencode(vault.root), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(b"note %d\n" % number)
    report = vault.sync()
    assert report.effects == {"added": len(names)}
    assert not report.skipped
    assert len(set(vault.slugs().values())) == len(names)
    assert not vault.sync().changed
    assert vault.digest() == fresh_digest(vault.root, tmp_path / "fresh.db")
    for slug in vault.slugs().values():
        call(vault.app, "tag", slug=f"{NAME}::{slug}", tag="seen")
    read = {os.path.join(os.fsencode(vault.root), name): b"tags" for name in names}
    assert all(b"seen" in Path(os.fsdecode(place)).read_bytes() for place in read)
    assert not vault.sync().changed


def test_a_name_that_could_not_be_found_again_is_told_once(vault: Vault) -> None:
    vault.write("a.md", "a")
    vault.write("odd\uf7ff.md", "b")
    report = vault.sync()
    assert [each.reason for each in report.skipped] == ["a name with characters of the private area"]
    assert vault.pages() == {"a.md": b"a"}
    assert not vault.sync().skipped


def test_a_file_that_is_too_large_does_not_stop_the_others(vault: Vault) -> None:
    vault.write("a.md", "a")
    place = vault.write("large.md", "x")
    with place.open("r+b") as file:
        file.truncate(folder.MAX_BYTES + 1)
    vault.write("z.md", "z")
    report = vault.sync()
    assert report.effects == {"added": 2}
    assert [(each.path, each.reason) for each in report.skipped] == [("large.md", "larger than 32 MB")]
    again = vault.sync()
    assert not again.changed
    assert not again.skipped
    assert call(vault.app, "collection info", name=NAME)["problems"] == {"large.md": "larger than 32 MB"}
    place.write_bytes(b"small")
    assert vault.sync().effects == {"added": 1}
    assert call(vault.app, "collection info", name=NAME)["problems"] == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_is_no_file_is_told_once(vault: Vault) -> None:
    vault.write("a.md", "a")
    os.mkfifo(vault.root / "pipe.md")
    (vault.root / "link.md").symlink_to(vault.root / "a.md")
    assert {each.path for each in vault.sync().skipped} == {"pipe.md", "link.md"}
    assert not vault.sync().skipped
    (vault.root / "pipe.md").unlink()
    assert vault.sync().effects == {}
    os.mkfifo(vault.root / "pipe.md")
    assert [each.path for each in vault.sync().skipped] == ["pipe.md"]


def test_a_page_behind_a_link_that_came_later_is_kept(vault: Vault, tmp_path: Path) -> None:
    vault.write("x/a.md", "a")
    vault.write("b.md", "b")
    vault.sync()
    vault.rename("x", "../elsewhere")
    (vault.root / "x").symlink_to(tmp_path / "elsewhere")
    assert vault.sync().effects == {}
    assert set(vault.pages()) == {"x/a.md", "b.md"}
    with pytest.raises(InvalidInput):
        call(vault.app, "put", slug=f"{NAME}::x/new", content="x")
    assert not (tmp_path / "elsewhere" / "new.md").exists()


# Renames ------------------------------------------------------------------------------------------


def belongings(vault: Vault, path: str) -> tuple[Any, ...]:
    slug = f"{NAME}::{vault.slugs()[path]}"
    return (
        vault.ids()[path],
        vault.versions()[path],
        [link["id"] for link in call(vault.app, "links", slug=slug)["links"]],
        [each["version"] for each in call(vault.app, "history", slug=slug)["versions"]],
        call(vault.app, "get", slug=slug)["created_at"],
    )


def test_a_renamed_file_keeps_id_version_links_and_history(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "[[b]]\n")
    vault.write("b.md", "[[a]] [[c/d]]\n")
    vault.sync()
    call(vault.app, "tag", slug=f"{NAME}::a", tag="x")
    before = belongings(vault, "a.md")
    vault.rename("a.md", "c/D.md")
    assert vault.sync().effects == {"moved": 1}
    assert belongings(vault, "c/D.md") == before
    assert leads_to(vault.app, f"{NAME}::b") == ["", "c/d"]
    check(vault, tmp_path)


def test_a_swap_keeps_both_pages_and_no_version_repeats(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    for tag in "12345":
        call(vault.app, "tag", slug=f"{NAME}::a", tag=tag)
    ids, versions = vault.ids(), vault.versions()
    vault.rename("a.md", "c")
    vault.rename("b.md", "a.md")
    vault.rename("c", "b.md")
    assert vault.sync().effects == {"moved": 2}
    assert vault.ids() == {"a.md": ids["b.md"], "b.md": ids["a.md"]}
    assert vault.versions()["a.md"] > versions["a.md"]
    check(vault, tmp_path)


def test_a_chain_of_renames_keeps_all_pages(vault: Vault, tmp_path: Path) -> None:
    for name in "abc":
        vault.write(f"{name}.md", f"Text of {name}")
    vault.sync()
    before = vault.ids()
    for old, new in ("cd", "bc", "ab"):
        vault.rename(f"{old}.md", f"{new}.md")
    assert vault.sync().effects == {"moved": 3}
    assert vault.ids() == {f"{new}.md": before[f"{old}.md"] for old, new in ("cd", "bc", "ab")}
    check(vault, tmp_path)


def test_a_page_with_an_id_is_found_after_rename_and_edit(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "---\nuuid: 7\n---\nA\n")
    vault.write("b.md", "B\n")
    vault.sync()
    before = vault.ids()["a.md"]
    (vault.root / "a.md").unlink()
    vault.write("c.md", "---\nuuid: 7\n---\nRewritten\n")
    with pytest.raises(NotFound):
        call(vault.app, "get", slug=f"{NAME}::a")  # looks at the file of `a` alone, which is gone
    assert vault.ids()["c.md"] == before
    assert [each["version"] for each in call(vault.app, "history", slug=f"{NAME}::c")["versions"]] == [2, 1]
    check(vault, tmp_path)


def test_a_moved_folder_keeps_its_pages(vault: Vault, tmp_path: Path) -> None:
    for name in "abc":
        vault.write(f"old/{name}.md", f"{name}\n[[old/a]]\n")
    vault.sync()
    before = vault.ids()
    vault.rename("old", "new/place")
    assert vault.sync().effects == {"moved": 3}
    assert vault.ids() == {path.replace("old", "new/place"): page for path, page in before.items()}
    check(vault, tmp_path)


def test_a_suffix_and_a_capital_change_who_has_the_slug(vault: Vault, tmp_path: Path) -> None:
    vault.write("x.md", "Markdown")
    vault.write("x.org", "Org")
    vault.sync()
    before = vault.ids()
    assert vault.slugs()["x.md"] == "x"
    vault.rename("x.md", "X.md")
    report = vault.sync()
    assert not report.failed
    assert vault.slugs()["x.org"] == "x"
    assert vault.ids() == {"X.md": before["x.md"], "x.org": before["x.org"]}
    check(vault, tmp_path)


# Files that go and come back ----------------------------------------------------------------------


def test_a_deleted_file_takes_its_page_into_quarantine_with_everything(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "---\ntags: [x]\n---\n[[b]]\n\n---\n\n- 2024-01-01 — Met\n")
    vault.write("b.md", "B")
    vault.sync()
    call(vault.app, "raw", slug=f"{NAME}::a", source="s", data=[1])
    before, version = vault.files(), vault.versions()["a.md"]
    (vault.root / "a.md").unlink()
    (vault.root / ".raw" / "a.json").unlink()
    assert vault.sync().effects == {"removed": 1}
    (gone,) = call(vault.app, "collection quarantine list")["pages"]
    assert (gone["slug"], gone["path"]) == ("a", "a.md")
    call(vault.app, "collection quarantine restore", slug=f"{NAME}::a")
    assert vault.files() == before
    assert vault.versions()["a.md"] > version
    assert call(vault.app, "get", slug=f"{NAME}::a")["tags"] == ["x"]
    assert call(vault.app, "raw", slug=f"{NAME}::a")["sources"][0]["data"] == [1]
    check(vault, tmp_path)


def test_a_file_that_comes_back_is_the_same_page(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    before = vault.ids()["a.md"]
    vault.rename("a.md", "../away")
    vault.sync()
    vault.rename("../away", "elsewhere.md")
    assert vault.sync().effects == {"returned": 1}
    assert vault.ids()["elsewhere.md"] == before
    check(vault, tmp_path)


def test_raw_data_that_did_not_come_back_is_gone(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.write(".raw/a.json", '{"sources": {"s": 1}}')
    vault.sync()
    vault.rename("a.md", "../away")
    shutil.rmtree(vault.root / ".raw")
    vault.sync()
    vault.rename("../away", "a.md")
    vault.sync()
    assert call(vault.app, "raw", slug=f"{NAME}::a")["sources"] == []
    check(vault, tmp_path)


def test_an_old_file_does_not_overwrite_a_removed_page_that_was_rewritten(vault: Vault) -> None:
    vault.write("a.md", "first")
    vault.write("b.md", "B")
    vault.sync()
    (vault.root / "a.md").unlink()
    vault.sync()
    call(vault.app, "restore", slug=f"{NAME}::a")
    call(vault.app, "put", slug=f"{NAME}::a", content="precious")
    call(vault.app, "rm", slug=f"{NAME}::a")
    vault.write("other.md", "first")
    vault.sync()
    call(vault.app, "restore", slug=f"{NAME}::a")
    assert call(vault.app, "get", slug=f"{NAME}::a")["content"] == "precious"


@pytest.mark.parametrize("how", ["missing", "empty"])
def test_a_folder_that_is_gone_or_empty_changes_nothing(vault: Vault, tmp_path: Path, how: str) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    vault.root.rename(tmp_path / "away")
    if how == "empty":
        vault.root.mkdir()
    before, ids = vault.digest(), vault.ids()
    for attempt in range(2):
        with pytest.raises(StorageFailed):
            vault.sync()
        app = vault.app.reread()
        assert call(app, "get", slug=f"{NAME}::a")["content"] == "A", attempt
        assert call(app, "list", collection=NAME)["pages"]
        for slug in ("a", "new"):
            with pytest.raises(StorageFailed):
                call(app, "put", slug=f"{NAME}::{slug}", content="x")
        with pytest.raises(StorageFailed):
            call(app, "rm", slug=f"{NAME}::a")
    assert vault.row.state == "halted"
    assert vault.row.alarm
    assert (vault.digest(), vault.ids()) == (before, ids)
    assert vault.root.exists() == (how == "empty")
    shutil.rmtree(vault.root, ignore_errors=True)
    (tmp_path / "away").rename(vault.root)
    assert vault.sync().effects == {}
    assert vault.row.state == "active"
    check(vault, tmp_path)


def test_a_folder_that_is_meant_to_be_empty(vault: Vault) -> None:
    vault.write("a.md", "A")
    vault.sync()
    (vault.root / "a.md").unlink()
    assert vault.sync(accept_empty=True).effects == {"removed": 1}
    assert vault.row.state == "active"
    assert call(vault.app, "put", slug=f"{NAME}::b", content="B")["created"]
    assert vault.files() == {"b.md": b"B"}


# Writes, and edits from outside -------------------------------------------------------------------


def test_an_edit_from_outside_is_a_conflict_for_whoever_expected_the_old_version(vault: Vault) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    vault.write("a.md", "edited elsewhere")
    for operation, values in (
        ("put", {"content": "mine", "expected_version": 1}),
        ("tag", {"tag": "x", "page_version": 1}),
        ("rm", {"page_version": 1}),
        ("mv", {"to": "c", "page_version": 1}),
        ("raw", {"source": "s", "data": 1, "page_version": 1}),
    ):
        with pytest.raises(Conflict) as caught:
            call(vault.app, operation, slug=f"{NAME}::a", **values)
        assert caught.value.data["current_version"] == 2
    assert vault.files() == {"a.md": b"edited elsewhere", "b.md": b"B"}


@pytest.mark.parametrize("at", ["before", "within"])
def test_an_edit_from_outside_is_never_overwritten(vault: Vault, at: str) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    collection = vault.app.collection(NAME)
    if at == "before":
        vault.write("a.md", "edited")
        with pytest.raises(Conflict):
            collection.edit("a", lambda text: text + "mine", 1)
    else:

        def change(text: str) -> str:
            vault.write("a.md", "edited")
            return text + "mine"

        with pytest.raises(Conflict):
            collection.edit("a", change)
    assert (vault.root / "a.md").read_bytes() == b"edited"
    assert vault.sync().effects in ({"changed": 1}, {})
    assert vault.pages()["a.md"] == b"edited"


def test_a_file_that_appears_where_a_new_page_goes_is_not_overwritten(vault: Vault) -> None:
    vault.write("a.md", "A")
    vault.sync()
    collection = vault.app.collection(NAME)
    vault.write("b.md", "theirs")
    with pytest.raises(Conflict):
        collection.put("b", "mine")
    with pytest.raises(Conflict):
        collection.move("a", "b")
    assert vault.files() == {"a.md": b"A", "b.md": b"theirs"}


@pytest.mark.parametrize("slug", ["plain/x", "folder", "a" * 255])
def test_a_page_that_cannot_have_a_file_is_refused(vault: Vault, slug: str) -> None:
    vault.write("plain", "no page")
    vault.write("folder.md/x.md", "a page in a folder that is called as a file")
    vault.sync()
    before = vault.files()
    with pytest.raises(StorageFailed) as caught:
        call(vault.app, "put", slug=f"{NAME}::{slug}", content="x")
    assert ".db" not in caught.value.message
    assert vault.files() == before
    assert not vault.sync().changed


@pytest.mark.parametrize("slug", ["drafts/x", "private/x", "node_modules/x", "deep/secret/x"])
def test_a_page_is_not_written_where_it_would_not_be_seen(vault: Vault, slug: str) -> None:
    vault.write("a.md", "A")
    vault.write(".quaidignore", "private/\n")
    vault.write("deep/.quaidignore", "secret\n")
    call(vault.app, "collection ignore", name=NAME, pattern="drafts/")
    for operation, values in (("put", {"content": "x"}), ("mv", {"to": slug})):
        with pytest.raises(InvalidInput):
            call(vault.app, operation, slug=f"{NAME}::{slug if operation == 'put' else 'a'}", **values)
    assert set(vault.files()) == {"a.md", ".quaidignore", "deep/.quaidignore"}


def test_frontmatter_is_edited_in_place(vault: Vault, tmp_path: Path) -> None:
    text = (
        b"\xef\xbb\xbf---\r\n# mine\r\ntitle:   'A'  # so\r\ntags: [x]\r\nodd:\t1\r\n---\r\nText\r\n\r\nEnd"
    )
    vault.write("A b.md", text)
    vault.sync()
    call(vault.app, "tag", slug=f"{NAME}::a-b", tag="y")
    assert (vault.root / "A b.md").read_bytes() == text.replace(b"[x]", b"[x, y]")
    check(vault, tmp_path)


# Raw data -----------------------------------------------------------------------------------------


def raw(vault: Vault, slug: str = "a") -> dict[str, Any]:
    return {
        each["source"]: each["data"] for each in call(vault.app, "raw", slug=f"{NAME}::{slug}")["sources"]
    }


def test_raw_data_comes_changes_and_goes(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    assert raw(vault) == {}
    for data, said in (
        ('{"sources": {"s": 1}}', {"s": 1}),
        ('{"sources": {"s": {"k": [null, "ä"]}, "t": 2}}', {"s": {"k": [None, "ä"]}, "t": 2}),
        ('{"sources": {"t": 2}, "more": "kept"}', {"t": 2}),
    ):
        version = vault.versions()["a.md"]
        vault.write(".raw/a.json", data)
        assert raw(vault) == said
        assert vault.versions()["a.md"] == version + 1
        check(vault, tmp_path)
    call(vault.app, "raw", slug=f"{NAME}::a", source="s", data=3)
    assert b"kept" in (vault.root / ".raw/a.json").read_bytes()
    assert raw(vault) == {"s": 3, "t": 2}
    check(vault, tmp_path)
    (vault.root / ".raw/a.json").unlink()
    assert vault.sync().effects == {"changed": 1}
    assert raw(vault) == {}
    check(vault, tmp_path)


def test_raw_data_that_says_the_same_again_changes_nothing(vault: Vault) -> None:
    vault.write("a.md", "A")
    vault.write(".raw/a.json", '{"sources": {"s": 1}}')
    vault.sync()
    vault.write(".raw/a.json", '{"sources":   {"s": 1}}\n')
    assert vault.sync().effects == {}
    assert vault.versions() == {"a.md": 1}


@pytest.mark.parametrize(
    "broken",
    [b"{", b"", b"[]", b"\xff", b'{"sources": 1}', b'{"sources": {"s": NaN}}', b'{"sources": {"s": 1e999}}',
     b'{"sources": {"s": "\\ud800"}}', b"[" * 100_000],
)  # fmt: skip
def test_raw_data_that_cannot_be_understood_is_told_and_left_alone(
    vault: Vault, tmp_path: Path, broken: bytes
) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.write(".raw/a.json", '{"sources": {"s": 1}}')
    vault.write(".raw/b.json", broken)
    report = vault.sync()
    assert report.effects == {"added": 2}
    assert [each.path for each in report.skipped] == [".raw/b.json"]
    vault.write(".raw/a.json", broken)
    assert [each.path for each in vault.sync().skipped] == [".raw/a.json"]
    assert raw(vault) == {}
    check(vault, tmp_path)
    assert set(call(vault.app, "collection info", name=NAME)["problems"]) == {".raw/a.json", ".raw/b.json"}
    if broken:
        with pytest.raises(InvalidInput):
            call(vault.app, "raw", slug=f"{NAME}::a", source="t", data=2)
    assert (vault.root / ".raw/a.json").read_bytes() == broken
    vault.write(".raw/a.json", '{"sources": {"s": 2}}')
    assert raw(vault) == {"s": 2}
    vault.sync()
    assert set(call(vault.app, "collection info", name=NAME)["problems"]) == {".raw/b.json"}


def test_pages_of_one_name_have_raw_data_of_their_own(vault: Vault, tmp_path: Path) -> None:
    for name in ("a.md", "a.org", "a.markdown", "a.MD", "a.org.md"):
        vault.write(name, f"I am {name}")
    vault.sync()
    slugs = vault.slugs()
    for name, slug in slugs.items():
        call(vault.app, "raw", slug=f"{NAME}::{slug}", source="s", data=[name])
    assert {name: raw(vault, slug) for name, slug in slugs.items()} == {name: {"s": [name]} for name in slugs}
    check(vault, tmp_path)


def test_raw_data_that_was_left_behind_belongs_to_whoever_comes(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write(".raw/a.json", '{"sources": {"s": 1}}')
    vault.sync()
    vault.rename("a.md", "b.md")
    vault.sync()
    assert raw(vault, "b") == {}
    check(vault, tmp_path)
    call(vault.app.reread(), "put", slug=f"{NAME}::a", content="Another")
    vault.sync()
    assert raw(vault) == {"s": 1}
    check(vault, tmp_path)


def test_raw_data_moves_along_with_its_page(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    call(vault.app, "raw", slug=f"{NAME}::a", source="s", data=1)
    call(vault.app, "mv", slug=f"{NAME}::a", to="x/c")
    assert set(vault.files()) == {"x/c.md", "x/.raw/c.json", "b.md"}
    check(vault, tmp_path)
    call(vault.app, "rm", slug=f"{NAME}::x/c")
    assert set(vault.files()) == {"b.md"}
    call(vault.app, "restore", slug=f"{NAME}::x/c")
    assert raw(vault, "x/c") == {"s": 1}
    check(vault, tmp_path)


# Slugs --------------------------------------------------------------------------------------------

RIVALS = ["a.md", "A.md", "a.org", "A.org", "a.markdown", "á.md", "a!.md", "b.md", "B.md", "x/a.md", "X/a.md"]
RIVALS += ["c" * 250 + ".md", "C" * 250 + ".md", "c" * 250 + ".org"]
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "write", "delete", "rename", "rm", "mv"]), st.sampled_from(RIVALS),
              st.sampled_from(RIVALS), st.booleans()),
    max_size=14,
)  # fmt: skip


@given(steps=STEPS)
@examples(15, 200)
def test_slugs_depend_on_the_files_alone(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str, bool]]
) -> None:
    directory = tmp_path_factory.mktemp("slugs")
    vault = vault_of(directory, {"keep.md": "keep"})
    try:
        for number, (what, path, other, synced) in enumerate(steps):
            run_step(vault, what, path, other, number)
            if synced:
                assert not vault.sync().failed
        assert not vault.sync().failed
        assert vault.slugs() == slugs_of(p for p in vault.files() if folder.is_page(p))
        assert vault.digest() == fresh_digest(vault.root, directory / "fresh.db")
    finally:
        vault.close()
        shutil.rmtree(directory)


def run_step(vault: Vault, what: str, path: str, other: str, number: int) -> None:
    there = (vault.root / path).exists()
    if what == "write":
        vault.write(path, f"note {number}")
    elif there and what == "delete":
        (vault.root / path).unlink()
    elif there and what == "rename":
        vault.rename(path, other)
    elif there and path in vault.slugs() and what == "rm":
        call(vault.app, "rm", slug=f"{NAME}::{vault.slugs()[path]}")
    elif there and path in vault.slugs() and what == "mv":
        call(vault.app, "mv", slug=f"{NAME}::{vault.slugs()[path]}", to=f"moved-{number}")


def test_links_lead_to_whoever_has_the_name_after_slugs_were_given_anew(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "small")
    vault.write("A.md", "big")
    vault.write("a.org", "org")
    vault.write("note.md", "[[a]]")
    vault.sync()
    assert leads_to(vault.app, f"{NAME}::note") == ["a"]
    (vault.root / "a.md").unlink()
    vault.sync()
    assert vault.slugs()["a.org"] == "a"
    assert leads_to(vault.app.reread(), f"{NAME}::note") == [vault.slugs()["A.md"]]  # the shorter path
    check(vault, tmp_path)
    (vault.root / "a.org").unlink()
    vault.sync()
    assert vault.slugs()["A.md"] == "a"
    assert leads_to(vault.app.reread(), f"{NAME}::note") == ["a"]
    check(vault, tmp_path)


def test_a_restored_page_has_the_slug_that_its_file_gives(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "small")
    vault.write("A.md", "big")
    vault.sync()
    apart = vault.slugs()["A.md"]
    call(vault.app, "rm", slug=f"{NAME}::{apart}")
    call(vault.app, "mv", slug=f"{NAME}::a", to="b")
    restored = call(vault.app, "restore", slug=f"{NAME}::{apart}")
    assert restored["slug"] == "a"
    assert vault.slugs() == {"A.md": "a", "b.md": "b"}
    check(vault, tmp_path)


# Patterns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["!", "\\", "a\\", "/", "[", "**", "\ufeffa"])
def test_an_odd_pattern_harms_nobody(vault: Vault, pattern: str) -> None:
    vault.write("a.md", "A")
    vault.write("drafts/b.md", "B")
    vault.write(".quaidignore", f"{pattern}\ndrafts/\n!a.md\n")
    report = vault.sync()
    assert not report.failed
    assert set(vault.pages()) == {"a.md"}
    assert len(report.skipped) <= 1
    assert not vault.sync().skipped


def test_pages_that_are_left_out_go_into_quarantine_and_come_back(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", "A")
    vault.write("drafts/b.md", "B")
    vault.sync()
    before = vault.ids()
    call(vault.app, "collection ignore", name=NAME, pattern="drafts/")
    assert set(vault.pages()) == {"a.md"}
    assert set(vault.files()) == {"a.md", "drafts/b.md"}
    call(vault.app, "collection ignore", name=NAME, pattern="drafts/", remove=True)
    assert vault.ids() == before
    check(vault, tmp_path)


# Details of a run -----------------------------------------------------------------------------------


def test_too_much_to_do_is_left(vault: Vault) -> None:
    for number in range(5):
        vault.write(f"{number}.md", str(number))
    report = vault.sync(most=4)
    assert report.left == 5
    assert not vault.pages()
    assert vault.sync(most=5).effects == {"added": 5}


def test_some_files_are_looked_at_alone(vault: Vault) -> None:
    vault.write("a.md", "A")
    vault.write("b.md", "B")
    vault.sync()
    vault.write("a.md", "A2")
    vault.write("b.md", "B2")
    vault.write("x/c.md", "C")
    sync = vault.app.sync(vault.row)
    assert sync.run_at(["a.md", "x"]).effects == {"changed": 1, "added": 1}
    assert vault.pages() == {"a.md": b"A2", "b.md": b"B", "x/c.md": b"C"}


def test_a_thorough_sync_finds_what_size_and_time_hide(vault: Vault, tmp_path: Path) -> None:
    place = vault.write("a.md", "first")
    os.utime(place, ns=(10**18 + 7, 10**18 + 7))
    vault.sync()
    with place.open("r+b") as file:
        file.write(b"other")
    os.utime(place, ns=(10**18 + 7, 10**18 + 7))
    assert not vault.sync().changed
    assert vault.sync(thorough=True).effects == {"changed": 1}
    check(vault, tmp_path)


def test_two_changes_within_the_grain_of_a_clock_are_seen(vault: Vault) -> None:
    for number in range(30):
        vault.write("a.md", f"{number:02}")
        vault.sync()
        assert vault.pages() == {"a.md": f"{number:02}".encode()}


def test_the_encoding_of_a_page_gives_its_bytes_back(vault: Vault) -> None:
    for name in ("bom.md", "utf16-le.md", "latin.md", "crlf.md"):
        vault.write(name, ODD[name])
    vault.sync()
    for path, page_id in vault.ids().items():
        page = page_table.load(vault.app.connection, page_id)
        assert encode(page.text, page.encoding) == ODD[path]
