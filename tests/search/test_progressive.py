"""As much as a budget allows: never more, the best never dropped, the order kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.embed.tokens import estimate_tokens
from quaid.search.progressive import Candidate, Depth, Expanded, expand
from tests.support import examples

DEPTHS: tuple[Depth, ...] = ("summary", "section", "full", "auto")


def words(text: str) -> int:
    """A token is a word."""
    return len(text.split())


def page(heading: int = 5, section: int = 100, full: int = 400, name: str = "w") -> Candidate:
    """A candidate of so many words."""
    return Candidate(
        " ".join([f"{name}h"] * heading),
        " ".join([f"{name}s"] * section),
        lambda: " ".join([f"{name}f"] * full),
    )


def depths(candidates: list[Candidate], depth: Depth, budget: int) -> list[str]:
    return [shown.depth for shown in expand(candidates, depth, budget, words)]


def cost(shown: list[Expanded]) -> int:
    return sum(each.tokens for each in shown)


# What each depth shows ----------------------------------------------------------------------------


def test_summary_shows_no_text() -> None:
    shown = expand([page(), page()], "summary", 4000, words)
    assert [(each.depth, each.content, each.tokens) for each in shown] == [("summary", "", 5)] * 2


def test_section_shows_what_matched() -> None:
    shown = expand([page(), page()], "section", 4000, words)
    assert [(each.depth, words(each.content), each.tokens) for each in shown] == [("section", 100, 105)] * 2


def test_full_shows_the_page() -> None:
    shown = expand([page()] * 6, "full", 10_000, words)
    assert [(each.depth, words(each.content)) for each in shown] == [("full", 400)] * 6


def test_auto_gives_the_first_three_whole() -> None:
    assert depths([page()] * 6, "auto", 10_000) == ["full"] * 3 + ["section"] * 3


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        (10_000, ["full", "full", "full", "section", "section"]),
        # 25 of the summaries are spoken for; each whole page leaves 400 less.
        (2_350, ["full", "full", "full", "section", "section"]),
        (2_300, ["full", "full", "section", "section", "section"]),
        (1_524, ["section", "section", "section", "section", "section"]),
        (1_500, ["section", "section", "section", "section", "section"]),
        # Below 500 only the best gets more than a summary.
        (500, ["section", "summary", "summary", "summary", "summary"]),
        (620, ["section", "summary", "summary", "summary", "summary"]),
        (640, ["section", "section", "summary", "summary", "summary"]),
        (125, ["section", "summary", "summary", "summary", "summary"]),
        (25, ["summary"] * 5),
        (24, ["summary"] * 4),
        (5, ["summary"]),
    ],
)
def test_auto_stops_expanding_when_little_is_left(budget: int, expected: list[str]) -> None:
    shown = expand([page()] * 5, "auto", budget, words)
    assert [each.depth for each in shown] == expected
    assert cost(shown) <= budget


def test_thresholds_are_those_of_the_seed() -> None:
    """Whole above 1,500 tokens left, a section above 500."""
    one = [page(full=200)]
    assert depths(one, "auto", 1506) == ["full"]
    assert depths(one, "auto", 1505) == ["section"]
    two = [page(section=100), page()]
    assert depths(two, "auto", 5 + 100 + 5 + 501) == ["section", "section"]
    assert depths(two, "auto", 5 + 100 + 5 + 500) == ["section", "summary"]


def test_a_page_that_is_too_long_gets_its_best_section() -> None:
    for depth in ("full", "auto"):
        shown = expand([page(full=50_000), page(full=100)], depth, 4000, words)  # type: ignore[arg-type]
        assert [each.depth for each in shown] == ["section", "full"]
        assert words(shown[0].content) == 100


def test_whole_pages_are_only_read_where_they_may_be_shown() -> None:
    read: list[int] = []

    def candidate(number: int) -> Candidate:
        return Candidate("h", "s", lambda: read.append(number) or "whole")  # type: ignore[func-returns-value]

    expand([candidate(n) for n in range(6)], "section", 10_000, words)
    expand([candidate(n) for n in range(6)], "auto", 1_000, words)
    assert read == []
    expand([candidate(n) for n in range(6)], "auto", 10_000, words)
    assert read == [0, 1, 2]


def test_a_section_ends_with_a_sentence() -> None:
    section = " ".join(f"Sentence {n} has six words altogether." for n in range(50))
    for depth in ("section", "auto", "full"):
        shown = expand([Candidate("h", section, lambda: section * 9)], depth, 100, words)  # type: ignore[arg-type]
        assert shown[0].depth == "section"
        assert shown[0].content.removesuffix("…").rstrip().endswith("altogether.")
        assert section.startswith(shown[0].content.removesuffix("…").rstrip())
        assert 90 < shown[0].tokens <= 100


def test_a_section_of_one_sentence_ends_with_a_word() -> None:
    section = " ".join(f"word{n}" for n in range(300))
    shown = expand([Candidate("h", section, lambda: section)], "auto", 100, words)
    assert 95 < shown[0].tokens <= 100
    assert section.startswith(shown[0].content.removesuffix("…").rstrip())


def test_chinese_without_an_end() -> None:
    """There is no space to cut at, and still it must not show nothing."""
    section = "学" * 250
    for text in (section, section + "。" + section):
        shown = expand([Candidate("t", text, lambda: section * 9)], "auto", 100, len)
        assert shown[0].depth == "section"
        assert len(shown[0].content) > 50
        assert shown[0].tokens <= 100


def test_an_endless_word() -> None:
    shown = expand([Candidate("t", "x" * 5000, lambda: "x" * 5000)], "auto", 200, estimate_tokens)
    assert len(shown[0].content) > 100
    assert shown[0].tokens <= 200


def test_a_summary_that_does_not_fit_is_cut() -> None:
    shown = expand([page(heading=100)], "auto", 20, words)
    assert len(shown) == 1
    assert 0 < words(shown[0].heading) <= 20
    assert shown[0].tokens <= 20


def test_nothing_found() -> None:
    assert expand([], "auto", 100, words) == []


# Properties ---------------------------------------------------------------------------------------

PIECES = st.lists(
    st.sampled_from(
        ["word ", "Sentence ends. ", "学习", "学习。", "\n\n", "x" * 60 + " ", "word " * 50, "a\nb "]
    ),
    max_size=30,
).map("".join)


@st.composite
def counters(draw: Any) -> Callable[[str], int]:
    """Ways to count: by words, by characters, by neither exactly, with a start that costs something."""
    kind = draw(st.sampled_from(["words", "characters", "estimate", "random"]))
    if kind == "random":
        seed, factor = draw(st.integers(0, 1000)), draw(st.floats(0.1, 2))

        def count(text: str) -> int:
            noise = random.Random(f"{seed}{text}").randint(0, 5)
            return int(len(text) * factor) + noise if text else 0

        return count
    return {"words": words, "characters": len, "estimate": estimate_tokens}[kind]


@examples(100, 3_000)
@given(
    pages=st.lists(st.tuples(PIECES, PIECES, PIECES), min_size=1, max_size=8),
    depth=st.sampled_from(DEPTHS),
    budget=st.integers(1, 3000),
    count=counters(),
)
def test_never_over_budget_never_without_the_best_always_in_order(
    pages: list[tuple[str, str, str]], depth: Depth, budget: int, count: Callable[[str], int]
) -> None:
    candidates = [Candidate(head, section, lambda full=full: full) for head, section, full in pages]  # type: ignore[misc]
    shown = expand(candidates, depth, budget, count)
    assert cost(shown) <= budget
    assert 1 <= len(shown) <= len(pages)
    for rank, (each, (head, section, full)) in enumerate(zip(shown, pages, strict=False)):
        begun = each.content.removesuffix("…").rstrip()
        if each.depth == "full":
            assert each.content == full
            assert depth in ("full", "auto")
            assert depth == "full" or rank < 3
        elif each.depth == "section":
            kept = [line for line in begun.split("\n") if line != "…"]
            assert each.content == section or all(line.removesuffix("…").strip() in section for line in kept)
            assert depth != "summary"
        else:
            assert each.content == "" or (rank == 0 and head.startswith(begun))
        beside = 0 if each.depth == "summary" and each.content else count(head)
        assert each.tokens >= (count(each.content) if each.content else 0)
        assert (
            each.tokens == beside + (count(each.content) if each.content or count("") else 0)
            or not each.content
        )


@examples(100, 1_000)
@given(
    section=PIECES.filter(lambda text: len(text.split()) > 60),
    room=st.integers(60, 400),
    depth=st.sampled_from(["section", "full", "auto"]),
)
def test_the_best_shows_some_text_wherever_there_is_room(section: str, room: int, depth: Depth) -> None:
    shown = expand([Candidate("one two", section, lambda: section * 10)], depth, room, words)
    assert shown[0].content
