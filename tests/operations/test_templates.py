"""What a template says is no knowledge: an untouched page is found by its name, and answers nothing."""

from __future__ import annotations

from typing import Any

import pytest

from quaid.app import App
from quaid.formats.content import read_page
from quaid.formats.placeholders import without_placeholders
from quaid.formats.templates import fill_template
from quaid.index.chunks import chunks_of
from quaid.model.types import PAGE_TYPES
from tests.support import call
from tests.support_embedders import BagOfWords, install

ALICE = """---
title: Alice Example
tags: [founder]
---
> Founder of [[companies/river-ai]]. Prefers short mails.

---
- **2026-04-14** | demo day — Met her at the stand
"""
TYPES = [known.name for known in PAGE_TYPES]


@pytest.fixture
def readme(app: App) -> App:
    """The memory of the README, after all of its commands."""
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "new", type="person", slug="people/bob")
    return app


def slugs(app: App, question: str) -> list[Any]:
    return [each["slug"] for each in call(app, "query", question=question)["results"]]


def test_the_question_of_the_readme(readme: App) -> None:
    """With the real model: the empty page came first."""
    assert slugs(readme, "how should I write to the boss?") == ["people/alice"]
    assert slugs(readme, "who is this and why does it matter") == ["people/alice"]


def test_an_untouched_page_is_found_by_its_name(readme: App) -> None:
    install(readme, BagOfWords())
    assert slugs(readme, "Bob")[0] == "people/bob"
    assert [each["slug"] for each in call(readme, "search", query="bob")["results"]] == ["people/bob"]


@pytest.mark.parametrize("words", ["sentence", "matters", '"page created"', "assessment"])
def test_its_words_are_not_searched(readme: App, words: str) -> None:
    found = [each["slug"] for each in call(readme, "search", query=words)["results"]]
    assert found == (["people/bob"] if words == "assessment" else []), "a heading is the person's own"


@pytest.mark.parametrize("type_name", TYPES)
def test_no_type_has_text_before_somebody_writes(type_name: str) -> None:
    text = fill_template(type_name, "notes/some-page", "Some page", "2026-04-14")
    content = read_page(text, "notes/some-page")
    assert content.summary == ""
    assert chunks_of(content) == []
    assert "[" not in without_placeholders(text).split("---\n", 2)[2]


@pytest.mark.parametrize("type_name", TYPES)
def test_what_somebody_writes_is_text(type_name: str) -> None:
    text = fill_template(type_name, "notes/some-page", "Some page", "2026-04-14")
    written = text.replace("# Some page\n", "# Some page\n\nMakes sensors for rivers.\n", 1)
    content = read_page(written, "notes/some-page")
    assert content.summary == "Makes sensors for rivers."
    assert [chunk.embedded for chunk in chunks_of(content)] == ["Some page\nMakes sensors for rivers."]


def test_lines_that_only_look_like_it_stay() -> None:
    text = (
        "[Enter the narrator.]\n\n- [ ] call [her](https://example.org)\n\nSee [[people/bob]].\n\n"
        "- **2026-04-14** | standup — Page created by Bob\n"
    )
    assert without_placeholders(text) == text
    content = read_page(text, "a")
    assert content.summary == "[Enter the narrator.]"


def test_a_page_that_is_filled_in_is_searched_again(readme: App) -> None:
    install(readme, BagOfWords())
    page = call(readme, "get", slug="people/bob")
    text = page["content"].replace(
        "[Who this is and why it matters, in one sentence.]", "Repairs harbours, and sings."
    )
    call(readme, "put", slug="people/bob", content=text, expected_version=page["version"])
    assert slugs(readme, "who repairs harbours")[0] == "people/bob"
    assert call(readme, "get", slug="people/bob")["summary"] == "Repairs harbours, and sings."
    assert call(readme, "validate", all=True)["findings"] == []
