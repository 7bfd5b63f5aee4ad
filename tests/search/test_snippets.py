"""The passage that matched, with its words marked, however long the page is."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quaid.app import App
from quaid.formats.segments import alternatives
from quaid.search.snippets import END, START, STRETCH, WORDS, Snippets
from tests.support import call, examples


def snippet(app: App, text: str, query: str) -> str:
    found = Snippets(app.connection, alternatives(query)).of_text(text)
    return found.replace(START, "[").replace(END, "]")


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The walrus sleeps.", "walrus", "The [walrus] sleeps."),
        ("The harbours sleep.", "HARBOUR", "The [harbours] sleep."),
        ("At the café.", "cafe", "At the [café]."),
        ("river and sea", "riv*", "[river] and sea"),
        ("the big river", '"big river"', "the [big] [river]"),
        ("Mr O'Brien", "O'Brien", "Mr [O]'[Brien]"),
        ("机器学习是分支", "学习", "机器[学习]是分支"),
        ("机器学习是分支", "机器学习", "[机器学习]是分支"),
        ("机器 learning 学习", "学习 learning", "机器 [learning] [学习]"),
        ("nothing here", "walrus", "nothing here"),
        ("", "walrus", ""),
    ],
)
def test_marks(app: App, text: str, query: str, expected: str) -> None:
    assert snippet(app, text, query) == expected


def test_the_passage_with_most_of_the_words(app: App) -> None:
    filler = "filler " * 100
    text = f"walrus {filler} river {filler} the walrus in the river {filler} walrus walrus walrus"
    shown = snippet(app, text, "walrus river")
    assert "the [walrus] in the [river]" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown.split()) <= WORDS + 2


def test_some_words_before_and_more_after_the_match(app: App) -> None:
    shown = snippet(app, "before " * 50 + "the walrus sleeps here " + "after " * 50, "walrus")
    assert "before the [walrus] sleeps here after after" in shown
    shown = snippet(app, "before " * 50 + "the walrus sleeps here", "walrus")
    assert shown.endswith("before the [walrus] sleeps here")


def test_the_same_word_four_hundred_thousand_times(app: App) -> None:
    call(app, "put", slug="log", content="error " * 400_000)
    start = time.process_time()
    results = call(app, "search", query="error")["results"]
    assert time.process_time() - start < 2
    assert results[0]["snippet"].startswith("**error** **error**")


@pytest.mark.parametrize("text", ["x " * 200_000, "学" * 200_000, "x" * 400_000, "x, " * 150_000])
def test_a_match_far_into_the_page(app: App, text: str) -> None:
    """Long before the match is found, the rest has been looked through once and no more."""
    start = time.process_time()
    shown = snippet(app, text + " walrus sleeps here", "walrus")
    assert time.process_time() - start < 3
    assert "[walrus] sleeps here" in shown
    assert shown.startswith("…")
    assert len(shown) < STRETCH


def test_a_word_across_the_end_of_a_stretch(app: App) -> None:
    """The text is looked through by parts, and no word is lost between them."""
    for before in range(STRETCH - 8, STRETCH + 2):
        text = "y" * (before - 1) + " walrus " + "z " * 40
        assert "[walrus]" in snippet(app, text, "walrus")
        text = "学" * (before - 1) + "机器翻译" + "学" * 40
        assert "[机器翻译]" in snippet(app, text, "机器翻译")


def test_where_only_the_title_matches(app: App) -> None:
    call(app, "put", slug="a", content="---\ntitle: Walrus\naliases: [Odobenus]\n---\nA large animal.\n")
    shown = {
        query: call(app, "search", query=query)["results"][0]["snippet"] for query in ("walrus", "odobenus")
    }
    assert shown == {"walrus": "A large animal.", "odobenus": "**Odobenus**"}, "the title is shown anyway"


def test_the_timeline_is_shown_where_the_truth_does_not_match(app: App) -> None:
    call(app, "put", slug="a", content="# T\n\nx\n\n---\n\n- **2024-03-12** — Saw a walrus.\n")
    assert "Saw a **walrus**" in call(app, "search", query="walrus")["results"][0]["snippet"]


PIECES = st.lists(
    st.sampled_from(
        ["walrus", "river ", "the ", "学习", "习学", " ", "\n", "é", "x" * 30, ", ", "🦭", "Walruses "]
    ),
    max_size=60,
).map("".join)


@examples(60, 1_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=PIECES, query=st.sampled_from(["walrus", "river walrus", "学习", "riv* 学", "zebra"]))
def test_a_snippet_is_the_text_and_marks(app: App, text: str, query: str) -> None:
    shown = Snippets(app.connection, alternatives(query)).of_text(text)
    bare = shown.replace(START, "").replace(END, "").removeprefix("…").removesuffix("…")
    assert bare.strip() in text
    assert re.fullmatch(f"[^{START}{END}]*(?:{START}[^{START}{END}]+{END}[^{START}{END}]*)*", shown, re.S)
    if "zebra" in query:
        assert START not in shown
