"""What the database itself refuses, whoever writes to it."""

from __future__ import annotations

import apsw
import pytest

from quaid.app import App
from quaid.store.keys import name_key
from tests.support import call

PAGE = """INSERT INTO pages
    (slug, type, title, created_at, updated_at, truth_changed_at, timeline_changed_at{more}) """
LINK = "INSERT INTO links (from_page_id, target, target_name, source, created_at{more}) "
CLAIM = """INSERT INTO assertions
    (page_id, subject, predicate, object, subject_name, object_name, created_at{more}) """
GAP = "INSERT INTO knowledge_gaps (query_hash, detected_at{more}) "


def page(more: str = "", values: str = "", slug: str = "b") -> str:
    return PAGE.format(more=more) + f"VALUES ('{slug}', 'concept', 'T', 'n', 'n', 'n', 'n'{values})"


def link(more: str, values: str) -> str:
    return LINK.format(more=more) + f"VALUES (1, 'x', 1, 0, 'n'{values})"


def claim(more: str, values: str) -> str:
    return CLAIM.format(more=more) + f"VALUES (1, 's', 'p', 'o', 's', 'o', 'n'{values})"


@pytest.fixture
def connection(app: App) -> apsw.Connection:
    call(app, "put", slug="a", content="# A\n")
    return app.connection


@pytest.mark.parametrize(
    "statement",
    [
        page(slug="a"),
        page(", version", ", 0"),
        page(", collection_id", ", 99"),
        "INSERT INTO collections (name) VALUES ('default')",
        "INSERT INTO collections (name, kind) VALUES ('files', 'files')",
        "INSERT INTO collections (name, root) VALUES ('native', '/somewhere')",
        "INSERT INTO collections (name, state) VALUES ('x', 'asleep')",
        "INSERT INTO tags (page_id, tag) VALUES (1, '')",
        "INSERT INTO tags (page_id, tag) VALUES (99, 'x')",
        "INSERT INTO tags (page_id, tag) VALUES (1, 'x'), (1, 'X')",
        link(", valid_from, valid_until", ", '2024-02-01', '2024-01-01'"),
        link(", type", ", ''"),
        LINK.format(more="") + "VALUES (1, 'x', 1, 3, 'n')",
        LINK.format(more="") + "VALUES (99, 'x', 1, 0, 'n')",
        claim(", valid_from, valid_until", ", '2024-02-01', '2024-01-01'"),
        claim(", confidence", ", 1.5"),
        claim(", asserted_by", ", 'rumour'"),
        claim(", supersedes_id", ", 99"),
        "INSERT INTO raw_data (page_id, source, data, fetched_at) VALUES (1, 's', 'no json', 'n')",
        "INSERT INTO raw_data (page_id, source, data, fetched_at) VALUES (1, '', '{}', 'n')",
        GAP.format(more=", query_text") + "VALUES ('h', 'n', 'a secret question')",
        GAP.format(more=", sensitivity") + "VALUES ('h', 'n', 'external')",
        GAP.format(more=", sensitivity, approved_by, approved_at")
        + "VALUES ('h', 'n', 'redacted', 'me', 'n')",
        "INSERT INTO embedding_models (name, dimensions, active, created_at) "
        "VALUES ('a', 3, 1, 'n'), ('b', 3, 1, 'n')",
        "INSERT INTO timeline_entries (page_id, date, summary, summary_hash) "
        "VALUES (1, 'd', 's', 'h'), (1, 'd', 's', 'h')",
        "INSERT INTO raw_imports (page_id, import_id, content_hash, raw_bytes, file_path, created_at) "
        "VALUES (1, 'i', 'h', x'00', 'f', 'n'), (1, 'j', 'h', x'00', 'f', 'n')",
    ],
)
def test_what_must_not_be_is_refused(connection: apsw.Connection, statement: str) -> None:
    with pytest.raises(apsw.ConstraintError):
        connection.execute(statement)


def test_the_statements_above_fail_for_their_reason_alone(connection: apsw.Connection) -> None:
    for statement in (page(), link("", ""), claim("", ""), GAP.format(more="") + "VALUES ('h', 'n')"):
        connection.execute(statement)
    connection.execute(
        GAP.format(more=", query_text, approved_by, approved_at") + "VALUES ('h', 'n', 'q', 'me', 'n')"
    )


def test_a_slug_is_free_again_when_its_page_is_removed(connection: apsw.Connection) -> None:
    connection.execute("UPDATE pages SET quarantined_at = 'n'")
    connection.execute(page(slug="a"))
    with pytest.raises(apsw.ConstraintError):
        connection.execute("UPDATE pages SET quarantined_at = NULL")


def test_what_belongs_to_a_page_goes_with_it(app: App) -> None:
    call(app, "put", slug="a", content="---\ntags: [x]\nlinks: [b]\n---\n[[b]]\n\n---\n\n- 2024-01-01 — Z\n")
    call(app, "put", slug="b", content="[[a]]\n")
    call(app, "raw", slug="a", source="s", data={"k": 1})
    with app.store.write() as connection:
        connection.execute("DELETE FROM pages WHERE slug = 'a'")
    named = f"page_names WHERE name = {name_key('a')}"
    for table in ("tags", "timeline_entries", "raw_data", named):
        assert app.connection.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]
    assert list(app.connection.execute("SELECT target, to_page_id FROM links")) == [("a", None)]
    assert not call(app, "validate", all=True)["findings"]
