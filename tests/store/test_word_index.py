"""The word index says at every moment what the readable pages say."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from tests.support import call, examples, found, open_memory, tolerating


def test_words_come_and_go_with_the_text(app: App) -> None:
    call(app, "put", slug="a", content="# Alpha\n\nwalrus\n")
    assert found(app, "walrus") == ["a"]
    call(app, "put", slug="a", content="# Alpha\n\npenguin\n")
    assert found(app, "walrus") == []
    assert found(app, "penguin") == ["a"]
    call(app, "rm", slug="a")
    assert found(app, "penguin") == found(app, "alpha") == []
    call(app, "restore", slug="a")
    assert found(app, "penguin") == ["a"]
    with app.store.write() as connection:
        connection.execute("DELETE FROM pages")
    assert found(app, "penguin") == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("# Walrus\n", "walrus"),
        ("---\ntitle: Walrus\n---\nx\n", "walrus"),
        ("---\naliases: [Odobenus]\n---\nx\n", "odobenus"),
        ("---\ntags: [pinniped]\n---\nx\n", "pinniped"),
        ("---\nsummary: Lives on ice\n---\nx\n", "ice"),
        ("x\n\n---\n\n- 2024-01-01 — Swam away\n", "swam"),
        ("The walruses were swimming\n", "walrus swim"),
        ("Ein Müller aus Zürich\n", "muller zurich"),
        ("机器学习很有意思\n", "学习"),
        ("東京都の天気\n", "天気"),
        ("데이터베이스 설계\n", "베이스"),
        ("Written in C++ and F#\n", "c++"),
        ("Mr O'Brien came\n", "O'Brien"),
    ],
)
def test_every_part_of_a_page_is_found(app: App, text: str, query: str) -> None:
    call(app, "put", slug="dir/p-1", content=text)
    call(app, "put", slug="dir/p-2", content="Something else entirely\n")
    assert found(app, query) == ["dir/p-1"]
    call(app, "rm", slug="dir/p-1")
    assert found(app, query) == []


def test_a_slug_is_found_by_its_words_and_changes_with_a_move(app: App) -> None:
    call(app, "put", slug="people/walrus-keeper", content="x\n")
    assert found(app, "keeper") == ["people/walrus-keeper"]
    call(app, "mv", slug="people/walrus-keeper", to="people/zoo-warden")
    assert found(app, "keeper") == []
    assert found(app, "warden") == ["people/zoo-warden"]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "rm", "restore", "mv", "tag"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(
            ["walrus", "# Penguin", "---\ntags: [ice]\n---\n学习", "é\0 x", "x\n\n---\n\n- 2024-01-01 — Y"]
        ),
    ),
    max_size=15,
)


@examples(15, 150)
@given(steps=STEPS)
def test_any_history_leaves_a_sound_memory(steps: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as directory:
        app = open_memory(Path(directory) / "m.db")
        for name, slug, text in steps:
            values = {"put": {"content": text}, "mv": {"to": slug + "-2"}, "tag": {"tag": "x"}}.get(name, {})
            with tolerating("not_found", "conflict"):
                call(app, name, slug=slug, **values)
        assert not call(app, "validate", all=True)["findings"]
        app.store.close()


def test_a_section_that_reads_the_same_is_found_by_its_new_letters(app: App) -> None:
    call(app, "put", slug="a", content="# A\n\nSee [the page](https://example.org/walrus).\n")
    call(app, "put", slug="a", content="# A\n\nSee [the page](https://example.org/dugong).\n")
    assert not call(app, "validate", all=True)["findings"]
