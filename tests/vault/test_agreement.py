"""A look at a folder: what is as it was is told by the hash of a directory, and whatever is not, is seen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from quaid.store import file_state
from quaid.vault import agreement as module
from quaid.vault.agreement import Agreement, agreement, note
from tests.support import call
from tests.vault.support import NAME, Vault, fresh_digest, vault_of

OLD = 1_700_000_000 * 10**9
FILES = {
    "top.md": "# Top\n",
    "people/alice.md": "# Alice\n\nShe likes tea.\n",
    "people/bob.md": "# Bob\n",
    "people/.raw/bob.json": '{"sources": {"register": {"age": 40}}}',
    "people/photo.png": "no page",
    "places/köln.md": "# Köln\n",
    "places/near/bonn.md": "# Bonn\n",
}


class Looked:
    """A folder that was looked at, so that the hashes of its directories are noted."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.ticks = 0
        for path in FILES:
            self.touch(path)
        vault.sync()
        self.note()

    def touch(self, path: str) -> None:
        self.ticks += 1
        os.utime(self.vault.root / path, ns=(OLD, OLD + self.ticks * 1_000_001))

    def write(self, path: str, text: str) -> None:
        self.vault.write(path, text)
        self.touch(path)

    def agreement(self) -> Agreement:
        connection, row = self.vault.app.connection, self.vault.row
        return agreement(connection, row, self.vault.root, file_state.count(connection, row.id))

    def note(self) -> None:
        found = self.agreement()
        assert found.in_step
        note(self.vault.app.store, self.vault.row, found)

    def noted(self) -> set[str]:
        return set(file_state.prints(self.vault.app.connection, self.vault.row.id))


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Looked]:
    monkeypatch.setattr(module, "FEW", 1)
    vault = vault_of(tmp_path, FILES)
    yield Looked(vault)
    vault.close()


def test_nothing_is_compared_where_nothing_has_changed(
    looked: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looked.noted() == {"", "people/", "people/.raw/", "places/", "places/near/"}
    for name in ("marks", "marks_of", "known_files", "known_of"):
        monkeypatch.delattr(file_state, name)
    assert looked.agreement() == Agreement(True)


def rewrite(looked: Looked) -> None:
    looked.write("people/alice.md", "# Alice\n\nShe likes rum.\n")  # as long as before


def add(looked: Looked) -> None:
    looked.write("places/new.md", "# New\n")


def add_in_a_new_directory(looked: Looked) -> None:
    looked.write("things/new.md", "# New\n")


def remove(looked: Looked) -> None:
    (looked.vault.root / "people/alice.md").unlink()


def remove_a_directory(looked: Looked) -> None:
    shutil.rmtree(looked.vault.root / "places")


def rename(looked: Looked) -> None:
    looked.vault.rename("people/alice.md", "people/alicia.md")


def rename_a_directory(looked: Looked) -> None:
    looked.vault.rename("places/near", "places/far")


def move_to_another_directory(looked: Looked) -> None:
    looked.vault.rename("people/alice.md", "places/alice.md")


def leave_out(looked: Looked) -> None:
    looked.write(".quaidignore", "near/\nbob.md\n")


def leave_out_of_a_subdirectory(looked: Looked) -> None:
    looked.write("places/.quaidignore", "/near/bonn.md\n")


def change_raw_data(looked: Looked) -> None:
    looked.write("people/.raw/bob.json", '{"sources": {"register": {"age": 41}}}')


def add_raw_data(looked: Looked) -> None:
    looked.write("places/.raw/köln.json", '{"sources": {"register": 1}}')


def doubt_what_a_file_was(looked: Looked) -> None:
    with looked.vault.app.store.write() as connection:
        known = file_state.one(connection, looked.vault.row.id, "places/near/bonn.md")
        assert known
        file_state.put(connection, looked.vault.row.id, known._replace(seen_ns=0))


CHANGES = (
    rewrite,
    add,
    add_in_a_new_directory,
    remove,
    remove_a_directory,
    rename,
    rename_a_directory,
    move_to_another_directory,
    leave_out,
    leave_out_of_a_subdirectory,
    change_raw_data,
    add_raw_data,
    doubt_what_a_file_was,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_is_seen_and_leads_to_what_a_whole_sync_leads_to(
    looked: Looked, change: Callable[[Looked], None], tmp_path: Path
) -> None:
    change(looked)
    found = looked.agreement()
    assert not found.in_step
    assert found.survey
    looked.vault.app.sync(looked.vault.row).run(found=found.survey)
    assert not looked.vault.sync().changed
    assert not looked.vault.findings()
    assert looked.vault.digest() == fresh_digest(looked.vault.root, tmp_path / "fresh.db")
    assert looked.agreement().in_step
    looked.note()
    assert looked.agreement().in_step


def test_a_file_that_is_put_back_as_it_was_is_read_again(looked: Looked) -> None:
    place = looked.vault.root / "people/alice.md"
    before = place.stat()
    rewrite(looked)
    for number in range(30):  # so many that they are stored together
        looked.write(f"people/new-{number}.md", f"# New {number}\n")
    looked.vault.sync()
    assert "rum" in call(looked.vault.app, "get", slug=f"{NAME}::people/alice")["content"]
    for number in range(30):
        (looked.vault.root / f"people/new-{number}.md").unlink()
    looked.vault.sync()
    with place.open("r+") as file:
        file.write(FILES["people/alice.md"])
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    looked.vault.app.freshen()
    assert "tea" in call(looked.vault.app, "get", slug=f"{NAME}::people/alice")["content"]


def test_what_is_wrong_elsewhere_stays_known_when_one_directory_is_looked_at(looked: Looked) -> None:
    (looked.vault.root / "places/link.md").symlink_to("köln.md")
    looked.vault.sync()
    looked.note()
    rewrite(looked)
    looked.vault.app.freshen()
    assert set(file_state.problems(looked.vault.app.connection, looked.vault.row.id)) == {"places/link.md"}
    assert "rum" in call(looked.vault.app, "get", slug=f"{NAME}::people/alice")["content"]


def test_nothing_is_noted_that_may_have_changed_meanwhile(looked: Looked) -> None:
    rewrite(looked)
    looked.vault.sync()
    found = looked.agreement()
    assert found.prints
    with closing(apsw.Connection(str(looked.vault.app.store.path))) as another_process:
        another_process.execute("UPDATE file_state SET seen_ns = 0 WHERE path = 'people/alice.md'")
    note(looked.vault.app.store, looked.vault.row, found)
    assert not looked.agreement().in_step
