"""Files that are no memory, or no longer: one clear error, and the file stays as it is."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from quaid.app import App
from tests.support import call, quick

READS = (("get", "page-3"), ("list",), ("search", "walrus"), ("stats",))


@pytest.fixture
def closed(app: App, db: Path) -> Path:
    """A memory of forty pages, in one file."""
    with app.store.write():
        for number in range(40):
            call(
                app,
                "put",
                slug=f"page-{number}",
                content=f"# Page {number}\n\nwalrus {'word ' * 400}[[page-3]]\n",
            )
    call(app, "compact")
    app.store.close()
    assert [file.name for file in db.parent.iterdir() if file.name.startswith("memory")] == ["memory.db"]
    return db


def refused(path: Path, *words: str) -> None:
    before = path.read_bytes()
    ran = quick(*words, "--json", db=path)
    assert (ran.status, ran.error["code"], ran.out) == (6, "corrupt", ""), words
    assert ran.error["hint"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("words", READS)
@pytest.mark.parametrize(
    "content", [b"no database at all\n" * 300, b"\x00" * 8192, b"SQLite format 3\x00" + b"\x07" * 90]
)
def test_not_a_database(tmp_path: Path, content: bytes, words: tuple[str, ...]) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    refused(path, *words)


@pytest.mark.parametrize("words", [("get", "a"), ("put", "a"), ("validate",), ("compact",)])
def test_an_empty_file_is_no_memory(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "empty.db").touch()
    refused(tmp_path / "empty.db", *words)


@pytest.mark.parametrize(
    "words", [("get", "a"), ("list",), ("put", "a"), ("validate", "--repair"), ("compact",)]
)
def test_a_database_of_something_else(tmp_path: Path, words: tuple[str, ...]) -> None:
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE pages (slug)")
    connection.close()
    refused(foreign, *words)


def test_init_does_not_touch_a_database_of_something_else(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE pages (slug)")
    connection.close()
    before = foreign.read_bytes()
    ran = quick("init", foreign, "--json")
    assert (ran.status, ran.error["code"]) == (2, "invalid_input")
    assert foreign.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["foreign.db"]


def test_init_does_not_touch_what_is_not_a_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(b"My notes, which I called .db\n" * 99)
    refused(path, "init", str(path))


@pytest.mark.parametrize("words", READS)
def test_a_truncated_memory(closed: Path, words: tuple[str, ...]) -> None:
    closed.write_bytes(closed.read_bytes()[: 3 * 4096])
    refused(closed, *words)


@pytest.mark.parametrize("words", READS)
def test_random_bytes_over_all_but_the_first_page(closed: Path, words: tuple[str, ...]) -> None:
    content = closed.read_bytes()
    closed.write_bytes(content[:4096] + random.Random(1).randbytes(len(content) - 4096))
    refused(closed, *words)


@pytest.mark.parametrize("seed", range(6))
def test_random_bytes_in_the_middle_are_noticed_by_validate(closed: Path, seed: int) -> None:
    content = bytearray(closed.read_bytes())
    rng = random.Random(seed)
    start = 4096 * rng.randrange(2, len(content) // 4096 - 4)
    content[start : start + 8192] = rng.randbytes(8192)
    closed.write_bytes(content)
    ran = quick("validate", "--all", "--json", db=closed)
    assert ran.status in (6, 11), ran
    assert ran.error["code"] == "corrupt" if ran.status == 6 else ran.json["findings"]
    for words in READS:
        other = quick(*words, "--json", db=closed)
        assert other.status in (0, 3, 6), other


def test_a_word_index_out_of_step_is_found_and_repaired(app: App, db: Path) -> None:
    call(app, "put", slug="a", content="walrus\n")
    app.connection.execute("DELETE FROM page_fts WHERE rowid = 1")
    ran = quick("validate", "--json", db=db)
    assert (ran.status, [each["check"] for each in ran.json["findings"]]) == (11, ["words"])
    assert "--repair" in quick("validate", db=db).out
    repaired = quick("validate", "--repair", "--json", db=db)
    assert (repaired.status, repaired.json["repaired"]) == (0, 1)
    assert "**walrus**" in quick("search", "walrus", db=db).out


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM tags", "tags"),
        ("DELETE FROM timeline_entries", "timeline"),
        ("DELETE FROM links", "links"),
        ("DELETE FROM assertions", "assertions"),
        ("DELETE FROM page_names WHERE kind = 3", "names"),
        ("UPDATE pages SET title = 'Other'", "fields"),
        ("UPDATE pages SET summary = 'Other'", "fields"),
    ],
)
def test_rows_out_of_step_with_the_text_are_found_and_repaired(app: App, damage: str, check: str) -> None:
    text = """---
title: A
aliases: [Ay]
tags: [x]
links: [{to: b, relationship: knows}]
assertions: [{subject: A, predicate: is, object: B}]
---
Text

---

- 2024-01-01 — Z
"""
    call(app, "put", slug="a", content=text)
    before = call(app, "get", slug="a")
    app.connection.execute(damage)
    findings = call(app, "validate", all=True)["findings"]
    assert [check in each["message"] for each in findings if each["check"] == "pages"] == [True]
    assert not call(app, "validate", all=True, repair=True)["findings"]
    assert call(app, "get", slug="a") == before
    assert call(app, "links", slug="a")["links"][0]["relationship"] == "knows"


def test_a_link_to_a_removed_page_is_found_and_repaired(app: App) -> None:
    call(app, "put", slug="a", content="[[b]]\n")
    call(app, "put", slug="b", content="x\n")
    call(app, "rm", slug="b")
    app.connection.execute("UPDATE links SET to_page_id = (SELECT id FROM pages WHERE slug = 'b')")
    assert [each["check"] for each in call(app, "validate", links=True)["findings"]] == ["links"]
    assert not call(app, "validate", links=True, repair=True)["findings"]
    assert app.connection.execute("SELECT to_page_id FROM links").fetchall() == [(None,)]


def test_overlapping_links_that_a_person_wrote_are_found(app: App) -> None:
    text = """---
links:
  - {to: b, relationship: works_at, valid_from: 2020-01-01}
  - {to: b, relationship: works_at, valid_from: 2021-01-01, valid_until: 2022-01-01}
  - {to: c, relationship: works_at, valid_from: 2020-01-01, valid_until: 2021-01-01}
  - {to: c, relationship: works_at, valid_from: 2021-01-01}
---
"""
    call(app, "put", slug="a", content=text)
    findings = call(app, "validate", links=True)["findings"]
    assert ["works_at b" in each["message"] for each in findings] == [True]
    assert "link-close" in findings[0]["repair"]


def test_doubled_assertions_and_broken_chains_are_found(app: App) -> None:
    claim = "{subject: A, predicate: is, object: B}"
    call(app, "put", slug="a", content=f"---\nassertions: [{claim}, {claim}]\n---\n")
    app.connection.execute("UPDATE assertions SET supersedes_id = 3 - id")
    messages = [each["message"] for each in call(app, "validate", assertions=True)["findings"]]
    assert [
        word for word in ("2 times", "has no end", "supersedes itself") if any(word in m for m in messages)
    ] == [
        "2 times",
        "has no end",
        "supersedes itself",
    ]
