"""Search by words: any text is a query, the best page comes first, the matched words are marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from tests.support import Clock, call, examples, found, quick

PAGES = {
    "people/alice": "---\ntags: [founder]\n---\n# Alice Example\n\nBuilds river sensors in Rust.\n",
    "companies/river": "# River\n\nA company. Alice works here.\n",
    "concepts/sensor": "# Sensor\n\nA sensor measures. A river is measured by sensors made in C++.\n",
    "concepts/cjk": "# 机器学习\n\n机器学习是人工智能的一个分支。\n",
    "notes/obrien": 'Mr O\'Brien said: "NEAR AND OR NOT" (100%) — café 🦭.\n',
}


@pytest.fixture
def library(app: App) -> App:
    with app.store.write():
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
    return app


def test_title_before_text(library: App) -> None:
    assert found(library, "river")[0] == "companies/river"
    assert set(found(library, "river")) == {"companies/river", "people/alice", "concepts/sensor"}


def test_pages_with_every_word_come_first(library: App) -> None:
    results = call(library, "search", query="alice river company")["results"]
    assert results[0]["slug"] == "companies/river"
    assert [match["every_word"] for match in results] == [True] + [False] * (len(results) - 1)
    assert len(results) > 1


def test_what_has_a_word_has_every_word_but_of_a_script_without_spaces(library: App) -> None:
    """A run of such a script is one word that was typed, and several that are looked for."""
    assert all(match["every_word"] for match in call(library, "search", query="river")["results"])
    (match,) = call(library, "search", query="智能机器")["results"]
    assert (match["slug"], match["every_word"]) == ("concepts/cjk", False)


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ('"river sensors"', ["people/alice"]),
        ('"sensors river"', []),
        ("measur*", ["concepts/sensor"]),
        ("measured", ["concepts/sensor"]),
        ("river -company", ["concepts/sensor", "people/alice"]),
        ("O'Brien", ["notes/obrien"]),
        ("cafe", ["notes/obrien"]),
        ("CAFÉ", ["notes/obrien"]),
        ("学习", ["concepts/cjk"]),
        ("人工智能", ["concepts/cjk"]),
        ("学", ["concepts/cjk"]),
        ("习学", []),
        ("zzz", []),
        ("!!! ???", []),
        ("*", []),
        ('"', []),
    ],
)
def test_what_a_query_finds(library: App, query: str, slugs: list[str]) -> None:
    assert sorted(found(library, query)) == slugs


@pytest.mark.parametrize(
    ("filters", "slugs"),
    [
        ({"type": "person"}, ["people/alice"]),
        ({"tag": "FOUNDER"}, ["people/alice"]),
        ({"wing": "companies"}, ["companies/river"]),
        ({"collection": "default"}, ["companies/river", "concepts/sensor", "people/alice"]),
        ({"since": "2026-04-14"}, ["companies/river", "concepts/sensor", "people/alice"]),
        ({"since": "2026-04-15"}, []),
        ({"type": "person", "wing": "companies"}, []),
    ],
)
def test_filters(library: App, filters: dict[str, str], slugs: list[str]) -> None:
    assert sorted(found(library, "river", **filters)) == slugs


def test_days_are_those_of_the_person(app: App, clock: Clock) -> None:
    """Noon UTC on the 14th is the 15th in Kiribati."""
    call(app, "put", slug="a", content="river\n")
    call(app, "config set", key="time.zone", value="Pacific/Kiritimati")
    there = app.reread()
    assert there.today() == "2026-04-15"
    assert found(there, "river", since="2026-04-15") == ["a"]
    assert len(call(there, "list", since="2026-04-15")["pages"]) == 1
    assert len(call(there, "list", since="0001-01-01")["pages"]) == 1
    assert call(there, "list", since="9999-12-31")["pages"] == []
    assert call(there, "list", since="2026-04-16")["pages"] == []


@pytest.mark.parametrize(
    ("query", "marked"),
    [("sensor", "**sensors**"), ("rust", "**Rust**"), ("学习", "**学习**"), ("机器学习", "**机器学习**")],
)
def test_matched_words_are_marked(library: App, query: str, marked: str) -> None:
    assert any(marked in match["snippet"] for match in call(library, "search", query=query)["results"])


def test_snippets_show_the_text_and_nothing_of_the_index(library: App) -> None:
    snippet = call(library, "search", query="分支")["results"][0]["snippet"]
    assert snippet.replace("**", "").strip() in PAGES["concepts/cjk"]


def test_limits(library: App) -> None:
    everywhere = found(library, "river")
    assert found(library, "river", limit=1) == everywhere[:1]
    call(library, "config set", key="search.limit", value="2")
    assert found(library.reread(), "river") == everywhere[:2]


def test_a_collection_that_there_is_not(library: App) -> None:
    with pytest.raises(NotFound):
        call(library, "search", query="river", collection="none")


@pytest.mark.parametrize("query", ["", "  ", "\n\t"])
def test_nothing_to_search_for(library: App, query: str) -> None:
    with pytest.raises(InvalidInput):
        call(library, "search", query=query)


TRICKY = st.text(
    alphabet=st.sampled_from("ab \"'*-+():^{}[]AND OR NOT NEAR\0\n学习é🦭\u2063,;.\\/%_"), max_size=25
)


@examples(60, 1_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=TRICKY | st.text(max_size=30), every=st.booleans())
def test_no_text_is_a_syntax_error(library: App, query: str, every: bool) -> None:
    try:
        results = call(library, "search", query=query + (" river" if every else ""))["results"]
    except InvalidInput:
        assert not every
        assert not query.strip()
    else:
        assert len({match["slug"] for match in results}) == len(results)


@pytest.mark.parametrize("length", [1, 200, 5000])
def test_a_pasted_page_is_a_query_too(library: App, length: int) -> None:
    assert "people/alice" in found(library, " ".join(["Alice"] + [f"word{n}" for n in range(length)]))


def test_a_page_that_repeats_a_word_does_not_hold_up_the_search(app: App, db: Path) -> None:
    """A log of a hundred thousand equal words is answered as any page is."""
    call(app, "put", slug="log", content="error " * 100_000)
    call(app, "put", slug="note", content="An error.\n")
    ran = quick("search", "error", "--json", db=db)
    assert {match["slug"] for match in ran.json["results"]} == {"log", "note"}
    assert all("**error**" in match["snippet"] for match in ran.json["results"])
    ran = quick("search", "error AND nothing else", "--json", db=db)
    assert {match["slug"] for match in ran.json["results"]} == {"log", "note"}
