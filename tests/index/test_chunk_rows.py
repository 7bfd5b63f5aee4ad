"""The chunks in the memory are always those of the pages' texts, and their words are found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quaid.app import App
from quaid.formats.content import read_page
from quaid.index import chunk_rows
from quaid.index.chunks import RULES, chunks_of
from tests.support import call, examples

PAGE = "# Alice\n\nIntro.\n\n## Work\n\nBuilds sensors.\n\n## Life\n\nLives at the harbour.\n"
ENTRIES = "\n---\n\n## Timeline\n\n- **2024-03-12** — Joined the board.\n"


def rows(app: App, slug: str) -> list[tuple[Any, ...]]:
    sql = """SELECT c.id, kind, heading, date, start, length, line_start, line_end, hash FROM chunks c
             JOIN live_pages p ON p.id = c.page_id WHERE slug = ? ORDER BY ordinal"""
    return list(app.connection.execute(sql, (slug,)))


def ids(app: App, slug: str) -> dict[str, int]:
    """The chunk of each heading or date."""
    return {row[3] or row[2]: row[0] for row in rows(app, slug)}


def in_step(app: App) -> None:
    """The chunks are those of the texts, in their order; no other page has any; the word index knows them."""
    for page_id, slug in app.connection.execute("SELECT id, slug FROM live_pages").fetchall():
        text = call(app, "get", slug=slug)["content"]
        made = chunks_of(read_page(text, slug))
        expected = [
            (c.kind, c.heading, c.date, c.start, c.length, c.line_start, c.line_end, c.hash) for c in made
        ]
        assert [row[1:] for row in rows(app, slug)] == expected
        sql = "SELECT ordinal FROM chunks WHERE page_id = ? ORDER BY ordinal"
        assert [row[0] for row in app.connection.execute(sql, (page_id,))] == list(range(len(expected)))
    strays = "SELECT count(*) FROM chunks WHERE page_id NOT IN (SELECT id FROM live_pages)"
    assert app.connection.execute(strays).fetchone() == (0,)
    indexed = {row[0] for row in app.connection.execute("SELECT id FROM chunk_fts_docsize")}
    assert indexed == {row[0] for row in app.connection.execute("SELECT id FROM chunks")}


def by_words(app: App, words: str) -> list[str]:
    """Slug and heading of the chunks with these words."""
    sql = """SELECT p.slug || '#' || c.heading FROM chunk_fts f JOIN chunks c ON c.id = f.rowid
             JOIN pages p ON p.id = c.page_id WHERE chunk_fts MATCH ? ORDER BY 1"""
    return [row[0] for row in app.connection.execute(sql, (words,))]


def test_in_step_through_the_life_of_a_page(app: App) -> None:
    call(app, "put", slug="people/alice", content=PAGE)
    in_step(app)
    assert len(rows(app, "people/alice")) == 3
    call(app, "put", slug="people/alice", content=PAGE + ENTRIES)
    in_step(app)
    call(app, "timeline-add", slug="people/alice", date="2024-05-01", summary="Left the board.")
    in_step(app)
    assert "2024-05-01" in ids(app, "people/alice")
    call(app, "tag", slug="people/alice", tag="founder")
    in_step(app)
    call(app, "mv", slug="people/alice", to="people/alice-example")
    in_step(app)
    call(app, "rm", slug="people/alice-example")
    in_step(app)
    assert by_words(app, "sensors") == []
    call(app, "restore", slug="people/alice-example")
    in_step(app)
    assert by_words(app, "sensors") == ["people/alice-example#Work"]


def test_a_title_that_is_the_slug_changes_with_it(app: App) -> None:
    """A moved page is embedded with its new name, so its chunks are other texts."""
    call(app, "put", slug="notes/red-fox", content="Just text.\n")
    call(app, "mv", slug="notes/red-fox", to="notes/grey-wolf")
    in_step(app)
    assert by_words(app, "wolf") == ["notes/grey-wolf#"]
    assert by_words(app, "fox") == []


def test_a_moved_target_changes_the_text_of_others(app: App) -> None:
    call(app, "put", slug="people/bob", content="# Bob\n")
    call(app, "put", slug="notes/a", content="# A\n\nAsk [[people/bob]].\n")
    call(app, "mv", slug="people/bob", to="people/robert")
    in_step(app)
    assert by_words(app, "robert") == ["notes/a#"]


def test_unchanged_chunks_keep_their_rows(app: App) -> None:
    call(app, "put", slug="a", content=PAGE + ENTRIES)
    before = ids(app, "a")
    call(app, "put", slug="a", content=PAGE.replace("harbour.\n", "coast.\n") + ENTRIES)
    after = ids(app, "a")
    assert {heading for heading in before if before[heading] == after[heading]} >= {"", "Work"}
    assert before["Life"] != after["Life"]
    in_step(app)
    call(app, "put", slug="a", content=call(app, "get", slug="a")["content"])
    assert ids(app, "a") == after


def test_what_moves_down_the_page_is_placed_anew(app: App) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "put", slug="a", content=PAGE.replace("Intro.", "Intro.\n\nAnd more of it."))
    in_step(app)
    call(app, "put", slug="a", content="## Life\n\nLives at the harbour.\n\n## Work\n\nBuilds sensors.\n")
    in_step(app)
    call(app, "put", slug="a", content="---\ntitle: Nothing\n---\n")
    in_step(app)
    assert len(rows(app, "a")) == 1, "a page without text is its title"


def test_words_of_sections_are_found_and_forgotten(app: App) -> None:
    call(app, "put", slug="a", content=PAGE)
    assert by_words(app, "sensor") == ["a#Work"]
    assert by_words(app, "alice") == ["a#", "a#Life", "a#Work"], "the title stands with every section"
    assert by_words(app, "life") == ["a#Life"]
    call(app, "put", slug="a", content=PAGE.replace("sensors", "walls"))
    assert by_words(app, "sensor") == []
    assert by_words(app, "wall") == ["a#Work"]
    call(app, "rm", slug="a")
    assert by_words(app, "wall OR alice") == []


@pytest.mark.parametrize(
    "page",
    [
        "# Tt\n\nsome\n\n# {}\n\ntext\n",
        "---\ntitle: Tt\n---\n# {}\n\ntext\n",
        "# Tt\n\n## {}\n\n## B\n\ntext\n",
        "---\ntitle: {}\n---\n## B\n\ntext\n",
        "# {}\n\ntext\n",
        "# Tt\n\n## {}\n\ntext\n",
        "# Tt\n\n### {}\n\ntext\n",
    ],
)
def test_a_heading_of_the_same_length_is_another_heading(app: App, page: str) -> None:
    call(app, "put", slug="a", content=page.format("Foo"))
    call(app, "put", slug="a", content=page.format("Bar"))
    assert by_words(app, "foo") == []
    assert by_words(app, "bar")


def test_chinese_sections(app: App) -> None:
    call(app, "put", slug="a", content="# 人工智能\n\n## 分支\n\n机器学习是一个分支。\n")
    assert by_words(app, '"机器"') == ["a#分支"]
    call(app, "rm", slug="a")
    assert by_words(app, '"机器"') == []


def test_chunks_by_older_rules_are_made_anew(app: App) -> None:
    """A memory that was written before, or by another version, is cut when it is first needed."""
    for name in "abc":
        call(app, "put", slug=name, content=PAGE)
    with app.store.write() as connection:
        connection.execute("UPDATE pages SET chunked_by = ?", (RULES - 1,))
        connection.execute("DELETE FROM chunks WHERE page_id = 1")
        connection.execute("UPDATE chunks SET length = 1, hash = x'00' WHERE page_id = 2")
    assert chunk_rows.chunk_pages(app.store) == 3
    in_step(app)
    assert chunk_rows.chunk_pages(app.store) == 0


def test_a_question_cuts_few_pages_says_so_and_finds_the_others_by_words(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_rows, "WHILE_ASKED", 2)
    for number in range(5):
        call(app, "put", slug=f"p-{number}", content=f"# Page {number}\n\nThe harbour of word{number}.\n")
    with app.store.write() as connection:
        connection.execute("DELETE FROM chunks")
        connection.execute("UPDATE pages SET chunked_by = 0")
    for left, word in ((3, "word4"), (1, "word3"), (0, "word0")):
        answer = call(app, "query", question=f"What is {word}?")
        assert answer["results"][0]["slug"] == f"p-{word[-1]}"
        said = [each for each in answer["notices"] if "yet to be cut into sections" in each]
        assert [each.split()[0] for each in said] == ([str(left)] if left else [])
    in_step(app)


def test_a_removed_page_is_not_cut(app: App) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "rm", slug="a")
    assert chunk_rows.chunk_pages(app.store) == 0
    in_step(app)


def test_validate_finds_and_mends_chunks(app: App) -> None:
    call(app, "put", slug="a", content=PAGE)
    with app.store.write() as connection:
        connection.execute("DELETE FROM chunk_fts WHERE rowid = 2")
    assert call(app, "validate", all=True)["findings"]
    call(app, "validate", all=True, repair=True)
    chunk_rows.chunk_pages(app.store)
    in_step(app)
    assert not call(app, "validate", all=True)["findings"]


SECTIONS = st.lists(
    st.sampled_from(
        ["## A\n\na\n\n", "## B\n\nb\n\n", "text\n\n", "# H\n\n", "## A\n\nother\n\n", "w " * 700]
    ),
    max_size=6,
)


@examples(30, 300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(versions=st.lists(SECTIONS, min_size=2, max_size=4), dated=st.booleans())
def test_in_step_after_any_edits(app: App, versions: list[list[str]], dated: bool) -> None:
    for sections in versions:
        call(app, "put", slug="a", content=".\n\n" + "".join(sections) + (ENTRIES if dated else ""))
        in_step(app)
