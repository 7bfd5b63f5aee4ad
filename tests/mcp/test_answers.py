from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from quaid import operations
from quaid.errors import Conflict
from quaid.mcp.answers import answer, bounded, compact, failure, tokens

GET = operations.operation("get")


def test_text_and_data_say_the_same() -> None:
    result = answer(GET, {"slug": "a", "content": "Zürich", "tags": ["b"]})
    assert result.structured_content == json.loads(result.content[0].text)  # type: ignore[union-attr]
    assert result.structured_content["content"] == "Zürich"


def test_what_is_empty_costs_nothing() -> None:
    assert compact({"a": "", "b": [], "c": {}, "d": 0, "e": False, "f": [{"g": ""}]}) == {
        "d": 0,
        "e": False,
        "f": [{}],
    }


def test_a_failure_carries_all_that_is_known() -> None:
    result = failure(Conflict("a is at version 3, not 1", hint="Read it again.", current_version=3))
    assert result.is_error
    assert result.structured_content == {
        "error": {
            "code": "conflict",
            "message": "a is at version 3, not 1",
            "hint": "Read it again.",
            "current_version": 3,
        }
    }
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]


def walk(data: dict[str, Any], field: str, most: int) -> list[Any]:
    """All parts of a field, one call after the other."""
    parts, offset = [], 0
    for _ in range(10_000):
        page = bounded(data, offset, most)
        assert tokens(page) <= most or len(page[field]) == 1
        parts.append(page[field])
        if "next" not in page:
            return parts
        assert page["next"]["offset"] > offset
        offset = page["next"]["offset"]
    raise AssertionError("no end")


@given(st.text(max_size=3_000), st.integers(200, 900))
def test_a_long_text_comes_in_parts(text: str, most: int) -> None:
    data = {"slug": "a", "content": text or "x"}
    assert "".join(walk(data, "content", most)) == (text or "x")


@given(st.lists(st.text(max_size=40), min_size=1, max_size=200), st.integers(200, 900))
def test_a_long_list_comes_in_parts(items: list[str], most: int) -> None:
    data = {"results": [{"text": item} for item in items]}
    parts = walk(data, "results", most)
    assert [each["text"] for part in parts for each in part] == items


def test_an_answer_is_not_longer_than_it_may_be() -> None:
    result = answer(GET, {"content": "word and word\n" * 40_000})
    assert tokens(result.structured_content) <= 10_000
    assert "offset" in result.structured_content["next"]["hint"]


def test_what_fits_is_left_alone() -> None:
    data = {"content": "short", "slug": "a"}
    assert bounded(data, 0, 1_000) == data
