"""Files that must not be written over: protected ones, those with several names; and what stays as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.errors import ReadOnly
from tests.support import NOBODY, call
from tests.vault.support import NAME, Vault, is_root, vault_of

SLUG = f"{NAME}::folder/a"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = vault_of(tmp_path, {"folder/a.md": "# A\n", "b.md": "See [[folder/a]].\n"})
    yield made
    (made.root / "folder").chmod(0o700)
    made.close()


def refused(vault: Vault, operation: str, **values: str) -> None:
    before = vault.files()
    with pytest.raises(ReadOnly) as error:
        call(vault.app, operation, **values)
    assert error.value.hint
    assert vault.files() == before
    assert not vault.findings()


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_protected_file_is_refused(vault: Vault, mode: int) -> None:
    (vault.root / "folder/a.md").chmod(mode)
    refused(vault, "tag", slug=SLUG, tag="x")
    refused(vault, "mv", slug=SLUG, to="c")
    refused(vault, "rm", slug=SLUG)
    (vault.root / "folder/a.md").chmod(0o644)
    call(vault.app, "tag", slug=SLUG, tag="x")


def test_a_protected_file_whose_links_would_be_repointed_is_refused(vault: Vault) -> None:
    (vault.root / "b.md").chmod(0o444)
    refused(vault, "mv", slug=SLUG, to="c")


def test_a_protected_folder_is_refused(vault: Vault) -> None:
    (vault.root / "folder").chmod(0o555)
    refused(vault, "tag", slug=SLUG, tag="x")
    refused(vault, "put", slug=f"{NAME}::folder/new", content="x\n")
    refused(vault, "put", slug=f"{NAME}::folder/deeper/new", content="x\n")
    refused(vault, "rm", slug=SLUG)


def test_a_file_with_several_names_keeps_them(vault: Vault, tmp_path: Path) -> None:
    os.link(vault.root / "folder/a.md", tmp_path / "other.md")
    refused(vault, "tag", slug=SLUG, tag="x")
    assert (vault.root / "folder/a.md").samefile(tmp_path / "other.md")
    (tmp_path / "other.md").unlink()
    call(vault.app, "tag", slug=SLUG, tag="x")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_modes_stay(vault: Vault, mode: int) -> None:
    (vault.root / "folder/a.md").chmod(mode)
    call(vault.app, "tag", slug=SLUG, tag="x")
    assert (vault.root / "folder/a.md").stat().st_mode & 0o777 == mode


def test_owners_stay(vault: Vault) -> None:
    if not is_root():
        pytest.skip("NOT TESTED: only root can give files away")
    os.chown(vault.root / "folder/a.md", NOBODY, NOBODY)
    call(vault.app, "tag", slug=SLUG, tag="x")
    facts = (vault.root / "folder/a.md").stat()
    assert (facts.st_uid, facts.st_gid) == (NOBODY, NOBODY)
    assert (vault.root / "b.md").stat().st_uid == 0


@pytest.mark.parametrize(
    "text", ["# A\n", "", "x", "a\r\nb\r\n", "---\n\nnot frontmatter\n", "---\ntitle: A\n---\nx\n"]
)
def test_a_tag_that_came_and_went_leaves_nothing(vault: Vault, text: str) -> None:
    place = vault.write("c.md", text.encode())
    vault.sync()
    slug = f"{NAME}::c"
    call(vault.app, "tag", slug=slug, tag="x")
    assert place.read_bytes() != text.encode()
    call(vault.app, "untag", slug=slug, tag="x")
    assert place.read_bytes() == text.encode()


def test_an_empty_frontmatter_stays_where_the_text_below_would_become_one(vault: Vault) -> None:
    text = "---\ntags:\n  - x\n---\n---\ntitle: only text\n---\n"
    place = vault.write("c.md", text)
    vault.sync()
    call(vault.app, "untag", slug=f"{NAME}::c", tag="x")
    assert place.read_bytes() == b"---\n---\n---\ntitle: only text\n---\n"
