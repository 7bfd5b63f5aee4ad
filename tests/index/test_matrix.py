"""The file of vectors is only a copy: whatever happens to it, results are those of the memory."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quaid.app import App
from quaid.index.matrix import HEADER, HEADER_SIZE, VectorMatrix
from quaid.settings import Settings
from quaid.store import embeddings
from quaid.store.connection import Store
from tests.support import Clock, call, mounted, open_memory
from tests.support_embedders import BagOfWords, install

QUESTIONS = ("cat", "doctor of the harbour", "number7 thing", "who would buy a car")


def opened(db: Path, embedder: BagOfWords | None = None) -> App:
    app = App(Store.open(db), Settings(), Clock()) if db.exists() else open_memory(db, Clock())
    install(app, embedder or BagOfWords())
    return app


def file_of(db: Path, model: int = 1) -> Path:
    return db.with_name(f"{db.name}.vectors-{model}")


def asked(app: App) -> list[Any]:
    return [call(app, "query", question=question, explain=True)["results"] for question in QUESTIONS]


def fresh(db: Path) -> list[Any]:
    """What a process answers that finds the file as it is."""
    app = opened(db)
    try:
        return asked(app)
    finally:
        app.store.close()


def without_file(db: Path) -> list[Any]:
    """What a process answers that finds no file."""
    for file in db.parent.glob(f"{db.name}.vectors-*"):
        file.unlink()
    return fresh(db)


def rows(db: Path) -> int:
    return int(HEADER.unpack(file_of(db).read_bytes()[: HEADER.size])[2])


WORDS = ("feline", "physician", "harbour", "purchase", "automobile")


def fill(app: App, first: int, last: int) -> None:
    for n in range(first, last):
        text = f"# Page {n}\n\n{WORDS[n % 5]} number{n} thing of {WORDS[n // 5 % 5]}.\n"
        call(app, "put", slug=f"p-{n:03}", content=text)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that is made once; each test has a copy."""
    app = opened(tmp_path_factory.mktemp("made") / "memory.db")
    fill(app, 0, 20)
    call(app, "embed")
    app.store.close()
    return app.store.path


@pytest.fixture
def memory(made: Path, tmp_path: Path) -> Iterator[App]:
    app = opened(Path(shutil.copy(made, tmp_path)))
    yield app
    app.store.close()


def test_made_when_it_is_needed(memory: App) -> None:
    db = memory.store.path
    assert not file_of(db).exists()
    asked(memory)
    assert rows(db) == 20
    assert file_of(db).stat().st_mode & 0o077 == 0, "nobody else may read what pages mean"


def test_new_vectors_are_appended(memory: App) -> None:
    db = memory.store.path
    asked(memory)
    inode = file_of(db).stat().st_ino
    before = file_of(db).read_bytes()[HEADER_SIZE:]
    fill(memory, 20, 30)
    found = asked(memory)
    assert rows(db) == 30
    assert file_of(db).stat().st_ino == inode
    assert file_of(db).read_bytes()[HEADER_SIZE:].startswith(before)
    assert fresh(db) == found == without_file(db)


def test_appended_by_another_process_meanwhile(memory: App) -> None:
    db = memory.store.path
    asked(memory)
    other = opened(db)
    fill(other, 20, 30)
    expected = asked(other)
    other.store.close()
    assert asked(memory) == expected


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"quaid",
        lambda data: b"garbage " * 1000,
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data[:HEADER_SIZE],
        lambda data: data + b"half a row",
        lambda data: data[:8] + b"\xff" * 12 + data[20:],
        lambda data: b"x" * 8 + data[8:],
        lambda data: data[:HEADER_SIZE] + os.urandom(len(data) - HEADER_SIZE),
        lambda data: data[:HEADER_SIZE] + bytes(len(data) - HEADER_SIZE),
        lambda data: data[:-8] + b"\xff" * 8,
    ],
    ids=[
        "empty",
        "short",
        "garbage",
        "half",
        "a byte less",
        "header alone",
        "a part more",
        "wrong counts",
        "wrong magic",
        "random rows",
        "no rows",
        "wrong id",
    ],
)
def test_a_damaged_file(memory: App, damage: Any) -> None:
    db = memory.store.path
    expected = without_file(db)
    file_of(db).write_bytes(damage(file_of(db).read_bytes()))
    assert fresh(db) == expected
    assert fresh(db) == expected


def test_a_file_that_is_deleted_while_it_is_used(memory: App) -> None:
    db = memory.store.path
    expected = asked(memory)
    file_of(db).unlink()
    assert asked(memory) == expected
    fill(memory, 20, 22)
    assert asked(memory) == without_file(db)


def test_vectors_that_are_gone_do_not_count(memory: App) -> None:
    """Their rows may stay in the file, but neither results nor scores show it."""
    db = memory.store.path
    asked(memory)
    for n in range(12):
        call(memory, "put", slug=f"p-{n:03}", content=f"# Page {n}\n\nSomething else {n * n}.\n")
    call(memory, "embed")
    with memory.store.write() as connection:
        assert embeddings.collect(connection) == 12
    kept = fresh(db)
    assert kept == without_file(db)
    for n in range(5):
        call(memory, "rm", slug=f"p-{n:03}")
    with memory.store.write() as connection:
        assert embeddings.collect(connection) == 5
    assert fresh(db) == without_file(db)


def test_a_process_that_stays_sees_what_was_collected(memory: App) -> None:
    db = memory.store.path
    asked(memory)
    for n in range(12):
        call(memory, "rm", slug=f"p-{n:03}")
    with memory.store.write() as connection:
        assert embeddings.collect(connection) == 12
    assert asked(memory) == fresh(db) == without_file(db)


def test_embedded_anew(memory: App) -> None:
    db = memory.store.path
    expected = asked(memory)
    for _ in range(3):
        call(memory, "embed", all=True)
        assert asked(memory) == expected
    call(memory, "embed", slug="p-003", all=True)
    assert asked(memory) == expected == fresh(db) == without_file(db)


def backup(app: App) -> Path:
    call(app, "compact")
    copy = app.store.path.with_suffix(".backup")
    shutil.copy(app.store.path, copy)
    return copy


def restore(app: App, copy: Path) -> App:
    db = app.store.path
    app.store.close()
    for name in ("-wal", "-shm"):
        db.with_name(db.name + name).unlink(missing_ok=True)
    shutil.copy(copy, db)
    return opened(db)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["feline"], ["physician"]),
        (["feline", "same"], ["physician", "same"]),
        (["feline", "same", "extra"], ["physician", "same"]),
        (["feline", "same"], ["physician", "same", "extra"]),
        (["feline", "same", "x", "y"], ["physician", "same"]),
        (["feline"], []),
    ],
)
def test_a_memory_that_is_put_back_from_a_backup(memory: App, before: list[str], after: list[str]) -> None:
    """The ids go on from the backup: the same id may now belong to another text."""
    db = memory.store.path
    copy = backup(memory)
    for place, word in enumerate(before):
        call(memory, "put", slug=f"late-{place}", content=f"# Late {place}\n\n{word}\n")
    asked(memory)
    again = restore(memory, copy)
    for place, word in enumerate(after):
        call(again, "put", slug=f"late-{place}", content=f"# Late {place}\n\n{word}\n")
    call(again, "embed")
    found = asked(again)
    again.store.close()
    assert found == fresh(db) == without_file(db)


def test_one_other_vector_among_many(memory: App) -> None:
    """It stands far from the end of the file, and every later one is the same."""
    db = memory.store.path
    with memory.store.write():
        fill(memory, 20, 150)
    call(memory, "embed")
    copy = backup(memory)

    def add(app: App, word: str) -> None:
        with app.store.write():
            call(app, "put", slug="late", content=f"# Late\n\n{word}\n")
            fill(app, 150, 300)
        call(app, "embed")

    add(memory, "feline")
    asked(memory)
    again = restore(memory, copy)
    add(again, "physician")
    found = asked(again)
    again.store.close()
    assert found == without_file(db)


def test_another_memory_under_the_same_name(memory: App, tmp_path: Path) -> None:
    db = memory.store.path
    asked(memory)
    other = opened(tmp_path / "other" / "memory.db")
    fill(other, 3, 30)
    call(other, "embed")
    copy = backup(other)
    other.store.close()
    again = restore(memory, copy)
    found = asked(again)
    again.store.close()
    assert found == without_file(db)


def test_a_file_that_another_process_left_half_made(memory: App) -> None:
    db = memory.store.path
    expected = asked(memory)
    data = file_of(db).read_bytes()
    damaged = data[:HEADER_SIZE] + bytes(len(data) - HEADER_SIZE)
    file_of(db).write_bytes(damaged)
    # Process ids come again; a file of that name may be anybody's.
    left = file_of(db).with_name(f"{file_of(db).name}.{os.getpid()}")
    left.write_bytes(damaged)
    assert fresh(db) == expected
    assert not left.exists()


@pytest.mark.parametrize("dimensions", [1, 7, 63])
def test_odd_dimensions(tmp_path: Path, dimensions: int) -> None:
    app = opened(tmp_path / "memory.db", BagOfWords(dimensions=dimensions))
    fill(app, 0, 12)
    first = asked(app)
    assert rows(app.store.path) == 12
    assert asked(app) == first
    app.store.close()


def test_scores_are_the_products_to_the_last_id(memory: App) -> None:
    model = embeddings.active(memory.connection)
    assert model
    query = BagOfWords().embed(["feline harbour"])[0]
    scores = VectorMatrix(memory.store.path, model).scores(memory.connection, query)
    sql = "SELECT id, vector FROM embeddings WHERE model_id = ? ORDER BY id"
    stored = list(memory.connection.execute(sql, (model.id,)))
    assert scores.ids.tolist() == [identity for identity, _ in stored]
    expected = [float(np.frombuffer(vector, "<f2").astype("<f4") @ query) for _, vector in stored]
    assert np.allclose(scores.at(np.arange(len(expected))), expected, atol=1e-6)
    assert np.allclose(scores.cosines, expected, atol=0.005)


def test_vectors_of_an_older_memory_are_used_as_they_are_until_it_is_compacted(memory: App) -> None:
    db = memory.store.path
    before = asked(memory)
    with memory.store.write() as connection:
        for identity, vector in list(connection.execute("SELECT id, vector FROM embeddings")):
            whole = np.frombuffer(vector, "<f2").astype("<f4").tobytes()
            connection.execute("UPDATE embeddings SET vector = ? WHERE id = ?", (whole, identity))
    assert asked(memory) == fresh(db) == without_file(db) == before
    sql = "SELECT sum(length(vector)) FROM embeddings"
    large = memory.connection.execute(sql).get
    call(memory, "compact")
    assert memory.connection.execute(sql).get == large / 2
    assert asked(memory) == fresh(db) == without_file(db) == before
    assert not call(memory, "validate", all=True)["findings"]


# Where nothing can be written ---------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, that can be made read-only."""
    with mounted(tmp_path / "disk") as place:
        yield place


@pytest.mark.parametrize(
    "state",
    ["no file", "file", "file is behind", "pages are not embedded", "no model yet", "pages are not cut"],
)
def test_a_read_only_memory(disk: Path, state: str) -> None:
    """It is searched as it is; what cannot be stored is not searched by meaning, and that is said."""
    app = opened(disk / "memory.db")
    fill(app, 0, 20)
    complete = state in ("no file", "file", "file is behind")
    if state == "file is behind":
        asked(app)
        fill(app, 20, 22)
    if state != "no model yet":
        call(app, "embed", **({} if complete else {"slug": "p-003"}))
    if state == "file":
        asked(app)
    if state == "pages are not cut":
        with app.store.write() as connection:
            connection.execute("DELETE FROM chunks WHERE page_id = 3")
            connection.execute("UPDATE pages SET chunked_by = 0 WHERE id = 3")
    call(app, "compact")
    app.store.close()
    del app
    gc.collect()  # what is mapped keeps the disk busy
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    reader = opened(disk / "memory.db")
    answer = call(reader, "query", question="number7 harbour")
    assert answer["results"][0]["slug"] == "p-007"
    assert bool(answer["notices"]) != complete
    if complete:
        assert "meaning" in answer["results"][0]["why"]
    reader.store.close()


def test_a_directory_in_its_place(memory: App) -> None:
    db = memory.store.path
    expected = asked(memory)
    file_of(db).unlink()
    file_of(db).mkdir()
    assert fresh(db) == expected


def test_a_full_disk_stops_no_query(memory: App) -> None:
    """A process that may write no file sees what a full disk looks like."""
    script = """
import resource, signal, sys
from pathlib import Path
from tests.index.test_matrix import asked, opened
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
app = opened(Path(sys.argv[1]))
sys.dont_write_bytecode = True  # half a module would be left for others
resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
print([len(each) for each in asked(app)])
"""
    db = memory.store.path
    expected = [len(each) for each in fresh(db)]
    file_of(db).unlink()
    done = subprocess.run(
        [sys.executable, "-c", script, db], capture_output=True, text=True, check=False, env=with_tests()
    )
    assert (done.returncode, done.stdout.strip()) == (0, str(expected)), done.stderr


def with_tests() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


# Several processes --------------------------------------------------------------------------------

READER = """
import sys
from pathlib import Path
from tests.support import call
from tests.index.test_matrix import opened
app = opened(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    found = call(app, "query", question="feline number1 thing", explain=True)["results"]
    assert found[0]["slug"] == "p-001", found
    assert found[0]["arms"]["meaning"]["rank"] == 1, found
"""


def test_two_processes_at_once(memory: App) -> None:
    """One adds pages, two ask and bring the file up to date, and it is deleted and damaged meanwhile."""
    db = memory.store.path
    call(memory, "put", slug="p-001", content="# Page 1\n\nfeline number1 thing\n")
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, db, "25"], stderr=subprocess.PIPE, env=with_tests())
        for _ in range(2)
    ]
    number = 20
    while any(reader.poll() is None for reader in readers):
        fill(memory, number, number + 2)
        number += 2
        call(memory, "embed")
        if number % 10 == 0:
            file_of(db).unlink(missing_ok=True)
    for reader in readers:
        assert reader.stderr
        assert reader.wait() == 0, reader.stderr.read().decode()
        reader.stderr.close()
    assert number > 24, "nothing was added while they asked"
    assert fresh(db) == without_file(db)
    assert not list(db.parent.glob(f"{db.name}.vectors-1.*"))
