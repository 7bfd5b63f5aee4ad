"""A disk that takes no more, under a folder or under its memory: a clear error, and nothing half-written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import Ran, mounted, quick

pytestmark = pytest.mark.stress

LINKING = 20
LITTLE = 65_536  # enough for SQLite to read, and too little for any of these writes
BIG = "".join(f"word{number} " for number in range(40_000))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system in memory; a slow sync commits more often, and its log takes more room."""
    with mounted(tmp_path / "disk", "size=8m") as place:
        yield place


@pytest.fixture(params=["both", "folder", "memory"])
def places(request: pytest.FixtureRequest, disk: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The folder and its memory, of which one or both are on the small disk."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = (elsewhere if request.param == "memory" else disk) / "vault"
    db = (elsewhere if request.param == "folder" else disk) / "memory.db"
    folder.mkdir()
    (folder / "target.md").write_text("# The place\n")
    for number in range(LINKING):
        (folder / f"l-{number}.md").write_text(f"# L {number}\n\n[[target]]\n")
    assert quick("init", db).status == 0
    assert quick("collection", "add", "notes", folder, db=db).status == 0
    return folder, db


def fill(disk: Path, room: int = 0) -> Path:
    """Take all room that is left but for some bytes."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        size = 65_536
        while size:
            try:
                file.write(b"x" * size)
            except OSError:
                size //= 2
        file.truncate(file.tell() - room)
    return filler


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def is_clean(ran: Ran) -> bool:
    return (ran.status, ran.error["code"], ran.out) == (10, "storage", "") and bool(ran.error["hint"])


def listed(db: Path) -> int:
    return len(quick("list", "--json", "--limit", "1000", db=db).json["pages"])


WRITES: dict[str, tuple[tuple[str, ...], str]] = {
    "rewrite": (("put", "notes::target"), BIG),
    "new": (("put", "notes::new/page"), BIG),
    "move": (("mv", "notes::target", "places/goal"), ""),
    "raw": (("raw", "notes::target", "api", "--data", "-"), f'{{"k": "{BIG}"}}'),
}


@pytest.mark.parametrize(
    ("write", "room"), [("rewrite", 0), ("rewrite", LITTLE), ("new", LITTLE), ("move", LITTLE), ("raw", 0)]
)
def test_a_write_that_does_not_fit(disk: Path, places: tuple[Path, Path], write: str, room: int) -> None:
    folder, db = places
    words, text = WRITES[write]
    before, count = files(folder), listed(db)
    filler = fill(disk, room)
    ran = quick(*words, "--json", input=text, db=db)
    assert is_clean(ran), ran
    assert files(folder) == before
    if room:
        assert listed(db) == count
    filler.unlink()
    assert quick("collection", "sync", "--json", db=db).json["collections"][0]["effects"] == {}
    assert quick("validate", "--all", db=db).status == 0
    assert quick(*words, input=text, db=db).status == 0
    assert files(folder) != before
    assert not [path for path in (*folder.rglob("*"), *db.parent.iterdir()) if ".tmp" in path.name]
    assert not db.with_name("memory.db.files").exists()
    assert quick("validate", "--all", db=db).status == 0


def test_a_sync_that_does_not_fit(disk: Path, places: tuple[Path, Path]) -> None:
    folder, db = places
    for number in range(10):
        (folder / f"big-{number}.md").write_text(f"# Big {number}\n\n{BIG[:50_000]}\n")
    before = files(folder)
    filler = fill(disk, LITTLE)
    ran = quick("collection", "sync", "--json", db=db)
    if db.parent == disk:
        assert is_clean(ran), ran
        assert quick("get", "notes::target", db=db).out == "# The place\n"
        assert listed(db) < LINKING + 11
    else:
        assert ran.status == 0, "a sync writes nothing into the folder"
    assert files(folder) == before
    filler.unlink()
    assert quick("collection", "sync", db=db).status == 0
    assert listed(db) == LINKING + 11
    assert quick("validate", "--all", db=db).status == 0
