"""Options under other names, and names that are misspelt, as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid import operations
from quaid.app import App
from quaid.cli.commands import BY_NAME
from quaid.cli.overview import MEANINGS
from tests.support import call, quick


@pytest.fixture
def pages(app: App, db: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    monkeypatch.setenv("QUAID_DB", str(db))
    for slug in ("people/alice", "people/bob", "companies/acme"):
        call(app, "put", slug=slug, content=f"---\ntags: [harbour]\n---\n# {slug[-5:].title()}\n\nA river.\n")
    return app


@pytest.mark.parametrize(
    "words",
    [
        ("search", "river", "--limit", "1"),
        ("search", "river", "--max-results", "1"),
        ("search", "river", "--max_results=1"),
        ("search", "river", "--maxResults", "1"),
        ("search", "river", "--k", "1"),
        ("search", "--question", "river", "--top-k", "1"),
        ("list", "-n", "1"),
        ("list", "--type", "people", "--limit", "1"),
        ("list", "--page-type", "Person", "--limit", "1"),
        ("list", "--tags", "harbour", "--limit", "1"),
        ("list", "--tag", "Harbours", "--limit", "1"),
    ],
)
def test_other_names_of_options(pages: App, words: tuple[str, ...]) -> None:
    ran = quick(*words, "--json")
    assert ran.status == 0, ran.err
    assert len(ran.json.get("results") or ran.json["pages"]) == 1


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("search", "river", "--lmit", "1"), "Did you mean --limit?"),
        (("get", "people/alise"), "Did you mean people/alice?"),
        (("list", "--collection", "defualt"), "Did you mean default?"),
        (("config", "get", "query.tokenbudget"), "Did you mean query.token_budget?"),
        (("serch", "river"), "Did you mean search"),
    ],
)
def test_what_there_is_not_gets_the_nearest(pages: App, words: tuple[str, ...], meant: str) -> None:
    ran = quick(*words)
    assert ran.status != 0
    assert meant in ran.err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("list", "--type", "preson"), "no page has the type 'preson'. Did you mean person?"),
        (("list", "--tag", "habour"), "no page has the tag 'habour'. Did you mean harbour?"),
        (("list", "--wing", "poeple"), "no page has the wing 'poeple'. Did you mean people?"),
        (("list", "--tag", "zebra"), "no page has the tag 'zebra'. There are: harbour."),
    ],
)
def test_a_filter_that_no_page_passes_says_so(pages: App, words: tuple[str, ...], meant: str) -> None:
    ran = quick(*words)
    assert ran.status == 0
    assert meant in ran.err


def test_a_type_of_which_there_is_no_page_yet_is_no_mistake(pages: App) -> None:
    for name in ("deal", "deals"):
        ran = quick("list", "--type", name)
        assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("delete", "people/alice"), "Did you mean rm?"),
        (("ls",), "Did you mean list?"),
        (("find", "river"), "query   Find what answers a question"),
        (("add", "~/notes"), "collection add  Attach a folder"),
        (("collection", "delete", "notes"), "Did you mean collection remove?"),
        (("kb", "find", "river"), "Did you mean kb query?"),
    ],
)
def test_a_command_is_guessed_by_what_it_means(words: tuple[str, ...], meant: str) -> None:
    ran = quick(*words)
    assert ran.status != 0
    assert meant in ran.err


def test_what_is_meant_by_a_word_is_a_command_and_the_word_is_none() -> None:
    known = {*operations.NAMES, *BY_NAME}
    for name, words in MEANINGS:
        assert name in known
        assert not known & set(words)
