"""The database is not above the file: what memory.db says wrongly never reaches one, and is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from quaid.app import App
from quaid.errors import Corrupt, NotFound, QuaidError
from tests.support import call, found
from tests.vault.support import NAME, Vault, vault_of

TEXT = """---
aliases: [Ay]
tags: [old]
links: [{to: b, relationship: knows}]
assertions: [{subject: A, predicate: is, object: B}]
---
# Alpha

The walrus sleeps. [[b]]

---

- 2024-01-01 — Met
"""
SLUG = f"{NAME}::a"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = vault_of(tmp_path, {"a.md": TEXT, "b.md": "# B\n"})
    yield made
    made.close()


def damage(app: App, sql: str) -> None:
    """Change the memory as a failing disk does: nothing else learns of it."""
    connection = app.connection
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute(sql)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)


TEXT_DAMAGE = {
    "one character": "UPDATE pages SET packed = replace(whole(packed), 'Met', 'Wet') WHERE slug = 'a'",
    "no text any more": "UPDATE pages SET packed = CAST(x'ff41' AS TEXT) WHERE slug = 'a'",
    "frontmatter": "UPDATE pages SET packed = replace(whole(packed), 'old', 'odd') WHERE slug = 'a'",
    "a byte of what is packed": """UPDATE pages SET
        packed = CAST(substr(packed, 1, 30) || x'00' || substr(packed, 32) AS BLOB) WHERE slug = 'a'""",
    "half of what is packed": """UPDATE pages SET
        packed = substr(packed, 1, length(packed) / 2) WHERE slug = 'a'""",
    "nothing of it": "UPDATE pages SET packed = x'' WHERE slug = 'a'",
    "encoding": "UPDATE pages SET encoding = 'utf-9' WHERE slug = 'a'",
}


@pytest.mark.parametrize("name", TEXT_DAMAGE)
def test_a_damaged_row_is_found_and_the_file_wins(vault: Vault, name: str) -> None:
    damage(vault.app, TEXT_DAMAGE[name])
    findings = call(vault.app, "validate")["findings"]
    assert [(each["check"], each["repairable"]) for each in findings if each["check"] == "texts"] == [
        ("texts", True)
    ]
    call(vault.app, "tag", slug=SLUG, tag="new")
    wanted = TEXT.replace("tags: [old]", "tags: [old, new]")
    assert (vault.root / "a.md").read_bytes() == wanted.encode()
    assert not vault.findings()
    assert found(vault.app, "walrus") == ["a"]
    assert all(
        b"Wet" not in bytes(data) for (data,) in vault.app.connection.execute("SELECT bytes FROM history")
    )


@pytest.mark.parametrize("way", ["sync", "rebuild", "repair"])
@pytest.mark.parametrize("name", TEXT_DAMAGE)
def test_a_damaged_row_is_made_anew_from_the_file(vault: Vault, name: str, way: str) -> None:
    before = vault.digest()
    damage(vault.app, TEXT_DAMAGE[name])
    if way == "sync":
        vault.sync(thorough=True)
    elif way == "rebuild":
        call(vault.app, "rebuild")
    else:
        assert not call(vault.app, "validate", all=True, repair=True)["findings"]
    assert not vault.findings()
    assert vault.digest() == before
    assert vault.versions()["a.md"] >= 1


DERIVED_DAMAGE = {
    "slug": "UPDATE pages SET slug = 'q' WHERE slug = 'a'",
    "path": "UPDATE pages SET path = 'q.md' WHERE slug = 'a'",
    "state of the file": "UPDATE file_state SET content_hash = unhex(replace(hex(content_hash), 'A', 'B'))",
    "page of the file": "UPDATE file_state SET page_id = 3 - page_id",
    "folded target": "UPDATE links SET target_name = 7 WHERE relationship = 'knows'",
    "end of a link": "UPDATE links SET to_page_id = from_page_id",
    "folded subject": "UPDATE assertions SET subject_name = 'q'",
    "key of a subject": "UPDATE assertions SET subject_key = 7",
    "a name": "UPDATE page_names SET name = 7 WHERE alias = 'ay'",
    "an alias": "UPDATE page_names SET alias = 'q' WHERE alias = 'ay'",
    "a chunk": "UPDATE chunks SET start = start + 1",
    "hash of a summary": "UPDATE timeline_entries SET summary_hash = 'q'",
    "a name that is no text": "UPDATE links SET context = CAST(x'ff' AS TEXT)",
    "frontmatter as JSON": "UPDATE pages SET frontmatter = '{' WHERE slug = 'a'",
    "words of sections": "DELETE FROM chunk_fts WHERE rowid = (SELECT min(id) FROM chunks)",
    "words of pages": "DELETE FROM page_fts_data WHERE id > 10",
    "where the timeline begins": "UPDATE pages SET timeline_start = 3 WHERE slug = 'a'",
    "chain of facts": "UPDATE assertions SET supersedes_id = id",
}


@pytest.mark.parametrize("name", DERIVED_DAMAGE)
def test_what_is_derived_is_compared_and_made_anew(vault: Vault, name: str) -> None:
    before = vault.digest()
    damage(vault.app, DERIVED_DAMAGE[name])
    findings = vault.findings()
    assert findings, name
    assert not any("stopped" in each["message"] for each in findings if each["repairable"])
    try:
        call(vault.app, "tag", slug=SLUG, tag="new")
    except (Corrupt, NotFound):
        assert vault.files()["a.md"] == TEXT.encode()
    else:
        call(vault.app, "untag", slug=SLUG, tag="new")
        assert vault.files()["a.md"] == TEXT.encode()
    call(vault.app, "validate", all=True, repair=True)
    assert not vault.findings(), vault.findings()
    assert vault.digest() == before
    assert sorted(vault.files()) == ["a.md", "b.md"]


def test_a_damaged_page_of_the_memory_is_not_edited(vault: Vault) -> None:
    app = vault.app
    call(app, "put", slug="native", content="# Native\n\nThe walrus sleeps.\n")
    call(app, "tag", slug="native", tag="one")
    damage(app, "UPDATE pages SET packed = replace(whole(packed), 'walrus', 'walnut')")
    for operation, values in (
        ("tag", {"tag": "two"}),
        ("timeline-add", {"date": "2026-01-01", "summary": "x"}),
        ("put", {"content": "# Native\n\nThe walnut sleeps. More.\n"}),
        ("mv", {"to": "other"}),
    ):
        with pytest.raises(Corrupt) as refused:
            call(app, operation, slug="native", **values)
        assert "quaid revert native" in refused.value.hint
    assert call(app, "rebuild")["damaged"] == ["native"]
    assert [
        each["repairable"] for each in call(app, "validate")["findings"] if "native" in each["message"]
    ] == [False]
    call(app, "revert", slug="native")
    assert "walrus" in call(app, "get", slug="native")["content"]
    assert not call(app, "validate")["findings"]


def test_a_damaged_page_can_be_written_whole_by_who_has_seen_it(vault: Vault) -> None:
    app = vault.app
    call(app, "put", slug="native", content="The walrus sleeps.\n")
    damage(app, "UPDATE pages SET packed = 'The walnut sleeps.\n' WHERE slug = 'native'")
    call(app, "put", slug="native", content="The walrus sleeps!\n", expected_version=1)
    assert not call(app, "validate")["findings"]


SILENT = {
    "an earlier version": "UPDATE history SET bytes = replace(bytes, 'walrus', 'walnut')",
    "raw data": """UPDATE raw_data SET data = '{"x": 2}'""",
    "a removed page": "UPDATE pages SET packed = 'other' WHERE quarantined_at IS NOT NULL",
}


@pytest.mark.parametrize("name", SILENT)
def test_what_no_file_has_is_sealed_too(vault: Vault, name: str) -> None:
    app = vault.app
    call(app, "put", slug="native", content="The walrus sleeps.\n")
    call(app, "tag", slug="native", tag="one")
    call(app, "raw", slug="native", source="s", data={"x": 1})
    call(app, "put", slug="gone", content="The seal swims.\n")
    call(app, "rm", slug="gone")
    assert not call(app, "validate")["findings"]
    damage(app, SILENT[name])
    assert [each["check"] for each in call(app, "validate")["findings"]] == ["texts"]
    if name == "an earlier version":
        with pytest.raises(QuaidError):
            call(app, "revert", slug="native", to=1)
    if name == "a removed page":
        with pytest.raises(Corrupt):
            call(app, "restore", slug="gone")


@pytest.mark.parametrize(
    "table", ["page_names", "chunks", "tags", "history", "file_state", "raw_imports", "turns"]
)
def test_a_check_that_cannot_run_is_a_finding(vault: Vault, table: str) -> None:
    vault.app.connection.execute("PRAGMA foreign_keys = OFF")
    vault.app.connection.execute(f"DROP TABLE {table}")
    findings: list[dict[str, Any]] = vault.findings()
    assert any(table in each["message"] for each in findings)
    assert all(each["repair"] for each in findings)
    assert {each["check"] for each in findings} >= {"database"}
