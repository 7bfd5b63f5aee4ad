"""A damaged memory: every check says what it finds, what is derived is made anew, the rest is saved."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from quaid.store.recovery import DERIVED
from tests.support import Ran, call, dump, lengths, open_memory, quick

SIZE = 4096
COUNT = 16
DATABASES = Path(__file__).parents[1] / "store" / "databases"
Pages = dict[tuple[str, str], list[int]]


class Sound:
    """A memory in one file, what it holds, and which of its pages are whose."""

    def __init__(self, path: Path) -> None:
        app = open_memory(path)
        for number in range(COUNT):
            chance = random.Random(number)  # of which little can be packed
            words = " ".join(f"word{chance.getrandbits(48)}" for _ in range(500 if number % 3 == 0 else 30))
            call(app, "put", slug=f"page-{number}", content=f"# Page {number}\n\nwalrus [[page-3]] {words}\n")
        for number in range(0, COUNT, 4):
            call(app, "tag", slug=f"page-{number}", tag="often")
        call(app, "raw", slug="page-1", source="register", data={"words": "x" * 5000})
        call(app, "put", slug="gone", content="# Gone\n")
        call(app, "rm", slug="gone")
        call(app, "config set", key="history.days", value="77")
        self.digest = call(app, "digest")["digest"]
        call(app, "compact")
        app.store.close()
        self.data = path.read_bytes()
        self.rows = dump(path)
        self.pages: Pages = {}
        connection = apsw.Connection(str(path))
        for name, kind, number in connection.execute("SELECT name, pagetype, pageno FROM dbstat"):
            self.pages.setdefault((name, kind), []).append(number)
        connection.close()

    def without(self, number: int, content: bytes = bytes(SIZE)) -> bytes:
        """The file with another page in the place of one."""
        start = (number - 1) * SIZE
        return self.data[:start] + content + self.data[start + SIZE :]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return Sound(tmp_path_factory.mktemp("sound") / "memory.db")


def rescued(path: Path, status: int | None = None) -> Any:
    """What a rescue says, into `out` beside the memory; the memory stays as it was to the byte."""
    before = {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}
    shutil.rmtree(path.parent / "out", ignore_errors=True)
    ran = quick("rescue", path.parent / "out", "--json", db=path)
    after = {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}
    assert after == before
    assert ran.status in ((0, 11) if status is None else (status,)), ran
    return ran.json


def new_memory(path: Path) -> Path:
    return path.parent / "out" / "memory.db"


def digest(path: Path) -> Any:
    return quick("digest", "--json", db=path).json["digest"]


def test_a_sound_memory_is_saved_whole(sound: Sound, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(sound.data)
    told = rescued(path, 0)
    assert (told["pages"], told["lost"], told["damaged"], told["anew"]) == (COUNT, [], [], [])
    assert digest(new_memory(path)) == sound.digest
    assert not quick("validate", "--all", "--json", db=new_memory(path)).json["findings"]
    kept = dump(new_memory(path))
    for table in ("pages", "history", "deeds", "raw_data", "config", "links", "chunks"):
        assert kept[table] == sound.rows[table], table
    imported = tmp_path / "imported.db"
    quick("init", imported)
    assert quick("import", tmp_path / "out" / "pages", db=imported).status == 0
    assert digest(imported) == sound.digest


def test_a_memory_of_an_older_quaid_is_saved(tmp_path: Path) -> None:
    """What is derived was laid out otherwise there, and is derived again."""
    path = tmp_path / "memory.db"
    shutil.copyfile(DATABASES / "v11.db", path)
    told = rescued(path, 0)
    assert (told["lost"], told["damaged"]) == ([], [])
    assert not quick("validate", "--all", "--json", db=new_memory(path)).json["findings"]
    old = tmp_path / "old" / "memory.db"
    old.parent.mkdir()
    shutil.copyfile(path, old)
    assert digest(new_memory(path)) == digest(old)


def test_what_stands_in_the_log_alone_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    app = open_memory(path)
    call(app, "put", slug="first", content="# First\n\nin the log\n")
    call(app, "put", slug="second", content="# Second\n\nalso\n")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("memory.db", "memory.db-wal"):
        shutil.copy(tmp_path / name, copy / name)
    app.store.close()
    assert rescued(copy / "memory.db", 0)["pages"] == 2
    log = bytearray((copy / "memory.db-wal").read_bytes())
    log[32 + 24 + 60] ^= 1  # the first frame: SQLite would forget the whole log
    (copy / "memory.db-wal").write_bytes(log)
    told = rescued(copy / "memory.db", 11)
    assert (told["pages"], [each["what"] for each in told["lost"]]) == (2, ["log"])


KEPT = ("pages", "history", "raw_data", "deeds", "sessions", "collections", "config", "sqlite_schema")


@lengths("rounds", 1, 12)
@pytest.mark.parametrize("table", KEPT)
def test_a_page_of_what_is_not_derived_is_lost(sound: Sound, tmp_path: Path, table: str, rounds: int) -> None:
    rng = random.Random(table)
    path = tmp_path / "memory.db"
    for round_number in range(rounds):
        for kind in ("leaf", "internal", "overflow"):
            places = sound.pages.get((table, kind))
            if not places:
                continue
            content = rng.randbytes(SIZE) if round_number % 2 else bytes(SIZE)
            path.write_bytes(sound.without(rng.choice(places), content))
            told = rescued(path, 11)
            assert told["lost"] or told["damaged"]
            named = {
                each["detail"].removesuffix(" is lost") for each in told["lost"] if each["what"] == "page"
            }
            assert told["pages"] + len(told["damaged"]) + len(named) >= COUNT
            assert told["pages"] >= COUNT - 4
            findings = quick("validate", "--all", "--json", db=new_memory(path)).json["findings"]
            assert {each["check"] for each in findings} <= {"texts"}, findings
            for slug in ("page-1", "page-2"):
                got = quick("get", slug, db=new_memory(path))
                assert got.status == 0 or slug in (*named, *told["damaged"])
            repaired = quick("validate", "--all", "--repair", "--json", db=path)
            assert repaired.status in (6, 11)
            hints = repaired.err if repaired.status == 6 else repaired.out
            assert "quaid rescue" in hints or "quaid history" in hints  # of a text that alone is damaged


def test_a_text_that_is_cut_off_is_saved_as_far_as_it_goes(sound: Sound, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(sound.without(sound.pages["pages", "overflow"][0]))
    (slug,) = rescued(path, 11)["damaged"]
    (file,) = (tmp_path / "out" / "damaged").iterdir()
    text = file.read_text(encoding="utf-8")
    assert f"# Page {slug.removeprefix('page-')}\n\nwalrus" in text


def cut(data: bytes) -> bytes:
    return data[: len(data) * 9 // 10]


def headless(data: bytes) -> bytes:
    return bytes(100) + data[100:]


def nameless(data: bytes) -> bytes:
    return data[:68] + b"\xff" * 4 + data[72:]


@pytest.mark.parametrize("damage", [cut, headless, nameless], ids=lambda each: each.__name__)
def test_what_cannot_be_opened_is_saved(
    sound: Sound, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(damage(sound.data))
    refused = quick("list", "--json", db=path)
    assert (refused.status, "quaid rescue" in refused.error["hint"]) == (6, True)
    told = rescued(path)
    assert told["pages"] >= COUNT // 3
    assert quick("get", "page-1", db=new_memory(path)).status == 0
    assert quick("validate", "--json", db=path).error["hint"] == refused.error["hint"]


def test_what_is_no_memory_has_nothing_to_save(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(b"no database at all\n" * 900)
    ran = quick("rescue", tmp_path / "out", "--json", db=path)
    assert (ran.status, ran.error["code"]) == (6, "corrupt")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("version", sorted(each.name for each in DATABASES.glob("v*.db")))
def test_a_memory_of_an_older_quaid(tmp_path: Path, version: str) -> None:
    path = tmp_path / "memory.db"
    shutil.copy(DATABASES / version, path)
    told = rescued(path)
    assert told["pages"] == told["rows"]["pages"] - quarantined(path) > 0
    upgraded = quick("digest", "--json", db=path).json["digest"]
    assert digest(new_memory(path)) == upgraded


def quarantined(path: Path) -> int:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    (found,) = connection.execute("SELECT count(*) FROM pages WHERE quarantined_at IS NOT NULL")
    connection.close()
    return int(found[0])


def derived_places(sound: Sound) -> list[tuple[str, str]]:
    """Tables, indexes and parts of word indexes that can be made from the rest."""
    tables = sound.rows.keys()
    return [
        (name, kind)
        for name, kind in sorted(sound.pages)
        if (name in DERIVED or "_fts_" in name or name not in tables) and name != "sqlite_schema"
    ]


def mended(ran: Ran, path: Path, sound: Sound) -> None:
    assert ran.status == 0, ran
    assert digest(path) == sound.digest
    assert not quick("validate", "--all", "--json", db=path).json["findings"]
    assert len(quick("search", "walrus", "--limit", "99", "--json", db=path).json["results"]) == COUNT


@lengths("share", 30, 1)
@pytest.mark.parametrize("way", [("validate", "--all", "--repair"), ("rebuild",)], ids=lambda each: each[0])
def test_what_is_derived_is_made_anew(sound: Sound, tmp_path: Path, way: tuple[str, ...], share: int) -> None:
    for place, (name, kind) in enumerate(derived_places(sound)):
        if place % share != (0 if way[0] == "rebuild" else share // 2):
            continue
        number = random.Random(name).choice(sound.pages[name, kind])
        damaged = sound.without(number, random.Random(name).randbytes(SIZE))
        folder = tmp_path / str(place)
        folder.mkdir()
        path = folder / "memory.db"
        path.write_bytes(damaged)
        found = quick("validate", "--all", "--json", db=path)
        assert found.status == 11, (name, kind, found)
        mended(quick(*way, "--json", db=path), path, sound)
        kept = folder / "memory.db.damaged"
        assert kept.read_bytes() == damaged, (name, kind)


def test_checks_go_on_where_one_cannot_run(sound: Sound, tmp_path: Path) -> None:
    data = sound.without(sound.pages["config", "leaf"][0])
    for table in ("links", "tags"):
        start = (sound.pages[table, "leaf"][0] - 1) * SIZE
        data = data[:start] + bytes(SIZE) + data[start + SIZE :]
    path = tmp_path / "memory.db"
    path.write_bytes(data)
    report = quick("validate", "--all", "--json", db=path)
    assert report.status == 11, report
    findings = report.json["findings"]
    assert {"database", "pages", "links"} <= {each["check"] for each in findings}
    assert all(each["repair"] for each in findings)
    assert quick("get", "page-1", "--json", db=path).error["code"] == "corrupt"
